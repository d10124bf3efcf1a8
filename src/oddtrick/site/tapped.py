"""A record as the table to tap on "Check a hand" shows it, read by Python in the reader's browser.

The text stays the truth. It is cut into parts of whole lines; what the table sets is a part, which
its script writes anew and puts in the place of the old one, so that nothing else of the text is
touched. A part of which the table cannot show all is locked, and it is said why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from oddtrick.cards import PACK, SEATS, Side
from oddtrick.judge.answers import RecordJson
from oddtrick.judge.words import number_words
from oddtrick.record.documents import (
    Document,
    call_words,
    claim_words,
    honours_words,
    incident_words,
    lines_of,
    records,
    result_words,
)
from oddtrick.record.hand.read import BOUNDARIES, statements
from oddtrick.record.hand.words import OPENING
from oddtrick.record.hand.write import bid_words, marked
from oddtrick.record.model import (
    Call,
    Declaration,
    Place,
    Played,
    Record,
    SideFigures,
    TableClaim,
    Trick,
)
from oddtrick.report.check import by_words, call_sign, side_words
from oddtrick.site.check import contract
from oddtrick.site.markup import item_id

Part = tuple[str, str]
"""What the table calls a part of a text (`""`: it sets nothing in it), and its lines."""

SECTIONS = ("hands", "bidding", "play")
LINES = {
    **{word: word for word in ("dealer", "declaration", "result", "score", "irregularity")},
    "honours": "honours",
    "honors": "honours",
}
"""The parts that are a line each, by the word that begins it; `standing` has one for each kind."""

DEALT = len(PACK) // len(SEATS)
"""The cards of a whole hand; one of fewer is written with `...`."""

FIRST = re.compile(r"[\s,]*([^\W\d_]\w*(?:['-]\w+)*)(?:[\s,]+(\w+))?")
DOUBLED = {0: "", 1: "doubled", 2: "redoubled", None: "doubling unknown"}


# --- the text in parts ----------------------------------------------------------------------------


def parts_of(text: str, record: Record | None) -> list[Part]:
    """The text cut into parts around the deal of `record`; joined by line ends they are the text.

    The line that begins it is its `deal`, what follows it is `after`; without a deal, what is there
    stands before one.
    """
    lines = text.split("\n")
    first = record.place.line - 1 if record else len(lines)
    named: list[str] = [
        _word(line)[0] if _word(line)[0] == "code" else "" for line in lines[:first]
    ]
    named += _named(lines[first:])
    if not record and not lines[-1].strip():
        named[-1] = "after"
    codes = [n for n, name in enumerate(named) if name == "code"]
    for n in codes[:-1]:
        named[n] = ""  # a code of its own goes before the one above
    made: list[Part] = []
    for name, line in zip(named, lines, strict=True):
        if made and made[-1][0] == name and (name not in LINES.values()):
            made[-1] = (name, f"{made[-1][1]}\n{line}")
        else:
            made.append((name, line))
    return made


def with_deal_begun(text: str, place: Place) -> str:
    """The text with a line that begins its only deal, which stands at `place`, where none does."""
    if any(piece.word in ("deal", "board") for piece in statements(text)):
        return text
    lines = lines_of(text)
    return "\n".join((*lines[: place.line - 1], "deal 1", *lines[place.line - 1 :]))


def _word(line: str) -> tuple[str, str]:
    """The first two words of a line, in small letters."""
    found = FIRST.match(line) if line.strip()[:1] != "#" else None
    return (found[1].lower(), (found[2] or "").lower()) if found else ("", "")


def _named(lines: Sequence[str]) -> Iterator[str]:
    """The part that each line belongs to, from the first line of a deal to the end of the file."""
    section, over, waiting = "", False, 0
    for number, line in enumerate(lines):
        word, second = _word(line)
        if not line.strip() or line.strip()[0] == "#":
            waiting += 1
            continue
        told = word == "irregularity" and section in ("bidding", "play")
        opens = word in OPENING and not told
        within = section if section and not opens else ""
        yield from [within] * waiting
        waiting = 0
        over = over or (number > 0 and word in BOUNDARIES)
        if opens:
            section = word if word in SECTIONS and not over else ""
        if over:
            yield "after"
        else:
            yield within or section or ("deal" if number == 0 else _line(word, second))
    yield from [""] * waiting


def _line(word: str, second: str) -> str:
    if word == "standing":
        return f"standing {second}" if second in ("games", "trick") else ""
    return "code" if word == "code" else LINES.get(word, "")


# --- what the table shows -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seats:
    """Who made each call and played each card, by their ids (`item_id`)."""

    calls: Mapping[str, str]
    cards: Mapping[str, str]


def shown(
    document: Document, text: str, wanted: int, answer: RecordJson | None
) -> dict[str, object]:
    """A deal of a text as the table needs it, and the parts of the text around it.

    `deals` names those that can be read, `deal` is the place of the one shown, `locked` has for
    each part that the table may not set the reason, `other` the words of what stands only in the
    text, `now` what the answer says of the table as it stands.
    """
    listed = list(records(document))
    record = listed[wanted] if listed else None
    made = {"parts": parts_of(text, record), "deals": [r.id for r in listed], "deal": wanted}
    if record is None:
        return made | {"locked": {}, "other": []}
    seats = _seats(record, answer)
    return made | {
        "code": record.code.value if record.code else "",
        "said": dict(_said(record)),
        "hands": {s.value: [c.code for c in h.cards] for s, h in record.hands},
        "from": f" from {record.bidding_from.value.word}" if record.bidding_from else "",
        "calls": [_call(call, seats) for call in record.bidding or ()],
        "tricks": list(_rows(record, seats)),
        "locked": dict(_locked(record, parts_of(text, record))),
        "other": list(_others(record)),
        "now": _now(answer) if answer and answer["code"] else {},
    }


def _said(record: Record) -> Iterator[tuple[str, object]]:
    """The statements of a line each, as the fields of the table have them."""
    if record.dealer:
        yield "dealer", record.dealer.value.word
    for name, figures in (
        ("standing games", record.standing_games),
        ("standing trick", record.standing_trick),
    ):
        if figures:
            yield name, figures_words(figures)
    if record.declaration:
        yield "declaration", _declared(record.declaration)
    if record.result:
        yield "result", result_words(record.result)
    if record.honours:
        yield "honours", honours_words(record.honours[0])
    for side in Side:
        for column in ("trick", "honour"):
            claims = [c for c in record.scores if c.side is side and c.column == column]
            if claims:
                points = " ".join(str(p) for c in claims for p in c.points)
                yield f"score {side.word} {column}", points


def figures_words(figures: SideFigures) -> str:
    """What the sides have, as a record writes it: `north-south 1 east-west 0`."""
    of = ((side, figures.of(side)) for side in Side)
    return " ".join(f"{side.word} {number}" for side, number in of if number is not None)


def _declared(said: Declaration) -> dict[str, object]:
    return {
        "out": said.passed_out,
        "number": str(said.odd_tricks or ""),
        "denomination": said.denomination or "",
        "doubled": DOUBLED.get(said.doubled, f"doubled {said.doubled} times"),
        "by": said.declarer.word if said.declarer else "",
        "bridged": said.bridged,
    }


def _call(call: Call, seats: Seats) -> dict[str, object]:
    return {
        "kind": call.kind,
        "bid": bid_words(call.odd_tricks, call.denomination) if call.kind == "bid" else "",
        "seat": seats.calls.get(item_id(call.id), ""),
        "words": call_words(call),
        "cell": call_sign(call.kind, call.odd_tricks, call.denomination, call.corrects)
        + (call.mark or ""),
        "below": [incident_words(i) for i in call.incidents],
    }


def _rows(record: Record, seats: Seats) -> Iterator[dict[str, object]]:
    """The tricks, with the claims and `...` between them as lines."""
    claims = list(record.table_claims)
    for number, trick in enumerate((*(record.play or ()), None)):
        while claims and (trick is None or claims[0].after_trick <= number):
            yield {"line": "\n  ".join(_claim(claims.pop(0)))}
        if trick:
            yield _trick(trick, seats)
    if record.more_play:
        yield {"line": "..."}


def _claim(claim: TableClaim) -> list[str]:
    return [claim_words(claim), *map(incident_words, claim.incidents)]


def _trick(trick: Trick, seats: Seats) -> dict[str, object]:
    return {
        "leader": trick.leader.word if trick.leader else "",
        "cards": [_played(played, seats) for played in trick.cards],
    }


def _played(played: Played, seats: Seats) -> dict[str, object]:
    return {
        "card": played.card.code if played.card else "",
        "seat": seats.cards.get(item_id(played.id), ""),
        "by": played.seat.word if played.seat else "",
        "words": marked(str(played.card or "-"), played.mark, played.note),
        "below": [incident_words(i) for i in played.incidents],
    }


def _seats(record: Record, answer: RecordJson | None) -> Seats:
    """The seats as the judge followed them; without a code, round the table from the dealer."""
    auction, play = (answer["auction"], answer["play"]) if answer else (None, None)
    if auction and not auction["relative"]:
        calls: dict[str, str] = {}
        for made in auction["calls"]:
            calls.setdefault(item_id(made["item"]), made["seat"])
    else:
        calls = dict(_round(record))
    followed = (c for t in play["tricks"] for c in t["cards"]) if play else ()
    cards = {item_id(c["item"]): c["seat"] for c in followed if c["seat"]}
    held = {card: seat.value for seat, hand in record.hands for card in hand.cards}
    for played in (p for t in record.play or () for p in t.cards):
        if played.card in held:
            cards.setdefault(item_id(played.id), held[played.card])
    return Seats(calls, cards)


def _round(record: Record) -> Iterator[tuple[str, str]]:
    first = record.bidding_from or record.dealer
    seat = first.value if first else None
    for call in record.bidding or ():
        seat = call.seat or seat
        if seat:
            yield item_id(call.id), seat.value
            seat = seat.left


# --- what the table cannot show -------------------------------------------------------------------


def _locked(record: Record, parts: Iterable[Part]) -> Iterator[tuple[str, str]]:
    """The parts that the table may not write anew, for it would lose something, with what."""
    listed = list(parts)
    if any(hand.small or (hand.partial and len(hand.cards) >= DEALT) for _, hand in record.hands):
        yield "hands", "a hand has cards that are not named, or a void that is stated"
    if any(trick.columns_from for trick in record.play or ()):
        yield "play", "it stands in columns"
    if record.declaration and not (
        record.declaration.passed_out or record.declaration.denomination
    ):
        yield "declaration", "it names no denomination"
    if len(record.honours) > 1:
        yield "honours", "both sides have some"
    if any(claim.column == "gain" for claim in record.scores):
        yield "score", "it has the gain of a match"
    start = 1
    held = {hand.place.line for _, hand in record.hands}
    told = {c.place.line for c in record.comments}
    deals = {i.place.line for i in record.incidents}
    for name, lines in listed:
        own = range(start, start + lines.count("\n") + 1)
        start = own.stop
        held -= set(own) if name == "hands" else set()
        if name and name != "irregularity" and told.intersection(own):
            yield name, "a comment stands in it"
        elif name in SECTIONS and deals.intersection(own):
            yield name, "an irregularity of the whole deal stands in it"
    if held:
        yield "hands", "a hand stands by itself"


def _others(record: Record) -> Iterator[str]:
    """The words of what is stated for the deal and stands in the text alone."""
    fields = ("vulnerable", "standing_honour", "tray", "table", "playing", "chicane", "game")
    yield from (name.replace("_", " ") for name in fields if getattr(record, name))
    yield from (name for name in ("options", "players", "sides") if getattr(record, name))
    yield from dict.fromkeys(name for name, _ in record.tags)
    if record.comments:
        yield number_words(len(record.comments), "comment")
    if record.incidents:
        words = number_words(len(record.incidents), "irregularity", "irregularities")
        yield f"{words} of the whole deal"


# --- how the table stands -------------------------------------------------------------------------


def _now(answer: RecordJson) -> dict[str, object]:
    """Who calls or plays next, what the auction came to, who won each trick, the tricks won, and
    the honours that are counted from the cards.
    """
    final, winners = answer["declaration"], [w or "" for w in answer["winners"]]
    said = "All four pass" if answer["passed_out"] else ""
    if final:
        said = f"{contract(final)[0]}{by_words(final)}"
    return {
        "calls": answer["next_to_call"] or "",
        "final": said,
        "plays": answer["next_to_play"] or "",
        "winners": winners,
        "won": {side.value: sum(w in side.value for w in winners if w) for side in Side},
        "honours": [
            f"{side_words(e['side'])}: {e['reason']}"
            for e in (answer["score"]["entries"] if answer["score"] else ())
            if e["item"] in ("honours", "chicane")
        ],
    }
