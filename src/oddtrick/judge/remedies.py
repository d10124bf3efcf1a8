"""Irregularities of a record and what was done about them, judged under its code.

Each case gets the ruling that applies to it. What the record says was chosen is held against it: is
it one of the remedies, was it the right player's to choose, was it lost, was it carried out. What
stands is carried out; what is dealt with as the law provides becomes a note.
"""

from __future__ import annotations

import difflib
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

from oddtrick.cards import Seat, Side
from oddtrick.judge.demands import DEMANDS, Demand, broken, chosen_leads, demands_of, undone
from oddtrick.judge.effects import DECISIONS, applied, has, is_of_score, penalties
from oddtrick.judge.events import Events
from oddtrick.judge.facts import Case, mattering, pointed_out, stated_facts
from oddtrick.judge.finding import Finding, Gives, Severity
from oddtrick.judge.incidents import REVOKES, Shown
from oddtrick.judge.message import Message
from oddtrick.judge.play import Outcome
from oddtrick.judge.procedures import LOST_PENALTY, Declared
from oddtrick.judge.remedy_words import NamedRemedy, further
from oddtrick.judge.roles import Roles
from oddtrick.judge.ruling import (
    Ruled,
    chooser_of,
    final_laws,
    forfeits,
    in_order,
    may_choose,
    rule,
    wrong_amount,
    wrong_suit,
)
from oddtrick.judge.score_procedures import Penalty
from oddtrick.law.book import MOST_CACHED, book
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Incident, Item
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Ruling

DONE_BY_WALK = ("forfeit", "void", "bar", "suffice")
"""The effects that the walk carries out, so that what the other side did has settled them."""


NON_PENALTY_GROUPS = ("score",)
"""The groups of the catalogue whose remedies are not penalties."""

TOO_LARGE = "hand-too-large"
"""The irregularity of a hand of too many cards."""

FEW = 4
"""A fact of fewer irregularities than so many is looked for in all of them."""

NOT_OBEYED = "call-not-obeyed"
"""The irregularity of a demand on the cards that was not met."""


