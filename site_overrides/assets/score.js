// "What does it score?": looks up the chosen case in the table of its code and denomination, which Python computed
// (data/scores/CODE/DENOMINATION.json). This script contains no rules or figures; it only adds points from the table.
import { choose, copyOn, json, made, tonight } from "./page.js";

const root = document.getElementById("score");
const form = root.querySelector("form"), said = root.querySelector(".sc-said"), out = root.querySelector(".sc-account");
const field = form.elements;
const ids = Array.from(field.code.options, (one) => one.value).filter((id) => id && !id.includes("+")), asked = {};
const table = (id) => (asked[id] ??= json(new URL(`../data/scores/${id}.json`, import.meta.url)))();
// The choices of a code, with the accounts of a denomination if the code has it.
const whole = async (id, name) => {
  const head = await table(id);
  return head.offers.denomination.includes(name) ? { ...head, ...await table(`${id}/${name}`) } : head;
};
const COLUMNS = ["trick", "honour", "total"];
let turn = 0, tricks = null, over = 0; // number of the latest draw(); the tricks chosen, kept when possible; or how many over the declaration

const part = (name) => form.querySelector(`[data-of="${name}"]`);

// The values of a control that a code has, for the denomination chosen if they depend on it.
const offered = (table, name) => table.offers[name][field.denomination.value] ?? table.offers[name];

// The number of odd tricks declared, 0 in a code without bids.
const number = (table) => (table.offers.number.length ? field.number.value : 0);
const declared = (table) => `${field.denomination.value} ${number(table)} ${field.doubled.value}`;

// Offer every choice that at least one of the codes shown has, radio buttons in the order of the codes; if that chosen before is
// not among them, choose another. A control without a choice is hidden.
function offers(listed) {
  for (const name of Object.keys(listed[0].offers)) {
    const values = [...new Set(listed.flatMap((table) => offered(table, name)))], place = ({ value }) => values.indexOf(value);
    const chips = [...part(name).querySelectorAll("[type=radio]")], sorted = [...chips].sort((one, other) => place(one) - place(other));
    for (const one of [...chips, ...part(name).querySelectorAll(`[name=${name}] option`)]) {
      (one.type ? one.parentElement : one).hidden = one.disabled = place(one) < 0;
    }
    if (sorted.some((one, n) => one !== chips[n])) part(name).append(...sorted.map((one) => one.parentElement));
    part(name).hidden = values.length < 2;
    if (!values.includes(field[name].value)) field[name].value = values[0];
  }
  const words = listed.some((t) => t.vulnerable) ? " (vulnerable)" : "";
  for (const one of field.games.options) one.textContent = one.textContent.replace(/ \(vulnerable\)$/, "") + (one.value === "0-0" ? "" : words);
  part("below").hidden = !listed.some((t) => t.below);
  part("first").hidden = !listed.some((t) => t.first.includes(`${declared(t)} first`));
}

// Offer the results in the words of the code; for several codes, those of the first one with bids.
function results(listed) {
  const table = listed.find((t) => t.offers.number.length) ?? listed[0];
  const kind = `${number(table)}${field.denomination.value.startsWith("nullo") ? " nullo" : ""}`;
  const [words, overs] = table.results[kind] ?? Object.values(table.results)[0], wanted = tricks ?? overs.indexOf(over);
  field.tricks.replaceChildren(...words.map((one, n) => made("option", { value: n }, one)).reverse());
  field.tricks.value = wanted < 0 ? 10 : wanted;
}

// The account under a code: the entries in order and the effect on the rubber, or the reason (`why`) if there is none.
function account(table) {
  const name = declared(table), none = table.why[field.denomination.value];
  const why = none ?? table.why[`doubled ${field.doubled.value}`];
  if (why) return { why };
  const rows = (field.first.checked && table.grid[`${name} first`]) || table.grid[name];
  const [games, held, chicane] = ["games", "held", "chicane"].map((of) => (offered(table, of).includes(field[of].value) ? field[of].value : "0-0"));
  const row = rows[Math.min(Number(games[0]), rows.length - 1)];
  const [base, scorer, reached] = table.cells[row[Number(field.tricks.value)]];
  const honours = table.honours[`${held === "0-0" ? 0 : field.side.value} ${held} ${chicane}`];
  if (!honours) return { why: "a side with a hand that has no trump cannot hold these honours" };
  const had = table.below ? Number(scorer ? field.theirs.value : field.ours.value) : 0;
  const won = reached !== null && had >= reached ? table.won[`${scorer} ${games}`] : [[], ""];
  return { entries: [...base, ...honours[Number(field.doubled.value > 0)], ...won[0]].map((n) => table.entries[n]), after: won[1] };
}

