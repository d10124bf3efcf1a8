"""The statements of a record on which its answer does not turn, each named with the reason.

A statement is not used when the answer is the same without it and with anything else in its place.
It is tried out, so that nothing here has to know how the judge comes to its answer. What is held
against the law (a call, a card, a result, a score) needs no trial: it is right or it is a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from oddtrick.cards import PACK, SEATS, Seat, Side, card_in
from oddtrick.judge.answers import NotUsedJson
from oddtrick.judge.events import CARD_OF_NUMBER
from oddtrick.judge.facts import stated_facts
from oddtrick.judge.finding import EVENTS, Spot, spot_of
from oddtrick.judge.message import Message, Say
from oddtrick.judge.score_procedures import Standing
from oddtrick.judge.what_if import asked, other_readings
from oddtrick.judge.written_score import of_a_board
from oddtrick.law.rules import Rules
from oddtrick.limits import TRIALS
from oddtrick.record.deal import (
    ALL_PASS,
    UNRECORDED,
    Claim,
    Deal,
    Event,
    Figures,
    Group,
    Incident,
    Item,
    is_bid,
    kind_of,
    with_items,
    word_starts,
)
from oddtrick.rulings.engine import answer, catalogue

if TYPE_CHECKING:
    from oddtrick.judge.check import Check

MOST = TRIALS.most
"""What is tried of a record: how often it is judged again, times what is in it to be judged."""
AT_LEAST = 50
"""To judge a record takes as long as so many of its calls, cards and irregularities, and those."""
FEW = 50
"""So many trials are made of a record of any length."""

ANSWERS = ("agreed", "refused", None)
"""How a claim of tricks may be answered."""


@dataclass(frozen=True, slots=True)
class NotUsed:
    """A statement on which the answer does not turn: its kind, why it is not used (an id of
    `report.messages.WHY`), the statement and its place."""

    kind: str
    reason: str
    statement: Message
    at: Spot

    def as_json(self, say: Say) -> NotUsedJson:
        """The statement as the JSON of a check gives it."""
        place, item = self.at.place, self.at.item
        return {
            "kind": self.kind,
            "reason": self.reason,
            "item": list(item) if item and item[0] in EVENTS else None,
            "statement": say(self.statement),
            "why": say(Message("not-used", reason=self.reason)),
            "line": place.line,
            "column": place.column,
        }


@dataclass(frozen=True, slots=True)
class _Trial:
    """A statement that may not be used, what may be in its place, and the deal with that."""

    named: NotUsed
    instead: Sequence[Any]
    deal: Callable[[Any], Deal]


def not_used(check: Check) -> tuple[NotUsed, ...]:
    """The statements of a deal that its answer does not turn on, in the order of the file.

    If they are too many to be tried, only that is reported.
    """
    deal, law = check.source, check.law
    if law is None:
        return ()
    disproved = frozenset(f.item for f in check.findings if f.rule == "remedy.disproved")
    parts = (_of_the_deal(deal), _of_calls(deal), _of_hands(deal), _of_claims(deal))
    trials = (*_of_irregularities(deal, disproved, law), *chain.from_iterable(parts))
    ways = sum(len(t.instead) for t in trials) * (1 + len(asked(check)))
    size = len(deal.calls or ()) + len(deal.cards or ()) + len(deal.claims) + len(deal.incidents)
    if ways > FEW and ways * (AT_LEAST + size) > MOST:
        statement = Message("statements", number=len(trials))
        return (NotUsed("statements", "too-many", statement, spot_of(deal)),)
    same = _same_as(check) if trials else None
    idle = [t.named for t in trials if same and all(same(t.deal(i)) for i in t.instead)]
    return tuple(sorted(idle, key=lambda n: n.at.order))


def _same_as(check: Check) -> Callable[[Deal], bool]:
    """Whether the answer to another deal is that of a check.

    Other readings, each of which is one trial more, are asked only where all else is the same.
    """
    own = check.again()
    answer, with_readings = own.answer(), other_readings(own).answer()

    def same(deal: Deal) -> bool:
        other = check.again(deal)
        return other.answer() == answer and other_readings(other).answer() == with_readings

    return same


# --- of a deal or group without a trial -----------------------------------------------------------


def alone(deal: Deal) -> tuple[NotUsed, ...]:
    """What a deal that is judged by itself states of its place in a rubber or a match."""
    honour, stated = "standing honour", deal.standing_honour
    found = [_idle(deal, "tray", "in-match")] if deal.tray is not None else []
    found += [_idle(deal, "table", "in-match")] if deal.table is not None else []
    found += [_idle(deal, honour, "in-rubber", _figures(honour, stated))] if stated else []
    return tuple(found)


def _idle(
    of: Deal | Group, word: str, reason: str, statement: Message | None = None, *item: str | int
) -> NotUsed:
    """A statement that is not used, as a rule at the word that is enough to name it."""
    at = spot_of(of, *(item or (word,)))
    return NotUsed(word.replace(" ", "-"), reason, statement or _word(word), at)


def _word(word: str) -> Message:
    """A statement that its word is enough to name."""
    return Message("as-read", text=word)


def _figures(word: str, figures: Figures | None) -> Message:
    """A statement of figures of both sides."""
    of = {s.value: figures.of(s) for s in Side} if figures else {}
    return Message("stated-figures", word=word, **of)


def of_no_rubber(deal: Deal, carried: Standing | None) -> tuple[NotUsed, ...]:
    """Who is vulnerable on a board of duplicate, whose score is not judged."""
    return (_idle(deal, "vulnerable", "of-a-board"),) if of_a_board(deal, carried) else ()


def of_the_group(group: Group, counted: bool, teams: Collection[str]) -> tuple[NotUsed, ...]:
    """What a rubber or match states of itself that nothing turns on; `counted` if its totals are
    known, `teams` are those whose totals are.
    """
    claims = {
        "total": (group.total is not None, _figures("total", group.total)),
        "won by": (group.won_by is not None, None),
        "points": (group.points is not None, None),
        "unfinished": (group.unfinished, None),
        "retired": (group.retired is not None, None),
    }
    found = [
        _idle(group, word, "no-totals", statement, word.removesuffix(" by"))
        for word, (stated, statement) in claims.items()
        if stated and not counted
    ]
    reason, at = "no-team" if teams else "no-totals", spot_of(group, "team_totals")
    found += [
        NotUsed("team-totals", reason, Message("stated-name", word="total", name=name), at)
        for name, _ in group.team_totals
        if name not in teams
    ]
    plays = Counter(deal.tray for deal in group.deals)
    for deal in group.deals if group.kind == "match" else ():
        if deal.tray is not None and plays[deal.tray] < 2:
            found.append(_idle(deal, "tray", "one-play", Message("stated-tray", tray=deal.tray)))
        if deal.table is not None:
            statement = Message("stated-name", word="table", name=deal.table)
            found.append(_idle(deal, "table", "tray-tells", statement))
    return tuple(found)


def unscored(deal: Deal, reason: str, held: bool) -> tuple[NotUsed, ...]:
    """What is claimed of a deal that is not scored, each with the reason.

    `held`: the score was checked against the points that stand, which may be none.
    """
    found = [_idle(deal, "result", reason)] if deal.result else []
    found += [_idle(deal, "game", reason)] if deal.game else []
    scores = [n for n, s in enumerate(deal.scores) if not held or s.column == "gain"]
    numbers = {"honours": range(len(deal.honours)), "score": scores}
    numbers["chicane"] = range(len(deal.chicane))
    found += [_idle(deal, w, reason, None, w, n) for w, places in numbers.items() for n in places]
    part = deal.declaration
    if part and part.denomination is None and not part.passed_out:
        seat = part.declarer
        stated = Message("stated-seat", word="declaration by", seat=seat) if seat else None
        found.append(_idle(deal, "declaration", reason, stated))
    return tuple(found)


# --- of an irregularity ---------------------------------------------------------------------------


def _of_irregularities(
    deal: Deal, disproved: frozenset[Item | None], law: Rules
) -> Iterator[_Trial]:
    """Every statement of every irregularity but its name, which is always a finding."""
    for index, incident in enumerate(with_items(deal)):
        why = "same"
        if incident.item in disproved:
            why = "disproved"
        elif incident.name not in catalogue():
            why = "no-irregularity"
        at = Spot(deal, incident.item, incident.span[0])
        for kind, what, others in _statements(incident, _cards_near(deal, incident)):
            reason = why
            if why == "same" and kind == "when":
                reason = why if _consulted(incident, others[0], law) else "no-law"
            statement = Message("stated-of-irregularity", name=incident.name, what=what)
            named = NotUsed(f"irregularity.{kind}", reason, statement, at)
            yield _Trial(named, others, partial(_with_incident, deal, index))


def _with_incident(deal: Deal, index: int, incident: Incident) -> Deal:
    """The deal with another irregularity in the place of one."""
    before, after = deal.incidents[:index], deal.incidents[index + 1 :]
    return replace(deal, incidents=(*before, incident, *after))


def _consulted(incident: Incident, without: Incident, law: Rules) -> bool:
    """Whether the code asks for a fact that an irregularity states, and without a statement does
    not.
    """
    facts = stated_facts(incident)[0].keys() - stated_facts(without)[0].keys()
    return not facts.isdisjoint(answer(incident.name, law.code, law.options).consulted)


def _cards_near(deal: Deal, incident: Incident) -> list[str]:
    """Cards that would matter if any did: of the suits led in its trick and the next, and its own.

    With some of the pack.
    """
    at = int(incident.item[1]) if incident.item[0] == "play" else 0
    cards, starts = deal.cards or (), deal.trick_starts[at : at + 2]
    led = [CARD_OF_NUMBER.get(cards[n]) for n in starts if n < len(cards)]
    suits = {card.suit for card in (card_in(incident.of or ""), *led) if card}
    some = PACK[:: len(PACK) // 4 + 1]
    return [str(card) for card in PACK if card in some or card.suit in suits]


def _statements(
    incident: Incident, cards: Iterable[str]
) -> Iterator[tuple[str, Message, Sequence[Incident]]]:
    """Each statement of an irregularity, its kind before it, and the irregularity with others in
    its place.

    `cards` are those that stand for any.
    """
    for name in ("by", "noticed_by", "chosen_by", "waived_by"):
        seat: Seat | None = getattr(incident, name)
        if seat:
            others: list[dict[str, Any]] = [{name: s} for s in (None, *SEATS) if s is not seat]
            what = Message("stated-seat", word=name.replace("_", " "), seat=seat)
            yield name.replace("_", "-"), what, [replace(incident, **other) for other in others]
    if incident.of:
        what = Message("stated-name", word="of", name=incident.of)
        yield "of", what, [replace(incident, of=other) for other in (None, *cards)]
    if incident.remedy:
        what = Message("stated-name", word="remedy", name=incident.remedy)
        yield "remedy", what, [replace(incident, remedy=other) for other in (None, "-")]
    facts = [w.strip() for w in (incident.when or "").split(",") if w.strip()]
    known = catalogue()[incident.name].facts if incident.name in catalogue() else {}
    for index, words in enumerate(facts):
        fact = words.replace(":", " ").partition(" ")[0]
        instead = ("", *(f"{fact} {value}" for value in known.get(fact, ())))
        stated = [", ".join((*facts[:index], i, *facts[index + 1 :])) for i in instead]
        changed = [replace(incident, when=w.strip(", ") or None) for w in stated]
        yield "when", Message("stated-name", word="when", name=words), changed


# --- of the deal ----------------------------------------------------------------------------------


def _of_the_deal(deal: Deal) -> Iterator[_Trial]:
    """The statements of a deal that are not checked against anything."""
    if deal.dealer and deal.calls is None and deal.tray is None:
        statement = Message("stated-seat", word="dealer", seat=deal.dealer)
        yield _of_values(_idle(deal, "dealer", "no-calls", statement), deal, "dealer", None, *SEATS)
    if deal.vulnerable is not None:
        sides = [frozenset(Side), *(frozenset({s}) for s in Side), frozenset[Side]()]
        named = _idle(deal, "vulnerable", "no-law")
        yield _of_values(named, deal, "vulnerable", None, *sides)
    if deal.playing:
        statement = Message("stated-playing", playing=deal.playing)
        named = _idle(deal, "playing", "hands-or-pack", statement)
        yield _of_values(named, deal, "playing", None, "original", "overplay")
    if deal.more_play:
        named = NotUsed("more-play", "not-written", Message("more-play"), spot_of(deal))
        yield _of_values(named, deal, "more_play", False)


def _of_values(named: NotUsed, deal: Deal, name: str, *values: object) -> _Trial:
    """The trial of a field of the deal with other values."""
    changes: Sequence[dict[str, Any]] = [{name: value} for value in values]
    return _Trial(named, changes, lambda change: replace(deal, **change))


def _of_calls(deal: Deal) -> Iterator[_Trial]:
    """That more was called, and passes that end what is over."""
    calls = deal.calls or ()
    for index, call in enumerate(calls):
        before = calls[index - 1] if index else None
        ended = before is not None and not (
            is_bid(before) or kind_of(before) in ("double", "redouble")
        )
        if call == UNRECORDED or (call == ALL_PASS and ended):
            word, at = "all pass" if call == ALL_PASS else "…", spot_of(deal, "bidding", index)
            named = NotUsed("call", "auction-over", _word(word), at)
            yield _Trial(named, (index,), partial(_without_call, deal))


def _without_call(deal: Deal, index: int) -> Deal:
    """The deal without one of its calls and its irregularities."""
    calls, starts = deal.calls or (), deal.call_starts
    if starts:
        starts = tuple(word_starts(deal.source.text, starts, len(calls)))
    return replace(
        deal,
        calls=(*calls[:index], *calls[index + 1 :]),
        call_starts=(*starts[:index], *starts[index + 1 :]),
        callers=tuple((n - (n > index), seat) for n, seat in deal.callers if n != index),
        corrections=tuple(n - (n > index) for n in deal.corrections if n != index),
        incidents=_without(deal.incidents, Event("call", index)),
    )


def _without(incidents: Iterable[Incident], event: Event) -> tuple[Incident, ...]:
    """Irregularities without those of an event that is left out."""
    left = []
    for incident in incidents:
        own = incident.event
        if own and own.kind == event.kind and own.number > event.number:
            left.append(replace(incident, event=Event(own.kind, own.number - 1)))
        elif own != event:
            left.append(incident)
    return tuple(left)


def _of_hands(deal: Deal) -> Iterator[_Trial]:
    """A suit of which a hand that is known in part has none."""
    for index, detail in enumerate(deal.hand_details):
        voids = [s for s, number in detail.small if not number]
        if voids and detail.partial:
            rest = replace(detail, small=tuple((s, n) for s, n in detail.small if n))
            details = (*deal.hand_details[:index], rest, *deal.hand_details[index + 1 :])
            statement = Message("stated-voids", seat=detail.seat, suits=tuple(voids))
            at = spot_of(deal, "hands", detail.seat.value)
            named = NotUsed("hand", "no-card", statement, at)
            yield _of_values(named, deal, "hand_details", details)


def _of_claims(deal: Deal) -> Iterator[_Trial]:
    """Tricks claimed or conceded: that they are, how many, and what was answered."""
    for index, claim in enumerate(deal.claims):
        of = {"seat": claim.seat, "verb": claim.verb, "tricks": claim.tricks}
        # To claim half of the rest is to concede it.
        opposite = replace(claim, verb="concedes" if claim.verb == "claims" else "claims")
        trials: list[tuple[str, Message, Sequence[Claim | None]]]
        trials = [("claim", Message("stated-claim", **of), (opposite, None))]
        if claim.tricks is not None:
            numbers = [replace(claim, tricks=n) for n in (None, 0, claim.tricks + 1)]
            trials.append(("claim.tricks", Message("stated-claim", **of, part="how many"), numbers))
        if claim.answer:
            answers = [replace(claim, answer=answer) for answer in ANSWERS]
            statement = Message("stated-claim", **of, part=claim.answer)
            trials.append(("claim.answer", statement, answers))
        at, put = spot_of(deal, "claims", index), partial(_with_claim, deal, index)
        for kind, statement, instead in trials:
            yield _Trial(NotUsed(kind, "tricks-known", statement, at), instead, put)


def _with_claim(deal: Deal, index: int, claim: Claim | None) -> Deal:
    """The deal with another claim in the place of one, or with none."""
    before, after = deal.claims[:index], deal.claims[index + 1 :]
    if claim:
        return replace(deal, claims=(*before, claim, *after))
    incidents = _without(deal.incidents, Event("claim", index))
    return replace(deal, claims=(*before, *after), incidents=incidents)
