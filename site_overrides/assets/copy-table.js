// Two buttons above each table with a name (data-csv): copy it for a spreadsheet, and save it as CSV.
// They use the rows for a spreadsheet (data-rows) if the page has them, otherwise the visible rows.
import { copyOn, made, save, unzipped } from "./page.js";

const plain = (node) => node.textContent.replace(/\s+/g, " ").trim();
/** The text of a cell. */
const text = (cell) => {
  const own = cell.cloneNode(true);
  for (const end of own.querySelectorAll("br")) end.replaceWith("; ");
  return plain(own);
};
/** The visible rows; a cell that spans several columns is repeated in each. */
const visible = (table) => [...table.rows].filter((row) => row.checkVisibility()).map((row) => [...row.cells].flatMap((cell) => Array(cell.colSpan).fill(text(cell))));
const rows = (box) => (box.dataset.rows ? JSON.parse(box.dataset.rows) : visible(box.querySelector("table")));
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

for (const box of document.querySelectorAll("[data-csv]")) {
  const lines = (between, each) => rows(box).map((row) => row.map(String).map(each).join(between)).join("\r\n");
  const copy = made("button", { type: "button" }, "Copy"), said = made("span", { role: "status" });
  copyOn(copy, () => lines("\t", (words) => words), said);
  const saved = () => save(new Blob([`${lines(",", quoted)}\r\n`], { type: "text/csv" }), `${box.dataset.csv}.csv`);
  box.before(made("p", { class: "table-copy" }, copy, " ", made("button", { type: "button", click: saved }, "CSV"), " ", said));
}

// Tables of scores are stored gzipped; a click on a link saves the plain CSV. Without this script it saves the gzipped file.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.csv");
  if (!link) return;
  event.preventDefault();
  const csv = await unzipped(await (await fetch(link.href)).blob());
  save(csv, decodeURIComponent(link.pathname).split("/").at(-1).replace(/\.gz$/, ""));
});
