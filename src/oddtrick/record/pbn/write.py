"""Writing Portable Bridge Notation 2.1, in export format as far as the record lets it be.

Every record is first written in the standard's own tags and sections, then read back: what the reading does
not give goes into tags and tables of our own (`pbn_own`), so that our reader loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from oddtrick.record.model import Record
from oddtrick.record.pbn.begin import MANDATORY
from oddtrick.record.pbn.extension import PREFIX, TAG_PREFIX, quoted
from oddtrick.record.pbn.fields import ANCHORS, MISCOUNTED, SWAPPED, TAG_NAMES
from oddtrick.record.pbn.read import read_pbn
from oddtrick.record.pbn.sections import OPEN_AUCTION, OPEN_PLAY
from oddtrick.record.pbn.values import (
    UNKNOWN,
    contract_of,
    contract_text,
    deal_of,
    deal_text,
    result_of,
    result_text,
    rubber_score_text,
    seat_of,
    vulnerable_of,
    vulnerable_text,
)
from oddtrick.record.pbn.write_extension import own_tags
from oddtrick.record.pbn.write_sections import auction_lines, leaders_of, play_lines

HEADER = ("% PBN 2.1", "% EXPORT", "%Content-type: text/x-pbn; charset=UTF-8")
END = "\r\n"
"""The end of a line in export format."""

PLAIN = frozenset(("Event", "Site", "Date", "Board", "Scoring"))
"""Mandatory tags that have no field."""

_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_SECTION = re.compile(r'\[([A-Za-z_]\w*) "(?:[^"\\]|\\.)*"\](?=\n|$)')
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PBN_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_FIELD_TAGS = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "ScoreRubber", "Auction", "Play", "Note")
)
_GLYPH = re.compile(r"\$\d{1,3}")
_THEIRS = {ours: name for name, ours in TAG_NAMES.items()}
_TAG_OF = {str(anchor[0]): name for name, anchor in ANCHORS.items()} | {
    "players": "West",
    "sides": "PairNS",
}


def write_pbn(records: Iterable[Record]) -> Iterator[str]:
    """The text of a PBN file, a record at a time: UTF-8, lines ending CRLF as the export format has them."""
    yield "".join(line + END for line in HEADER)
    for number, record in enumerate(records):
        yield (END if number else "") + _written(record).text().replace("\n", END)


def lost(record: Record) -> tuple[str, ...]:
    """What of a record does not come back from the PBN that `write_pbn` makes, named for the user."""
    out = []
    lines = _written(record)
    names = [v for _, v in (*record.players, *record.sides)]
    notes = [c.note or "" for c in record.bidding or ()]
    notes += [p.note or "" for t in record.play or () for p in t.cards]
    if any(_CONTROL.search(t) for t in (*(v for t in record.tags for v in t), *names, *notes)):
        out.append("tabs and ends of lines inside a text, which become spaces")
    if any(v.strip() in (*UNKNOWN, "-") or v.startswith("#") for v in names):
        out.append("a name that PBN reads as a sign: ?, - or #")
    if strays := lines.strays():
        what = "a comment, which is" if len(strays) == 1 else f"{len(strays)} comments, which are"
        out.append(f"the place of {what} written at the end")
    if lines.braces:
        out.append("closing braces inside a comment, which become parentheses")
    unused = sum(1 for k in record.kept if not _writable(k.value))
    if unused:
        out.append(f"{'a piece' if unused == 1 else f'{unused} pieces'} of text that had no use")
    return tuple(out)


def _written(record: Record) -> _Lines:
    """A record in the standard's words, and in ours what does not come back from them."""
    lines = _standard(record)
    told = next((r for r in read_pbn([lines.text().encode()]) if isinstance(r, Record)), None)
    assert told is not None, "the standard part of a record is a record"
    tags, tables = own_tags(record, told, leaders_of(record))
    lines.supplemental |= tags
    lines.tables |= {n: (f'[{n} "{columns}"]', *rows) for n, (columns, rows) in tables.items()}
    return lines


# --- the lines of a record ------------------------------------------------------------------------


