"""Writing Portable Bridge Notation 2.1, in export format as far as the record lets it be.

Every record is first written in the standard's own tags and sections, then read back: what the
reading does not give goes into tags and tables of our own (`extension`), so that our reader loses
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from oddtrick.cards import SEATS, Card, Seat, Suit
from oddtrick.record.model import Call, Group, Incident, Item, Played, Record, Trick
from oddtrick.record.pbn.cut import MANDATORY
from oddtrick.record.pbn.extension import PREFIX, TAG_NAMES, TAG_PREFIX, own_tags, quoted
from oddtrick.record.pbn.read import ANCHORS, MISCOUNTED, SWAPPED, read_pbn
from oddtrick.record.pbn.sections import (
    INSUFFICIENT,
    LED,
    OPEN_AUCTION,
    OPEN_PLAY,
    REVOKED,
    SUFFIXES,
    over,
)
from oddtrick.record.pbn.values import (
    PBN_DENOMINATION,
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
_BOARD = re.compile(r"(?:deal|board) (\S+)(?: (?:open|closed) room)?")
_GLYPH = re.compile(r"\$\d{1,3}")
_THEIRS = {ours: name for name, ours in TAG_NAMES.items()}
_TAG_OF = {str(anchor[0]): name for name, anchor in ANCHORS.items()} | {
    "players": "West",
    "sides": "PairNS",
}
_TRUMPS = {d: next((s for s in Suit if s.word == d), None) for d in PBN_DENOMINATION}


def write_pbn(items: Iterable[Record | Group]) -> Iterator[str]:
    """The text of a PBN file, a record at a time: UTF-8, lines ending CRLF as in the export format.

    PBN has no rubbers or matches: their deals stand one after another.
    """
    yield "".join(line + END for line in HEADER)
    records = (r for i in items for r in (i.records if isinstance(i, Group) else (i,)))
    for number, record in enumerate(records):
        yield (END if number else "") + _written(record).text().replace("\n", END)


def lost(record: Record) -> tuple[str, ...]:
    """What of a record does not come back from the PBN of `write_pbn`, named for the user."""
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
    told = next(r for r in read_pbn([lines.text().encode()]) if isinstance(r, Record))
    tags, tables = own_tags(record, told, leaders_of(record))
    lines.supplemental |= tags
    lines.tables |= tables
    return lines


# --- the lines of a record ------------------------------------------------------------------------


@dataclass(slots=True)
class _Lines:
    """The parts of one record in the order of the export format.

    `comments` stand behind the tag of that name. `braces` says that a comment lost its closing
    braces.
    """

    escapes: list[str] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    mandatory: dict[str, str] = field(default_factory=dict)
    supplemental: dict[str, str] = field(default_factory=dict)
    auction: list[str] = field(default_factory=list)
    play: list[str] = field(default_factory=list)
    tables: dict[str, list[str]] = field(default_factory=dict)
    comments: dict[str, list[str]] = field(default_factory=dict)
    braces: bool = False

    def text(self) -> str:
        """All lines, in the order of the standard.

        Comments without a place stand behind the tags: behind the rows of a table the standard has
        none, and behind a call or a card they would be of it.
        """
        out = [*self.escapes, *self.start]
        for name, value in (*self.mandatory.items(), *sorted(self.supplemental.items())):
            out += [f"[{name} {quoted(value)}]", *self.comments.get(name, ())]
        out += self.strays()
        out += [*self.auction, *self.comments.get("Auction", ())] if self.auction else []
        out += [*self.play, *self.comments.get("Play", ())] if self.play else []
        for name, rows in sorted(self.tables.items()):
            out += [rows[0], *self.comments.get(name, ()), *rows[1:]]
        return "\n".join(out) + "\n"

    def strays(self) -> list[str]:
        """The comments behind tags that are not written."""
        names = {*self.mandatory, *self.supplemental, *self.tables}
        names |= {n for n, body in (("Auction", self.auction), ("Play", self.play)) if body}
        return [c for name, many in self.comments.items() if name not in names for c in many]

    def comment(self, text: str, row: bool = False) -> str:
        """A comment in braces; behind a semicolon where its own line lets it hold a brace."""
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
        self.left: dict[Item, list[str]] = {}
        for comment in record.comments:
            self.left.setdefault(self._home(comment.anchor), []).append(comment.text)

    def _home(self, anchor: Item) -> Item:
        """The anchor of a comment as PBN has it: a tag's name, a call or a card."""
        kind, *rest = anchor
        if kind == "play" and rest and rest[1:2] in ([], ["irregularity"]):
            tricks, number = self.record.play or (), int(rest[0])
            known = number < len(tricks)
            return ("play", number, len(tricks[number].cards) - 1) if known else ("tag", "end")
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
        lines.auction = _auction_lines(record.bidding, seat, OPEN_AUCTION in kept, remarks)
    if record.play is not None:
        lines.play = _play_lines(record, OPEN_PLAY in kept, remarks)
    for text in filter(_writable, kept):
        section = _SECTION.match(text)
        if section:
            lines.tables.setdefault(section[1], text.split("\n"))
        elif text.startswith("%"):
            lines.escapes.append(text)
    remarks.rest()
    return lines


