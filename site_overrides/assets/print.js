// Two codes whole: a topic of theirs is printed on its own, with the names of the codes over it.
const style = document.documentElement.classList;

for (const button of document.querySelectorAll(".cmp-print")) {
  const topic = button.closest(".cmp-topic");
  button.addEventListener("click", () => {
    const own = [topic, topic.previousElementSibling];
    style.add("cmp-alone");
    for (const part of own) part.classList.add("cmp-printed");
    addEventListener("afterprint", () => {
      style.remove("cmp-alone");
      for (const part of own) part.classList.remove("cmp-printed");
    }, { once: true });
    print();
  });
  button.hidden = false;
}
