// "Your own copy": sends the text of a book to Python in the worker of "Check a hand", which finds the laws in it. They are
// stored only in this browser, where the pages of the laws (law.js) read them. Words from a book are inserted as text, not HTML.
import { copies, forget, keep, sound } from "./copies.js";
import { coded, made, textOf } from "./page.js";
import { python } from "./python.js";

const root = document.querySelector(".own");
const find = (selector) => root.querySelector(selector);
const said = find(".own-said"), progress = find(".own-progress"), input = find("input");
const say = (words, wrong = false) => {
  said.replaceChildren(...coded(words));
  said.classList.toggle("own-wrong", wrong);
};
const checker = python(JSON.parse(document.getElementById("own-facts").textContent), progress, say);

async function list() {
  const kept = await copies().catch((error) => {
    say(`What this browser has stored could not be read: ${error.message ?? error}`, true);
    return [];
  });
  find(".own-list").replaceChildren(...kept.map((copy) => {
    const name = sound(copy) ? copy.short : String(copy.code);
    return made("li", {},
      made("a", { href: new URL(`../codes/${copy.code}/`, location.href).href }, sound(copy) ? copy.said : name),
      sound(copy) ? `, from ${copy.file} ` : ": the copy is damaged; give the book again. ",
      made("button", { type: "button", click: async () => { await forget(copy.code); say(`${name} is removed.`); list(); } }, `Remove ${name}`));
  }));
}

input.addEventListener("change", async () => {
  const [file] = input.files;
  if (!file) return;
  input.disabled = true;
  root.setAttribute("aria-busy", "true");
  try {
    const answer = await checker.ask({ of: "book", text: await textOf(file), file: file.name });
    if (!answer.wrong) for (const copy of answer.copies) await keep(copy);
    say(answer.said, answer.wrong);
  } catch (error) {
    say(`It could not be stored: ${error.message ?? error}`, true);
  }
  input.value = "";
  input.disabled = false;
  root.removeAttribute("aria-busy");
  list();
});

document.querySelector(".own-plain").hidden = true;
root.hidden = false;
list();
