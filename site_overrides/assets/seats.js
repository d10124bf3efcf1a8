// Finds out who sits where in a description, and so who did what, as book/seats.py does.
import { factWords, lookedUp } from "./search.js";

const [ROUND, MOST, GAP, APART] = [4, 12, 8, 3]; // as in book/seats.py
const every = [...Array(ROUND).keys()];
const turned = (places) => [...new Set(places.map((n) => ((n % ROUND) + ROUND) % ROUND))];
const common = (one, other) => one.filter((n) => other.includes(n));

/** The persons of a description, and how many places apart they can sit. A seat is so many places to the left of somebody's: `{ of, left }`. */
export function table(text, data, dealerDeclares) {
  const apart = new Map(), names = new Set(["i", "declarer", "dealer"]);
  const speaks = /\b(?:i|me|my|we|us|our)\b/.test(text.toLowerCase()), us = { of: speaks ? "i" : "declarer", left: 0 };
  let he = { of: "he", left: 0 }, last = { of: "i", left: 0 };

  const between = (a, b) => apart.get(`${a} ${b}`) ?? (a === b ? [0] : every);
  const narrow = (a, b, can) => { const both = common(between(a, b), can); apart.set(`${a} ${b}`, both.length ? both : between(a, b)); };
  function link(a, b, places) {
    names.add(a.of).add(b.of);
    const far = turned(places.map((n) => a.left + n - b.left));
    narrow(a.of, b.of, far);
    narrow(b.of, a.of, turned(far.map((n) => -n)));
  }
  const places = (a, b) => turned(between(a.of, b.of).map((n) => n + b.left - a.left));
  const newSeat = () => ({ of: `new${Math.min(names.size, MOST)}`, left: 0 });

  function seat(name) {
    const [base, ...steps] = name.split(".");
    const crowd = base === "new" || (!names.has(base) && names.size >= MOST);
    const meant = new Map([["he", he], ["next", { of: last.of, left: last.left + 1 }], ["us", us]]);
    let start = meant.get(base) ?? (crowd ? newSeat() : { of: base, left: 0 });
    if (base === "he" && steps.join() === "2" && us.of === "i") link({ of: "i", left: 0 }, start, [1, 3]);
    for (const step of steps) {
      if (step === "odd") { const of = start; start = newSeat(); link(of, start, [1, 3]); } else start = { of: start.of, left: (start.left + Number(step)) % ROUND };
    }
    names.add(start.of);
    return start;
  }

  function* tokens(words) {
    let before = "";
    for (const [i, word] of words.entries()) {
      if ("@~".includes(word[0])) {
        const one = seat(word.slice(1)), acts = word[0] === "@" && !data.passive.includes(before);
        const fell = words[i + 1] === "acard" && (!before || data.clause.includes(before));
        if ((one.of !== "i" || one.left) && (acts || he.of === "he")) he = one;
        if (acts) last = one;
        yield { word: `${word[0]}${one.of}.${one.left}`, seat: one, acts: acts || fell };
      } else if (!data.fillers.includes(word)) yield { word, acts: false };
      before = word;
    }
  }

  const denied = (some) => some.some(({ word }) => data.unlike.includes(word));
  const fits = ({ word }, asked) => (["whom", "whose"].includes(asked) ? word[0] === "@" || (asked === "whose" && word[0] === "~") : word === asked);

  function said(sentence, way, at) {
    const distant = way[0] === "who", found = [];
    let end = at;
    for (const word of distant ? way.slice(1) : way) {
      const apart = distant && found.length && !data.closeBy.includes(found.at(-1).word);
      const far = Math.min(sentence.length, end + 1 + (apart ? APART : 0));
      let here = end;
      while (here < far && !fits(sentence[here], word)) here++;
      if (here >= far || denied(sentence.slice(end, here))) return null;
      found.push(sentence[here]);
      end = here + 1;
    }
    if (!distant) return denied(sentence.slice(Math.max(0, at - APART), at)) ? null : found.find((_, i) => ["whom", "whose"].includes(way[i]))?.seat ?? null;
    let who = at - 1;
    while (who >= Math.max(0, at - GAP) && !sentence[who].acts) who--;
    if (who < Math.max(0, at - GAP) || denied(sentence.slice(who + 1, at))) return null;
    return data.unless.includes(sentence[who - 1]?.word) ? null : sentence[who].seat;
  }

  const sentences = factWords(titled(text, data), data, data.persons).map((words) => [...tokens(words)]);

  // Each player of whom a sentence after a place says something in one of these ways, with the place.
  const there = (sentence, way) => way.every((word) => ["who", "whom", "whose"].includes(word) || sentence.some((token) => token.word === word));
  const told = (ways, [n0, at0] = [0, -1]) => sentences.flatMap((sentence, n) => ways.filter((way) => there(sentence, way)).flatMap((way) => {
    const places = [...Array(Math.max(0, sentence.length - way.length + 1 + (way[0] === "who"))).keys()];
    return places.filter((at) => n > n0 || (n === n0 && at > at0)).map((at) => ({ seat: said(sentence, way, at), at: [n, at] })).filter((one) => one.seat);
  }));
  // The player of whom the first of these ways that occurs says something; of several the first if `any`, else none.
  function one(any, ways) {
    for (const way of ways) {
      const [first, ...others] = told([way]);
      if (first) return any || others.every((other) => places(first.seat, other.seat).join() === "0") ? first : null;
    }
    return null;
  }

  if (dealerDeclares) link({ of: "dealer", left: 0 }, { of: "declarer", left: 0 }, [0]);
  for (const [of, ...rest] of data.seated) for (const { seat: found } of told(rest.at(-1))) link({ of, left: 0 }, found, rest.slice(0, -1));
  const follow = () => { // what follows about any two persons from what is known of each and a third
    for (const k of names) for (const a of names) for (const b of names) narrow(a, b, turned(between(a, k).flatMap((x) => between(k, b).map((y) => x + y))));
  };
  follow();
  for (const sentence of sentences) { // who is named twice: `my partner, who was dealer`
    let before = null;
    for (const token of sentence) {
      if (token.acts && token.word[0] === "@") { if (before && places(before, token.seat).includes(0)) link(before, token.seat, [0]); before = token.seat; } else if (!data.same.includes(token.word)) before = null;
    }
  }
  const acting = sentences.flat().filter(({ acts }) => acts).map((token) => token.seat);
  for (const name of new Set(speaks ? acting.map(({ of }) => of) : [])) { // those whom the speaker does not call his partner are opponents
    const odd = new Set(acting.filter(({ of }) => of === name).map(({ left }) => left % 2));
    if (odd.size === 1 && between("i", name).length === ROUND) link({ of: "i", left: 0 }, { of: name, left: [...odd][0] }, [1, 3]);
  }
  follow();
  return { told, one, places };
}

// A text with a title before each name: a word with a capital that is no other word.
function titled(text, data) {
  const all = (pattern) => [...text.matchAll(new RegExp(pattern, "g"))];
  const begin = all(data.begin).map((m) => m.index + m[0].length);
  const inner = all(data.person).filter((m) => !begin.includes(m.index + m[0].length - m[2].length)).map((m) => m[2]);
  return text.replaceAll(new RegExp(data.person, "g"), (whole, title, name) => {
    const word = name.toLowerCase(), known = data.stop.includes(word) || data.faint.includes(word) || Object.hasOwn(data.postings, lookedUp(word, data));
    return (data.capital.includes(word) || (known && !inner.includes(name))) && !title ? whole : `mr ${name}`;
  });
}
