// Python in a worker (check-worker.js), for the pages that need it.

/** An interface to Python: `ask(question)` resolves to the answer, or null if `stop` is called; `start` loads Python early;
 *  `isReady` says whether it has loaded. `files` are the files to fetch, with their sizes; `progress` and `say` show how much
 *  has loaded while a question waits. */
export function python(files, progress, say) {
  let worker = null, ready = false, count = 0;
  const waiting = new Map();

  function end(answer) {
    worker?.terminate();
    worker = null;
    ready = false;
    progress.hidden = true;
    for (const done of waiting.values()) done(answer);
    waiting.clear();
  }

  function heard({ data }) {
    if (data.ready || data.answer) ready = true;
    if (data.id) {
      progress.hidden = true;
      const failed = { failed: true, status: `The checker failed: ${data.failed?.trim().split("\n").at(-1)}` };
      waiting.get(data.id)?.(data.answer ?? failed);
      waiting.delete(data.id);
      if (data.failed && !data.loaded) end(failed); // the next question starts a new worker
    } else if (waiting.size && data.total) {
      progress.hidden = false;
      progress.value = data.loaded / data.total;
      say(`Fetching the checker: ${(data.loaded / 1e6).toFixed(1)} of ${(data.total / 1e6).toFixed(1)} MB.`);
    } else if (waiting.size && data.starting) {
      progress.removeAttribute("value");
      say("Starting the checker.");
    } else if (data.failed && !waiting.size) end(null);
  }

  // Start the worker from a blob, so that it inherits the page's content-security policy; a worker from a file would not.
  function start() {
    if (worker) return;
    const address = JSON.stringify(new URL("check-worker.js", import.meta.url));
    worker = new Worker(URL.createObjectURL(new Blob([`import ${address};`], { type: "text/javascript" })), { type: "module" });
    worker.onmessage = heard;
    worker.onerror = (event) => {
      event.preventDefault();
      end({ failed: true, status: "The checker could not be started in this browser." });
    };
    worker.postMessage({ files });
  }

  function ask(question) {
    start();
    if (!ready) say("Fetching the checker.");
    return new Promise((done) => {
      waiting.set(++count, done);
      worker.postMessage({ id: count, files, question });
    });
  }

  return { ask, start, stop: () => end(null), isReady: () => ready };
}
