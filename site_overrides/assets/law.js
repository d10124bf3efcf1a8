// Buttons that copy a citation. Without this script the citations stand there to be read.
"use strict";
{
  const rows = document.querySelectorAll(".cite-row");
  const root = new URL(`${JSON.parse(document.getElementById("__config").textContent).base}/`, location.href);
  const spoken = document.createElement("p"); // tells what a button has done to those who do not see it
  spoken.setAttribute("role", "status");
  spoken.style.cssText = "position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap";
  if (rows.length) document.body.append(spoken);

  for (const row of rows) {
    const code = row.querySelector("code");
    const style = row.querySelector("dt").textContent;
    const button = document.createElement("button");
    // Where the site stands is not known when it is made; here it is.
    if (style === "Link") code.textContent = new URL(code.textContent, root).href;
    let back = 0; // the timer after which the button is as it was
    const named = (word) => {
      button.textContent = word;
      button.setAttribute("aria-label", `${word} the citation: ${style}`);
    };
    button.type = "button";
    button.className = "copy";
    named("Copy");
    button.addEventListener("click", async () => {
      let done = "Copied";
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch {
        // Without leave to write to the clipboard the text is selected, to be copied by hand.
        const range = document.createRange();
        range.selectNodeContents(code);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        done = "Selected";
      }
      named(done);
      spoken.textContent = `${done} the citation: ${style}`;
      clearTimeout(back);
      back = setTimeout(() => {
        named("Copy");
        spoken.textContent = "";
      }, 2000);
    });
    row.querySelector("dd").append(button);
  }
}
