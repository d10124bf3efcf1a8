"""Writing Portable Bridge Notation 2.1, in export format as far as the record lets it be.

PBN's own tags and sections say of a record what they can, for every program. What they cannot say
exactly follows as statements of `.hand` behind the tag `OddtrickHand`, which our reader puts in the
place of PBN's: bidding and play each as a whole, all else statement by statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from oddtrick.cards import SEATS, Card, Seat, Suit
from oddtrick.record import deal as new
from oddtrick.record.adapter import record_of
from oddtrick.record.documents import write_hand
from oddtrick.record.from_record import declaration_from
from oddtrick.record.hand.write import declaration_words
from oddtrick.record.model import NOWHERE, Call, Declaration, Incident, Item, Played, Record, Trick
from oddtrick.record.pbn.fields import UNKNOWN, contract_of
from oddtrick.record.pbn.games import MANDATORY, canonical
from oddtrick.record.pbn.reader import (
    ANCHORS,
    HAND,
    INSUFFICIENT,
    LED,
    MISCOUNTED,
    OPEN_AUCTION,
    OPEN_PLAY,
    REVOKED,
    SKIPPED,
    SUFFIXES,
    SWAPPED,
    TAG_NAMES,
)
from oddtrick.record.pbn.texts import (
    CONTROL,
    PBN_DENOMINATION,
    contract_text,
    deal_text,
    quoted,
    result_text,
    rubber_score_text,
    vulnerable_text,
)

HEADER = ("% PBN 2.1", "% EXPORT", "%Content-type: text/x-pbn; charset=UTF-8")
END = "\r\n"
"""The end of a line in export format."""

PLAIN = frozenset(("Event", "Site", "Date", "Board", "Scoring"))
"""Mandatory tags that have no field."""

_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_SECTION = re.compile(r'\[([A-Za-z_]\w*) "(?:[^"\\]|\\.)*"\](?=\n|$)')
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PBN_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_FIELD_TAGS = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "ScoreRubber", "Auction", "Play", "Note", HAND)
)
_UNNAMED = re.compile(r"record \d+")
_BOARD = re.compile(r"(?:deal|board) (\S+)(?: (?:open|closed) room)?")
_GLYPH = re.compile(r"\$\d{1,3}")
_THEIRS = {ours: name for name, ours in TAG_NAMES.items()}
_TAG_OF = {str(anchor[0]): name for name, anchor in ANCHORS.items()} | {
    "players": "West",
    "sides": "PairNS",
}
_OF_CONTRACT = ("odd_tricks", "denomination", "doubled", "bridged", "passed_out")
"""What of a declaration the tag `Contract` states."""
_TRUMPS = {d: next((s for s in Suit if s.word == d), None) for d in PBN_DENOMINATION}


def write_pbn(items: Iterable[new.Deal | new.Group]) -> Iterator[str]:
    """The text of a PBN file, a record at a time: UTF-8, lines ending CRLF as in the export format.

    PBN has no rubbers or matches: their deals stand one after another.
    """
    yield "".join(line + END for line in HEADER)
    deals = (d for i in items for d in (i.deals if isinstance(i, new.Group) else (i,)))
    for number, deal in enumerate(deals):
        yield (END if number else "") + _written(record_of(deal)).text().replace("\n", END)


def lost(deal: new.Deal) -> tuple[str, ...]:
    """What of a record does not come back from the PBN of `write_pbn`, named for the user."""
    out, record = [], record_of(deal)
    lines = _written(record)
    if strays := lines.strays():
        what = "a comment, which is" if len(strays) == 1 else f"{len(strays)} comments, which are"
        out.append(f"the place of {what} written at the end")
    if lines.braces:
        out.append("closing braces inside a comment, which become parentheses")
    unused = sum(1 for k in record.kept if not _writable(k.value))
    if unused:
        out.append(f"{'a piece' if unused == 1 else f'{unused} pieces'} of text that had no use")
    return tuple(out)


# --- the lines of a record ------------------------------------------------------------------------


@dataclass(slots=True)
class _Lines:
    """The parts of one record in the order of the export format.

    `statements` are lines of `.hand`: free text stands in them in quotation marks, where no mark of
    PBN counts, and none of them begins with such a mark. `comments` stand behind the tag of that
    name. `braces` says that a comment lost its closing braces.
    """

    escapes: list[str] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    mandatory: dict[str, str] = field(default_factory=dict)
    supplemental: dict[str, str] = field(default_factory=dict)
    auction: list[str] = field(default_factory=list)
    play: list[str] = field(default_factory=list)
    tables: dict[str, list[str]] = field(default_factory=dict)
    statements: list[str] = field(default_factory=list)
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
        if self.statements:
            out += [f'[{HAND} ""]', *self.statements]
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


def _written(record: Record) -> _Lines:
    """A record in PBN's words, and in statements of `.hand` what these cannot say."""
    lines = _Lines()
    remarks = _Remarks(record, lines)
    lines.start = remarks.behind("start")[1]
    left = _tags(record, lines)
    kept = [k.value for k in record.kept]
    if record.bidding is not None:
        first = record.bidding_from or record.dealer
        seat = first.value if first else None
        lines.auction = _auction_lines(record.bidding, seat, OPEN_AUCTION in kept, remarks)
        if not (lines.auction and _is_auction(record.bidding, seat)):
            left |= {"bidding": record.bidding, "bidding_from": record.bidding_from}
    if record.play is not None:
        lines.play = _play_lines(record, OPEN_PLAY in kept, remarks)
    told = record.table_claims or record.more_play
    if told or (record.play is not None and not (lines.play and _is_play(record.play))):
        left |= _of_play(record)
    if any(i.after == "bidding" for i in left["incidents"]):
        # A statement behind which an irregularity stands says what was over.
        declared = record.declaration and declaration_words(declaration_from(record.declaration))
        left |= {"declaration": record.declaration} if declared else _of_play(record)
    if any(i.after == "play" for i in left["incidents"]):
        outcome = {"result": record.result, "scores": record.scores}
        left |= outcome if any(outcome.values()) else _of_play(record)
    lines.statements = _statements(record, lines.mandatory["Board"], left)
    for text in filter(_writable, kept):
        section = _SECTION.match(text)
        if section:
            lines.tables.setdefault(section[1], text.split("\n"))
        elif text.startswith("%"):
            lines.escapes.append(text)
    remarks.rest()
    return lines


