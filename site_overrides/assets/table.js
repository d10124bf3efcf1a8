// The table to tap on "Check a hand". It knows no rule: what a code has, which bids are higher and whose turn it is in a
// making is data made from the laws (check/table.json), and what a record says is read by Python in the worker. A tap
// writes one part of the record anew (hands, bidding, play, a line) and leaves every other line of the text as it is.
import { coded, json, made, tonight } from "./page.js";
import { DEALT, PACK, RANKS, SEATS, SUITS, WORDS, add, begin, biddingText, handsText, playText, put, rank } from "./table-record.js";

const COLUMNS = "WNES", SUIT_WORDS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };

const left = (seat) => SEATS[(SEATS.indexOf(seat) + 1) % SEATS.length];
const title = (seat) => WORDS[seat][0].toUpperCase() + WORDS[seat].slice(1);
const sign = (suit) => made("span", { class: `suit suit-${SUIT_WORDS[suit]}`, role: "img", "aria-label": SUIT_WORDS[suit] }, SUITS[suit]);
/** Words with their suits coloured, as the pages have them. */
const suited = (words) => words.split(/([♠♥♦♣])/).filter(Boolean)
  .map((part) => { const suit = Object.keys(SUITS).find((s) => SUITS[s] === part); return suit ? sign(suit) : part; });
const button = (words, value, click, more = {}) => made("button", { type: "button", value, click, ...more }, ...suited(words));

const nothing = () => ({
  parts: [["after", ""]], code: "", said: {}, hands: { N: [], E: [], S: [], W: [] }, from: "", calls: [], tricks: [],
  locked: {}, other: [], deals: [], deal: 0,
});

