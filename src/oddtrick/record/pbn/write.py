"""Writes Portable Bridge Notation 2.1, in export format as far as the deal allows.

The standard tags and sections express what they can, for any program. They are then read back, and
whatever differs from the deal follows as `.hand` statements after the tag `OddtrickHand`. Our
reader lets these override PBN: the bidding and the play each as a unit, everything else by
statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from oddtrick.cards import PACK, SEATS, Seat
from oddtrick.record.deal import (
    ALL_PASS,
    NOWHERE,
    UNKNOWN_CARD,
    UNRECORDED,
    Deal,
    Event,
    Group,
    Incident,
    Item,
    Remark,
    Source,
    deals_in,
    held,
)
from oddtrick.record.hand.write import write_hand
from oddtrick.record.margin import shown
from oddtrick.record.pbn.fields import UNKNOWN, winner_of
from oddtrick.record.pbn.games import MANDATORY, canonical, games_of
from oddtrick.record.pbn.read import PLAY, at_events, differing
from oddtrick.record.pbn.reader import (
    ANCHORS,
    HAND,
    MISCOUNTED,
    SWAPPED,
    TAG_NAMES,
    State,
    read_game,
)
from oddtrick.record.pbn.sections import (
    INSUFFICIENT,
    LED,
    OPEN_AUCTION,
    OPEN_PLAY,
    REVOKED,
    SUFFIXES,
)
from oddtrick.record.pbn.texts import (
    CALL_WORD,
    MOST_TRICKS,
    PBN_DENOMINATION,
    TAGS,
    is_sayable,
    quoted,
)

HEADER = ("% PBN 2.1", "% EXPORT", "%Content-type: text/x-pbn; charset=UTF-8")
END = "\r\n"
"""The end of a line in export format."""

PLAIN = frozenset(("Event", "Site", "Date", "Board", "Scoring"))
"""Mandatory tags that a deal keeps among its `tags`, not in fields."""
_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_SECTION = re.compile(r'\[([A-Za-z_]\w*) "(?:[^"\\]|\\.)*"\](?=\n|$)')
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_FIELD_TAGS = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "ScoreRubber", "Auction", "Play", "Note", HAND)
)
_UNNAMED = re.compile(r"record \d+")
_BOARD = re.compile(r"(?:deal|board) (\S+)(?: (?:open|closed) room)?")
_GLYPH = re.compile(r"\$\d{1,3}")
_PBN_NAMES = {ours: name for name, ours in TAG_NAMES.items()}
_TAG_OF = {str(anchor[0]): name for name, anchor in ANCHORS.items()} | {
    "players": "West",
    "sides": "PairNS",
}
_CODES = {UNKNOWN_CARD: "-"} | {int(card): card.code for card in PACK}


def write_pbn(items: Iterable[Deal | Group]) -> Iterator[str]:
    """Yield the text of a PBN file: a header, then each deal, with CRLF as in the export format.

    PBN has no rubbers or matches, so their deals follow one another.
    """
    yield "".join(line + END for line in HEADER)
    for number, deal in enumerate(deals_in(items)):
        text = "\n".join(_Game(deal).lines) + "\n"
        yield (END if number else "") + text.replace("\n", END)


def lost(deal: Deal) -> tuple[str, ...]:
    """Descriptions, for the user, of what is lost if a deal is written to PBN and read back."""
    out, game = [], _Game(deal)
    if strays := len(game.strays):
        what = "a comment, which is" if strays == 1 else f"{strays} comments, which are"
        out.append(f"the position of {what} written at the end")
    if game.lost_braces:
        out.append("closing braces inside a comment, which become parentheses")
    return (*out, *(f"{shown(text)}, kept as a note" for text, _ in game.unsaid["unused"]))


def _bare(deal: Deal) -> Deal:
    """A deal without its spans, and with the first caller and the columns as PBN states them."""
    called, (n, e, s, w) = deal.calls is not None, deal.hand_spans
    return deal._replace(
        hand_spans=(n and NOWHERE, e and NOWHERE, s and NOWHERE, w and NOWHERE),
        hand_details=tuple(sorted(deal.hand_details, key=lambda detail: detail.seat.number)),
        claims=tuple(replace(claim, span=NOWHERE) for claim in deal.claims),
        incidents=tuple(replace(i, span=NOWHERE) for i in sorted(deal.incidents, key=_number)),
        unused=tuple((text, NOWHERE) for text, _ in deal.unused),
        remarks=tuple(sorted(deal.remarks, key=_number)),
        call_starts=(),
        card_starts=(),
        first_caller=deal.first_caller or (deal.dealer if called else None),
        columns=deal.columns if deal.cards else None,
    )


def _number(of: Incident | Remark) -> int:
    return of.event.number if of.event else -1


def _unsaid(deal: Deal, back: Deal) -> dict[str, Any]:
    """The fields of a deal that differ in the deal read back from PBN."""
    ours, theirs = _bare(deal), _bare(back)
    unsaid: dict[str, Any] = {
        name: _without(getattr(theirs, name), getattr(ours, name))
        for name in ("tags", "players", "sides", "unused")
    }
    events = at_events(ours, None)
    incidents = _without(theirs.incidents, events["incidents"])
    units = list(differing(ours, theirs))
    if any(incident.after for incident in incidents):
        # The statements before an irregularity show which part of the deal was over.
        units += ("declaration",), ("result",), ("scores",), PLAY
    unsaid |= {name: getattr(deal, name) for unit in units for name in unit}
    events = at_events(deal, *(unit[0] for unit in units))
    return unsaid | events | {"incidents": (*incidents, *events["incidents"])}


def _without(found: Iterable[Any], wanted: Iterable[Any]) -> tuple[Any, ...]:
    """What is wanted but not found, in order; each thing found counts once."""
    left, missing = list(found), []
    for one in wanted:
        if one in left:
            left.remove(one)
        else:
            missing.append(one)
    return tuple(missing)


class _Game:
    """One deal as the lines of a PBN game, with `.hand` statements for what PBN cannot express.

    `unsaid` holds the fields that the tags and sections do not express, for the `.hand`
    statements. These are safe inside PBN: free text in them is in quotation marks, and no line
    begins with a PBN mark. `comments` holds the comments not yet written, by anchor; `strays` are
    those that have no place.
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.texts = [text for text, _ in deal.unused]
        self.marked = {(i.event, i.name) for i in deal.incidents}
        self.remarks = {remark.event: remark for remark in deal.remarks}
        self.lost_braces = False
        self.comments: dict[Item, list[str]] = {}
        for comment in deal.comments:
            self.comments.setdefault(self._home(comment.anchor), []).append(comment.text)
        lines = self._lines()
        text = "".join(f"{line}\n" for line in lines)
        source = Source(notation="pbn", text=text)
        found = read_game(games_of(text)[0], source, State())
        back = next(item for item in found if isinstance(item, Deal))
        self.unsaid = _unsaid(deal, back)
        first, *others = write_hand([Deal(Source(), NOWHERE, deal.id, **self.unsaid)]).split("\n")
        named = deal.id == back.id or _UNNAMED.fullmatch(deal.id)
        titled = self.unsaid["tags"][:1] and self.unsaid["tags"][0][0] == "title"
        statements = [*(() if named and not titled else (first,)), *filter(str.strip, others)]
        self.lines = [*lines, f'[{HAND} ""]', *statements] if statements else lines

    def _lines(self) -> list[str]:
        """The lines in the order of the standard, without the `.hand` statements.

        The comments whose anchor is not written come after the tags, since the standard allows none
        after the rows of a table, and after a call or a card they would belong to it.
        """
        tags = [text for text in self.texts if text.startswith("%")] + self._after("start")
        sections = {"Auction": self._auction(), "Play": self._play()}
        tables = dict[str, list[str]]()
        for text in self.texts:
            found = _SECTION.match(text)
            if found and ("\n" in text or found[1].endswith("Table")) and found[1] != HAND:
                tables.setdefault(found[1], text.split("\n"))
        body = list[str]()
        for name, value in self._tags().items():
            tags += [f"[{name} {quoted(value)}]", *self._after("tag", name)]
        for name, lines in sections.items():
            body += [*lines, *self._after("tag", name)] if lines else []
        for name, (tag, *rows) in sorted(tables.items()):
            body += [tag, *self._after("tag", name), *rows]
        self.strays = [self._comment(text) for texts in self.comments.values() for text in texts]
        return [*tags, *self.strays, *body]

    def _tags(self) -> dict[str, str]:
        """The values of the mandatory tags, then those of the others in alphabetical order."""
        deal, tags, more = self.deal, dict.fromkeys(MANDATORY, "?"), dict[str, str]()
        for name, value in deal.tags:
            name = _PBN_NAMES.get(name, name)
            if name == "Date" and _DATE.fullmatch(value):
                value = value.replace("-", ".")
            free = _NAME.fullmatch(name) and canonical(name) == name and not name.endswith("Table")
            if not is_sayable(value):
                continue
            if name in PLAIN:
                tags[name] = value if tags[name] == "?" else tags[name]
            elif free and name not in _FIELD_TAGS:
                more.setdefault(name, value)
        number = _BOARD.fullmatch(deal.id)
        if tags["Board"] == "?" and number:
            tags["Board"] = number[1]
        tags |= {seat.title: name for seat, name in deal.players if is_sayable(name)}
        more |= {f"Pair{side.value}": name for side, name in deal.sides if is_sayable(name)}
        stated = deal.declaration
        if stated and stated.passed_out:
            tags |= {"Declarer": "", "Result": ""}
        elif stated and stated.declarer:
            tags["Declarer"] = stated.declarer.value
        for name, text_of in TAGS.items():
            text = text_of(deal)
            if text is not None and is_sayable(text):
                (tags if name in tags else more)[name] = text
        for name, mark in (("Declarer", SWAPPED), ("Result", MISCOUNTED)):
            if (None, mark) in self.marked and tags[name] not in UNKNOWN:
                tags[name] = f"^{tags[name]}"
        return tags | dict(sorted(more.items()))

    # --- comments ---------------------------------------------------------------------------------

    def _home(self, anchor: Item) -> Item:
        """The anchor in PBN for a comment: the name of a tag, a call or a card."""
        deal, (kind, *rest) = self.deal, anchor
        if kind == "play" and rest and rest[1:2] in ([], ["irregularity"]):
            number, ends = int(rest[0]), (*deal.trick_starts[1:], len(deal.cards or ()))
            if number >= len(deal.trick_starts):
                return ("tag", "end")
            return ("play", number, ends[number] - deal.trick_starts[number] - 1)
        if kind in ("bidding", "play"):
            return anchor[: 2 if kind == "bidding" else 3]
        if kind in ("deal", "start"):
            return ("start",)
        if kind == "pbn":
            return ("tag", str(rest[0]))
        if kind == "tag" and isinstance(rest[0], int) and rest[0] < len(deal.tags):
            name = deal.tags[rest[0]][0]
            return ("tag", _PBN_NAMES.get(name, name))
        return ("tag", _TAG_OF.get(str(kind), "end"))

    def _comment(self, text: str, row: bool = False) -> str:
        """A comment in braces, or after a semicolon if it contains a brace and has its own line."""
        # A tag after an empty line would be taken for the end of an unclosed comment.
        text = re.sub(r"(\n\s*\n)\[", r"\1 [", text)
        if "}" not in text:
            return f"{{{text}}}"
        if not row and "\n" not in text:
            return f";{text}"
        self.lost_braces = True
        return "{" + text.replace("}", ")") + "}"

    def _after(self, *anchor: str | int) -> list[str]:
        """The comments and glyphs to write after a tag, a call or a card."""
        row, texts = anchor[0] != "tag", self.comments.pop(anchor, ())
        return [
            text if row and _GLYPH.fullmatch(text) else self._comment(text, row) for text in texts
        ]

    # --- auction and play: rows of four slots, with marks, notes and comments ---------------------

    def _auction(self) -> list[str]:
        """The lines of the auction; empty if there is none or PBN cannot express it."""
        deal, calls = self.deal, self.deal.calls
        if calls is None:
            return []
        first, callers = deal.first_caller or deal.dealer, dict(deal.callers)
        if (
            deal.corrections
            or not set(calls) <= CALL_WORD.keys()
            or not {UNRECORDED, ALL_PASS}.isdisjoint(calls[:-1])
            or (first is None and callers)
        ):
            return []
        section, turn = _Slots("Auction", 1), first
        for index, call in enumerate(calls):
            event, seat = Event("call", index), callers.get(index) or turn
            while turn and turn is not seat:
                section.slots.append("^S")
                turn = turn.left
            words = ["^I"] if (event, INSUFFICIENT) in self.marked else []
            words.append(CALL_WORD[call])
            section.add(words, self.remarks.get(event), self._after("bidding", index))
            turn = seat and seat.left
        section.slots += ["+"] if OPEN_AUCTION in self.texts else []
        return section.lines(first, self._after("bidding"))

    def _play(self) -> list[str]:
        """The lines of the play, in columns; empty if the players of the cards are unknown."""
        deal, cards, rows = self.deal, self.deal.cards or (), self._columns()
        declarer = deal.declaration.declarer if deal.declaration else None
        first = deal.columns or (rows[0].leader if rows else declarer and declarer.left)
        if deal.cards is None or rows is None or first is None:
            return []
        section = _Slots("Play", 7)
        for number, row in enumerate(rows):
            for seat in map(first.after, range(4)):
                index = row.cards.get(seat)
                event, card = Event("card", -1 if index is None else index), cards[index or 0]
                marks = [(LED, "^L"), (REVOKED, "^R")]
                words = [mark for name, mark in marks if (event, name) in self.marked]
                if row.out_of_turn and seat is row.leader:
                    words.insert(0, "^L")
                words.append(_CODES[UNKNOWN_CARD if index is None else card])
                place = "" if index is None else index - deal.trick_starts[number]
                after = self._after("play", number, place)
                section.add(words, self.remarks.get(event), after)
        whole = len(rows) == MOST_TRICKS and UNKNOWN_CARD not in cards
        whole = whole and all(len(row.cards) == len(SEATS) for row in rows)
        end = [] if whole else ["+" if OPEN_PLAY in self.texts else "*"]
        return section.lines(first, self._after("play"), end)

    def _columns(self) -> list[_Row] | None:
        """The tricks by player; `None` if a player is unknown or plays twice to a trick."""
        deal, cards, rows = self.deal, self.deal.cards or (), list[_Row]()
        owner = {int(card): seat for seat in SEATS for card in held(deal, seat)}
        leaders, named = dict(deal.leaders), dict(deal.players_named)
        declaration = deal.declaration
        denomination = declaration.denomination if declaration else None
        expected = declaration.declarer.left if declaration and declaration.declarer else None
        for number, (start, end) in enumerate(pairwise((*deal.trick_starts, len(cards)))):
            leader = leaders.get(number)
            turn = deal.columns or leader or named.get(start) or expected
            turn = turn or (owner.get(cards[start]) if start < end else None)
            if turn is None or end - start > len(SEATS):
                return None
            first, seats = leader or turn, dict[Seat, int]()
            for index in range(start, end):
                seat = named.get(index) or turn
                if seat in seats:
                    return None
                seats[seat], turn = index, seat.left
            wrong = bool(leader and expected and leader is not expected)
            marked = any((Event("card", n), LED) in self.marked for n in range(start, end))
            rows.append(_Row(first, seats, wrong and not marked))
            begun, expected = leader or expected, None
            if begun and denomination in PBN_DENOMINATION and len(seats) == len(SEATS):
                trick = [cards[seats[begun.after(n)]] for n in range(len(SEATS))]
                if UNKNOWN_CARD not in trick:
                    expected = begun.after(winner_of(trick, denomination))
        return rows


