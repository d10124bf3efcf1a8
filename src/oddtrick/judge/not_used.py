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
from typing import TYPE_CHECKING, Any, TypeVar

from oddtrick.cards import PACK, SEATS, Seat, Side, card_in
from oddtrick.judge.answers import NotUsedJson, incidents_of
from oddtrick.judge.facts import stated_facts
from oddtrick.judge.finding import Written
from oddtrick.judge.score_procedures import Standing
from oddtrick.judge.what_if import asked, other_readings
from oddtrick.judge.words import doubled_words
from oddtrick.judge.written_score import of_a_board
from oddtrick.law.rules import Rules
from oddtrick.limits import TRIALS
from oddtrick.record.model import (
    Call,
    Group,
    Hand,
    Incident,
    Item,
    Place,
    Played,
    Record,
    SideFigures,
    Stated,
    TableClaim,
)
from oddtrick.rulings.engine import answer, catalogue

if TYPE_CHECKING:
    from oddtrick.judge.check import Check

MOST = TRIALS.most
"""What is tried of a record: how often it is judged anew, times what is in it to be judged."""
AT_LEAST = 50
"""To judge a record takes as long as so many of its calls, cards and irregularities, and those."""
FEW = 50
"""So many trials are made of a record of any length."""

ANSWERS = ("agreed", "refused", None)
"""How a claim of tricks may be answered."""

SENTENCES = frozenset(("message", "reason", "if", "then"))
"""The keys of an answer that hold sentences; so do the `remedies` of a finding."""

T = TypeVar("T", Call, Played, TableClaim, Record)


WHY = {
    "too-many": TRIALS.beyond,
    "in-match": "only in a match does it matter",
    "in-rubber": "only in a rubber does it count",
    "of-a-board": "a board of duplicate is of no rubber, so its score is not judged",
    "no-totals": "the totals of the whole are not known",
    "no-team": "no team of that name plays in the match",
    "one-play": "no other play of it is recorded",
    "tray-tells": "a tray tells which deals are one",
    "same": "the answer is the same without it, and with another",
    "disproved": "the calls or cards disprove the irregularity",
    "no-irregularity": "the irregularity is not of the catalogue",
    "no-calls": "he calls first, and no calls are recorded",
    "no-law": "no law of {code} turns on it",
    "hands-or-pack": "only an irregularity of the hands or the pack turns on it",
    "not-written": "cards that are not written cannot be judged",
    "auction-over": "the auction is over, or is not, without it too",
    "no-card": "no card of his turns on it",
    "tricks-known": "what follows it is recorded, or the tricks cannot be counted",
    "dealt-anew": "the deal comes to nothing",
    "not-played": "the hand is not played",
    "no-final": "the final declaration is not known",
}
"""Why a statement is not used, by the id of the reason."""


@dataclass(frozen=True, slots=True)
class NotUsed:
    """A statement on which the answer does not turn: what it states, why it is not used (`WHY`),
    its words, where it stands, the id of its call, claim or irregularity."""

    kind: str
    reason: str
    statement: str
    place: Place
    item: Item | None = None
    code: str = ""

    @property
    def why(self) -> str:
        """The reason in words."""
        return WHY[self.reason].format(code=self.code)

    def as_json(self) -> NotUsedJson:
        """The statement as the JSON of a check gives it."""
        return {
            "kind": self.kind,
            "reason": self.reason,
            "item": list(self.item) if self.item else None,
            "statement": self.statement,
            "why": self.why,
            "line": self.place.line,
            "column": self.place.column,
        }


@dataclass(frozen=True, slots=True)
class _Trial:
    """A statement that may not be used, what may be in its place, and the record with that."""

    named: NotUsed
    instead: Sequence[Any]
    record: Callable[[Any], Record]


def not_used(check: Check) -> tuple[NotUsed, ...]:
    """The statements of a record that its answer does not turn on, in the order of the file.

    Of a record too long to be tried it is only said that it is.
    """
    record, law = check.record, check.law
    if law is None:
        return ()
    disproved = frozenset(f.item for f in check.findings if f.rule == "remedy.disproved")
    parts = (_of_the_deal(record, law), _of_calls(record), _of_hands(record), _of_claims(record))
    trials = (*_of_irregularities(record, disproved, law), *chain.from_iterable(parts))
    ways = sum(len(t.instead) for t in trials) * (1 + len(asked(check)))
    if ways > FEW and ways * (AT_LEAST + _size(record)) > MOST:
        return (NotUsed("statements", "too-many", f"{len(trials)} statements", record.place),)
    same = _same_as(check) if trials else None
    idle = [t.named for t in trials if same and all(same(t.record(i)) for i in t.instead)]
    return tuple(sorted(idle, key=lambda n: (n.place.line, n.place.column)))


