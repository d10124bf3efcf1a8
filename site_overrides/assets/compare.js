// Comparing: the two forms of compare/, and the redirect from a page with the codes in reverse order. The data on the laws
// (names, texts, differing words) comes from compare/provisions.json and compare/ONE--OTHER.json.
import { copied, hash, json, made, show, tonight } from "./page.js";

/** The provisions at an address or below it (`auction-1926:26.g` contains 26.g.1 to 26.g.3). */
const under = (data, address) =>
  Object.keys(data.provisions).filter((a) => a === address || a.startsWith(`${address}.`));

/** The law to which an address belongs, since each law has a page; the first if the address covers several laws. */
function lawOf(data, address) {
  if (Object.hasOwn(data.laws, address)) return address;
  const end = address.lastIndexOf(".");
  return lawOf(data, end < 0 ? under(data, address)[0] : address.slice(0, end));
}

/** The codes that a citation may name, its words without the names, and whether it names any. A name outweighs a year. */
function codesOf(data, words) {
  let left = ` ${words.join(" ")} `;
  const found = data.names.filter(([name]) => {
    const there = left.includes(` ${name} `);
    left = left.replaceAll(` ${name} `, " ");
    return there;
  });
  const named = found.some(([, , year]) => !year);
  const codes = found.reduce((meant, [, codes, year]) => {
    const both = meant.filter((code) => codes.includes(code));
    return both.length || !(named && year) ? both : meant;
  }, Object.keys(data.codes));
  return [codes, left.split(" ").filter(Boolean), found.length > 0];
}

/** The steps of the address that words name under a code: the passage first, then the numbers, an attached note last. */
function steps(data, code, words) {
  let text = ` ${words.join(" ")} `;
  const called = Object.keys(data.called[code]).sort((a, b) => b.length - a.length).find((name) => text.includes(` ${name} `));
  if (called) text = text.replace(` ${called} `, " ");
  const all = text.split(" ").filter(Boolean)
    .flatMap((word) => (/^\d+[a-z]\d?$/.test(word) ? word.match(/\d+|[a-z]/g) : [word]))
    .map((word) => word.replace(/^(\d+)(?:st|nd|rd|th)$/, "$1"));
  // a letter may be a filler before the number (`l. 84`), but not after it
  const left = all.filter((word, i) => !data.fillers.includes(word)
    || (word.length === 1 && all.slice(0, i).some((w) => !data.fillers.includes(w))));
  const kind = called ? data.called[code][called] : data.kinds[left.find((word) => data.kinds[word])];
  const note = left.map((word) => data.attached[word]).find(Boolean);
  const numbers = left.filter((word) => !data.attached[word] && (called || !data.kinds[word]));
  return [...(kind ? kind.split(".") : []), ...numbers, ...(note ? [note] : [])];
}

/** The local addresses that words may mean under a code: the passage of that name, or the steps, with numerals in figures. */
function locals(data, code, words) {
  const bare = (name) => codesOf(data, name)[1].filter((word) => word !== "the").join(" ");
  const name = Object.keys(data.spoken[code]).find((spoken) => bare(spoken.split(" ")) === bare(words));
  if (name) return [data.spoken[code][name]];
  const written = steps(data, code, words);
  const figures = written.map((step) => data.romans[step] ?? step);
  const roman = written.map((step, i) => (i === 1 && /^[123]$/.test(step) ? "i".repeat(step) : step));
  return [written, figures, [figures[0], ...written.slice(1)], roman].map((way) => way.join("."));
}

