// The record that the table to tap writes: its parts, which are whole lines of the text, each `[name, lines]`, and the
// lines of the hands, the bidding and the play. What the table does not know is a part without a name, and stays.

export const SEATS = "NESW", RANKS = "AKQJT98765432";
export const WORDS = { N: "north", E: "east", S: "south", W: "west" };
export const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
export const PACK = [...Object.keys(SUITS)].flatMap((suit) => [...RANKS].map((rank) => suit + rank));
export const DEALT = PACK.length / SEATS.length;
// The parts of a deal in the order in which they are written; an empty line stands around those that are apart.
const ORDER = ["deal", "dealer", "standing games", "standing trick", "hands", "bidding", "declaration", "play", "result",
  "honours", "score"];
const APART = ["hands", "bidding", "declaration", "play", "result"];

export const rank = (card) => card.slice(1).replace("T", "10");

/** Behind the last of the parts that are written before one; or behind it itself, where it is there (`after`). */
function place(parts, part, after = false) {
  const order = ORDER.indexOf(part) + (after ? 1 : 0);
  return parts.findLastIndex(([name]) => ORDER.includes(name) && ORDER.indexOf(name) < order) + 1;
}

/** Put a part into the record in the place of the old one, or where it belongs; "" takes it out. */
export function put(parts, part, lines) {
  const at = parts.findIndex(([name]) => name === part);
  if (at < 0) return lines && insert(parts, part, lines, place(parts, part));
  parts.splice(0, parts.length, ...parts.filter(([name], i) => name !== part || (i === at && lines)));
  if (lines) parts[at] = [part, lines];
}

/** Write a line more behind a part, whether that is there or not. */
export const add = (parts, part, line, behind) => insert(parts, part, line, place(parts, behind, true));

function insert(parts, part, lines, at) {
  const blank = (one) => !one || !one[1].trim();
  const own = [[part, lines]];
  if (APART.includes(part)) {
    if (!blank(parts[at - 1])) own.unshift(["", ""]);
    if (APART.includes(parts[at]?.[0])) own.push(["", ""]);
  }
  parts.splice(at, 0, ...own);
}

/** Begin a deal, where none is begun. */
export function begin(parts) {
  if (parts.some(([name]) => name === "deal")) return;
  if (parts.at(-1)?.[0] !== "after") parts.push(["after", ""]);
  const written = parts.length > 1 && parts.at(-2)[1].trim();
  parts.splice(parts.length - 1, 0, ...(written ? [["", ""]] : []), ["deal", "deal 1"]);
}

/** The hands in columns, a column for each suit that any of them has. */
export function handsText(hands) {
  const rows = [...SEATS].filter((seat) => hands[seat]?.length).map((seat) => {
    const whole = hands[seat].length >= DEALT;
    return [seat, whole, ...Object.keys(SUITS).map((suit) => {
      const held = hands[seat].filter((card) => card[0] === suit).map(rank);
      return held.length || whole ? `${SUITS[suit]} ${held.join(" ") || "-"}` : "";
    })];
  });
  const widths = [2, 3, 4, 5].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(([seat, whole, ...cells]) => {
    const padded = cells.flatMap((cell, i) => (widths[i] ? [cell.padEnd(widths[i])] : []));
    return `  ${[WORDS[seat].padEnd(5), ...padded].join("  ").trimEnd()}${whole ? "" : "  ..."}`;
  });
  return lines.length ? ["hands", ...lines].join("\n") : "";
}

/** The calls, four to a row, each with what is told below it. */
export function biddingText(from, calls) {
  const lines = [`bidding${from}`];
  let row = [];
  calls.forEach(({ words, below }, i) => {
    row.push(words);
    if ((i + 1) % SEATS.length && !below.length && i + 1 < calls.length) return;
    lines.push(row.join(", "), ...below);
    row = [];
  });
  return calls.length ? lines.join("\n  ") : "";
}

/** The tricks, a row each, and the claims between them. */
export function playText(tricks) {
  const lines = tricks.flatMap(({ line, leader, cards }) => (line ? [line] : [
    [...(leader ? [`${leader}:`] : []), ...cards.map((card, i) => laid(card, i + 1 < cards.length))].join(" "),
    ...cards.at(-1).below,
  ]));
  return lines.length ? ["play", ...lines].join("\n  ") : "";
}

/** A card; in brackets with the player, where he is named, and with what happened before the next (`within` a trick). */
function laid({ by, words, below }, within) {
  const inside = [...(by ? [by] : []), words, ...(within ? below : [])];
  return inside.length > 1 ? `(${inside.join(" ")})` : words;
}
