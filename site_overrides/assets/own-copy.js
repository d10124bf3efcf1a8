// "Your own copy": sends the text of a book to Python in the worker of "Check a hand", which finds the laws in it. They are
// stored only in this browser, where the pages of the laws (law.js) read them. Words from a book are inserted as text, not HTML.
import { copyOf, made, status, stored, textOf } from "./page.js";
import { python } from "./python.js";

const root = document.querySelector(".own");
const find = (selector) => root.querySelector(selector);
const say = status(find(".own-said")), input = find("input");
const { files, codes } = JSON.parse(document.getElementById("own-facts").textContent);
const checker = python(files, find(".own-progress"), say);

function list() {
  find(".own-list").replaceChildren(...codes.map(copyOf).filter(Boolean).map(({ code, short, said, file }) => made("li", {},
    made("a", { href: `../codes/${code}/` }, said), `, from ${file} `,
    made("button", { type: "button", click: () => { stored(`copy.${code}`, ""); say(`${short} is removed.`); list(); } }, `Remove ${short}`))));
}

input.addEventListener("change", async () => {
  const [file] = input.files;
  if (!file) return;
  input.disabled = true;
  root.setAttribute("aria-busy", "true");
  const answer = await checker.ask({ of: "book", text: await textOf(file), file: file.name });
  const keep = (copy) => stored(`copy.${copy.code}`, JSON.stringify(copy)) !== null;
  if (answer.failed || answer.copies.every(keep)) say(answer.status, answer.failed);
  else say("This browser has no room for it.", true);
  input.value = "";
  input.disabled = false;
  root.removeAttribute("aria-busy");
  list();
});

document.querySelector(".own-plain").hidden = true;
root.hidden = false;
list();
