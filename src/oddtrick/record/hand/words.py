"""Values of a record in the words of our own notation: a bid, a card, a claim, a declaration.

Each function is the way back from a rule of `hand.lark`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from oddtrick.cards import Seat, Side, Suit
from oddtrick.record.model import (
    Call,
    Declaration,
    Hand,
    HonoursClaim,
    Incident,
    Played,
    Result,
    SideFigures,
    TableClaim,
    Trick,
)

DENOMINATIONS = {
    "spades": ("spade", "spades"),
    "clubs": ("club", "clubs"),
    "diamonds": ("diamond", "diamonds"),
    "hearts": ("heart", "hearts"),
    "royal-spades": ("royal spade", "royal spades"),
    "no-trump": ("no-trump", "no-trumps"),
    "nullo": ("nullo", "nullo"),
    "spades-royal": ("spade royal", "spades royal"),
    "clubs-royal": ("club royal", "clubs royal"),
    "diamonds-royal": ("diamond royal", "diamonds royal"),
    "hearts-royal": ("heart royal", "hearts royal"),
    "no-trump-royal": ("no-trump royal", "no-trumps royal"),
    "nullo-royal": ("nullo royal", "nullo royal"),
}
"""Denominations after the number one and after others, as in `laws/vocabulary.yaml`."""
SPOKEN = {
    "may-i-lead": "may I lead",
    "all-pass": "all pass",
    "pass-to-partner": "pass to partner",
    "unrecorded": "...",
}
NAMED_TAGS = ("source", "event", "venue", "scorer", "note")
WORD = re.compile(r"[^\W\d_]\w*(?:['-]\w+)*")
DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def quoted(text: str) -> str:
    """A text in quotation marks as the notation writes it."""
    text = (
        re.sub(r"\r\n?", "\n", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    )
    return f'"{CONTROL.sub(" ", text)}"'


def word_or_quoted(text: str) -> str:
    """A name as a word where it is one, or else in quotation marks."""
    return text if WORD.fullmatch(text) and text == text.lower() else quoted(text)


def tag_words(name: str, value: str) -> str:
    """The statement that keeps a tag: `source "..."`, `date 1927`, `tag Name "..."`."""
    if name in NAMED_TAGS:
        return f"{name} {quoted(value)}"
    if name == "date":
        return f"date {value if DATE.fullmatch(value) else quoted(value)}"
    return f"tag {name if WORD.fullmatch(name) else quoted(name)} {quoted(value)}"


def figures_words(figures: SideFigures) -> str:
    """`north-south 1 east-west 0`."""
    sides = ((side, figures.of(side)) for side in Side)
    return " ".join(f"{side.word} {number}" for side, number in sides if number is not None)


def holding_words(hand: Hand, suit: Suit) -> str:
    """The cards of one suit, `♠ A 10 2`; empty where nothing is to be written."""
    ranks = ["10" if c.rank == "T" else c.rank for c in hand.cards if c.suit is suit]
    small = dict(hand.small).get(suit)
    ranks += ["x"] * (small or 0)
    # A void is written, but of a hand not wholly known only where the record states it.
    if not ranks and (not hand.partial or small == 0):
        ranks = ["-"]
    return " ".join([suit.symbol, *ranks]) if ranks else ""


def call_words(call: Call) -> str:
    """A call with its caller and marks: `south: 2 hearts!`."""
    words = [f"{call.seat.word}:"] if call.seat else []
    words += ["corrects"] if call.corrects else []
    if call.kind == "bid":
        words.append(bid_words(call.odd_tricks, call.denomination))
    elif call.kind == "make":
        words.append(f"make {bid_words(None, call.denomination)}")
    else:
        words.append(SPOKEN.get(call.kind, call.kind))
    return marked(" ".join(words), call.mark, call.note)


def bid_words(odd_tricks: int | None, denomination: str | None) -> str:
    """`4 hearts`, `1 no-trump`, or the denomination alone."""
    one, many = DENOMINATIONS.get(denomination or "", (denomination or "", denomination or ""))
    return many if odd_tricks is None else f"{odd_tricks} {one if odd_tricks == 1 else many}"


def marked(text: str, mark: str | None, note: str | None) -> str:
    """A call or card with its mark and remark."""
    return f"{text}{mark or ''}{'' if note is None else f' {quoted(note)}'}"


def incident_words(incident: Incident) -> str:
    """The statement of an irregularity."""
    clauses = (
        ("by", incident.by),
        ("of", incident.of),
        ("noticed by", incident.noticed_by),
        ("remedy", incident.remedy),
        ("chosen by", incident.chosen_by),
        ("waived by", incident.waived_by),
        ("note", incident.note),
    )
    said = [
        f"{w} {v.word if isinstance(v, Seat) else quoted(v)}" for w, v in clauses if v is not None
    ]
    return " ".join(["irregularity", word_or_quoted(incident.name), *said])


def trick_words(trick: Trick) -> str:
    """The cards of a trick. What is irregular with the last card stands on the lines below."""
    leader = [f"{trick.leader.word}:"] if trick.leader else []
    last = len(trick.cards) - 1
    return " ".join(
        leader
        + [played_words(p, p.incidents if i < last else ()) for i, p in enumerate(trick.cards)]
    )


def played_words(played: Played, incidents: Sequence[Incident]) -> str:
    """A card, in brackets where more is said of it: `(east ♥2)`."""
    text = marked(str(played.card or "-"), played.mark, played.note)
    if played.seat is None and not incidents:
        return text
    seat = [played.seat.word] if played.seat else []
    return f"({' '.join([*seat, text, *map(incident_words, incidents)])})"


def claim_words(claim: TableClaim) -> str:
    """`south claims the rest agreed`."""
    number = "the rest" if claim.tricks is None else str(claim.tricks)
    return " ".join(
        [claim.seat.word, claim.verb, number, *([claim.answer] if claim.answer else [])]
    )


def declaration_words(declaration: Declaration) -> str:
    """`4 spades redoubled by south`; empty where nothing is stated."""
    if declaration.passed_out:
        return "passed out"
    words = (
        [bid_words(declaration.odd_tricks, declaration.denomination)]
        if declaration.denomination
        else []
    )
    if declaration.doubled is None:
        words.append("doubling unknown" if words else "")
    elif declaration.doubled == 0:
        words.append("" if words else "undoubled")
    else:
        often = {1: "doubled", 2: "redoubled"}
        words.append(often.get(declaration.doubled, f"doubled {declaration.doubled} times"))
    words.append(f"by {declaration.declarer.word}" if declaration.declarer else "")
    words.append("bridged" if declaration.bridged else "")
    return " ".join(word for word in words if word)


def result_words(result: Result) -> str:
    """`9 tricks`, `3 odd`, `made 1`, `down 2`."""
    if result.kind == "tricks":
        return "1 trick" if result.number == 1 else f"{result.number} tricks"
    return f"{result.number} odd" if result.kind == "odd" else f"{result.kind} {result.number}"


def honours_words(claim: HonoursClaim) -> str:
    """`north-south 5, 4 in one hand`."""
    apart = f", {claim.in_one_hand}" if claim.in_one_hand not in (None, claim.total) else ""
    return f"{claim.side.word} {claim.total}{apart}{'' if claim.in_one_hand is None else ' in one hand'}"
