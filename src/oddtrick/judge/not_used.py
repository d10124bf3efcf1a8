"""Find the statements of a record that do not affect its answer, each with the reason.

A statement is not used if the answer stays the same without it and with any other value. This is
found by trial, so that this module need not know how the judge reaches its answer. Statements
checked against the law (a call, a card, a result, a score) need no trial: either they are right or
there is a finding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from oddtrick.cards import PACK, SEATS, Seat, Side, card_in
from oddtrick.judge.events import CARD_OF_NUMBER
from oddtrick.judge.facts import stated_facts
from oddtrick.judge.finding import Message, Spot, spot_of
from oddtrick.judge.score_procedures import Account
from oddtrick.judge.what_if import asked, other_readings
from oddtrick.law.book import book
from oddtrick.law.rules import Rules
from oddtrick.limits import TRIALS
from oddtrick.record import deal as record
from oddtrick.record.deal import Claim, Deal, Event, Figures, Group, Incident, Item
from oddtrick.rulings import engine as rulings

if TYPE_CHECKING:
    from oddtrick.judge.check import Check

SCORE_TAG = re.compile("Score((?!RubberHistory$)[A-Z].*)?")
"""Tags for scores that are kept but not judged: `Score`, `ScoreIMP`, `ScoreMP`.

`ScoreRubberHistory` states the games and points before the deal, and is judged.
"""

ANSWERS = ("agreed", "refused", None)
"""How a claim of tricks may be answered."""


class NotUsed(NamedTuple):
    """A statement that does not affect the answer; `reason` is an id of `report.messages.WHY`."""

    kind: str
    reason: str
    statement: Message
    at: Spot


class _Trial(NamedTuple):
    """A statement to try: the field of the deal that contains it, and the values to try instead.

    If the field has several elements, `at` is the index of one; the value `None` deletes that one.
    """

    named: NotUsed
    field: str
    instead: Sequence[Any]
    at: int | None = None

    def deals(self, deal: Deal) -> Iterator[Deal]:
        """Yield the deal with each of these values."""
        every, at = getattr(deal, self.field), self.at
        for value in self.instead:
            if value is None and at is not None:
                yield _without(deal, self.field, at)
            else:
                new: Any = value if at is None else (*every[:at], value, *every[at + 1 :])
                yield deal._replace(**{self.field: new})


def _without(deal: Deal, field: str, index: int) -> Deal:
    """The deal without one of its calls or claims and without the irregularities recorded at it."""
    kind, fields = field.removesuffix("s"), {field, "call_starts" if field == "calls" else field}
    shorter: dict[str, Any] = {
        name: (*getattr(deal, name)[:index], *getattr(deal, name)[index + 1 :]) for name in fields
    }
    shorter["incidents"] = tuple(
        replace(i, event=Event(kind, i.event.number - 1))
        if i.event and i.event.kind == kind and i.event.number > index
        else i
        for i in deal.incidents
        if i.event != Event(kind, index)
    )
    if field == "calls":
        shorter["callers"] = tuple((n - (n > index), s) for n, s in deal.callers if n != index)
        shorter["corrections"] = tuple(n - (n > index) for n in deal.corrections if n != index)
    return deal._replace(**shorter)


def not_used(check: Check) -> tuple[NotUsed, ...]:
    """The statements of a deal that do not affect its answer."""
    return (*_tried(check), *_untried(check))


def _tried(check: Check) -> tuple[NotUsed, ...]:
    """The statements that turn out to affect nothing, in the order of the file.

    If there are too many to try, the result is a single entry that states this.
    """
    deal, law = check.source, check.rules
    disproved = frozenset(f.item for f in check.findings if f.rule == "remedy.disproved")
    trials = (*_of_irregularities(deal, disproved, law), *_of_the_deal(deal))
    ways = sum(len(t.instead) for t in trials) * (1 + len(asked(check)))
    size = len(deal.calls or ()) + len(deal.cards or ()) + len(deal.claims) + len(deal.incidents)
    # Fifty trials are always made; the cost of each is fifty more than the number of events of the
    # deal.
    if ways > 50 and ways * (50 + size) > TRIALS.most:
        statement = Message("statements", number=len(trials))
        return (NotUsed("statements", "too-many", statement, spot_of(deal)),)
    if not trials:
        return ()
    own = check.again()
    answer, with_readings = _answer(own), _answer(other_readings(own))

    def same(deal: Deal) -> bool:
        # Other readings, each of which costs one more trial, are judged only if all else is equal.
        other = check.again(deal)
        return _answer(other) == answer and _answer(other_readings(other)) == with_readings

    unused = [t.named for t in trials if all(map(same, t.deals(deal)))]
    return tuple(sorted(unused, key=lambda n: n.at.order))


def _answer(check: Check) -> object:
    """What a check answers, in a form to compare, without what repeats the record."""
    final, findings = check.final, check.findings
    return (
        (check.declared.passed_out, final and final._replace(bidder=None, dealers_first=None)),
        (check.outcome.taken, check.after_penalties, check.winners),
        (check.standing, check.next_to_call, _points(check.account), check.why_unscored),
        [(f.rule, f.severity, f.laws, f.item, f.gives, f.readings, f.at.span) for f in findings],
        [[m.id for m in f.messages] for f in findings],
        [(w.choice, w.irregularity, w.offender, w.remedy, w.laws) for w in check.what_if],
        [_points(w.account) for w in check.what_if],
    )


def _points(account: Account | None) -> object:
    """An account in a form to compare, without the facts and the reasons of its entries."""
    entries = [entry._replace(reason=()) for entry in account.entries] if account else ()
    return account and account._replace(entries=(*entries,), facts=None)


# --- statements of a deal or group that need no trial ---------------------------------------------


def _untried(check: Check) -> Iterator[NotUsed]:
    """The statements that need no trial.

    They place a separately judged deal in a rubber or match, or claim something about a deal that
    is not scored.
    """
    deal, stated, part = check.source, check.source.standing_honour, check.source.declaration
    if deal.code and book().meant(deal.code) != check.rules.code:
        yield _idle(deal, "code", "other-code", _word(f"code {deal.code}"))
    if not check.grouped:
        if deal.tray is not None:
            yield _idle(deal, "tray", "in-match")
        if deal.table is not None:
            yield _idle(deal, "table", "in-match")
        if stated:
            honour = "standing honour"
            yield _idle(deal, honour, "in-rubber", _figures(honour, stated))
    if "score" not in check.only:
        return
    for number, (name, value) in enumerate(deal.tags):
        if SCORE_TAG.fullmatch(name):
            yield _idle(deal, "tag", "score-tag", _word(f"{name} {value}"), "tag", number)
    reason = check.why_unscored
    if reason == "of-a-board":
        yield _idle(deal, "vulnerable", reason)
    if reason is None or (check.final and not check.void):
        return
    if deal.result:
        yield _idle(deal, "result", reason)
    if deal.game:
        yield _idle(deal, "game", reason)
    # The score may have been checked against the points that count, possibly none.
    held = check.account and all(f.rule != "remedy.not-obeyed" for f in check.findings)
    scores = [n for n, s in enumerate(deal.scores) if not held or s.column == "gain"]
    numbers = {"honours": range(len(deal.honours)), "score": scores}
    for word, places in numbers.items():
        yield from (_idle(deal, word, reason, None, word, n) for n in places)
    unnumbered = part and part.odd_tricks is None and not check.declared.passed_out
    unnumbered = unnumbered and not (check.final or check.rules.has("making"))
    if part and (part.denomination is None or unnumbered) and not part.passed_out:
        by = None if part.denomination else part.declarer
        statement = Message("stated-seat", word="declaration by", seat=by) if by else None
        yield _idle(deal, "declaration", reason, statement)


def _idle(
    of: Deal | Group, word: str, reason: str, statement: Message | None = None, *item: str | int
) -> NotUsed:
    """An unused statement, by default the one identified by its word."""
    at = spot_of(of, *(item or (word,)))
    return NotUsed(word.replace(" ", "-"), reason, statement or _word(word), at)


def _word(word: str) -> Message:
    """A statement that is quoted by its word."""
    return Message("as-read", text=word)


def _figures(word: str, figures: Figures | None) -> Message:
    """A statement of figures for both sides."""
    of = {s.value: figures.of(s) for s in Side} if figures else {}
    return Message("stated-figures", word=word, **of)


def of_the_group(group: Group, counted: bool, teams: Collection[str]) -> tuple[NotUsed, ...]:
    """The statements of a rubber or match that have no effect.

    `counted` is true if its totals are known; `teams` are those with known totals.
    """
    claims = {
        "total": (group.total is not None, _figures("total", group.total)),
        "won by": (isinstance(group.won_by, Side), None),
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
    if isinstance(group.won_by, str) and group.won_by not in teams:
        winner = Message("stated-name", word="won by", name=group.won_by)
        found.append(NotUsed("won-by", reason, winner, spot_of(group, "won")))
    plays = Counter(deal.tray for deal in group.deals)
    for deal in group.deals if group.kind == "match" else ():
        if deal.tray is not None and plays[deal.tray] < 2:
            found.append(_idle(deal, "tray", "one-play", Message("stated-tray", tray=deal.tray)))
        if deal.table is not None:
            statement = Message("stated-name", word="table", name=deal.table)
            found.append(_idle(deal, "table", "tray-tells", statement))
    return tuple(found)


# --- of an irregularity ---------------------------------------------------------------------------


def _of_irregularities(
    deal: Deal, disproved: frozenset[Item | None], law: Rules
) -> Iterator[_Trial]:
    """A trial for every statement about an irregularity except its name, which is always used."""
    for index, incident in enumerate(record.with_items(deal)):
        why = "same"
        if incident.item in disproved:
            why = "disproved"
        elif incident.name not in rulings.catalogue():
            why = "no-irregularity"
        at = Spot(deal, incident.item, incident.span[0])
        for kind, what, others in _statements(incident, _cards_near(deal, incident)):
            reason = why
            if why == "same" and kind == "when":
                facts = stated_facts(incident)[0].keys() - stated_facts(others[0])[0].keys()
                asked_for = rulings.answer(incident.name, law.code, law.options).consulted
                reason = "no-law" if facts.isdisjoint(asked_for) else why
            statement = Message("stated-of-irregularity", name=incident.name, what=what)
            named = NotUsed(f"irregularity.{kind}", reason, statement, at)
            yield _Trial(named, "incidents", others, index)


def _cards_near(deal: Deal, incident: Incident) -> list[str]:
    """Cards to try: of its own card's suit, of those led to this trick and the next, and others."""
    at = int(incident.item[1]) if incident.item[0] == "play" else 0
    cards, starts = deal.cards or (), deal.trick_starts[at : at + 2]
    led = [CARD_OF_NUMBER.get(cards[n]) for n in starts if n < len(cards)]
    suits = {card.suit for card in (card_in(incident.of or ""), *led) if card}
    some = PACK[:: len(PACK) // 4 + 1]
    return [str(card) for card in PACK if card in some or card.suit in suits]


def _statements(
    incident: Incident, cards: Iterable[str]
) -> Iterator[tuple[str, Message, Sequence[Incident]]]:
    """Each statement of an irregularity: its kind, its text, and irregularities to try instead.

    `cards` are the values tried for a card.
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
    known = rulings.catalogue()[incident.name].facts if incident.name in rulings.catalogue() else {}
    for index, words in enumerate(facts):
        fact = words.replace(":", " ").partition(" ")[0]
        instead = ("", *(f"{fact} {value}" for value in known.get(fact, ())))
        stated = [", ".join((*facts[:index], i, *facts[index + 1 :])) for i in instead]
        changed = [replace(incident, when=w.strip(", ") or None) for w in stated]
        yield "when", Message("stated-name", word="when", name=words), changed


# --- of the deal ----------------------------------------------------------------------------------


def _of_the_deal(deal: Deal) -> Iterator[_Trial]:
    """Trials for the statements of a deal, except irregularities, that nothing else checks."""
    if deal.dealer and deal.calls is None and deal.tray is None:
        statement = Message("stated-seat", word="dealer", seat=deal.dealer)
        yield _Trial(_idle(deal, "dealer", "no-calls", statement), "dealer", (None, *SEATS))
    if deal.vulnerable is not None:
        sides = [frozenset(Side), *(frozenset({s}) for s in Side), frozenset[Side]()]
        yield _Trial(_idle(deal, "vulnerable", "no-law"), "vulnerable", (None, *sides))
    if deal.playing:
        statement = Message("stated-playing", playing=deal.playing)
        named = _idle(deal, "playing", "hands-or-pack", statement)
        yield _Trial(named, "playing", (None, "original", "overplay"))
    if deal.more_play:
        named = NotUsed("more-play", "not-written", Message("more-play"), spot_of(deal))
        yield _Trial(named, "more_play", (False,))
    for index, who in enumerate(deal.chicane):
        others = tuple(other for other in (*SEATS, *Side) if other is not who)
        at = spot_of(deal, "chicane", index)
        named = NotUsed("chicane", "same", _word(f"chicane {who.word}"), at)
        yield _Trial(named, "chicane", (None, *others), index)
    calls = deal.calls or ()
    for index, call in enumerate(calls):  # unrecorded calls, or `all pass` after the auction's end
        ended = index and record.kind_of(calls[index - 1]) not in ("bid", "double", "redouble")
        if call == record.UNRECORDED or (call == record.ALL_PASS and ended):
            word = "all pass" if call == record.ALL_PASS else "…"
            at = spot_of(deal, "bidding", index)
            yield _Trial(NotUsed("call", "auction-over", _word(word), at), "calls", (None,), index)
    for index, detail in enumerate(deal.hand_details):
        voids = [s for s, number in detail.small if not number]
        if voids and detail.partial:
            rest = replace(detail, small=tuple((s, n) for s, n in detail.small if n))
            statement = Message("stated-voids", seat=detail.seat, suits=tuple(voids))
            at = spot_of(deal, "hands", detail.seat.value)
            yield _Trial(NotUsed("hand", "no-card", statement, at), "hand_details", (rest,), index)
    for index, claim in enumerate(deal.claims):
        of = {"seat": claim.seat, "verb": claim.verb, "tricks": claim.tricks}
        # To claim half of the remaining tricks is the same as to concede half.
        opposite = replace(claim, verb="concedes" if claim.verb == "claims" else "claims")
        trials: dict[str, tuple[str, Sequence[Claim | None]]] = {"claim": ("", (opposite, None))}
        if claim.tricks is not None:
            numbers = [replace(claim, tricks=n) for n in (None, 0, claim.tricks + 1)]
            trials["claim.tricks"] = "how many", numbers
        if claim.answer:
            trials["claim.answer"] = claim.answer, [replace(claim, answer=a) for a in ANSWERS]
        at = spot_of(deal, "claims", index)
        for kind, (part, instead) in trials.items():
            statement = Message("stated-claim", **of, **({"part": part} if part else {}))
            yield _Trial(NotUsed(kind, "tricks-known", statement, at), "claims", instead, index)
