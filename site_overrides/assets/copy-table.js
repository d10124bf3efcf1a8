// Two buttons above each table with a name (data-csv): copy it for a spreadsheet, and save it as CSV.
// Citations in its cells (.cmp-law, .topic-cited) go to a column of their own, so that a cell with a figure is a number.
import { copied, made, save, unzipped } from "./page.js";

const plain = (node) => node.textContent.replace(/\s+/g, " ").trim();
/** The text of a cell without its citations, and the citations; a cell of citations alone is text. */
const parted = (cell) => {
  const own = cell.cloneNode(true);
  const laws = cell.localName === "td" ? [...own.querySelectorAll(".cmp-law, .topic-cited")].filter((law) => plain(law) && plain(law) !== plain(own)) : [];
  for (const law of laws) law.remove();
  for (const name of own.querySelectorAll("tr th")) name.append(":");
  for (const row of own.querySelectorAll("tr + tr")) row.previousElementSibling.lastElementChild.append(";");
  for (const end of own.querySelectorAll("br")) end.replaceWith("; ");
  return { text: plain(own), law: laws.map(plain).join("; ") };
};
/** The visible rows; a cell that spans several columns is repeated in each. A column with citations has them in a column `law` beside it. */
const rows = (table) => {
  const found = [...table.rows].filter((row) => row.checkVisibility()).map((row) => [...row.cells].flatMap((cell) => Array(cell.colSpan).fill(parted(cell))));
  const cited = new Set(found.flatMap((row) => row.flatMap((cell, n) => (cell.law ? [n] : []))));
  return found.map((row, at) => row.flatMap((cell, n) => (cited.has(n) ? [cell.text, at ? cell.law : `${cell.text}: law`] : [cell.text])));
};
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

for (const box of document.querySelectorAll("[data-csv]")) {
  const lines = (between, each) => rows(box.querySelector("table")).map((row) => row.map(each).join(between)).join("\r\n");
  const said = made("span", { role: "status" });
  const copy = async () => { said.textContent = (await copied(lines("\t", String))) ? " Copied" : " The browser did not allow copying."; };
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
