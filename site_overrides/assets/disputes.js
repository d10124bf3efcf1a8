// The form "What happened?" on the home page and the page of disputes: lists the five most likely disputes while the reader
// types, as `oddtrick ruling` does. Links carry the facts found in the words. Enter opens the best match, if one fits. A contract
// with its result leads to "What does it score?".
import { choose, json, made, tonight } from "./page.js";

const form = document.querySelector("form.find-dispute");
const { find: field, code } = form.elements;
const [list, status] = [".found", "[role=status]"].map((name) => form.querySelector(name));
const root = new URL("../", import.meta.url);
let turn = 0, best = ""; // number of the latest call of seek(), so that a slow load does not overwrite a later answer; the page that Enter opens

const contracts = json(new URL("contracts.json", import.meta.url)); // how to read a contract, from report/contract_words.py

// The choices of "What does it score?" that words state, or null if they state anything else.
async function scored(words) {
  const { bid, doubled, held, most, games, results, denominations, numbers, fillers, codes } = await contracts();
  let left = words.toLowerCase().replaceAll(/[–—−]/g, "-");
  const take = (pattern) => { const found = left.match(pattern); left = left.replace(found?.[0] ?? "", " "); return found; };
  const count = (word) => numbers[word] ?? Number(word);
  held.forEach(take); // the calculator asks for honours
  const won = games.find(([pattern]) => take(pattern)), { name, number, ...made } = take(bid)?.groups ?? {};
  const { doubled: said, times } = made.doubled ? made : take(doubled)?.groups ?? {};
  const [[kind, tricks]] = [...results.flatMap(([kind, pattern, fixed]) => {
    const found = take(pattern);
    return found ? [[kind, fixed ?? count(found[1])]] : [];
  }), []];
  const denomination = denominations[name]?.find((id) => !code.value || codes[code.value].includes(id));
  const strange = left.match(/[^\s,.;:()]+/g)?.some((word) => !fillers.includes(word));
  if (strange || count(number) > most || (name ? !denomination : !tricks) || (kind === "odd" && !number)) return null;
  return {
    code: code.value, number: number && count(number), denomination, games: won?.slice(1).join("-"),
    doubled: times ? count(times) : said && (/^[x*]/.test(said) ? said.length : said.startsWith("r") ? 2 : 1),
    tricks: kind === "taken" && tricks, over: { over: tricks, down: -tricks, odd: tricks - count(number) }[kind],
  };
}

// The disputes that words may mean, each with the address of its page, and what else they may mean.
async function meant(words) {
  const { pageOf, sought, tellings } = await import("./search.js"), answer = sought(await tellings(), words, code.value || undefined);
  return { ...answer, found: answer.found.map((one) => ({ ...one, href: new URL(pageOf(one, code.value, words), root).href })) };
}

const line = (one) => made("li", {}, made("a", { href: one.href }, one.label), made("span", {}, one.meaning),
  made("span", { class: "phrase" }, [
    one.second ? "Part of your description concerns this act; settle it separately." : "",
    one.absent ? `It cannot arise under ${code.selectedOptions[0].text}.` : "",
    one.facts?.length ? `From your words: ${one.facts.map(({ words }) => words).join("; ")}.` : "",
  ].filter(Boolean).join(" ")));

// Links to pages for words that are more likely something else than a dispute.
const perhaps = (what, pages) => (pages.length ? [`Perhaps ${what}: `, ...pages.flatMap(({ href, label }, i) =>
  [...(i ? [", "] : []), made("a", { href }, label)]), ". "] : []);

async function seek() {
  const mine = ++turn, words = field.value.trim(), enough = words.length > 2;
  const answer = enough ? await meant(words).catch(() => null) : { found: [], topics: [], fits: !words };
  const choices = enough ? await scored(words).catch(() => null) : null;
  if (mine !== turn) return; // the reader typed more meanwhile
  const { found, topics, fits, asked } = answer ?? { found: [], topics: [], fits: true };
  const score = { label: "What does it score?", meaning: "Opens the calculator with the contract and its result filled in." };
  if (choices) score.href = new URL(`score/#${new URLSearchParams(Object.entries(choices).filter(([, value]) => value))}`, root).href;
  const scores = choices?.over !== undefined || (choices?.denomination && choices.tricks); // with a result, and not only tricks
  best = scores ? score.href : fits && !asked && found.length && !found[0].absent ? found[0].href : "";
  list.replaceChildren(...(scores ? [score] : found).map(line));
  const none = found.length ? "Nothing fits these words well; these are the nearest." : "Nothing was found for that; try other words.";
  const failed = "The search could not be loaded. The page of disputes lists them all.";
  status.replaceChildren(...perhaps("a question about the rules", topics.map(({ id, label }) => ({ href: new URL(`topics/${id}/`, root).href, label }))),
    ...perhaps("a result", choices && !scores ? [score] : []), ...(fits || scores || (asked && !found.length) ? [] : [none]), ...(answer ? [] : [failed]));
  const kept = new URLSearchParams([...(words ? [["find", words]] : []), ...(words && code.value ? [["code", code.value]] : [])]);
  history.replaceState(null, "", `${location.pathname}${String(kept) && `?${kept}`}${location.hash}`);
}

// On the home page, link to the pages of tonight's code.
function remembered() {
  for (const way of form.querySelectorAll("[data-to]")) way.href = new URL(`codes/${code.value}/${way.dataset.to}`, root);
}

const given = new URLSearchParams(location.search);
field.value = given.get("find") ?? field.value;
choose(code, given.get("code") ?? tonight());
remembered();
field.addEventListener("focus", () => import("./search.js").then(({ tellings }) => tellings()).catch(() => null), { once: true });
field.addEventListener("input", () => {
  const named = [...code.options].filter(({ value, text }) => value && new RegExp(`\\b${text}\\b`, "i").test(field.value));
  if (named.length === 1) code.value = named[0].value; // the words say under which code
  seek();
});
field.addEventListener("keydown", (event) => { // the field holds one line, so Enter submits it
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); form.requestSubmit(); }
});
code.addEventListener("change", () => { tonight(code.value); remembered(); seek(); });
form.addEventListener("submit", async (event) => {
  event.preventDefault(); // the content-security policy forbids submitting forms
  await seek();
  if (best) location.assign(best);
  else (status.querySelector("a") ?? list.querySelector("a") ?? field).focus();
});
if (field.value) seek();
