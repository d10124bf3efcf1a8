// Comparison: the form of compare/ for two provisions, and the redirect from a page with the codes in reverse order. The provisions are those
// of the search index; compare/ONE--OTHER.json has the words that differ.
import { json, made } from "./page.js";
import { cited, index } from "./search.js";

/** The provisions to which an address, the URL of a page or a citation refers: `{ found }`, or `{ wrong }` with the reason. */
export function read(data, citation) {
  const words = citation.trim().replace(/^.*codes\/([^/]+)\/([^/#]+)\/?#?/, "$1:$2.").replace(/\.$/, "");
  const is = (name, ...ends) => ends.some((end) => `${name}${ends[0]}`.startsWith(words + end));
  const exact = data.docs.filter(([kind, where, title]) => kind === "law"
    && (is(where, ".") || [title, title.replace(/ \d{4},/, ",")].some((one) => is(one, ": ", " ("))));
  const found = exact.length ? exact : cited(data, words).map((n) => data.docs[n]);
  const codes = new Set(found.map((doc) => doc[4]));
  if (codes.size === 1) return { found };
  const laws = Array.from(codes, (code) => nameOf(found.find((doc) => doc[4] === code))[0]);
  return { wrong: laws.length ? `may mean ${laws.join(" or ")}` : "leads nowhere" };
}

/** The citation of a provision, and the heading of its law if the citation lacks it. */
const nameOf = ([, , title]) => title.split(/: (.*)/);

/** The address of a provision, or of the law or paragraph that contains all of several. */
function addressOf(found) {
  let [[, address]] = found;
  while (!found.every(([, where]) => `${where}.`.startsWith(`${address}.`))) address = address.slice(0, address.lastIndexOf("."));
  return address;
}

/** Words as nodes; those in the half-open ranges `marks` are in elements. */
const marked = (words, marks, tag) => [0, ...marks.flat(), words.length].flatMap((at, i, cuts) => {
  const part = words.slice(cuts[i - 1], at).join(" ");
  return !i || !part ? [] : i % 2 ? [`${part} `] : [made(tag, {}, part), " "];
});

/** A card for one side: a link to its law, and its text, in which the words that the other side lacks are marked. */
function card(found, words, marks, tag) {
  const [name, heading = ""] = nameOf(found[0]), until = found.length > 1 ? ` to ${nameOf(found.at(-1))[0]}` : "";
  const link = made("a", { href: new URL(`../${found[0].at(-1)}`, import.meta.url) }, name + until);
  const whole = marks.length === 1 && marks[0][1] - marks[0][0] === words.length;
  return made("div", { class: whole ? "cmp-card cmp-whole" : "cmp-card" },
    made("p", { class: "cmp-where" }, link, " ", made("span", {}, heading)), made("p", {}, ...marked(words, marks, tag)));
}

/** Two sides; `marks` are undefined if no rule connects them. */
function compared(sides, marks) {
  const words = sides.map((found) => found.flatMap(([, , , text]) => text.split(" ")));
  const pair = sides.map((found, i) => card(found, words[i], marks?.[i] ?? [], ["del", "ins"][i]));
  const said = String(words[0]) === String(words[1]) ? "The same words."
    : !marks ? "No rule connects the two, so no words are marked."
    : pair[0].classList.contains("cmp-whole") ? "The two hardly have a word in common."
    : "Dashed: words that only the first has. Solid: words that only the second has.";
  return [made("div", { class: "cmp-two" }, ...pair), made("p", { class: "cmp-quiet" }, `${said} The address of this page leads back to this comparison.`)];
}

/** Set up the form for two provisions; the URL of a result restores it. */
function provisionsForm(form, result) {
  const fields = [form.elements.one, form.elements.other];
  const wrong = (words) => result.replaceChildren(made("p", { class: "cmp-wrong" }, words));

  async function compare() {
    const data = await index();
    const meant = fields.map((field) => read(data, field.value));
    for (const [i, field] of fields.entries()) field.ariaInvalid = meant[i].wrong ? "true" : null;
    const at = meant.findIndex((one) => one.wrong);
    if (at >= 0) {
      wrong(`“${fields[at].value}” ${meant[at].wrong}. Write the code and the law, such as ${fields[at].placeholder}.`);
      return fields[at].focus();
    }
    const sides = meant.map(({ found }) => found), [a, b] = sides.map(addressOf);
    history.replaceState(null, "", `#${a}~${b}`);
    const pair = [...new Set(sides.map(([doc]) => doc[4]))].sort((one, other) => one - other).map((code) => data.codes[code][0]);
    const joined = pair.length === 2 ? await json(`${pair.join("--")}.json`)() : {};
    result.replaceChildren(...compared(sides, joined[`${a}~${b}`] ?? joined[`${b}~${a}`]?.toReversed()));
  }
  const tried = () => compare().catch(() => wrong("The texts could not be read. Try again."));

  // Suggest citations while the reader types.
  form.addEventListener("focusin", async () => {
    const laws = (await index()).docs.filter(([kind]) => kind === "law").map(nameOf);
    fields[0].list.replaceChildren(...laws.map(([value, heading = ""]) => made("option", { value }, heading)));
  }, { once: true });

  async function fromAddress() {
    const [first, second] = location.hash.slice(1).split("~");
    if (!second) return;
    [fields[0].value, fields[1].value] = [first, second];
    await tried();
    form.scrollIntoView({ block: "start" });
  }
  form.addEventListener("submit", (event) => { event.preventDefault(); tried(); });
  addEventListener("hashchange", fromAddress);
  fromAddress();
}

const forward = document.querySelector("[data-forward]");
if (forward) location.replace(forward.dataset.forward + location.hash);
else provisionsForm(document.getElementById("cmp-provisions"), document.getElementById("cmp-result"));
