// The guided questions of a dispute: disputes/NAME.json has the tree of questions, as the engine asks them; the answer is one
// of the rulings in the cards below. The URL has the code and the answers (?code=royalton-1915&offender=adversary), so that an
// answer can be linked and undone; `told` names the facts taken from a player's words.
import { copyOn, json, made, tonight } from "./page.js";

const home = document.querySelector(".settle");
const find = (name) => home.querySelector(name);
const [asked, may, answer, note] = [".asked", ".may", ".answer", ".settle-note"].map(find);
const read = () => Object.fromEntries(new URLSearchParams(location.search));
const load = json(home.dataset.answers);
const told = new Set((read().told ?? "").split(" ")); // the facts taken from the reader's words
let given = { code: tonight(), ...read() }; // answers not needed now may be needed under another code
let link = ""; // the URL of the answers given
let shown = 0; // number of the latest call of show(), so that a slow load does not overwrite a later answer
const said = read().said ?? "";

const upper = (words) => words[0].toUpperCase() + words.slice(1);
const copies = (nodes) => Array.from(nodes, (node) => node.cloneNode(true));

// Follow the tree by the answers given, and by those that they imply: the questions on the way (`steps`), and the node where
// it ends.
function walk({ start: node, implies }) {
  const steps = [], known = { option: "none", ...given }; // without an option unless one is chosen
  for (const [fact, value] of Object.entries(given)) Object.assign(known, { ...implies[fact]?.[value], ...given });
  while (node.ask) {
    const value = Object.hasOwn(node.then, known[node.ask] ?? "") ? known[node.ask] : undefined;
    steps.push({ fact: node.ask, values: Object.keys(node.then), value });
    if (value === undefined) break;
    node = node.then[value];
  }
  return { steps, node, rulings: within(node, known) };
}

// The rulings to which the answers known may still lead.
const within = (node, known) => (node.ask ? Object.entries(node.then).flatMap(([value, next]) =>
  (Object.hasOwn(node.then, known[node.ask] ?? "") && value !== known[node.ask] ? [] : within(next, known))) : [node]);

// Draw the questions: those answered below the ruling, or only those about the code and its options while others are open.
function drawSteps(steps, facts) {
  const drawn = steps.map(({ fact, values, value }) => {
    const [words, answers] = facts[fact];
    const button = (one) => made("button", { type: "button", value: one, "aria-pressed": String(one === value) }, upper(answers[one]));
    return made("fieldset", { "data-fact": fact }, made("legend", { tabindex: -1 }, words),
      made("div", { class: "choices" }, ...values.map(button)),
      ...(value !== undefined && told.has(fact) ? [made("p", { class: "from-words" }, "From your words.")] : []));
  });
  const ofCode = steps.filter(({ fact }) => ["code", "option"].includes(fact)).length;
  find(".answered").replaceChildren(...drawn.splice(0, steps.at(-1).value ? steps.length : Math.min(ofCode, steps.length - 1)));
  asked.replaceChildren(...drawn);
}

function drawEnd({ node, steps, rulings }, { facts }) {
  home.dataset.state = node.ask ? "open" : "settled"; // for the print style sheet and for tests
  answer.hidden = Boolean(node.ask);
  const fits = (node.ask ? (node.may ?? []).filter((id) => rulings.includes(id)) : [node]).map((id) => document.getElementById(id)), [ruling] = fits;
  for (const one of [...fits].reverse()) one.parentNode.prepend(one); // in its card
  may.hidden = !node.may;
  may.querySelector("ul").replaceChildren(...fits.map((one) =>
    made("li", {}, `${one.querySelector("dt").textContent}:`, ...copies([one.querySelector(".given")]))));
  if (node.ask) return;
  const code = document.getElementById(given.code).parentNode;
  const [, codes] = facts.code;
  const happened = steps.slice(1).filter(({ fact }) => fact !== "option").map(({ fact, value }) => facts[fact][1][value]);
  const meaning = document.querySelector(".lede").textContent;
  find(".answer-said").replaceChildren(
    made("h3", {}, `${home.dataset.label}, ${codes[given.code]}`),
    made("p", { class: "answer-finding" }, happened.length ? `${meaning} Here: ${happened.join("; ")}.` : meaning),
    ...(code.contains(ruling) ? [] : copies(code.querySelectorAll(".base"))),
    made("div", { class: "answer-given" }, ...copies(ruling.querySelector("dd").childNodes)));
  const { laws, cite } = ruling.dataset;
  const words = [...ruling.closest(".entry").querySelectorAll(".law-words li")];
  const law = laws.split(" ").flatMap((address) => words.filter((one) => one.dataset.law === address));
  find(".answer-rest").replaceChildren(
    ...(law.length ? [made("h4", {}, "The law"), made("ul", {}, ...copies(law))] : []),
    ...(cite ? [made("h4", {}, "To cite"), made("p", { class: "answer-cite" }, cite)] : []));
  find("[data-copy=citation]").hidden = !cite;
}

