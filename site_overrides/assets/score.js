// "What does it score?": the case that is chosen is looked up in the table of its denomination under the code
// (data/scores/CODE/DENOMINATION.json), which Python made of the accounts. Nothing is known here of a rule or a figure; points that stand there are added.
import { json, made, tonight } from "./page.js";

const root = document.getElementById("score");
const form = root.querySelector("form"), said = root.querySelector(".sc-said"), out = root.querySelector(".sc-account");
const field = form.elements;
const ids = Array.from(field.code.options, (one) => one.value).filter(Boolean);
const options = Array.from(field.option.options).slice(1), asked = {};
const table = (id) => (asked[id] ??= json(new URL(`../data/scores/${id}.json`, import.meta.url)))();
// What a code has to choose, with the accounts of a denomination where it has that.
const whole = async (id, name) => {
  const head = await table(id);
  return head.denominations.includes(name) ? { ...head, ...await table(`${id}/${name}`) } : head;
};
const START = { option: "", number: "4", denomination: "hearts", doubled: "0", games: "0-0", held: "0-0", side: "0", chicane: "0-0" };
const COLUMNS = ["trick", "honour", "total"];
let turn = 0, tricks = null; // the tricks of the last case, kept where they can be

const part = (name) => form.querySelector(`[data-of="${name}"]`);

// Offer of a control what a code has; a choice that is not among it gives way to the first, or to `other`.
function offer(name, values, other) {
  const radios = form.querySelectorAll(`[type=radio][name="${name}"]`);
  const all = radios.length ? Array.from(radios) : Array.from(field[name].options);
  for (const one of all) (radios.length ? one.parentElement : one).hidden = one.disabled = !values.includes(one.value);
  if (!values.includes(field[name].value)) field[name].value = values.includes(other) ? other : values[0];
  part(name).hidden = values.length < 2;
}

// The options of the code that is chosen; its id with the one that is chosen too, as the table is called.
function withOption(code) {
  for (const one of options) one.hidden = one.disabled = one.dataset.code !== code;
  part("option").hidden = options.every((one) => one.disabled);
  if (field.option.selectedOptions[0]?.disabled) field.option.value = "";
  return [code, field.option.value].filter(Boolean).join("+");
}

// What can be chosen under the codes that are shown: whatever one of them has.
function offers(listed) {
  const any = (of) => [...new Set(listed.flatMap(of))].map(String);
  offer("number", any((t) => t.numbers).filter((n) => n !== "0"), START.number);
  part("number").hidden = !any((t) => t.numbers).some((n) => n !== "0");
  offer("denomination", any((t) => t.denominations), START.denomination);
  const doubled = Array.from(form.querySelectorAll("[name=doubled]"), (one) => one.value);
  offer("doubled", doubled.filter((n) => listed.some((t) => !t.why[`doubled ${n}`])));
  offer("games", ["0-0", ...any((t) => t.games)].filter((g, i, whole) => whole.indexOf(g) === i));
  const below = Math.max(...listed.map((t) => t.below));
  part("below").hidden = below < 1;
  for (const name of ["ours", "theirs"]) field[name].max = below;
  const name = field.denomination.value;
  offer("held", ["0-0", ...any((t) => t.held[name] ?? [])]);
  offer("chicane", any((t) => t.chicane[name] ?? ["0-0"]));
  part("first").hidden = !listed.some((t) => t.first.includes(`${declared(t)} first`));
}

const declared = (table) =>
  `${field.denomination.value} ${table.numbers.includes(0) ? 0 : field.number.value} ${field.doubled.value}`;

// How many tricks were taken, in the words of the code; where several are shown, of the first that bids.
function results(listed) {
  const table = listed.find((t) => !t.numbers.includes(0)) ?? listed[0];
  const name = field.denomination.value;
  const kind = `${table.numbers.includes(0) ? 0 : field.number.value}${name.startsWith("nullo") ? " nullo" : ""}`;
  const words = table.results[kind] ?? Object.values(table.results)[0];
  const wanted = tricks ?? String(words.findIndex((one) => one.endsWith("as declared")));
  const options = words.map((one, n) => made("option", { value: n }, one)).reverse();
  field.tricks.replaceChildren(...options);
  field.tricks.value = wanted === "-1" ? "10" : wanted;
}

// The account of a code: its entries in order and what the deal does to the rubber, or why there is none.
function account(table) {
  const name = declared(table), none = table.why[field.denomination.value];
  const why = none ?? table.why[`doubled ${field.doubled.value}`];
  if (why) return { why };
  const rows = (field.first.checked && table.grid[`${name} first`]) || table.grid[name];
  const games = table.games.length ? field.games.value : "0-0";
  const row = rows[Math.min(Number(games[0]), rows.length - 1)];
  const [base, scorer, reached] = table.cells[row[Number(field.tricks.value)]];
  const held = field.held.value === "0-0" ? "0 0-0" : `${field.side.value} ${field.held.value}`;
  const here = table.held[field.denomination.value].includes(field.held.value);
  const chicane = table.chicane[field.denomination.value].includes(field.chicane.value) ? field.chicane.value : "0-0";
  const honours = table.honours[`${here ? held : "0 0-0"} ${chicane}`];
  if (!honours) return { why: "a side with a hand that has no trump cannot hold these honours" };
  const had = table.below ? Number(scorer ? field.theirs.value : field.ours.value) : 0;
  const won = reached !== null && had >= reached ? table.won[`${scorer} ${games}`] : [[], ""];
  return { entries: [...base, ...honours, ...won[0]].map((n) => table.entries[n]), after: won[1] };
}