def _writable(text: str) -> bool:
    """Whether a kept text has a place in PBN: an escaped line, a section, a sign of going on."""
    section = _SECTION.match(text)
    if section:
        return ("\n" in text or section[1].endswith("Table")) and not section[1].startswith(PREFIX)
    return text.startswith("%") or text in (OPEN_AUCTION, OPEN_PLAY)


# --- tags -----------------------------------------------------------------------------------------


def _tags(record: Record, lines: _Lines) -> None:
    """The mandatory tags in their order, and the supplemental ones."""
    mandatory = lines.mandatory = dict.fromkeys(MANDATORY, "?")
    supplemental = lines.supplemental
    for name, value in record.tags:
        _own_words(name, value, record, lines)
    number = _BOARD.fullmatch(record.id)
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
    supplemental |= {f"Pair{s.value}": n for s, n in record.sides}
    if record.table:
        supplemental["Table"] = record.table.value
    if rubber := rubber_score_text(record.scores):
        supplemental["ScoreRubber"] = rubber


def _own_words(name: str, value: str, record: Record, lines: _Lines) -> None:
    """A tag that the record keeps as it is, where PBN lets it stand."""
    plain = value not in UNKNOWN and not value.startswith("#") and not _CONTROL.search(value)
    if name.lower() == "date":
        plain = plain and not _PBN_DATE.fullmatch(value)
        value = value.replace("-", ".") if _DATE.fullmatch(value) else value
    name = _pbn_name(name)
    if name in lines.mandatory:
        if plain and lines.mandatory[name] == "?" and _harmless(name, value, record):
            lines.mandatory[name] = value
    elif name.startswith(TAG_PREFIX) or (plain and _NAME.fullmatch(name) and not _reserved(name)):
        lines.supplemental.setdefault(name, value)


def _harmless(name: str, value: str, record: Record) -> bool:
    """Whether a mandatory tag with this value states no fact: it was kept, for it made no sense."""
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
    ours = re.fullmatch(r"[a-z]+", name) and name != "table"
    return TAG_PREFIX + name.capitalize() if ours else name


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


# --- the auction and the play: rows of four slots, with marks, notes and comments -----------------


@dataclass(slots=True)
class _Slots:
    """The slots of a section as they are written, four to a line, and the notes they refer to."""

    first_glyph: int
    slots: list[str] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)

    def add(
        self, word: str, before: str, made: Call | Played, behind: tuple[list[int], list[str]]
    ) -> None:
        """One call or card with what stands before and behind it."""
        words = [before, word] if before else [word]
        if made.note:
            words.append(f"={self.notes.setdefault(made.note, len(self.notes) + 1)}=")
        glyphs, comments = behind
        if made.mark in SUFFIXES:
            glyphs = [*glyphs, self.first_glyph + SUFFIXES.index(made.mark)]
        words += [f"${g}" for g in sorted(glyphs)]
        self.slots.append(" ".join([*words, *comments]))

    def lines(self, tag: str, seat: Seat | None, remarks: _Remarks, end: str = "") -> list[str]:
        """The section: its tag, the comments behind that, rows of four, its end and its notes."""
        anchor = {"Auction": "bidding", "Play": "play"}[tag]
        rows = [" ".join(self.slots[i : i + 4]) for i in range(0, len(self.slots), 4)]
        notes = [f"[Note {quoted(f'{number}:{text}')}]" for text, number in self.notes.items()]
        head = [f'[{tag} "{seat.value if seat else "?"}"]', *remarks.behind(anchor)[1]]
        return [*head, *rows, *([end] if end else []), *notes]


def _auction_lines(
    calls: Sequence[Call], first: Seat | None, going_on: bool, remarks: _Remarks
) -> list[str]:
    """The auction section; none where PBN has no word for a call."""
    words = [_call_word(c) for c in calls]
    if None in words or any(c.kind in ("unrecorded", "all-pass") for c in calls[:-1]):
        return []
    if first is None and any(c.seat for c in calls):
        return []
    section = _Slots(1)
    turn = first
    for index, (call, word) in enumerate(zip(calls, words, strict=True)):
        while turn and call.seat and turn is not call.seat:
            section.slots.append("^S")
            turn = turn.left
        before = "^I" if _has(call.incidents, INSUFFICIENT) else ""
        section.add(str(word), before, call, remarks.behind("bidding", index))
        turn = turn.left if turn else None
    if going_on and not over(calls):
        section.slots.append("+")
    return section.lines("Auction", first, remarks)


CALL_WORDS = {"pass": "Pass", "double": "X", "redouble": "XX", "all-pass": "AP", "unrecorded": "*"}


