// Disputes: the filter of the catalogue, and the guided questions. What is asked and answered, and what a word of a
// player may mean, was worked out and worded in Python (disputes/NAME.json, and the scores in the catalogue); here only
// the tree is walked and the scores are summed. The URL holds the code and the answers
// (?code=royalton-1915&offender=adversary), so that an answer can be linked and walked back.
import { copied, json, made } from "./page.js";

function settle(home) {
  const find = (name) => home.querySelector(name);
  const [asked, may, answer, note] = [".asked", ".may", ".answer", ".settle-note"].map(find);
  const read = () => Object.fromEntries(new URLSearchParams(location.search));
  const load = json(home.dataset.answers);
  let given = read(); // those that do not matter now may matter under another code
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
      for (const button of asked.children[i].querySelectorAll("button")) button.ariaPressed = String(button.value === value);
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
    const told = steps.filter((step) => step.value !== undefined);
    const path = String(new URLSearchParams(told.map((step) => [step.fact, step.value])));
    const url = location.pathname + (path && `?${path}`);
    if (moved && url !== location.pathname + location.search) history.pushState(null, "", url);
    const lost = !moved && turn > 1 && told.length && document.activeElement === document.body;
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
      given = { ...given, [button.closest("fieldset").dataset.fact]: button.value };
      show(true);
    }
  });
  addEventListener("popstate", () => { given = read(); show(false); });
  if (given.code) show(false);
}

// The filter of the catalogue: shown are those whose score comes near the best.
function filter(field) {
  const status = field.parentElement.querySelector("[role=status]");
  const lines = [...document.querySelectorAll(".disputes > li")];
  const scores = JSON.parse(document.getElementById("dispute-scores").textContent);
  const NEAR = 0.5; // the share of the best score
  const words = (text) => text.toLowerCase().replace(/[’']s?\b/g, "").match(/[a-z0-9]+/g) ?? [];

  // What words say for each dispute, by its place: each word, the last perhaps just begun, and two in a row.
  const known = Object.keys(scores);
  const sums = (typed) => {
    const found = typed.map((word) => scores[word]);
    found.push(...typed.slice(1).map((word, i) => scores[`${typed[i]} ${word}`]));
    if (!scores[typed.at(-1)]) found.push(scores[known.find((word) => word.startsWith(typed.at(-1)))]);
    return lines.map((_, place) => found.reduce((sum, each) => sum + (each?.[place] ?? 0), 0));
  };

  // Of what players say, the words nearest to those typed.
  const phrase = (line, typed) => {
    const held = (said) => typed.filter((t) => words(said).some((word) => word.startsWith(t))).length;
    const known = held(line.textContent);
    const said = (line.dataset.said ?? "").split("\n").toSorted((a, b) => held(b) - held(a))[0];
    return held(said) > known ? said : "";
  };

  function choose() {
    const typed = words(field.value);
    const found = sums(typed);
    const best = Math.max(...found);
    for (const [place, line] of lines.entries()) {
      line.querySelector(".phrase")?.remove();
      line.hidden = typed.length > 0 && !(best > 0 && found[place] >= NEAR * best);
      const said = line.hidden ? "" : phrase(line, typed);
      if (said) line.append(made("span", { class: "phrase" }, said));
    }
    const left = lines.filter((line) => !line.hidden).length;
    const told = left ? `${left} of ${lines.length}` : "Nothing is found for that; try other words.";
    status.textContent = typed.length ? told : "";
    const url = field.value ? `?find=${encodeURIComponent(field.value)}` : location.pathname;
    if (url !== (location.search || location.pathname)) history.replaceState(null, "", url + location.hash);
  }

  field.value = new URLSearchParams(location.search).get("find") ?? field.value;
  field.addEventListener("input", choose);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && field.value) lines.find((line) => !line.hidden)?.querySelector("a").focus();
  });
  if (field.value) choose();
}

const questions = document.querySelector(".settle");
if (questions) settle(questions);
const field = document.querySelector("#dispute-filter");
if (field) filter(field);
