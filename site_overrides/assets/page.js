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

/** A function that shows words in a status line; `wrong` marks them as an error. */
export const status = (element) => (words, wrong = false) => {
  element.replaceChildren(...coded(words));
  element.classList.toggle("wrong", wrong);
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

/** The decoded fragment of the page's URL; malformed escapes (#50%) are left as they are. */
export const hash = () => new URLSearchParams(`of=${location.hash.slice(1)}`).get("of");

/** Copy a text to the clipboard; resolves to whether the browser allowed it. */
export const copied = (text) => Promise.resolve(text)
  .then((said) => navigator.clipboard.writeText(said)).then(() => true, () => false);

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

/** Show words in an element, with the ranges in `marks` wrapped in `tag`. Ranges are half-open ([from, to]); `first` is the
 * position of the first word. */
export function show(element, words, marks, tag, first = 0) {
  const parts = [];
  let at = 0;
  for (const [from, to] of [...marks, [Infinity, Infinity]]) {
    const [start, end] = [from, to].map((n) => Math.min(Math.max(n - first, at), words.length));
    if (start > at) parts.push(words.slice(at, start).join(" "));
    if (end > start) parts.push(made(tag, {}, words.slice(start, end).join(" ")));
    at = end;
  }
  element.replaceChildren(...parts.flatMap((part, i) => (i ? [" ", part] : [part])));
}

/** The content of a stream as a blob. `each` is called with the total length and that of the new chunk, and may throw. */
export async function pieces(stream, each = () => null) {
  const reader = stream.getReader();
  const come = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(come);
    length += value.length;
    each(length, value.length);
    come.push(value);
  }
}

/** A blob, decompressed if it is gzipped; some servers decompress .gz files on the way. */
export async function unzipped(blob) {
  const [one, two] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  return one === 0x1f && two === 0x8b ? through(new DecompressionStream("gzip"), blob) : blob;
}

/** The data piped through a (de)compression stream, as a blob. */
export const through = (stream, data, each) =>
  pieces(new Blob([data]).stream().pipeThrough(stream), each);

/** The maximum number of characters of a record; longer ones need the command line. */
export const LARGEST = 2_000_000;

/** A text compressed and encoded for a link. */
export async function packed(text) {
  const data = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = Array.from(new Uint8Array(await data.arrayBuffer()), (byte) => String.fromCharCode(byte));
  return btoa(letters.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text encoded in a link. Throws if it is damaged, or larger than `LARGEST`. */
export async function unpacked(word) {
  const data = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const whole = await through(new DecompressionStream("deflate-raw"), data, (come) => {
    if (come > LARGEST) throw new Error("too large");
  });
  return new TextDecoder("utf-8", { fatal: true }).decode(await whole.arrayBuffer());
}

/** Put parts into the fragment of the page's URL, and copy the URL to the clipboard; returns a message on the outcome. */
export async function linkTo(parts) {
  history.replaceState(null, "", `#${new URLSearchParams(Object.entries(parts).filter(([, value]) => value))}`);
  const { length } = location.href;
  const long = length > 8000 ? ` It has ${length} letters, more than some programs take.` : "";
  return `The link is ${(await copied(location.href)) ? "on the clipboard" : "in the address bar"}.${long}`;
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

/** Tonight's code: the code last chosen on any page, or an empty string. An argument is stored as the new choice. */
export const tonight = (code) => stored("code", code) ?? code ?? "";

/** Store the printed words of the laws of a code from the reader's own copy of the book; returns whether the browser had room for it. */
export const keep = (copy) => stored(`copy.${copy.code}`, JSON.stringify(copy)) !== null;
export const forget = (code) => stored(`copy.${code}`, "");

/** The copy of a code, or null. What is stored for years may be damaged or come from an older version: then it has no `laws`. */
export function copyOf(code) {
  const text = stored(`copy.${code}`);
  if (!text) return null;
  try {
    const { short, said, file, laws } = JSON.parse(text);
    if ([short, said, file, ...Object.values(laws)].every((one) => typeof one === "string")) return { code, short, said, file, laws };
  } catch {} // not JSON, or no laws
  return { code, short: code };
}
