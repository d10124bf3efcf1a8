"""Our own tags and tables for what of a record the standard's part does not give back.

`pbn_own` says what they are and reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from oddtrick.cards import Side
from oddtrick.record.model import (
    Declaration,
    HonoursClaim,
    Incident,
    Record,
    ScoreClaim,
    SideFigures,
    Trick,
)
from oddtrick.record.pbn.extension import OF_DEAL, Unreadable, bare, in_order, quoted
from oddtrick.record.pbn.fields import TAG_NAMES


def _calm(items: Sequence[Any]) -> tuple[Any, ...]:
    """Calls, cards or claims without their incidents."""
    return tuple(replace(i, incidents=()) if i.incidents else i for i in items)


def _calm_tricks(tricks: Sequence[Trick]) -> tuple[Trick, ...]:
    return tuple(replace(t, cards=_calm(t.cards)) for t in tricks)


def incidents_of(record: Record) -> list[tuple[str, Incident]]:
    """Every incident of a record with where it stands: `call 3`, `card 2.4`, `claim 1` or with the deal."""
    out = [(OF_DEAL[i.after], i) for i in record.incidents]
    for n, call in enumerate(record.bidding or (), 1):
        out += [(f"call {n}", i) for i in call.incidents]
    for n, trick in enumerate(record.play or (), 1):
        for k, played in enumerate(trick.cards, 1):
            out += [(f"card {n}.{k}", i) for i in played.incidents]
    for n, claim in enumerate(record.table_claims, 1):
        out += [(f"claim {n}", i) for i in claim.incidents]
    return out


# --- writing --------------------------------------------------------------------------------------


def own_tags(
    record: Record, told: Record, leaders: str
) -> tuple[dict[str, str], dict[str, tuple[str, list[str]]]]:
    """Our tags, and our tables (columns and rows), for what `told`, read from the standard part, does not say.

    `leaders` are the leaders of the tricks, a letter each, in capitals where the record names them.
    """
    tags: dict[str, str] = {}
    tables: dict[str, tuple[str, list[str]]] = {}

    def differs(name: str) -> bool:
        return bool(bare(getattr(record, name)) != bare(getattr(told, name)))

    if record.id != told.id and not re.fullmatch(r"record \d+", record.id):
        tags["OddtrickId"] = record.id
    if record.code:
        tags["OddtrickCode"] = record.code.value
    if record.options:
        tags["OddtrickOption"] = "; ".join(o.value for o in record.options)
    for name in ("games", "trick", "honour"):
        figures = getattr(record, f"standing_{name}")
        if figures and differs(f"standing_{name}"):
            tags[f"OddtrickStanding{name.capitalize()}"] = _figures_text(figures)
    if record.tray:
        tags["OddtrickTray"] = str(record.tray.value)
    if record.playing:
        tags["OddtrickPlaying"] = record.playing.value
    if partial := "".join(s.value for s, h in record.hands if h.partial):
        tags["OddtrickPartial"] = partial
    if record.bidding_from and differs("bidding_from"):
        tags["OddtrickBiddingFrom"] = record.bidding_from.value.value
    if record.declaration and differs("declaration"):
        tags["OddtrickDeclaration"] = _declaration_text(record.declaration)
    if record.result and differs("result"):
        tags["OddtrickResult"] = f"{record.result.kind} {record.result.number}"
    if record.honours:
        tags["OddtrickHonours"] = "; ".join(_honours_text(h) for h in record.honours)
    if record.chicane:
        tags["OddtrickChicane"] = "; ".join(c.value.value for c in record.chicane)
    if differs("scores") and record.scores:
        tags["OddtrickScore"] = _scores_text(record.scores)
    if record.more_play:
        tags["OddtrickMorePlay"] = "yes"
    if record.game:
        tags["OddtrickGame"] = record.game.value.value
    calls, tricks = record.bidding, record.play
    if calls is not None and bare(_calm(calls)) != bare(
        _calm(told.bidding or ()) if told.bidding is not None else None
    ):
        rows = [
            _row(
                c.seat and c.seat.value,
                c.kind,
                c.odd_tricks,
                c.denomination,
                int(c.corrects),
                _free(c.mark),
                _free(c.note),
            )
            for c in calls
        ]
        tables["OddtrickBiddingTable"] = ("Seat;Kind;Odd;Denomination;Corrects;Mark;Note", rows)
    ordered = _ordered(told, leaders)
    if tricks is not None and bare(_calm_tricks(tricks)) == bare(_calm_tricks(ordered or ())) != ():
        tags["OddtrickLeaders"] = leaders
        told = replace(told, play=ordered)
    elif tricks is not None and (
        told.play is None or bare(_calm_tricks(tricks)) != bare(_calm_tricks(told.play))
    ):
        tables["OddtrickPlayTable"] = (
            "Trick;Leader;From;Seat;Card;Mark;Note",
            list(_play_rows(tricks)),
        )
    if record.table_claims:
        rows = [
            _row(c.seat.value, c.verb, c.tricks, c.answer, c.after_trick)
            for c in record.table_claims
        ]
        tables["OddtrickClaimTable"] = ("Seat;Verb;Tricks;Answer;AfterTrick", rows)
    kept_marks = told if "OddtrickBiddingTable" not in tables else replace(told, bidding=None)
    kept_marks = kept_marks if "OddtrickPlayTable" not in tables else replace(kept_marks, play=None)
    incidents = [(at, bare(i)) for at, i in incidents_of(record)]
    if incidents != [(at, bare(i)) for at, i in incidents_of(kept_marks)]:
        columns = "At;Name;By;Of;Noticed;Remedy;Chosen;Waived;Note"
        tables["OddtrickIncidentTable"] = (
            columns,
            [_incident_row(at, i) for at, i in incidents_of(record)],
        )
    left = list(told.tags)
    rows = []
    for tag in record.tags:
        same = (TAG_NAMES.get(tag[0], tag[0]), tag[1])
        if same in left:
            left.remove(same)
        else:
            rows.append(_row(_free(tag[0]), _free(tag[1])))
    if rows:
        tables["OddtrickTagTable"] = ("Name;Value", rows)
    return tags, tables


def _ordered(told: Record, leaders: str) -> tuple[Trick, ...] | None:
    try:
        return in_order(told.play or (), leaders)
    except Unreadable:
        return None


def _figures_text(figures: SideFigures) -> str:
    parts = [f"{s.value} {figures.of(s)}" for s in Side if figures.of(s) is not None]
    return " ".join(parts) or "-"


def _declaration_text(d: Declaration) -> str:
    named = {
        "odd": d.odd_tricks,
        "denomination": d.denomination,
        "doubled": d.doubled,
        "declarer": d.declarer and d.declarer.value,
    }
    words = [f"{k}={v}" for k, v in named.items() if v is not None]
    return " ".join(words + ["bridged"] * d.bridged + ["passed-out"] * d.passed_out) or "-"


def _honours_text(h: HonoursClaim) -> str:
    return f"{h.side.value} {h.total}" + (
        f" in-one-hand {h.in_one_hand}" if h.in_one_hand is not None else ""
    )


def _scores_text(scores: Sequence[ScoreClaim]) -> str:
    words: list[str] = []
    side = None
    for claim in scores:
        words += ([] if claim.side is side else [claim.side.value]) + [
            claim.column,
            *map(str, claim.points),
        ]
        side = claim.side
    return " ".join(words)


def _play_rows(tricks: Sequence[Trick]) -> Iterator[str]:
    for n, t in enumerate(tricks, 1):
        head = (n, t.leader and t.leader.value, t.columns_from and t.columns_from.value)
        for p in t.cards:
            yield _row(
                *head,
                p.seat and p.seat.value,
                p.card.code if p.card else "?",
                _free(p.mark),
                _free(p.note),
            )
        if not t.cards:
            yield _row(*head, None, None, None, None)


def _incident_row(at: str, i: Incident) -> str:
    seats = [s and s.value for s in (i.by, i.noticed_by, i.chosen_by, i.waived_by)]
    return _row(
        _Free(at),
        _Free(i.name),
        seats[0],
        _free(i.of),
        seats[1],
        _free(i.remedy),
        seats[2],
        seats[3],
        _free(i.note),
    )


def _row(*values: object) -> str:
    return " ".join(
        "-" if v is None else quoted(v.text) if isinstance(v, _Free) else str(v) for v in values
    )


class _Free:
    """Free words, which stand in quotation marks."""

    def __init__(self, text: str) -> None:
        self.text = text


def _free(text: str | None) -> _Free | None:
    return None if text is None else _Free(text)