def _of_play(record: Record) -> dict[str, Any]:
    """The fields that the section `play` of `.hand` states."""
    return {name: getattr(record, name) for name in ("play", "table_claims", "more_play")}


def _statements(record: Record, board: str, left: Mapping[str, Any]) -> list[str]:
    """The lines of `.hand` that state some fields of a record."""
    text = write_hand([Record(record.id, **left)])
    deal, *others = (line for line in text.split("\n") if line.strip())
    named = record.id == f"board {board}" or _UNNAMED.fullmatch(record.id)
    titled = left["tags"][:1] and left["tags"][0][0] == "title"
    return others if named and not titled else [deal, *others]


def _writable(text: str) -> bool:
    """Whether a kept text has a place in PBN: an escaped line, a section, a sign of going on."""
    section = _SECTION.match(text)
    if section:
        return ("\n" in text or section[1].endswith("Table")) and section[1] != HAND
    return text.startswith("%") or text in (OPEN_AUCTION, OPEN_PLAY)


# --- tags -----------------------------------------------------------------------------------------


ONLY_OURS = (
    "code options standing_games standing_trick standing_honour tray playing honours chicane game"
).split()
"""The fields of a record for which PBN has no tag that programs write."""


def _tags(record: Record, lines: _Lines) -> dict[str, Any]:
    """Write the mandatory tags in their order, and the supplemental ones.

    Returns the fields of the record that they do not say exactly, but for bidding and play.
    """
    left: dict[str, Any] = {name: getattr(record, name) for name in ONLY_OURS}
    mandatory = lines.mandatory = dict.fromkeys(MANDATORY, "?")
    supplemental = lines.supplemental
    left["tags"] = tuple(t for t in record.tags if not _kept_tag(*t, lines))
    number = _BOARD.fullmatch(record.id)
    if mandatory["Board"] == "?" and number:
        mandatory["Board"] = number[1]
    mandatory |= {s.title: n for s, n in record.players if _is_name(n)}
    left["players"] = tuple(p for p in record.players if not _is_name(p[1]))
    supplemental |= {f"Pair{s.value}": n for s, n in record.sides if _is_name(n)}
    left["sides"] = tuple(p for p in record.sides if not _is_name(p[1]))
    if record.dealer:
        mandatory["Dealer"] = record.dealer.value.value
    if record.vulnerable:
        mandatory["Vulnerable"] = vulnerable_text(record.vulnerable.value)
    if record.hands:
        mandatory["Deal"] = deal_text(record.hands, record.dealer.value if record.dealer else None)
        if any(hand.partial for _, hand in record.hands):
            left["hands"] = record.hands
    left |= _outcome(record, mandatory)
    if record.table:
        if _is_text(record.table.value):
            supplemental["Table"] = record.table.value
        else:
            left["table"] = record.table
    sides = [claim.side for claim in record.scores[::2]]
    rubber = rubber_score_text(record.scores)
    if rubber and len(set(sides)) == len(sides):
        supplemental["ScoreRubber"] = rubber
    else:
        left["scores"] = record.scores
    return left


def _is_text(value: str) -> bool:
    """Whether a tag can say a text as it is."""
    return value not in UNKNOWN and not value.startswith("#") and not CONTROL.search(value)


def _is_name(value: str) -> bool:
    """Whether the tag of a player or a side can say a name."""
    return _is_text(value) and value.strip() not in (*UNKNOWN, "-")


def _kept_tag(name: str, value: str, lines: _Lines) -> bool:
    """Write a tag of the record where PBN has it, or lets a program add it."""
    if not _is_text(value):
        return False
    if name.lower() == "date":
        if _PBN_DATE.fullmatch(value):
            return False
        value = value.replace("-", ".") if _DATE.fullmatch(value) else value
    name = _pbn_name(name)
    if name in PLAIN:
        if lines.mandatory[name] != "?":
            return False
        lines.mandatory[name] = value
        return True
    free = _NAME.fullmatch(name) and canonical(name) == name and not name.endswith("Table")
    if not free or name in _FIELD_TAGS or name in lines.supplemental:
        return False
    lines.supplemental[name] = value
    return True


