// The search of the theme, made to fit. What it needs (search-words.json, made by site/search.py) and its index, by far
// the largest files of a page, are asked for when the search is first used or about to be. A question is asked without the
// words that say nothing, with the laws' words for those of players; a short word, a number and `royal` are themselves
// and not the beginning of another; an address or a citation is taken apart into its words. Of what the theme finds, the
// laws that answer best stand first, scored as `oddtrick search` scores them (what each word says of each law was worked
// out in Python), one page a rule; of words that tell what somebody did, the disputes that they may mean, found as
// `oddtrick ruling` finds them (finder.js). Runs before the theme's own script, so it is no module.
"use strict";

(() => {
  const [QUERY, RESULT] = [2, 3]; // the kinds of message between the theme and its worker
  const FIRST = 10; // the laws that are put first
  const COVER = 0.5; // how much it counts that a law has all the words, as in book/search.py
  const ELSEWHERE = 0.3; // how much a law of another code counts where the question names one, and of an ancestor
  const CALLED = 1.3; // how much more one of a code counts that is called by a word of the game
  const BASE = 0.75; // how much a law of its base
  const AMOUNT = 1.3; // how much more a law with a figure where an amount is asked
  const AMOUNTS = /\b(how (much|many)|worth|value|points?|bonus|cost|what (do|does|did|will) (i|we|it|they) (get|score))\b/;
  const BEGUN = 3; // letters that the ending of a word may have
  const TELLS = /\b(i|he|she|we|they|me|him|us|them|my|his|her|our|their|partner|opponent|someone|somebody)\b/; // a story
  const [TOLD, ASIDE, LAWS] = [3, 1, 3]; // disputes for a story, the best put first, and for other words; what stands before the rest
  const { addEventListener, postMessage } = Worker.prototype;
  const { open, send } = XMLHttpRequest.prototype;
  const list = new URL("search-words.json", document.currentScript.src);
  const home = new URL("../", list).pathname;
  let known = { stop: [], say: {}, codes: [], laws: [], rules: [], figures: [], words: {} };
  let words; // the promise that it has come
  let finder = null; // what finds disputes, when it has come
  let scores = new Map(); // for each word the laws with their scores

  // --- the question

  const parted = (question) => question.toLowerCase().replace(/[’']s?(?=\s|$)/g, "")
    .replace(/(\d)([a-z])(?=\d|\b)/g, "$1 $2 ") // 84b, 26g2
    .split(/[\s:()\[\]§,;!?"“”/]+|-|\.(?!\d)/).filter(Boolean);
  const telling = (all) => {
    const found = all.filter((word) => !known.stop.includes(word.replace(/^[+]/, "")));
    return found.length ? found : all;
  };
  // The words of a question with those of the laws in the place of each phrase of players.
  const understood = (all) => {
    let text = ` ${all.join(" ")} `;
    const say = [];
    for (const phrase of Object.keys(known.say).filter((w) => w.includes(" ")).sort((a, b) => b.length - a.length)) {
      if (!text.includes(` ${phrase} `)) continue;
      text = text.replaceAll(` ${phrase} `, " ");
      say.push(...known.say[phrase]);
    }
    const rest = text.split(" ").filter((word) => word && !known.stop.includes(word));
    return [...new Set([...say, ...rest])];
  };
  // A word as the laws have it: itself, or the shortest that begins as it does but for its ending.
  const asKnown = (word) => {
    for (let n = word.length; n >= Math.max(BEGUN, word.length - BEGUN); n--) {
      const near = scores.has(word) ? [word] : [...scores.keys()].filter((w) => w.startsWith(word.slice(0, n)));
      if (near.length) return near.reduce((a, b) => (b.length < a.length ? b : a));
    }
    return null;
  };
  const clause = (w) => (w.length < 4 || /\d|^royal$/.test(w) ? `${w}^1` : w.replace(/(?<=[^s]{3})s$/, ""));
  // What is asked of the theme: the words, and those of the laws for them, which `told` then takes away again.
  const asked = (question) => {
    const all = parted(question);
    const own = telling(all);
    const more = understood(all).flatMap((w) => [w, ...(known.say[w] ?? [])])
      .filter((w) => /^[a-z]+$/.test(w) && !own.includes(w));
    return { question, all, own, more, query: [...own.map(clause), ...more.map((w) => `${w}^1`)].join(" ") };
  };

  // --- the laws that answer it

  // The codes that a question names, and whether by a year or a name that is nothing else.
  const named = (all) => {
    const count = ({ words: by }) => all.filter((w) => by.includes(w))
      .reduce((sum, w) => sum + (/\d/.test(w) || !scores.has(w) ? 2 : 1), 0);
    const most = Math.max(0, ...known.codes.map(count));
    return { codes: most ? known.codes.filter((code) => count(code) === most) : [], plainly: most > 1 };
  };
  const share = (law, { codes, plainly }) => {
    const code = law.split("/")[1];
    const behind = known.codes.some(({ id, ancestor }) => id === code && ancestor) ? ELSEWHERE : 1;
    if (!codes.length) return behind;
    if (codes.some(({ id }) => id === code)) return plainly ? 1 : CALLED;
    if (codes.some(({ base }) => base === code)) return plainly ? BASE : 1;
    return plainly ? ELSEWHERE : behind;
  };
  // The pages of the laws that answer best, one a rule, then the others; none for a citation.
  const ranked = (all) => {
    const about = named(all);
    const call = new Set(about.plainly ? about.codes.flatMap((code) => code.words) : []);
    const terms = understood(all).filter((w) => !call.has(w));
    const plain = terms.filter((w) => w.length > 1 && !/\d/.test(w));
    if (!plain.length || (plain.length < 2 && terms.length > plain.length)) return [];
    const sums = new Map();
    let full = 0;
    for (const found of new Set(terms.map(asKnown))) {
      if (!found) continue;
      const best = Math.max(...scores.get(found).values());
      full += best;
      for (const [law, score] of scores.get(found)) {
        const [sum, part] = sums.get(law) ?? [0, 0];
        sums.set(law, [sum + score, part + best]);
      }
    }
    const amount = AMOUNTS.test(all.join(" ")) ? AMOUNT : 1;
    const worth = ([law, [sum, part]]) => sum * (part / full) ** COVER * share(known.laws[law], about)
      * (known.figures[law] ? amount : 1);
    const order = [...sums].map((found) => [found[0], worth(found)]).sort((a, b) => b[1] - a[1]).map(([law]) => law);
    const rules = new Set();
    const [ones, others] = [[], []];
    for (const law of order) {
      const again = !about.plainly && known.rules[law].length && known.rules[law].every((rule) => rules.has(rule));
      (again ? others : ones).push(law);
      for (const rule of known.rules[law]) rules.add(rule);
    }
    return [...ones.slice(0, FIRST), ...others].map((law) => home + known.laws[law]);
  };

  // --- what the theme finds

  const questions = []; // those that the worker has not answered yet
  const page = (group) => new URL(group[0].location, new URL(home, location.href)).pathname;
  // Whether a page is called by every word of the question, in its title and its tags.
  const calledBy = (group, own) => {
    const article = group.find(({ location: at }) => !at.includes("#")) ?? group[0];
    const said = parted(`${article.title} ${(article.tags ?? []).join(" ")}`.replace(/<[^>]+>/g, ""));
    return own.every((word) => said.some((w) => w.startsWith(word.replace(/s$/, ""))));
  };
  // Disputes that the words may mean, put among what is found, with the facts that the words tell.
  const withDisputes = (items, question) => {
    const { found = [], asked: rule, fits } = finder?.(question) ?? {};
    if (!fits || rule) return;
    const story = TELLS.test(question.toLowerCase());
    const best = found.filter(({ absent }) => !absent).slice(0, story ? TOLD : ASIDE);
    const again = best.map(({ id }) => `${home}disputes/${id}/`);
    for (let i = items.length; i--;) if (again.includes(page(items[i]))) items.splice(i, 1);
    const group = (one) => [{ location: one.url, title: one.label, text: one.meaning, score: 1, terms: {} }];
    if (story && best.length) items.unshift(group(best.shift()));
    items.splice(LAWS, 0, ...best.map(group));
  };
  const told = ({ data }) => {
    if (data?.type !== RESULT || !Array.isArray(data.data?.items)) return;
    const { question, all, own, more } = questions.shift() ?? { question: "", all: [], own: [], more: [] };
    const { items } = data.data;
    for (const item of items.flat()) for (const word of more) if (item.terms) delete item.terms[word];
    const order = new Map(ranked(all).map((path, place) => [path, place]));
    if (!order.size) return void withDisputes(items, question);
    const place = (group) => order.get(page(group)) ?? Infinity;
    const ancestral = (group) => known.codes.some(({ id, ancestor }) => ancestor && page(group).includes(`/${id}/`));
    const calls = items.filter((group) => calledBy(group, own));
    const called = items.indexOf(calls.find((group) => !ancestral(group)) ?? calls[0]);
    const first = called < 0 ? [] : items.splice(called, 1);
    items.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
    items.unshift(...first);
    withDisputes(items, question);
  };

  const heard = new WeakSet();
  Worker.prototype.addEventListener = function (kind, ...rest) {
    if (kind === "message" && !heard.has(this)) {
      heard.add(this);
      addEventListener.call(this, kind, told); // before the theme's own
    }
    return addEventListener.call(this, kind, ...rest);
  };
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.type !== QUERY || typeof message.data !== "string") return postMessage.call(this, message, ...rest);
    const question = asked(message.data);
    questions.push(question);
    return postMessage.call(this, { ...message, data: question.query }, ...rest);
  };

  // --- the files

  const taken = (found) => {
    known = found;
    known.say = Object.fromEntries(Object.entries(found.say).map(([said, laws]) => [parted(said).join(" "), laws]));
    for (const [alike, laws] of Object.entries(found.words)) {
      const table = new Map();
      for (let i = 0, law = 0; i < laws.length; i += 2) table.set((law += laws[i]), laws[i + 1]);
      for (const word of alike.split(" ")) scores.set(word, table);
    }
  };
  const waiting = [];
  const want = () => {
    words ??= Promise.all([fetch(list).then((r) => r.json()).then(taken, () => null), import(new URL("finder.js", list)).then(
      async ({ ready, sought, pageOf }) => {
        const data = await ready();
        finder = (said) => data && { ...sought(data, said), found: sought(data, said).found.map((one) => ({ ...one, url: pageOf(one) })) };
      }).catch(() => null)]);
    for (const go of waiting.splice(0)) words.then(go);
  };
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    open.call(this, method, url, ...rest);
    if (!String(url).endsWith("search/search_index.json")) return;
    this.send = () => { waiting.push(() => send.call(this)); if (words) want(); };
  };
  if (new URLSearchParams(location.search).has("q")) want(); // a link to a search
  const near = (event) => { if (event.target.closest?.(".md-search, [for=__search]")) want(); };
  for (const kind of ["focusin", "pointerover", "touchstart"]) window.addEventListener(kind, near, { passive: true });
})();
