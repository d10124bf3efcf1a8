// The finder of disputes: which irregularity a player's words mean, as `oddtrick ruling` finds it. It sums the table
// that Python made of the tellings (finder.json, from rulings/finder.py; there it is said what stands for what), which
// is fetched when something is first sought. All weights are whole numbers, so that both rank alike to the last place.
//
//   import { find } from "./finder.js";
//   const { found, topics, fits } = await find("he revoked", "royalton-1915");
//
// `found`: at most five that can arise, best first, then those among the best that cannot (`absent`), each with `id`,
// `label`, `meaning`, `why` (words of the player), `facts` ({fact, value, words}), `absent`. `topics`: {id, label} that
// may answer it; `asked`: it is rather a question than a dispute. `fits`: whether anything does. The code may be left out.
import { json } from "./page.js";

const load = json(new URL("finder.json", import.meta.url));
const [FIRST, TOPICS, AMONG, WHY, PART] = [5, 4, 3, 4, 4];

/** Fetch the table now: for a field that is about to be used. */
export const ready = () => load().then((data) => data, () => null);

const plain = (text, data) => data.plain
  .reduce((all, [pattern, put]) => all.replaceAll(new RegExp(pattern, "g"), put), text.toLowerCase())
  .split(new RegExp(data.sentence)).filter((sentence) => sentence.trim());

const stem = (word, data) => {
  const [ending, put] = data.endings.find(([end]) => word.endsWith(end) && word.length - end.length >= data.stem) ?? ["", ""];
  const short = word.slice(0, word.length - ending.length) + put;
  return short.length > data.stem && short.at(-1) === short.at(-2) ? short.slice(0, -1) : short;
};
const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);
const lookedUp = (word, data) => own(data.forms, word) ?? own(data.forms, stem(word, data)) ?? stem(word, data);

const told = (sentence, data, stop) => sentence.split(/\s+/).filter((word) => word && !stop.includes(word))
  .map((word) => [word, lookedUp(word, data)]).filter(([, short]) => short.length > 1 || /^\d$/.test(short));

// What a telling says that has a weight, each with the words that say it.
function features(text, data) {
  const said = new Map();
  const say = (feature, ...words) => {
    if (Object.hasOwn(data.weights, feature) && !said.has(feature)) said.set(feature, words);
  };
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

function sums(said, data) {
  let length = 0;
  const found = data.norm.map(() => 0);
  for (const feature of said.keys()) {
    const [weight, ...on] = data.weights[feature];
    length += weight;
    for (let i = 0; i < on.length; i += 2) found[on[i]] += weight * on[i + 1] * data.fine;
  }
  return found.map((sum, n) => sum - (length - data.prior) * data.norm[n]);
}

// The words that speak most for one, in the order in which they are said; not faint ones, nor those that are put for a card
// or a bid.
function why(place, said, data) {
  const without = [...data.put, ...data.faint];
  const share = new Map();
  for (const [feature, words] of said) {
    const [weight, ...on] = data.weights[feature];
    for (let i = 0; i < on.length; i += 2) {
      if (on[i] !== place) continue;
      for (const word of words.filter((w) => !without.includes(w))) share.set(word, (share.get(word) ?? 0) + weight * on[i + 1]);
    }
  }
  const best = [...share].sort((a, b) => b[1] - a[1]).slice(0, WHY);
  const named = best.filter(([, much]) => PART * much >= best[0][1]).map(([word]) => word);
  return [...share.keys()].filter((word) => named.includes(word));
}

// What the words tell of its facts: nothing where they tell two answers.
function facts(text, item, data) {
  const [of, joined] = data.of;
  const said = plain(text, data).map((s) => ` ${told(s, data, []).map(([, short]) => short).join(" ")} `.replaceAll(new RegExp(of, "g"), joined));
  return Object.entries(item.facts).flatMap(([fact, values]) => {
    const answers = data.cues.filter((cue) => cue.fact === fact && values.includes(cue.value)
      && (cue.of ?? [item.id]).includes(item.id) && cue.said.some((all) => all.every((by) => said.some((s) => s.includes(by)))));
    const [first] = answers;
    return first && answers.every(({ value }) => value === first.value) ? [{ fact, value: first.value, words: first.words }] : [];
  });
}

// Whether of the words that say more than little half are known.
const known = (every, said) => every.length > 0 && 2 * every.filter((short) => said.has(short)).length >= every.length;

// Whether what answers best is of the game, and few words are strange to it. The last sum is of all other matters.
function fits(every, said, sum, data) {
  const strange = every.filter((short) => !said.has(short)).length;
  return data.strange * (strange - 1) <= every.length && known(every, said) && Math.max(...sum.slice(0, -1)) > sum.at(-1);
}

/** What words may mean under a code, or under any. */
export const find = async (words, code) => sought(await load(), words, code);

/** The page of what was found, below the site's root: with the code and the facts that the words told. */
export function pageOf({ id, facts: given }, code) {
  const asked = [...(code ? [["code", code]] : []), ...given.map(({ fact, value }) => [fact, value])];
  if (given.length) asked.push(["told", given.map(({ fact }) => fact).join(" ")]);
  return `disputes/${id}/${asked.length ? `?${new URLSearchParams(asked)}` : ""}`;
}

/** The same from the table itself (`ready`). */
export function sought(data, words, code) {
  const said = features(words, data);
  const sum = sums(said, data);
  const count = data.disputes.length;
  const order = said.size ? [...sum.slice(0, -1).keys()].sort((a, b) => sum[b] - sum[a] || a - b) : [];
  const absent = new Set(own(data.absent, code) ?? []);
  const without = [...data.stop, ...data.faint];
  const every = plain(words, data).flatMap((s) => told(s, data, without)).map(([, short]) => short);
  const ranked = known(every, said) ? order.filter((n) => n < count) : [];
  const first = ranked.filter((n) => !absent.has(n)).slice(0, FIRST);
  const never = ranked.slice(0, FIRST).filter((n) => absent.has(n));
  const until = Math.max(0, order.findIndex((n) => n < count));
  return {
    found: [...first, ...never].map((n) => {
      const { id, label, meaning } = data.disputes[n];
      return { id, label, meaning, why: why(n, said, data), facts: facts(words, data.disputes[n], data), absent: absent.has(n) };
    }),
    topics: order.slice(0, Math.max(until, AMONG)).filter((n) => n >= count).slice(0, TOPICS).map((n) => data.topics[n - count]),
    asked: until > 0,
    fits: fits(every, said, sum, data),
  };
}
