// Steps through the play of a deal, and filters the gallery of records. Everything is read from the page itself:
// the diagram's cards (data-card), the table of tricks (data-seat, data-card, data-winner). Without it the table says the same.
"use strict";
(() => {
  const SEATS = ["N", "E", "S", "W"];
  const NAMES = {N: "North", E: "East", S: "South", W: "West"};
  const SUITS = {S: ["♠", "spades"], H: ["♥", "hearts"], D: ["♦", "diamonds"], C: ["♣", "clubs"]};
  const RANKS = {A: "ace", K: "king", Q: "queen", J: "knave", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two"};

  const make = (tag, attributes, ...children) => {
    const made = Object.assign(document.createElement(tag), attributes);
    made.append(...children);
    return made;
  };
  const words = (card) => card ? `the ${RANKS[card[1]]} of ${SUITS[card[0]][1]}` : "a card that is not recorded";

  // The play of a deal as a row of cards in the order played: whose, which, of which trick, and its cell in the table.
  function read(table) {
    const tricks = [...table.tBodies[0].rows].map((row) => ({
      row,
      winner: row.dataset.winner || "",
      cells: [...row.querySelectorAll("td[data-seat]")],
    }));
    const cards = tricks.flatMap((trick, number) => trick.cells.map((cell, place) => ({
      seat: cell.dataset.seat,
      card: cell.dataset.card || "",
      number,
      place,
      last: place === trick.cells.length - 1,
      cell,
      found: [...cell.querySelectorAll(".mark a")].map((a) => document.querySelector(`${a.getAttribute("href")} .message`)?.textContent || ""),
    })));
    return {tricks, cards};
  }

  function player(deal) {
    const table = deal.querySelector("table.play");
    const diagram = deal.querySelector(".diagram");
    if (!table || !diagram) return;
    const {tricks, cards} = read(table);
    if (!cards.length) return;
    const ends = [0];  // how many cards have been played when each trick is over
    cards.forEach((c, i) => { if (c.last) ends.push(i + 1); });
    const hands = [...diagram.querySelectorAll(".hand")];
    const slots = Object.fromEntries(SEATS.map((s) => [s, diagram.querySelector(`.slot[data-seat="${s}"]`)]));
    let at = 0;

    const now = make("p", {className: "now"});
    now.setAttribute("role", "status");
    const count = make("p", {className: "count"});
    const steps = [
      ["|‹", "First", "Before the first card (Home)", () => 0],
      ["«", "Trick", "Back a trick (Shift and left arrow)", () => ends.findLast((e) => e < at) ?? 0],
      ["‹", "Card", "Back a card (left arrow)", () => at - 1],
      ["›", "Card", "On by a card (right arrow)", () => at + 1],
      ["»", "Trick", "On by a trick (Shift and right arrow)", () => ends.find((e) => e > at) ?? cards.length],
      ["›|", "Last", "To the last card (End)", () => cards.length],
    ];
    const buttons = steps.map(([sign, word, label, where], i) => {
      const mark = make("span", {className: "sign"}, sign);
      mark.setAttribute("aria-hidden", "true");
      const button = make("button", {type: "button", title: label}, ...(i < 3 ? [mark, word] : [word, mark]));
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => go(where()));
      return button;
    });
    const controls = make("div", {className: "steps"}, ...buttons);
    const help = make("p", {className: "help"}, "Keys: ← → a card, with Shift a trick, Home and End.");
    const box = make("div", {className: "stepper", tabIndex: 0}, now, count, controls, help);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Step through the play");
    diagram.after(box);

    // The table leads to a trick, too: its number becomes a button.
    tricks.forEach((trick, number) => {
      const head = trick.row.querySelector("th");
      const button = make("button", {type: "button", title: `Show trick ${number + 1}`}, head.textContent);
      button.setAttribute("aria-label", `Show trick ${number + 1}`);
      button.addEventListener("click", () => go(ends[number + 1]));
      head.replaceChildren(button);
    });

    const go = (to) => {
      at = Math.max(0, Math.min(cards.length, to));
      show();
    };
    deal.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const step = {Home: 0, ArrowLeft: event.shiftKey ? 1 : 2, ArrowRight: event.shiftKey ? 4 : 3, End: 5}[event.key];
      if (step === undefined) return;
      event.preventDefault();
      go(steps[step][3]());
    });

    // Draws the state after so many cards: what is left in the hands, the trick on the table, the tricks won.
    function show() {
      const played = cards.slice(0, at);
      const latest = played.at(-1);
      const trick = latest ? played.filter((c) => c.number === latest.number) : [];
      const over = Boolean(latest && latest.last);
      const winner = over ? tricks[latest.number].winner : "";
      const next = cards[at];
      const turn = next ? next.seat : "";
      const gone = new Set(played.map((c) => c.card));
      for (const hand of hands) {
        for (const card of hand.querySelectorAll("[data-card]")) card.hidden = gone.has(card.dataset.card);
        const size = Number(hand.dataset.size);
        const left = size - played.filter((c) => c.seat === hand.dataset.seat).length;
        const shown = hand.querySelectorAll("[data-card]:not([hidden]), .small").length;
        const told = hand.querySelector(".left");
        told.textContent = !at || !size ? "" : left < shown ? `${left} of these` : String(left);
        hand.classList.toggle("to-play", at > 0 && turn === hand.dataset.seat);
      }
      for (const seat of SEATS) {
        const on = trick.find((c) => c.seat === seat);
        const slot = slots[seat];
        slot.className = `slot slot-${NAMES[seat].toLowerCase()}${on ? " card" : ""}${on && winner === seat ? " won" : ""}${turn === seat ? " to-play" : ""}`;
        if (!on) slot.replaceChildren(seat);
        else if (!on.card) slot.replaceChildren("?");
        else {
          const suit = make("span", {className: `suit suit-${SUITS[on.card[0]][1]}`}, SUITS[on.card[0]][0]);
          slot.replaceChildren(suit, on.card[1] === "T" ? "10" : on.card[1]);
        }
      }
      tricks.forEach((t, i) => t.row.classList.toggle("current", Boolean(latest) && latest.number === i));
      cards.forEach((c, i) => c.cell.classList.toggle("latest", i === at - 1));
      now.textContent = said(latest, over, winner, turn);
      count.replaceChildren(...tally());
      buttons.forEach((b, i) => { b.setAttribute("aria-disabled", String(i < 3 ? at === 0 : at === cards.length)); });
    }

    function said(latest, over, winner, turn) {
      const player = NAMES[turn] || "The next player";
      if (!latest) return `${NAMES[turn] || "Somebody"} leads to the first trick.`;
      const who = NAMES[latest.seat] || "Somebody";
      const act = latest.place === 0 ? "leads" : "plays";
      let text = `Trick ${latest.number + 1}: ${who} ${act} ${words(latest.card)}`;
      if (winner) text += winner === latest.seat ? " and wins the trick" : `; ${NAMES[winner]} wins the trick`;
      else if (over && tricks[latest.number].cells.length >= 4) text += "; who wins the trick is not told";
      if (at === cards.length) text += ". The record of the play ends here.";
      else text += over ? `. ${player} leads next.` : `. ${player} to play.`;
      return [text, ...latest.found].join(" ");
    }

    function tally() {
      const done = tricks.filter((t, i) => ends[i + 1] <= at);
      const declarer = deal.dataset.declarer || "";
      return [["N", "S"], ["E", "W"]].map((pair) => {
        const won = done.filter((t) => pair.includes(t.winner)).length;
        const side = pair.map((s) => NAMES[s]).join(" and ");
        const number = make("b", {}, String(won));
        return make("span", {}, number, ` ${side}${pair.includes(declarer) ? ", declaring" : ""}`);
      });
    }

    show();
  }

  // The gallery: a link to a code's records shows these alone; the URL keeps the choice.
  function gallery(nav) {
    const sections = [...document.querySelectorAll(".gallery-code")];
    const links = [...nav.querySelectorAll("a[data-code]")];
    const choose = () => {
      const named = location.hash.slice(1); // the id of a code needs no decoding
      const code = sections.some((s) => s.dataset.code === named) ? named : "";
      for (const section of sections) section.hidden = code !== "" && section.dataset.code !== code;
      for (const link of links) {
        if (link.dataset.code === code) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    };
    // The choice is no jump: the links stay where they are on the screen.
    nav.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-code]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      history.pushState(null, "", link.getAttribute("href"));
      choose();
    });
    addEventListener("popstate", choose);
    addEventListener("hashchange", choose);
    choose();
  }

  document.querySelectorAll(".deal").forEach(player);
  document.querySelectorAll(".filter").forEach(gallery);
  // What is folded on the screen is read on paper.
  addEventListener("beforeprint", () => document.querySelectorAll("details.under-of").forEach((d) => { d.open = true; }));
})();
