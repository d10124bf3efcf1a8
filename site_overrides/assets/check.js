// The page "Check a hand": an editor, the worker that checks (check-worker.js), and the answer beside it, which is made
// by Python in the worker: a record's own words are escaped there, as on every page.
import { coded, copied, made, through } from "./page.js";
import { player } from "./play.js";
import { begin } from "./python.js";
import { tapTable } from "./table.js";

const root = document.getElementById("check");
const find = (selector) => root.querySelector(selector);
const files = JSON.parse(document.getElementById("check-facts").textContent);
const form = find("form"), area = find("#check-text"), gutter = find(".check-gutter");
const code = find("#check-code"), status = find(".check-status");
const progress = find(".check-progress"), out = find(".check-answer");
const go = find(".check-go"), stop = find(".check-stop"), menu = find("#check-example");
const sets = root.querySelectorAll(".check-options, .check-readings"); // of each code
const LARGEST = 2_000_000; // characters: beyond this the command line is the place
const TOO_LARGE = "is too large for a page; `oddtrick check` takes files of any size.";
let worker = null, ready = false, asked = 0, filled = "", name = "deal.hand", places = [];
let sent = "", count = 0, reading = 0, typed = 0; // the text last asked about; the number of that question, of the table's; the pause after typing

const say = (words, wrong = false) => {
  status.replaceChildren(...coded(words));
  status.classList.toggle("check-wrong", wrong);
};

// The numbers of the lines, each with the mark of the worst finding on it.
function draw() {
  const rows = area.value.split("\n").map((_, i) => made("div", {}, String(i + 1)));
  for (const { line, severity, mark, element } of places.toSorted((a, b) => b.rank - a.rank)) {
    const row = rows[line - 1];
    if (!row) continue;
    row.className = `check-at check-${severity}`;
    row.onclick = () => element.querySelector("button").focus();
    row.replaceChildren(made("b", {}, mark), String(line));
  }
  gutter.replaceChildren(...rows);
  gutter.scrollTop = area.scrollTop;
}

function jump(place) {
  area.focus({ preventScroll: true });
  area.setSelectionRange(place.start, place.end);
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTo(0, (place.line - 1) * height - area.clientHeight / 3);
  area.scrollIntoView({ block: "nearest" });
  for (const other of places) other.element.classList.toggle("check-now", other === place);
  say(`Line ${place.line}: ${place.message}`);
}

// From the cursor to the next finding, or the one before; round the end.
function step(forward) {
  const listed = places.filter((p) => p.line).sort((a, b) => (forward ? 1 : -1) * (a.start - b.start));
  const at = area.selectionStart;
  const next = listed.find((p) => (forward ? p.start > at : p.start < at)) ?? listed[0];
  if (next) jump(next);
}

function stale() {
  if (!area.value.trim()) out.replaceChildren(); // what was found is of a record that is gone
  else if (out.querySelector(".check-item")) out.classList.add("check-stale");
}

function fill(text, from) {
  const changed = area.value.trim() && area.value !== filled && area.value !== text;
  if (changed && !confirm("Put this record in the place of yours?")) return false;
  area.value = text;
  filled = area.value;
  area.scrollTop = 0;
  area.setSelectionRange(0, 0);
  places = [];
  out.replaceChildren();
  out.classList.remove("check-stale");
  draw();
  say(from);
  reread();
  return true;
}

// What the table writes. A new deal (`anew`) asks before a record of the reader's own is thrown away.
function write(text, anew = false) {
  const changed = area.value.trim() && area.value !== filled;
  if (anew && changed && !confirm("Begin a new deal? The record is not kept.")) return false;
  area.value = text;
  if (anew) [filled, name] = [area.value, "deal.hand"];
  places = [];
  draw();
  stale();
  if (ready) read();
  return true;
}

// Have the text read into the table; the answer to an older text is not waited for.
function read() {
  if (area.value.length <= LARGEST) reading = put({ of: "table" });
}

// The text was changed by hand: it is read at once where the checker is there, or else when the reader asks.
function reread() {
  clearTimeout(typed);
  table.changed(area.value, `Read it into the table${ready ? "" : " (fetches the checker)"}`);
  if (ready && area.value.trim()) typed = setTimeout(read, 250);
}

