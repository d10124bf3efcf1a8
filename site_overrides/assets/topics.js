// A topic's cards: choose two codes, and they stand alone side by side with the words that differ marked. Which words
// these are, and what is told of the two, Python has written (.topic-marks, as `site/marks.py` says).
import { hash, show } from "./page.js";

function choose(law) {
  const form = law.querySelector(".topic-choose");
  const { one, other } = form.elements;
  const told = law.querySelector(".topic-told");
  const { pairs, rows } = JSON.parse(law.querySelector(".topic-marks").textContent);
  const named = [...law.querySelectorAll("[data-codes]")];
  const cards = named.filter((e) => e.classList.contains("topic-card"));
  const cells = cards.map((card) => [...card.querySelectorAll(".topic-cell")]);
  const words = new Map(
    [...law.querySelectorAll(".topic-text")].map((p) => [p, p.textContent.trim().split(/\s+/)])
  );
  const chosen = (element) =>
    element.dataset.codes.split(" ").some((code) => code === one.value || code === other.value);

  /** Show the words of a cell with the marks, which go through its provisions one after another. */
  const mark = (cell, marks, tag) => {
    let first = 0;
    for (const paragraph of cell.querySelectorAll(".topic-text")) {
      show(paragraph, words.get(paragraph), marks, tag, first);
      first += words.get(paragraph).length;
    }
    cell.classList.toggle("topic-whole", marks.length === 1 && marks[0][1] - marks[0][0] === first);
  };

  const draw = () => {
    const pair = pairs[`${one.value}~${other.value}`]; // none where no two codes are chosen
    const places = pair?.cards ?? [...cards.keys()];
    const found = pair && rows[pair.rows];
    for (const element of named) element.hidden = Boolean(pair) && !chosen(element);
    law.classList.toggle("topic-two", Boolean(found));
    law.style.setProperty("--cards", places.length);
    for (const [column, place] of places.entries()) cards[place].style.setProperty("--c", column + 1);
    for (const [i, band] of law.querySelectorAll(".topic-band").entries()) {
      const marks = found?.[i]; // 0 where neither has anything, another number where nothing differs
      for (const element of [band, ...cells.map((own) => own[i])]) element.hidden = marks === 0;
      for (const own of cells) mark(own[i], [], "");
      // the dashed mark is of the code chosen first, wherever it stands
      const tag = (place) => (place === pair.first ? "del" : "ins");
      if (marks?.length) places.forEach((place, n) => mark(cells[place][i], marks[n], tag(place)));
    }
    const again = one.value && one.value === other.value;
    told.innerHTML = pair?.said ?? (again ? "Choose two codes." : "");
    return pair;
  };

  /** The choice stands in the address of the page, so that it can be shared: #bridge-elwell~auction-1926. */
  const changed = () => {
    const address = draw() ? `#${one.value}~${other.value}` : location.pathname + location.search;
    history.replaceState(null, "", address);
  };
  const fromAddress = () => {
    const found = hash().split("~");
    if (found.length !== 2) return;
    [one.value, other.value] = found;
    draw();
    if (law.classList.contains("topic-two")) law.scrollIntoView();
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", changed);
  form.addEventListener("reset", () => setTimeout(changed));
  addEventListener("hashchange", fromAddress);
  fromAddress();
}

const law = document.querySelector(".topic-law:has(.topic-marks)");
if (law) choose(law);
