// The page "Check a hand": an editor, the worker that checks (check-worker.js), and the answer beside it.
// Everything that comes from a record or a link is shown as text, never as HTML.
"use strict";

(() => {
  const script = document.currentScript.src;
  const root = document.getElementById("check");
  if (!root) return;
  const find = (selector) => root.querySelector(selector);
  const facts = JSON.parse(document.getElementById("check-facts").textContent);
  const site = new URL("../", script.replace(/[^/]*$/, "")).href;
  const form = find("form"), area = find("#check-text"), gutter = find(".check-gutter");
  const code = find("#check-code"), options = find(".check-options"), status = find(".check-status");
  const progress = find(".check-progress"), out = find(".check-answer");
  const go = find(".check-go"), stop = find(".check-stop"), size = find(".check-size");
  const LARGEST = 2_000_000; // characters: beyond this the command line is the place
  const MARKS = { unreadable: "✗", irregular: "✗", disputed: "?", silent: "–", incomplete: "…", note: "i" };
  let worker = null, ready = false, asked = 0, filled = "", places = [];

  // --- small helpers -----------------------------------------------------------------------------

  // An element with attributes and children; text is always text.
  function made(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "onclick") element.addEventListener("click", value);
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  const megabytes = (n) => (n / 1e6).toFixed(1);

  function say(words, wrong = false) {
    status.textContent = words;
    status.classList.toggle("check-wrong", wrong);
  }

  // Text with the suits coloured and named as on the other pages, and the addresses of laws as links.
  const SUITS = { "♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs" };
  function suited(text, links = {}) {
    const span = made("span");
    for (const piece of text.split(/([♠♥♦♣]|[a-z][a-z0-9-]*:[a-z0-9.-]*[a-z0-9])/)) {
      const word = SUITS[piece];
      if (word) span.append(made("span", { class: `suit suit-${word}`, role: "img", "aria-label": word }, piece));
      else span.append(Object.hasOwn(links, piece) ? lawLink(piece, links[piece]) : piece);
    }
    return span;
  }

  const lawLink = (address, link) => made("a", { href: site + link.path, title: link.words }, address);

  // --- the editor --------------------------------------------------------------------------------

  function draw() {
    const count = area.value.split("\n").length;
    const worst = new Map();
    const order = Object.keys(MARKS);
    for (const { finding, element } of places) {
      const known = worst.get(finding.line);
      if (!known || order.indexOf(finding.severity) < order.indexOf(known.severity))
        worst.set(finding.line, { severity: finding.severity, element });
    }
    const rows = document.createDocumentFragment();
    for (let line = 1; line <= count; line++) {
      const here = worst.get(line);
      const row = made("div", here ? { class: `check-at check-${here.severity}` } : {});
      row.append(here ? made("b", {}, MARKS[here.severity]) : "", String(line));
      if (here) row.addEventListener("click", () => here.element.querySelector("button").focus());
      rows.append(row);
    }
    gutter.replaceChildren(rows);
    gutter.scrollTop = area.scrollTop;
  }

  // Where a place of the checker, in lines and characters, is in the text of the editor.
  function offset(line, column) {
    const lines = area.value.split("\n");
    if (line > lines.length) return area.value.length;
    let at = 0;
    for (let i = 0; i < line - 1; i++) at += lines[i].length + 1;
    return at + Array.from(lines[line - 1]).slice(0, Math.max(0, column - 1)).join("").length;
  }

  function jump(finding) {
    if (!finding.line) return;
    const start = offset(finding.line, finding.column);
    const line = area.value.slice(start).split("\n", 1)[0].length;
    const end = finding.end_line === finding.line ? offset(finding.line, finding.end_column) : start + line;
    area.focus({ preventScroll: true });
    area.setSelectionRange(start, Math.max(start, Math.min(end, start + line)));
    const height = parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (finding.line - 1) * height - area.clientHeight / 3);
    area.scrollLeft = 0;
    area.scrollIntoView({ block: "nearest" });
    for (const place of places) place.element.classList.toggle("check-now", place.finding === finding);
    say(`Line ${finding.line}: ${finding.message}`);
  }

  // From the line of the cursor to the next finding, or the one before.
  function step(forward) {
    const listed = places.filter((p) => p.finding.line).map((p) => p.finding);
    if (!listed.length) return;
    listed.sort((a, b) => a.line - b.line || a.column - b.column);
    const at = area.selectionStart;
    const of = (f) => offset(f.line, f.column);
    const next = forward ? listed.find((f) => of(f) > at) ?? listed[0] : listed.findLast((f) => of(f) < at) ?? listed.at(-1);
    jump(next);
  }

  function stale() {
    if (!area.value.trim()) out.replaceChildren(); // what was found is of a record that is gone
    else if (out.querySelector(".check-item")) out.classList.add("check-stale");
  }

  function fill(text, from) {
    const changed = area.value.trim() && area.value !== filled;
    if (changed && area.value !== text && !confirm("Put this record in the place of yours?")) return false;
    area.value = text;
    filled = area.value;
    area.scrollTop = 0;
    area.setSelectionRange(0, 0);
    places = [];
    out.replaceChildren();
    out.classList.remove("check-stale");
    draw();
    say(from);
    return true;
  }

  async function example(address, label) {
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(String(response.status));
      if (fill(await response.text(), `${label}. Press Check.`)) {
        choose("", []);
        root.scrollIntoView({ block: "start" });
        area.focus({ preventScroll: true });
      }
    } catch (error) {
      say(`The example could not be fetched (${error.message}).`, true);
    }
  }

  async function open(file) {
    if (file.size > LARGEST) return say("That file is too large for a page; `oddtrick check` takes files of any size.", true);
    const data = new Uint8Array(await file.arrayBuffer());
    const marked = (data[0] === 0xff && data[1] === 0xfe && "utf-16le") || (data[0] === 0xfe && data[1] === 0xff && "utf-16be");
    let text;
    try {
      text = new TextDecoder(marked || "utf-8", { fatal: true }).decode(data);
    } catch {
      text = new TextDecoder("windows-1252").decode(data); // what old PBN files are written in
    }
    fill(text, `${file.name}. Press Check.`);
    area.focus();
  }

  // --- the code and its options ------------------------------------------------------------------

  function choose(id, chosen) {
    const known = facts.codes.find((c) => c.id === id);
    code.value = known ? id : "";
    options.hidden = !known || !known.options.length;
    options.replaceChildren(options.firstElementChild);
    for (const option of known ? known.options : []) {
      const box = made("input", { type: "checkbox", value: option.id });
      box.checked = chosen.includes(option.id);
      options.append(made("label", {}, box, ` ${option.label}`));
    }
  }

  const chosenOptions = () => Array.from(options.querySelectorAll("input:checked"), (box) => box.value);

  // --- the worker --------------------------------------------------------------------------------

  function busy(on) {
    go.disabled = on;
    stop.hidden = !on;
    if (!on) progress.hidden = true;
    root.setAttribute("aria-busy", String(on));
  }

  function end() {
    worker?.terminate();
    worker = null;
    ready = false;
  }

  function heard({ data }) {
    if (data.total) {
      progress.value = data.loaded / data.total;
      say(`Fetching the checker: ${megabytes(data.loaded)} of ${megabytes(data.total)} MB.`);
    } else if (data.starting) {
      progress.removeAttribute("value");
      say("Starting Python.");
    } else if (data.id === asked) {
      busy(false);
      if (data.failed) {
        if (!data.loaded) end(); // the next Check begins anew
        say(`The checker failed: ${data.failed.trim().split("\n").at(-1)}`, true);
      } else {
        ready = true;
        size.hidden = true;
        show(data.answer);
      }
    }
  }

  function check() {
    if (go.disabled) return;
    if (!area.value.trim()) return say("There is nothing to check yet: paste a record, or begin with an example.", true);
    if (area.value.length > LARGEST) return say("That is too large for a page; `oddtrick check` takes files of any size.", true);
    if (!("DecompressionStream" in window && "WebAssembly" in window))
      return say("This browser is too old to run the checker; `oddtrick check` on the command line does the same.", true);
    if (!worker) {
      worker = new Worker(script.replace(/[^/]*$/, "check-worker.js"), { type: "module" });
      worker.onmessage = heard;
      worker.onerror = (event) => {
        event.preventDefault();
        end();
        busy(false);
        say("The checker could not be started in this browser.", true);
      };
    }
    busy(true);
    if (!ready) {
      progress.hidden = false;
      progress.value = 0;
    }
    say(ready ? "Checking." : "Fetching the checker.");
    const question = { text: area.value, code: code.value || null, options: chosenOptions() };
    worker.postMessage({ id: ++asked, files: facts.files, question });
  }

  // --- the answer --------------------------------------------------------------------------------

  function laws(addresses, links) {
    const row = made("span", { class: "check-laws" });
    addresses.forEach((address, index) => {
      row.append(index ? ", " : "", lawLink(address, links[address]));
    });
    return row;
  }

  function findingElement(finding, links, lines) {
    const element = made("li", { class: `check-finding check-${finding.severity}` });
    const head = made("p", { class: "check-what" });
    const mark = made("span", { class: "check-mark", "aria-hidden": "true" }, MARKS[finding.severity] ?? "");
    if (finding.line) {
      const go = made("button", { type: "button", onclick: () => jump(finding) }, `line ${finding.line}`);
      go.setAttribute("aria-label", `Go to line ${finding.line}: ${finding.message}`);
      head.append(mark, go);
    } else head.append(mark);
    head.append(made("b", {}, finding.severity), made("code", {}, finding.rule));
    element.append(head);
    const source = Array.from(lines[finding.line - 1] ?? "");
    if (source.join("").trim() && finding.severity !== "incomplete") {
      const from = finding.column - 1;
      const to = finding.end_line === finding.line ? Math.max(finding.end_column - 1, from + 1) : source.length;
      const begin = Math.max(0, from - 40);
      const part = (a, b) => source.slice(a, b).join("");
      element.append(made("pre", { class: "check-line" }, begin ? "…" : "", part(begin, from), made("mark", {}, part(from, to) || " "), part(to, to + 60)));
    }
    element.append(made("p", {}, suited(finding.message, links)));
    for (const remedy of finding.remedies) element.append(made("p", { class: "check-remedy" }, suited(remedy, links)));
    const behind = [...finding.laws, ...finding.readings];
    if (behind.length) element.append(made("p", { class: "check-behind" }, "By ", laws(behind, links)));
    places.push({ finding, element });
    return element;
  }

  // A cell of the account: `36 trick`, each amount on a line of its own where there is no room.
  function points(...amounts) {
    const cell = made("td");
    amounts.forEach((amount, index) => {
      cell.append(index ? " " : "", made("span", { class: "check-column" }, `${amount.points} ${amount.column}${index < amounts.length - 1 ? "," : ""}`));
    });
    return cell;
  }

  function account(item, links) {
    const table = made("table", { class: "check-account" }, made("caption", {}, "The account"));
    const head = made("tr", {}, made("th", { scope: "col" }, "for"));
    for (const side of ["North and South", "East and West"]) head.append(made("th", { scope: "col" }, side));
    table.append(made("thead", {}, head));
    const body = made("tbody");
    for (const entry of item.entries) {
      const reason = made("th", { scope: "row" }, suited(entry.reason), made("small", {}, laws([...entry.laws, ...entry.readings], links)));
      const cells = ["NS", "EW"].map((side) => entry.side === side ? points(entry) : made("td"));
      body.append(made("tr", {}, reason, ...cells));
    }
    table.append(body);
    if (item.totals && item.entries.length > 1) {
      const cells = ["NS", "EW"].map((side) => {
        const { trick, honour, total } = item.totals[side];
        const last = total ? [{ points: total, column: "total" }] : []; // what some codes add at the end of a rubber
        return trick || honour || total
          ? points({ points: trick, column: "trick" }, { points: honour, column: "honour" }, ...last)
          : made("td", {}, "0");
      });
      table.append(made("tfoot", {}, made("tr", {}, made("th", { scope: "row" }, "in all"), ...cells)));
    }
    return made("div", { class: "check-scroll" }, table);
  }

  function itemElement(item, links, lines) {
    const element = made("article", { class: "check-item" });
    if (item.title) element.append(made("h2", {}, suited(item.title)));
    if (item.verdict) {
      const verdict = made("p", { class: `verdict verdict-${item.verdict}` }, `Verdict: ${item.words}`);
      if (item.under) verdict.append(made("span", { class: "check-under" }, `, under ${item.under}`));
      element.append(verdict);
    }
    if (item.findings.length) {
      const list = made("ol", { class: "check-findings" });
      for (const finding of item.findings) list.append(findingElement(finding, links, lines));
      element.append(list);
    }
    for (const sentence of item.said ?? []) element.append(made("p", {}, suited(sentence)));
    if (item.laws.length) element.append(made("p", { class: "check-behind" }, "By ", laws(item.laws, links)));
    if (item.entries?.length) element.append(account(item, links));
    else if (item.entries) element.append(made("p", {}, "Nothing is scored, as far as the record goes."));
    for (const sentence of item.after ?? []) element.append(made("p", {}, sentence));
    return element;
  }

  function show(answer) {
    places = [];
    out.classList.remove("check-stale");
    if (answer.wrong) {
      out.replaceChildren();
      draw();
      return say(answer.wrong, true);
    }
    const lines = area.value.split("\n");
    const children = answer.items.map((item) => itemElement(item, answer.links, lines));
    if (!children.length) children.push(made("p", {}, "There is no deal in it."));
    const found = places.filter((p) => p.finding.severity !== "incomplete").length;
    const unnamed = places.some((p) => p.finding.rule === "record.no-code");
    children.push(
      made("details", { class: "check-more" }, made("summary", {}, "As the command line prints it"), made("pre", { tabindex: "0" }, answer.report)),
      made("details", { class: "check-more" }, made("summary", {}, "As JSON, for programs"), made("pre", { tabindex: "0" }, answer.json))
    );
    out.replaceChildren(...children);
    for (const box of out.querySelectorAll(".check-scroll")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    draw();
    const counted = found ? ` ${found} ${found === 1 ? "finding" : "findings"}.` : "";
    say(answer.summary + counted + (unnamed ? " The record names no code: choose one above." : ""));
    if (out.getBoundingClientRect().top > innerHeight * 0.8) status.scrollIntoView({ block: "start" });
  }

  // --- a link that carries the record ------------------------------------------------------------

  async function through(stream, data) {
    return new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer());
  }

  async function packed(text) {
    const data = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
    let letters = "";
    for (let i = 0; i < data.length; i += 8192) letters += String.fromCharCode(...data.subarray(i, i + 8192));
    return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }

  // The text that a link carries; refused where it would unpack to more than the page takes.
  async function unpacked(word) {
    const data = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const pieces = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > LARGEST) throw new Error("too large");
      pieces.push(value);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(pieces).arrayBuffer());
  }

  async function link() {
    if (!area.value.trim()) return say("There is no record to link to yet.", true);
    const parts = new URLSearchParams({ record: await packed(area.value) });
    if (code.value) parts.set("code", code.value);
    if (chosenOptions().length) parts.set("options", chosenOptions().join(" "));
    history.replaceState(null, "", `#${parts}`);
    const long = location.href.length > 8000 ? ` It has ${location.href.length} letters, more than some programs take.` : "";
    try {
      await navigator.clipboard.writeText(location.href);
      say(`The link is on the clipboard.${long}`);
    } catch {
      say(`The link is in the address bar.${long}`);
    }
  }

  async function follow() {
    if (!location.hash.startsWith("#record=")) return;
    const parts = new URLSearchParams(location.hash.slice(1));
    try {
      const text = await unpacked(parts.get("record"));
      if (fill(text, "A record came with the link. Press Check.")) choose(parts.get("code") ?? "", (parts.get("options") ?? "").split(" "));
    } catch {
      say("The link does not carry a whole record; perhaps it was cut.", true);
    }
  }

  // --- what the reader does ----------------------------------------------------------------------

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  stop.addEventListener("click", () => {
    end();
    busy(false);
    say("Stopped.");
    go.focus();
  });
  find(".check-link").addEventListener("click", link);
  code.addEventListener("change", () => {
    choose(code.value, []);
    stale();
  });
  options.addEventListener("change", stale);
  area.addEventListener("input", () => {
    places = [];
    draw();
    stale();
  });
  area.addEventListener("scroll", () => { gutter.scrollTop = area.scrollTop; });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check();
    else if (event.altKey && event.key === "ArrowDown") step(true);
    else if (event.altKey && event.key === "ArrowUp") step(false);
    else return;
    event.preventDefault();
  });
  find("#check-file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) open(file);
    event.target.value = ""; // the same file may be opened again
  });
  const editor = find(".check-editor");
  for (const name of ["dragover", "dragleave", "drop"]) {
    editor.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      editor.classList.toggle("check-over", name === "dragover");
      if (name === "drop" && event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
    });
  }

  // The list of examples in the page becomes the menu above the editor; its links fill the editor.
  const menu = find("#check-example");
  for (const one of document.querySelectorAll("a[data-example]")) {
    menu.append(made("option", { value: one.href }, one.textContent));
    one.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      example(one.href, one.textContent);
    });
  }
  menu.addEventListener("change", () => {
    if (menu.value) example(menu.value, menu.selectedOptions[0].textContent);
    menu.value = "";
  });

  // On paper the whole record is seen.
  addEventListener("beforeprint", () => { area.style.height = `${area.scrollHeight + 4}px`; });
  addEventListener("afterprint", () => { area.style.height = ""; });
  addEventListener("hashchange", follow);

  document.getElementById("check-plain").hidden = true;
  root.hidden = false;
  choose(code.value, []); // a browser may keep what was chosen before
  draw();
  follow();
})();
