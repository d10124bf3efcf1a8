// Two texts matched word by word, as comparing.marked does it for the prebuilt comparisons.
"use strict";

/** Both texts as runs [differs, words]: `wordDiff("a b", "a c")` is [[[false, "a"], [true, "b"]], [[false, "a"], [true, "c"]]]. */
globalThis.wordDiff = (() => {
  const key = (word) => word.replace(/^[,.;:]+|[,.;:]+$/g, "").toLowerCase() || word;

  /** The blocks of words alike, [at, at, length]: the longest first found, then what is before and after it. */
  const blocks = (a, b, fromA = 0, toA = a.length, fromB = 0, toB = b.length) => {
    let best = [fromA, fromB, 0];
    let row = new Map();
    for (let i = fromA; i < toA; i++) {
      const next = new Map();
      for (let j = fromB; j < toB; j++) {
        if (a[i] !== b[j]) continue;
        const length = (row.get(j - 1) ?? 0) + 1;
        next.set(j, length);
        if (length > best[2]) best = [i - length + 1, j - length + 1, length];
      }
      row = next;
    }
    const [i, j, n] = best;
    return n ? [...blocks(a, b, fromA, i, fromB, j), best, ...blocks(a, b, i + n, toA, j + n, toB)] : [];
  };

  const joined = (found) => {
    const made = [];
    for (const [a, b, n] of found) {
      const last = made.at(-1);
      if (last && last[0] + last[2] === a && last[1] + last[2] === b) last[2] += n;
      else made.push([a, b, n]);
    }
    return made;
  };

  return (left, right) => {
    const texts = [left.trim().split(/\s+/), right.trim().split(/\s+/)];
    const [a, b] = texts.map((words) => words.map(key));
    const found = joined(blocks(a, b));
    // one or two words alike between words that differ are alike by chance
    const kept = found.filter(([i, j, n], k) => {
      const before = found[k - 1] ?? [0, 0, 0];
      const after = found[k + 1];
      return (
        n > 2 || (i === 0 && j === 0) || (i + n === a.length && j + n === b.length) ||
        before[0] + before[2] === i || before[1] + before[2] === j || (after && (i + n === after[0] || j + n === after[1]))
      );
    });
    // hardly a word alike: both differ as wholes
    if (4 * kept.reduce((sum, block) => sum + block[2], 0) < Math.min(a.length, b.length)) return texts.map((words) => [[true, words.join(" ")]]);
    return texts.map((words, side) => {
      const runs = [];
      let at = 0;
      for (const block of [...kept, [a.length, b.length, 0]]) {
        if (block[side] > at) runs.push([true, words.slice(at, block[side]).join(" ")]);
        if (block[2]) runs.push([false, words.slice(block[side], block[side] + block[2]).join(" ")]);
        at = block[side] + block[2];
      }
      return runs;
    });
  };
})();
