// Buttons that copy a citation. Without this script the citations stand there to be read.
import { copied, made } from "./page.js";

const { base } = JSON.parse(document.getElementById("__config").textContent);
const root = new URL(`${base}/`, location.href);
const rows = document.querySelectorAll(".cite-row");
// tells what a button has done to those who do not see it
const spoken = made("p", { role: "status", class: "spoken" });
if (rows.length) document.body.append(spoken);

for (const row of rows) {
  const code = row.querySelector("code");
  const style = row.querySelector("dt").textContent;
  // Where the site stands is not known when it is made; here it is.
  if (style === "Link") code.textContent = new URL(code.textContent, root).href;
  let back = 0; // the timer after which the button is as it was
  const copy = async () => {
    const done = (await copied(code.textContent)) ? "Copied" : "Selected";
    // Without leave to write to the clipboard the text is selected, to be copied by hand.
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
