"""A mutation run over statements: of each record of the tests one statement is dropped or changed.

A statement is caught when one of its mutants makes another JSON of the check, ids of items apart:
then it bears on the verdict, or the report names it as not used. Records are mutated as they were
read, so that every place stays as it was. Also a program: `statement_mutation.py [WORD …]` tries
all of them (those of files whose path has one of the words) and prints what was not caught, and the share.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from lawbook import judged_codes
from oddtrick.cards import PACK, SEATS, Seat, Side
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import check_document
from oddtrick.law.book import book
from oddtrick.record.documents import read_text
from oddtrick.record.model import (
    Call,
    Group,
    Incident,
    Played,
    Record,
    SideFigures,
    Stated,
    TableClaim,
    Trick,
)
from oddtrick.rulings.engine import catalogue

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(
    path
    for folder in ("tests/findings", "tests/effects", "laws/records", "tests/notation")
    for path in (ROOT / folder).rglob("*.hand")
)

T = TypeVar("T", Record, Group, Incident, Call, Played, Trick, TableClaim)
Mutated = tuple[str, tuple[T, ...]]
"""The kind of a statement, and what it stands in with the statement dropped or changed."""


@dataclass(frozen=True)
class Statement:
    """One statement of an item of a file, and that item without it or with another."""

    file: Path
    deal: str
    kind: str
    line: int
    item: Record | Group
    mutants: tuple[Record | Group, ...]

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}: {self.deal}: {self.kind}"


# --- the statements of a record -------------------------------------------------------------------


def fields(thing: T, others: dict[str, tuple[Any, ...]]) -> Iterator[Mutated[T]]:
    """Each field that is stated: dropped, and changed to other values."""
    for name, values in others.items():
        old = getattr(thing, name)
        if old in (None, False):
            continue
        empty = False if old is True else None
        new = tuple(replace(thing, **{name: v}) for v in (empty, *values) if v != old)
        yield name.replace("_", " "), new


def left(seat: Seat | None) -> tuple[Seat, ...]:
    """The player on the left, where there is one."""
    return (seat.left, seat.partner) if seat else ()


def of_incident(incident: Incident) -> Iterator[Mutated[Incident]]:
    """The statements of an irregularity."""
    for kind, mutants in fields(
        incident,
        {
            "by": left(incident.by),
            "of": tuple(str(c) for c in PACK),
            "noticed_by": left(incident.noticed_by),
            "remedy": ("whatever he likes",),
            "chosen_by": left(incident.chosen_by),
            "waived_by": left(incident.waived_by),
        },
    ):
        yield f"irregularity {kind}", mutants
    facts = [w.strip() for w in (incident.when or "").split(",") if w.strip()]
    for index, words in enumerate(facts):
        fact = words.replace(":", " ").split()[0]
        known = catalogue()[incident.name].facts if incident.name in catalogue() else {}
        answers = [f"{fact} {v}" for v in known.get(fact, ())]
        others = [
            [*facts[:index], *new, *facts[index + 1 :]]
            for new in ((), *((a,) for a in answers if a != words))
        ]
        yield (
            "irregularity when",
            tuple(replace(incident, when=", ".join(o) or None) for o in others),
        )


def each(thing: T, name: str, of: Any, kind: str) -> Iterator[Mutated[T]]:
    """Each of the things in a field: dropped or changed, and each statement in it."""
    things = getattr(thing, name) or ()
    for index, inner in enumerate(things):

        def put(*new: Any, at: int = index) -> T:
            return replace(thing, **{name: (*things[:at], *new, *things[at + 1 :])})

        if isinstance(inner, Played) and inner.card is None and not inner.incidents:
            continue  # `-` says that a card is not known
        own = [m for what, mutants in of(inner) if what == kind for m in mutants]
        yield kind, (put(), *(put(m) for m in own))
        for what, mutants in of(inner):
            if what != kind:
                yield what, tuple(put(m) for m in mutants)


def of_call(call: Call) -> Iterator[Mutated[Call]]:
    """The statements of a call: what it is, its caller, that it corrects another."""
    kinds = {"pass": "double"}
    bare = replace(call, odd_tricks=None, denomination=None)
    other = [replace(bare, kind=kinds.get(call.kind, "pass"))]
    if call.kind in ("pass", "bid"):
        other.append(replace(bare, kind="bid", odd_tricks=7, denomination="no-trump"))
    if call.kind == "bid":
        other += [
            replace(call, denomination=d) for d in ("clubs", "no-trump") if d != call.denomination
        ]
        other.append(replace(call, odd_tricks=(call.odd_tricks or 0) % 7 + 1))
    if call.kind == "make":
        other += [
            replace(call, denomination=d) for d in ("spades", "hearts") if d != call.denomination
        ]
    yield "call", tuple(other)
    yield from fields(call, {"seat": left(call.seat), "corrects": ()})
    yield from each(call, "incidents", of_incident, "irregularity")


def of_card(played: Played) -> Iterator[Mutated[Played]]:
    """The statements of a card: which, its player."""
    yield from fields(played, {"card": (PACK[0], PACK[-1]), "seat": left(played.seat)})
    yield from each(played, "incidents", of_incident, "irregularity")


def of_trick(trick: Trick) -> Iterator[Mutated[Trick]]:
    """The statements of a trick: its leader, its cards."""
    yield from fields(
        trick, {"leader": left(trick.leader), "columns_from": left(trick.columns_from)}
    )
    yield from each(trick, "cards", of_card, "card")


def of_claim(claim: TableClaim) -> Iterator[Mutated[TableClaim]]:
    """The statements of a claim of tricks."""
    yield (
        "claim",
        tuple(
            m
            for m in (
                replace(claim, seat=claim.seat.left),
                replace(claim, verb="concedes" if claim.verb == "claims" else "claims"),
            )
        ),
    )
    yield from fields(
        claim, {"tricks": ((claim.tricks or 0) + 1,), "answer": ("refused", "agreed")}
    )
    yield from each(claim, "incidents", of_incident, "irregularity")


def of_figures(record: T, name: str) -> Iterator[Mutated[T]]:
    """The figures of each side in a statement."""
    figures: SideFigures | None = getattr(record, name)
    for side in ("ns", "ew") if figures else ():
        old = getattr(figures, side)
        if old is not None:
            new = (None, 1 - old) if name == "standing_games" else (None, old + 10)
            assert figures is not None
            yield (
                name.replace("_", " "),
                tuple(replace(record, **{name: replace(figures, **{side: v})}) for v in new),
            )


def of_hands(record: Record) -> Iterator[Mutated[Record]]:
    """Each hand that is written: left out, and with a card of it gone."""
    for index, (seat, hand) in enumerate(record.hands):
        if not hand.cards and not hand.small:
            continue  # `...` alone says that a hand is not known
        rest = (*record.hands[:index], *record.hands[index + 1 :])
        bare = replace(hand, cards=hand.cards[1:], places=hand.places[1:])
        if not hand.cards:
            bare = replace(hand, small=())
        less = (*record.hands[:index], (seat, bare), *record.hands[index + 1 :])
        others = [c for s, h in record.hands if s is not seat for c in h.cards][:1]
        twice = (
            *record.hands[:index],
            (seat, replace(bare, cards=(*others, *bare.cards), places=())),
            *record.hands[index + 1 :],
        )
        yield "hand", tuple(replace(record, hands=h) for h in (rest, less, twice))


def stated(record: T, name: str, *others: Any) -> Iterator[Mutated[T]]:
    """A value with a place: dropped, and changed."""
    old = getattr(record, name)
    if old is not None:
        new = (None, *(replace(old, value=v) for v in others if v != old.value))
        yield name.replace("_", " "), tuple(replace(record, **{name: v}) for v in new)


def of_record(record: Record) -> Iterator[Mutated[Record]]:
    """Every statement of a deal that may bear on the verdict."""
    yield from stated(record, "code", *judged_codes())
    yield from each(record, "options", lambda _: (), "option")
    yield from stated(record, "dealer", *SEATS)
    yield from stated(record, "bidding_from", *SEATS)
    yield from stated(record, "vulnerable", frozenset(), frozenset(Side))
    yield from stated(record, "tray", 97)
    yield from stated(record, "table", "another")
    yield from stated(record, "playing", "original", "overplay")
    yield from stated(record, "game", *Side)
    for name in ("standing_games", "standing_trick", "standing_honour"):
        yield from of_figures(record, name)
    yield from of_hands(record)
    yield from each(record, "bidding", of_call, "call")
    yield from each(record, "play", of_trick, "trick")
    yield from each(record, "table_claims", of_claim, "claim")
    yield from each(record, "incidents", of_incident, "irregularity")
    yield from each(
        record,
        "chicane",
        lambda s: (
            ("chicane", (Stated(s.value.left if isinstance(s.value, Seat) else s.value.other),)),
        ),
        "chicane",
    )
    yield from of_claims(record)
    if record.more_play:
        yield "more play", (replace(record, more_play=False),)


def of_claims(record: Record) -> Iterator[Mutated[Record]]:
    """What the record states of the end: declaration, result, honours, score."""
    said = record.declaration
    if said:
        if said.passed_out:
            yield "declaration", (replace(record, declaration=None),)
        for kind, mutants in fields(
            said,  # type: ignore[type-var]
            {
                "odd_tricks": ((said.odd_tricks or 0) % 7 + 1,),
                "denomination": ("no-trump", "clubs"),
                "doubled": ((said.doubled or 0) + 1,),
                "declarer": left(said.declarer),
                "bridged": (),
            },
        ):
            yield f"declaration {kind}", tuple(replace(record, declaration=m) for m in mutants)  # type: ignore[arg-type]
    if record.result:
        more = replace(record.result, number=record.result.number + 1)
        yield "result", (replace(record, result=None), replace(record, result=more))
    yield from each(record, "honours", of_honours, "honours")
    yield from each(record, "scores", of_score, "score")


def of_honours(claim: Any) -> Iterator[Mutated[Any]]:
    """The numbers of a claim of honours."""
    yield "honours", (replace(claim, total=5 if claim.total != 5 else 3),)
    if claim.in_one_hand is not None:
        yield (
            "honours in one hand",
            (replace(claim, in_one_hand=None), replace(claim, in_one_hand=claim.in_one_hand - 1)),
        )


def of_score(claim: Any) -> Iterator[Mutated[Any]]:
    """The amounts of a score."""
    for i, old in enumerate(claim.points):
        more = (*claim.points[:i], old + 3, *claim.points[i + 1 :])
        yield "score", (replace(claim, points=more),)


def of_group(group: Group) -> Iterator[Mutated[Group]]:
    """The statements of a rubber or match, its deals' among them."""
    yield from each(group, "records", of_record, "deal")
    yield from of_figures(group, "total")
    yield from stated(group, "won_by", *Side)
    yield from stated(group, "points", 7)
    yield from stated(group, "unfinished")
    yield from stated(group, "retired", *Side)


