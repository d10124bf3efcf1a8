"""A record as the card table on "Check a hand" shows it, read by Python in the reader's browser.

The text is split into parts that consist of complete lines. When a tap changes a part, `table`
replaces it and no other line. A part that the table cannot show in full is locked, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from oddtrick.cards import PACK, SEATS, Side
from oddtrick.judge.answers import RecordJson
from oddtrick.judge.events import Claim, Events, events_of
from oddtrick.record.deal import Deal, Declaration, Item, Place, deals_in, item_of
from oddtrick.record.hand.read import BOUNDARIES, Document, lines_of, statements
from oddtrick.record.hand.words import OPENING
from oddtrick.record.hand.write import (
    bid_words,
    call_words,
    claim_words,
    figures_words,
    honours_words,
    incident_words,
    marked,
    result_words,
)
from oddtrick.report.check import by_words, call_sign, side_words
from oddtrick.report.words import number_words
from oddtrick.site.check import contract
from oddtrick.site.markup import item_id

Part = tuple[str, str]
"""A part of a text: its name (empty if the table never changes it), and its lines."""

SECTIONS = ("hands", "bidding", "play")
LINES = {
    **{word: word for word in ("dealer", "declaration", "result", "score", "irregularity")},
    "honours": "honours",
    "honors": "honours",
}
"""Parts of a single line, by the word that begins it; `standing` has one part for each kind."""

DEALT = len(PACK) // len(SEATS)
"""The number of cards in a full hand; a shorter hand is written with `...`."""

FIRST = re.compile(r"[\s,]*([^\W\d_]\w*(?:['-]\w+)*)(?:[\s,]+(\w+))?")
DOUBLED = {0: "", 1: "doubled", 2: "redoubled", None: "doubling unknown"}


# --- the text in parts ----------------------------------------------------------------------------


def parts_of(text: str, deal: Deal | None) -> list[Part]:
    """The text split into parts around a deal; joined with line feeds, they give the text again.

    The line that begins the deal is the part `deal`; the text after the deal is the part `after`.
    Without a deal, all text counts as preceding one, except that an empty last line is `after`.
    """
    lines = text.split("\n")
    first = deal.place.line - 1 if deal else len(lines)
    named: list[str] = [
        _word(line)[0] if _word(line)[0] == "code" else "" for line in lines[:first]
    ]
    named += _named(lines[first:])
    if not deal and not lines[-1].strip():
        named[-1] = "after"
    codes = [n for n, name in enumerate(named) if name == "code"]
    for n in codes[:-1]:
        named[n] = ""  # the last code up to the end of the deal takes precedence
    made: list[Part] = []
    for name, line in zip(named, lines, strict=True):
        if made and made[-1][0] == name and (name not in LINES.values()):
            made[-1] = (name, f"{made[-1][1]}\n{line}")
        else:
            made.append((name, line))
    return made


def with_deal_begun(text: str, place: Place) -> str:
    """The text with a line `deal 1` inserted at `place`, unless it has such a line already."""
    if any(piece.word in ("deal", "board") for piece in statements(text)):
        return text
    lines = lines_of(text)
    return "\n".join((*lines[: place.line - 1], "deal 1", *lines[place.line - 1 :]))


def _word(line: str) -> tuple[str, str]:
    """The first two words of a line in lower case; empty strings for a comment."""
    found = FIRST.match(line) if line.strip()[:1] != "#" else None
    return (found[1].lower(), (found[2] or "").lower()) if found else ("", "")


def _named(lines: Sequence[str]) -> Iterator[str]:
    """The name of the part to which each line belongs; `lines` begin with the first of a deal."""
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


Seats = Mapping[str, str]
"""The seat of the player who made a call or played a card, by its id (`item_id`)."""


def shown(
    document: Document, text: str, wanted: int, answer: RecordJson | None
) -> dict[str, object]:
    """A deal as the table needs it, with the parts of the text.

    `deals` has the ids of all deals that can be read, and `deal` is the index of the one shown.
    `locked` maps each part that the table must not change to the reason. `other` lists what is
    stated in the text and not shown on the table. `now` is the current state according to the
    answer of the judge.
    """
    listed = list(deals_in(document.items))
    deal = listed[wanted] if listed else None
    parts = parts_of(text, deal)
    made: dict[str, object] = {
        "parts": parts,
        "deals": [d.id for d in listed],
        "deal": wanted,
        "code": "",
        "said": {},
        "hands": {s.value: list[str]() for s in SEATS},
        "from": "",
        "calls": [],
        "tricks": [],
        "locked": {},
        "other": [],
        "now": {},
    }
    if deal is None:
        return made
    events = events_of(deal)
    callers, players = _seats(events, answer)
    held = {s.value: [c.code for c in h.cards] for s, h in events.hands}
    return made | {
        "code": deal.code or "",
        "said": dict(_said(deal)),
        "hands": {s.value: held.get(s.value, []) for s in SEATS},
        "from": f" from {deal.first_caller.word}" if deal.first_caller else "",
        "calls": list(_calls(events, callers)),
        "tricks": list(_rows(events, players)),
        "locked": dict(_locked(events, parts)),
        "other": list(_others(events)),
        "now": _now(answer) if answer and answer["code"] else {},
    }


def _said(deal: Deal) -> Iterator[tuple[str, object]]:
    """The statements that fill one line, as the fields of the table show them: name and value."""
    if deal.dealer:
        yield "dealer", deal.dealer.word
    for name, figures in (
        ("standing games", deal.standing_games),
        ("standing trick", deal.standing_trick),
    ):
        if figures:
            yield name, figures_words(figures)
    if deal.declaration:
        yield "declaration", _declared(deal.declaration)
    if deal.result:
        yield "result", result_words(deal.result)
    if deal.honours:
        yield "honours", honours_words(deal.honours[0])
    for side in Side:
        for column in ("trick", "honour"):
            claims = [c for c in deal.scores if c.side is side and c.column == column]
            if claims:
                points = " ".join(str(p) for c in claims for p in c.points)
                yield f"score {side.word} {column}", points


def _declared(said: Declaration) -> dict[str, object]:
    return {
        "out": said.passed_out,
        "number": str(said.odd_tricks or ""),
        "denomination": said.denomination or "",
        "doubled": DOUBLED.get(said.doubled, f"doubled {said.doubled} times"),
        "by": said.declarer.word if said.declarer else "",
        "bridged": said.bridged,
    }


def _calls(events: Events, seats: Seats) -> Iterator[dict[str, object]]:
    remarks = _remarks(events.deal)
    for packed, call in zip(events.deal.calls or (), events.calls or (), strict=True):
        mark, note = remarks.get(call.item, (None, None))
        yield {
            "kind": call.kind,
            "bid": bid_words(call.odd_tricks, call.denomination) if call.kind == "bid" else "",
            "seat": seats.get(item_id(call.item), ""),
            "words": marked(call_words(packed, call.seat, call.corrects), mark, note),
            "cell": call_sign(call.kind, call.odd_tricks, call.denomination, call.corrects)
            + (mark or ""),
            "below": [incident_words(i) for i in call.incidents],
        }


def _remarks(deal: Deal) -> Mapping[Item, tuple[str | None, str | None]]:
    """The mark and the remark on calls and cards, by item."""
    return {item_of(deal, r.event): (r.mark, r.note) for r in deal.remarks}


def _rows(events: Events, seats: Seats) -> Iterator[dict[str, object]]:
    """The tricks, with claims and `...` between them as entries with a `line`."""
    claims, remarks = list(events.claims), _remarks(events.deal)
    for number, trick in enumerate((*(events.tricks or ()), None)):
        while claims and (trick is None or claims[0].stated.after_trick <= number):
            yield {"line": "\n  ".join(_claim(claims.pop(0)))}
        if trick:
            cards = [
                {
                    "card": played.card.code if played.card else "",
                    "seat": seats.get(item_id(played.item), ""),
                    "by": played.seat.word if played.seat else "",
                    "words": marked(
                        str(played.card or "-"), *remarks.get(played.item, (None, None))
                    ),
                    "below": [incident_words(i) for i in played.incidents],
                }
                for played in trick.cards
            ]
            yield {"leader": trick.leader.word if trick.leader else "", "cards": cards}
    if events.deal.more_play:
        yield {"line": "..."}


def _claim(claim: Claim) -> list[str]:
    return [claim_words(claim.stated), *map(incident_words, claim.incidents)]


def _seats(events: Events, answer: RecordJson | None) -> tuple[Seats, Seats]:
    """The players of the calls and of the cards, as the judge followed them.

    If the judge did not follow the auction, the calls go round the table from the dealer.
    """
    auction, play = (answer["auction"], answer["play"]) if answer else (None, None)
    if auction and not auction["relative"]:
        calls: dict[str, str] = {}
        for made in auction["calls"]:
            calls.setdefault(item_id(made["item"]), made["seat"])
    else:
        calls = dict(_round(events))
    followed = (c for t in play["tricks"] for c in t["cards"]) if play else ()
    cards = {item_id(c["item"]): c["seat"] for c in followed if c["seat"]}
    held = {card: seat.value for seat, hand in events.hands for card in hand.cards}
    for played in (p for t in events.tricks or () for p in t.cards):
        if played.card in held:
            cards.setdefault(item_id(played.item), held[played.card])
    return calls, cards


def _round(events: Events) -> Iterator[tuple[str, str]]:
    seat = events.deal.first_caller or events.deal.dealer
    for call in events.calls or ():
        seat = call.seat or seat
        if seat:
            yield item_id(call.item), seat.value
            seat = seat.left


# --- what the table cannot show -------------------------------------------------------------------


def _locked(events: Events, parts: Iterable[Part]) -> Iterator[tuple[str, str]]:
    """The parts that the table must not rewrite because something would be lost: part, reason."""
    deal = events.deal
    listed = list(parts)
    if any(hand.small or (hand.partial and len(hand.cards) >= DEALT) for _, hand in events.hands):
        yield "hands", "a hand has cards that are not named, or a void that is stated"
    if deal.columns and events.tricks:
        yield "play", "it is written in columns"
    if deal.declaration and not (deal.declaration.passed_out or deal.declaration.denomination):
        yield "declaration", "it names no denomination"
    if len(deal.honours) > 1:
        yield "honours", "both sides have some"
    if any(claim.column == "gain" for claim in deal.scores):
        yield "score", "it has the gain of a match"
    start = 1
    held = {deal.source.place(span).line for span in deal.hand_spans if span}
    comments = {deal.source.place(comment.span).line for comment in deal.comments}
    irregular = {deal.source.place(incident.span).line for incident in events.incidents}
    for name, lines in listed:
        own = range(start, start + lines.count("\n") + 1)
        start = own.stop
        held -= set(own) if name == "hands" else set()
        if name and name != "irregularity" and comments.intersection(own):
            yield name, "it contains a comment"
        elif name in SECTIONS and irregular.intersection(own):
            yield name, "it contains an irregularity of the whole deal"
    if held:
        yield "hands", "a hand is written on its own"


def _others(events: Events) -> Iterator[str]:
    """Names of the statements on the deal that the table does not show."""
    deal = events.deal
    fields = ("vulnerable", "standing_honour", "tray", "table", "playing", "chicane", "game")
    stated = ((name, getattr(deal, name)) for name in fields)
    yield from (name.replace("_", " ") for name, value in stated if value not in (None, ()))
    yield from (name for name in ("options", "players", "sides") if getattr(deal, name))
    yield from dict.fromkeys(name for name, _ in deal.tags)
    if deal.comments:
        yield number_words(len(deal.comments), "comment")
    if events.incidents:
        words = number_words(len(events.incidents), "irregularity", "irregularities")
        yield f"{words} of the whole deal"


# --- how the table stands -------------------------------------------------------------------------


def _now(answer: RecordJson) -> dict[str, object]:
    """The current state: who calls or plays next, the final declaration, the winner of each trick,
    the tricks won by each side, and the honours and chicane scored.
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
