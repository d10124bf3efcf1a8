// Lets the reader save a drawing as it appears: as an SVG file that includes the colours and fonts of the page.
import { made, save } from "./page.js";

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size", "font-style", "font-weight", "text-anchor"];

function picture(svg) {
  const copy = svg.cloneNode(true);
  const [seen, drawn] = [svg, copy].map((one) => [one, ...one.querySelectorAll("*")]);
  seen.forEach((one, n) => {
    const style = getComputedStyle(one);
    for (const name of KEPT) drawn[n].style.setProperty(name, style.getPropertyValue(name));
    if (one.href?.baseVal) drawn[n].setAttribute("href", new URL(one.href.baseVal, location.href).href);
  });
  const { width, height } = svg.viewBox.baseVal;
  const ground = document.createElementNS(svg.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ width, height, fill: getComputedStyle(document.body).backgroundColor })) ground.setAttribute(name, value);
  copy.prepend(ground);
  for (const [name, value] of Object.entries({ xmlns: svg.namespaceURI, width, height })) copy.setAttribute(name, value);
  return new Blob([copy.outerHTML], { type: "image/svg+xml" });
}

for (const svg of document.querySelectorAll("svg.drawing")) {
  const name = `${svg.querySelector("title").textContent.toLowerCase().replace(/[^a-z]+/g, "-")}.svg`;
  svg.after(made("button", { type: "button", class: "picture-save", click: () => save(picture(svg), name) }, "Save the picture"));
}
