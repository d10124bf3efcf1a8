// Tables of scores are stored gzipped; a click on a link saves the plain CSV. Without this script it saves the gzipped file.
import { save, unzipped } from "./page.js";

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.csv");
  if (!link) return;
  event.preventDefault();
  const csv = await unzipped(await (await fetch(link.href)).blob());
  save(csv, decodeURIComponent(link.pathname).split("/").at(-1).replace(/\.gz$/, ""));
});
