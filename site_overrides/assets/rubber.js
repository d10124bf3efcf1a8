// "Keep a rubber": the record of the rubber is its text, which Python in the worker of "Check a hand" (check-worker.js)
// makes longer and draws; here it is kept in this browser, and the choices are put together as the sentence of a deal.
import { coded, save, tonight } from "./page.js";
import { python } from "./python.js";

const root = document.getElementById("rubber");
const find = (selector) => root.querySelector(selector);
const { files, codes } = JSON.parse(document.getElementById("rubber-facts").textContent);
const begin = find(".kr-begin"), deal = find(".kr-deal"), keptBox = find(".kr-kept"), drawn = find(".kr-drawn");
const said = find(".kr-said"), progress = find(".kr-progress"), field = deal.elements;
const KEY = "oddtrick.rubber";
let text = "", own = false;

const say = (words, wrong = false) => {
  said.replaceChildren(...coded(words));
  said.classList.toggle("kr-wrong", wrong);
};

function store() {
  try {
    if (text) localStorage.setItem(KEY, text);
    else localStorage.removeItem(KEY);
  } catch {
    say("This browser keeps nothing: save the rubber before you leave the page.", true);
  }
}

const stored = () => {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
};

const checker = python(files, progress, say);
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, checker.start, { once: true });

// Ask, and show what the rubber has become; whether it was understood.
async function change(question) {
  root.setAttribute("aria-busy", "true");
  const answer = await checker.ask({ of: "rubber", text, ...question });
  root.removeAttribute("aria-busy");
  say(answer.said, answer.wrong);
  if (answer.wrong) {
    if (answer.end) field.words.setSelectionRange(answer.start, answer.end);
    return false;
  }
  text = answer.text;
  store();
  drawn.innerHTML = answer.html;
  offer(answer.code);
  begin.hidden = true;
  deal.hidden = keptBox.hidden = false;
  for (const button of root.querySelectorAll("[data-does=back], [data-does=print]")) button.disabled = !answer.deals;
  return true;
}

// Offer what the code of the rubber has.
function offer(code) {
  const has = codes[code];
  if (!has) return;
  for (const name of ["number", "denomination", "doubled"]) {
    for (const one of deal.querySelectorAll(`[name=${name}]`)) one.parentElement.hidden = one.disabled = !has[name].includes(one.value);
    deal.querySelector(`[data-of=${name}]`).hidden = !has[name].length;
  }
  for (const name of ["honours", "chicane"]) deal.querySelector(`[data-of=${name}]`).hidden = !has[name];
}

// The choices as a sentence: `4 hearts doubled by South, 11 tricks`.
function sentence() {
  const value = (name) => (field[name].disabled || field[name].closest?.("[hidden]") ? "" : field[name].value);
  const contract = [value("number"), value("denomination"), value("doubled"), value("declarer") && `by ${value("declarer")}`];
  const honours = value("honours") && [value("honours"), value("side")].filter(Boolean).join(" ");
  const tricks = value("tricks") && (value("tricks") === "1" ? "1 trick" : `${value("tricks")} tricks`);
  return [contract.filter(Boolean).join(" "), tricks, honours, value("chicane")].filter(Boolean).join(", ");
}

function fresh() {
  deal.reset();
  own = false;
}

begin.addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = Object.fromEntries(["code", "title", "ours", "theirs"].map((name) => [name, begin.elements[name].value]));
  tonight(told.code);
  text = "";
  await change({ begin: told });
});
begin.querySelector("[type=file]").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (!file) return;
  if (file.size > 200_000) return say("That file is too large for a rubber.", true);
  text = await file.text();
  if (!(await change({}))) text = "";
});
deal.addEventListener("input", ({ target }) => {
  if (target.name === "words") own = Boolean(target.value);
  else if (!own || confirm("Put the choices in the place of your words?")) {
    own = false;
    field.words.value = sentence();
  }
});
deal.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await change({ add: field.words.value })) fresh();
});

const DOES = {
  passed: async () => { if (await change({ passed: true })) fresh(); },
  back: () => change({ back: true }),
  print: () => print(),
  save: () => save(text, "rubber.hand"),
  new: () => {
    if (!confirm("Begin a new rubber? This one is gone unless it is saved.")) return;
    text = "";
    store();
    fresh();
    drawn.replaceChildren();
    begin.hidden = false;
    deal.hidden = keptBox.hidden = true;
    say("");
  },
};
for (const button of root.querySelectorAll("[data-does]")) button.addEventListener("click", DOES[button.dataset.does]);

document.getElementById("rubber-plain").hidden = true;
root.hidden = false;
const wanted = new URLSearchParams(location.hash.slice(1) || location.search).get("code") ?? tonight();
if (Object.hasOwn(codes, wanted)) begin.elements.code.value = wanted;
text = stored();
if (text) {
  // The kept rubber is opened; a form for another would say that it is gone.
  begin.hidden = true;
  change({}).then((opened) => {
    if (opened) return;
    // It can still be saved, and goes when it is thrown away, not when another is begun.
    say(`What this browser keeps is not opened as a rubber. ${said.textContent} Save it, or begin a new one.`, true);
    keptBox.hidden = false;
    find("[data-does=print]").disabled = true;
  });
}