const sums = (entries) => [0, 1].map((side) => COLUMNS.map((column) => entries
  .filter((e) => e[0] === side && e[1] === column).reduce((sum, e) => sum + e[2], 0)));

const points = (cells) => cells.map((n, i) => n && `${n} ${COLUMNS[i]}`).filter(Boolean).join(", ") || "0";

function laws(table, numbers) {
  const links = numbers.map((n) => table.laws[n]).map(([words, path]) =>
    made("a", { href: new URL(`../${path}`, import.meta.url).href }, words));
  return links.flatMap((link, i) => (i ? [", ", link] : [link]));
}

// An account as a table: each entry with its points under its side, and its laws.
function drawn(table, { entries, after }) {
  const head = made("thead", {}, made("tr", {}, ...["For", "Declarer", "Adversaries"]
    .map((words) => made("th", { scope: "col" }, words))));
  const rows = entries.map(([side, column, number, reason, behind]) => made("tr", {},
    made("th", { scope: "row" }, reason, " ", made("span", { class: "sc-laws" }, ...laws(table, behind))),
    ...[0, 1].map((one) => made("td", {}, one === side ? `${number} ${column}` : ""))));
  const whole = made("tr", { class: "sc-sum" }, made("th", { scope: "row" }, "In all"),
    ...sums(entries).map((cells) => made("td", {}, points(cells))));
  const name = `The account under ${table.short}`;
  const body = made("tbody", {}, ...rows, ...(entries.length > 1 ? [whole] : []));
  const scroll = { class: "sc-scroll", role: "region", tabindex: "0", "aria-label": name };
  const shown = entries.length ? made("div", scroll, made("table", { class: "sc-table" }, head, body)) : "Nothing is scored. ";
  return [shown, ...(after ? [made("p", {}, after)] : [])];
}

// What both sides have, the adversaries only where they have something.
function line(told) {
  if (told.why) return `cannot be scored: ${told.why}`;
  const [ours, theirs] = sums(told.entries).map(points);
  return theirs === "0" ? ours : `${ours === "0" ? "" : `${ours}; `}adversaries ${theirs}`;
}

function beside(table) {
  const told = account(table);
  const summary = made("summary", {}, made("b", {}, table.short), " ", made("span", {}, line(told)));
  return made("details", { class: told.why ? "sc-none" : "" }, summary, ...(told.why ? [] : drawn(table, told)));
}

async function draw() {
  const mine = ++turn, chosen = withOption(field.code.value);
  try {
    const under = chosen ? [chosen] : ids;
    const heads = await Promise.all(under.map(table));
    if (mine !== turn) return; // something else was chosen meanwhile
    offers(heads);
    const listed = await Promise.all(under.map((id) => whole(id, field.denomination.value)));
    if (mine !== turn) return;
    results(listed);
    const open = new Set(Array.from(out.querySelectorAll("details[open] b"), (b) => b.textContent));
    const told = chosen ? account(listed[0]) : null;
    out.replaceChildren(...(told ? (told.why ? [] : drawn(listed[0], told)) : listed.map(beside)));
    for (const one of out.querySelectorAll("details")) one.open = open.has(one.querySelector("b").textContent);
    said.textContent = told ? `${listed[0].short}: ${line(told)}.` : `${listed.length} codes: open one for its account.`;
    keep();
  } catch {
    said.textContent = "The table of the scores could not be fetched; try again.";
  }
}

// The case in the address of the page, so that it can be sent to somebody.
function keep() {
  const kept = new FormData(form);
  for (const [name, value] of [...kept]) {
    if (value === (START[name] ?? "0") && name !== "tricks") kept.delete(name);
  }
  history.replaceState(null, "", `#${new URLSearchParams(kept)}`);
}

function follow() {
  const given = new URLSearchParams(location.hash.slice(1) || location.search);
  for (const [name, value] of Object.entries({ ...START, ours: "0", theirs: "0", ...Object.fromEntries(given) })) {
    if (name === "first") field.first.checked = true;
    else if (name in field && name !== "tricks") field[name].value = value;
  }
  if (field.option.selectedIndex < 0) field.option.value = "";
  if (!given.has("code")) field.code.value = ids.includes(tonight()) ? tonight() : "";
  if (field.code.selectedIndex < 0) field.code.value = "";
  tricks = given.get("tricks");
  draw();
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", ({ target }) => {
  if (target.name === "code" && target.value) tonight(target.value);
  if (target.name === "tricks") tricks = target.value;
  if (target.name === "number" || target.name === "denomination") tricks = null;
  draw();
});
addEventListener("hashchange", follow);
document.getElementById("score-plain").hidden = true;
root.hidden = false;
follow();
