"use strict";

// Disputes: the filter of the catalogue, and the guided questions. What is asked and answered was worked out and
// worded by the builder of the site, in disputes/NAME.json; here only the tree of it is walked. The URL holds the
// code and the answers (?code=royalton-1915&offender=adversary), so that an answer can be linked and walked back.

(() => {
  const make = (tag, properties = {}, children = []) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  // --- the questions -------------------------------------------------------------------------------

  function settle(home) {
    const asked = home.querySelector(".asked");
    const may = home.querySelector(".may");
    const answer = home.querySelector(".answer");
    const said = home.querySelector(".answer-said");
    const rest = home.querySelector(".answer-rest");
    const note = home.querySelector(".settle-note");
    let given = read(); // fact to answer, with `code` and `option`; those that do not matter now may matter under another code
    let loading = null;
    let shown = 0; // the newest call of show(), so that a slow load never draws over a later answer

    function read() {
      return Object.fromEntries(new URLSearchParams(location.search));
    }

    function load() {
      loading ??= fetch(home.dataset.answers).then((reply) => {
        if (!reply.ok) throw new Error(reply.statusText);
        return reply.json();
      });
      return loading;
    }

    // The questions that what is given leads through, and the node at which it ends.
    function walk(data) {
      const steps = [];
      const code = data.codes.find((c) => c.code === given.code);
      if (!code) return { steps, node: null, code: null };
      let node = code.options[0].start;
      if (code.options.length > 1) {
        const chosen = code.options.find((o) => o.option === given.option);
        const answers = code.options.map((o) => [o.option, o.words]);
        steps.push({ fact: "option", question: "With an option of the code?", answers, value: chosen?.option });
        node = chosen?.start ?? null;
      }
      while (node?.ask) {
        const { question, answers } = data.questions[node.ask];
        const known = Object.keys(node.then);
        const value = known.includes(given[node.ask]) ? given[node.ask] : undefined;
        steps.push({ fact: node.ask, question, answers: known.map((v) => [v, answers[v]]), value });
        if (value === undefined) break;
        node = node.then[value];
      }
      return { steps, node, code };
    }

    function fieldset({ fact, question, answers }) {
      const choices = answers.map(([value, words]) => make("button", { type: "button", value, textContent: plain(words) }));
      const made = make("fieldset", {}, [make("legend", { textContent: question, tabIndex: -1 }), make("div", { className: "choices" }, choices)]);
      made.dataset.fact = fact;
      return made;
    }

    // The words of an answer go on a sentence in the finding; on a button they stand alone.
    function plain(words) {
      const bare = words.replace(/^and /, "");
      return bare[0].toUpperCase() + bare.slice(1);
    }

    function press(set, value) {
      for (const button of set.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === value));
    }

    // Draw what is given. `moved` is whether the reader has just answered, so that the focus goes on with him.
    async function show(moved) {
      const turn = ++shown;
      let data;
      try {
        data = await load();
      } catch {
        loading = null;
        note.textContent = "The questions could not be loaded. The cards below say the same.";
        return;
      }
      if (turn !== shown) return;
      note.textContent = "";
      const { steps, node, code } = walk(data);
      press(asked.firstElementChild, code?.code);
      // a question that stands already is left alone: the button that was pressed keeps the focus
      const old = [...asked.children].slice(1);
      let same = true;
      steps.forEach((step, place) => {
        const set = fieldset(step);
        const there = old[place];
        same &&= there !== undefined && there.dataset.fact === set.dataset.fact && there.textContent === set.textContent;
        if (!same) {
          there?.remove();
          asked.append(set);
        }
        press(same ? there : set, step.value);
        if (!same) old.slice(place).forEach((gone) => gone.remove());
      });
      old.slice(steps.length).forEach((gone) => gone.remove());
      drawEnd(data, node, code);
      home.dataset.state = node && !node.ask ? "settled" : "open"; // for the style of print, and for tests
      const path = new URLSearchParams();
      if (code) path.set("code", code.code);
      for (const step of steps) if (step.value !== undefined) path.set(step.fact, step.value);
      const url = location.pathname + (path.size ? `?${path}` : "") + (moved ? "" : location.hash);
      if (moved && url !== location.pathname + location.search) history.pushState(null, "", url);
      const open = steps.find((step) => step.value === undefined);
      if (moved && open) focusOn(asked.lastElementChild.querySelector("legend"));
      else if (moved && !answer.hidden) said.scrollIntoView({ block: "nearest" });
      else if (!moved && document.activeElement === document.body && code && turn > 1) {
        focusOn(asked.lastElementChild.querySelector("legend")); // Back removed the question that had the focus
      }
    }

    function focusOn(legend) {
      legend.focus({ preventScroll: true });
      legend.closest("fieldset").scrollIntoView({ block: "nearest" });
    }

    function drawEnd(data, node, code) {
      const open = Boolean(node?.ask);
      may.hidden = !open;
      answer.hidden = !node || open;
      may.replaceChildren();
      if (open) {
        const items = node.may.map((index) => make("li", { innerHTML: data.texts[index] }));
        may.append(make("h3", { textContent: "What it may come to" }), make("ul", {}, items));
      }
      if (answer.hidden) {
        said.replaceChildren();
        rest.replaceChildren();
        return;
      }
      const [first, ...others] = node.parts.map((index) => data.texts[index]);
      said.innerHTML = first;
      said.prepend(make("h3", { textContent: code.title }), make("p", { className: "answer-finding", textContent: node.finding }));
      rest.innerHTML = others.join("");
      const cite = rest.querySelector(".answer-cite");
      const buttons = [copier("Copy a link to this answer", () => location.href)];
      if (cite) buttons.unshift(copier("Copy the citation", () => cite.textContent));
      const again = make("button", { type: "button", textContent: "Begin again", className: "again" });
      rest.append(make("p", { className: "answer-tools" }, [...buttons, again]));
    }

    function copier(label, text) {
      const button = make("button", { type: "button", textContent: label });
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(text());
          note.textContent = "Copied.";
        } catch {
          note.textContent = "The browser did not let it be copied.";
        }
      });
      return button;
    }

    asked.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      given = { ...given, [button.closest("fieldset").dataset.fact]: button.value };
      show(true);
    });
    rest.addEventListener("click", (event) => {
      if (!event.target.closest(".again")) return;
      given = {};
      history.pushState(null, "", location.pathname);
      show(false);
      focusOn(asked.querySelector("legend"));
    });
    addEventListener("popstate", () => {
      given = read();
      show(false);
    });
    if (given.code) show(false);
  }

  // --- the filter of the catalogue -----------------------------------------------------------------

  function filter(field) {
    const status = field.parentElement.querySelector("[role=status]");
    const items = [...document.querySelectorAll(".disputes > li")].map((line) => {
      const said = (line.dataset.said ?? "").split("\n");
      return { line, said, own: words(line.textContent), sayings: said.map(words), phrase: null };
    });

    function words(text) {
      return text.toLowerCase().replace(/[’']s?\b/g, "").match(/[a-z0-9]+/g) ?? [];
    }

    const has = (list, asked) => list.some((word) => word.startsWith(asked));

    // Words that stand nowhere are passed over. Shown are the items with all the others; if none has all, those
    // whose words weigh most, a rare word more than a common one.
    function choose() {
      const counts = words(field.value).map((word) => ({
        word,
        hits: items.filter((i) => has(i.own, word) || i.sayings.some((s) => has(s, word))),
      }));
      const known = counts.filter((c) => c.hits.length);
      const scores = new Map(items.map((i) => [i, 0]));
      for (const { hits } of known) {
        for (const item of hits) scores.set(item, scores.get(item) + Math.log((items.length + 1) / hits.length));
      }
      const best = Math.max(0, ...scores.values());
      const blank = counts.length === 0;
      for (const item of items) {
        item.line.hidden = !blank && !(known.length && scores.get(item) >= best - 1e-9 && best > 0);
        item.line.querySelector(".phrase")?.remove();
        if (blank || item.line.hidden || known.every((c) => has(item.own, c.word))) continue;
        const marks = item.sayings.map((s) => known.filter((c) => has(s, c.word)).length);
        const phrase = item.said[marks.indexOf(Math.max(...marks))];
        if (phrase) item.line.append(make("span", { className: "phrase", textContent: phrase }));
      }
      for (const group of document.querySelectorAll(".dispute-group")) group.hidden = !group.querySelector("li:not([hidden])");
      const left = items.filter((i) => !i.line.hidden).length;
      status.textContent = blank ? "" : left ? `${left} of ${items.length}` : "Nothing is found for that; try other words.";
      const url = field.value ? `?find=${encodeURIComponent(field.value)}` : location.pathname;
      if (url !== (location.search || location.pathname)) history.replaceState(null, "", url + location.hash);
    }

    field.value = new URLSearchParams(location.search).get("find") ?? field.value;
    field.addEventListener("input", choose);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      const only = items.filter((i) => !i.line.hidden);
      if (field.value && only.length) only[0].line.querySelector("a").focus();
    });
    if (field.value) choose();
  }

  const questions = document.querySelector(".settle");
  if (questions) settle(questions);
  const field = document.querySelector("#dispute-filter");
  if (field) filter(field);
})();