def _size(record: Record) -> int:
    """How many things of a record are judged: calls, cards, claims, irregularities."""
    cards = sum(len(t.cards) for t in record.play or ())
    told = sum(1 for _ in incidents_of(record))
    return len(record.bidding or ()) + cards + len(record.table_claims) + told


def _same_as(check: Check) -> Callable[[Record], bool]:
    """Whether the answer to another record is that of a check.

    Other readings, each of which is one trial more, are asked only where all else is the same.
    """
    own = check.again()
    plain, whole = _data(own.answer()), _data(other_readings(own).answer())

    def same(record: Record) -> bool:
        other = check.again(record)
        return _data(other.answer()) == plain and _data(other_readings(other).answer()) == whole

    return same


def _data(whole: object) -> object:
    """An answer without its sentences."""
    if isinstance(whole, dict):
        words = SENTENCES | ({"remedies"} if "message" in whole else set())
        return {key: _data(value) for key, value in whole.items() if key not in words}
    return [_data(each) for each in whole] if isinstance(whole, list) else whole


def alone(record: Record) -> tuple[NotUsed, ...]:
    """What a deal that is judged by itself says of its place in a rubber or a match."""
    honour = record.standing_honour
    said = (
        ("tray", "tray", record.tray, "in-match"),
        ("table", "table", record.table, "in-match"),
        ("standing-honour", f"standing honour {_figures(honour)}", honour, "in-rubber"),
    )
    return tuple(NotUsed(kind, why, words, of.place) for kind, words, of, why in said if of)


def _figures(figures: SideFigures | None) -> str:
    """The figures of both sides in the words of the notation."""
    of = {s: figures.of(s) for s in Side} if figures else {}
    return " ".join(f"{s.word} {number}" for s, number in of.items() if number is not None)


def of_no_rubber(record: Record, carried: Standing | None) -> tuple[NotUsed, ...]:
    """Who is vulnerable on a board of duplicate, whose score is not judged."""
    if record.vulnerable is None or not of_a_board(
        record, record.vulnerable.value, record.tags, carried
    ):
        return ()
    return (NotUsed("vulnerable", "of-a-board", "vulnerable", record.vulnerable.place),)


def of_the_whole(group: Group, counted: bool, teams: Collection[str]) -> tuple[NotUsed, ...]:
    """What a rubber or match says that nothing turns on, `counted` where its totals are known,
    `teams` the teams whose totals are.
    """
    claims = (
        ("total", f"total {_figures(group.total)}", group.total),
        ("won-by", "won by", group.won_by),
        ("points", "points", group.points),
        ("unfinished", "unfinished", group.unfinished),
        ("retired", "retired", group.retired),
    )
    found = [
        NotUsed(kind, "no-totals", words, c.place) for kind, words, c in claims if c and not counted
    ]
    named = group.team_totals
    found += [
        NotUsed("team-totals", "no-team" if teams else "no-totals", f"total “{name}”", named.place)
        for name, _ in (named.value if named else ())
        if name not in teams and named
    ]
    plays = Counter(r.tray.value for r in group.records if r.tray)
    for record in group.records if group.kind == "match" else ():
        if record.tray and plays[record.tray.value] < 2:
            words = f"tray {record.tray.value}"
            found.append(NotUsed("tray", "one-play", words, record.tray.place))
        if record.table:
            words = f"table “{record.table.value}”"
            found.append(NotUsed("table", "tray-tells", words, record.table.place))
    return tuple(found)