async function example(address, label) {
  const reply = await fetch(address).catch((error) => ({ status: error.message }));
  if (!reply.ok) return say(`The example could not be fetched (${reply.status}).`, true);
  if (!fill(await reply.text(), `${label}. Press Check.`)) return;
  choose("", []);
  root.scrollIntoView({ block: "start" });
  area.focus({ preventScroll: true });
}

async function open(file) {
  if (file.size > LARGEST) return say(`That file ${TOO_LARGE}`, true);
  const data = new Uint8Array(await file.arrayBuffer());
  const marked = { "255,254": "utf-16le", "254,255": "utf-16be" }[data.subarray(0, 2)] ?? "utf-8";
  let text;
  try {
    text = new TextDecoder(marked, { fatal: true }).decode(data);
  } catch {
    text = new TextDecoder("windows-1252").decode(data); // what old PBN files are written in
  }
  if (fill(text, `${file.name}. Press Check.`) && file.name.endsWith(".hand")) name = file.name;
  area.focus();
}

function choose(id, chosen) {
  code.value = id;
  code.value ||= "";
  for (const set of sets) {
    set.hidden = set.dataset.code !== code.value;
    for (const box of set.querySelectorAll("input")) box.checked = !set.hidden && chosen.includes(box.value);
    for (const doubt of set.querySelectorAll("select")) {
      const known = Array.from(doubt.options, (one) => one.value);
      doubt.value = (!set.hidden && chosen.find((one) => known.includes(one))) || "";
      if (doubt.value) set.open = true;
    }
  }
}

// The options of the code that are ticked, and the readings that are not left as they are applied.
const chosenOptions = () => {
  const boxes = root.querySelectorAll(".check-options input:checked, .check-readings select");
  return Array.from(boxes, (box) => box.value).filter(Boolean);
};

function busy(on) {
  go.disabled = on;
  stop.hidden = !on;
  progress.hidden = !on || ready;
  root.setAttribute("aria-busy", String(on));
}

function end(words, wrong) {
  worker?.terminate();
  worker = null;
  ready = false;
  [asked, reading] = [0, 0];
  busy(false);
  say(words, wrong);
}

function heard({ data }) {
  const waited = asked > 0 || reading > 0; // else Python is started before anything is asked, which says nothing
  if (data.ready || (!waited && data.id === undefined)) {
    if (data.failed) end("", false);
    else if (data.ready && !waited) ready = true;
  } else if (data.total) {
    progress.value = data.loaded / data.total;
    const [come, all] = [data.loaded, data.total].map((n) => (n / 1e6).toFixed(1));
    say(`Fetching the checker: ${come} of ${all} MB.`);
  } else if (data.starting) {
    progress.removeAttribute("value");
    say("Starting Python.");
  } else if (data.failed && [asked, reading].includes(data.id)) {
    const words = `The checker failed: ${data.failed.trim().split("\n").at(-1)}`;
    if (!data.loaded) return end(words, true); // the next Check begins anew
    busy(false);
    say(words, true);
  } else if ([asked, reading].includes(data.id)) {
    if (!ready) say("");
    ready = true;
    busy(false);
    find(".check-size").hidden = true;
    if (data.id === asked) show(data.answer);
    else if (data.answer.wrong) say(data.answer.said, true);
    // What was changed since is read again.
    if (data.answer.table && sent === area.value) table.show(data.answer.table);
    if (data.id === reading) reading = 0;
  }
}

function check() {
  if (go.disabled) return;
  const empty = "There is nothing to check yet: paste a record, or begin with an example.";
  if (!area.value.trim()) return say(empty, true);
  if (area.value.length > LARGEST) return say(`That ${TOO_LARGE}`, true);
  clearTimeout(typed);
  reading = 0;
  asked = put({});
  if (ready) say("Checking.");
}

// Start the worker: at the first tap or key, so that it is ready when it is asked.
function start() {
  if (worker) return;
  worker = begin();
  worker.onmessage = heard;
  worker.onerror = (event) => {
    event.preventDefault();
    end("The checker could not be started in this browser.", true);
  };
  progress.value = 0;
  worker.postMessage({ files });
}

// Put a question about the text to the worker; the number of the question.
function put(question) {
  start();
  if (!ready) say("Fetching the checker.");
  if (!ready || !question.of) busy(true);
  const whole = { text: area.value, code: code.value || null, options: chosenOptions(), deal: table.deal(), ...question };
  sent = area.value;
  worker.postMessage({ id: ++count, files, question: whole });
  return count;
}

