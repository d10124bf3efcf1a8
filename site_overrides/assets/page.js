// Functions that the scripts of the pages share.

/** A new element with attributes and children. A function as an attribute listens for that event; strings become text. */
export function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Words as a list of nodes, with text between backticks as `code` elements. */
export const coded = (words) => words.split(/`([^`]+)`/).map((part, i) => (i % 2 ? made("code", {}, part) : part));

/** A function that shows words in a status line; `wrong` marks them as an error and scrolls to them. */
export const status = (element) => (words, wrong = false) => {
  element.replaceChildren(...coded(words));
  element.classList.toggle("wrong", wrong);
  if (wrong) element.scrollIntoView({ block: "nearest" });
};

/** A function that fetches the JSON at a URL on its first call, and again after a failure. */
export function json(url) {
  let asked;
  const ask = async () => {
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(String(reply.status));
    return JSON.parse(await (await unzipped(await reply.blob())).text());
  };
  return () => (asked ??= ask().catch((error) => { asked = undefined; throw error; }));
}

const copied = (text) => Promise.resolve(text).then((said) => navigator.clipboard.writeText(said)).then(() => true, () => false);

/** Let a button copy what `text()` returns, and let `said` report whether the browser allowed it. */
export const copyOn = (button, text, said) => button.addEventListener("click", async () => {
  said.textContent = (await copied(text())) ? "Copied." : "The browser did not allow copying.";
});

/** The text of a file: UTF-16 if it has a byte-order mark, otherwise UTF-8, or Windows-1252 if that is not valid. */
export async function textOf(file) {
  const data = new Uint8Array(await file.arrayBuffer());
  const marked = { "255,254": "utf-16le", "254,255": "utf-16be" }[data.subarray(0, 2)] ?? "utf-8";
  try {
    return new TextDecoder(marked, { fatal: true }).decode(data);
  } catch {
    return new TextDecoder("windows-1252").decode(data); // the encoding of old PBN files
  }
}

/** Save data (a text or a blob) as a file. */
export function save(data, name) {
  const href = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type: "text/plain" }));
  made("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** A stream that passes everything on, and calls `each` with the length of each chunk. */
export const counted = (each) => new TransformStream({ transform(chunk, out) { each(chunk.length); out.enqueue(chunk); } });

const through = (data, ...streams) =>
  new Response(streams.reduce((stream, one) => stream.pipeThrough(one), new Blob([data]).stream()));

/** A blob, decompressed if it is gzipped; some servers decompress .gz files on the way. */
export async function unzipped(blob) {
  const [one, two] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  return one === 0x1f && two === 0x8b ? through(blob, new DecompressionStream("gzip")).blob() : blob;
}

/** The maximum number of characters of a record; longer ones need the command line. */
export const LARGEST = 2_000_000;

/** A text compressed and encoded for a link. */
export async function packed(text) {
  const data = await through(text, new CompressionStream("deflate-raw")).arrayBuffer();
  const letters = Array.from(new Uint8Array(data), (byte) => String.fromCharCode(byte));
  return btoa(letters.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text encoded in a link. Throws if it is damaged, or larger than `LARGEST`. */
export async function unpacked(word) {
  const data = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  let length = 0;
  const limit = counted((more) => { if ((length += more) > LARGEST) throw new Error("too large"); });
  const whole = await through(data, new DecompressionStream("deflate-raw"), limit).arrayBuffer();
  return new TextDecoder("utf-8", { fatal: true }).decode(whole);
}

/** Copy the page's URL with parts in its fragment to the clipboard, and say so in an element; if the browser does not allow
 * copying, ask the reader to do it. The address of the page stays as it is: a reload would bring the old text back. */
export async function linkTo(parts, element) {
  const value = new URL(`#${new URLSearchParams(Object.entries(parts).filter(([, part]) => part))}`, location).href;
  const long = value.length > 8000 ? ` It has ${value.length} characters, more than some programs accept.` : "";
  if (await copied(value)) element.textContent = `The link is on the clipboard.${long}`;
  else prompt(`The browser did not allow copying; copy the link from here:${long}`, value);
}

/** The text that this browser stores under a name, or an empty string. A second argument is stored first; an empty one is
 * removed. Null if the browser does not allow storage, or has no room for it. */
export function stored(name, text) {
  try {
    if (text) localStorage.setItem(`oddtrick.${name}`, text);
    else if (text === "") localStorage.removeItem(`oddtrick.${name}`);
    return localStorage.getItem(`oddtrick.${name}`) ?? "";
  } catch {
    return null;
  }
}

/** Choose a value in a list, or its first entry if it lacks that value. */
export function choose(list, value) {
  list.value = value;
  if (list.selectedIndex < 0) list.selectedIndex = 0;
}

/** Tonight's code: the code last chosen on any page, or an empty string. An argument is stored as the new choice. */
export const tonight = (code) => stored("code", code) ?? code ?? "";