def _call_word(call: Call) -> str | None:
    if call.corrects:
        return None
    if call.kind == "bid":
        letter = PBN_DENOMINATION.get(call.denomination or "")
        return f"{call.odd_tricks}{letter}" if letter and call.odd_tricks in range(1, 8) else None
    return CALL_WORDS.get(call.kind)


def _has(incidents: Sequence[Incident], name: str) -> bool:
    return any(i.name == name for i in incidents)


def _play_lines(record: Record, going_on: bool, remarks: _Remarks) -> list[str]:
    """The play section in columns from the first leader; none where cards have no known players."""
    tricks = record.play or ()
    declarer = record.declaration.declarer if record.declaration else None
    if not tricks:
        end = "+" if going_on else "*"
        return _Slots(7).lines("Play", declarer.left, remarks, end) if declarer else []
    rows = _columns(record)
    if rows is None:
        return []
    columns = {t.columns_from for t in tricks}
    first = (columns.pop() if len(columns) == 1 else None) or rows[0].leader
    section = _Slots(7)
    for number, row in enumerate(rows):
        for seat in (first.after(i) for i in range(4)):
            index = row.cards.get(seat)
            played = tricks[number].cards[index] if index is not None else Played(None)
            led = _has(played.incidents, LED) or (row.out_of_turn and seat is row.leader)
            marks = ["^L"] * led + ["^R"] * _has(played.incidents, REVOKED)
            word = played.card.code if played.card else "-"
            if going_on and number == len(rows) - 1 and _next(seat, row, tricks[number]):
                word, going_on = "+", False
            behind = remarks.behind("play", number, index) if index is not None else ([], [])
            section.add(word, " ".join(marks), played, behind)
    whole = len(rows) == 13 and all(
        len(t.cards) == 4 and all(p.card for p in t.cards) for t in tricks
    )
    end = "" if whole or "+" in section.slots else "+" if going_on else "*"
    return section.lines("Play", first, remarks, end)


def leaders_of(record: Record) -> str:
    """The leader of each trick, small where not named by the record; empty if one is not known."""
    return "".join(
        row.leader.value if trick.leader else row.leader.value.lower()
        for row, trick in zip(_columns(record) or [], record.play or (), strict=False)
    )


def _next(seat: Seat, row: _Row, trick: Trick) -> bool:
    """Whether a player has not played to a trick to which the player before him has."""
    played = {s for s, i in row.cards.items() if trick.cards[i].card}
    return seat not in played and seat.right in played


@dataclass(frozen=True, slots=True)
class _Row:
    """A trick by columns: its leader (or first column), the index of each player's card.

    `out_of_turn` says that the record names a leader who had not won the trick before.
    """

    leader: Seat
    cards: Mapping[Seat, int]
    out_of_turn: bool = False


def _columns(record: Record) -> list[_Row] | None:
    """The tricks by columns; `None` where a player cannot be known, or plays twice to a trick."""
    owner = {c: s for s, h in record.hands for c in h.cards}
    declaration = record.declaration
    denomination = declaration.denomination if declaration else None
    expected = declaration.declarer.left if declaration and declaration.declarer else None
    rows: list[_Row] = []
    for trick in record.play or ():
        row = _row_of(trick, expected, owner)
        if row is None:
            return None
        wrong = bool(trick.leader and expected and trick.leader is not expected)
        marked = any(_has(p.incidents, LED) for p in trick.cards)
        rows.append(replace(row, out_of_turn=wrong and not marked))
        cards = {s: trick.cards[i].card for s, i in row.cards.items()}
        start = trick.leader or expected
        expected = None
        if denomination in _TRUMPS and start:
            expected = _winner(cards, start, _TRUMPS[denomination])
    return rows


def _row_of(trick: Trick, expected: Seat | None, owner: Mapping[Card, Seat]) -> _Row | None:
    """Whose each card of a trick is, or `None`."""
    if len(trick.cards) > 4:
        return None
    turn = trick.columns_from
    if turn is None:
        first = trick.cards[0] if trick.cards else None
        turn = trick.leader or (first.seat if first else None) or expected
        turn = turn or (owner.get(first.card) if first and first.card else None)
    if turn is None:
        return None
    leader = trick.leader or turn
    seats: dict[Seat, int] = {}
    for index, played in enumerate(trick.cards):
        seat = played.seat or turn
        if seat in seats:
            return None
        seats[seat] = index
        turn = seat.left
    return _Row(leader, seats)


def _winner(cards: Mapping[Seat, Card | None], start: Seat, trump: Suit | None) -> Seat | None:
    """Who wins a trick of four known cards, or `None`."""
    known = {s: c for s, c in cards.items() if c}
    if len(known) < 4:
        return None
    suit = trump if any(c.suit is trump for c in known.values()) else known[start].suit
    return max((s for s in SEATS if known[s].suit is suit), key=lambda s: known[s].height)
