// A table of scores is kept gzipped; a click on its link saves it as plain CSV. Without this script the link saves it gzipped.
import { save, unzipped } from "./page.js";

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.csv");
  if (!link) return;
  event.preventDefault();
  const csv = await unzipped(await (await fetch(link.href)).blob());
  save(csv, decodeURIComponent(link.pathname).split("/").at(-1).replace(/\.gz$/, ""));
});
