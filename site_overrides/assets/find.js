// The search box in the header of every page: shows results from search.js while the reader types. The index, by far the
// largest file of a page, is fetched when the box is first used. `/`, `s` and `f` open the box, Escape closes it, and the
// arrow keys and Enter choose. `?q=` searches when the page opens; `?h=` marks the words of the query on the page that was opened.
import { made, tonight } from "./page.js";

const box = document.querySelector(".find"), field = box.querySelector("input"), list = box.querySelector("ol"), status = box.querySelector("p");
const root = new URL("../", import.meta.url), MOST = 12, LAWS = 5, OTHERS = 2;
const STORY = /\b(i|he|she|we|they|me|him|us|them|my|his|her|our|their|partner|opponent|someone|somebody)\b/;
let turn = 0, from = null, search = null;

// The results in order (`hits`), and whether any fits (`sure`). Cited provisions come first. The best dispute is placed first of all if the query describes an event,
// otherwise third. The best results of each kind, LAWS laws and OTHERS of any other kind, come before the rest.
async function found(words) {
  const tools = await (search ??= import("./search.js"));
  const data = await tools.index();
  const shown = ([kind, where, title, text, , , , , , , url]) => ({ kind, title, text, url: url ?? where });
  const cited = tools.cited(data, words);
  const { order, sure } = tools.answers(data, words, tonight());
  const rest = [...new Set([...cited, ...order])].slice(0, 3 * MOST).map((n) => shown(data.docs[n]));
  const { found: disputes, asked: rule, fits } = tools.sought(data, words, tonight() || undefined);
  if (cited.length) return { hits: rest, sure: true };
  if (!fits || rule) return { hits: bounded(rest), sure: sure || rule };
  const story = STORY.test(words.toLowerCase());
  const may = disputes.filter(({ absent }) => !absent).slice(0, story ? 3 : 1)
    .map((one) => ({ kind: "dispute", title: one.label, text: one.meaning, url: tools.pageOf(one) }));
  const first = story ? may.splice(0, 1) : [];
  return { hits: bounded([...first, ...rest.slice(0, 2), ...may, ...rest.slice(2)]), sure: true };
}

function bounded(hits) {
  const count = {}, late = hits.filter(({ kind }) => (count[kind] = (count[kind] ?? 0) + 1) > (kind === "law" ? LAWS : OTHERS));
  return [...hits.filter((hit) => !late.includes(hit)), ...late];
}

const KINDS = { law: "", dispute: "Dispute", topic: "Topic", term: "Glossary", rule: "History", finding: "Finding", reading: "Reading", code: "Code", page: "Page" };
const chosen = () => list.querySelector("[aria-selected=true]");

function choose(entry) {
  for (const one of list.children) one.ariaSelected = String(one === entry);
  entry?.scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", entry?.id ?? "");
}

function line({ kind, title, text, url }, n) {
  const to = new URL(url, root);
  to.searchParams.set("h", field.value.trim());
  return made("li", { id: `find-${n}`, role: "option", "aria-selected": "false" }, made("a", { href: to, tabindex: "-1", class: kind },
    ...(KINDS[kind] ? [made("small", {}, KINDS[kind])] : []), made("b", {}, title), made("span", {}, text)));
}

async function show() {
  const mine = ++turn, words = field.value.trim();
  const { hits, sure } = words.length > 1 ? await found(words).catch(() => ({})) : { hits: [] };
  if (mine !== turn) return; // the reader typed more meanwhile
  list.replaceChildren(...(hits ?? []).slice(0, MOST).map(line));
  field.ariaExpanded = String(list.children.length > 0);
  status.textContent = !words ? "" : !hits ? "The index could not be loaded." : !hits.length ? "Nothing was found."
    : !sure ? "Nothing fits well. The laws are searched in our words, not in those of the books." : hits.length > MOST ? `The best ${MOST} results` : `${hits.length} found`;
  choose(null);
}

function open() {
  box.classList.add("find-open");
  field.focus();
}

function close() {
  box.classList.remove("find-open");
  field.ariaExpanded = "false";
  document.activeElement.blur();
  from?.focus();
}

field.addEventListener("focus", ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) from = relatedTarget;
  box.classList.add("find-open");
  search ??= import("./search.js");
  search.then((tools) => tools.index()).catch(() => { search = null; });
});
field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  const all = [...list.children], at = all.indexOf(chosen());
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (event.key === "Escape") close();
  else if (event.key === "Enter") (chosen() ?? all[0])?.querySelector("a").click();
  else if (to !== undefined && all.length) choose(all.at(to % all.length));
  else return;
  event.preventDefault();
});
for (const kind of ["focusin", "pointerdown"]) document.addEventListener(kind, ({ target }) => { if (!box.contains(target)) box.classList.remove("find-open"); });
box.querySelector("button").addEventListener("click", close);
document.querySelector(".find-button").addEventListener("click", open);
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("input, textarea, select, .table-body"); // on the table, letters choose cards and calls
  if (writes || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !["/", "s", "f"].includes(event.key)) return;
  event.preventDefault();
  open();
});

// Highlight the words of the query in the text of the page, but not in addresses, citations and the notes below the text.
function mark(words) {
  const all = words.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2).map((word) => word.replace(/(?<=..)(s|ed|ing)$/, ""));
  if (!all.length) return;
  const pattern = new RegExp(`\\b(?:${all.join("|")})[a-z]*`, "gi"), found = new Highlight();
  const walk = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    if (text.parentElement.closest(".ours, .cite, .law-source, .turn")) continue;
    for (const { index, 0: { length } } of text.data.matchAll(pattern)) {
      found.add(new StaticRange({ startContainer: text, startOffset: index, endContainer: text, endOffset: index + length }));
    }
  }
  CSS.highlights.set("found", found);
}

const given = new URLSearchParams(location.search);
if (given.has("h") && window.Highlight) mark(given.get("h"));
if (given.has("q")) {
  field.value = given.get("q");
  open();
  show();
}