function show(answer) {
  out.classList.remove("check-stale");
  out.innerHTML = answer.html ?? "";
  const listed = out.querySelectorAll(".check-finding");
  places = (answer.places ?? []).map((place, i) => ({ ...place, element: listed[i] }));
  for (const place of places) place.element.querySelector("button")?.addEventListener("click", () => jump(place));
  out.querySelectorAll(".deal").forEach(player);
  draw();
  say(answer.said, answer.wrong);
  if (out.getBoundingClientRect().top > innerHeight * 0.8) status.scrollIntoView({ block: "start" });
}

function save() {
  if (!area.value.trim()) return say("There is no record to save yet.", true);
  const href = URL.createObjectURL(new Blob([area.value], { type: "text/plain" }));
  made("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
  filled = area.value;
  say(`Saved as ${name}.`);
}

async function packed(text) {
  const data = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = Array.from(new Uint8Array(await data.arrayBuffer()), (byte) => String.fromCharCode(byte));
  return btoa(letters.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The text that a link carries; refused where it would unpack to more than the page takes.
async function unpacked(word) {
  const data = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const whole = await through(new DecompressionStream("deflate-raw"), data, (come) => {
    if (come > LARGEST) throw new Error("too large");
  });
  return new TextDecoder("utf-8", { fatal: true }).decode(await whole.arrayBuffer());
}

async function link() {
  if (!area.value.trim()) return say("There is no record to link to yet.", true);
  const parts = { record: await packed(area.value), code: code.value, options: chosenOptions().join(" ") };
  const told = Object.entries(parts).filter(([, value]) => value);
  history.replaceState(null, "", `#${new URLSearchParams(told)}`);
  const { length } = location.href;
  const long = length > 8000 ? ` It has ${length} letters, more than some programs take.` : "";
  say(`The link is ${(await copied(location.href)) ? "on the clipboard" : "in the address bar"}.${long}`);
}

async function follow() {
  if (!location.hash.startsWith("#record=")) return;
  const parts = new URLSearchParams(location.hash.slice(1));
  try {
    const text = await unpacked(parts.get("record"));
    if (!fill(text, "A record came with the link.")) return;
    choose(parts.get("code") ?? "", (parts.get("options") ?? "").split(" "));
    check();
  } catch {
    say("The link does not carry a whole record; perhaps it was cut.", true);
  }
}

const on = (element, kind, does) => element.addEventListener(kind, does);
on(form, "submit", (event) => { event.preventDefault(); check(); });
on(stop, "click", () => { end("Stopped."); go.focus(); });
on(find(".check-link"), "click", link);
on(find(".check-save"), "click", save);
on(code, "change", () => { choose(code.value, []); stale(); });
for (const set of sets) on(set, "change", stale);
on(area, "input", () => { places = []; draw(); stale(); reread(); });
on(area, "scroll", () => { gutter.scrollTop = area.scrollTop; });
on(area, "keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check();
  else if (event.altKey && ["ArrowDown", "ArrowUp"].includes(event.key)) step(event.key === "ArrowDown");
  else return;
  event.preventDefault();
});
on(find("#check-file"), "change", ({ target }) => {
  if (target.files[0]) open(target.files[0]);
  target.value = ""; // the same file may be opened again
});
const editor = find(".check-editor");
for (const name of ["dragover", "dragleave", "drop"]) {
  on(editor, name, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    editor.classList.toggle("check-over", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
  });
}

// The list of examples in the page becomes the menu above the editor; its links fill the editor.
for (const one of document.querySelectorAll("a[data-example]")) {
  menu.append(made("option", { value: one.href }, one.textContent));
  on(one, "click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    example(one.href, one.textContent);
  });
}
on(menu, "change", () => {
  if (menu.value) example(menu.value, menu.selectedOptions[0].textContent);
  menu.value = "";
});

// On paper the whole record is seen.
addEventListener("beforeprint", () => { area.style.height = `${area.scrollHeight + 4}px`; });
addEventListener("afterprint", () => { area.style.height = ""; });
addEventListener("hashchange", follow);
for (const kind of ["pointerdown", "keydown"]) root.addEventListener(kind, start, { once: true });

const table = tapTable(find("#table"), { write, ask: read, say });
document.getElementById("check-plain").hidden = true;
root.hidden = false;
choose(code.value, []); // a browser may keep what was chosen before
draw();
follow();