const sums = (entries) => [0, 1].map((side) => COLUMNS.map((column) => entries
  .filter((e) => e[0] === side && e[1] === column).reduce((sum, e) => sum + e[2], 0)));

const points = (cells, names) => cells.map((n, i) => n && `${names[i]} ${n}`).filter(Boolean).join(", ") || "0";

function laws(table, numbers) {
  const links = numbers.map((n) => table.laws[n]).map(([words, path]) =>
    made("a", { href: new URL(`../${path}`, import.meta.url).href }, words));
  return made("small", { class: "laws" }, ...links.flatMap((link, i) => (i ? [", ", link] : [link])));
}

const row = (head, cells, span = 1) =>
  made("tr", {}, made("th", { scope: "row" }, ...head), ...cells.map((cell) => made("td", { colspan: span }, String(cell))));

// An account in the table of every account (check.html).
function drawn(table, { entries, after }) {
  if (!entries.length) return ["Nothing is scored."];
  const shown = root.querySelector("template").content.firstElementChild.cloneNode(true), due = sums(entries);
  shown.querySelectorAll("thead tr:last-child th:not(:first-child)").forEach((th, i) => { th.textContent = table.columns[i % 2]; });
  shown.querySelector("tbody").replaceChildren(...entries.map(([side, column, number, reason, behind]) => {
    const head = [reason, laws(table, behind)], at = 2 * side + COLUMNS.indexOf(column);
    if (column === "total") return row(head, [`${number} to ${side ? "the adversaries" : "the declaring side"} in the total`], 4);
    return row(head, [0, 1, 2, 3].map((i) => (i === at ? number : "")));
  }));
  shown.querySelector("tfoot").replaceChildren(row(["in all"], due.flatMap((of) => of.slice(0, 2))),
    ...(due.some((of) => of[2]) ? [row(["and in the total"], due.map((of) => of[2]), 2)] : []));
  shown.ariaLabel = `The account under ${table.short}`;
  return [shown, ...(after ? [made("p", { class: "account-after" }, after)] : [])];
}

// The points of both sides in a line; the adversaries are left out if they score nothing.
function line(told, names) {
  if (told.why) return `cannot be scored: ${told.why}`;
  const [ours, theirs] = sums(told.entries).map((cells) => points(cells, names));
  return theirs === "0" ? ours : `${ours === "0" ? "" : `${ours}; `}adversaries ${theirs}`;
}

// The account of a code in a fold.
function fold(table, open) {
  const told = account(table);
  const summary = made("summary", {}, made("b", {}, table.short), " ", made("span", {}, line(told, table.columns)));
  const shown = made("details", { class: told.why ? "sc-none" : "" }, summary, ...(told.why ? [] : drawn(table, told)));
  shown.open = open;
  return shown;
}

async function draw() {
  const mine = ++turn, chosen = field.code.value;
  try {
    const under = chosen ? [chosen] : ids;
    const heads = await Promise.all(under.map(table));
    if (mine !== turn) return; // the reader changed a choice meanwhile
    offers(heads);
    const listed = await Promise.all(under.map((id) => whole(id, field.denomination.value)));
    if (mine !== turn) return;
    results(listed);
    const open = new Set(Array.from(out.querySelectorAll("details[open] b"), (b) => b.textContent));
    out.replaceChildren(...listed.map((table) => fold(table, chosen || open.has(table.short))));
    const [first] = listed;
    said.textContent = chosen ? `${first.short}: ${line(account(first), first.columns)}.` : `${listed.length} codes: open one for its account.`;
    history.replaceState(null, "", `#${new URLSearchParams(new FormData(form))}`); // so that the case can be shared
  } catch {
    said.textContent = "The table of the scores could not be fetched; try again.";
  }
}

// Read the case in the URL.
function follow() {
  const given = new URLSearchParams(location.hash.slice(1) || location.search);
  form.reset();
  for (const [name, value] of given) {
    if (name === "first") field.first.checked = true;
    else if (name !== "tricks" && field.namedItem(name)) field[name].value = value;
  }
  choose(field.code, [given.get("code") ?? tonight(), given.get("option")].filter(Boolean).join("+")); // older links have an option
  [tricks, over] = [given.get("tricks"), Number(given.get("over"))];
  draw();
}

copyOn(root.querySelector("[data-copy]"), () => location.href, said);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", ({ target }) => {
  if (target.name === "code" && target.value) tonight(target.value.split("+")[0]);
  if (target.name === "tricks") tricks = target.value;
  if (target.name === "number" || target.name === "denomination") [tricks, over] = [null, 0];
  draw();
});
addEventListener("hashchange", follow);
follow();
