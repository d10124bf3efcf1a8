// The search of the theme, made to fit. Its index, by far the largest file of a page, is asked for when the search is
// first used or about to be, after the words that say nothing (those of `oddtrick search`). A question is asked without
// them; a short word, a number and `royal` are themselves and not the beginning of another; an address or a citation is
// taken apart into its words. Runs before the theme's own script, so it is no module.
"use strict";

(() => {
  const QUERY = 2; // the kind of message by which the theme asks its worker
  const { postMessage } = Worker.prototype;
  const { open, send } = XMLHttpRequest.prototype;
  const list = new URL("stop-words.json", document.currentScript.src);
  let stop = [];
  let words; // the promise that they have come

  const asked = (question) => {
    const all = question.toLowerCase().replace(/[’']s?(?=\s|$)/g, "")
      .split(/[\s:()\[\]§,;!?"“”/]+|-|\.(?!\d)/).filter(Boolean);
    const telling = all.filter((word) => !stop.includes(word.replace(/^[+]/, "")));
    return (telling.length ? telling : all)
      .map((w) => (w.length < 4 || /\d|^royal$/.test(w) ? `${w}^1` : w.replace(/(?<=[^s]{3})s$/, "")))
      .join(" ");
  };
  Worker.prototype.postMessage = function (message, ...rest) {
    const asks = message?.type === QUERY && typeof message.data === "string";
    return postMessage.call(this, asks ? { ...message, data: asked(message.data) } : message, ...rest);
  };

  const waiting = [];
  const want = () => {
    words ??= fetch(list).then((r) => r.json()).then((found) => { stop = found; }, () => null);
    for (const go of waiting.splice(0)) words.then(go);
  };
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    open.call(this, method, url, ...rest);
    if (!String(url).endsWith("search/search_index.json")) return;
    this.send = () => { waiting.push(() => send.call(this)); if (words) want(); };
  };
  if (new URLSearchParams(location.search).has("q")) want(); // a link to a search
  const near = (event) => { if (event.target.closest?.(".md-search, [for=__search]")) want(); };
  for (const kind of ["focusin", "pointerover", "touchstart"]) addEventListener(kind, near, { passive: true });
})();
