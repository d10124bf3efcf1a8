// What the scripts of the pages have in common.

/** An element with attributes (a function is what it does at that event) and children; text stays text. */
export function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Words in which what stands between backticks is code, as nodes. */
export const coded = (words) => words.split(/`([^`]+)`/).map((part, i) => (i % 2 ? made("code", {}, part) : part));

/** The JSON at a URL, asked for when it is first wanted, and anew after a failure. */
export function json(url) {
  let asked;
  const ask = async () => {
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(String(reply.status));
    return JSON.parse(await (await unzipped(await reply.blob())).text());
  };
  return () => (asked ??= ask().catch((error) => { asked = undefined; throw error; }));
}

/** What stands after the # of the page's address; as it is where it cannot be decoded (#50%). */
export const hash = () => new URLSearchParams(`of=${location.hash.slice(1)}`).get("of");

/** Put a text on the clipboard; whether the browser let it be. */
export const copied = (text) => Promise.resolve(text)
  .then((said) => navigator.clipboard.writeText(said)).then(() => true, () => false);

/** The text of a file, whose encoding is told by its first bytes or guessed. */
export async function textOf(file) {
  const data = new Uint8Array(await file.arrayBuffer());
  const marked = { "255,254": "utf-16le", "254,255": "utf-16be" }[data.subarray(0, 2)] ?? "utf-8";
  try {
    return new TextDecoder(marked, { fatal: true }).decode(data);
  } catch {
    return new TextDecoder("windows-1252").decode(data); // what old PBN files are written in
  }
}

/** Save data (a text or a blob) as a file. */
export function save(data, name) {
  const href = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type: "text/plain" }));
  made("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** Show words in an element, those in `marks` ([from, to] in the words, `first` being the first) as `tag`. */
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

/** What comes through a stream, as a blob; `each` is told how much has come, and how much is new, and may refuse it. */
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

/** A blob, unpacked where it is gzipped: some servers unpack a .gz on the way. */
export async function unzipped(blob) {
  const [one, two] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  return one === 0x1f && two === 0x8b ? through(new DecompressionStream("gzip"), blob) : blob;
}

/** Data through a stream that packs or unpacks it, as a blob. */
export const through = (stream, data, each) =>
  pieces(new Blob([data]).stream().pipeThrough(stream), each);

/** Characters of a record, more than which is for the command line. */
export const LARGEST = 2_000_000;

/** A text as one word of a link. */
export async function packed(text) {
  const data = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = Array.from(new Uint8Array(await data.arrayBuffer()), (byte) => String.fromCharCode(byte));
  return btoa(letters.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text that a link carries; refused if it unpacks to more than a page takes. */
export async function unpacked(word) {
  const data = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const whole = await through(new DecompressionStream("deflate-raw"), data, (come) => {
    if (come > LARGEST) throw new Error("too large");
  });
  return new TextDecoder("utf-8", { fatal: true }).decode(await whole.arrayBuffer());
}

/** Put parts behind the # of the page's address, and that on the clipboard; what became of it, in words. */
export async function linkTo(parts) {
  history.replaceState(null, "", `#${new URLSearchParams(Object.entries(parts).filter(([, value]) => value))}`);
  const { length } = location.href;
  const long = length > 8000 ? ` It has ${length} letters, more than some programs take.` : "";
  return `The link is ${(await copied(location.href)) ? "on the clipboard" : "in the address bar"}.${long}`;
}

/** The code that is played tonight, as it was last chosen on any page; given one, it is remembered on this machine, and
 * forgotten where it is empty. */
export function tonight(code) {
  try {
    if (code !== undefined) localStorage.setItem("oddtrick.code", code);
    return code ?? localStorage.getItem("oddtrick.code") ?? "";
  } catch {
    return code ?? ""; // a browser may keep nothing
  }
}