def unscored(record: Record, reason: str, held: bool) -> tuple[NotUsed, ...]:
    """What is claimed of a deal that is not scored, each with the reason.

    `held` says that the score was held against the points that stand, which may be none.
    """
    claims: list[tuple[str, str, Written | None]]
    claims = [("result", "", record.result), ("game", "", record.game)]
    claims += [("honours", "", c) for c in record.honours]
    claims += [("score", "", c) for c in record.scores if not held or c.column == "gain"]
    claims += [("chicane", "", c) for c in record.chicane]
    part = record.declaration
    if part and part.denomination is None and not part.passed_out:
        by = f" by {part.declarer.name.lower()}" if part.declarer else ""
        claims.append(("declaration", f"{doubled_words(part.doubled or 0)}{by}", part))
    return tuple(NotUsed(kind, reason, f"{kind}{of}", c.place) for kind, of, c in claims if c)


# --- of an irregularity ---------------------------------------------------------------------------


def _of_irregularities(
    record: Record, disproved: frozenset[Item | None], law: Rules
) -> Iterator[_Trial]:
    """Every statement of every irregularity but its name, which is always a finding."""
    for incident in incidents_of(record):
        why = "same"
        if incident.id in disproved:
            why = "disproved"
        elif incident.name not in catalogue():
            why = "no-irregularity"
        for kind, words, others in _statements(incident, _cards_near(record, incident)):
            said = f"{incident.name}: {words}"
            put = partial(_put, record, incident)
            reason = why
            if why == "same" and kind == "irregularity.when":
                reason = why if _consulted(incident, others[0], law) else "no-law"
            named = NotUsed(kind, reason, said, incident.place, incident.id, law.short)
            yield _Trial(named, others, put)


def _consulted(incident: Incident, without: Incident, law: Rules) -> bool:
    """Whether the code asks for a fact that an irregularity states, and without a statement does
    not.
    """
    facts = stated_facts(incident)[0].keys() - stated_facts(without)[0].keys()
    return not facts.isdisjoint(answer(incident.name, law.code, law.options).consulted)


