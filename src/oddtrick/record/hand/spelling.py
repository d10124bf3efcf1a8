"""Respells lines as people write them (`Dealer: South`, `N: AKQ.J2.-.T987`) for the grammar.

The grammar in `hand.lark` defines the notation. A line that it rejects is respelled by the rules
below and parsed again; the report then shows how the line was read, or that it could not be read.
An ambiguous line is an error, whose message asks which meaning was intended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from re import Match

from oddtrick.cards import PRINTED_SUITS, RANKS
from oddtrick.record.hand.words import BLOCK, NUMBERS, RANK, Malformed

Spelling = str | Callable[[Match[str]], str]
Rule = tuple[re.Pattern[str], Spelling]
"""A pattern, and its replacement."""

QUOTED_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|“[^”]*”|#.*')
SEAT = r"(north|east|south|west|[nesw])"
SIGNS = "♠♥♦♣"
HELD = r"((?:10|kn|[2-9tjqkax])+|-+|—|void|none)(?!\w)"
RANK_NAMES = dict(
    zip(
        "ace king queen knave jack ten nine eight seven six five four three two deuce".split(),
        "A K Q J J 10 9 8 7 6 5 4 3 2 2".split(),
        strict=True,
    )
)


def _rule(pattern: str, spelling: Spelling) -> Rule:
    return re.compile(pattern, re.IGNORECASE), spelling


# --- statements -----------------------------------------------------------------------------------

WORDS = {
    **dict.fromkeys(("dlr", "dealt by", "dealer is"), "dealer"),
    **dict.fromkeys(("vul", "vulnerability"), "vulnerable"),
    **dict.fromkeys(("auction", "calls", "the bidding"), "bidding"),
    **dict.fromkeys(("contract", "final contract", "final declaration"), "declaration"),
    **dict.fromkeys(("the play", "tricks played"), "play"),
    **dict.fromkeys(("cards", "hand", "the hands"), "hands"),
    **dict.fromkeys(("remark", "comment"), "note"),
    "board": "deal",
}
"""Other words with which people begin a statement, each with the word of the notation."""

TEXTS = "source|event|venue|scorer|note|date"
DENOMINATION = (
    r"(?:(?:royal\s+)?(?:spades?|hearts?|diamonds?|clubs?|[shdc♠♥♦♣])(?:\s+royal)?"
    r"|no[\s-]?trumps?|nt|n|royals?|r|nullos?(?:\s+royal)?)"
)
NAME = r"(?!(?:by|noticed|chosen|waived|remedy|when|note|north|east|south|west|[nesw])\b)[a-z]+"
"""A word in the name of an irregularity: any word with which no clause begins."""
SIDE = r"(?:north-south|east-west|ns|ew)"
COUNT = f"[0-9]+|{'|'.join(NUMBERS)}"

STATEMENT: tuple[Rule, ...] = (
    _rule(rf"^\s*({'|'.join(map(re.escape, WORDS))})(?![\w-])", lambda m: WORDS[m[1].lower()]),
    _rule(rf'^\s*({TEXTS})\s*[:=]\s*([^"“\s].*?)\s*$', lambda m: f'{m[1]} "{m[2]}"'),
    _rule(r"^\s*([a-z]+(?:\s+[a-z]+)?)\s*[:=]\s*", r"\1 "),
    _rule(r"^\s*(code)\s+([a-z]+)[\s,]+([0-9]+)\s*$", lambda m: f"{m[1]} {m[2].lower()}-{m[3]}"),
    _rule(r'^\s*(code)\s+([0-9]+)\s*$', r'\1 "\2"'),
    _rule(r"^\s*(deal\s+[0-9]+)\s*[:.]\s*", r"\1 "),
    _rule(r'^\s*(deal\s+[0-9]+)\s+([^\W\d_][^"“]*?)\s*$', r'\1 "\2"'),
    _rule(r'^\s*(deal)\s+([^\W\d_][^"“]*?)\s*$', r'\1 "\2"'),
    _rule(r"\s*[.:;]\s*$", ""),
    _rule(r"\bn\s*[-/&+]\s*s\b|\bnorth\s*(?:/|&|\+|and|\s-)\s*south\b", "north-south"),
    _rule(r"\be\s*[-/&+]\s*w\b|\beast\s*(?:/|&|\+|and|\s-)\s*west\b", "east-west"),
    _rule(rf"^\s*{SEAT}\s+(?:dealt|deals|is\s+(?:the\s+)?dealer)\s*$", r"dealer \1"),
    _rule(r"^(vulnerable)\s+(?:nobody|neither|no\s+one|nil|-)\s*$", r"\1 none"),
    _rule(r"^(vulnerable)\s+(?:everybody|both\s+sides)\s*$", r"\1 both"),
    _rule(r"^(result)\s+(?:=|made|just made|exactly|made\s+contract)\s*$", r"\1 made 0"),
    _rule(rf"^(result)\s+(?:made\s+)?(?:\+|plus\s)\s*({COUNT})\s*$", r"\1 made \2"),
    _rule(r"^(result)\s+grand\s+slam\s*$", r"\1 13 tricks"),
    _rule(r"^(result)\s+(?:little|small)\s+slam\s*$", r"\1 12 tricks"),
    _rule(rf"^(result)\s+(?:(?:-|minus\s)\s*({COUNT})|({COUNT})\s+(?:down|short|off))\s*$",
          lambda m: f"{m[1]} down {m[2] or m[3]}"),
    _rule(rf"^(result)\s+({COUNT})\s+over\s*$", r"\1 made \2"),
    _rule(rf"^(result)\s+({COUNT})\s+tricks?\s+(?:taken|won|made)\s*$", r"\1 \2 tricks"),
    _rule(rf"^(result)\s+(?:won|took|made|makes)\s+({COUNT})\s+(tricks?|odd)\s*$", r"\1 \2 \3"),
    _rule(rf"^\s*made\s+({COUNT})\s+(tricks?|odd)\s*$", r"result \1 \2"),
    _rule(rf"^(result)\s+(?:(?:lost|loses)\s+({COUNT})|({COUNT})\s+tricks?\s+short)\s*$",
          lambda m: f"{m[1]} down {m[2] or m[3]}"),
    _rule(rf"^(result)\s+({COUNT})\s+by\s+cards\s*$", r"\1 \2 odd"),
    _rule(r"^(?:honou?rs\s+(?:none|nil)|no\s+honou?rs)\s*$", "honours north-south 0"),
    _rule(rf"^(honou?rs\s+{SIDE}\s+(?:{COUNT}))\s+(?:aces|honou?rs)\b", r"\1"),
    _rule(
        rf"^(honou?rs\s+{SIDE})\s+(?:4|four)\s+in\s+one\s+hand,?\s+(?:5th|fifth)\s+in\s+partner.?s"
        r"(?:\s+hand)?\s*$",
        r"\1 5, 4 in one hand",
    ),
    _rule(rf"^(honou?rs)\s+({COUNT})\s+(?:to\s+|for\s+)?({SIDE})(?![\w-])", r"\1 \3 \2"),
    _rule(r"^(standing)\s+game\s+all\s*$", r"\1 games 1 all"),
    _rule(r"(?<=[0-9])\s*[;+]\s*(?=\S)", " "),
    _rule(r"^(standing\s+games)\s+love\s+all\s*$", r"\1 none"),
    _rule(r"^(standing\s+games)\s+one\s+all\s*$", r"\1 1 all"),
    _rule(r"(?<=\s)tricks(?=\s+[0-9])", "trick"),
    _rule(r"(?<=\s)hon(?:\.|ou?rs)?(?=\s+[0-9])", "honour"),
    *(
        rule
        for column, words in (("trick", "below"), ("honour", "above|penalty|bonus"))
        for rule in (
            _rule(
                rf"^(score\s.*?)\s(?:{words})(?:\s+(?:the\s+line|and\s+bonus))?(?=\s+[0-9])",
                rf"\1 {column}",
            ),
            _rule(
                rf"^(score\s.*?)\s([0-9]+)\s+(?:{words})(?:\s+the\s+line)?(?=[\s,;]|$)",
                rf"\1 {column} \2",
            ),
        )
    ),
    _rule(r'(?<=\s)penalty(?=\s+["“])', "remedy"),
    _rule(rf"(?<=\s)(by\s+{SEAT}),?\s+penalty\s+(?=[0-9a-z])", r"\1 remedy "),
    _rule(rf"(?<=\s)(let\s+stand)\s+by\s+{SEAT}", r'remedy "\1" chosen by \2'),
    _rule(rf"(?<=\s)claimed\s+by\s+{SEAT}", r"noticed by \1"),
    _rule(rf"(?<=\s)(?:demanded|exacted)\s+by\s+{SEAT}", r"chosen by \1"),
    _rule(
        r'^(irregularity\s[^"“]*?)\s(?:(?:who|and)\s+)?((?:takes|exacts|calls|forbids)\s[^"“]+?)'
        r"(?=\s*,?\s+(?:by|noticed\s+by|chosen\s+by|waived\s+by|when|note)\s|\s*$)",
        r'\1 remedy "\2"',
    ),
    _rule(r"^(declaration\s.*?doubled)\s+once(?=\s|$)", r"\1"),
    _rule(
        r"^(declaration\s.*?doubled)\s+(twice|thrice)(?=\s|$)",
        lambda m: f"{m[1]} {('twice', 'thrice').index(m[2].lower()) + 2} times",
    ),
    _rule(rf"(?<=\s)of\s+([{SIGNS}]\s*(?:10|[2-9tjqka]))(?!\w)", r'of "\1"'),
    _rule(
        r'(?<=\sremedy)\s+(?!["“\s])([^"“]+?)'
        r"(?=\s*,?\s+(?:by|noticed\s+by|chosen\s+by|waived\s+by|when|note)\s|\s*$)",
        r' "\1"',
    ),
    _rule(rf"^(declaration\s+[0-9]+\s*{DENOMINATION})\s*(?:xx|\*\*|rdbl)(?!\w)", r"\1 redoubled"),
    _rule(rf"^(declaration\s+[0-9]+\s*{DENOMINATION})\s*(?:x|\*|dbl)(?!\w)", r"\1 doubled"),
    _rule(rf"^(declaration\s.+?)\s+(by\s+{SEAT}),?\s+(doubled|redoubled)\s*$", r"\1 \4 \2"),
    _rule(
        rf"^(declaration)\s+{SEAT}\s*:?\s+([0-9]+\s*{DENOMINATION}(?:\s+(?:re)?doubled)?)\s*$",
        r"\1 \3 by \2",
    ),
    _rule(r"^(declaration)\s+(?:all\s+pass(?:ed)?|passed|pass)\s*$", r"\1 passed out"),
    _rule(r"^\s*passed\s+out\s*$", "declaration passed out"),
    _rule(
        rf"^(declaration\s+[0-9]+\s*{DENOMINATION}(?:\s+(?:re|un)?doubled)?)\s*,?\s+{SEAT}$",
        r"\1 by \2",
    ),
    _rule(
        rf"^(irregularity)\s+({NAME}(?:\s+{NAME})+)"
        r'(?=\s+(?:by|(?:noticed|chosen|waived)\s+by)\s|\s+(?:of|remedy|when|note)\s+["“]|\s*$)',
        lambda m: f"{m[1]} {'-'.join(m[2].split())}",
    ),
)  # fmt: skip


# --- rows -----------------------------------------------------------------------------------------


def _in_order(found: Match[str]) -> str:
    """Add suit symbols to four groups of ranks: spades, hearts, diamonds, clubs."""
    groups = ("-" if not g or not RANK.match(g) else g for g in found.groups()[1:])
    held = (f"{suit.symbol} {group}" for suit, group in zip(PRINTED_SUITS, groups, strict=True))
    return f"{found[1]} {' '.join(held)}"


def _if_complete(found: Match[str]) -> str:
    """The same for groups separated by blanks, if they make thirteen cards; otherwise unchanged.

    With any other number of cards, the suits would be uncertain.
    """
    count = sum(len(RANK.findall(group)) for group in found.groups()[1:])
    return _in_order(found) if count == len(RANKS) else found[0]


COMPLETE = _rule(rf"^\s*{SEAT}\s*:?" + rf"[\s,/|]+{HELD}" * len(SIGNS) + r"\s*$", _if_complete)
HAND: tuple[Rule, ...] = (
    _rule(rf"^\s*{SEAT}\s*[=.–-]\s+", r"\1 "),
    _rule(rf"^\s*{SEAT}\s*[:=]?\s*{HELD}?\.{HELD}?\.{HELD}?\.{HELD}?\s*$", _in_order),
    COMPLETE,
    _rule(
        rf"(?<=[\s,;{SIGNS}akqjtx0-9-])((?:spade|heart|diamond|club)s?|[shdc{SIGNS}])\s*[:=]\s*",
        r"\1 ",
    ),
    _rule(r"\b(?:void|none|nil)\b|--+", "-"),
    _rule(r"[;/|]", " "),
    _rule(r"(?<!\.)[.]\s*$", ""),
)  # fmt: skip

CALLS: tuple[Rule, ...] = (
    _rule(r"\b(?:rdble?|redble?|redoubles|redoubled)\b\.?", "redouble"),
    _rule(r"\b(?:dble?|doubles|doubled)\b\.?", "double"),
    _rule(r"\b(?:passes|passed|nb|n\.b\.)(?!\w)", "pass"),
    _rule(r"\bn\.\s?t\.?(?!\w)", "NT"),
    _rule(
        r"\b(?:I\s+)?leaves?\s+it(?:\s+to\s+(?:you|(?:(?:his|her)\s+)?partner))?(?:,?\s+partner)?",
        "pass to partner",
    ),
    _rule(r"\bmay\s+I\s+play\b", "may I lead"),
    _rule(r"\b(?:pray|please)\s+do\b", "yes"),
    _rule(r"\bcontent\b", "satisfied"),
    _rule(rf"(?<=:)(\s*)(?:(?:makes|declares)\s+)?({DENOMINATION})(?=\s*(?:,|$))", r"\1make \2"),
    _rule(r"\s+[-–]\s+|\s*[;/|→]\s*", ", "),
    _rule(rf"(?<!\w){SEAT}\s+(?:bids|calls|says)\s+", r"\1: "),
    _rule(r"(?<!\w)(north|east|south|west)\s+(?=[\w♠♥♦♣])", r"\1: "),
    _rule(rf"(?:(?<=^)|(?<=,))(\s*){SEAT}\s+(?=pass|double|redouble|[0-9])", r"\1\2: "),
    _rule(rf"({COUNT})[-–](?={DENOMINATION}(?!\w))", r"\1 "),
    _rule(r"(?<!\.)[.]\s*$", ""),
)

TRICK: tuple[Rule, ...] = (
    _rule(r"^\s*(?:trick\s+)?[0-9]+\s*[.):]\s*", ""),
    _rule(
        rf"\b(?:the\s+)?({'|'.join(RANK_NAMES)})\s+of\s+(spade|heart|diamond|club)s?\b",
        lambda m: f"{_sign(m[2])}{RANK_NAMES[m[1].lower()]}",
    ),
    _rule(rf"(?<![\w{SIGNS}])(10|[2-9tjqka])([shdc{SIGNS}])(?![\w{SIGNS}])", r"\2\1"),
    _rule(rf"^\s*{SEAT}\s+(?:leads|led|plays)\s*:?\s*", r"\1: "),
    _rule(rf"^\s*{SEAT}\s+(?=[{SIGNS}]|[shdc](?:10|[2-9tjqka])(?!\w))", r"\1: "),
    _rule(
        r"\bclaims\s+(?:(?:all\s+)?(?:the\s+)?(?:rest|remainder|remaining\s+tricks)|all|everything)"
        r"(?!\w)",
        "claims the rest",
    ),
    _rule(r"\s*[;/|]\s*|\s+[–]\s+", " "),
    _rule(r"(?<!\.)[.]\s*$", ""),
)


def _sign(word: str) -> str:
    return next(suit.symbol for suit in PRINTED_SUITS if suit.word.startswith(word.lower()))


ROWS = {"in_hands": HAND, "in_bidding": CALLS, "in_play": TRICK}
"""The rules for the rows of each section, by start symbol."""

GROUPS = re.compile(
    rf"\s*{SEAT}\s*[:=]?((?=[^#]*(?:{RANK.pattern}){{2}})(?:[\s,/|]+{HELD}){{3,4}})\s*(?:#.*)?",
    re.IGNORECASE,
)
"""A hand of three or four groups of ranks without suits."""
WHICH_SUITS = (
    "Of which suits are these cards? Four groups that make thirteen cards are read as spades, "
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
        return " ".join(self.text[: comment.start() if comment else None].split())

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


def respelled(written: Spelled) -> Iterator[Spelled]:
    """Yield the respellings of a line that cannot be read, the likeliest first.

    A line outside every section is also tried as a hand. Raises `Malformed` if the line is
    ambiguous.
    """
    text, section = written.text, written.section
    loose = section in (BLOCK, "in_hands")
    kinds = dict.fromkeys((BLOCK, section, *(("in_hands",) if loose else ())))
    found = GROUPS.fullmatch(text) if loose else None
    if found and COMPLETE[0].sub(_if_complete, text) == text:
        wrong = Malformed("notation.syntax", WHICH_SUITS, found.span(2))
        raise wrong.placed(written.offsets)
    for kind in kinds:
        line = replace(written, section=kind)
        for rule in ROWS.get(kind, STATEMENT):
            line = line.by(rule)
        if line.text != text or kind != section:
            yield line