@dataclass(slots=True)
class _Lines:
    """The parts of one record in the order of the export format; `comments` stand behind the tag of that name."""

    escapes: list[str] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    mandatory: dict[str, str] = field(default_factory=dict)
    supplemental: dict[str, str] = field(default_factory=dict)
    auction: list[str] = field(default_factory=list)
    play: list[str] = field(default_factory=list)
    tables: dict[str, Sequence[str]] = field(default_factory=dict)
    comments: dict[str, list[str]] = field(default_factory=dict)
    braces: bool = False

    def text(self) -> str:
        """All lines, in the order that the standard prescribes; comments without a place at the end."""
        out = [*self.escapes, *self.start]
        for name, value in (*self.mandatory.items(), *sorted(self.supplemental.items())):
            out += [f"[{name} {quoted(value)}]", *self.comments.get(name, ())]
        out += [*self.auction, *self.comments.get("Auction", ())] if self.auction else []
        out += [*self.play, *self.comments.get("Play", ())] if self.play else []
        for name, rows in sorted(self.tables.items()):
            out += [rows[0], *self.comments.get(name, ()), *rows[1:]]
        return "\n".join([*out, *self.strays()]) + "\n"

    def strays(self) -> list[str]:
        """The comments behind tags that are not written."""
        names = {*self.mandatory, *self.supplemental, *self.tables}
        names |= {n for n, body in (("Auction", self.auction), ("Play", self.play)) if body}
        return [
            c for name, comments in self.comments.items() if name not in names for c in comments
        ]

    def comment(self, text: str, row: bool = False) -> str:
        """A comment in braces, or behind a semicolon where a line of its own lets it hold a brace."""
        # A tag behind an empty line would be read as the end of a comment that was never closed.
        text = re.sub(r"(\n\s*\n)\[", r"\1 [", text)
        if "}" not in text:
            return f"{{{text}}}"
        if not row and "\n" not in text:
            return f";{text}"
        self.braces = True
        return "{" + text.replace("}", ")") + "}"


class _Remarks:
    """The comments of a record by what they are anchored to, taken out as they are written."""

    def __init__(self, record: Record, lines: _Lines) -> None:
        self.record, self.lines = record, lines
        self.left: dict[tuple[str | int, ...], list[str]] = {}
        for comment in record.comments:
            self.left.setdefault(self._home(comment.anchor), []).append(comment.text)

    def _home(self, anchor: tuple[str | int, ...]) -> tuple[str | int, ...]:
        """The anchor of a comment as PBN has it: a tag's name, a call or a card."""
        kind, *rest = anchor
        if kind == "play" and rest and rest[1:2] in ([], ["irregularity"]):
            tricks = self.record.play or ()
            number = int(rest[0])
            return (
                ("play", number, len(tricks[number].cards) - 1)
                if number < len(tricks)
                else ("tag", "end")
            )
        if kind in ("bidding", "play"):
            return anchor[: 2 if kind == "bidding" else 3]
        if kind in ("deal", "start"):
            return ("start",)
        if kind == "pbn":
            return ("tag", str(rest[0]))
        if kind == "tag" and isinstance(rest[0], int) and rest[0] < len(self.record.tags):
            return ("tag", _pbn_name(self.record.tags[rest[0]][0]))
        return ("tag", _TAG_OF.get(str(kind), "end"))

    def behind(self, *anchor: str | int) -> tuple[list[int], list[str]]:
        """The glyphs and the comments behind a call or a card."""
        texts = self.left.pop(anchor, ())
        glyphs = [int(t[1:]) for t in texts if _GLYPH.fullmatch(t)]
        return glyphs, [self.lines.comment(t, row=True) for t in texts if not _GLYPH.fullmatch(t)]

    def rest(self) -> None:
        """Put what is left behind tags; what has no tag goes to the end."""
        for anchor, texts in self.left.items():
            name = str(anchor[1]) if anchor[0] == "tag" else "end"
            self.lines.comments.setdefault(name, []).extend(self.lines.comment(t) for t in texts)


def _standard(record: Record) -> _Lines:
    """A record in the standard's own words."""
    lines = _Lines()
    remarks = _Remarks(record, lines)
    lines.start = remarks.behind("start")[1]
    _tags(record, lines)
    kept = [k.value for k in record.kept]
    if record.bidding is not None:
        first = record.bidding_from or record.dealer
        seat = first.value if first else None
        lines.auction = auction_lines(record.bidding, seat, OPEN_AUCTION in kept, remarks.behind)
    if record.play is not None:
        lines.play = play_lines(record, OPEN_PLAY in kept, remarks.behind)
    for text in filter(_writable, kept):
        section = _SECTION.match(text)
        if section:
            lines.tables.setdefault(section[1], text.split("\n"))
        elif text.startswith("%"):
            lines.escapes.append(text)
    remarks.rest()
    return lines


