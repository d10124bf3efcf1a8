// Buttons that copy a citation.
import { copyOn, made } from "./page.js";

for (const row of document.querySelectorAll(".cite-row")) {
  const style = row.querySelector("dt").textContent, code = row.querySelector("code"), said = made("span", { role: "status" });
  const button = made("button", { type: "button", class: "copy", "aria-label": `Copy the citation: ${style}` }, "Copy");
  copyOn(button, () => code.textContent, said);
  row.querySelector("dd").append(button, said);
}
