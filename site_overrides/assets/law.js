// Buttons that copy a citation. Without this script, the citations are shown without buttons.
import { copied, made } from "./page.js";

// announces the effect of a button to screen readers
const spoken = made("p", { role: "status", class: "spoken" });
document.body.append(spoken);

for (const row of document.querySelectorAll(".cite-row")) {
  const code = row.querySelector("code"), style = row.querySelector("dt").textContent;
  const button = made("button", { type: "button", class: "copy" });
  const named = (word) => {
    button.textContent = word;
    button.ariaLabel = `${word} the citation: ${style}`;
    spoken.textContent = word === "Copy" ? "" : button.ariaLabel;
  };
  named("Copy");
  button.addEventListener("click", async () => {
    named((await copied(code.textContent)) ? "Copied" : "Selected");
    // Without permission to write to the clipboard, select the text so that the reader can copy it.
    if (button.textContent === "Selected") getSelection().selectAllChildren(code);
    setTimeout(named, 2000, "Copy");
  });
  row.querySelector("dd").append(button);
}
