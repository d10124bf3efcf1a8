// The cards of a topic: if the reader chooses two codes, only their cards are shown, with the differing words marked. Python
// computed the marks (.topic-marks; see `site/marks.py`).
import { hash, made, show } from "./page.js";

function choose(law) {
  const form = law.querySelector(".topic-choose");
  const { one, other } = form.elements;
  const told = law.querySelector(".topic-told");
  const marks = JSON.parse(law.querySelector(".topic-marks").textContent);
  const named = [...law.querySelectorAll("[data-codes]")];
  const cards = named.filter((e) => e.classList.contains("topic-card"));
  const cells = cards.map((card) => [...card.querySelectorAll(".topic-cell")]);
  const bands = [...law.querySelectorAll(".topic-band")];
  const words = new Map([...law.querySelectorAll(".topic-text")].map((p) => [p, p.textContent.trim().split(/\s+/)]));
  const has = (element, code) => element.dataset.codes.split(" ").includes(code);

  /** Mark words in a cell; positions count through all provisions of the cell. */
  const mark = (cell, places, tag) => {
    let first = 0;
    for (const paragraph of cell.querySelectorAll(".topic-text")) {
      show(paragraph, words.get(paragraph), places, tag, first);
      first += words.get(paragraph).length;
    }
    cell.classList.toggle("topic-whole", places.length === 1 && places[0][1] - places[0][0] === first);
  };

  /** A note that explains the marks on the cards of the two codes, as nodes. */
  const meaning = (shown, rows) => {
    if (one.value && one.value === other.value) return ["Choose two codes."];
    if (!one.value || !other.value) return [];
    const [a, b] = [one, other].map((list) => list.selectedOptions[0].text);
    if (shown.length === 1 && [one, other].every((list) => has(cards[shown[0]], list.value))) return [`${a} and ${b} have one and the same law on this.`];
    if (shown.length < 2) return [`${shown.length ? "Only one of the two" : "Neither"} has law on this.`];
    const same = rows.filter((row) => row?.length === 0).length;
    const links = [`${one.value}--${other.value}`, `${other.value}--${one.value}`].map((pair) => document.querySelector(`.topic-pairs a[href*="/${pair}/"]`));
    return [made("del", {}, "dashed"), ` only in ${a}; `, made("ins", {}, "solid"), ` only in ${b}`,
      law.querySelector(".topic-whole") ? "; an edge alone: hardly a word in common" : "",
      same ? `. The same in both: ${same === 1 ? "one rule" : `${same} rules`}` : "", ". ",
      made("a", { href: links.find(Boolean).href }, "The page of the two")];
  };

  const draw = () => {
    const two = one.value && other.value && one.value !== other.value;
    const chosen = (element) => !two || has(element, one.value) || has(element, other.value);
    for (const element of named) element.hidden = !chosen(element);
    const shown = [...cards.keys()].filter((place) => chosen(cards[place]));
    const rows = two && shown.length === 2 ? marks[shown.join("~")] : null;
    law.classList.toggle("topic-two", Boolean(rows));
    law.style.setProperty("--cards", shown.length);
    shown.forEach((place, column) => cards[place].style.setProperty("--c", column + 1));
    bands.forEach((band, i) => {
      const empty = two && shown.every((place) => !cells[place][i].querySelector(".topic-text"));
      for (const element of [band, ...cells.map((own) => own[i])]) element.hidden = empty;
      for (const own of cells) mark(own[i], [], "");
      // the code chosen first gets the dashed mark, whatever the order of the cards
      if (rows?.[i]?.length) shown.forEach((place, n) => mark(cells[place][i], rows[i][n], has(cards[place], one.value) ? "del" : "ins"));
    });
    told.replaceChildren(...meaning(shown, rows));
    return two;
  };

  /** Draw the choice, and store it in the URL of the page so that it can be shared: #bridge-elwell~auction-1926. */
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
