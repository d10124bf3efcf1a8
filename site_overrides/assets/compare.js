// Comparing: the two forms of compare/ (with word-diff.js), and the way on from a page whose codes stand the other way round.
"use strict";

(() => {
  const forward = document.querySelector("[data-forward]");
  if (forward) {
    location.replace(forward.dataset.forward + location.hash);
    return;
  }
  const codesForm = document.getElementById("cmp-codes");
  const form = document.getElementById("cmp-provisions");
  const result = document.getElementById("cmp-result");
  if (!codesForm || !form || !result) return;

  // --- two codes: the earlier one stands first in the name of the page
  const { one, other, topic } = codesForm.elements;
  other.selectedIndex = other.options.length - 1;
  codesForm.hidden = form.hidden = false;
  codesForm.addEventListener("submit", (event) => {
    event.preventDefault();
    other.setCustomValidity(one.value === other.value ? "Choose another code." : "");
    if (!other.reportValidity()) return;
    const pair = [one, other].sort((a, b) => a.selectedIndex - b.selectedIndex).map((s) => s.value);
    location.href = `${pair.join("--")}/${topic.value ? "#" + topic.value : ""}`;
  });
  for (const select of [one, other]) select.addEventListener("change", () => other.setCustomValidity(""));

  // --- two provisions
  let book; // the promise of compare/provisions.json, asked for when it is first needed
  const load = () => (book ??= fetch(result.dataset.provisions)
    .then((r) => (r.ok ? r.json() : Promise.reject(new Error(r.statusText))))
    .catch((error) => { book = undefined; throw error; })); // the next time it is asked for anew

  const element = (tag, text, attributes = {}) => {
    const made = Object.assign(document.createElement(tag), attributes);
    if (text) made.textContent = text;
    return made;
  };

  /** The provisions at an address or below it (`auction-1926:26.g` holds 26.g.1 to 26.g.3). */
  const under = (data, address) => Object.keys(data.provisions).filter((a) => a === address || a.startsWith(address + "."));

  // --- a citation, read as the checker reads it (`citing.py`): by the same names, words and steps
  const TOKEN = /§|\d+(?:st|nd|rd|th)?[a-z]?\d?(?![a-z0-9])|[a-z][a-z'-]*/g;
  const ROMAN = /^(?=[ivxl])(?:x{0,3}|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;
  const wherever = (words, before, after) => new RegExp(`(?<![${before}])${words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}${after}`, "g");

  /** Lower case, one kind of hyphen, quote and space. */
  const plain = (text) => text.trim().replace(/^[`"'“”‘’.,;]+|[`"'“”‘’.,;]+$/g, "").toLowerCase()
    .replace(/[–—‑]/g, "-").replaceAll("’", "'").replaceAll("№", "no ").replaceAll("º", "").trim().replace(/\s+/g, " ");

  /** Words without quotes, brackets, commas, or any `the`. */
  const bare = (words) => (plain(words).match(/[a-z0-9][a-z0-9-]*/g) ?? []).filter((w) => w !== "the").join(" ");

  /** The codes that words may name, and the words without the names; a name is stronger than a year. */
  const codesOf = (data, words) => {
    const meant = new Map();
    for (const c of data.codes) for (const name of [c.id, ...c.names]) meant.set(name, [...(meant.get(name) ?? []), c.id]);
    const named = [];
    const dated = [];
    let left = ` ${words} `;
    for (const name of [...meant.keys()].sort((a, b) => b.length - a.length)) {
      const without = left.replace(wherever(name, "a-z0-9-", "(?:'s)?(?![a-z0-9-])"), " ");
      if (without !== left) (/^\d+$/.test(name) ? dated : named).push(meant.get(name));
      left = without;
    }
    const group = named.length ? named : dated;
    const both = data.codes.map((c) => c.id).filter((c) => group.every((g) => g.includes(c)));
    const narrowed = both.filter((c) => dated.flat().includes(c));
    const chosen = narrowed.length ? narrowed : both.length || named.length ? both : [...new Set(dated.flat())];
    return chosen.length ? [chosen, left.trim().replace(/\s+/g, " ")] : [[], words];
  };

  const roman = (numeral) => {
    const values = [...numeral].map((letter) => ({ i: 1, v: 5, x: 10, l: 50 })[letter]);
    return values.reduce((total, one, i) => total + (values[i + 1] > one ? -one : one), 0);
  };

  /** The steps as written; with roman numerals as figures; with a figure as a roman numeral. */
  const variants = (steps) => {
    const figures = steps.map((s) => (ROMAN.test(s) ? String(roman(s)) : s));
    const made = [steps, figures, [figures[0], ...steps.slice(1)]];
    if (/^[123]$/.test(steps[1] ?? "")) made.push([steps[0], "i".repeat(Number(steps[1])), ...steps.slice(2)]);
    return made;
  };

  /** The addresses within a code that what is left of a citation may mean; or the word in it that means nothing. */
  const within = (data, code, left) => {
    const { called } = code;
    const note = Object.keys(data.attached).find((word) => wherever(word, "a-z", "(?![a-z])").test(left));
    let kind = "";
    for (const words of Object.keys(called).sort((a, b) => b.length - a.length)) {
      const without = left.replace(wherever(words, "a-z-", "(?![a-z-])"), " ");
      if (without === left) continue;
      [left, kind] = [without, called[words]];
      break;
    }
    const literal = left.replace(/^[ :.,;]+|[ :.,;]+$/g, "");
    if (!kind && (!literal || under(data, `${code.id}:${literal}`).length)) return { found: [literal] };
    const steps = [];
    for (const token of left.match(TOKEN) ?? []) {
      const filler = data.fillers.includes(token);
      if (!kind && Object.hasOwn(data.kinds, token)) kind = data.kinds[token];
      else if (token === "preamble") steps.push(token);
      else if (/^(?:\d+|[a-z])$/.test(token)) { if (!filler || steps.length) steps.push(token); }
      else if (/^\d+[a-z]\d?$/.test(token)) steps.push(...token.match(/\d+|[a-z]/g));
      else if (/^\d+(?:st|nd|rd|th)$/.test(token)) steps.push(token.slice(0, -2));
      else if (ROMAN.test(token) && !filler) steps.push(token);
      else if (filler || Object.hasOwn(data.attached, token)) continue;
      else if (kind === "reading" || Object.values(called).includes(kind)) steps.push(token);
      else return { found: [], odd: token };
    }
    const ways = note && steps.length ? [[...steps, data.attached[note]]] : variants(steps);
    return { found: steps.length || kind ? ways.map((way) => [kind, ...way].filter(Boolean).join(".")) : [] };
  };

  /** What a citation means: `{ address }`, or `{ wrong }` with the reason. */
  const read = (data, citation) => {
    const url = plain(citation).match(/codes\/([a-z0-9-]+)\/([a-z0-9.-]+)\/?(?:#([a-z0-9.-]+))?$/);
    const words = url ? `${url[1]}:${url[2]}${url[3] ? "." + url[3] : ""}` : plain(citation);
    const exact = words.replaceAll(" ", "");
    if (exact.includes(":") && under(data, exact).length) return { address: exact };
    const [named, left] = codesOf(data, words);
    for (const code of data.codes) {
      const start = `${bare(code.short)} `;
      const spoken = bare(words).startsWith(start) && bare(words).slice(start.length);
      if (spoken && Object.hasOwn(code.spoken, spoken)) return { address: `${code.id}:${code.spoken[spoken]}` };
    }
    const codes = data.codes.filter((c) => !named.length || named.includes(c.id));
    const written = codes.filter((c) => named.length && Object.hasOwn(c.spoken, bare(left))).map((c) => `${c.id}:${c.spoken[bare(left)]}`);
    const tried = codes.map((c) => within(data, c, left));
    const may = codes.flatMap((c, i) => tried[i].found.map((rest) => `${c.id}:${rest}`));
    const real = written.length ? written : [...new Set(may)].filter((a) => under(data, a).length);
    if (real.length === 1) return { address: real[0] };
    if (real.length) return { wrong: `may mean ${real.slice(0, -1).join(", ")} or ${real.at(-1)}` };
    const odd = tried.find((t) => t.odd)?.odd;
    const [first] = may;
    if (!first) return { wrong: odd ? `has a word that means nothing here, “${odd}”` : "names no law" };
    if (first.endsWith(":")) return { wrong: "names no law" };
    if (first.includes(":reading.")) return { wrong: "is a reading and has no words to compare; the law that it bears on has" };
    const rest = first.slice(first.indexOf(":") + 1);
    return { wrong: codes.length === 1 ? `leads nowhere: ${codes[0].short} has no ${rest}` : `leads nowhere: no code has ${rest}` };
  };
  globalThis.readCitation = read; // for tests, which read every provision's

  /** The law that an address belongs to, as the site has pages for laws. */
  const lawOf = (data, address) => {
    let law = address;
    while (!(law in data.laws) && law.includes(".")) law = law.slice(0, law.lastIndexOf("."));
    return law in data.laws ? law : address;
  };

  const card = (data, address, runs, text, tag) => {
    const [code, rest] = address.split(":");
    const law = lawOf(data, address);
    const number = law.slice(code.length + 1);
    const below = address.slice(law.length + 1);
    const whole = data.provisions[address] === undefined && below; // several provisions, and no anchor of their own
    const made = element("div", "", { className: runs?.length === 1 && runs[0][0] ? "cmp-card cmp-whole" : "cmp-card" });
    const where = element("p", `${data.codes.find((c) => c.id === code).short}, `, { className: "cmp-where" });
    const first = under(data, address)[0].slice(law.length + 1);
    where.append(element("a", rest, { href: `../codes/${code}/${number}/${below ? "#" + (whole ? first : below) : ""}` }));
    where.append(" ", element("span", data.laws[law] ?? ""));
    const body = element("p");
    if (!runs) body.textContent = text;
    else runs.forEach(([differs, words], i) => body.append(i ? " " : "", differs ? element(tag, words) : words));
    made.append(where, body);
    return made;
  };

  /** Show two addresses; whether both exist. */
  const show = (data, addresses) => {
    const texts = addresses.map((a) => under(data, a).map((p) => data.provisions[p]).join(" "));
    const runs = texts[0] === texts[1] ? null : wordDiff(...texts);
    const pair = element("div", "", { className: "cmp-two" });
    pair.append(card(data, addresses[0], runs?.[0], texts[0], "del"), card(data, addresses[1], runs?.[1], texts[1], "ins"));
    const said = !runs ? "The same words." : runs[0].length === 1 && runs[0][0][0] ? "The two have hardly a word in common."
      : "Dashed: words that only the first has. Solid: words that only the second has.";
    const foot = element("p", said + " ", { className: "cmp-quiet" });
    const copy = element("button", "Copy the link", { className: "cmp-copy", type: "button" });
    const refused = element("span"); // read out, as all that changes in the result is
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        copy.textContent = "Copied";
        refused.textContent = "";
      } catch {
        copy.textContent = "Copy the link";
        refused.textContent = " The browser did not let it be copied; the link is in the address bar.";
      }
    });
    foot.append(copy, refused);
    result.replaceChildren(pair, foot);
  };

  const refuse = (field, words) => {
    result.replaceChildren(element("p", words, { className: "cmp-wrong" }));
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };

  const compare = (data) => {
    const fields = [form.elements.one, form.elements.other];
    const found = fields.map((f) => read(data, f.value));
    for (const [i, field] of fields.entries()) {
      field.removeAttribute("aria-invalid");
      if (found[i].wrong) return refuse(field, `“${field.value}” ${found[i].wrong}. Write the code and the law, such as ${field.placeholder}.`);
    }
    const addresses = found.map((f) => f.address);
    history.replaceState(null, "", `#${addresses.join("~")}`);
    return show(data, addresses);
  };

  const fail = () => result.replaceChildren(element("p", "The texts could not be read. Try again.", { className: "cmp-wrong" }));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    load().then(compare).catch(fail);
  });

  // addresses to choose from, as one types
  for (const field of [form.elements.one, form.elements.other]) {
    field.addEventListener("focus", () => load().catch(() => null), { once: true });
    field.addEventListener("input", async () => {
      const data = await load().catch(() => null);
      if (!data) return;
      const typed = field.value.trim().toLowerCase();
      const near = typed.length < 2 ? [] : Object.keys(data.provisions).filter((a) => a.includes(typed) || data.laws[lawOf(data, a)].toLowerCase().includes(typed));
      field.list.replaceChildren(...near.slice(0, 30).map((a) => element("option", data.laws[lawOf(data, a)], { value: a })));
    });
  }

  /** What stands after the # of the page's address; as it is where it cannot be decoded (#50%). */
  const hash = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return location.hash.slice(1);
    }
  };

  const fromAddress = () => {
    const [first, second] = hash().split("~");
    const folded = document.getElementById(first);
    if (!second) {
      if (folded?.tagName === "DETAILS") folded.open = true;
      return;
    }
    form.elements.one.value = first;
    form.elements.other.value = second;
    load().then(compare).then(() => form.scrollIntoView({ block: "start" })).catch(fail);
  };
  addEventListener("hashchange", fromAddress);
  fromAddress();
})();