// Draw the current state; `fact` is what the reader has just answered. The focus moves to the next question, if there is one.
async function show(fact) {
  const turn = ++shown;
  const data = await load().catch(() => null);
  if (turn !== shown) return;
  note.textContent = data ? "" : "The questions could not be loaded. The cards below give the same answers.";
  if (!data) return;
  const walked = walk(data), { steps, node } = walked;
  drawSteps(steps, data.facts);
  drawEnd(walked, data);
  fold();
  const answered = steps.filter((step) => step.value !== undefined).map((step) => [step.fact, step.value]);
  const path = (pairs) => location.pathname + (pairs.length ? `?${new URLSearchParams(pairs)}` : "");
  link = new URL(path(answered), location).href;
  const url = path([...answered, ...(said ? [["said", said]] : [])]);
  if (fact && url !== location.pathname + location.search) history.pushState(null, "", url);
  if (turn === 1) { // the page has just been opened: a link with every answer leads to the ruling
    if (!node.ask && read().code && !said) find(".answer-said").scrollIntoView();
    return;
  }
  const pressed = home.querySelector(`[data-fact="${fact}"] [aria-pressed=true]`);
  const next = node.ask ? asked.lastElementChild.querySelector("legend") : pressed ?? find(".answered legend");
  next.focus({ preventScroll: true });
  (node.ask ? next.parentNode : find(".answer-said")).scrollIntoView({ block: "nearest" });
}

// Open only the cards of the chosen code and of the URL's fragment; all of them if no code is chosen.
function fold() {
  const linked = document.getElementById(location.hash.slice(1))?.closest(".of-code");
  for (const card of document.querySelectorAll(".of-code")) {
    card.open = !given.code || card.previousElementSibling.id === given.code || card === linked;
  }
}

// Show the words that the reader typed, and a folded list of other disputes and topics they may mean.
async function drawSaid() {
  const { pageOf, sought, tellings } = await import("./search.js");
  const id = location.pathname.split("/").at(-2), code = given.code || undefined;
  const { found: all, fits, topics } = sought(await tellings(), said, code);
  const found = all.filter((one) => one.id !== id).slice(0, 4);
  const others = ["", "One other", "Two others", "Three others", "Four others"][found.length];
  const line = (one) => made("li", {}, made("a", { href: `../../${pageOf(one, code, said)}` }, one.label), ` ${one.meaning}`);
  const topic = ({ id, label }) => made("li", {}, "A question about the rules: ", made("a", { href: `../../topics/${id}/` }, label));
  document.querySelector("h1").after(made("div", { class: "you-said" },
    made("p", {}, `You said: “${said}” `, made("a", { href: `../?${new URLSearchParams({ find: said })}` }, "Rephrase it")),
    ...(fits ? [] : [made("p", {}, "Nothing fits these words well; this is only one of the nearest.")]),
    ...(found.length ? [made("details", {}, made("summary", {}, `Not this? ${others}`), made("ul", {}, ...found.map(line), ...topics.map(topic)))] : [])));
}

copyOn(find("[data-copy=citation]"), () => find(".answer-cite").textContent, note);
copyOn(find("[data-copy=link]"), () => link, note);
home.addEventListener("click", ({ target: button }) => {
  const { fact } = button.closest("fieldset")?.dataset ?? {};
  if (!fact || button.type !== "button") return;
  given = { ...given, [fact]: button.value };
  told.delete(fact);
  if (fact === "code") tonight(button.value);
  show(fact);
});
addEventListener("popstate", () => { given = read(); show(); });
show();
if (said) drawSaid().catch(() => null);
