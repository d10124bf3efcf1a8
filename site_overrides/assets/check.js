// The page "Check a hand": an editor, the checker (python.js), and the answer, which Python renders as HTML. Text from a
// record is escaped by the templates, as on every page.
import { choose, LARGEST, linkTo, packed, save, status, stored, textOf, unpacked } from "./page.js";
import { player } from "./play.js";
import { python } from "./python.js";
import { tapTable } from "./table.js";

const root = document.getElementById("check");
const find = (selector) => root.querySelector(selector);
const area = find("#check-text"), code = find("#check-code"), line = find(".check-status"), say = status(line);
const out = find(".check-answer"), go = find(".check-go");
const sets = root.querySelectorAll(".check-choices"); // the options and readings of each code
let saved = "", name = "deal.hand", typed = 0; // text as last saved or opened; name for saving; timer

const checker = python(root, (words) => {
  say(words);
  table.wait(words);
});

// --- the editor ---

// Select the words to which a finding links. Columns count characters, offsets count UTF-16 code units.
function jump(link) {
  const [line, column, end] = link.dataset.place.split(" ").map(Number);
  const lines = area.value.split("\n"), own = [...(lines[line - 1] ?? "")];
  const at = (column) => lines.slice(0, line - 1).join("\n").length + (line > 1) + own.slice(0, column - 1).join("").length;
  area.focus({ preventScroll: true });
  area.setSelectionRange(at(column), at(Math.max(column, end)));
  area.scrollTo(0, (line - 1) * parseFloat(getComputedStyle(area).lineHeight) - area.clientHeight / 3);
  area.scrollIntoView({ block: "nearest" });
  say(`Line ${line}: ${link.closest(".finding").querySelector(".message").textContent}`);
}

// Say whether the answer is that of an older record.
function outdated(is) {
  out.classList.toggle("check-stale", is);
  if (is) say("The record or the code has changed since this check.");
}

function changed() {
  stored("record", area.value === saved ? "" : area.value);
  if (location.hash.startsWith("#record=")) history.replaceState(null, "", location.pathname); // a reload would bring back the link's record
  if (!area.value.trim()) out.replaceChildren(); // the answer belongs to a record that has been deleted
  else if (out.querySelector(".check-item")) outdated(true);
}

// Replace the record with a text from elsewhere, after confirmation if the record is unsaved. Returns whether it was replaced.
function fill(text, from) {
  const unsaved = area.value.trim() && area.value !== saved && area.value !== text;
  if (unsaved && !confirm("This record has not been saved. Replace it?")) return false;
  area.value = text;
  [saved, name] = [area.value, "deal.hand"];
  area.scrollTop = 0;
  area.setSelectionRange(0, 0);
  out.replaceChildren();
  changed();
  say(from);
  reread();
  return true;
}

// Write the text that the table produced.
function write(text) {
  area.value = text;
  changed();
}

// --- questions to the checker ---

// The options of the code that are ticked, and the readings for which another choice was made.
const options = () => Array.from(root.querySelectorAll(".check-choices:not([hidden]) :is(input:checked, select)"), (one) => one.value).filter(Boolean);

// What every question says of the record.
const asked = () => ({ text: area.value, code: code.value || null, options: options() });

async function put(question) {
  const first = !checker.isReady(), answer = await checker.ask({ ...asked(), view: table.view(), ...question });
  if (first || answer.failed) say(answer.status ?? "", answer.failed);
  answer.table ??= { error: `${answer.status}${question.taps ? " Anything you tapped in the meantime was not recorded." : ""}` };
  return answer;
}

// After the text was edited: read it into the table if the checker is running, otherwise offer to do so.
function reread() {
  clearTimeout(typed);
  table.changed(`Read it into the table${checker.isReady() ? "" : " (fetches the checker)"}`);
  if (checker.isReady() && area.value.trim()) typed = setTimeout(table.read, 250);
}