/** The result of reading a citation: `{ address }`, or `{ wrong }` with the reason. */
export function read(data, citation) {
  const text = citation.trim().toLowerCase().replace(/[–—‑]/g, "-");
  const url = text.match(/codes\/([a-z0-9-]+)\/([a-z0-9.-]+)\/?(?:#([a-z0-9.-]+))?$/);
  const exact = url ? `${url[1]}:${url.slice(2).filter(Boolean).join(".")}` : text.replace(/[`"'“”‘’\s]|[.,;]+$/g, "");
  if (exact.includes(":") && under(data, exact).length) return { address: exact };
  const [codes, left, named] = codesOf(data, text.replace(/['’]s\b/g, "").match(/[a-z0-9][a-z0-9-]*/g) ?? []);
  if (!left.length || (named && !codes.length)) return { wrong: "names no law" };
  const places = codes.flatMap((code) => locals(data, code, left).map((local) => `${code}:${local}`));
  const real = [...new Set(places)].filter((address) => under(data, address).length);
  if (real.length === 1) return { address: real[0] };
  if (real.length) return { wrong: `may mean ${real.slice(0, -1).join(", ")} or ${real.at(-1)}` };
  if (left.includes("reading")) {
    return { wrong: "is a reading and has no words to compare; the law that it bears on has" };
  }
  const written = steps(data, codes[0], left);
  const known = Object.keys(data.provisions).join(" ").split(/[ :.]/);
  const odd = written.find((step) => !/^(?:\d+|[a-z])$/.test(step) && !data.romans[step] && !known.includes(step));
  if (odd) return { wrong: `has a word that means nothing here, “${odd}”` };
  const who = codes.length === 1 ? data.codes[codes[0]] : "no code";
  return { wrong: `leads nowhere: ${who} has ${codes.length === 1 ? "no " : ""}${written.join(".")}` };
}

/** A card for one side: a link to its law, and its words with the words marked that the other side lacks. */
function card(data, address, words, marks, tag) {
  const [code, rest] = address.split(":");
  const law = lawOf(data, address);
  const first = address === law ? law : under(data, address)[0]; // an address of several provisions has no anchor
  const href = `../codes/${law.replace(":", "/")}/${first === law ? "" : `#${first.slice(law.length + 1)}`}`;
  const where = made("p", { class: "cmp-where" }, `${data.codes[code]}, `);
  where.append(made("a", { href }, rest), " ", made("span", {}, data.laws[law]));
  const body = made("p");
  show(body, words, marks, tag);
  const whole = marks.length === 1 && marks[0][1] - marks[0][0] === words.length;
  return made("div", { class: whole ? "cmp-card cmp-whole" : "cmp-card" }, where, body);
}

/** Two addresses side by side; `joined` has the marks of pairs that belong to the same rule. */
function compared(data, joined, [a, b]) {
  const marks = joined[`${a}~${b}`] ?? joined[`${b}~${a}`]?.toReversed();
  const words = [a, b].map((address) => under(data, address).flatMap((p) => data.provisions[p].split(" ")));
  const pair = [a, b].map((address, i) => card(data, address, words[i], marks?.[i] ?? [], ["del", "ins"][i]));
  const said = String(words[0]) === String(words[1]) ? "The same words."
    : !marks ? "No rule connects the two, so no words are marked."
    : pair[0].classList.contains("cmp-whole") ? "The two hardly have a word in common."
    : "Dashed: words that only the first has. Solid: words that only the second has.";
  const note = made("span"); // screen readers announce changes in the result
  const refused = " The browser did not let it be copied; the link is in the address bar.";
  const copy = async () => { note.textContent = (await copied(location.href)) ? " Copied." : refused; };
  const button = made("button", { class: "cmp-copy", type: "button", click: copy }, "Copy the link");
  const foot = made("p", { class: "cmp-quiet" }, `${said} `, button, note);
  return [made("div", { class: "cmp-two" }, ...pair), foot];
}

/** Set up the form for two codes: it opens their page, whose name has the earlier code first. */
function codesForm(form) {
  const { one, other, topic } = form.elements;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    other.setCustomValidity(one.value === other.value ? "Choose another code." : "");
    if (!other.reportValidity()) return;
    const pair = [one, other].sort((a, b) => a.selectedIndex - b.selectedIndex).map((list) => list.value);
    location.href = `${pair.join("--")}/${topic.value ? `#${topic.value}` : ""}`;
  });
  for (const list of [one, other]) list.addEventListener("change", () => other.setCustomValidity(""));
  // Preselect tonight's code as the first.
  const before = one.value;
  one.value = tonight();
  if (one.selectedIndex < 0) one.value = before;
  if (one.value === other.value) other.value = before;
}

const FAILED = "The texts could not be read. Try again.";

/** Set up the form for two provisions; the URL of a result restores it. */
function provisionsForm(form, result) {
  const fields = [form.elements.one, form.elements.other];
  const load = json(result.dataset.provisions);
  const wrong = (words) => result.replaceChildren(made("p", { class: "cmp-wrong" }, words));

  const compare = async () => {
    const data = await load().catch(() => null);
    if (!data) return wrong(FAILED);
    const found = fields.map((field) => read(data, field.value));
    for (const [i, field] of fields.entries()) {
      field.removeAttribute("aria-invalid");
      if (!found[i].wrong) continue;
      const example = `Write the code and the law, such as ${field.placeholder}.`;
      wrong(`“${field.value}” ${found[i].wrong}. ${example}`);
      field.setAttribute("aria-invalid", "true");
      return field.focus();
    }
    const addresses = found.map((f) => f.address);
    history.replaceState(null, "", `#${addresses.join("~")}`);
    const named = addresses.map((address) => address.split(":")[0]);
    const pair = Object.keys(data.codes).filter((code) => named.includes(code));
    const joined = pair.length === 2 ? await json(`${pair.join("--")}.json`)().catch(() => null) : {};
    return joined ? result.replaceChildren(...compared(data, joined, addresses)) : wrong(FAILED);
  };

  // suggest addresses while the reader types
  const offer = async (field) => {
    const data = await load().catch(() => null);
    const typed = field.value.trim().toLowerCase();
    if (!data || typed.length < 2) return field.list.replaceChildren();
    const heading = (address) => data.laws[lawOf(data, address)];
    const near = Object.keys(data.provisions)
      .filter((a) => a.includes(typed) || heading(a).toLowerCase().includes(typed)).slice(0, 30);
    return field.list.replaceChildren(...near.map((a) => made("option", { value: a }, heading(a))));
  };
  for (const field of fields) {
    field.addEventListener("focus", () => load().catch(() => null), { once: true });
    field.addEventListener("input", () => offer(field));
  }

  const fromAddress = async () => {
    const [first, second] = hash().split("~");
    const folded = document.getElementById(first);
    if (!second) {
      if (folded?.tagName === "DETAILS") folded.open = true;
      return;
    }
    [fields[0].value, fields[1].value] = [first, second];
    await compare();
    form.scrollIntoView({ block: "start" });
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => { event.preventDefault(); compare(); });
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