class _Row(NamedTuple):
    """A trick: its leader (or the seat of the first column) and the index of each player's card.

    `out_of_turn` means that the deal names a leader who had not won the trick before.
    """

    leader: Seat
    cards: Mapping[Seat, int]
    out_of_turn: bool


class _Slots:
    """The slots of a section, written four to a line, and the notes that they refer to."""

    def __init__(self, tag: str, first_glyph: int) -> None:
        self.tag, self.first_glyph = tag, first_glyph
        self.slots, self.notes = list[str](), dict[str, int]()

    def add(self, words: list[str], remark: Remark | None, after: Sequence[str]) -> None:
        """Add a call or card, with its marks, note, glyphs and comments, as a slot."""
        if remark and remark.note:
            words.append(f"={self.notes.setdefault(remark.note, len(self.notes) + 1)}=")
        if remark and remark.mark in SUFFIXES:
            words.append(f"${self.first_glyph + SUFFIXES.index(remark.mark)}")
        self.slots.append(" ".join([*words, *after]))

    def lines(
        self, seat: Seat | None, comments: Sequence[str], end: Sequence[str] = ()
    ) -> list[str]:
        """The lines of the section: tag, comments, rows of four slots, end mark and notes."""
        rows = [" ".join(self.slots[i : i + 4]) for i in range(0, len(self.slots), 4)]
        notes = [f"[Note {quoted(f'{number}:{text}')}]" for text, number in self.notes.items()]
        return [f'[{self.tag} "{seat.value if seat else "?"}"]', *comments, *rows, *end, *notes]