async function check(button) {
  const unadded = () => find(".table-body:not([inert]) .table-add")?.form;
  if (unadded()?.reportValidity()) await table.tap("irregular", Object.fromEntries(new FormData(unadded())));
  if (unadded()) return say("The irregularity is not yet added.", true);
  clearTimeout(typed);
  go.disabled = true;
  say("Checking.");
  const before = JSON.stringify(asked()), answer = await put({}), late = JSON.stringify(asked()) !== before; // what was changed stays
  go.disabled = false;
  if (late && !answer.failed) table.read();
  else table.show(answer.table);
  say(answer.status, answer.failed);
  if (!answer.html) return;
  out.innerHTML = answer.html;
  out.querySelectorAll(".deal").forEach(player);
  outdated(late);
  if (late) return;
  if (button) Object.assign(out.querySelector(".verdict") ?? out, { tabIndex: -1 }).focus();
  else if (out.getBoundingClientRect().top > innerHeight * 0.8) line.scrollIntoView({ block: "start" });
}

// --- files, examples, links ---

// Choose a code with options and readings.
function judgedUnder(id, chosen) {
  choose(code, id);
  for (const set of sets) {
    set.hidden = set.dataset.code !== code.value;
    for (const one of set.querySelectorAll("input, option")) one[one.type ? "checked" : "selected"] = chosen.includes(one.value);
  }
}

async function open(file) {
  if (file.size > LARGEST) return say("That file is too large for a page; `oddtrick check` takes files of any size.", true);
  if (fill(await textOf(file), `${file.name}. Press Check.`) && file.name.endsWith(".hand")) name = file.name;
  area.focus();
}

async function link() {
  if (!area.reportValidity()) return;
  const parts = { record: await packed(area.value), code: code.value, options: options().join(" ") };
  say("");
  linkTo(parts, line);
}

async function follow() {
  if (!location.hash.startsWith("#record=")) return;
  const { hash } = location, parts = new URLSearchParams(hash.slice(1));
  checker.start();
  const text = await unpacked(parts.get("record")).catch(() => null);
  if (text === null) return say("The link does not contain a complete record; it may have been cut short.", true);
  if (!fill(text, "A record came with the link.")) return history.replaceState(null, "", location.pathname);
  history.replaceState(null, "", hash); // until the record is changed, a reload opens it again
  judgedUnder(parts.get("code") ?? "", (parts.get("options") ?? "").split(" "));
  line.scrollIntoView({ block: "center" });
  check();
}

const on = (element, kind, does) => element.addEventListener(kind, does);
on(find(".check-form"), "submit", (event) => { event.preventDefault(); check(event.submitter); });
on(find(".check-link"), "click", link);
on(find(".check-save"), "click", () => {
  if (!area.reportValidity()) return;
  save(area.value, name);
  saved = area.value;
  say(`Saved as ${name}.`);
});
on(code, "change", () => { judgedUnder(code.value, []); changed(); });
for (const set of sets) on(set, "change", changed);
on(area, "input", () => { changed(); reread(); });
on(area, "keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  area.form.requestSubmit();
});
on(out, "click", async (event) => {
  const { dataset: { tab, told }, value } = event.target;
  if (tab) {
    await table.tap("tab", tab);
    if (told) await table.tap("name", JSON.parse(told));
    (find(`[name="${value}"]`) ?? find(".table-add, .table-stale button")).focus();
  }
  const link = event.target.closest("[data-place]");
  if (!link || out.matches(".check-stale")) return;
  event.preventDefault();
  jump(link);
});
on(find("#check-file"), "change", ({ target }) => {
  if (target.files[0]) open(target.files[0]);
  target.value = ""; // so that the same file can be opened again
});
addEventListener("hashchange", follow);

const table = tapTable(find("#table"), { text: () => area.value, write, ask: put, begin: (text) => fill(text, "A new deal.") });
judgedUnder(code.value, []); // the browser may have restored an earlier choice
area.value = stored("record") ?? "";
if (area.value && !location.hash.startsWith("#record=")) {
  say("Your last record is still here.");
  reread();
}
follow();
