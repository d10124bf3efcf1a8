// "Keep a rubber": the rubber is stored as the text of a record. Python in the worker of "Check a hand" (check-worker.js)
// edits and draws it; this script stores it in the browser.
import { choose, linkTo, made, packed, save, status, stored, tonight, unpacked } from "./page.js";
import { python, renew } from "./python.js";

const root = document.getElementById("rubber");
const find = (selector) => root.querySelector(selector);
const begin = find(".kr-begin"), deal = find(".kr-deal"), keptBox = find(".kr-kept"), drawn = find(".kr-drawn");
const said = find(".kr-said"), say = status(said), field = deal.elements;
let text = ""; // the record

const checker = python(root, say);

// Show one of the forms for a deal that Python has drawn, or none; with `keep`, the form keeps what the reader entered.
function fill(form, keep = false) {
  renew(deal, form?.innerHTML ?? "");
  deal.hidden = !form;
  if (keep) return;
  deal.reset();
  if (document.activeElement !== field.words) deal.querySelector("input")?.focus({ preventScroll: true });
}

// Send a question, unless another waits, and show the changed rubber; resolves to whether it was accepted.
async function change(question, keep = false) {
  if (root.ariaBusy === "true") return false;
  const entered = () => String(new URLSearchParams(new FormData(deal)));
  const before = entered(), answer = await checker.ask({ of: "rubber", text, ...question });
  say(answer.status, answer.failed);
  if (answer.failed) {
    if (answer.end) field.words.setSelectionRange(answer.start, answer.end);
    return false;
  }
  text = answer.text;
  find(".kr-link").replaceChildren(); // the link is to the rubber as it was
  if (stored("rubber", text) === null) say("This browser cannot store the rubber: save it before you leave the page.", true);
  drawn.innerHTML = answer.html;
  begin.elements.code.value = answer.code; // a new rubber begins with the same code and players
  for (const [seat, name] of Object.entries(answer.players)) begin.elements[seat.toLowerCase()].value = name;
  remember();
  fill(find(".kr-next"), keep || entered() !== before); // the next deal may have been begun meanwhile
  return true;
}

async function tell(entered) {
  if (!(await change(entered))) return;
  const paper = find(".kr-paper");
  if (deal.hidden) paper.focus({ preventScroll: true });
  paper.scrollIntoView({ block: deal.hidden ? "start" : "nearest" });
}

// Replace the rubber with a text from a link or a file; if it cannot be opened, the rubber stays. Resolves to whether it was.
async function open(given, from) {
  if (text && given !== text && !confirm(`Replace the rubber stored here with the one in the ${from}?`)) return false;
  const before = text;
  text = given;
  const opened = await change({}, true);
  if (!opened) text = before;
  return opened;
}

// Keep what was entered for a new rubber over a reload.
const remember = () => stored("begin", String(new URLSearchParams(new FormData(begin))));
begin.addEventListener("input", remember);
begin.addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = Object.fromEntries(new FormData(begin));
  tonight(told.code);
  if (await change({ text: "", begin: told })) deal.scrollIntoView({ block: "start" });
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
  tell(Object.fromEntries(new FormData(deal, event.submitter)));
});

const DOES = {
  edit: (_, button) => {
    fill(button.nextElementSibling);
    deal.scrollIntoView({ block: "start" });
  },
  insert: (at) => {
    fill(find(".kr-before"));
    field.before.value = at;
    find(".kr-deal .kr-go").textContent = `Insert before deal ${at + 1}`;
    deal.scrollIntoView({ block: "start" });
  },
  cancel: () => fill(find(".kr-next")),
  remove: async (at) => {
    const before = text;
    if (!(await change({ remove: at }))) return;
    const undo = made("button", { type: "button", click: () => change({ text: before }, true) }, "Undo");
    said.append(` Deal ${at + 1} is removed. `, undo);
    undo.focus();
  },
  save: () => save(text, "rubber.hand"),
  link: async () => linkTo({ rubber: await packed(text) }, find(".kr-link")),
  new: () => {
    if (!confirm("Begin a new rubber? This one will be lost unless you save it.")) return;
    stored("rubber", text = "");
    deal.reset();
    drawn.replaceChildren();
    begin.elements.code.focus();
    say("");
  },
};
root.addEventListener("click", ({ target }) => DOES[target.dataset.does]?.(Number(target.value), target));

for (const [name, value] of new URLSearchParams(stored("begin") ?? "")) if (name in begin.elements) begin.elements[name].value = value;
const asked = new URLSearchParams(location.hash.slice(1) || location.search), { code } = begin.elements;
choose(code, asked.get("code") || tonight() || code.value);
text = stored("rubber") ?? "";
const linked = asked.get("rubber"), given = linked && await unpacked(linked).catch(() => null);
if (linked) history.replaceState(null, "", location.pathname);
if (given || text) {
  keptBox.inert = true;
  drawn.append(made("p", { class: "kr-paper" }, "The rubber is being opened."));
  const opened = given && await open(given, "link");
  if (!opened && !text) drawn.replaceChildren();
  else if (!opened && !(await change({}, true))) {
    // The text can still be saved; it is removed only if the reader discards it.
    say(`What is stored in this browser could not be opened as a rubber. ${said.textContent} Save it, or begin a new one.`, true);
    drawn.replaceChildren(made("p", { hidden: "" })); // the form for a new rubber would suggest that this one was lost
  }
  keptBox.inert = false;
}
if (linked && !given) say("The link does not contain a complete rubber; it may have been cut short.", true);