/** The table in `root`; `write` takes the text that it makes, `ask` has the text read. */
export function tapTable(root, { write, ask }) {
  const find = (selector) => root.querySelector(selector), all = (selector) => [...root.querySelectorAll(selector)];
  const laws = json(new URL("../check/table.json", import.meta.url));
  const told = json(new URL("../check/irregularities.json", import.meta.url));
  const [body, bar, pack, back] = [".table-body", ".table-stale", ".pack", ".table-back"].map(find);
  let state = nothing(), codes = {}, mode = "hands", seat = "N", number = "", corrects = false, before = [];

  /** Tell the reader something, until he does the next thing. */
  function say(words, wrong = false) {
    const line = find(".table-now");
    line.textContent = words;
    line.classList.toggle("check-wrong", wrong);
  }

  // --- the record -----------------------------------------------------------------------------------

  /** A change: the record is written anew, and can be taken back. */
  function change(does) {
    before.push(JSON.stringify(state));
    begin(state.parts);
    delete state.now;
    does();
    send();
  }

  const text = () => state.parts.map(([, lines]) => lines).join("\n");

  function send() {
    draw();
    write(text());
  }

  const hands = () => put(state.parts, "hands", handsText(state.hands));
  const bidding = () => put(state.parts, "bidding", biddingText(state.from, state.calls));
  const play = () => put(state.parts, "play", playText(state.tricks));

  // --- whose turn it is -----------------------------------------------------------------------------

  const law = () => codes[state.code];
  const making = () => law() && !law().numbers.length;
  const dealer = () => Object.keys(WORDS).find((s) => WORDS[s] === state.said.dealer) ?? "";
  const trick = () => state.tricks.at(-1)?.cards ?? [];
  const owner = (card) => Object.keys(WORDS).find((s) => state.hands[s]?.includes(card)) ?? "";
  const played = () => new Set(state.tricks.flatMap(({ cards = [] }) => cards.map(({ card }) => card)));

  function caller() {
    const last = state.calls.at(-1), first = dealer();
    if (state.now?.calls) return state.now.calls;
    const from = (one) => (SEATS.indexOf(one) - SEATS.indexOf(first) + SEATS.length) % SEATS.length;
    const way = state.calls.map((call) => `${from(call.seat)} ${call.kind}`).join(", ");
    const turn = first && making() ? law().turn[way] : undefined;
    if (turn !== undefined) return SEATS[(SEATS.indexOf(first) + turn) % SEATS.length];
    return last?.seat ? left(last.seat) : first;
  }

  function player() {
    const cards = trick(), last = cards.at(-1);
    if (state.now?.plays) return state.now.plays;
    return cards.length && cards.length < SEATS.length && last.seat ? left(last.seat) : "";
  }

  // --- taps -----------------------------------------------------------------------------------------

  function tap(card) {
    if (state.locked[mode]) return;
    if (mode === "play") playCard(card);
    else change(() => give(card));
    if (mode !== "bidding") return;
    // The pack is gone: who enters the deal by the keyboard goes on with the bidding.
    const next = [".box-numbers button", ".box-denominations button", ".table-tabs [value=bidding]"].map(find);
    next.find(Boolean).focus({ preventScroll: true });
  }

  function give(card) {
    const from = owner(card), order = (a, b) => PACK.indexOf(a) - PACK.indexOf(b);
    for (const s of SEATS) state.hands[s] = (state.hands[s] ?? []).filter((one) => one !== card);
    if (from !== seat) {
      state.hands[seat] = [...state.hands[seat], card].sort(order);
      const open = [...SEATS].filter((s) => state.hands[s].length < DEALT);
      const rest = PACK.filter((one) => !owner(one));
      if (open.length === 1 && rest.length + state.hands[open[0]].length === DEALT) {
        state.hands[open[0]] = [...state.hands[open[0]], ...rest].sort(order);
        mode = "bidding";
        seat = caller();
      } else if (state.hands[seat].length >= DEALT && open.length) {
        seat = [left(seat), left(left(seat)), left(left(left(seat)))].find((s) => open.includes(s));
      }
    }
    hands();
  }

  function playCard(card) {
    if (played().has(card)) return say("That card is played. Take back the last card, or change the text.", true);
    const by = owner(card) || seat || player();
    if (!by) return say("Choose who leads.", true);
    change(() => {
      const open = trick().length && trick().length < SEATS.length;
      if (!open) state.tricks.push({ leader: WORDS[by], cards: [] });
      const last = trick().at(-1);
      const out = last && left(last.seat) !== by ? WORDS[by] : "";
      trick().push({ card, seat: by, by: out, words: SUITS[card[0]] + rank(card), below: [] });
      seat = player();
      play();
    });
  }

  function call(kind, words, cell, bid = "") {
    const last = state.calls.at(-1);
    const by = corrects ? last?.seat : seat || caller();
    if (!by) return say("Choose the dealer first: the bidding begins with him.", true);
    change(() => {
      const turn = last ? !last.words.includes(":") && left(last.seat) : dealer();
      const named = making() || (by !== turn && !corrects) ? `${WORDS[by]}: ` : "";
      state.calls.push({
        kind, bid, seat: by, words: named + (corrects ? "corrects " : "") + words, cell: (corrects ? "→ " : "") + cell, below: [],
      });
      [number, corrects] = ["", false];
      seat = caller();
      bidding();
    });
  }

  /** Take back the last thing that was entered on the table. */
  function undo() {
    state = JSON.parse(before.pop());
    delete state.now;
    seat = mode === "bidding" ? caller() : mode === "play" ? player() : seat;
    send();
  }

  // --- drawing --------------------------------------------------------------------------------------

  function draw() {
    const gone = played(), turn = mode === "bidding" ? seat || caller() : mode === "play" ? seat || player() : seat;
    for (const hand of all(".hand")) {
      const own = state.hands[hand.dataset.seat] ?? [];
      hand.querySelectorAll(".cards").forEach((line, i) => {
        const cards = own.filter((card) => card[0] === Object.keys(SUITS)[i] && (mode !== "play" || !gone.has(card)));
        line.textContent = cards.map(rank).join(" ") || (own.length >= DEALT ? "–" : "");
      });
      hand.querySelector(".left").textContent = own.length && own.length !== DEALT ? String(own.length) : "";
      hand.querySelector(".role").textContent = dealer() === hand.dataset.seat ? "dealer" : "";
      hand.classList.toggle("to-play", turn === hand.dataset.seat);
    }
    const on = mode === "play" ? trick() : [];
    for (const slot of all(".slot")) {
      const card = on.find((one) => one.seat === slot.dataset.seat);
      slot.classList.toggle("card", Boolean(card));
      slot.classList.toggle("to-play", turn === slot.dataset.seat);
      slot.replaceChildren(...(card?.card ? [sign(card.card[0]), rank(card.card)] : [slot.dataset.seat]));
    }
    for (const one of all(".table-tabs button")) one.ariaPressed = String(one.value === mode);
    for (const pane of all(".table-pane")) pane.hidden = !pane.dataset.pane.split(" ").includes(mode);
    for (const one of all(".table-seats button")) one.ariaPressed = String(one.value === turn);
    find(".table-seats").hidden = !["hands", "bidding", "play"].includes(mode);
    for (const one of pack.querySelectorAll("button")) {
      const held = owner(one.value);
      one.dataset.owner = held;
      one.ariaPressed = String(mode === "play" ? gone.has(one.value) : Boolean(held));
      one.classList.toggle("own", held !== "" && held === turn);
      one.ariaLabel = `${rank(one.value)} of ${SUIT_WORDS[one.value[0]]}${held ? `, ${title(held)}` : ""}`;
    }
    drawBox();
    drawAuction();
    drawPlay();
    drawFields();
    say("");
    find(".table-now").append(...suited(now()));
    back.disabled = !before.length;
    const locks = Object.entries(state.locked).map(([part, why]) => `${part} (${why})`);
    find(".table-only").textContent = [
      ...(locks.length ? [`To be changed in the text: ${locks.join("; ")}.`] : []),
      ...(state.other.length ? [`In the text alone: ${state.other.join(", ")}.`] : []),
    ].join(" ");
  }

  function now() {
    const { final, winners, won, honours, calls, plays } = state.now ?? {};
    const said = [];
    if (state.locked[mode]) said.push("This part is changed in the text.");
    else if (mode === "hands") said.push(owned());
    else if (mode === "bidding" && !state.code) said.push("Choose the code: it says what may be called.");
    else if (mode === "bidding" && !dealer() && !state.calls.length) said.push("Choose the dealer: he begins.");
    else if (mode === "bidding" && !state.calls.length && dealt()) said.push(`The hands are dealt; ${title(caller())} begins.`);
    else if (mode === "bidding" && !final && caller()) said.push(`${title(caller())} ${calls ? "is to call" : "calls next"}.`);
    if (final && mode !== "hands") said.push(`${final}.`);
    if (mode === "play" && plays) said.push(`${title(plays)} is to play.`);
    else if (mode === "play" && !player()) said.push(`Tap the card that is led${trick().length ? " next" : ""}.`);
    if (mode === "play" && winners?.some(Boolean)) said.push(`Tricks: North and South ${won.NS}, East and West ${won.EW}.`);
    if (mode === "result" && honours?.length) said.push(`Counted from the cards: ${honours.join("; ")}.`);
    return said.join(" ");
  }

  const dealt = () => [...SEATS].every((s) => state.hands[s]?.length === DEALT);

  function owned() {
    const held = state.hands[seat]?.length ?? 0;
    if (dealt()) return "All four hands are dealt. Tap a card to move it to the player chosen.";
    return `Tap the cards of ${title(seat)}: ${held} of ${DEALT}.`;
  }

  function drawBox() {
    const had = document.activeElement, box = had?.closest(".box-numbers, .box-denominations, .box-calls");
    const { numbers = [], denominations = [], calls = [], higher = [] } = law() ?? {};
    const last = state.calls.findLast((one) => one.bid)?.bid;
    const bids = numbers.flatMap((n) => denominations.map(([id, short, one, many]) => (
      { n, id, short, words: `${n} ${n === 1 ? one : many}` })));
    const over = bids.findIndex((bid) => bid.words === last);
    const enough = (bid) => over < 0 || higher[over][bids.indexOf(bid)] === "1";
    const dim = (is) => (is ? { class: "dim", title: `not higher than ${last}` } : {});
    const choose = (n) => { number = n; draw(); find(".box-denominations button").focus(); };
    const bid = (one) => call("bid", one.words, `${one.n} ${one.short}`, one.words);
    const make = (short, many) => call("make", `make ${many}`, `make ${short}`);
    const again = () => { corrects = !corrects; draw(); };
    find(".box-numbers").replaceChildren(...numbers.map((n) => button(String(n), n, () => choose(n), {
      "aria-pressed": String(n === number), ...dim(!bids.some((one) => one.n === n && enough(one))),
    })));
    find(".box-denominations").replaceChildren(...(making()
      ? denominations.map(([id, short, , many]) => button(`make ${short}`, id, () => make(short, many)))
      : bids.filter(({ n }) => n === number).map((one) => button(one.short, one.id, () => bid(one), {
        "aria-label": one.words, ...dim(!enough(one)),
      }))));
    find(".box-calls").replaceChildren(
      ...calls.map(([kind, words, cell]) => button(words, kind, () => call(kind, words, cell))),
      ...(state.calls.length && !making()
        ? [button("in place of his last call", "", again, { class: "quiet", "aria-pressed": String(corrects) })] : []),
    );
    for (const box of all(".box-numbers, .box-denominations, .box-calls")) box.inert = "bidding" in state.locked;
    if (box && !had.isConnected) { // who calls by the keyboard goes on from where he was
      (box.querySelector(`[value="${had.value}"]`) ?? find(".box-numbers button") ?? find(".box-denominations button"))?.focus();
    }
  }

  function drawAuction() {
    const rows = [];
    let at = COLUMNS.length;
    for (const { seat: by, cell, below } of state.calls) {
      const column = by ? COLUMNS.indexOf(by) : (at + 1) % COLUMNS.length;
      if (column <= at) rows.push(COLUMNS.split("").map(() => made("td")));
      rows.at(-1)[column].append(...suited(cell), ...marks(below));
      at = column;
    }
    const table = find("table.auction");
    table.hidden = !rows.length;
    table.tBodies[0].replaceChildren(...rows.map((row) => made("tr", {}, ...row)));
  }

  const marks = (below) => (below.length ? [made("sup", { class: "mark", title: below.join("\n") }, "!")] : []);

  function drawPlay() {
    const rows = state.tricks.filter(({ cards }) => cards).map(({ cards }, i) => {
      const winner = state.now?.winners?.[i] ?? "";
      const cells = cards.map(({ card, words, seat: by, below }) => made("td", {},
        made(by && by === winner ? "strong" : "span", {}, ...suited(card ? SUITS[card[0]] + rank(card) : words)), ...marks(below)));
      while (cells.length < SEATS.length) cells.push(made("td"));
      const leader = cards[0].seat;
      return made("tr", {}, made("th", { scope: "row" }, String(i + 1)), made("td", {}, leader ? title(leader) : ""), ...cells,
        made("td", {}, winner ? title(winner) : ""));
    });
    const table = find("table.play");
    table.hidden = !rows.length;
    table.tBodies[0].replaceChildren(...rows);
  }

  /** A list shows a value, which is added to it where it is not there. */
  function set(field, value) {
    if (field.options && value && ![...field.options].some((one) => one.value === value)) field.add(new Option(value, value));
    field.value = value;
  }

  function drawFields() {
    for (const field of all("[data-said]")) {
      set(field, state.said[field.dataset.said] ?? "");
      field.disabled = field.dataset.said.split(" ").some((word, i, words) => words.slice(0, i + 1).join(" ") in state.locked);
    }
    const declared = state.said.declaration ?? {};
    const list = find("[data-declared=denomination]");
    const options = [["", "–"], ...(law()?.denominations ?? []).map(([id, , , many]) => [id, many]), ["out", "passed out"]];
    list.replaceChildren(...options.map(([id, words]) => new Option(words, id)));
    for (const field of all("[data-declared]")) {
      if (field.type === "checkbox") field.checked = Boolean(declared.bridged);
      else set(field, declared.out && field.dataset.declared === "denomination" ? "out" : declared[field.dataset.declared] ?? "");
      field.disabled = "declaration" in state.locked;
    }
    find(".table-bridged").hidden = !law()?.bridges && !declared.bridged;
    find(".table-rubber").hidden = law()?.rubber === false;
    find(".table-code").value = state.code;
    find(".table-code").disabled = "code" in state.locked;
    find(".table-deal").hidden = state.deals.length < 2;
    find(".table-deal select").replaceChildren(...state.deals.map((name, i) => new Option(name, i, i === state.deal, i === state.deal)));
  }

  // --- lines of a statement -------------------------------------------------------------------------

  function stated({ dataset: { said }, value }) {
    change(() => {
      state.said[said] = value.trim();
      if (said.startsWith("score")) {
        const lines = ["north-south", "east-west"].flatMap((side) => {
          const amounts = ["trick", "honour"].filter((column) => state.said[`score ${side} ${column}`])
            .map((column) => `${column} ${state.said[`score ${side} ${column}`]}`);
          return amounts.length ? [`score ${side} ${amounts.join(" ")}`] : [];
        });
        put(state.parts, "score", lines.join("\n"));
      } else put(state.parts, said, value && `${said} ${value}`);
      if (said === "dealer" && mode === "bidding") seat = caller();
    });
  }

  function declared() {
    const field = (name) => find(`[data-declared=${name}]`);
    const [n, id, doubled, by] = ["number", "denomination", "doubled", "by"].map((name) => field(name).value);
    const one = (law()?.denominations ?? []).find(([name]) => name === id);
    change(() => {
      const out = id === "out", bridged = field("bridged").checked;
      state.said.declaration = { out, number: n, denomination: out ? "" : id, doubled, by, bridged };
      const words = one ? one[n === "1" ? 2 : 3] : id;
      const said = [n, words, doubled, by && `by ${by}`, bridged && "bridged"].filter(Boolean).join(" ");
      put(state.parts, "declaration", id && `declaration ${out ? "passed out" : said}`);
    });
  }

  // --- irregularities -------------------------------------------------------------------------------

  const tell = (name) => find(`[data-told="${name}"]`);

  async function openIrregular() {
    const { groups, facts, irregularities } = await told();
    const chosen = tell("name").value;
    const known = Object.entries(irregularities).filter(([, one]) => !state.code || state.code in one.under);
    tell("name").replaceChildren(new Option("choose one", ""), ...groups.flatMap(([id, label]) => {
      const own = known.filter(([, one]) => one.group === id).map(([name, one]) => new Option(one.label, name));
      return own.length ? [made("optgroup", { label }, ...own)] : [];
    }));
    tell("name").value = chosen;
    tell("name").value ||= "";
    const one = irregularities[tell("name").value];
    const remedies = one?.under[state.code] ?? [];
    tell("remedy").replaceChildren(
      new Option(one ? "as the law gives, or nothing" : "–", ""),
      ...remedies.map(([words, label]) => new Option(label, words)),
    );
    find(".table-facts").replaceChildren(...Object.entries(one?.facts ?? {}).map(([fact, values]) => made("label", {},
      made("span", {}, facts[fact][0]), " ",
      made("select", { "data-fact": fact }, new Option("not told", ""),
        ...values.map((value) => new Option(facts[fact][1][value], value))))));
    find(".table-facts").parentElement.hidden = !Object.keys(one?.facts ?? {}).length;
    tell("at").value = trick().length ? "card" : state.calls.length ? "call" : "hands";
  }

  function irregular() {
    const value = (name) => tell(name).value;
    if (!value("name")) return say("Choose what happened.", true);
    const quoted = (name, words) => (words ? [`${name} "${words}"`] : []), by = (name) => (value(name) ? [`${name} ${value(name)}`] : []);
    const facts = all("[data-fact]").filter((field) => field.value).map((field) => `${field.dataset.fact} ${field.value}`);
    const line = ["irregularity", value("name"), ...by("by"), ...quoted("of", value("of")), ...by("noticed by"),
      ...quoted("remedy", [value("remedy"), value("remedy") && value("suit")].filter(Boolean).join(" ")), ...by("chosen by"),
      ...quoted("when", facts.join(", "))].join(" ");
    const at = value("at"), thing = at === "call" ? state.calls.at(-1) : at === "card" ? trick().at(-1) : null;
    if (!thing && ["call", "card"].includes(at)) return say(`There is no ${at} yet.`, true);
    const behind = { declaration: ["declaration"], score: ["result", "honours", "score"] }[at] ?? [];
    if (behind.length && !state.parts.some(([name]) => behind.includes(name))) {
      return say(`Choose the ${behind[0]} first: it is told behind that.`, true);
    }
    const part = { call: "bidding", card: "play" }[at];
    if (state.locked[part]) return say(`The ${part} is changed in the text.`, true);
    change(() => {
      if (thing) thing.below.push(line);
      if (at === "call") bidding();
      else if (at === "card") play();
      else add(state.parts, "irregularity", line, at);
    });
    for (const field of all("[data-told]")) if (field.dataset.told !== "at") field.value = "";
    openIrregular();
    say(`Written: ${line}`);
  }

  // --- the pack by the keyboard ---------------------------------------------------------------------

  function keys(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const cards = [...pack.querySelectorAll("button")], at = cards.indexOf(document.activeElement), row = RANKS.length;
    const key = event.key.toUpperCase().replace(/^(1|0)$/, "T");
    const steps = { ARROWLEFT: -1, ARROWRIGHT: 1, ARROWUP: -row, ARROWDOWN: row, HOME: -(at % row), END: row - 1 - (at % row) };
    let to = at;
    if (key in steps) to = at + steps[key];
    else if (key in SUITS) to = PACK.indexOf(`${key}A`);
    else if (RANKS.includes(key) && key.length === 1) to = at - (at % row) + RANKS.indexOf(key);
    else return;
    event.preventDefault();
    if (!cards[to]) return;
    for (const card of cards) card.tabIndex = card === cards[to] ? 0 : -1;
    cards[to].focus();
    if (RANKS.includes(key) && key.length === 1) tap(cards[to].value);
  }

  // --- what is read ---------------------------------------------------------------------------------

  /** Show what Python has read of the text. */
  function show(table) {
    if ("parts" in table) {
      state = { ...nothing(), ...table, hands: { ...nothing().hands, ...table.hands } };
      seat = mode === "bidding" ? caller() : mode === "play" ? player() : seat;
      free();
      draw();
    } else if ("converted" in table) {
      const words = ["This record is in another notation; the table writes .hand.", ...table.said].join(" ");
      stop(words, "Write it as .hand", () => { write(table.converted); ask(); });
    } else stop(table.wrong, "Read it again", ask);
  }

  function stop(words, offer, does) {
    body.inert = true;
    bar.hidden = false;
    bar.querySelector("span").replaceChildren(...coded(words));
    bar.querySelector("button").textContent = offer;
    bar.querySelector("button").onclick = does;
  }

  function free() {
    body.inert = false;
    bar.hidden = true;
  }

  /** The text was changed elsewhere: until it is read the table does not touch it. */
  function changed(text, offer) {
    before = [];
    if (text.trim()) stop("The record in the text is not on the table yet.", offer, ask);
    else clear();
    back.disabled = true;
  }

  function clear() {
    const { code } = state;
    [state, before, seat, mode, number, corrects] = [nothing(), [], "N", "hands", "", false];
    free();
    if (code) choose(code);
    draw();
  }

  function choose(code) {
    state.code = code;
    number = "";
    const at = state.parts.findIndex(([name]) => name === "code");
    if (at >= 0) put(state.parts, "code", code && `code ${code}`);
    else if (code) state.parts.unshift(["code", `code ${code}`], ["", ""]);
  }

  for (const suit of Object.keys(SUITS)) {
    pack.append(made("div", { class: "pack-suit" }, sign(suit), ...PACK.filter((card) => card[0] === suit).map((card) =>
      made("button", { type: "button", value: card, tabindex: card === PACK[0] ? 0 : -1, click: () => tap(card) }, rank(card)))));
  }
  pack.addEventListener("keydown", keys);
  for (const one of all(".table-tabs button")) one.addEventListener("click", () => {
    mode = one.value;
    seat = mode === "bidding" ? caller() : mode === "play" ? player() : seat || "N";
    if (mode === "irregular") openIrregular();
    draw();
  });
  for (const one of all(".table-seats button")) one.addEventListener("click", () => { seat = one.value; draw(); });
  for (const field of all("[data-said]")) field.addEventListener("change", () => stated(field));
  for (const field of all("[data-declared]")) field.addEventListener("change", declared);
  find(".table-code").addEventListener("change", ({ target }) => {
    change(() => choose(target.value));
    tonight(target.value);
    if (mode === "irregular") openIrregular();
  });
  find(".table-deal select").addEventListener("change", ({ target }) => { state.deal = Number(target.value); ask(); });
  tell("name").addEventListener("change", openIrregular);
  tell("of").append(new Option("–", ""), ...PACK.map((card) => new Option(SUITS[card[0]] + rank(card))));
  find(".table-add").addEventListener("click", irregular);
  back.addEventListener("click", undo);
  find(".table-new").addEventListener("click", () => {
    const [own, done] = [state, before];
    clear();
    if (write(text(), true)) return;
    [state, before] = [own, done];
    draw();
  });
  laws().then((data) => {
    codes = data;
    if (!body.inert && !text().trim() && Object.hasOwn(codes, tonight())) choose(tonight());
    draw();
  }, () => say("What the table knows of the codes could not be fetched.", true));
  draw();
  return { show, changed, deal: () => state.deal };
}
