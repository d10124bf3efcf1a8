// The search box in the header of every page: shows results from search.js while the reader types. The index, by far the
// largest file of a page, is fetched when the box is first used. `/`, `s` and `f` open the box, Escape closes it, and the
// arrow keys and Enter choose. `?q=` searches when the page opens; `?h=` marks the words of the query on the page it led to.
import { made } from "./page.js";

const box = document.querySelector(".find"), field = box.querySelector("input");
const button = made("button", { type: "button", class: "find-close", click: close }, "Close");
const status = made("p", { role: "status" });
const list = made("ol", { id: "find-hits", role: "listbox", "aria-label": "What is found" });
const combobox = { role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list", autocapitalize: "off", autocomplete: "off", autocorrect: "off", spellcheck: "false" };
for (const [name, value] of Object.entries(combobox)) field.setAttribute(name, value);
field.after(button);
box.append(made("div", { class: "find-box" }, status, list));
const root = new URL("../", import.meta.url), MOST = 12;
const STORY = /\b(i|he|she|we|they|me|him|us|them|my|his|her|our|their|partner|opponent|someone|somebody)\b/;
let turn = 0, from = null, search = null;

// The results in order. Cited provisions and titles that match all words come first. The best dispute comes first of all if
// the query tells a story, otherwise third.
async function found(words) {
  const tools = await (search ??= import("./search.js"));
  const data = await tools.index();
  const shown = ([kind, where, title, text, , , , , , url]) => ({ kind, title, text, url: url ?? where });
  const cited = tools.cited(data, words);
  const order = tools.answers(data, words);
  const split = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  const since = new RegExp(data.since, "gi"), dated = since.test(words);
  const asked = split(words.replace(since, " ")).filter((word) => !data.passed.includes(word));
  const called = order.filter((n) => {
    const [kind, , name] = data.docs[n], title = split(name).filter((word) => !data.passed.includes(word));
    const fits = kind === "topic" ? title.length === asked.length : ["code", "page", dated && "term"].includes(kind);
    return fits && asked.length && asked.every((word) => title.some((w) => w.startsWith(word)));
  });
  const rest = [...new Set([...cited, ...called, ...order])].slice(0, 3 * MOST).map((n) => shown(data.docs[n]));
  const { found: disputes, asked: rule, fits } = tools.sought(data, words);
  if (!fits || rule || cited.length) return rest;
  const story = STORY.test(words.toLowerCase());
  const may = disputes.filter(({ absent }) => !absent).slice(0, story ? 3 : 1)
    .map((one) => ({ kind: "dispute", title: one.label, text: one.meaning, url: tools.pageOf(one) }));
  const first = story ? may.splice(0, 1) : [];
  const before = Math.max(called.length ? 1 : 0, 2);
  return [...first, ...rest.slice(0, before), ...may, ...rest.slice(before)];
}

const KINDS = { law: "", dispute: "Dispute", topic: "Topic", term: "Glossary", finding: "Finding", code: "Code", page: "Manual" };
const chosen = () => list.querySelector("[aria-selected=true]");

function choose(entry) {
  chosen()?.setAttribute("aria-selected", "false");
  entry?.setAttribute("aria-selected", "true");
  entry?.scrollIntoView({ block: "nearest" });
  if (entry) field.setAttribute("aria-activedescendant", entry.id);
  else field.removeAttribute("aria-activedescendant");
}

async function show() {
  const mine = ++turn, words = field.value.trim();
  const hits = words.length > 1 ? await found(words).catch(() => null) : [];
  if (mine !== turn) return; // the reader typed more meanwhile
  const link = (url) => {
    const to = new URL(url, root);
    to.searchParams.set("h", words);
    return to.href;
  };
  list.replaceChildren(...(hits ?? []).slice(0, MOST).map(({ kind, title, text, url }, n) => made("li", { id: `find-${n}`, role: "option", "aria-selected": "false" },
    made("a", { href: link(url), tabindex: "-1" }, ...(KINDS[kind] ? [made("small", {}, KINDS[kind])] : []), made("b", {}, title), made("span", {}, text)))));
  field.setAttribute("aria-expanded", String(list.children.length > 0));
  status.textContent = !words ? "" : !hits ? "The index could not be loaded." : !hits.length ? "Nothing is found." : hits.length > MOST ? `The best ${MOST}` : `${hits.length} found`;
  choose(null);
}

function open() {
  if (box.classList.contains("find-open")) return;
  from = document.activeElement;
  box.classList.add("find-open");
  search ??= import("./search.js");
  search.then((tools) => tools.index()).catch(() => { search = null; });
}

function close() {
  box.classList.remove("find-open");
  field.setAttribute("aria-expanded", "false");
  if (box.contains(document.activeElement)) (from && from !== document.body && from !== field ? from : field).focus();
  if (document.activeElement === field) field.blur();
}

field.addEventListener("focus", open);
field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  const all = [...list.children], at = all.indexOf(chosen());
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (event.key === "Escape") close();
  else if (event.key === "Enter") (chosen() ?? all[0])?.querySelector("a").click();
  else if (to !== undefined && all.length) choose(all[(to + all.length) % all.length]);
  else return;
  event.preventDefault();
});
box.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget && !box.contains(relatedTarget)) box.classList.remove("find-open"); });
document.querySelector(".find-button").addEventListener("click", () => { open(); field.focus(); });
document.addEventListener("pointerdown", ({ target }) => { if (!box.contains(target) && !target.closest(".find-button")) box.classList.remove("find-open"); });
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("input, textarea, select, .pack"); // on the pack, letters select suits
  if (writes || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !["/", "s", "f"].includes(event.key)) return;
  event.preventDefault();
  open();
  field.focus();
});

function mark(words) {
  const all = words.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2).map((word) => word.replace(/(?<=..)(s|ed|ing)$/, ""));
  if (!all.length) return;
  const pattern = new RegExp(`\\b(?:${all.join("|")})[a-z]*`, "gi");
  const walk = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) if (!walk.currentNode.parentNode.closest("script, button, option, textarea, svg")) texts.push(walk.currentNode);
  for (const text of texts) {
    for (let found = pattern.exec(text.data), rest = text; found; found = pattern.exec(rest.data)) {
      const word = rest.splitText(found.index);
      rest = word.splitText(found[0].length);
      word.replaceWith(made("mark", { class: "found" }, found[0]));
      pattern.lastIndex = 0;
    }
    pattern.lastIndex = 0;
  }
}

const given = new URLSearchParams(location.search);
if (given.has("h") && document.querySelector("article")) mark(given.get("h"));
if (given.has("q")) {
  field.value = given.get("q");
  field.focus();
  show();
}
