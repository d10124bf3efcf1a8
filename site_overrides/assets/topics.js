// A topic's cards: choose two codes, and they stand alone side by side with the words that differ marked.
"use strict";

(() => {
  const law = document.querySelector(".topic-law");
  const form = law?.querySelector(".topic-choose");
  if (!form) return;
  const { one, other } = form.elements;
  const told = law.querySelector(".topic-told");
  const named = [...law.querySelectorAll("[data-codes]")];
  const cards = named.filter((e) => e.classList.contains("topic-card"));
  const bands = [...law.querySelectorAll(".topic-band")];
  const texts = new Map([...law.querySelectorAll(".topic-text")].map((p) => [p, p.textContent]));
  const holds = (element, code) => element.dataset.codes.split(" ").includes(code);
  const short = (code) => one.querySelector(`option[value="${code}"]`).textContent;

  const clear = () => {
    law.classList.remove("topic-two");
    for (const element of [...named, ...bands, ...law.querySelectorAll(".topic-cell")]) element.hidden = false;
    for (const [i, card] of cards.entries()) card.style.setProperty("--c", i + 1);
    law.style.setProperty("--cards", cards.length);
    for (const [paragraph, text] of texts) paragraph.textContent = text;
    for (const cell of law.querySelectorAll(".topic-whole")) cell.classList.remove("topic-whole");
    told.replaceChildren();
  };

  /** Mark the words of a cell: its runs go through its provisions one after another. */
  const mark = (cell, runs, tag) => {
    const words = runs.flatMap(([differs, run]) => run.split(" ").map((word) => [differs, word]));
    cell.classList.toggle("topic-whole", runs.length === 1 && runs[0][0]);
    for (const paragraph of cell.querySelectorAll(".topic-text")) {
      const own = words.splice(0, texts.get(paragraph).trim().split(/\s+/).length);
      paragraph.replaceChildren();
      while (own.length) {
        const differs = own[0][0];
        let end = own.findIndex(([d]) => d !== differs);
        if (end < 0) end = own.length;
        const run = own.splice(0, end).map(([, word]) => word).join(" ");
        const made = differs ? Object.assign(document.createElement(tag), { textContent: run }) : document.createTextNode(run);
        paragraph.append(made, own.length ? " " : "");
      }
    }
  };

  /** The text of a cell, all its provisions as one; nothing where it has none. */
  const said = (cell) => [...cell.querySelectorAll(".topic-text")].map((p) => texts.get(p)).join(" ");

  const key = (wholly, same) => {
    const part = (tag, word, code) => [Object.assign(document.createElement(tag), { textContent: word }), ` only in ${short(code)}`];
    told.replaceChildren(...part("del", "dashed", one.value), "; ", ...part("ins", "solid", other.value));
    if (wholly) told.append("; an edge alone: hardly a word alike");
    if (same) told.append(`. The same in both: ${same === 1 ? "one rule" : same + " rules"}`);
    told.append(". ");
    const pair = [one, other].sort((a, b) => a.selectedIndex - b.selectedIndex).map((s) => s.value);
    const link = document.querySelector(`.topic-pairs a[href*="/${pair.join("--")}/"]`);
    if (link) told.append(Object.assign(document.createElement("a"), { href: link.href, textContent: "The page of the two" }));
  };

  const show = () => {
    clear();
    if (!one.value || !other.value || one.value === other.value) {
      if (one.value && one.value === other.value) told.textContent = "Choose two codes.";
      return;
    }
    const chosen = [one.value, other.value];
    for (const element of named) element.hidden = !chosen.some((code) => holds(element, code));
    const sides = chosen.map((code) => cards.find((card) => holds(card, code)));
    if (sides[0] && sides[0] === sides[1]) {
      law.style.setProperty("--cards", 1);
      sides[0].style.setProperty("--c", 1);
      told.textContent = `${short(chosen[0])} and ${short(chosen[1])} have one and the same law on this.`;
      return;
    }
    const there = sides.filter(Boolean).sort((a, b) => cards.indexOf(a) - cards.indexOf(b));
    for (const [i, card] of there.entries()) card.style.setProperty("--c", i + 1);
    law.style.setProperty("--cards", there.length);
    law.classList.add("topic-two");
    const cells = there.map((card) => [...card.querySelectorAll(".topic-cell")]);
    let wholly = false;
    let same = 0;
    for (const [i, band] of bands.entries()) {
      const row = cells.map((found) => found[i]);
      const words = row.map(said);
      band.hidden = words.every((w) => !w);
      for (const cell of row) cell.hidden = band.hidden;
      if (words.length < 2 || !words[0] || !words[1]) continue;
      if (words[0] === words[1]) {
        same += 1;
        continue;
      }
      // the dashed mark is of the code chosen first, wherever it stands
      const runs = globalThis.wordDiff(...words);
      wholly ||= runs[0].length === 1 && runs[0][0][0];
      row.forEach((cell, side) => mark(cell, runs[side], there[side] === sides[0] ? "del" : "ins"));
    }
    if (there.length === 2) key(wholly, same);
    else told.textContent = there.length ? "Only one of the two has law on this." : "Neither has law on this.";
  };

  /** The choice stands in the address of the page, so that it can be shared: #bridge-elwell~auction-1926. */
  const keep = () => {
    const words = one.value && other.value && one.value !== other.value ? `#${one.value}~${other.value}` : " ";
    history.replaceState(null, "", words.trim() || location.pathname + location.search);
  };

  /** What stands after the # of the page's address; as it is where it cannot be decoded (#50%). */
  const hash = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return location.hash.slice(1);
    }
  };

  const fromAddress = () => {
    const found = hash().split("~");
    if (found.length !== 2) return;
    [one.value, other.value] = found;
    show();
    if (law.classList.contains("topic-two")) law.scrollIntoView();
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => { show(); keep(); });
  form.addEventListener("reset", () => setTimeout(() => { show(); keep(); }));
  addEventListener("hashchange", fromAddress);
  fromAddress();
})();
