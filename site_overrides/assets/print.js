// The page of two codes: a button on each topic prints that topic by itself, below the names of the codes.
import { made } from "./page.js";

const style = document.documentElement.classList;

for (const topic of document.querySelectorAll(".cmp-topic")) {
  const own = [topic, topic.previousElementSibling];
  const click = () => {
    style.add("cmp-alone");
    for (const part of own) part.classList.add("cmp-printed");
    addEventListener("afterprint", () => {
      style.remove("cmp-alone");
      for (const part of own) part.classList.remove("cmp-printed");
    }, { once: true });
    print();
  };
  const name = `Print ${own[1].firstChild.textContent}`;
  topic.querySelector(".cmp-question").append(" ", made("button", { type: "button", class: "cmp-print", "aria-label": name, click }, "Print this"));
}