def _pbn_name(name: str) -> str:
    """PBN's name of a tag of the record."""
    return _THEIRS.get(name, name)


def _outcome(record: Record, mandatory: dict[str, str]) -> dict[str, Any]:
    """Write the tags Declarer, Contract and Result, as far as they are known.

    Returns the fields that they do not say exactly, with the irregularities of the deal where a
    caret before declarer and result does not say them.
    """
    declaration, result, left = record.declaration, record.result, dict[str, Any]()
    if declaration and declaration.passed_out:
        mandatory |= {"Declarer": "", "Contract": "Pass", "Result": ""}
        exact = declaration == Declaration(passed_out=True, place=declaration.place)
        return {
            "incidents": record.incidents,
            "result": result,
            "declaration": None if exact else declaration,
        }
    marked: list[Incident] = []
    declarer = declaration.declarer if declaration else None
    names = {i.name for i in record.incidents}
    if declarer and SWAPPED in names:
        marked += _accepted((Incident(SWAPPED, by=declarer),), declarer)
    text = result_text(result, declaration) if result else ""
    if text and MISCOUNTED in names:
        marked += _accepted((Incident(MISCOUNTED),), declarer)
    exact = _same(marked, record.incidents)
    carets = {i.name: "^" for i in marked} if exact else {}
    left["incidents"] = () if exact else record.incidents
    if declaration:
        contract = contract_text(declaration)
        if declarer:
            mandatory["Declarer"] = carets.get(SWAPPED, "") + declarer.value
        if contract:
            mandatory["Contract"] = contract
        read = (contract_of(contract, None)[0] if contract else None) or Declaration()
        exact = all(getattr(declaration, n) == getattr(read, n) for n in _OF_CONTRACT)
        left["declaration"] = None if exact else declaration
    if text:
        mandatory["Result"] = carets.get(MISCOUNTED, "") + text
    if result and not (text and result.kind == "tricks"):
        left["result"] = result
    return left


def _same(marked: Sequence[Incident], told: Sequence[Incident]) -> bool:
    """Whether irregularities that PBN's marks tell are those of the record, and no others."""
    return [replace(i, place=NOWHERE) for i in told] == list(marked)


def _accepted(incidents: Iterable[Incident], offender: Seat | None) -> tuple[Incident, ...]:
    """The irregularities that a mark states: the player on the left of the offender waived them."""
    return tuple(replace(i, waived_by=offender.left if offender else None) for i in incidents)


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


def _over(calls: Sequence[Call]) -> bool:
    """Whether calls end the auction: all pass, three passes behind a bid, or four passes."""
    kinds = [c.kind for c in calls]
    return kinds[-1:] == ["all-pass"] or (len(kinds) > 3 and kinds[-3:] == ["pass"] * 3)


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
    if going_on and not _over(calls):
        section.slots.append("+")
    return section.lines("Auction", first, remarks)


def _is_auction(calls: Sequence[Call], first: Seat | None) -> bool:
    """Whether an auction section, which can be written, says the calls of a player on exactly."""
    if calls and calls[-1].kind == "unrecorded":
        last = calls[-1]
        if last != Call("unrecorded", place=last.place) or _over(calls[:-1]):
            return False
    turn = first
    for call in calls:
        seat = call.seat or turn
        marked = [Incident(INSUFFICIENT)] if _has(call.incidents, INSUFFICIENT) else []
        if call.seat:
            if call.seat is turn or call.kind not in SKIPPED:
                return False
            marked.append(Incident(SKIPPED[call.kind], by=seat))
        if not (_is_marked(call) and _same(_accepted(marked, seat), call.incidents)):
            return False
        turn = seat.left if seat else None
    return bool(calls) or first is not None


def _is_marked(made: Call | Played) -> bool:
    """Whether PBN can say the mark and the note of a call or card."""
    note = made.note or ""
    sayable = made.note != "" and note == note.strip() and not CONTROL.search(note)
    return made.mark in (None, *SUFFIXES) and sayable


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


def _is_play(tricks: Sequence[Trick]) -> bool:
    """Whether a play section, which can be written, says tricks exactly: in columns."""
    first = tricks[0].columns_from if tricks else None
    if not tricks:
        return True
    if first is None or not any(p.card for p in tricks[-1].cards):
        return False
    for trick in tricks:
        leader = None
        for column, played in enumerate(trick.cards):
            marks = (LED, REVOKED)
            marked = [Incident(name) for name in marks if _has(played.incidents, name)]
            seat = first.after(column)
            if _has(marked, LED):
                leader = seat
            if played.seat or not _is_marked(played):
                return False
            if not _same(_accepted(marked, seat), played.incidents):
                return False
        if (trick.columns_from, trick.leader, len(trick.cards)) != (first, leader, len(SEATS)):
            return False
    return True


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
