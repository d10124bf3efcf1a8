// The filter above the list of topics: shows the topics whose entry (name, question, codes) contains every word typed.
const form = document.querySelector(".topic-filter");
const input = form.querySelector("input"), told = form.querySelector("[role=status]");
const entries = [...document.querySelectorAll(".topic-entry")].map((entry) => [entry, entry.textContent.toLowerCase()]);

function draw() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const [entry, text] of entries) {
    entry.hidden = !words.every((word) => text.includes(word));
    left += !entry.hidden;
  }
  for (const heading of document.querySelectorAll("[id^=family-]")) {
    let next = heading.nextElementSibling, empty = true;
    for (; next?.matches(".topic-entry"); next = next.nextElementSibling) empty &&= next.hidden;
    heading.hidden = empty;
  }
  told.textContent = words.length ? `${left} of ${entries.length} topics` : "";
}

form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("input", draw);
form.hidden = false;
draw(); // the browser may have restored the input
