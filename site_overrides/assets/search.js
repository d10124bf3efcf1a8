// The search: loads the index in two files (book/index.py documents its format) and scores it as the command does. All sums
// are of integers, so that both produce exactly the same ranking.
import { json } from "./page.js";

const [FIRST, TOPICS, AMONG, TYPICAL, SECOND, SPELT, LEAST_LIKELY] = [5, 4, 3, 20, 12, 5, 50]; // as in book/disputes.py and book/index.py
const [OPTIONAL, BASE, ANCESTOR, ELSEWHERE, LAWS, WITHOUT, AMOUNT, FITS] = [0.6, 0.75, 0.7, 0.3, 1.1, 0.5, 1.3, 0.5]; // as in book/search.py
const AMOUNTS = /\b(how (much|many)|worth|value|points?|bonus|cost|what (do|does|did|will) (i|we|it|they) (get|score))\b/;

/** The part of the index that finds disputes, and below it the complete index; each is fetched on first use. */
export const tellings = json(new URL("search.json.gz", import.meta.url));
const laws = json(new URL("search-laws.json.gz", import.meta.url));
let joined = null;
export const index = async () => {
  const [one, other] = await Promise.all([tellings(), laws()]);
  return (joined ??= { ...one, ...other, docs: [...one.docs, ...other.docs], postings: { ...one.postings, ...other.postings } });
};

// --- the words of a text

const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);
const plain = (text, data) => data.plain
  .reduce((all, [pattern, put]) => all.replaceAll(new RegExp(pattern, "g"), put), text.toLowerCase())
  .split(new RegExp(data.sentence)).filter((sentence) => sentence.trim());
const wordsOf = (text) => text.toLowerCase().replace(/['’]s\b|['’]/g, "").match(/[a-z0-9]+/g) ?? [];

function stem(word, data) {
  const [ending, put] = data.endings.find(([end]) => word.endsWith(end) && word.length - end.length >= data.stem) ?? ["", ""];
  const short = word.slice(0, word.length - ending.length) + put;
  return short.length > data.stem && short.at(-1) === short.at(-2) ? short.slice(0, -1) : short;
}
const lookedUp = (word, data) => own(data.forms, word) ?? own(data.forms, stem(word, data)) ?? stem(word, data);

// The index form of a word or, if the index lacks it, the commonest word that begins with it or is one edit away and begins alike; names stay as they are.
function spelt(word, data, mark = "") {
  const short = lookedUp(word, data);
  if (short.length < SPELT || Object.hasOwn(data.postings, mark + short) || data.stop.includes(word)) return short;
  const near = Object.keys(data.postings)
    .filter((w) => w.startsWith(mark + short[0]) && data.postings[w].length * w.length > LEAST_LIKELY && /^=?[a-z]+$/.test(w)
      && (w.startsWith(mark + short) || oneEdit(mark + short, w)));
  return near.sort((a, b) => data.postings[b].length - data.postings[a].length || (a < b ? -1 : 1))[0]?.slice(mark.length) ?? short;
}

function oneEdit(one, other) {
  if (one.length > other.length) return oneEdit(other, one);
  const at = [...one].findIndex((letter, n) => letter !== other[n]), from = at < 0 ? one.length : at;
  const rest = one.slice(from), longer = other.slice(from);
  return [rest, rest.slice(1)].includes(longer.slice(1)) || longer === rest.slice(1, 2) + rest.slice(0, 1) + rest.slice(2);
}

const told = (sentence, data, without) => sentence.split(/\s+/).filter((word) => word && !without.includes(word))
  .map((word) => [word, spelt(word, data)]).filter(([, short]) => short.length > 1 || /^\d$/.test(short));

