// Comparison: the two forms of compare/, and the redirect from a page with the codes in reverse order. The data on the laws
// (names, texts, differing words) comes from compare/provisions.json and compare/ONE--OTHER.json.
import { hash, json, made, tonight } from "./page.js";

/** The addresses of the provisions at an address or below it (`auction-1926:26.g` contains 26.g.1 to 26.g.3). */
const under = (data, address) => Object.keys(data.provisions)
  .filter((a) => data.provisions[a][1] && (a === address || a.startsWith(`${address}.`)));

/** The law to which an address belongs, since each law has a page. */
const lawOf = (data, address) => Object.keys(data.laws).find((law) => `${address}.`.startsWith(`${law}.`));

const cited = (data, address) => `${data.codes[address.split(":")[0]]}, ${data.provisions[address][0]}`;
const wordsOf = (text) => (text.toLowerCase().match(/\d+|[a-z]+/g) ?? []).filter((word) => !["of", "the", "in", "s"].includes(word));

/** Whether all words occur in a list, in the same order. */
function inOrder(words, list) {
  let at = 0;
  for (const word of list) if (word === words[at]) at++;
  return at === words.length;
}

/** The result of reading an address, the URL of a provision or a citation: `{ address }`, or `{ wrong }` with the reason. A
 * citation has words of the short name of a code, and of the name of a law; if several fit, the shortest name is meant. */
export function read(data, citation) {
  const url = citation.match(/codes\/([a-z0-9-]+)\/([a-z0-9.-]+)\/?(?:#([a-z0-9.-]+))?$/);
  const exact = url ? `${url[1]}:${url.slice(2).filter(Boolean).join(".")}` : citation.trim();
  if (Object.hasOwn(data.provisions, exact)) return { address: exact };
  const words = wordsOf(citation), names = Object.entries(data.codes).map(([code, short]) => [code, wordsOf(short)]);
  const named = words.filter((word) => names.some(([, name]) => name.includes(word)));
  const codes = names.filter(([, name]) => named.every((word) => name.includes(word))).map(([code]) => code);
  const law = words.filter((word) => !named.includes(word));
  if (!law.length) return { wrong: "names no law" };
  const fits = Object.entries(data.provisions).map(([address, [name]]) => ({ address, name: wordsOf(name) }))
    .filter(({ address, name }) => codes.includes(address.split(":")[0]) && inOrder(law, name));
  const least = Math.min(...fits.map(({ name }) => name.length));
  const meant = fits.filter(({ name }) => name.length === least).map(({ address }) => address);
  if (meant.length === 1) return { address: meant[0] };
  return { wrong: meant.length ? `may mean ${meant.map((a) => cited(data, a)).join(" or ")}` : "leads nowhere" };
}

/** Words as nodes; those in the half-open ranges `marks` are in elements. */
const marked = (words, marks, tag) => [0, ...marks.flat(), words.length].flatMap((at, i, cuts) => {
  const part = words.slice(cuts[i - 1], at).join(" ");
  return !i || !part ? [] : i % 2 ? [`${part} `] : [made(tag, {}, part), " "];
});

/** A card for one side: a link to its law, and its text, in which the words that the other side lacks are marked. */
function card(data, address, words, marks, tag) {
  const law = lawOf(data, address), rest = address.slice(law.length + 1);
  const anchor = rest && !data.provisions[address][1] ? under(data, address)[0].slice(law.length + 1) : rest; // only provisions have one
  const href = `../codes/${law.replace(":", "/")}/${anchor && `#${anchor}`}`;
  const where = made("p", { class: "cmp-where" }, made("a", { href }, cited(data, address)), " ", made("span", {}, data.laws[law]));
  const whole = marks.length === 1 && marks[0][1] - marks[0][0] === words.length;
  return made("div", { class: whole ? "cmp-card cmp-whole" : "cmp-card" }, where, made("p", {}, ...marked(words, marks, tag)));
}

/** Two addresses side by side; `joined` has the marks of pairs that belong to the same rule. */
function compared(data, joined, [a, b]) {
  const marks = joined[`${a}~${b}`] ?? joined[`${b}~${a}`]?.toReversed();
  const words = [a, b].map((address) => under(data, address).flatMap((p) => data.provisions[p][1].split(" ")));
  const pair = [a, b].map((address, i) => card(data, address, words[i], marks?.[i] ?? [], ["del", "ins"][i]));
  const said = String(words[0]) === String(words[1]) ? "The same words."
    : !marks ? "No rule connects the two, so no words are marked."
    : pair[0].classList.contains("cmp-whole") ? "The two hardly have a word in common."
    : "Dashed: words that only the first has. Solid: words that only the second has.";
  return [made("div", { class: "cmp-two" }, ...pair), made("p", { class: "cmp-quiet" }, `${said} The address of this page leads back to this comparison.`)];
}

/** Set up the form for two codes: it opens their page. */
function codesForm(form) {
  const { one, other, topic } = form.elements;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    other.setCustomValidity(one.value === other.value ? "Choose another code." : "");
    if (!other.reportValidity()) return;
    location.href = `${one.value}--${other.value}/#${topic.value}`;
  });
  form.addEventListener("change", () => other.setCustomValidity(""));
  // Preselect tonight's code as the first.
  const before = one.value;
  one.value = tonight();
  if (one.selectedIndex < 0) one.value = before;
  if (one.value === other.value) other.value = before;
}

