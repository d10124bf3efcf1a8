// "Keep a rubber": the rubber is stored as the text of a record. Python in the worker of "Check a hand" (check-worker.js)
// edits and draws it; this script stores it in the browser.
import { linkTo, made, packed, save, status, stored, tonight, unpacked } from "./page.js";
import { python } from "./python.js";

const root = document.getElementById("rubber");
const find = (selector) => root.querySelector(selector);
const begin = find(".kr-begin"), deal = find(".kr-deal"), keptBox = find(".kr-kept"), drawn = find(".kr-drawn");
const said = find(".kr-said"), say = status(said), field = deal.elements;
// The record; whether the rubber is over; the index of the deal being edited (`at`) or before which one is inserted (`before`).
let text = "", over = false, place = null;

const checker = python(root, JSON.parse(document.getElementById("rubber-facts").textContent), say);

// Send a question, unless another waits, and show the changed rubber; resolves to whether it was accepted.
async function change(question) {
  if (root.ariaBusy === "true") return false;
  const answer = await checker.ask({ of: "rubber", text, ...question });
  say(answer.status, answer.failed);
  if (answer.failed) {
    if (answer.end) field.words.setSelectionRange(answer.start, answer.end);
    return false;
  }
  ({ text, over } = answer);
  find(".kr-link").replaceChildren(); // the link is to the rubber as it was
  if (stored("rubber", text) === null) say("This browser cannot store the rubber: save it before you leave the page.", true);
  drawn.innerHTML = answer.html;
  offer(answer);
  begin.hidden = true;
  deal.hidden = over;
  keptBox.hidden = false;
  return true;
}

// Put the choices of the code into the form, with the names of the players and the next dealer.
function offer({ code, dealer, players }) {
  const choices = find(`template[data-code="${code}"]`);
  if (!choices) return;
  if (deal.dataset.code !== code) deal.replaceChildren(choices.content.cloneNode(true));
  deal.dataset.code = code;
  begin.elements.code.value = code; // a new rubber begins with the same code and players
  for (const [seat, name] of Object.entries(players)) begin.elements[seat.toLowerCase()].value = name;
  remember();
  for (const one of field.declarer) {
    one.nextElementSibling.textContent = players[one.value] ?? one.value;
    one.defaultChecked = one.value === dealer;
  }
}

// Set the form to edit a deal, to insert one, or, without a place, to add one.
function edits(to = null, does = "Write it down") {
  place = to;
  if (!field.words) return; // no rubber has begun
  deal.hidden = over && !to;
  find(".kr-deal .kr-go").textContent = does;
  find(".kr-deal [type=reset]").hidden = !to;
}

// Fill the form with a deal as it was entered, and show it.
function fill(to, does, entered = {}) {
  deal.reset();
  for (const [name, value] of Object.entries(entered).filter(([, value]) => value)) {
    field[name].value = value;
    if (field[name].selectedIndex < 0) field[name].add(new Option(value, value, false, true)); // honours without their distribution
  }
  edits(to, does);
  deal.querySelector("input").focus({ preventScroll: true });
  deal.scrollIntoView({ block: "start" });
}

async function tell(entered) {
  // What was entered besides the declarer, who may be set anew as the next dealer.
  const shown = () => String(new URLSearchParams([...new FormData(deal)].filter(([name]) => name !== "declarer")));
  const before = shown(), typed = document.activeElement === field.words;
  if (!(await change({ ...entered, ...place }))) return;
  if (shown() === before) {
    deal.reset();
    if (!typed) deal.querySelector("input").focus({ preventScroll: true });
  } else edits(); // the next deal was begun meanwhile
  const paper = find(".kr-paper");
  if (over) paper.focus({ preventScroll: true }); // the form is hidden
  paper.scrollIntoView({ block: over ? "start" : "nearest" });
}

// Replace the rubber with a text from a link or a file; if it cannot be opened, the rubber stays. Resolves to whether it was.
async function open(given, from) {
  if (text && given !== text && !confirm(`Replace the rubber stored here with the one in the ${from}?`)) return false;
  const before = text;
  text = given;
  const opened = await change({});
  if (!opened) text = before;
  return opened;
}

// Show the form for a new rubber.
function empty() {
  drawn.replaceChildren();
  begin.hidden = false;
  deal.hidden = keptBox.hidden = true;
}

// Keep what was entered for a new rubber over a reload.
const remember = () => stored("begin", String(new URLSearchParams(new FormData(begin))));
begin.addEventListener("input", remember);
begin.addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = Object.fromEntries(new FormData(begin));
  tonight(told.code);
  if (await change({ text: "", begin: told })) deal.querySelector("input").focus();
});
begin.querySelector("[type=file]").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (file?.size > 200_000) say("That file is too large for a rubber.", true);
  else if (file) open(await file.text(), "file");
});
deal.addEventListener("input", ({ target }) => {
  if (target !== field.words) field.words.value = "";
});
deal.addEventListener("submit", (event) => {
  event.preventDefault();
  tell(Object.fromEntries(new FormData(deal)));
});
deal.addEventListener("reset", () => edits());

const DOES = {
  edit: (at, { entered }) => fill({ at }, `Rewrite deal ${at + 1}`, JSON.parse(entered)),
  insert: (before) => {
    fill({ before }, `Insert before deal ${before + 1}`);
    for (const one of field.declarer) one.checked = false; // the next dealer does not deal this one
  },
  remove: async (at) => {
    const before = text;
    deal.reset();
    if (!(await change({ remove: at }))) return;
    const undo = made("button", { type: "button", click: () => change({ text: before }) }, "Undo");
    said.append(` Deal ${at + 1} is removed. `, undo);
    undo.focus();
  },
  passed: () => tell({ words: "passed out" }),
  save: () => save(text, "rubber.hand"),
  link: async () => linkTo({ rubber: await packed(text) }, find(".kr-link")),
  new: () => {
    if (!confirm("Begin a new rubber? This one will be lost unless you save it.")) return;
    stored("rubber", text = "");
    deal.reset();
    empty();
    begin.elements.code.focus();
    say("");
  },
};
root.addEventListener("click", ({ target: { dataset, value } }) => DOES[dataset.does]?.(Number(value), dataset));

for (const [name, value] of new URLSearchParams(stored("begin") ?? "")) if (name in begin.elements) begin.elements[name].value = value;
const asked = new URLSearchParams(location.hash.slice(1) || location.search), { code } = begin.elements;
code.value = asked.get("code") || tonight() || code.value;
if (code.selectedIndex < 0) code.selectedIndex = 0;
text = stored("rubber") ?? "";
const linked = asked.get("rubber"), given = linked && await unpacked(linked).catch(() => null);
if (linked) history.replaceState(null, "", location.pathname);
if (given || text) {
  // The form for a new rubber would suggest that this one was lost.
  begin.hidden = keptBox.inert = true;
  keptBox.hidden = false;
  drawn.append(made("p", { class: "kr-paper" }, "The rubber is being opened."));
  const opened = given && await open(given, "link");
  if (!opened && !text) empty();
  else if (!opened && !(await change({}))) {
    // The text can still be saved; it is removed only if the reader discards it.
    say(`What is stored in this browser could not be opened as a rubber. ${said.textContent} Save it, or begin a new one.`, true);
    drawn.replaceChildren();
  }
  keptBox.inert = false;
}
if (linked && !given) say("The link does not contain a complete rubber; it may have been cut short.", true);
