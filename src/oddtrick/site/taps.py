"""Taps on the card table of "Check a hand": each rewrites the text of the record.

A tap changes one fact of the deal; the whole record is then written in the canonical form of the
notation, without losing anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from oddtrick.cards import BITS, CARD_OF, PACK, SEAT_OF, SEATS, Seat, bits, card_in
from oddtrick.law.book import book
from oddtrick.record import Deal, Group, deals_in, read_document, write_document
from oddtrick.record.deal import NOWHERE, Event, HandDetail, Header, Incident
from oddtrick.record.deal import call as packed
from oddtrick.record.hand.write import bid_words
from oddtrick.site.check import RANKS
from oddtrick.site.table import (
    BEFORE,
    COLUMNS,
    DEALT,
    SCORES,
    NotShown,
    Table,
    View,
    drawn,
    facts_in,
    read_table,
)

ALL = bits(PACK)
ONE_LINE = ("dealer", "standing games", "standing trick", "result", "honours")
DECLARED = ("number", "denomination", "doubled", "by", "bridged")


class Refused(Exception):
    """Raised if a tap is refused; the message gives the reason."""


def on_table(
    text: str,
    view: Mapping[str, Any] | None = None,
    taps: Iterable[Sequence[Any]] = (),
    code: str | None = None,
    options: Sequence[str] = (),
) -> dict[str, object]:
    """Apply taps (`[kind, value]` each) to a text, and draw the table.

    The answer has the new `text`, the text after each change (`texts`), the `view`, and the table
    as `html`. If a tap is refused, `refused` gives the reason. If the table cannot show the text,
    the answer has only the reason (`error`), and the record `converted` to `.hand` if it is in
    another notation.
    """
    seen = View(**(view or {}))
    texts: list[str] = []
    refused = ""
    try:
        table = read_table(text, seen, code, options)
        for kind, value in taps:
            try:
                if kind in SEEN:
                    see(seen, kind, value)
                elif (made := TAPS[kind](table, value)) is not None:
                    text = made
                    texts.append(text)
            except Refused as error:
                refused = str(error)
                break
            table = read_table(text, seen, code, options)
            if kind in ("call", "denomination") and table.record["next_to_play"]:
                see(seen, "tab", "play")
    except NotShown as error:
        return dict(zip(("error", "converted"), error.args, strict=True))
    return {
        "text": text,
        "texts": texts,
        "view": asdict(seen),
        "html": drawn(table, refused),
        "refused": refused,
    }


def written(table: Table, /, **changes: Any) -> str:
    """The text with changes to the deal; with the code chosen, if the text names none."""
    document, deal = table.document, table.deal._replace(**changes)
    if table.code and not deal.code:
        own = deal.own or Header(None, deal.options, deal.tags, deal.players, deal.sides)
        deal = deal._replace(code=table.code, own=own)
        document = replace(document, header=replace(document.header, code=table.code))

    def put(one: Deal) -> Deal:
        return deal if one is table.deal else one

    items = tuple(
        replace(item, deals=tuple(map(put, item.deals))) if isinstance(item, Group) else put(item)
        for item in document.items
    )
    return write_document(replace(document, items=items if table.deals else (deal,)))


# --- the view -------------------------------------------------------------------------------------

SEEN = {"tab": "mode", "seat": "seat", "deal": "deal", "number": "number", "corrected": "corrects"}
"""The taps that change only the view, each with the field that it sets."""


def see(view: View, tap: str, value: str) -> None:
    """Set a field of the view; `corrected` toggles it, and another tab begins without a player."""
    before = getattr(view, SEEN[tap])
    setattr(view, SEEN[tap], not before if tap == "corrected" else type(before)(value))
    if tap == "tab":
        view.seat = ""


# --- cards and calls ------------------------------------------------------------------------------


def card(table: Table, code: str) -> str:
    """Play a card, or, in any other tab, deal it to a hand or take it back."""
    return (_play if table.view.mode == "play" else _give)(table, code)


def _give(table: Table, code: str) -> str:
    deal, at, bit = table.deal, Seat(table.turn).number, BITS[CARD_OF[code]]
    hands = [held & ~bit for held in deal.hands]
    if not deal.hands[at] & bit:
        hands[at] |= bit
        free = ALL & ~(hands[0] | hands[1] | hands[2] | hands[3])
        short = [s for s in SEATS if hands[s.number].bit_count() < DEALT]
        if len(short) == 1 and (free | hands[short[0].number]).bit_count() == DEALT:
            hands[short[0].number] |= free
            see(table.view, "tab", "bidding")
        elif hands[at].bit_count() >= DEALT and short:
            after = (SEATS[at].after(n) for n in range(1, len(SEATS)))
            table.view.seat = next(s.value for s in after if s in short)
    known = {detail.seat: detail for detail in deal.hand_details}
    details, spans = list[HandDetail](), list[tuple[int, int] | None]()
    for one, held in zip(SEATS, hands, strict=True):
        detail = known.get(one, HandDetail(one))
        number = held.bit_count() + sum(small for _, small in detail.small)
        details.append(replace(detail, partial=number < DEALT, again=()))
        spans.append(NOWHERE if number else None)
    return written(table, hands=tuple(hands), hand_details=tuple(details), hand_spans=tuple(spans))


def _play(table: Table, code: str) -> str:
    deal = table.deal
    if deal.columns:
        raise Refused("The play is written in columns; change it in the text.")
    if not table.code:
        raise Refused("Choose the code first; it determines who leads.")
    if code in table.played:
        raise Refused(
            "That card has already been played. Take back the last card, or change the text."
        )
    by = SEAT_OF.get(table.owner(code) or table.turn)
    if by is None:
        raise Refused("Choose who leads.")
    at, last = len(deal.cards or ()), table.trick[-1:]
    table.view.seat = ""
    changes: dict[str, Any] = {"cards": (*(deal.cards or ()), int(CARD_OF[code]))}
    if len(table.trick) in (0, len(SEATS)):
        changes["trick_starts"] = (*deal.trick_starts, at)
        changes["leaders"] = (*deal.leaders, (len(deal.trick_starts), by))
    elif last[0]["seat"] and Seat(last[0]["seat"]).left is not by:
        changes["players_named"] = (*deal.players_named, (at, by))
    return written(table, **changes)


def denomination(table: Table, name: str) -> str:
    """Complete a bid with its denomination, or make the denomination trump."""
    if table.making:
        return _called(table, packed("make", None, name))
    if not table.view.number:
        raise Refused("Choose the number of odd tricks first.")
    return _called(table, packed("bid", table.view.number, name))


def call(table: Table, kind: str) -> str:
    """Add a call other than a bid or a make."""
    return _called(table, packed(kind))


def _called(table: Table, made: int) -> str:
    deal, view, at = table.deal, table.view, len(table.deal.calls or ())
    last = SEAT_OF.get(table.calls[-1]["seat"]) if table.calls else None
    corrects = view.corrects and at > 0
    by = last if corrects else SEAT_OF.get(table.turn)
    if by is None:
        raise Refused("Choose the dealer first; the bidding begins with him.")
    is_named = at > 0 and at - 1 in dict(deal.callers)
    due = None if is_named else last.left if last else deal.dealer
    changes: dict[str, Any] = {"calls": (*(deal.calls or ()), made)}
    if table.making or not (corrects or by is due):
        changes["callers"] = (*deal.callers, (at, by))
    if corrects:
        changes["corrections"] = (*deal.corrections, at)
    view.number, view.corrects, view.seat = 0, False, ""
    return written(table, **changes)


# --- statements -----------------------------------------------------------------------------------


def stated(table: Table, fields: Mapping[str, str]) -> str | None:
    """Change the code, or statements that fill one line."""
    if "code" in fields:
        return _with_code(table, fields["code"])
    before = table.fields()
    now = before | {field: value.strip() for field, value in fields.items()}
    lines = {field: f"{field} {now[field]}" for field in ONE_LINE if now[field]}
    changed = {field.replace(" ", "_") for field in ONE_LINE if now[field] != before[field]}
    for field, (side, column) in SCORES.items():
        if now[field]:
            lines[field] = f"score {side.word} {column} {now[field]}"
        changed |= {"scores"} if now[field] != before[field] else set()
    named = now["denomination"]
    if (named or before["denomination"]) and any(now[n] != before[n] for n in DECLARED):
        changed.add("declaration")
    if named == "out":
        lines["declaration"] = "declaration passed out"
    elif named:
        bid = bid_words(int(now["number"]) if now["number"] else None, named)
        by = f"by {now['by']}" if now["by"] else ""
        words = filter(None, (bid, now["doubled"], by, now["bridged"]))
        lines["declaration"] = " ".join(("declaration", *words))
    if not changed:
        return None
    document = read_document("\n".join(("deal 1", *lines.values())).encode("utf-8", "replace"))
    if wrong := [found for found in document.unreadable if not found.harmless]:
        raise Refused(wrong[0].message)
    (made,) = deals_in(document.items)
    others = tuple(s for s in table.deal.scores if s.column not in COLUMNS)
    made = made._replace(scores=(*made.scores, *others))
    return written(table, **{field: getattr(made, field) for field in changed})


def _with_code(table: Table, code: str) -> str | None:
    """The text with the code that it names replaced, or with a code if it has a deal."""
    document, deal = table.document, table.deal
    table.view.code, table.view.number = code, 0
    groups = [i for i in document.items if isinstance(i, Group) and deal in i.deals]
    stated = (document.header.stated, *(group.header.stated for group in groups), deal.stated)
    named = [span for items in stated for item, span in items if item == ("code",)]
    if not code or not (named or table.deals):
        return None
    if not named:
        return written(table)
    start, end = max(named)
    return f"{document.source.text[:start]}{code}{document.source.text[end:]}"


def irregular(table: Table, fields: Mapping[str, str]) -> str:
    """Add an irregularity, at a call or a card (`at`), or after a part of the deal; or change the
    one whose form is open, which keeps what the form does not ask.

    Raises `Refused` if the place, or the player, card or suit on which the law depends, is missing.
    """
    asked, incidents, line = table.asked(), list(table.deal.incidents), table.view.told.get("line")
    same = [n for n, told in enumerate(incidents) if told.name == table.view.name]
    if line and int(line) not in same:
        raise Refused("The record has changed since. Choose the irregularity again.")
    if not fields.get("at"):
        raise Refused("When was it? Choose the call or card.")
    by = SEAT_OF.get(fields.get("by", ""))
    if asked["by"] and not by:
        raise Refused("Who did it? Choose the player.")
    if asked["card"] and not fields.get("of"):
        raise Refused("Which card was it? Choose the card.")
    remedy, suit = fields.get("remedy", ""), fields.get("suit", "")
    if remedy in asked["suited"] and not suit:
        raise Refused("Which suit was chosen?")
    before = incidents[int(line)] if line else Incident(table.view.name)
    facts = [fact for fact in facts_in(before) if fact.partition(" ")[0] not in asked["facts"]]
    facts += [f"{n} {v}" for n, v in fields.items() if n in asked["facts"] and v]
    named = card_in(fields.get("of", ""))
    holder = SEAT_OF.get(table.owner(named.code)) if named else None
    if by and holder not in (None, by) and book().irregularities[table.view.name].own_card:
        raise Refused(f"{holder.title} holds {named}. Choose a card of {by.title}’s.")
    at, _, index = fields["at"].partition(" ")
    entered: dict[str, Any] = {
        "by": by,
        "of": fields.get("of") or None,
        "noticed_by": SEAT_OF.get(fields.get("noticed_by", "")),
        "remedy": f"{remedy} {suit}".strip() or None,
        "chosen_by": SEAT_OF.get(fields.get("chosen_by", "")),
    }
    incident = replace(
        before,
        when=", ".join(facts) or None,
        event=Event(at, int(index)) if index else None,
        after=None if index or at == BEFORE else at,
        **{field: value for field, value in entered.items() if field in fields},
    )
    place = int(line) if line else len(incidents)
    incidents[place : place + 1] = [incident]
    table.view.name, table.view.told = "", {}
    return written(table, incidents=tuple(incidents))


def name(table: Table, told: Mapping[str, Any]) -> None:
    """Choose the irregularity to enter (`name`), or another if it is empty.

    `said` are the reader's words: they fill in the player and the card if they name one of each.
    The other fields are facts found in them. From a finding come its `item` and the player (`by`).
    """
    if item := told.get("item"):
        by, at = SEAT_OF.get(told["by"]), table.place_of(item)
        of = next((card for key, _, card in table.places() if key == at), "")
        table.view.name = told["name"]
        table.view.told = {"at": at, "of": of, **({"by": by.word} if by else {})}
        return
    words = f" {told.get('said', '').lower()} "
    named = {
        "by": [s.word for s in SEATS if re.search(rf"\b{s.word}\b", words)],
        "of": [str(c) for c in PACK if f" {RANKS[c.rank]} of {c.suit.word} " in words],
    }
    table.view.name = told["name"]
    table.view.told = dict(told) | {field: f[0] for field, f in named.items() if len(f) == 1}


def change(table: Table, index: str) -> None:
    """Open the form of an irregularity that is recorded, to change it."""
    table.view.told = table.recorded(int(index))
    table.view.name = table.deal.incidents[int(index)].name


def remove(table: Table, index: str) -> str:
    """Remove an irregularity, and close the form."""
    table.view.name, table.view.told = "", {}
    others = [told for n, told in enumerate(table.deal.incidents) if n != int(index)]
    return written(table, incidents=tuple(others))


TAPS: Mapping[str, Callable[[Table, Any], str | None]] = {
    tap.__name__: tap for tap in (card, denomination, call, stated, irregular, name, change, remove)
}
"""The other taps. Each is a function of the table and the value tapped, and returns the new text of
the record, or `None` if the text stays.
"""