# --- trying ---------------------------------------------------------------------------------------


def statements_of(item: Record | Group) -> Iterator[Mutated[Any]]:
    """Every statement of a record or group."""
    return of_record(item) if isinstance(item, Record) else of_group(item)


def statements(files: Iterable[Path] = FILES, every: int = 1) -> Iterator[Statement]:
    """Every statement of the files, or of one in so many of their records."""
    items = ((p, i) for p in files for i in read_text(p.read_text("utf-8"), str(p)).items)
    known = ((path, item) for path, item in items if isinstance(item, Record | Group))
    for path, item in islice(known, 0, None, every):
        whole = judgeable(item)
        name = whole.id if isinstance(whole, Record) else whole.name or whole.kind
        for kind, mutants in statements_of(whole):
            if mutants:
                yield Statement(path, name, kind, whole.place.line, whole, mutants)


def judgeable(item: Record | Group) -> Record | Group:
    """A record without the options that its code does not have, for which it would not be judged."""
    if not isinstance(item, Record) or item.code is None or item.code.value not in judged_codes():
        return item
    known = {o.id for o in book().code(item.code.value).options}
    return replace(item, options=tuple(o for o in item.options if o.value in known))


def judged(item: Record | Group, named: bool) -> str:
    """The JSON of the check of a record or group, without the ids of items.

    With `named` what it names as not used is among it; to try that out takes much longer.
    """
    checks = check_document([item])
    told = [_told(c, named) if isinstance(c, Check) else c.as_json() for c in checks]
    return json.dumps(_bare(told), sort_keys=True)


