// The first page asks what happened: what is typed is searched for (search.js) while one types, and
// the code of tonight is remembered. Without the index the form leads to the catalogue of disputes.
import { made, tonight } from "./page.js";

const form = document.getElementById("h-ask");
const words = form.elements.find, code = form.elements.code, found = form.querySelector(".h-found");
const ways = form.querySelector(".h-tonight"), here = new URL("../", import.meta.url);
let search = null, turn = 0, first = "";

function remembered() {
  ways.hidden = !code.value;
  for (const way of ways.children) way.href = new URL(`codes/${code.value}/${way.dataset.to}`, here);
}

async function sought() {
  const mine = ++turn, said = words.value.trim();
  if (said.length > 2) search ??= import("./search.js").catch(() => null);
  const tools = said.length > 2 ? await search : null;
  const answer = await tools?.tellings().then((data) => tools.sought(data, said, code.value || undefined), () => null);
  if (mine !== turn) return; // more was typed meanwhile
  const page = (one) => new URL(tools.pageOf(one, code.value, said), here).href;
  const listed = (answer?.found ?? []).filter((one) => !one.absent).slice(0, 5);
  const none = made("p", {}, "Nothing in the list of disputes says that; try other words.");
  const topics = (answer?.topics ?? []).map((one) => made("a", { href: new URL(`topics/${one.id}/`, here).href }, one.label));
  first = answer?.fits && !answer.asked && listed.length ? page(listed[0]) : "";
  const list = made("ol", {}, ...listed.map((one) => made("li", {}, made("a", { href: page(one) }, one.label))));
  const asked = topics.length ? [made("p", {}, "Of the rules: ", ...topics.flatMap((a, i) => (i ? [" · ", a] : [a])))] : [];
  found.replaceChildren(...(answer?.fits ? (answer.asked ? [...asked, list] : [list, ...asked]) : [...asked, none]));
  found.hidden = !answer;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault(); // the policy of the page lets no form lead anywhere
  await sought(); // what was typed or chosen just now may be sought still
  const asked = words.value.trim();
  const catalogue = new URL(`disputes/${asked && `?find=${encodeURIComponent(asked)}`}`, here).href;
  location.assign(first || catalogue); // without a find the catalogue goes on with the words
});
words.addEventListener("input", sought);
code.addEventListener("change", () => { tonight(code.value); remembered(); sought(); });
code.value = tonight();
code.value ||= "";
code.closest(".h-code").hidden = false;
remembered();
