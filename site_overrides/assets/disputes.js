// Disputes: the finder above the catalogue, and the guided questions. What is asked and answered was worked out and
// worded in Python (disputes/NAME.json); here only the tree is walked. The URL holds the code and the answers
// (?code=royalton-1915&offender=adversary), so that an answer can be linked and walked back; `told` names the facts that
// were taken from a player's words. Without a code in the URL it is tonight's.
import { pageOf, sought, tellings } from "./search.js";
import { copied, json, made, tonight } from "./page.js";

function settle(home) {
  const find = (name) => home.querySelector(name);
  const [asked, may, answer, note] = [".asked", ".may", ".answer", ".settle-note"].map(find);
  const read = () => Object.fromEntries(new URLSearchParams(location.search));
  const load = json(home.dataset.answers);
  const told = new Set((read().told ?? "").split(" ")); // the facts taken from the reader's words
  let given = { code: tonight(), ...read() }; // those that do not matter now may matter under another code
  let shown = 0; // the newest call of show(), so that a slow load never draws over a later answer

  // The questions that what is given leads through, and the node at which it ends.
  function walk(node) {
    const steps = [];
    while (node.ask) {
      const value = Object.hasOwn(node.then, given[node.ask] ?? "") ? given[node.ask] : undefined;
      steps.push({ fact: node.ask, set: node.set, value });
      if (value === undefined) break;
      node = node.then[value];
    }
    return { steps, node };
  }

  // A question that stands already is left alone: the button that was pressed keeps the focus.
  function drawSteps(steps, texts) {
    const old = [...asked.children];
    const kept = old.findIndex((set, i) => Number(set.dataset.set) !== steps[i]?.set);
    for (const gone of kept < 0 ? [] : old.slice(kept)) gone.remove();
    for (const { set } of steps.slice(asked.children.length)) {
      asked.insertAdjacentHTML("beforeend", texts[set]);
      asked.lastElementChild.dataset.set = set;
    }
    steps.forEach(({ value }, i) => {
      const set = asked.children[i];
      for (const button of set.querySelectorAll("button")) button.ariaPressed = String(button.value === value);
      set.querySelector(".from-words")?.remove();
      if (value !== undefined && told.has(set.dataset.fact)) set.append(made("p", { class: "from-words" }, "From your words."));
    });
  }

  function drawEnd(node, texts) {
    may.hidden = !node.may;
    answer.hidden = Boolean(node.ask);
    const html = (list = []) => list.map((index) => texts[index]).join("");
    may.querySelector("ul").innerHTML = html(node.may);
    find(".answer-said").innerHTML = html(node.parts?.slice(0, 1));
    find(".answer-rest").innerHTML = html(node.parts?.slice(1));
    find("[data-copy=citation]").hidden = !find(".answer-cite");
    home.dataset.state = node.ask ? "open" : "settled"; // for the style of print, and for tests
  }

  // Draw what is given. `moved` is whether the reader has just answered, so that the focus goes on with him.
  async function show(moved) {
    const turn = ++shown;
    const data = await load().catch(() => null);
    if (turn !== shown) return;
    note.textContent = data ? "" : "The questions could not be loaded. The cards below say the same.";
    if (!data) return;
    const { steps, node } = walk(data.start);
    drawSteps(steps, data.texts);
    drawEnd(node, data.texts);
    const answered = steps.filter((step) => step.value !== undefined);
    const path = String(new URLSearchParams(answered.map((step) => [step.fact, step.value])));
    const url = location.pathname + (path && `?${path}`);
    if (moved && url !== location.pathname + location.search) history.pushState(null, "", url);
    const lost = !moved && turn > 1 && answered.length && document.activeElement === document.body;
    if ((moved && node.ask) || lost) focusOn(asked.lastElementChild.querySelector("legend"));
    else if (moved) find(".answer-said").scrollIntoView({ block: "nearest" });
  }

  function focusOn(legend) {
    legend.focus({ preventScroll: true });
    legend.closest("fieldset").scrollIntoView({ block: "nearest" });
  }

  const texts = { citation: () => find(".answer-cite").textContent, link: () => location.href };
  home.addEventListener("click", async ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.copy) {
      const done = await copied(texts[button.dataset.copy]());
      note.textContent = done ? "Copied." : "The browser did not let it be copied.";
    } else if (button.className === "again") {
      given = {};
      history.pushState(null, "", location.pathname);
      await show(false);
      focusOn(asked.querySelector("legend"));
    } else {
      const { fact } = button.closest("fieldset").dataset;
      given = { ...given, [fact]: button.value };
      told.delete(fact);
      if (fact === "code") tonight(button.value);
      show(true);
    }
  });
  addEventListener("popstate", () => { given = read(); show(false); });
  if (given.code) show(false);
}

// The finder above the catalogue, which stays whole: the best five while one types, with why, and what the words tell of
// the facts, which goes with the link. What cannot arise under the code comes last.
function ask(form) {
  const { find: field, code } = form.elements;
  const [list, status] = [form.querySelector(".found"), form.querySelector("[role=status]")];
  const root = new URL("../", import.meta.url);
  let turn = 0; // the newest call of seek(), so that a slow load never draws over a later answer

  const line = (one) => made("li", {},
    made("a", { href: new URL(pageOf(one, code.value), root).href }, one.label), made("span", {}, one.meaning),
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
}

const questions = document.querySelector(".settle");
if (questions) settle(questions);
const form = document.querySelector(".dispute-filter");
if (form) ask(form);