def _writable(text: str) -> bool:
    """Whether a kept text has a place in PBN: an escaped line, a section, the sign of what goes on."""
    section = _SECTION.match(text)
    if section:
        return ("\n" in text or section[1].endswith("Table")) and not section[1].startswith(PREFIX)
    return text.startswith("%") or text in (OPEN_AUCTION, OPEN_PLAY)


# --- tags -----------------------------------------------------------------------------------------


def _tags(record: Record, lines: _Lines) -> None:
    """The mandatory tags in their order, and the supplemental ones."""
    mandatory = dict.fromkeys(MANDATORY, "?")
    supplemental = lines.supplemental
    for name, value in record.tags:
        plain = value not in UNKNOWN and not value.startswith("#") and not _CONTROL.search(value)
        if name.lower() == "date":
            plain = plain and not _PBN_DATE.fullmatch(value)
            value = value.replace("-", ".") if _DATE.fullmatch(value) else value
        name = _pbn_name(name)
        if name in mandatory:
            if plain and mandatory[name] == "?" and _harmless(name, value, record):
                mandatory[name] = value
        elif name.startswith(TAG_PREFIX) or (
            plain and _NAME.fullmatch(name) and not _reserved(name)
        ):
            supplemental.setdefault(name, value)
    number = re.fullmatch(r"(?:deal|board) (\S+)", record.id)
    if mandatory["Board"] == "?" and number:
        mandatory["Board"] = number[1]
    mandatory |= {s.title: n for s, n in record.players}
    if record.dealer:
        mandatory["Dealer"] = record.dealer.value.value
    if record.vulnerable:
        mandatory["Vulnerable"] = vulnerable_text(record.vulnerable.value)
    if record.hands:
        mandatory["Deal"] = deal_text(record.hands, record.dealer.value if record.dealer else None)
    mandatory |= _outcome(record)
    lines.mandatory = mandatory
    supplemental |= {f"Pair{s.value}": n for s, n in record.sides}
    if record.table:
        supplemental["Table"] = record.table.value
    if rubber := rubber_score_text(record.scores):
        supplemental["ScoreRubber"] = rubber


def _harmless(name: str, value: str, record: Record) -> bool:
    """Whether a mandatory tag with this value states no fact: the field's tag was kept, for it made no sense."""
    declarer = record.declaration.declarer if record.declaration else None
    read: dict[str, Callable[[str], object]] = {
        "Dealer": seat_of,
        "Vulnerable": vulnerable_of,
        "Deal": lambda v: deal_of(v, 1, 1),
        "Declarer": lambda v: seat_of(v.lstrip().removeprefix("^")),
        "Contract": lambda v: contract_of(v)[0],
        "Result": lambda v: result_of(v.lstrip().removeprefix("^"), declarer),
    }
    return name in PLAIN or (name in read and read[name](value) is None)


def _pbn_name(name: str) -> str:
    """The name in PBN of a tag of the record."""
    if name in _THEIRS:
        return _THEIRS[name]
    return (
        TAG_PREFIX + name.capitalize()
        if re.fullmatch(r"[a-z]+", name) and name != "table"
        else name
    )


def _reserved(name: str) -> bool:
    return name in _FIELD_TAGS or name.startswith(PREFIX) or name.endswith("Table")


def _outcome(record: Record) -> dict[str, str]:
    """The tags Declarer, Contract and Result, as far as they are known."""
    out: dict[str, str] = {}
    names = {i.name for i in record.incidents}
    declaration = record.declaration
    if declaration and declaration.passed_out:
        return {"Declarer": "", "Contract": "Pass", "Result": ""}
    if declaration and declaration.declarer:
        out["Declarer"] = ("^" if SWAPPED in names else "") + declaration.declarer.value
    if declaration and (contract := contract_text(declaration)):
        out["Contract"] = contract
    if record.result and (result := result_text(record.result, declaration)):
        out["Result"] = ("^" if MISCOUNTED in names else "") + result
    return out