// The features of a description of a dispute, each with the words that gave rise to it.
function tale(text, data) {
  const said = new Map();
  const say = (feature, ...words) => { if (!said.has(feature)) said.set(feature, words); };
  for (const sentence of plain(text, data)) {
    const all = told(sentence, data, data.stop);
    for (const [word, short] of all) for (const feature of [short, ...(own(data.kinds, short) ?? [])]) say(feature, word);
    const firm = all.filter(([word]) => !data.faint.includes(word)).map(([word, short]) => [word, own(data.kinds, short) ?? [short]]);
    firm.forEach(([word, each], i) => {
      for (const [other, near] of firm.slice(i + 1, i + data.near)) {
        for (const a of each) for (const b of near) say(a < b ? `${a} ${b}` : `${b} ${a}`, word, other);
      }
    });
  }
  return said;
}

// The features of a query about the laws; players' phrases are translated and misspelt words corrected.
function query(question, data) {
  let text = ` ${wordsOf(question).join(" ")} `;
  const features = new Set();
  for (const [phrase, say] of Object.entries(data.say)) {
    const words = ` ${wordsOf(phrase).join(" ")} `;
    if (!phrase.includes(" ") || !text.includes(words)) continue;
    text = text.replaceAll(words, " a ");
    for (const word of say) features.add(`=${lookedUp(word, data)}`);
  }
  const short = text.split(" ").filter((word) => word && !data.passed.includes(word)).map((word) => spelt(word, data, "="));
  for (const word of short) features.add(`=${word}`);
  for (let n = 1; n < short.length; n++) features.add(`${short[n - 1]}+${short[n]}`);
  return features;
}

// The score of each document for a set of features; `parts` receives the share of the words that each covers.
function scores(said, data, parts = []) {
  const [sums, covered] = [0, 0].map(() => new Array(data.docs.length).fill(0));
  let length = 0, full = 0;
  for (const feature of said) {
    const [weight, ...on] = own(data.postings, feature) ?? [0];
    const best = feature[0] === "=" ? on.reduce((most, says, i) => (i % 2 ? Math.max(most, says) : most), 0) : 0;
    length += weight;
    full += best;
    for (let i = 0, place = 0; i < on.length; i += 2) {
      place += on[i];
      sums[place] += on[i + 1] * (weight || 1);
      covered[place] += best;
    }
  }
  parts.push(...covered.map((has) => (full ? has / full : 0)));
  return sums.map((sum, n) => (n < data.norm.length ? data.fine * sum - (length - data.prior) * data.norm[n]
    : sum * Math.sqrt(parts[n])));
}

// --- disputes

// A description, and what it means under a code in which the dealer is the declarer.
const textsOf = (words, data, code) => (data.dealer.includes(code) ? [words, words.toLowerCase().replace(/\bdealer\b/g, "declarer")] : [words]);

function facts(texts, [, id, , , asked], data) {
  const said = texts.flatMap((one) => plain(one, data)).map((s) => data.told.reduce((one, [pattern, put]) => one.replaceAll(new RegExp(pattern, "g"), put), s))
    .map((s) => ` ${told(s, data, []).map(([, short]) => own(data.kinds, short)?.find((kind) => data.same.includes(kind)) ?? short).join(" ")} `);
  const denied = new RegExp(data.denied);
  const affirms = (s, by) => s.includes(by) && !denied.test(s.replace(by, "| "));
  return Object.entries(asked).flatMap(([fact, values]) => {
    const cues = data.cues.filter((cue) => cue.fact === fact && values.includes(cue.value)
      && (cue.of ?? [id]).includes(id) && cue.said.some((all) => all.every((by) => said.some((s) => affirms(s, by)))));
    const given = [...new Set(cues.map(({ value }) => value))], places = given.map((value) => values.indexOf(value));
    const late = Math.max(...places); // of two neighbouring times the later counts
    const one = given.length === 1 || (given.length === 2 && data.times.includes(fact) && late > 0 && Math.min(...places) === late - 1) ? values[late] : null;
    const first = one && cues.find(({ value }) => value === one);
    return first ? [{ fact, value: one, words: first.words }] : [];
  });
}

