// The reader's own copies of the books, stored in this browser: the printed words of the laws of each code.
import { stored } from "./page.js";

/** Store a copy; returns whether the browser had room for it. */
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
