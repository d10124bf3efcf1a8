"""Writes Portable Bridge Notation 2.1, in export format as far as the deal allows.

The standard tags and sections express what they can, for any program. Facts that they cannot
express exactly follow as `.hand` statements after the tag `OddtrickHand`. Our reader lets these
override PBN: the bidding and the play each as a unit, everything else by statement.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from oddtrick.cards import PACK, SEATS, Seat, card_in
from oddtrick.record.deal import (
    ALL_PASS,
    NOWHERE,
    UNKNOWN_CARD,
    UNRECORDED,
    Deal,
    Declaration,
    Event,
    Group,
    Incident,
    Item,
    Remark,
    Source,
    cards_of,
    deals_in,
    held,
    kind_of,
)
from oddtrick.record.hand.write import declaration_words, write_hand
from oddtrick.record.margin import shown
from oddtrick.record.pbn.fields import (
    CALL_WORD,
    CONTROL,
    MOST_TRICKS,
    PBN_DENOMINATION,
    STATED,
    board_of,
    deal_text,
    first_bidder,
    is_name,
    is_over,
    is_sayable,
    quoted,
    winner_of,
)
from oddtrick.record.pbn.games import MANDATORY, canonical
from oddtrick.record.pbn.reader import BIDDING, HAND, PLAY, TAG_NAMES
from oddtrick.record.pbn.sections import (
    INSUFFICIENT,
    LED,
    OPEN_AUCTION,
    OPEN_PLAY,
    REVOKED,
    SKIPPED,
    SUFFIXES,
)

HEADER = ("% PBN 2.1", "% EXPORT", "%Content-type: text/x-pbn; charset=UTF-8")
END = "\r\n"
"""The end of a line in export format."""

PLAIN = frozenset(("Event", "Site", "Date", "Board", "Scoring"))
"""Mandatory tags that a deal keeps among its `tags`, not in fields."""
ONLY_OURS = (
    "code options standing_games standing_trick standing_honour tray playing honours chicane game"
).split()
"""The fields of a deal that are never written as PBN tags."""
HANDS = ("hands", "hand_spans", "hand_details")
_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_SECTION = re.compile(r'\[([A-Za-z_]\w*) "(?:[^"\\]|\\.)*"\](?=\n|$)')
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PBN_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_FIELD_TAGS = frozenset(
    (*MANDATORY, "Table", "PairNS", "PairEW", "ScoreRubber", "Auction", "Play", "Note", HAND)
)
_UNNAMED = re.compile(r"record \d+")
_GLYPH = re.compile(r"\$\d{1,3}")
_PBN_NAMES = {ours: name for name, ours in TAG_NAMES.items()}


def write_pbn(items: Iterable[Deal | Group]) -> Iterator[str]:
    """Yield the text of a PBN file: a header, then each deal, with CRLF as in the export format.

    PBN has no rubbers or matches, so their deals follow one another.
    """
    yield "".join(line + END for line in HEADER)
    for number, deal in enumerate(deals_in(items)):
        text = "\n".join(_Game(deal).lines) + "\n"
        yield (END if number else "") + text.replace("\n", END)


def lost(deal: Deal) -> tuple[str, ...]:
    """Descriptions, for the user, of what is lost if a deal is written to PBN and read back.

    The irregularities that no mark expresses come last; they are lost on other programs.
    """
    out, game = [], _Game(deal)
    if game.moved:
        what = "a comment, which is" if game.moved == 1 else f"{game.moved} comments, which are"
        out.append(f"the position of {what} written before the deal")
    if game.lost_braces:
        out.append("closing braces inside a comment, which become parentheses")
    if unmarked := dict.fromkeys(i.name for i in deal.incidents if i not in game.marked):
        out.append(f"{', '.join(map(shown, unmarked))}, which only {HAND} states")
    return (*out, *(f"{shown(t)} except as a note" for t, _ in deal.unused if not _is_writable(t)))


def _is_writable(text: str) -> bool:
    """Whether a kept text can be written in PBN: an escaped line, a section, or a `+`."""
    section = _SECTION.match(text)
    if section:
        return ("\n" in text or section[1].endswith("Table")) and section[1] != HAND
    return text.startswith("%") or text in (OPEN_AUCTION, OPEN_PLAY)


class _Game:
    """One deal as the lines of a PBN game, with `.hand` statements for what PBN cannot express.

    `unsaid` holds the fields that PBN does not express exactly, for the `.hand` statements. These
    are safe inside PBN: free text in them is in quotation marks, and no line begins with a PBN
    mark. `comments` holds the comments not yet written, by anchor. `moved` counts those that PBN
    cannot place. `marked` holds the irregularities that a section marks, `declared` the declaration
    that the tags express, and `leader` the seat that the tag `Play` names.
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.texts = [text for text, _ in deal.unused]
        self.marked = list[Incident]()
        self.remarks = {remark.event: remark for remark in deal.remarks}
        self.lost_braces = False
        self.leader: Seat | None = None
        self.comments: dict[Item, list[str]] = {}
        for comment in deal.comments:
            self.comments.setdefault(self._home(comment.anchor), []).append(comment.text)
        self.tags, self.supplemental = dict.fromkeys(MANDATORY, "?"), dict[str, str]()
        self.unsaid = {name: getattr(deal, name) for name in ONLY_OURS}
        self.unsaid["incidents"] = [i for i in deal.incidents if i.event is None]
        self._state()
        self.lines = self._lines()

    def _lines(self) -> list[str]:
        """All lines in the order of the standard; comments without a place come first."""
        tags = list[str]()
        play, tables = self._play(), dict[str, list[str]]()
        body = [*self._auction(), *play]
        statements = self._statements()
        for text in filter(_is_writable, self.texts):
            if found := _SECTION.match(text):
                tables.setdefault(found[1], text.split("\n"))
        for name, value in (*self.tags.items(), *sorted(self.supplemental.items())):
            tags.append(f"[{name} {quoted(value)}]")
        for _, lines in sorted(tables.items()):
            body += lines
        if statements:
            body += [f'[{HAND} ""]', *statements]
        escaped = [text for text in self.texts if text.startswith("%")]
        of_deal = [text for texts in self.comments.values() for text in texts]
        self.moved = len(of_deal) - sum(c.anchor == ("deal",) for c in self.deal.comments)
        return [*escaped, *map(self._comment, of_deal), *tags, *body]

    # --- comments ---------------------------------------------------------------------------------

    def _home(self, anchor: Item) -> Item:
        """The anchor in PBN for a comment: a call, a card, or the deal."""
        deal, (kind, *rest) = self.deal, anchor
        if kind == "play" and rest and rest[1:2] in ([], ["irregularity"]):
            number, ends = int(rest[0]), (*deal.trick_starts[1:], len(deal.cards or ()))
            if number < len(deal.trick_starts):
                return ("play", number, ends[number] - deal.trick_starts[number] - 1)
        if kind in ("bidding", "play"):
            return anchor[: 2 if kind == "bidding" else 3]
        return ("deal",)

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

    def _marks_after(self, *anchor: str | int) -> tuple[list[int], list[str]]:
        """The glyphs and the comments to write after a call or a card."""
        texts = self.comments.pop(anchor, ())
        glyphs = [int(text[1:]) for text in texts if _GLYPH.fullmatch(text)]
        return glyphs, [self._comment(t, row=True) for t in texts if not _GLYPH.fullmatch(t)]

    # --- tags -------------------------------------------------------------------------------------

    def _state(self) -> None:
        """Set the mandatory and supplemental tags, and note what they do not express."""
        deal, tags, more, unsaid = self.deal, self.tags, self.supplemental, self.unsaid
        unsaid["unused"] = tuple(one for one in deal.unused if not _is_writable(one[0]))
        unsaid["tags"] = tuple(tag for tag in deal.tags if not self._is_own_tag(*tag))
        if tags["Board"] == "?":
            tags["Board"] = board_of(deal.id) or "?"
        tags |= {seat.title: name for seat, name in deal.players if is_name(name)}
        unsaid["players"] = tuple(p for p in deal.players if not is_name(p[1]))
        more |= {f"Pair{side.value}": name for side, name in deal.sides if is_name(name)}
        unsaid["sides"] = tuple(p for p in deal.sides if not is_name(p[1]))
        stated = deal.declaration or Declaration()
        declarer = None if stated.passed_out else stated.declarer
        if stated.passed_out:
            tags |= {"Declarer": "", "Result": ""}
        elif declarer:
            tags["Declarer"] = declarer.value
        by_tags: dict[str, Any] = {
            "declaration": Declaration(declarer=declarer) if declarer else None,
            "scores": (),
        }
        for name, tag in STATED.items():
            text = tag.write(deal)
            if text is not None:
                (tags if name in tags else more)[name] = text
                by_tags[tag.field] = tag.read(text, declarer if tag.field != "scores" else None)
            if by_tags.get(tag.field) != getattr(deal, tag.field):
                unsaid[tag.field] = getattr(deal, tag.field)
        self.declared = by_tags["declaration"]
        tags["Deal"] = deal_text(deal) or "?"
        if any(one.partial for one in deal.hand_details):
            unsaid |= {name: getattr(deal, name) for name in HANDS}

    def _is_own_tag(self, name: str, value: str) -> bool:
        """Set a tag of the deal if PBN has it or allows it to be added; returns whether it was."""
        if not is_sayable(value):
            return False
        if name.lower() == "date":
            if _PBN_DATE.fullmatch(value):
                return False
            value = value.replace("-", ".") if _DATE.fullmatch(value) else value
        name = _PBN_NAMES.get(name, name)
        if name in PLAIN:
            is_free = self.tags[name] == "?"
            self.tags[name] = value if is_free else self.tags[name]
            return is_free
        free = _NAME.fullmatch(name) and canonical(name) == name and not name.endswith("Table")
        if not free or name in _FIELD_TAGS or name in self.supplemental:
            return False
        self.supplemental[name] = value
        return True

    # --- statements of `.hand` --------------------------------------------------------------------

    def _leave(self, section: Collection[str], *kinds: str) -> None:
        """Mark a section as unsaid, with the remarks and irregularities of its events."""
        deal, unsaid = self.deal, self.unsaid
        unsaid |= {name: getattr(deal, name) for name in section}
        remarks = (r for r in deal.remarks if r.event.kind in kinds)
        unsaid["remarks"] = (*unsaid.get("remarks", ()), *remarks)
        unsaid["incidents"] += [i for i in deal.incidents if i.event and i.event.kind in kinds]

    def _statements(self) -> list[str]:
        """The `.hand` lines that state what is unsaid."""
        deal, unsaid = self.deal, self.unsaid
        # The statement before an irregularity shows which part of the deal was over.
        over, needs_play = {i.after for i in unsaid["incidents"] if i.event is None}, False
        if "bidding" in over and deal.declaration and declaration_words(deal.declaration):
            unsaid["declaration"] = deal.declaration
        else:
            needs_play = "bidding" in over
        if "play" in over and (deal.result or deal.scores):
            unsaid |= {"result": deal.result, "scores": deal.scores}
        else:
            needs_play = needs_play or "play" in over
        if needs_play and "cards" not in unsaid:
            self._leave(PLAY, "card", "claim")
        unsaid["incidents"] = tuple(unsaid["incidents"])
        text = write_hand([Deal(Source(), NOWHERE, deal.id, **unsaid)])
        first, *others = (line for line in text.split("\n") if line.strip())
        named = deal.id == f"board {self.tags['Board']}" or _UNNAMED.fullmatch(deal.id)
        titled = unsaid["tags"][:1] and unsaid["tags"][0][0] == "title"
        return others if named and not titled else [first, *others]

    # --- auction and play: rows of four slots, with marks, notes and comments ---------------------

    def _is_expressible(self, kind: str) -> bool:
        """Whether PBN expresses all that is said of the calls or cards.

        Its marks of irregularities do not say who noticed one, or what was done about it.
        """
        for event, mark, note in self.deal.remarks:
            is_text = note is None or (note and note == note.strip() and not CONTROL.search(note))
            if event.kind == kind and not (is_text and mark in (None, *SUFFIXES)):
                return False
        return not any(i.event and i.event.kind == kind for i in self.deal.incidents)

    def _accepted(
        self, kind: str, seats: Mapping[int, Seat | None]
    ) -> dict[tuple[str, int], Incident]:
        """The irregularities that an opponent waived, by the index of the offender's call or card.

        `seats` holds the players of the calls or cards. A report concerns the card that it names;
        otherwise, the offender's card in the trick, or his last call, where it is written.
        """
        deal, accepted = self.deal, dict[tuple[str, int], Incident]()
        for one in deal.incidents:
            if one.event is None or one.event.kind != kind or one.waived_by is None:
                continue
            near: Iterable[int] = (one.event.number,)
            if kind == "card" and (card := card_in(one.of or "")):
                near = [n for n, played in enumerate(deal.cards or ()) if played == card]
            elif one.by and kind == "card":
                near = cards_of(deal, bisect_right(deal.trick_starts, one.event.number) - 1)
            elif one.by:
                near = range(one.event.number, -1, -1)
            index = next((n for n in near if one.by in (None, seats.get(n))), -1)
            seat = seats.get(index)
            if seat and seat.side is not one.waived_by.side:
                accepted[one.name, index] = one
        return accepted

    def _mark(
        self, accepted: Mapping[tuple[str, int], Incident], index: int, marks: Mapping[str, str]
    ) -> list[str]:
        """The marks to write before a call or card."""
        found = [name for name in marks if (name, index) in accepted]
        self.marked += [accepted[name, index] for name in found]
        return [marks[name] for name in found]

    def _auction(self) -> list[str]:
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
            self._leave(BIDDING, "call")
            return []
        section, turn, seats, event = _Slots("Auction", 1), first, list[Seat | None](), None
        for index in range(len(calls)):
            seats.append(callers.get(index) or turn)
            turn = seats[-1] and seats[-1].left
        turn, accepted = first, self._accepted("call", dict(enumerate(seats)))
        for index, (call, seat) in enumerate(zip(calls, seats, strict=True)):
            event, skipped = Event("call", index), (SKIPPED.get(kind_of(call), ""), index)
            if turn is not seat and skipped in accepted:
                self.marked.append(accepted[skipped])
            while turn and turn is not seat:
                section.slots.append("^S" if skipped in accepted else "-")
                turn = turn.left
            words = self._mark(accepted, index, {INSUFFICIENT: "^I"})
            words.append(CALL_WORD[call])
            section.add(words, self.remarks.get(event), self._marks_after("bidding", index))
            turn = seat and seat.left
        is_cut = calls[-1:] == (UNRECORDED,)
        is_cut_oddly = is_cut and (is_over(calls[:-1]) or event in self.remarks)
        # Our reader would take such an auction to lack its first passes.
        is_misread = first and first_bidder(calls, first, self.leader, self.declared)
        is_expressible = self._is_expressible("call") and (calls or first)
        if callers or is_cut_oddly or is_misread or not is_expressible:
            self._leave(BIDDING, "call")
        if OPEN_AUCTION in self.texts and not is_over(calls):
            section.slots.append("+")
        return section.lines(first, self._marks_after("bidding")[1])

    def _play(self) -> list[str]:
        deal, cards, rows = self.deal, self.deal.cards or (), self._columns()
        expressible = not (deal.claims or deal.more_play)
        declarer = deal.declaration.declarer if deal.declaration else None
        first = declarer.left if declarer else None
        if rows:
            first = deal.columns or rows[0].leader
        if deal.cards is None or rows is None or first is None:
            if deal.cards is not None or not expressible:
                self._leave(PLAY, "card", "claim")
            return []
        section, self.leader = _Slots("Play", 7), first
        accepted = self._accepted("card", {i: s for row in rows for s, i in row.cards.items()})
        for number, row in enumerate(rows):
            for seat in map(first.after, range(4)):
                index = row.cards.get(seat)
                event = Event("card", -1 if index is None else index)
                may_lead = deal.columns or seat is row.leader
                marks = {LED: "^L", REVOKED: "^R"} if may_lead else {REVOKED: "^R"}
                words = self._mark(accepted, event.number, marks)
                if row.out_of_turn and seat is row.leader:
                    words.insert(0, "^L")
                words.append(CODES[UNKNOWN_CARD if index is None else cards[index]])
                place = "" if index is None else index - deal.trick_starts[number]
                marks_after = self._marks_after("play", number, place)
                section.add(words, self.remarks.get(event), marks_after)
        is_whole = len(cards) % len(SEATS) == 0 and (not cards or any(cards[-len(SEATS) :]))
        is_whole = is_whole and deal.trick_starts == tuple(range(0, len(cards), len(SEATS)))
        is_exact = expressible and is_whole and not (deal.players_named or deal.leaders)
        if not (is_exact and self._is_expressible("card")) or (cards and not deal.columns):
            self._leave(PLAY, "card", "claim")
        whole = len(rows) == MOST_TRICKS and UNKNOWN_CARD not in cards
        whole = whole and all(len(row.cards) == len(SEATS) for row in rows)
        end = "" if whole else "+" if OPEN_PLAY in self.texts else "*"
        return section.lines(first, self._marks_after("play")[1], end)

    def _columns(self) -> list[_Row] | None:
        """The tricks by player; `None` if a player is unknown or plays twice to a trick."""
        deal, cards, rows = self.deal, self.deal.cards or (), list[_Row]()
        owner = {int(card): seat for seat in SEATS for card in held(deal, seat)}
        leaders, named = dict(deal.leaders), dict(deal.players_named)
        led = {incident.event for incident in deal.incidents if incident.name == LED}
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
            reported = any(Event("card", index) in led for index in range(start, end))
            rows.append(_Row(first, seats, wrong and not reported))
            begun, expected = leader or expected, None
            if begun and denomination in PBN_DENOMINATION and len(seats) == len(SEATS):
                trick = [cards[seats[begun.after(n)]] for n in range(len(SEATS))]
                if UNKNOWN_CARD not in trick:
                    expected = begun.after(winner_of(trick, denomination))
        return rows


