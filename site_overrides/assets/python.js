// Python in a worker (check-worker.js), for the pages that need it, and the drawing of the HTML that it sends.

/** An interface to Python: `ask(question)` resolves to the answer; `start` loads Python early, as the first tap or key in `root`
 *  does; `isReady` says whether it has loaded. `root` has the JSON of the files to fetch with their sizes, and is marked as busy
 *  while a question waits; `say` reports how much has loaded meanwhile. */
export function python(root, say) {
  const files = JSON.parse(root.querySelector("[type='application/json']").textContent);
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

// The identity of a node for `match`; what is in a field, and classes that only mark the current state, are ignored.
const key = (node) => [node.nodeName, ...["class", "data-tap", node.type !== "text" && "value", "name"].map((name) => node.getAttribute?.(name) ?? "")].join("|")
  .replace(/\b(own|to-play|card|dim|wrong|focus-visible)\b| /g, "");

// Update a node to match another, keeping every child that is the same as before.
function match(node, as) {
  for (const { name } of [...node.attributes ?? []]) if (!as.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of as.attributes ?? []) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  if (!as.attributes && node.data !== as.data) node.data = as.data;
  const before = [...node.childNodes], now = [...as.childNodes];
  now.forEach((one, n) => {
    if (!before[n]) node.append(one);
    else if (key(before[n]) === key(one)) match(before[n], one);
    else before[n].replaceWith(one);
  });
  for (const one of before.slice(now.length)) one.remove();
}

/** Change the content of an element to HTML. Only what differs is drawn, since a finger may be on a card, or the focus in a field. */
export function renew(element, html) {
  const fresh = element.cloneNode();
  fresh.innerHTML = html;
  match(element, fresh);
}
