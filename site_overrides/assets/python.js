// Python in a worker (check-worker.js), for the pages that need it.

/** An interface to Python: `ask(question)` resolves to the answer; `start` loads Python early, as the first tap or key in `root`
 *  does; `isReady` says whether it has loaded. `root` is marked as busy while a question waits. `files` are the files to fetch,
 *  with their sizes; `say` reports how much has loaded while a question waits. */
export function python(root, files, say) {
  const waiting = []; // the functions that take the next answers
  let worker = null, ready = false, progress = "Fetching the checker.";

  function end(answer) {
    worker?.terminate();
    [worker, ready] = [null, false];
    while (waiting.length) give(answer);
  }

  function give(answer) {
    waiting.shift()(answer);
    root.ariaBusy = String(waiting.length > 0);
  }

  function heard({ data: { answer, failed, loaded, total } }) {
    ready ||= !failed && !total;
    if (failed) end({ failed: true, status: `The checker failed: ${failed.trim().split("\n").at(-1)}` });
    else if (answer) give(answer);
    else if (total) {
      progress = loaded < total ? `Fetching the checker: ${(loaded / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB.` : "Starting the checker. This takes some seconds the first time.";
      if (waiting.length) say(progress);
    }
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
    if (!ready) say(progress);
    worker.postMessage({ files, question });
    root.ariaBusy = "true";
    return new Promise((done) => waiting.push(done));
  }

  for (const kind of ["pointerdown", "keydown"]) root.addEventListener(kind, start, { once: true });
  return { ask, start, isReady: () => ready };
}
