// Buttons that copy a citation. Without this script, the citations are shown without buttons.
import { copied, copyOf, json, made } from "./page.js";

const { base } = JSON.parse(document.getElementById("__config").textContent);
const root = new URL(`${base}/`, location.href);
const rows = document.querySelectorAll(".cite-row");
// announces the effect of a button to screen readers
const spoken = made("p", { role: "status", class: "spoken" });
if (rows.length) document.body.append(spoken);

function copying(row) {
  const code = row.querySelector("code");
  const style = row.querySelector("dt").textContent;
  let back = 0; // timer that restores the label of the button
  const copy = async () => {
    const done = (await copied(code.textContent)) ? "Copied" : "Selected";
    // Without permission to write to the clipboard, select the text so that the reader can copy it.
    if (done === "Selected") getSelection().selectAllChildren(code);
    named(done);
    spoken.textContent = `${done} the citation: ${style}`;
    clearTimeout(back);
    back = setTimeout(() => {
      named("Copy");
      spoken.textContent = "";
    }, 2000);
  };
  const button = made("button", { type: "button", class: "copy", click: copy });
  const named = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word} the citation: ${style}`);
  };
  named("Copy");
  row.querySelector("dd").append(button);
}
rows.forEach(copying);

// Citation styles that are only in the data of the law are added when the reader opens the list.
const data = json(document.querySelector("link[rel=describedby][type='application/json']")?.href);
for (const more of document.querySelectorAll(".cite-more")) {
  more.parentNode.addEventListener("toggle", async () => {
    const found = (await data()).provisions[more.dataset.address].citations;
    for (const [name, style] of [["Chicago note", "chicago"], ["BibTeX", "bibtex"]]) {
      const row = made("div", { class: "cite-row" }, made("dt", {}, name), made("dd", {}, made("code", {}, found[style])));
      more.previousElementSibling.append(row);
      copying(row);
    }
    more.remove();
  }, { once: true });
}

// The printed words from the reader's own copy of the book, if it is stored in this browser ("Your own copy").
const source = document.querySelector(".law-source[data-code]");
const copy = source && copyOf(source.dataset.code);
if (copy && !copy.laws) source.after(made("p", { class: "printed-damaged" }, "Your own copy of this book, stored in this browser, is damaged: ",
  made("a", { href: new URL("own-copy/", root).href }, "give it again"), "."));
if (copy?.laws && Object.hasOwn(copy.laws, source.dataset.law)) {
  source.after(made("details", { class: "printed", open: "" },
    made("summary", {}, "As printed"),
    made("p", { class: "printed-words" }, copy.laws[source.dataset.law]),
    made("p", { class: "cite" }, `From your own copy, ${copy.file}; it is in this browser only.`)));
}
