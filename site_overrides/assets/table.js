// The card table on "Check a hand". The text of the record is the only state: Python in the worker (site/table.py) applies
// each tap to the text and draws the table. This script queues taps, so that fast taps are not lost.
import { choose, coded, made, tonight } from "./page.js";
import { renew } from "./python.js";

const SUIT = 13; // the cards of a suit

/** Set up the table in `root`; `text` returns the record, `write` replaces it, `begin` begins another unless the reader refuses,
 *  and `ask` sends a question to Python. */
export function tapTable(root, { text, write, begin, ask }) {
  const find = (selector) => root.querySelector(selector);
  const [body, bar, back] = [".table-body", ".table-stale", ".table-back"].map(find);
  let view = {}, waiting = [], asked = false, stale = false, before = [], drawn = "", waits = false, typed = [];

  function tap(kind, value) {
    waiting.push([kind, value]);
    return send();
  }

  /** Read the text again, and draw it. */
  function read() {
    stale = true;
    send();
  }

  // Send one question at a time, with all taps made since the last.
  async function send() {
    if (asked || !(stale || waiting.length)) return;
    const taps = waiting, from = text();
    [waiting, asked, stale] = [[], true, false];
    const { table: answer } = await ask({ of: "table", taps });
    asked = false;
    if (text() !== from) stale = true; // the text changed meanwhile
    else show(answer, from);
    send();
    calls();
  }

  /** Show Python's answer. */
  function show(answer, from = text()) {
    if (!("html" in answer)) {
      waiting = [];
      draw(drawn); // without the taps that were shown immediately
      const { error, converted } = answer;
      return stop(error, converted ? "Write it as .hand" : "Read it again", () => { if (converted) write(converted); read(); });
    }
    if (answer.text !== from) {
      before.push(...[from, ...answer.texts].slice(0, -1).map((one) => [one, view]));
      write(answer.text);
    }
    body.inert = false;
    bar.hidden = true;
    const added = view.name && !answer.view.name;
    view = answer.view;
    back.disabled = !before.length && !view.number;
    if (!answer.refused) {
      if (waits || answer.html !== drawn) draw(answer.html); // otherwise keep unfinished choices
      if (added) find(".incidents")?.scrollIntoView({ block: "nearest" });
      return;
    }
    const line = find(".table-now"); // the fields keep their input
    line.textContent = answer.refused;
    line.classList.add("wrong");
    line.scrollIntoView({ block: "nearest" });
  }

  // With the keyboard, the focus stays or moves to the next control.
  function draw(html) {
    [drawn, waits] = [html, false];
    const had = body.contains(document.activeElement), bidding = find("[data-pane=bidding]");
    renew(body, html);
    for (const form of body.querySelectorAll("form")) form.reset();
    if (!had || (body.contains(document.activeElement) && !(bidding && find(".pack")))) return; // after the bidding, play begins
    const next = [".box-numbers button", ".box-denominations button", ".pack [tabindex='0']", ".table-words", ".table-fields select", ".table-tabs [aria-pressed=true]"];
    next.map(find).find(Boolean).focus({ preventScroll: true });
  }

  /** Called while the checker is being fetched: shows words instead of the prompt for the next entry. */
  function wait(words) {
    find(".table-now").replaceChildren(...coded(words));
    waits = true;
  }

  function stop(words, offer, does) {
    body.inert = true;
    bar.hidden = false;
    bar.querySelector("span").replaceChildren(...coded(words));
    bar.querySelector("button").textContent = offer;
    bar.querySelector("button").onclick = does;
  }

  /** Called when the text was changed elsewhere: the table is inert until the text has been read. */
  function changed(offer) {
    before = [];
    back.disabled = true;
    if (text().trim()) stop("The table does not show the record in the text yet.", offer, read);
    else {
      view = { code: view.code };
      read();
    }
  }

  // --- keyboard control of the pack

  function keys(event) {
    const cards = [...body.querySelectorAll(".pack button")], at = cards.indexOf(document.activeElement), place = at % SUIT;
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SUIT, ArrowDown: SUIT, Home: -place, End: SUIT - 1 - place }[event.key];
    const key = event.key.toUpperCase().replace(/^(1|0)$/, "T"), card = (value) => cards.find((one) => one.value === value);
    const suit = card(`${key}A`), rank = card(cards[at].value[0] + key), to = suit ?? rank ?? cards[at + step];
    if (!to && step === undefined) return;
    event.preventDefault();
    to?.focus();
    rank?.click();
  }

  // --- keyboard control of the bidding: the letter of a denomination or of a call; X doubles, or redoubles a double

  function calls({ key = "", target, altKey, ctrlKey, metaKey } = {}) {
    if (/^[a-z1-9]$/i.test(key) && !(altKey || ctrlKey || metaKey || target.matches("select")) && find("[data-pane=bidding]")) typed.push(key.toLowerCase());
    while (typed.length && !asked) {
      const last = Array.from(body.querySelectorAll(".auction td"), (one) => one.textContent).findLast((words) => /^(?!pass)./i.test(words));
      const begins = typed.shift().replace("x", /^double/i.test(last) ? "redouble" : /^redouble/i.test(last) ? "-" : "double");
      Array.from(body.querySelectorAll("[data-pane=bidding] button")).find(({ value }) => value.startsWith(begins))?.click();
    }
  }

  // --- search for an irregularity

  async function seek(words) {
    const { sought, tellings } = await import("./search.js");
    const { found, fits } = words.length > 2 ? sought(await tellings(), words, view.code || undefined) : { found: [], fits: true };
    if (find(".table-words")?.value.trim() !== words) return; // the reader typed more meanwhile
    const { first } = find(".table-found").dataset, leads = ({ id }) => first.split(" ").includes(id); // what the checker found
    const line = ({ id, label, meaning, facts }) => {
      const told = Object.fromEntries([["said", words], ...facts.map(({ fact, value }) => [fact, value])]);
      return made("li", {}, made("button", { type: "button", "data-tap": "name", "data-told": JSON.stringify(told), value: id }, label), ` ${meaning}`);
    };
    find(".table-found").replaceChildren(...(fits ? [] : [made("li", {}, "Nothing fits these words well.")]),
      ...found.filter((one) => !one.absent).sort((a, b) => leads(b) - leads(a)).map(line));
  }

  for (const does of [keys, calls]) body.addEventListener("keydown", does);
  body.addEventListener("click", ({ target }) => {
    const one = target.closest("button[data-tap]");
    if (!one) return;
    const { tap: kind, told = "{}", owner } = one.dataset; // show it before Python draws the table
    if (["tab", "seat"].includes(kind)) for (const other of one.parentNode.children) other.ariaPressed = String(other === one);
    if (kind === "card" && view.mode !== "play") {
      const { value: chosen } = find(".table-seats [aria-pressed=true]");
      one.dataset.owner = owner === chosen ? "" : chosen;
      one.ariaPressed = String(owner !== chosen);
    }
    tap(kind, kind === "name" ? { ...JSON.parse(told), name: one.value } : one.value);
  });
  body.addEventListener("change", ({ target }) => {
    if (target.name === "code") tonight(target.value);
    if (target.name === "at") { // the player and the card of the call or card chosen
      for (const [name, value] of Object.entries(target.selectedOptions[0].dataset)) if (target.form.elements[name]) target.form.elements[name].value = value;
    }
    if (target.dataset.tap) tap(target.dataset.tap, target.value);
    else if (target.form?.dataset.tap === "stated") {
      const changed = target.closest(".table-declared")?.elements ?? [target]; // a declaration is stated as a whole
      tap("stated", Object.fromEntries(Array.from(changed, (one) => [one.name, one.type !== "checkbox" || one.checked ? one.value : ""])));
    }
  });
  body.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.dataset.tap === "irregular") tap("irregular", Object.fromEntries(new FormData(event.target)));
  });
  body.addEventListener("input", ({ target }) => { if (target.matches(".table-words")) seek(target.value.trim()).catch(() => null); });
  back.addEventListener("click", () => {
    waiting = [];
    if (view.number) { // a bid without its denomination
      tap("number", 0);
      return;
    }
    const [words, seen] = before.pop();
    write(words);
    view = { ...seen, number: 0, corrects: false }; // where it was entered
    read();
  });
  find(".table-new").addEventListener("click", () => {
    const { code = "" } = view;
    if (!begin(code && `code ${code}\n\n`)) return;
    [view, waiting] = [{ code }, []];
    read();
  });
  const code = find(".table-code");
  choose(code, tonight());
  code.selectedOptions[0].setAttribute("selected", "");
  view.code = code.value;
  drawn = body.innerHTML;
  return { show, read, changed, wait, tap, view: () => view };
}
