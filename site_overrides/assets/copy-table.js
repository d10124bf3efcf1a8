// Two buttons above each table with a name (data-csv): copy it for a spreadsheet, and save it as CSV.
// Citations in its cells (.cmp-law, .topic-cited) are left out, so that a cell with a figure is a number.
import { copied, made, save, unzipped } from "./page.js";

const words = (cell) => {
  const own = cell.cloneNode(true);
  if (cell.localName === "td") for (const law of own.querySelectorAll(".cmp-law, .topic-cited")) if (own.textContent.trim() !== law.textContent.trim()) law.remove();
  return own.textContent.replace(/\s+/g, " ").trim();
};
/** The visible rows; a cell that spans several columns is repeated in each. */
const rows = (table) => [...table.rows].filter((row) => row.checkVisibility())
  .map((row) => [...row.cells].flatMap((cell) => Array(cell.colSpan).fill(words(cell))));
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

for (const box of document.querySelectorAll("[data-csv]")) {
  const lines = (between, each) => rows(box.querySelector("table")).map((row) => row.map(each).join(between)).join("\r\n");
  const said = made("span", { role: "status" });
  const copy = async () => { said.textContent = (await copied(lines("\t", String))) ? " Copied" : " The browser does not let this page copy."; };
  const saved = () => save(new Blob([`${lines(",", quoted)}\r\n`], { type: "text/csv" }), `${box.dataset.csv}.csv`);
  box.before(made("p", { class: "table-copy" }, made("button", { type: "button", click: copy }, "Copy"), " ", made("button", { type: "button", click: saved }, "CSV"), said));
}

// Tables of scores are stored gzipped; a click on a link saves the plain CSV. Without this script it saves the gzipped file.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.csv");
  if (!link) return;
  event.preventDefault();
  const csv = await unzipped(await (await fetch(link.href)).blob());
  save(csv, decodeURIComponent(link.pathname).split("/").at(-1).replace(/\.gz$/, ""));
});