/** Set up the form for two provisions; the URL of a result restores it. */
function provisionsForm(form, result) {
  const fields = [form.elements.one, form.elements.other];
  const load = json("provisions.json");
  const wrong = (words) => result.replaceChildren(made("p", { class: "cmp-wrong" }, words));

  async function compare() {
    const data = await load();
    const found = fields.map((field) => read(data, field.value));
    for (const [i, field] of fields.entries()) field.ariaInvalid = found[i].wrong ? "true" : null;
    const at = found.findIndex((one) => one.wrong);
    if (at >= 0) {
      wrong(`“${fields[at].value}” ${found[at].wrong}. Write the code and the law, such as ${fields[at].placeholder}.`);
      return fields[at].focus();
    }
    const addresses = found.map((one) => one.address), named = addresses.map((address) => address.split(":")[0]);
    history.replaceState(null, "", `#${addresses.join("~")}`);
    const pair = Object.keys(data.codes).filter((code) => named.includes(code));
    const joined = pair.length === 2 ? await json(`${pair.join("--")}.json`)() : {};
    result.replaceChildren(...compared(data, joined, addresses));
  }
  const tried = () => compare().catch(() => wrong("The texts could not be read. Try again."));

  // Suggest citations while the reader types.
  form.addEventListener("input", async ({ target }) => {
    const data = await load(), typed = target.value.trim().toLowerCase();
    const all = typed.length < 2 ? [] : Object.keys(data.provisions).map((a) => [cited(data, a), data.laws[lawOf(data, a)]]);
    const near = all.filter((words) => words.some((one) => one.toLowerCase().includes(typed))).slice(0, 30);
    target.list.replaceChildren(...near.map(([value, heading]) => made("option", { value }, heading)));
  });

  async function fromAddress() {
    const [first, second] = hash().split("~");
    const folded = document.getElementById(first);
    if (folded?.tagName === "DETAILS") folded.open = true;
    if (!second) return;
    [fields[0].value, fields[1].value] = [first, second];
    await tried();
    form.scrollIntoView({ block: "start" });
  }
  form.hidden = false;
  form.addEventListener("submit", (event) => { event.preventDefault(); tried(); });
  addEventListener("hashchange", fromAddress);
  fromAddress();
}

const forward = document.querySelector("[data-forward]");
if (forward) location.replace(forward.dataset.forward + location.hash);
const codes = document.getElementById("cmp-codes");
if (codes) {
  codesForm(codes);
  provisionsForm(document.getElementById("cmp-provisions"), document.getElementById("cmp-result"));
}
