"""Respells lines as people write them (`Dealer: South`, `N: AKQ.J2.-.T987`) for the grammar.

The grammar in `hand.lark` defines the notation. A line that it rejects is respelled by the rules in
`hand.spellings` and parsed again; the report then shows how the line was read, or that it could not
be read. An ambiguous line is an error, whose message asks which meaning was intended.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from re import Match

from oddtrick.cards import PRINTED_SUITS, RANKS
from oddtrick.paths import folder
from oddtrick.record.deal import RANK
from oddtrick.record.hand.words import BLOCK, END, OPENING, SEAT, SECTIONS, Malformed

Spelling = str | Callable[[Match[str]], str]
Rule = tuple[re.Pattern[str], Spelling]
"""A pattern, and its replacement."""

QUOTED_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|“[^”]*”|#.*')
_UNDOUBTED = re.compile(r'(?:(?!\n)[\s:;,./|="“”-])+')
"""What may be written otherwise without a doubt about the meaning."""
_HEAD = re.compile(
    rf"(\s*(hands|bidding(?:\s+from\s+{SEAT})?+|play(?:\s+in\s+columns\s+from\s+{SEAT})?+){END})"
    r"[\s:,]*+(?!from\b|in\b)(?=[^#])",
    re.IGNORECASE,
)
"""The keyword of a section, if its first row follows on the same line."""
_NAMES = "ace king queen knave jack ten nine eight seven six five four three two deuce".split()
_RANK_NAMES = dict(zip(_NAMES, "A K Q J J 10 9 8 7 6 5 4 3 2 2".split(), strict=True))


def _in_order(found: Match[str]) -> str:
    """Add suit symbols to four groups of ranks: spades, hearts, diamonds, clubs."""
    groups = ("-" if not g or not RANK.match(g) else g for g in found.groups()[1:])
    held = (f"{suit.symbol} {group}" for suit, group in zip(PRINTED_SUITS, groups, strict=True))
    return f"{found[1]} {' '.join(held)}"


def _if_complete(found: Match[str]) -> str:
    """Like `_in_order`, if the groups have thirteen cards; otherwise the suits are uncertain."""
    count = sum(len(RANK.findall(group)) for group in found.groups()[1:])
    return _in_order(found) if count == len(RANKS) else found[0]


def _card(found: Match[str]) -> str:
    suit = next(s for s in PRINTED_SUITS if s.word.startswith(found[2].lower()))
    return f"{suit.symbol}{_RANK_NAMES[found[1].lower()]}"


_FUNCTIONS: Mapping[str, Spelling] = {
    "<code>": lambda m: f"{m[1]} {m[2].lower()}-{m[3]}",
    "<hyphens>": lambda m: f"{m[1]} {'-'.join(m[2].split())}",
    "<suits>": _in_order,
    "<thirteen>": _if_complete,
    "<card>": _card,
}


@cache
def rules() -> Mapping[str, Sequence[Rule]]:
    """The rules of `hand.spellings`, by the start symbol of a section."""
    parts, found, section = {"KEYWORD": "|".join(OPENING)}, defaultdict[str, list[Rule]](list), ""
    for line in (folder("grammar") / "hand.spellings").read_text("utf-8").split("\n"):
        pattern, is_rule, spelling = line.partition(" => ")
        for name, part in parts.items():
            pattern = pattern.replace(f"{{{name}}}", part)
        if is_rule:
            new = _FUNCTIONS.get(spelling, spelling[1:-1])
            found[section].append((re.compile(pattern, re.IGNORECASE), new))
        elif line.startswith("["):
            section = line[1:-1]
        elif " = " in line and line[0] != "#":
            name, _, part = pattern.partition(" = ")
            parts[name] = part
    return found


GROUPS = re.compile(
    r"\s*(?:north|east|south|west|[nesw])\s*[:=]?"
    rf"(?=[^#]*(?:{RANK.pattern}){{2}})"
    r"((?:[\s,/|]+(?:(?:10|kn|[2-9tjqkax])+|-+|—|void|none)(?!\w)){3,4})\s*(?:#.*)?",
    re.IGNORECASE,
)
"""A hand of three or four groups of ranks without suits."""
WHICH_SUITS = (
    "In which suits are these cards? Four groups that make thirteen cards are read as spades, "
    "hearts, diamonds, clubs; otherwise write each suit, as in `♠ A K ♥ - ♦ 10 2 ♣ Q`."
)


# --- the respelled line ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spelled:
    """A respelled line; `offsets` maps each of its characters to an offset in the file.

    `section` is the start symbol with which to parse it.
    """

    text: str
    offsets: Sequence[int]
    section: str

    @property
    def shown(self) -> str:
        """The line without its comment, with single spaces between words."""
        comment = next((m for m in QUOTED_OR_COMMENT.finditer(self.text) if m[0][0] == "#"), None)
        lines = self.text[: comment.start() if comment else None].split("\n")
        return "`, then `".join(" ".join(line.split()) for line in lines)

    def changed_from(self, written: Spelled) -> bool:
        """Whether it differs in its section, or in more than capitals, blanks and punctuation."""
        mine, other = (_UNDOUBTED.sub("", one.text).lower() for one in (self, written))
        return mine != other or self.section not in (written.section, BLOCK)

    def by(self, rule: Rule) -> Spelled:
        """The line after applying a rule; quoted text and comments are unchanged."""
        pattern, spelling = rule
        quoted = [m.span() for m in QUOTED_OR_COMMENT.finditer(self.text)]
        end = next((a for a, _ in quoted if self.text[a] == "#"), len(self.text))
        text, offsets, at = "", list[int](), 0
        for found in pattern.finditer(self.text[:end].rstrip()):
            first, last = found.span()
            if last == first or any(a < last and first < b for a, b in quoted):
                continue
            new = found.expand(spelling) if isinstance(spelling, str) else spelling(found)
            text += self.text[at:first] + new
            offsets += self.offsets[at:first]
            offsets += (self.offsets[min(first + n, last - 1)] for n in range(len(new)))
            at = last
        return Spelled(text + self.text[at:], (*offsets, *self.offsets[at:]), self.section)

    def by_rules(self) -> Spelled:
        """The line after applying all rules of its section."""
        line = self
        for rule in rules()[self.section]:
            line = line.by(rule)
        return line

    def divided(self) -> Spelled:
        """The line with the row that follows the keyword of a section on a line by itself."""
        if not (head := _HEAD.match(self.text)):
            return self
        end, section = head.end(), SECTIONS[head[2].split()[0].lower()]
        row = Spelled(self.text[end:], self.offsets[end:], section).by_rules()
        offsets = *self.offsets[: head.end(1)], self.offsets[end], *row.offsets
        return Spelled(f"{head[1]}\n{row.text}", offsets, self.section)


def respelled(written: Spelled) -> Iterator[Spelled]:
    """Yield the respellings of a line that cannot be read, the likeliest first.

    A line outside every section is also tried as a hand. Raises `Malformed` if the line is
    ambiguous.
    """
    text, section = written.text, written.section
    loose = section in (BLOCK, "in_hands")
    kinds = dict.fromkeys((BLOCK, section, *(("in_hands",) if loose else ())))
    found = GROUPS.fullmatch(text) if loose else None
    complete = next(pattern for pattern, new in rules()["in_hands"] if new is _if_complete)
    if found and complete.sub(_if_complete, text) == text:
        wrong = Malformed("notation.syntax", WHICH_SUITS, found.span(1))
        raise wrong.placed(written.offsets)
    for kind in kinds:
        line = replace(written, section=kind).by_rules()
        line = line.divided() if kind == BLOCK else line
        if line.text != text or kind != section:
            yield line
