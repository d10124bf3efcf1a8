// Disputes: the finder above the catalogue, which stays whole: the best five while one types, with why, and what the words
// tell of the facts, which goes with the link. What cannot arise under the code comes last.
import { made, tonight } from "./page.js";
import { pageOf, sought, tellings } from "./search.js";

const form = document.querySelector(".dispute-filter");
const { find: field, code } = form.elements;
const [list, status] = [form.querySelector(".found"), form.querySelector("[role=status]")];
const root = new URL("../", import.meta.url);
let turn = 0; // the newest call of seek(), so that a slow load never draws over a later answer

const line = (one) => made("li", {},
  made("a", { href: new URL(pageOf(one, code.value, field.value.trim()), root).href }, one.label), made("span", {}, one.meaning),
  made("span", { class: "phrase" }, [
    one.absent ? `It cannot arise under ${code.selectedOptions[0].text}.` : "",
    one.why.length ? `Words that matched: ${one.why.join(", ")}.` : "",
    one.facts.length ? `They say: ${one.facts.map(({ words }) => words).join("; ")}.` : "",
  ].filter(Boolean).join(" ")));

// Where a question is answered that is no dispute.
const asked = (topics) => (topics.length ? ["A question of the rules, perhaps: ", ...topics.flatMap(({ id, label }, i) =>
  [...(i ? [", "] : []), made("a", { href: new URL(`topics/${id}/`, root).href }, label)]), ". "] : []);

async function seek() {
  const mine = ++turn;
  const words = field.value.trim();
  const answer = words ? await tellings().then((data) => sought(data, words, code.value || undefined), () => null) : null;
  if (mine !== turn) return;
  const { found, topics, fits } = answer ?? { found: [], topics: [], fits: true };
  list.replaceChildren(...found.map(line));
  const none = found.length ? "Nothing fits these words well; these are the nearest." : "Nothing is found for that; try other words.";
  const failed = "The finder could not be loaded. The list below has everything.";
  status.replaceChildren(...asked(topics), ...(!words || fits ? [] : [none]), ...(words && !answer ? [failed] : []));
  const told = new URLSearchParams([...(words ? [["find", field.value]] : []), ...(words && code.value ? [["code", code.value]] : [])]);
  const url = `${location.pathname}${String(told) && `?${told}`}${location.hash}`;
  if (url !== location.pathname + location.search + location.hash) history.replaceState(null, "", url);
}

const given = new URLSearchParams(location.search);
field.value = given.get("find") ?? field.value;
code.value = given.get("code") ?? tonight();
code.value ||= ""; // no code of that name
field.addEventListener("focus", () => tellings().catch(() => null), { once: true });
field.addEventListener("input", seek);
field.addEventListener("keydown", (event) => { // a line is all that is told: the Enter key has it sought
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); form.requestSubmit(); }
});
code.addEventListener("change", () => { tonight(code.value); seek(); });
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await seek();
  list.querySelector("a")?.focus();
});
if (field.value) seek();
