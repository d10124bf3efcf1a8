// Steps through the play of a deal. All data is in the page: the cards of the diagram (data-card), the table of tricks
// (data-seat, data-card, data-winner), and the caption after each card (data-said). Without this script, the table has the
// same information.
import { made } from "./page.js";

/** Add the deal player below the diagram, if the deal has a diagram and a table of tricks. */
export function player(deal) {
  const table = deal.querySelector("table.play");
  const diagram = deal.querySelector(".diagram");
  if (!table || !diagram) return;
  const tricks = [...table.tBodies[0].rows];
  const cards = tricks.flatMap((row, trick) => [...row.querySelectorAll("td[data-seat]")].map((cell, i, { length }) =>
    ({ ...cell.dataset, cell, trick, last: i === length - 1 })));
  const said = JSON.parse(table.dataset.said);
  const hands = [...diagram.querySelectorAll(".hand")];
  const slots = [...diagram.querySelectorAll(".slot")];
  const ends = [0, ...cards.flatMap((c, i) => (c.last ? [i + 1] : []))]; // number of cards played at the end of each trick
  let at = 0;

  const steps = {
    first: () => 0,
    "trick-back": () => ends.findLast((e) => e < at) ?? 0,
    "card-back": () => at - 1,
    "card-on": () => at + 1,
    "trick-on": () => ends.find((e) => e > at) ?? cards.length,
    last: () => cards.length,
  };
  const go = (to) => { at = Math.max(0, Math.min(cards.length, to)); show(); };
  diagram.after(deal.querySelector("template").content.cloneNode(true));
  const [now, count] = [".now", ".count"].map((name) => deal.querySelector(name));
  const buttons = [...deal.querySelectorAll(".steps button")];
  for (const button of buttons) button.addEventListener("click", () => go(steps[button.value]()));

  deal.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const unit = event.shiftKey ? "trick" : "card";
    const arrows = { Home: "first", ArrowLeft: `${unit}-back`, ArrowRight: `${unit}-on`, End: "last" };
    if (!Object.hasOwn(arrows, event.key)) return;
    event.preventDefault();
    go(steps[arrows[event.key]]());
  });

  // Draw the state after `at` cards: the cards left in the hands, the current trick, the tricks won.
  function show() {
    const played = cards.slice(0, at);
    const latest = played.at(-1);
    const trick = played.filter((c) => c.trick === latest.trick);
    const winner = latest?.last ? tricks[latest.trick].dataset.winner : "";
    const turn = cards[at]?.seat;
    const gone = new Set(played.map((c) => c.card));
    for (const hand of hands) {
      for (const card of hand.querySelectorAll("[data-card]")) card.hidden = gone.has(card.dataset.card);
      const left = Number(hand.dataset.size) - played.filter((c) => c.seat === hand.dataset.seat).length;
      const shown = hand.querySelectorAll("[data-card]:not([hidden]), .small").length;
      hand.querySelector(".left").textContent = left < shown ? `${left} of these` : ""; // some cards played are not recorded
      hand.classList.toggle("to-play", at > 0 && turn === hand.dataset.seat);
    }
    for (const slot of slots) {
      const { seat } = slot.dataset;
      const on = trick.find((c) => c.seat === seat);
      slot.classList.toggle("card", Boolean(on));
      slot.classList.toggle("won", Boolean(on) && winner === seat);
      slot.classList.toggle("to-play", turn === seat);
      slot.replaceChildren(...(on ? on.cell.firstElementChild.cloneNode(true).childNodes : [seat]));
    }
    tricks.forEach((row, i) => row.classList.toggle("current", latest?.trick === i));
    for (const card of cards) card.cell.classList.toggle("latest", card === latest);
    const found = [...(latest?.cell.querySelectorAll(".mark a") ?? [])]
      .map((mark) => document.querySelector(`${mark.getAttribute("href")} .message`).textContent);
    now.textContent = [said[at], ...found].join(" ");
    count.replaceChildren(...["ns", "ew"].map((side) => {
      const won = tricks.filter((row, i) => ends[i + 1] <= at
        && row.dataset.winner && side.includes(row.dataset.winner.toLowerCase()));
      return made("span", {}, made("b", {}, String(won.length)), ` ${deal.dataset[side]}`);
    }));
    for (const button of buttons) {
      const to = steps[button.value]();
      button.ariaDisabled = String(to === at || to < 0 || to > cards.length);
    }
  }

  show();
}

document.querySelectorAll(".deal").forEach(player);
