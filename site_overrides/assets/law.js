// Buttons that copy a citation. Without this script, the citations are shown without buttons.
import { copied, json, made } from "./page.js";

// announces the effect of a button to screen readers
const spoken = made("p", { role: "status", class: "spoken" });
document.body.append(spoken);

function copying(row) {
  const code = row.querySelector("code"), style = row.querySelector("dt").textContent;
  const button = made("button", { type: "button", class: "copy", "aria-label": `Copy the citation: ${style}` }, "Copy");
  button.addEventListener("click", async () => {
    button.textContent = (await copied(code.textContent)) ? "Copied" : "Selected";
    // Without permission to write to the clipboard, select the text so that the reader can copy it.
    if (button.textContent === "Selected") getSelection().selectAllChildren(code);
    spoken.textContent = button.ariaLabel = `${button.textContent} the citation: ${style}`;
  });
  row.querySelector("dd").append(button);
}
document.querySelectorAll(".cite-row").forEach(copying);

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