def _cards_near(record: Record, incident: Incident) -> list[str]:
    """Cards that would matter if any did: of the suits led in its trick and the next, and its own.

    With some of the pack.
    """
    at = int(incident.id[1]) if incident.id[:1] == ("play",) else 0
    led = [t.cards[0].card for t in (record.play or ())[at : at + 2] if t.cards]
    suits = {card.suit for card in (card_in(incident.of or ""), *led) if card}
    some = PACK[:: len(PACK) // 4 + 1]
    return [str(card) for card in PACK if card in some or card.suit in suits]


def _statements(
    incident: Incident, cards: Iterable[str]
) -> Iterator[tuple[str, str, list[Incident]]]:
    """Each statement of an irregularity: its kind, its words, and the irregularity with others in
    its place.

    `cards` are those that stand for any.
    """
    for name in ("by", "noticed_by", "chosen_by", "waived_by"):
        seat: Seat | None = getattr(incident, name)
        if seat:
            others = (None, *(s for s in SEATS if s is not seat))
            words = f"{name.replace('_', ' ')} {seat.name.lower()}"
            kind = f"irregularity.{name.replace('_', '-')}"
            yield kind, words, [_replaced(incident, name, other) for other in others]
    if incident.of:
        words = f"of “{incident.of}”"
        yield "irregularity.of", words, [replace(incident, of=other) for other in (None, *cards)]
    if incident.remedy:
        words = f"remedy “{incident.remedy}”"
        changed = [replace(incident, remedy=other) for other in (None, "-")]
        yield "irregularity.remedy", words, changed
    facts = [w.strip() for w in (incident.when or "").split(",") if w.strip()]
    known = catalogue()[incident.name].facts if incident.name in catalogue() else {}
    for index, words in enumerate(facts):
        fact = words.replace(":", " ").partition(" ")[0]
        instead = ("", *(f"{fact} {value}" for value in known.get(fact, ())))
        whole = [", ".join((*facts[:index], i, *facts[index + 1 :])) for i in instead]
        changed = [replace(incident, when=w.strip(", ") or None) for w in whole]
        yield "irregularity.when", f"when “{words}”", changed


def _replaced(incident: Incident, name: str, seat: Seat | None) -> Incident:
    """The irregularity with another player in a field."""
    new: dict[str, Any] = {name: seat}
    return replace(incident, **new)


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


def _of_the_deal(record: Record, law: Rules) -> Iterator[_Trial]:
    """The statements of a deal that are not held against anything."""
    if record.dealer and record.bidding is None and record.tray is None:
        words = f"dealer {record.dealer.value.name.lower()}"
        others: list[Record] = [replace(record, dealer=d) for d in (None, *map(Stated, SEATS))]
        yield _trial(NotUsed("dealer", "no-calls", words, record.dealer.place), others)
    if record.vulnerable:
        sides = [frozenset(Side), *(frozenset({s}) for s in Side), frozenset[Side]()]
        others = [replace(record, vulnerable=v) for v in (None, *map(Stated, sides))]
        where = record.vulnerable.place
        yield _trial(NotUsed("vulnerable", "no-law", "vulnerable", where, code=law.short), others)
    if record.playing:
        others = [
            replace(record, playing=p) for p in (None, *map(Stated, ("original", "overplay")))
        ]
        words = f"{record.playing.value} play"
        yield _trial(NotUsed("playing", "hands-or-pack", words, record.playing.place), others)
    if record.more_play:
        named = NotUsed("more-play", "not-written", "… after the play", record.place)
        yield _trial(named, [replace(record, more_play=False)])


def _of_calls(record: Record) -> Iterator[_Trial]:
    """That more was called, and passes that end what is over."""
    calls = record.bidding or ()
    for index, call in enumerate(calls):
        ended = index and calls[index - 1].kind not in ("bid", "double", "redouble")
        if call.kind == "unrecorded" or (call.kind == "all-pass" and ended):
            words = "all pass" if call.kind == "all-pass" else "…"
            named = NotUsed("call", "auction-over", words, call.place, call.id)
            yield _Trial(named, (index,), partial(_without_call, record))


def _without_call(record: Record, index: int) -> Record:
    """The record without one of its calls."""
    calls = record.bidding or ()
    return replace(record, bidding=(*calls[:index], *calls[index + 1 :]))


def _of_hands(record: Record) -> Iterator[_Trial]:
    """A suit of which a hand that is known in part has none."""
    for seat, hand in record.hands:
        voids = [s for s, number in hand.small if not number]
        if voids and hand.partial:
            rest = tuple((s, n) for s, n in hand.small if n)
            others = [replace(record, hands=_with_hand(record, seat, replace(hand, small=rest)))]
            words = f"{seat.name.lower()} {' '.join(f'{s.word} -' for s in voids)}"
            yield _trial(NotUsed("hand", "no-card", words, hand.place), others)


def _of_claims(record: Record) -> Iterator[_Trial]:
    """Tricks claimed or conceded: that they are, how many, and what was answered."""
    for index, claim in enumerate(record.table_claims):
        put = partial(_with_claims, record, index)
        said = f"{claim.seat.name.lower()} {claim.verb} "
        said += "the rest" if claim.tricks is None else str(claim.tricks)
        verb = "concedes" if claim.verb == "claims" else "claims"
        # To claim half of the rest is to concede it.
        stated: list[tuple[str, str, list[tuple[TableClaim, ...]]]]
        stated = [("claim", said, [(replace(claim, verb=verb),), ()])]
        if claim.tricks is not None:
            numbers = (None, 0, claim.tricks + 1)
            how_many = f"{said}: how many"
            stated += [("claim.tricks", how_many, [(replace(claim, tricks=n),) for n in numbers])]
        if claim.answer:
            answer = f"{said}: {claim.answer}"
            stated += [("claim.answer", answer, [(replace(claim, answer=a),) for a in ANSWERS])]
        for kind, words, instead in stated:
            yield _Trial(NotUsed(kind, "tricks-known", words, claim.place, claim.id), instead, put)


def _with_claims(record: Record, index: int, claims: Sequence[TableClaim]) -> Record:
    """The record with others in the place of one of its claims."""
    before, after = record.table_claims[:index], record.table_claims[index + 1 :]
    return replace(record, table_claims=(*before, *claims, *after))


def _with_hand(record: Record, seat: Seat, hand: Hand) -> tuple[tuple[Seat, Hand], ...]:
    """The hands of a record with another in the place of one of them."""
    return tuple((s, hand if s is seat else h) for s, h in record.hands)


def _trial(named: NotUsed, others: list[Record]) -> _Trial:
    """A statement of which there are few, with the records that have others in its place."""
    return _Trial(named, others, lambda other: other)
