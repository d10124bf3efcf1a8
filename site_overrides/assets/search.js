// The search of the theme, made to fit. Its index, by far the largest file of a page, is asked for when the search is first
// used or about to be. A question is asked without the words that say nothing; a short word, a number and `royal` are
// themselves and not the beginning of another; an address or a citation is taken apart into its words.
"use strict";

(() => {
  const STOP = new Set(`
    a an and are as at be been but by can could did do does doing for from get gets had has have having he her his how i if
    in into is it its just let many may me might much must my of on one or our out's she should so some than that the their them then
    there they this to up us was we were what when where which while who whom why will with would you your am any someone
    somebody anyone anybody happen happens happened thing mean means allowed under code law laws rule rules
  `.trim().split(/\s+/));
  const QUERY = 2; // the kind of message by which the theme asks its worker
  const { postMessage } = Worker.prototype;

  const asked = (question) => {
    const words = question.toLowerCase().replace(/[’']s?(?=\s|$)/g, "").split(/[\s:()\[\]§,;!?"“”/]+|-|\.(?!\d)/).filter(Boolean);
    const telling = words.filter((word) => !STOP.has(word.replace(/^[+]/, "")));
    return (telling.length ? telling : words)
      .map((word) => (word.length < 4 || /\d|^royal$/.test(word) ? `${word}^1` : word.replace(/(?<=[^s]{3})s$/, "")))
      .join(" ");
  };
  Worker.prototype.postMessage = function (message, ...rest) {
    const question = message?.type === QUERY && typeof message.data === "string";
    return postMessage.call(this, question ? { ...message, data: asked(message.data) } : message, ...rest);
  };
})();

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