// Whether the best dispute stands out from the others, disregarding numbers by themselves.
function standsOut(said, data) {
  const number = (word) => /^\d+$/.test(word) || data.numbers.includes(word);
  const sums = scores([...said].filter(([, by]) => !by.every(number)).map(([feature]) => feature), data);
  const best = sums.filter((_, n) => data.docs[n][0] === "dispute").sort((a, b) => b - a);
  return best[0] - best[Math.min(TYPICAL, best.length - 1)] >= data.floor;
}

// The disputes that fit part of a description better than the first one, which fits another part.
function seconds(words, ranked, data) {
  const each = words.toLowerCase().split(new RegExp(data.part)).map((part) => scores(tale(part, data).keys(), data));
  const best = each.map((score) => ranked.reduce((one, n) => (score[n] > score[one] ? n : one), ranked[0]));
  const tells = (n, rather) => each.some((score, i) => best[i] === n && score[n] - score[rather] >= data.apart);
  return ranked.slice(1).filter((n) => tells(n, ranked[0]) && tells(ranked[0], n));
}

/** The possible meanings of a player's words under a code, or under any. `found` lists at most five disputes that can arise,
 * best first, then those of the five best that cannot (`absent`); each has `id`, `label`, `meaning` and `facts`;
 * `second` marks another act, which part of the words describes.
 * `topics` are topics that may answer the question. `asked` says that the words are more likely a question about the rules
 * than a dispute, and `fits` that the result is good enough. */
export function sought(data, words, code) {
  const texts = textsOf(words, data, code);
  const said = new Map(texts.flatMap((text) => [...tale(text, data)]).filter(([feature]) => Object.hasOwn(data.postings, feature)));
  const sums = scores(said.keys(), data).slice(0, data.norm.length);
  const silent = own(data.silent, code) ?? [], rank = (n) => sums[n] - (silent.includes(n) ? data.close : 0);
  const order = said.size ? [...sums.slice(0, -1).keys()].sort((a, b) => rank(b) - rank(a) || a - b) : [];
  const absent = new Set(own(data.absent, code) ?? []);
  const without = [...data.stop, ...data.faint];
  const every = plain(words, data).flatMap((s) => told(s, data, without));
  const strange = every.filter(([word]) => !said.has(lookedUp(word, data))).length; // or misspelt
  const known = every.length > 0 && 2 * every.filter(([, short]) => !said.has(short)).length <= every.length;
  const dispute = (n) => data.docs[n][0] === "dispute";
  const until = Math.max(0, order.findIndex(dispute));
  const topics = order.slice(0, Math.max(until, AMONG)).filter((n) => !dispute(n)).slice(0, TOPICS);
  const matters = every.filter(([word]) => word !== "adefinition"); // which stands for "what is a"
  const asked = until > 0 || (matters.length === 1 && topics.length > 0); // one word names no event
  const close = (n) => !asked || (!absent.has(n) && sums[n] + data.close > sums[order[0]]); // it may be a dispute that fits about as well
  const ranked = known ? order.filter((n) => dispute(n) && close(n)) : [];
  const can = ranked.filter((n) => !absent.has(n)), second = seconds(texts.at(-1), can.slice(0, SECOND), data);
  const listed = [...[...new Set([...can.slice(0, 1), ...second, ...can])].slice(0, FIRST), ...ranked.slice(0, FIRST).filter((n) => absent.has(n))];
  return {
    found: listed.map((n) => {
      const [, id, label, meaning] = data.docs[n];
      return { id, label, meaning, facts: facts(texts, data.docs[n], data), second: second.includes(n), absent: absent.has(n) };
    }),
    topics: topics.map((n) => ({ id: data.docs[n][1], label: data.docs[n][2] })),
    asked,
    fits: known && data.strange * (strange - 1) <= every.length && Math.max(...sums.slice(0, -1)) > sums.at(-1) && standsOut(said, data),
  };
}

/** The URL of the page of a dispute relative to the site's root, with the code, the facts found in the words, and the words. */
export function pageOf({ id, facts: given }, code, words) {
  const asked = [...(code ? [["code", code]] : []), ...given.map(({ fact, value }) => [fact, value])];
  if (given.length) asked.push(["told", given.map(({ fact }) => fact).join(" ")]);
  if (words) asked.push(["said", words]);
  return `disputes/${id}/${asked.length ? `?${new URLSearchParams(asked)}` : ""}`;
}