CODES = {UNKNOWN_CARD: "-"} | {int(card): card.code for card in PACK}


@dataclass(frozen=True, slots=True)
class _Row:
    """A trick: its leader (or the seat of the first column) and the index of each player's card.

    `out_of_turn` means that the deal names a leader who had not won the trick before, and reports
    no irregularity of the lead: the others followed to it.
    """

    leader: Seat
    cards: Mapping[Seat, int]
    out_of_turn: bool


class _Slots:
    """The slots of a section, written four to a line, and the notes that they refer to."""

    def __init__(self, tag: str, first_glyph: int) -> None:
        self.tag, self.first_glyph = tag, first_glyph
        self.slots, self.notes = list[str](), dict[str, int]()

    def add(
        self, words: list[str], remark: Remark | None, after: tuple[list[int], list[str]]
    ) -> None:
        """Add a call or card, with its marks, note, glyphs and comments, as a slot."""
        glyphs, comments = after
        if remark and remark.note:
            words.append(f"={self.notes.setdefault(remark.note, len(self.notes) + 1)}=")
        if remark and remark.mark in SUFFIXES:
            glyphs = [*glyphs, self.first_glyph + SUFFIXES.index(remark.mark)]
        self.slots.append(" ".join([*words, *(f"${g}" for g in sorted(glyphs)), *comments]))

    def lines(self, seat: Seat | None, comments: Sequence[str], end: str = "") -> list[str]:
        """The lines of the section: tag, comments, rows of four slots, end mark and notes."""
        rows = [" ".join(self.slots[i : i + 4]) for i in range(0, len(self.slots), 4)]
        notes = [f"[Note {quoted(f'{number}:{text}')}]" for text, number in self.notes.items()]
        head = [f'[{self.tag} "{seat.value if seat else "?"}"]', *comments]
        return [*head, *rows, *([end] if end else []), *notes]
