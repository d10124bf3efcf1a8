// Buttons that copy a citation. Without this script the citations stand there to be read.
"use strict";
for (const row of document.querySelectorAll(".cite-row")) {
  const code = row.querySelector("code");
  const style = row.querySelector("dt").textContent;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy the citation: ${style}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      // Without leave to write to the clipboard the text is selected, to be copied by hand.
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  row.querySelector("dd").append(button);
}
