// A table of scores is kept gzipped; a click on its link saves it as plain CSV. Without this script the link saves it gzipped.
import { save, through } from "./page.js";

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.csv");
  if (!link) return;
  event.preventDefault();
  const whole = await (await fetch(link.href)).arrayBuffer();
  const [one, two] = new Uint8Array(whole); // some servers unpack a .gz on the way
  const csv = one === 0x1f && two === 0x8b ? await through(new DecompressionStream("gzip"), whole) : new Blob([whole]);
  save(csv, decodeURIComponent(link.pathname).split("/").at(-1).replace(/\.gz$/, ""));
});