// --- laws and other documents

// The code that a text names, if it consists of nothing else; null otherwise.
function codeNamed(text, data) {
  const words = wordsOf(text).filter((word) => !data.passed.includes(word));
  const counts = data.codes.map(([, , , , , called]) => words.reduce((sum, word) => sum + (own(called, word) ?? -9), 0));
  const most = Math.max(...counts);
  return most > 0 && counts.indexOf(most) === counts.lastIndexOf(most) ? counts.indexOf(most) : null;
}

// A query without the words that ask for what only one code has, the code, and whether it asks for that.
function only(question, data) {
  const found = question.match(new RegExp(data.only, "i"));
  const code = found?.[1] ? codeNamed(found[1], data) : null;
  if (!found || (found[1] && code === null)) return [question, null, false];
  return [question.slice(0, found.index) + question.slice(found.index + found[0].length), code, true];
}

// The documents that a query names: those whose title contains all of its words, or a code if it asks who made it. Those whose
// title has no other words come first.
function named(question, undated, timed, made, dated, order, data) {
  if (made) {
    const pages = (dated.length ? dated : data.codes).map(([id]) => `codes/${id}/`);
    return order.filter((n) => pages.includes(data.docs[n][1]));
  }
  const split = (text) => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !data.passed.includes(word));
  const ofWord = timed || new RegExp(data.means, "i").test(question), asked = split(question);
  const ofTerm = split(undated).filter((word) => !data.codes.some((code) => code[4] === word)), meant = own(data.say, ofTerm.join(" "))?.join(" ");
  const whole = (n) => split(data.docs[n][2]).every((word) => asked.includes(word)); // the title has no other words
  return order.filter((n) => {
    const [kind, , name] = data.docs[n], title = split(name);
    if (kind === "term" && title.join(" ") === meant) return true;
    const fits = kind === "topic" ? title.length === 1 || asked.length > 1 : ["code", "page", ofWord && "term"].includes(kind);
    const said = kind === "term" ? ofTerm : asked;
    return fits && said.length && said.every((word) => title.some((w) => w.startsWith(word)));
  }).sort((a, b) => whole(b) - whole(a));
}

/** The documents other than disputes that match a query: their indices, best first (`order`), and whether the query names one or
 * a law covers more than half of its words (`sure`). Those that it names come first of all. Of laws that state the same rule,
 * only the best is included. Without the name of a code in the query, the laws of `code` precede others, unless it asks for a history. */
