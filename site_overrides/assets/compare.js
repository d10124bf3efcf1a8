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
  const load = () => (book ??= fetch(result.dataset.provisions).then((r) => (r.ok ? r.json() : Promise.reject(r.statusText))));

  const element = (tag, text, attributes = {}) => {
    const made = Object.assign(document.createElement(tag), attributes);
    if (text) made.textContent = text;
    return made;
  };

  /** The provisions at an address or below it (`auction-1926:26.g` holds 26.g.1 to 26.g.3). */
  const under = (data, address) => Object.keys(data.provisions).filter((a) => a === address || a.startsWith(address + "."));

  /** The address that a citation means, or null; a name of a code outweighs a year, and a longer name a shorter. */
  const read = (data, citation) => {
    let text = ` ${citation.trim().toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, " ")} `;
    const exact = text.replaceAll(" ", "");
    if (under(data, exact).length) return exact;
    const names = data.codes.flatMap((c) => [c.id, c.short.toLowerCase(), ...c.names].map((name) => [name, c.id]));
    let named = null;
    let dated = null;
    for (const name of [...new Set(names.map((n) => n[0]))].sort((a, b) => b.length - a.length)) {
      const pattern = new RegExp(`(?<![a-z0-9-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?:'s)?(?![a-z0-9-])`);
      const meant = [...new Set(names.filter((n) => n[0] === name).map((n) => n[1]))];
      const year = /^\d+$/.test(name);
      if (!pattern.test(text) || (year && dated && !named)) continue;
      if (year && named?.length === 1) continue; // the year is then a part of the name, or a law's number
      text = text.replace(pattern, " ");
      if (year) dated = meant;
      else named = named ? named.filter((c) => meant.includes(c)) : meant;
    }
    const narrowed = named && dated ? named.filter((c) => dated.includes(c)) : [];
    const meant = narrowed.length ? narrowed : named ?? dated ?? data.codes.map((c) => c.id);
    const kind = /\b(?:etiquette|ethics)\b/.test(text) ? ["etiquette"] : /\b(?:decision|case)\b/.test(text) ? ["decision"] : [];
    const words = text.replace(/[a-z]{2,}/g, (w) => (/^(?:[ivx]+|note)$/.test(w) ? ` ${w} ` : " ")).replace(/\bl\b\.?/, " ");
    const steps = [...kind, ...(words.match(/\d+|[ivx]{2,}|note|[a-z]/g) ?? [])];
    const found = meant.map((c) => `${c}:${steps.join(".")}`).filter((a) => steps.length && under(data, a).length);
    return found.length === 1 ? found[0] : null;
  };

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
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(location.href);
      copy.textContent = "Copied";
    });
    foot.append(copy);
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
      if (!found[i]) return refuse(field, `“${field.value}” leads to no provision, or to more than one. Write the code and the law, such as ${field.placeholder}.`);
    }
    history.replaceState(null, "", `#${found.join("~")}`);
    return show(data, found);
  };

  const fail = () => result.replaceChildren(element("p", "The texts could not be read. Try again.", { className: "cmp-wrong" }));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    load().then(compare).catch(() => { book = undefined; fail(); });
  });

  // addresses to choose from, as one types
  for (const field of [form.elements.one, form.elements.other]) {
    field.addEventListener("focus", () => load().catch(() => { book = undefined; }), { once: true });
    field.addEventListener("input", async () => {
      const data = await load().catch(() => null);
      if (!data) return;
      const typed = field.value.trim().toLowerCase();
      const near = typed.length < 2 ? [] : Object.keys(data.provisions).filter((a) => a.includes(typed) || data.laws[lawOf(data, a)].toLowerCase().includes(typed));
      field.list.replaceChildren(...near.slice(0, 30).map((a) => element("option", data.laws[lawOf(data, a)], { value: a })));
    });
  }

  const fromAddress = () => {
    const [first, second] = decodeURIComponent(location.hash.slice(1)).split("~");
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