class Judged(NamedTuple):
    """The findings on the declaration and on the play with the rulings on them, those on remedies.

    `penalties` are what the remedies do to the score; `dealt_anew` are the laws by which the
    cards are dealt anew, `play_out` those by which the hand must be played, `closed` those by
    which a column of the score stands as it was written.
    `open` are rights that the law gives and nobody used, each with what it would do.
    """

    declared: tuple[Finding, ...]
    played: tuple[Finding, ...]
    reported: tuple[Finding, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    dealt_anew: tuple[str, ...] = ()
    play_out: tuple[str, ...] = ()
    open: tuple[OpenRight, ...] = ()
    closed: tuple[tuple[str, str], ...] = ()


NOTHING = Judged((), ())
"""What there is of a record in which all was in order."""


@dataclass(frozen=True, slots=True)
class OpenRight:
    """A right that nobody used: the irregularity, who committed it, the remedy if there is a
    choice, and what it would do to the score."""

    irregularity: str
    offender: Seat
    remedy: Remedy | None
    penalties: tuple[Penalty, ...]


# --- judging ------------------------------------------------------------------------------------


def judge(events: Events, law: Rules, declared: Declared, outcome: Outcome) -> Judged:
    """Every finding with the ruling on it, and every remedy of the record held against its
    ruling; a deal that the law voids for its hands is void.
    """
    judged = _judged(events, law, declared, outcome)
    if not (anew := _misdealt(events, law)):
        return judged
    return judged._replace(dealt_anew=tuple(dict.fromkeys((*anew, *judged.dealt_anew))))


def _misdealt(events: Events, law: Rules) -> tuple[str, ...]:
    """The laws by which the cards are dealt anew since a hand, as it is written, is too large."""
    size, laws, deal = law.value("hand-size"), tuple[str, ...](), events.deal
    for seat, hand in events.hands:
        if hand.number > size:
            overplay, played = deal.playing == "overplay", deal.cards or deal.result
            facts = {"deal-noticed": "during-play" if played else "after-deal"}
            facts["playing"] = "in-overplay" if overplay else "original"
            case = Case(TOO_LARGE, seat, (), mattering(TOO_LARGE, facts))
            laws += _provisions(rule(case, law, Roles()).applied, "deal-again")
    return laws


def _judged(events: Events, law: Rules, declared: Declared, outcome: Outcome) -> Judged:
    if not (declared.findings or outcome.findings or events.every):
        return NOTHING
    findings = (*declared.findings, *outcome.findings)
    if not events.every and all(f.item is None for f in findings):
        return Judged(declared.findings, outcome.findings)  # there is no case without a thing
    shown = Shown(events, law, declared, outcome)
    cases = shown.cases(findings)
    cases = [_exacted_by(shown, case, cases) for case in cases]
    waived = {c.id: f for c in cases for f in _void_waivers(shown, c)}
    cases = [_not_waived(c) if c.id in waived else c for c in cases]
    unknown = [i for i, *_ in shown.recorded() if i.name not in rulings.catalogue() or i.when]
    if not cases and not unknown:
        return Judged(declared.findings, outcome.findings)
    every = _without_lost(shown, [_rule(shown, c) for c in cases if not c.disproved])
    every = [r for lines in _events(every) for r in in_order(lines)]
    demands = _demands(shown, every)
    of_remedies, disobeyed = _of_remedies(shown, every, demands)
    ruled = {
        r.case.finding: _with_ruling(shown, r.case.finding, r, bool(of_remedies[r.case.id]))
        for r in reversed(every)
        if r.case.finding and not r.idle
    }
    in_turn = {*chosen_leads(shown, demands), *(r.case.item for r in every if _allowed(r))}
    reported = [*_disproved(shown, cases), *_unknown(shown, unknown)]
    for r in every:
        of_remedies[r.case.id] += [waived[r.case.id]] if r.case.id in waived else []
        if r.case.incident and not r.case.finding:
            reported.append(_reported(shown, r, bool(of_remedies[r.case.id])))
        reported += of_remedies[r.case.id]
    voiding = [r for r in every if r.case.incident and has(r.applied, "deal-again")]
    anew = tuple(
        dict.fromkeys(x.provision for r in voiding for x in r.applied if has((x,), "deal-again"))
    )
    end = (len(outcome.tricks), 0)  # what no card shows comes after what the cards show
    in_turn_of_play = sorted(voiding or every, key=lambda r: r.case.at or end)
    ends = ("declaring.unfinished", "declaring.passed-out", "record.no-declaration") if anew else ()
    return Judged(
        tuple(ruled.get(f, f) for f in declared.findings if f.rule not in ends),
        tuple(ruled.get(f, f) for f in outcome.findings if f.item not in in_turn),
        tuple(reported),
        tuple(
            penalty
            for lines in _events(in_turn_of_play)
            for penalty in dict.fromkeys(p for r in lines for p in _penalties(r, law))
        ),
        anew,
        tuple(x.provision for r in every for x in r.applied if has((x,), "play-out")),
        tuple(o for r in (*every, *disobeyed) for o in _open(r)),
        tuple(
            (x.column, x.provision)
            for r in every
            # nobody may waive it
            for x in (applied(r.answer.ruling, None) if r.answer.ruling else ())
            if x.column and has((x,), "as-written")
        ),
    )


def _events(every: Iterable[Ruled]) -> list[list[Ruled]]:
    """The rulings, those on one event together."""
    events: list[list[Ruled]] = []
    for ruled in every:
        if ruled.case.again and events:
            events[-1].append(ruled)
        else:
            events.append([ruled])
    return events


def _allowed(ruled: Ruled) -> bool:
    """Whether a card is played before its turn as the law allows after another was."""
    case, ruling = ruled.case, ruled.answer.ruling
    after = case.incident is None and case.facts.get("third-played") == "yes"
    return bool(after and ruling and settled(ruling))


def _of_remedies(
    shown: Shown, every: Sequence[Ruled], demands: tuple[Demand, ...]
) -> tuple[dict[Item, list[Finding]], list[Ruled]]:
    """What is found wrong with the remedies of each case, by its id, and the rulings on demands
    that were not obeyed.
    """
    by_case = {r.case.id: [*_choice_findings(shown, r), *_undone(shown, r)] for r in every}
    disobeyed: list[Ruled] = []
    recorded = [r for r in every if r.case.name == NOT_OBEYED]
    for demand, found, case in _broken(shown, every, demands):
        own = next((r for r in recorded if case and _of_that_card(r.case, case)), None)
        if own is not None:
            recorded.remove(own)
            paid = own.answer.kind == "ruling" and _dealt_with(own) and not by_case[own.case.id]
            note = paid and found.severity is Severity.IRREGULAR
            found = found._replace(severity=Severity.NOTE) if note else found
        elif case:
            disobeyed.append(_rule(shown, case))
            found = _with_remedies(found, disobeyed[-1])
        by_case[demand.case].append(found)
    return by_case, disobeyed


def _of_that_card(recorded: Case, broken: Case) -> bool:
    """Whether it is recorded of a card that did not obey: of its player, not before its trick."""
    own, at = recorded.trick, broken.trick
    return recorded.seat is broken.seat and (own is None or at is None or own >= at)


def _rule(shown: Shown, case: Case) -> Ruled:
    """The ruling on a case, with what it is punished as: of a call that of the walk."""
    if closed := shown.closed.get(case.id):
        return replace(closed, case=case)
    return rule(case, shown.law, shown.roles_at(case), lambda name: shown.facts_of(name, case))


def _exacted_by(shown: Shown, case: Case, cases: Sequence[Case]) -> Case:
    """The case of a penalty that is talked of, with whether one player alone may exact it.

    So it is where the law gives to one player each remedy for what stands beside it.
    """
    known = rulings.catalogue()[case.name].facts
    if "penalty-whose" not in known or "penalty-whose" in case.facts or not case.seat:
        return case
    whose = set[str]()
    for other in cases:
        ours = other.seat is None or other.seat.side is case.seat.side or other.disproved
        if ours or (shown.apart(case, other) and not shown.left_open(other, case)):
            continue
        ruled, roles = _rule(shown, other), shown.roles_at(other)
        given = (r for ruling in ruled.rulings for r in ruling.remedies)
        exacted = [r for r in given if r.chosen_by != "nobody"]
        chosen = [r for r in exacted if r.id == ruled.chosen] or exacted
        for seats in (roles.seats(r.chosen_by, other.seat) for r in chosen):
            whose.add("one" if seats and len(seats) == 1 else "either")
    answers = {"penalty-whose": "one" if whose == {"one"} else "either"} if whose else {}
    return replace(case, facts={**case.facts, **answers})


def _governed(ruled: Ruled, about: str) -> bool:
    """Whether a general law of the code on exacting is on the penalty for an irregularity."""
    choosers = frozenset(r.chosen_by for ruling in ruled.rulings for r in ruling.remedies)
    rules = rulings.exacting(ruled.answer.code, ruled.case.group, choosers)
    return any(rule.about == about for rule in rules)


def _void_waivers(shown: Shown, case: Case) -> Iterator[Finding]:
    """That a new deal was waived which the law orders by itself.

    Of a card, not of a call, that a penalty was waived by a player who could not exact it.
    """
    incident = case.incident
    if incident is None or incident.waived_by is None:
        return
    of = {"irregularity": case.name, "player": incident.waived_by}
    roles, ruled = shown.roles_at(case), _rule(shown, _not_waived(case))
    if ordered := _provisions(ruled.applied, "deal-again"):
        message = Message("ordered-deal-waived", **of)
        yield shown.finder.find("remedy.not-allowed", message, incident, laws=ordered)
        return
    if case.item in shown.made:
        return
    given = [r for ruling in ruled.rulings for r in ruling.remedies]
    exacted = [r for r in given if r.chosen_by != "nobody"] or given
    choosers = {chooser_of(r, case, roles) for r in exacted} - {"nobody"} or {"other-side"}
    allowed = [roles.seats(chooser, case.seat) for chooser in choosers]
    if not allowed or not all(allowed) or any(incident.waived_by in s for s in allowed if s):
        return
    message = Message("waived-by-another", **of, choosers=tuple(sorted(choosers)))
    laws = dict.fromkeys(r.provision for r in exacted)
    yield shown.finder.find("remedy.wrong-chooser", message, incident, more=tuple(laws))


def _not_waived(case: Case) -> Case:
    """The case as if nobody had waived it."""
    own = replace(case.incident, waived_by=None) if case.incident else None
    return replace(case, incident=own)


def _noticed_by_dummy(shown: Shown, case: Case) -> tuple[str, ...]:
    """The laws that take a penalty away because dummy, as the record says, noticed the offence."""
    name, noticed = "dummy-calls-attention", case.incident.noticed_by if case.incident else None
    if noticed is None or case.seat is None or shown.role(noticed) != "dummy":
        return ()
    incident = pointed_out(case.name)
    if case.seat.side is noticed.side or incident is None:
        return ()
    return forfeits(shown.law, name, {"incident": incident})


def _without_lost(shown: Shown, every: list[Ruled]) -> list[Ruled]:
    """The rulings, without the remedies of a side that has lost its right to them.

    By what is recorded at the same call or card as the offence, or at neither; and with the demands
    that stand so.
    """
    takers = [r for r in every if r.case.incident and not r.case.finding and r.case.seat]
    # What each takes away is worked out once: there are as many pairs as the square of the cases.
    taking = {
        effect: [(t, laws) for t in takers if (laws := _provisions(t.applied, effect))]
        for effect in ("forfeit", "keep")
    }

    def by(effect: str, ruled: Ruled, passed_over: Container[str] = ()) -> tuple[str, ...]:
        case = ruled.case
        if effect == "forfeit" and (by_dummy := _noticed_by_dummy(shown, case)):
            return by_dummy
        for taker, laws in taking[effect]:
            other = taker.case
            if other is case or not case.seat or not other.seat or other.name in passed_over:
                continue
            if other.seat.side is case.seat.side:
                continue
            # What is done about an open penalty takes away that for an earlier offence.
            still_open = other.facts.get("demanded") == "no" and shown.left_open(case, other)
            beside = not shown.apart(case, other) or still_open
            if beside and (other.name != "consultation" or _governed(ruled, "consultation")):
                return laws
        return ()

    def claimed(ruled: Ruled) -> bool:
        """Whether it was claimed in time, so that no more than the penalty is lost."""
        catalogue, name = rulings.catalogue(), ruled.case.name
        return bool(by("forfeit", ruled, {n for n in catalogue if name in catalogue[n].see}))

    return [
        replace(r, lost=by("forfeit", r), upheld=by("keep", r), claimed=claimed(r)) for r in every
    ]


def _provisions(remedies: Iterable[Remedy], effect: str) -> tuple[str, ...]:
    """The laws of those of some remedies that have an effect."""
    return tuple(r.provision for r in remedies if has((r,), effect))


# --- findings -----------------------------------------------------------------------------------


def _disproved(shown: Shown, cases: Sequence[Case]) -> Iterator[Finding]:
    """What is recorded and the calls or cards disprove."""
    for case in cases:
        if case.disproved and case.incident:
            message = Message("disproved", irregularity=case.name, why=case.disproved)
            # The law behind the rule is that on following suit.
            laws = None if case.name in REVOKES else _laws(_rule(shown, case))
            yield shown.finder.find("remedy.disproved", message, case.incident, laws=laws)


def _unknown(shown: Shown, incidents: Sequence[Incident]) -> Iterator[Finding]:
    """What is recorded under a name, or with facts, that the catalogue does not have."""
    catalogue = rulings.catalogue()
    for incident in dict.fromkeys(incidents):
        if incident.name not in catalogue:
            near = _nearest_name(incident.name)
            hint = (Message("did-you-mean", name=near),) if near else ()
            messages = (Message("unknown-irregularity", name=incident.name), *hint)
            severity = Severity.INCOMPLETE
            if incident.waived_by:
                messages = (Message("unknown-irregularity-accepted", name=incident.name),)
                severity = Severity.NOTE
            yield shown.finder.find("record.not-used", messages, incident, severity)
            continue
        for words in stated_facts(incident)[1]:
            known, fact = catalogue[incident.name].facts, words.lower().replace(":", " ")
            messages = (Message("unknown-fact", words=words, irregularity=incident.name),)
            messages += (Message("known-facts", facts=tuple(known)),) if known else ()
            fact = fact.partition(" ")[0]
            turning = tuple(name for name, item in catalogue.items() if fact in item.facts)
            if 0 < len(turning) < FEW:
                messages += (Message("fact-of", irregularities=turning),)
            yield shown.finder.lacks("record.not-used", messages, incident)


@lru_cache(MOST_CACHED)
def _nearest_name(name: str) -> str:
    """The name of the catalogue that is most like another; empty where none is."""
    return next(iter(difflib.get_close_matches(name, rulings.catalogue(), n=1, cutoff=0.6)), "")


def _reported(shown: Shown, ruled: Ruled, faults: bool) -> Finding:
    """An irregularity that only the record tells of, with the law and the ruling on it."""
    case, answer = ruled.case, ruled.answer
    assert case.incident is not None
    severity = Severity.NOTE
    recorded = Message("irregularity-recorded", irregularity=case.name, player=case.seat)
    messages: tuple[Message, ...] = (recorded,)
    if answer.kind in ("silent", "absent"):
        severity = Severity.SILENT
        messages += (Message("as-read", text=answer.reason),)
    elif ruled.lost:
        messages += (Message("right-lost"),)
    elif not faults and has(ruled.applied, "deal-again"):
        messages += (Message("deal-void"),)
    laws = tuple(dict.fromkeys((*_laws(ruled), *ruled.lost)))
    found = shown.finder.find("remedy.irregularity", messages, case.incident, severity, laws=laws)
    return _with_remedies(found, ruled)


def _laws(ruled: Ruled) -> tuple[str, ...]:
    """The laws on an irregularity; where more than one ruling may apply, those of all of them.

    With those of the penalty, where it is that of another law.
    """
    possible = ruled.answer.possible
    if not possible:
        further = (r.provision for ruling in ruled.further for r in ruling.remedies)
        return tuple(dict.fromkeys((*ruled.answer.laws, *further)))
    every = tuple(dict.fromkeys(law for r in possible for law in r.laws))
    return tuple(law for law in every if all(law in r.laws for r in possible)) or every


def _with_remedies(finding: Finding, ruled: Ruled) -> Finding:
    """The finding with what the code gives and the readings it rests on."""
    answer, name, seat = ruled.answer, ruled.answer.irregularity, ruled.case.seat
    if answer.kind == "ruling" and answer.ruling:
        every = (answer.ruling, *ruled.further)
        given = tuple(Gives(name, r, ruled.presumed, offender=seat) for r in every)
        readings = tuple(dict.fromkeys((*finding.readings, *answer.ruling.readings)))
        return finding._replace(gives=given, readings=readings)
    if answer.ruling:  # the code gives nothing
        readings = tuple(dict.fromkeys((*finding.readings, *answer.ruling.readings)))
        return finding._replace(readings=readings)
    given = tuple(Gives(name, r, possible=True, offender=seat) for r in answer.possible)
    return finding._replace(gives=given) if given else finding


def _with_ruling(shown: Shown, finding: Finding, ruled: Ruled, faults: bool) -> Finding:
    """The finding with what the code gives for it; a note where it stands or was dealt with."""
    answer, incident = ruled.answer, ruled.case.incident
    own = _own_laws(finding, ruled, shown.law)
    found = _with_remedies(finding, ruled)._replace(laws=own or finding.laws)
    if finding.severity is not Severity.IRREGULAR:
        return found
    ruling = answer.ruling if answer.ruling and settled(answer.ruling) else None
    if ruling and incident is None:
        goes = _goes(ruling)
        lets = answer.laws if goes else tuple(r.provision for r in ruling.remedies)
        laws = tuple(dict.fromkeys((*own, *lets)))
        messages = (*found.messages, *goes)
        return found._replace(severity=Severity.NOTE, messages=messages, laws=laws)
    unpunished = ruling and not _goes(ruling)  # whatever was wrongly asked for it
    dealt_with = incident and answer.kind == "ruling" and _dealt_with(ruled)
    if by := _put_right(shown, ruled):
        dealt_with = True
        found = found._replace(laws=tuple(dict.fromkeys((*found.laws, *by))))
    done = unpunished or (not faults and (ruling or dealt_with))
    return found._replace(severity=Severity.NOTE) if done else found


def settled(ruling: Ruling) -> bool:
    """Whether the law itself settles an irregularity, and leaves nobody anything to do or to ask.

    It condones it, and what else follows the walk keeps.
    """
    kinds = {k.id: k for k in book().vocabulary.remedies}
    lets = [r for r in ruling.remedies if kinds[r.id].condones]
    others = (r for r in ruling.remedies if r not in lets and not kinds[r.id].closes)
    over = bool(lets) and all(any(has((r,), e) for e in DONE_BY_WALK) for r in others)
    return over and not ruling.choices and all(r.chosen_by == "nobody" for r in ruling.remedies)


def _goes(ruling: Ruling) -> tuple[Message, ...]:
    """What becomes of a call or card that the law has settled."""
    if has(ruling.remedies, "void"):
        return (Message("counts-for-nothing"),)
    stands = has(ruling.remedies, "stand") or has(ruling.remedies, "forfeit")
    return (Message("stands"),) if stands else ()


def _own_laws(finding: Finding, ruled: Ruled, law: Rules) -> tuple[str, ...]:
    """The laws of a finding without those behind its rule that are only for other irregularities.

    A bid out of turn does not rest on the law of the pass out of turn.
    """
    answer = ruled.answer
    own = {law for r in ruled.rulings for law in r.laws} | set(answer.laws)
    if finding.laws != law.finding_laws.get(finding.rule) or not own:
        return finding.laws
    every = _laws_of(finding.rule, answer.code, answer.options)
    return tuple(a for a in finding.laws if a in own or a not in every)


@cache
def _laws_of(rule: str, code: str, options: tuple[str, ...]) -> frozenset[str]:
    """Every law that gives a remedy for one of the irregularities behind a finding."""
    entries = (
        book().entry(item.id, code, options)
        for item in rulings.catalogue().values()
        if item.finding == rule
    )
    return frozenset(
        remedy.provision
        for entry in entries
        if entry
        for case in entry[0].rulings
        for remedy in case.remedies
    )


def _dealt_with(ruled: Ruled) -> bool:
    """Whether something was done about an irregularity as the law provides."""
    incident = ruled.case.incident
    assert incident is not None
    decided = bool(stated_facts(incident)[0].keys() & set(DECISIONS))
    done = decided or (incident.noticed_by and not incident.remedy)
    return bool(incident.waived_by or ruled.chosen or done)


def _put_right(shown: Shown, ruled: Ruled) -> tuple[str, ...]:
    """The laws by which the offender replaced his call himself; none if he did not."""
    index, made = shown.made.get(ruled.case.item, (-1, None))
    after = shown.declared.calls[index + 1 : index + 2] if made else ()
    own = [r for ruling in ruled.rulings for r in ruling.remedies if r.chosen_by == "offender"]
    return tuple(r.provision for r in own if any(m.call.corrects and not m.void for m in after))


def _choice_findings(shown: Shown, ruled: Ruled) -> Iterator[Finding]:
    """Whether the remedy that the record names is allowed, and was that player's to choose."""
    case, incident = ruled.case, ruled.case.incident
    if incident is None:
        return
    find = shown.finder.find
    if incident.waived_by and ruled.idle and not incident.remedy:
        who = incident.waived_by
        message = Message("waived-after-a-demand", irregularity=case.name, player=who)
        if ruled.spent:
            yield find("remedy.not-allowed", message, incident, laws=ruled.spent)
        elif not ruled.lost:
            yield shown.finder.lacks("record.not-used", message, incident)
    if not incident.remedy:
        return
    refused = _refused(shown, ruled)
    if refused is not None:
        yield from refused
        return
    remedy = ruled.named
    assert remedy is not None
    for words in _besides(ruled):
        message = _of_remedy("second-remedy", ruled, second=words)
        yield shown.finder.lacks("record.not-used", message, incident)
    amount, suit, more = wrong_amount(remedy, case), wrong_suit(remedy, case), (remedy.provision,)
    if amount is not None:
        amounts = {"stated": amount, "due": remedy.number}
        of = {"irregularity": case.name, "figure": remedy.figure}
        message = Message("wrong-amount", **of, **amounts)
        yield find("remedy.not-allowed", message, incident, more=more)
    if suit is not None:
        message = _of_remedy("wrong-suit", ruled, suit=suit)
        yield find("remedy.not-allowed", message, incident, more=more)
    roles = shown.roles_at(case)
    if not may_choose(remedy, case, roles) and incident.chosen_by:
        chooser = chooser_of(remedy, case, roles)
        seats = tuple(roles.seats(chooser, case.seat) or ())
        player = incident.chosen_by
        message = _of_remedy("wrong-chooser", ruled, player=player, chooser=chooser, seats=seats)
        yield find("remedy.wrong-chooser", message, incident, more=more)


def _of_remedy(name: str, ruled: Ruled, **data: Hashable) -> Message:
    """A message about the remedy that the record names for an irregularity."""
    asked = ruled.case.incident.remedy if ruled.case.incident else None
    return Message(name, irregularity=ruled.case.name, remedy=asked, **data)


def _refused(shown: Shown, ruled: Ruled) -> tuple[Finding, ...] | None:
    """Why what the record names does not apply, or is not judged; `None` of a remedy that is
    among those of the law.
    """
    answer, incident = ruled.answer, ruled.case.incident
    assert incident is not None
    find, lacks = shown.finder.find, shown.finder.lacks
    if answer.kind in ("silent", "absent"):
        severity = Severity.SILENT
        general = shown.law.finding_laws.get("remedy.not-allowed")
        if answer.kind == "absent" and (answer.laws or general):
            severity = Severity.IRREGULAR
        messages = (_of_remedy("remedy-named", ruled), Message("as-read", text=answer.reason))
        return (find("remedy.not-allowed", messages, incident, severity, more=answer.laws),)
    if ruled.lost:
        message = _of_remedy("right-to-remedy-lost", ruled)
        return (find("remedy.not-allowed", message, incident, laws=ruled.lost),)
    if ruled.upheld or (incident.waived_by and not incident.chosen_by):
        return ()  # what is waived is named, and not exacted
    if incident.waived_by:
        message = _of_remedy("remedy-waived", ruled, player=incident.waived_by)
        if final := final_laws(ruled):
            return (find("remedy.not-allowed", message, incident, laws=final),)
        return (lacks("record.not-used", (message, Message("not-judged")), incident),)
    if ruled.spent:
        message = _of_remedy("decided-before", ruled)
        doubts = tuple(dict.fromkeys(d for ruling in ruled.rulings for d in ruling.readings))
        return (find("remedy.not-allowed", message, incident, laws=ruled.spent, readings=doubts),)
    return None if ruled.named else (_not_of_the_law(shown, ruled),)


def _not_of_the_law(shown: Shown, ruled: Ruled) -> Finding:
    """What the record gives is no remedy, or none that the law has for this."""
    incident = ruled.case.incident
    assert incident is not None
    if not (ruled.case.asked and ruled.case.asked.ids):
        message = _of_remedy("no-remedy", ruled, rulings=ruled.rulings)
        return shown.finder.lacks("record.not-used", message, incident)
    message = _of_remedy("no-such-remedy", ruled, rulings=ruled.rulings)
    laws = [r.provision for ruling in ruled.rulings for r in ruling.remedies]
    # A law on wrong demands is of penalties, and to correct a score is none.
    behind = () if ruled.case.group in NON_PENALTY_GROUPS else None
    return shown.finder.find("remedy.not-allowed", message, incident, laws=behind, more=laws)


def _besides(ruled: Ruled) -> Iterator[str]:
    """The words that name a second remedy beside the one that was chosen, and not with it."""
    words = ruled.case.incident.remedy if ruled.case.incident else None
    went_with = {r.id for r in ruled.applied if not has((r,), "demand")} | {ruled.chosen}
    for second, named in further(words or ""):
        if named.ids and went_with.isdisjoint(named.ids):
            yield second


def _to_be_done(ruled: Ruled) -> tuple[Remedy, ...]:
    """The remedies that are held against what follows.

    The one that was chosen, and of those that apply by themselves a new deal and what binds the
    cards.
    """
    incident = ruled.case.incident
    if incident is None or ruled.lost or ruled.idle or (incident.remedy and not ruled.chosen):
        return ()
    chosen = [r for ruling in ruled.rulings for r in ruling.remedies if r.id == ruled.chosen]
    orders = [r for r in ruled.applied if has((r,), "demand")]
    orders += [r for r in ruled.applied if has((r,), "deal-again")][:1]
    return tuple(dict.fromkeys((*chosen[:1], *orders)))


def _undone(shown: Shown, ruled: Ruled) -> Iterator[Finding]:
    """What was to be done about a call or the deal, and was not; what is not judged."""
    case, incident = ruled.case, ruled.case.incident
    for remedy in _to_be_done(ruled):
        given = (
            r for ruling in ruled.rulings if remedy in ruling.remedies for r in ruling.readings
        )
        others = ruled.applied if len(ruled.possible) > 1 else ()
        alike = [r for r in others if r.effects == remedy.effects]
        doubts = tuple(dict.fromkeys(given))
        more = tuple(dict.fromkeys(r.provision for r in (remedy, *alike)))
        points = [p.number for p in _penalties(ruled, shown.law) if p.column == "trick"]
        earlier = any((e.id, e.of) == ("final", "earlier") for e in remedy.effects)
        rests = shown.law.readings("earlier-bid") if earlier else ()
        doubtful = any(r not in shown.law.chosen for r in rests)
        for what in undone(shown, case, remedy, points):
            # What the code says of a called card not played is no law on a bid or a deal.
            yield shown.finder.find(
                "remedy.not-obeyed",
                Message("remedy-undone", irregularity=case.name, what=what),
                incident,
                Severity.DISPUTED if doubtful else Severity.IRREGULAR,
                laws=(),
                more=more,
                readings=tuple(dict.fromkeys((*rests, *doubts))),
            )
        if has((remedy,), "unjudged"):
            message = Message("remedy-unjudged", irregularity=case.name, remedy=remedy)
            yield shown.finder.lacks("record.not-used", message, incident)


def _demands(shown: Shown, every: Sequence[Ruled]) -> tuple[Demand, ...]:
    """All that is demanded of the cards."""
    return tuple(
        demand
        for r in every
        for remedy in _to_be_done(r)
        for demand in demands_of(shown, r.case, remedy)
    )


def _broken(
    shown: Shown, every: Sequence[Ruled], demands: tuple[Demand, ...]
) -> Iterator[tuple[Demand, Finding, Case | None]]:
    """What was demanded of the cards and not done: one walk through the play with all of it.

    A call that was not obeyed is an irregularity of its own.
    """
    names = {r.case.id: r.case.name for r in every}
    for demand, what, turn in broken(shown, demands):
        message = Message("remedy-undone", irregularity=names[demand.case], what=what)
        facts = {"called-what": _called(demand, shown.law)}
        if turn.at[0] + 1 < len(shown.outcome.tricks) or shown.outcome.complete:
            facts["trick-gathered"] = "turned"
        found = shown.finder.find(
            "remedy.not-obeyed",
            message,
            turn.played,
            laws=() if DEMANDS[demand.of].called is None else _laws_on_calls(shown.law, facts),
            more=(demand.law,),
            readings=_readings_on_calls(shown.law, facts),
        )
        case = Case(NOT_OBEYED, turn.seat, turn.played.item, facts, None, found, turn.at)
        yield demand, found, None if DEMANDS[demand.of].called is None else case


def _called(demand: Demand, law: Rules) -> str:
    """What was called, by the answers of the catalogue.

    Where the law on calls that are not obeyed lists the laws under which a suit is called, a suit
    may be called under another.
    """
    of_play = _on_calls(law, {"called-what": "play"})
    places = (book().provision(r.provision) for r in of_play.remedies) if of_play else ()
    listed = [reference.to for place in places if place for reference in place.refs]
    numbers = {str(address).partition(".")[0] for address in listed}
    own = demand.of == "suit" and demand.law.partition(".")[0] not in numbers
    return "elsewhere" if listed and own else DEMANDS[demand.of].called or "play"


def _laws_on_calls(law: Rules, facts: Mapping[str, str]) -> tuple[str, ...] | None:
    """The laws on such a call that is not obeyed; none where the code is silent on it.

    `None` where they are the code's general law.
    """
    of_it, plain = _on_calls(law, facts), _on_calls(law, {**facts, "called-what": "play"})
    if of_it is None or of_it.silent:
        return ()
    return None if plain and of_it.id == plain.id else of_it.laws


def _readings_on_calls(law: Rules, facts: Mapping[str, str]) -> tuple[str, ...]:
    """The readings on which it rests what the code says of such a call that is not obeyed."""
    ruling = _on_calls(law, facts)
    return ruling.readings if ruling else ()


def _on_calls(law: Rules, facts: Mapping[str, str]) -> Ruling | None:
    """The ruling when the trick has been turned: then it can no longer be put right."""
    turned = {**facts, "trick-gathered": "turned"}
    return rulings.answer(NOT_OBEYED, law.code, law.options, turned).ruling


# --- the score ----------------------------------------------------------------------------------


def _penalties(ruled: Ruled, law: Rules) -> Iterator[Penalty]:
    """What the remedies that were taken do to the score."""
    case, incident, answer = ruled.case, ruled.case.incident, ruled.answer
    if answer.ruling is None or case.seat is None or incident is None or ruled.idle:
        return
    if incident.waived_by or not (incident.noticed_by or incident.remedy):
        return
    if case.asked and ruled.upheld and not ruled.lost:
        yield from _paid(ruled, case.asked, case.seat.side)
        return
    refused = bool(incident.remedy and ruled.chosen is None)
    if ruled.lost or (refused and ruled.by_demand):
        if ruled.claimed or not ruled.lost:
            yield from _left(ruled, law, case.seat.side)
        return
    for ruling in (answer.ruling, *ruled.further):
        own = ruling._replace(remedies=applied(ruling, None)) if refused else ruling
        yield from penalties_of(case.name, own, case.seat.side, ruled.chosen)


def _left(ruled: Ruled, law: Rules, offenders: Side) -> Iterator[Penalty]:
    """What is left on the score of a penalty to which the right is lost, where the code says so."""
    left = law.procedure("lost-penalty", LOST_PENALTY)
    doubts = law.readings("lost-penalty")
    for ruling in ruled.rulings if left else ():
        own = (r for r in applied(ruling, None) if left and left(r.chosen_by != "nobody"))
        yield from penalties(own, offenders, ruled.case.name, (*ruling.readings, *doubts))


def _paid(ruled: Ruled, asked: NamedRemedy, offenders: Side) -> Iterator[Penalty]:
    """What a demand that was paid does to the score, though the law does not give it."""
    name = ruled.case.name
    meant = ruled.named.effects if ruled.named else ()
    for effect in asked.effects or meant:
        if is_of_score(effect):
            yield Penalty(offenders, effect.id, asked.amount, name, ruled.upheld, (), effect.of)


def penalties_of(
    name: str, ruling: Ruling, offenders: Side, chosen: str | None
) -> tuple[Penalty, ...]:
    """What a ruling does to the score.

    What follows by itself, and the choice that was made, or that is the only one.
    """
    only: tuple[Remedy, ...] = ()
    if chosen is None and len(ruling.choices) < 2:
        only = ruling.choices[0] if ruling.choices else ruling.always
    taken = tuple(dict.fromkeys((*applied(ruling, chosen), *only)))
    return penalties(taken, offenders, name, ruling.readings)


def _open(ruled: Ruled) -> Iterator[OpenRight]:
    """The rights to a score that the law gives and nobody used."""
    case, incident, ruling = ruled.case, ruled.case.incident, ruled.answer.ruling
    used = incident and (incident.waived_by or incident.noticed_by or incident.remedy)
    if used or ruling is None or case.seat is None or ruled.lost or ruled.idle:
        return
    for remedy in [r for choice in ruling.choices for r in choice]:
        if moved := penalties_of(case.name, ruling, case.seat.side, remedy.id):
            yield OpenRight(case.name, case.seat, remedy, moved)
    if not ruling.choices and (moved := penalties_of(case.name, ruling, case.seat.side, None)):
        yield OpenRight(case.name, case.seat, None, moved)