export function answers(data, asked, code) {
  const made = new RegExp(data.made, "i").test(asked), timed = !made && new RegExp(data.timed, "i").test(asked);
  const timeless = timed ? asked.replace(new RegExp(data.time_words, "gi"), " ") : asked;
  const [question, onlyIn, alone] = only(timeless, data);
  const words = wordsOf(question), meant = data.codes.filter((c) => words.includes(c[4]) || words.some((w) => own(c[5], w) > 2));
  const called = meant.filter((c) => words.some((word) => word > "a" && own(c[5], word)));
  const dated = called.length ? called : meant.length || timed ? meant : data.codes.filter(([id]) => id === code);
  const rest = called.reduce((text, [, , , , year, names]) => {
    const all = Object.keys(names), name = all.join("|");
    const alone = all.filter((w) => names[w] > 2).map((w) => `|\\b${w}\\b`).join("");
    return text.replace(new RegExp(`\\b(${name}) ((of|in) )?${year}\\b|\\b${year} (${name})\\b${alone}`, "gi"), " ");
  }, question);
  const asks = query(made ? question : rest, data), features = asks.size ? asks : query(question, data);
  const parts = [], ranks = alone && !features.size ? data.docs.map(() => 1) : scores(features, data, parts);
  const padded = (text) => ` ${wordsOf(text).join(" ")} `;
  const quoted = Array.from(question.matchAll(/["“]([^"”]+)["”]/g), ([, phrase]) => padded(phrase));
  const amount = AMOUNTS.test(question.toLowerCase());
  const share = ([kind, , , , ...law]) => {
    if (kind !== "law") return alone || (kind === "rule" && timeless === asked) ? 0 : data.weights[kind];
    const [code, weight, option, figures, single] = law;
    if (alone && !(single && [null, code].includes(onlyIn))) return 0;
    const fits = !option || option.split("-").some((w) => features.has(`=${lookedUp(w, data)}`));
    const beside = dated.includes(data.codes[code]) ? 1 : !dated.length ? (data.codes[code][3] && onlyIn === null ? ANCESTOR : 1)
      : dated.some(([, , base]) => base === data.codes[code][0]) ? BASE : ELSEWHERE;
    return (weight / 100) * (fits ? 1 : OPTIONAL) * beside * (amount && figures ? AMOUNT : 1);
  };
  const fits = ([, , title, text]) => quoted.every((phrase) => padded(`${title} . ${text}`).includes(phrase));
  const worth = data.docs.map((doc, n) => (n < data.norm.length || !fits(doc) ? 0 : ranks[n] * share(doc)));
  if (timeless !== asked) { // the rank of a rule includes that of its best law, and of a topic that of its best law without a rule
    const [rule, topic] = ["rule", "topic"].map((kind) => data.docs.findIndex((doc) => doc[0] === kind)), best = new Map();
    data.docs.forEach(([kind, , , , , , , , , rules, , about], n) => {
      const places = kind !== "law" ? [] : rules.length ? rules.map((place) => rule + place) : [topic + about];
      for (const place of places) best.set(place, Math.max(best.get(place) ?? 0, worth[n]));
    });
    for (const [place, rank] of best) worth[place] += LAWS * rank;
    const numbers = wordsOf(asked).filter((word) => word < "a" && !data.codes.some((code) => code[4] === word));
    data.docs.forEach(([kind, , , text], n) => {
      if (kind === "rule" && !numbers.every((number) => wordsOf(text).includes(number))) worth[n] *= WITHOUT;
    });
  }
  const ranked = worth.map((rank, n) => [n, rank]).filter(([, rank]) => rank > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([n]) => n);
  const taken = new Set();
  const order = ranked.filter((n) => {
    const rules = data.docs[n][9] ?? [], again = rules.some((rule) => taken.has(rule));
    if (!again) rules.forEach((rule) => taken.add(rule));
    return !again;
  });
  const first = alone ? [] : named(timeless, rest, timeless !== asked, made, dated, order, data);
  const all = [...features].filter((by) => by[0] === "="), known = all.filter((by) => Object.hasOwn(data.postings, by)).length / all.length;
  const sure = alone || first.length > 0 || order.some((n) => data.docs[n][0] === "law" && parts[n] * known > FITS);
  return { order: [...new Set([...first, ...order])], sure };
}

/** The indices of the provisions that a query cites (`1912 law 84b`, `decision 9`), those of the base if a code takes them over; empty if it is not a citation. */
export function cited(data, question) {
  const words = question.toLowerCase().replace(/(\d)([a-z])(?=\d|\b)/g, "$1 $2 ").match(/[a-z0-9]+/g) ?? [];
  const count = ([, , , , , called]) => words.reduce((sum, word) => sum + (own(called, word) ?? 0), 0);
  const most = Math.max(...data.codes.map(count));
  const meant = data.codes.map((code) => most === 0 || count(code) === most);
  const rest = words.filter((word) => !data.passed.includes(word) || word.length === 1)
    .filter((word) => !data.codes.some((code, n) => meant[n] && own(code[5], word)));
  const local = rest.join(".");
  const laws = (of) => (/\d/.test(local) ? data.docs : []).flatMap(([kind, where, , , code], n) =>
    (kind === "law" && of[code] && `${where}.`.includes(`:${local}.`) ? [n] : []));
  const found = laws(meant);
  return found.length ? found : laws(data.codes.map(([id]) => data.codes.some(([, keeps, base], n) => meant[n] && keeps && base === id)));
}