def _told(check: Check, named: bool) -> dict[str, object]:
    return check.answer() | ({"not_used": check.as_json()["not_used"]} if named else {})


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _bare(v) for k, v in value.items() if k != "item"}
    return [_bare(v) for v in value] if isinstance(value, list) else value


def caught(statement: Statement) -> bool:
    """Whether to drop or to change a statement makes another answer, or is named as not used."""
    for named in (False, True):
        own = _own(statement.item, named)
        if any(judged(m, named) != own for m in statement.mutants):
            return True
    return False


_last: dict[bool, tuple[Record | Group, str]] = {}


def _own(item: Record | Group, named: bool) -> str:
    """The JSON of a record or group, kept for the next of its statements."""
    if named not in _last or _last[named][0] is not item:
        _last[named] = item, judged(item, named)
    return _last[named][1]


def main(*words: str) -> int:
    """Try every statement of the files whose path has one of the words."""
    files = [f for f in FILES if not words or any(w in str(f) for w in words)]
    tried: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for statement in statements(files):
        tried[statement.kind] += 1
        if not caught(statement):
            missed[statement.kind] += 1
            print(statement)
    for kind, number in tried.most_common():
        print(f"{kind:<30}{number:>6}{missed[kind]:>6}")
    every, lost = tried.total(), missed.total()
    print(
        f"{every - lost} of {every} statements are caught ({(every - lost) / max(every, 1):.2%})."
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
