// Python in a worker (check-worker.js), for the pages that ask it.

/** The worker, begun. By a blob: so the policy of the page binds it too, where a file of the site would have its own or none. */
export function begin() {
  const whole = JSON.stringify(new URL("check-worker.js", import.meta.url));
  const blob = new Blob([`import ${whole};`], { type: "text/javascript" });
  return new Worker(URL.createObjectURL(blob), { type: "module" });
}

/** A function that puts a question to Python and gives its answer; the worker is started for the first question,
 *  or `early`, at the first tap or key.
 *  `files` are those that it fetches, with their sizes; `progress` and `say` show how far that is. */
export function python(files, progress, say, early = false) {
  let worker = null, count = 0;
  const waiting = new Map();

  function heard({ data }) {
    if (!waiting.size) return; // started before anything is asked
    if (data.total) {
      progress.hidden = false;
      progress.value = data.loaded / data.total;
      say(`Fetching the program: ${(data.loaded / 1e6).toFixed(1)} of ${(data.total / 1e6).toFixed(1)} MB.`);
    } else if (data.starting) {
      progress.removeAttribute("value");
      say("Starting Python.");
    } else if (data.id) {
      progress.hidden = true;
      const why = data.failed?.trim().split("\n").at(-1);
      waiting.get(data.id)?.(why ? { wrong: true, said: `The program failed: ${why}` } : data.answer);
      waiting.delete(data.id);
    }
  }

  function start() {
    worker = begin();
    worker.onmessage = heard;
    worker.onerror = (event) => {
      event.preventDefault();
      for (const done of waiting.values()) done({ wrong: true, said: "The program could not be started in this browser." });
      waiting.clear();
      worker = null;
    };
    worker.postMessage({ files });
  }

  for (const kind of early ? ["pointerdown", "keydown"] : []) addEventListener(kind, () => { if (!worker) start(); }, { once: true });
  return (question) => {
    if (!worker) start();
    const id = ++count;
    const answered = new Promise((done) => { waiting.set(id, done); });
    worker.postMessage({ id, files, question });
    return answered;
  };
}
