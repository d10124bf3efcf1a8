// The index of the search, by far the largest file of a page, is asked for when the search is first used or about to be.
"use strict";

(() => {
  const { open, send } = XMLHttpRequest.prototype;
  const waiting = [];
  let wanted = new URLSearchParams(location.search).has("q"); // a link to a search

  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    this.isIndex = String(url).endsWith("search/search_index.json");
    return open.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (this.isIndex && !wanted) waiting.push(() => send.apply(this, body));
    else send.apply(this, body);
  };

  const want = (event) => {
    if (wanted || !event.target.closest?.(".md-search, [for=__search]")) return;
    wanted = true;
    for (const go of waiting.splice(0)) go();
  };
  for (const kind of ["focusin", "pointerover", "touchstart"]) addEventListener(kind, want, { passive: true });
})();
