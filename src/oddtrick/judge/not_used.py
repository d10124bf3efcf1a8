"""The statements of a record on which its answer does not turn, each named with the reason.

A statement is not used when the answer is the same without it and with anything else in its place.
It is tried out, so that nothing here has to know how the judge comes to its answer. What is held
against the law (a call, a card, a result, a score) needs no trial: it is right or it is a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from oddtrick.cards import PACK, SEATS, Seat, Side
from oddtrick.law.in_force import InForce
from oddtrick.record.model import Call, Incident, Item, Place, Played, Record, Stated, TableClaim
from oddtrick.rulings.engine import catalogue

MOST = 30_000
"""Of a record with more trials, times its calls and cards, nothing is tried: it is hostile."""

T = TypeVar("T", Call, Played, TableClaim, Record)


@dataclass(frozen=True, slots=True)
class NotUsed:
    """A statement on which the answer does not turn: its words, where it stands, and why not."""

    statement: str
    why: str
    place: Place

    def as_json(self) -> dict[str, object]:
        """The statement as the JSON of a check gives it."""
        at = {"line": self.place.line, "column": self.place.column}
        return {"statement": self.statement, "why": self.why, **at}


@dataclass(frozen=True, slots=True)
class _Trial:
    """A statement that may not be used, and the record without it or with others in its place."""

    named: NotUsed
    others: tuple[Record, ...]


def not_used(
    record: Record, law: InForce, disproved: frozenset[Item | None], answer: Callable[[Record], str]
) -> tuple[NotUsed, ...]:
    """The statements of a record that its answer does not turn on, in the order of the file.

    `answer` judges a record as this one was judged; `disproved` are the ids of the irregularities
    that its cards disprove. Of a record too long to be tried it is only said that it is.
    """
    trials = (*_of_irregularities(record, disproved), *_of_the_deal(record, law))
    size = len(record.bidding or ()) + sum(len(t.cards) for t in record.play or ())
    if not trials:
        return ()
    if sum(len(t.others) for t in trials) * max(size, 1) > MOST:
        why = "the record is so long that it was not tried what turns on them"
        return (NotUsed(f"{len(trials)} statements", why, record.place),)
    own = answer(record)
    idle = [t.named for t in trials if all(answer(other) == own for other in t.others)]
    return tuple(sorted(idle, key=lambda n: (n.place.line, n.place.column)))


def unscored(record: Record, why: str) -> tuple[NotUsed, ...]:
    """The claims on the score of a deal that is not scored, each with the reason."""
    claims = [("result", record.result), ("game", record.game)]
    claims += [("honours", c) for c in record.honours] + [("score", c) for c in record.scores]
    claims += [("chicane", c) for c in record.chicane]
    return tuple(NotUsed(words, why, c.place) for words, c in claims if c)


# --- of an irregularity ---------------------------------------------------------------------------


def _of_irregularities(record: Record, disproved: frozenset[Item | None]) -> Iterator[_Trial]:
    """Every statement of every irregularity but its name, which is always a finding."""
    for incident in _incidents(record):
        why = "the answer is the same whatever it is"
        if incident.id in disproved:
            why = "the cards disprove the irregularity"
        elif incident.name not in catalogue():
            why = "the irregularity is not of the catalogue"
        for words, others in _statements(incident):
            said = f"{incident.name}: {words}"
            yield _trial(said, why, incident.place, [_put(record, incident, o) for o in others])


def _statements(incident: Incident) -> Iterator[tuple[str, list[Incident]]]:
    """Each statement of an irregularity in words, and the irregularity with others in its place."""
    for name in ("by", "noticed_by", "chosen_by", "waived_by"):
        seat: Seat | None = getattr(incident, name)
        if seat:
            others = (None, *(s for s in SEATS if s is not seat))
            words = f"{name.replace('_', ' ')} {seat.name.lower()}"
            yield words, [replace(incident, **{name: other}) for other in others]
    if incident.of:
        cards = [str(c) for c in PACK[:: len(PACK) // 4 + 1]]
        yield f"of “{incident.of}”", [replace(incident, of=other) for other in (None, *cards)]
    if incident.remedy:
        words = f"remedy “{incident.remedy}”"
        yield words, [replace(incident, remedy=other) for other in (None, "-")]
    facts = [w.strip() for w in (incident.when or "").split(",") if w.strip()]
    known = catalogue()[incident.name].facts if incident.name in catalogue() else {}
    for index, words in enumerate(facts):
        fact = words.replace(":", " ").partition(" ")[0]
        instead = ("", *(f"{fact} {answer}" for answer in known.get(fact, ())))
        whole = [", ".join((*facts[:index], i, *facts[index + 1 :])) for i in instead]
        yield f"when “{words}”", [replace(incident, when=w.strip(", ") or None) for w in whole]


def _incidents(record: Record) -> Iterator[Incident]:
    """Every irregularity of a record, wherever it is written."""
    cards = (c for t in record.play or () for c in t.cards)
    for thing in (record, *(record.bidding or ()), *cards, *record.table_claims):
        yield from thing.incidents


def _put(record: Record, old: Incident, new: Incident) -> Record:
    """The record with another irregularity in the place of one of its own."""

    def own(thing: T) -> T:
        if old not in thing.incidents:
            return thing
        return replace(thing, incidents=tuple(new if i is old else i for i in thing.incidents))

    play, bidding = record.play, record.bidding
    return replace(
        own(record),
        bidding=None if bidding is None else tuple(own(c) for c in bidding),
        play=None
        if play is None
        else tuple(replace(t, cards=tuple(own(c) for c in t.cards)) for t in play),
        table_claims=tuple(own(c) for c in record.table_claims),
    )


# --- of the deal ----------------------------------------------------------------------------------


def _of_the_deal(record: Record, law: InForce) -> Iterator[_Trial]:
    """The statements of a deal that are not held against anything."""
    if record.dealer and record.bidding is None and record.tray is None:
        words = f"dealer {record.dealer.value.name.lower()}"
        others: list[Record] = [replace(record, dealer=d) for d in (None, *map(Stated, SEATS))]
        yield _trial(words, "no calls are recorded", record.dealer.place, others)
    if record.vulnerable:
        sides = (frozenset(), frozenset({Side.NS}), frozenset({Side.EW}), frozenset(Side))
        others = [replace(record, vulnerable=v) for v in (None, *map(Stated, sides))]
        why = f"no law of {law.short} turns on it"
        yield _trial("vulnerable", why, record.vulnerable.place, others)
    if record.playing:
        others = [replace(record, playing=p) for p in (None, *map(Stated, ("original", "overplay")))]
        why = "only an irregularity of the hands or the pack turns on it"
        yield _trial(f"{record.playing.value} play", why, record.playing.place, others)
    if record.more_play:
        why = "the play is judged as far as it is written"
        yield _trial("…", why, record.place, [replace(record, more_play=False)])
    for index, claim in enumerate(record.table_claims):
        before, after = record.table_claims[:index], record.table_claims[index + 1 :]
        instead = [(), (replace(claim, verb="concedes" if claim.verb == "claims" else "claims"),)]
        others = [replace(record, table_claims=(*before, *i, *after)) for i in instead]
        why = "what follows it is recorded, or the tricks cannot be counted"
        yield _trial(f"{claim.seat.name.lower()} {claim.verb}", why, claim.place, others)


def _trial(words: str, why: str, place: Place, others: list[Record]) -> _Trial:
    return _Trial(NotUsed(words, why, place), tuple(others))
