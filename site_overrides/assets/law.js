// Buttons that copy a citation. Without this script, the citations are shown without buttons.
import { copied, made } from "./page.js";

// announces the effect of a button to screen readers
const spoken = made("p", { role: "status", class: "spoken" });
document.body.append(spoken);

for (const row of document.querySelectorAll(".cite-row")) {
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
