"""Judge the irregularities of a record, and what was done about them, under its code.

Each case gets the ruling that applies to it. The remedy recorded as chosen is then checked: whether
the law provides it, whether that player was entitled to choose it, whether the right was lost,
whether it was carried out. A valid remedy takes effect; an irregularity that was dealt with as the
law provides becomes a note.
"""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from oddtrick.cards import Seat, Side
from oddtrick.judge.demands import Demand, broken, chosen_leads, of_player
from oddtrick.judge.effects import EFFECTS, EXPOSED, Order, applied, demands_of, has, penalties
from oddtrick.judge.events import Events
from oddtrick.judge.facts import stated_facts
from oddtrick.judge.finding import Finding, Gives, Message, Severity
from oddtrick.judge.incidents import Shown
from oddtrick.judge.play import Outcome, check_hands
from oddtrick.judge.procedures import DECLARING, Declared
from oddtrick.judge.remedy_words import further
from oddtrick.judge.roles import Roles
from oddtrick.judge.ruling import (
    UNRULED,
    Case,
    chooser_of,
    exacting,
    forfeits,
    in_order,
    may_choose,
    provisions,
    remedies_of,
    rule,
    written_at,
    wrong_amount,
    wrong_suit,
)
from oddtrick.judge.score_procedures import Penalty
from oddtrick.judge.table import limit
from oddtrick.law.book import MOST_CACHED, book
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Incident, Item
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Ruling

DISOBEYED = "disobeyed-demand"
"""The event from which the irregularity of not meeting a demand on the cards arises."""

DISPROVED = "remedy.disproved"
"""The finding on a report that calls or cards contradict."""

MOST_NAMED = 3
"""The most irregularities that a message names as those that turn on a fact."""

ENDS = ("declaring.unfinished", "declaring.passed-out", "record.no-declaration")
"""Findings on an unfinished declaration, dropped if the cards are dealt again."""


class Judged(NamedTuple):
    """The findings on declaration, play, remedies and the cards as dealt, with their rulings.

    `penalties` are what the remedies do to the score; `on_the_deal` are those that void the deal
    or, if none does, all that apply;
    `play_out` are the laws by which the hand must be played, `closed` those by which a column of
    the score remains as it was written, `corrected` the columns in which an error was put right;
    `denied` are the penalties demanded that are not due.
    `unused` are the cases in which nobody used a right that the law gives.
    """

    declared: tuple[Finding, ...]
    played: tuple[Finding, ...]
    reported: tuple[Finding, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    on_the_deal: tuple[Remedy, ...] = ()
    play_out: tuple[str, ...] = ()
    unused: tuple[Case, ...] = ()
    closed: tuple[tuple[str, str], ...] = ()
    dealt: tuple[Finding, ...] = ()
    corrected: frozenset[str] = frozenset()
    denied: tuple[Penalty, ...] = ()

    @property
    def dealt_anew(self) -> tuple[str, ...]:
        """The laws that require a new deal."""
        return tuple(dict.fromkeys(provisions(self.on_the_deal, "deal-again")))

    @property
    def dealt_next_by(self) -> dict[str, str]:
        """Who deals next (`same`, `proper`, `left`), each with the law that says so."""
        every = ((e, r.provision) for r in self.on_the_deal for e in r.effects)
        return {str(e.of): law for e, law in every if e.id == "redeal"}


NOTHING = Judged((), ())
"""The result for a record without irregularities."""


# --- judging ------------------------------------------------------------------------------------


def judge(
    events: Events, law: Rules, declared: Declared, outcome: Outcome, due: Seat | None
) -> Judged:
    """Rule on every finding and check every remedy of the record against its ruling.

    A deal with a hand that is too large is void if the law makes it so. `due` is the player whose
    turn it was to deal, if known.
    """
    misdealt = tuple(_misdealt(events, law))
    dealt = tuple(check_hands(events, law))
    findings = (*declared.findings, *outcome.findings, *dealt)
    if not events.every and all(f.item is None for f in findings):
        # Only an item of the record can have a case.
        return Judged(declared.findings, outcome.findings, on_the_deal=misdealt, dealt=dealt)
    shown = Shown(events, law, declared, outcome, due)
    found = [[_with_waiver(shown, c) for c in x] for x in _ruled(shown, shown.cases(findings))]
    standing = _without_lost(shown, [[c for c in x if not c.disproved] for x in found])
    standing = [in_order(lines) for lines in standing]
    every = [*chain(*standing)]
    demands = tuple(d for c in every for r in _to_be_done(c) for d in demands_of(shown, c, r))
    disobeyed = [*_disobeyed(shown, every, demands)]
    # What was called, and whether the trick was quitted, is known for the lines that report it too.
    known = {d.report: d.case.facts for d in disobeyed}
    more = {c.id: {**known[c.id], **c.facts} for c in every if c.id in known}
    every = [_rule(shown, c._replace(facts=more[c.id])) if c.id in more else c for c in every]
    ruled = {c.id: c for c in every}
    standing = [[ruled[c.id] for c in lines] for lines in standing]
    faults, unreported = _faults(shown, every, disobeyed)
    found_at = {
        (c.finding.rule, c.finding.at): c for c in reversed(every) if c.finding and not c.idle
    }

    def with_rulings(findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            case = found_at.get((finding.rule, finding.at))
            yield _with_ruling(shown, finding, case, bool(faults[case.id])) if case else finding

    disproved = (_disproved(shown, c, c.disproved) for c in chain(*found) if c.disproved)
    reported = [*disproved, *_unknown(shown)]
    for case in every:
        own = [*faults[case.id], *case.void_waiver]
        only_reported = not case.finding and all(f.rule != DISPROVED for f in own)
        reported += [*([_reported(shown, case, bool(own))] if only_reported else []), *own]
    voiding = [c for c in every if c.incident and has(c.applied, "deal-again")]
    # The law condones a card played before its turn if third hand has played.
    condoned = (
        c.item
        for c in every
        if c.incident is None and c.facts.get("third-played") == "yes" and is_condoned(c.answer)
    )
    in_turn = {*chosen_leads(shown, demands), *condoned}
    end = (len(outcome.tricks), 0)  # reports without a card come after those that the cards show
    scored = [[c for c in lines if not voiding or c in voiding] for lines in standing]
    scored.sort(key=lambda lines: lines[0].at or end if lines else end)
    moved = [dict.fromkeys(p for c in lines for p in _penalties(c, law)) for lines in scored]
    unused = (
        c
        for c in (*every, *unreported)
        if c.answer.ruling and c.seat and not (c.lost or c.idle)
        if not (c.waived_by or c.line.noticed_by or c.line.remedy)
    )
    # If a reported hand voids the deal, the findings on the other hands add nothing.
    moot = {c.finding.rule for c in voiding if c.finding}
    put_right = (c.irregularity.column for c in every if c.chosen and not faults[c.id])
    denied = (
        replace(p, laws=(*p.laws, *c.lost))
        for c in every
        if c.seat and c.named and faults[c.id]
        for p in penalties((c.named,), c.seat.side, c.name, ())
    )
    # Nobody may waive the rule that a column remains as it was written.
    orders = [x for c in every if c.answer.ruling for x in applied(c.answer.ruling, None)]
    return Judged(
        tuple(with_rulings(f for f in declared.findings if not voiding or f.rule not in ENDS)),
        tuple(with_rulings(f for f in outcome.findings if f.item not in in_turn)),
        tuple(reported),
        tuple(chain(*moved)),
        (*misdealt, *chain(*(c.applied for c in voiding or every if c.incident))),
        provisions(chain(*(c.applied for c in every)), "play-out"),
        tuple(unused),
        tuple((x.column, x.provision) for x in orders if x.column and has((x,), "as-written")),
        tuple(with_rulings(f for f in dealt if f.rule not in moot or (f.rule, f.at) in found_at)),
        frozenset(column for column in put_right if column),
        tuple(denied),
    )


def _misdealt(events: Events, law: Rules) -> Iterator[Remedy]:
    """What the law orders because a hand as written is too large."""
    deal, name = events.deal, rulings.arising_from("large-hand")
    facts = {
        "deal-noticed": "during-play" if deal.cards or deal.result else "after-deal",
        "playing": "in-overplay" if deal.playing == "overplay" else "original",
    }
    for seat, hand in events.hands:
        if hand.number > law.value("hand-size"):
            yield from rule(Case(name, seat, (), {}).with_facts(facts), law, Roles()).applied


def _ruled(shown: Shown, events: list[list[Case]]) -> list[list[Case]]:
    """The cases with their rulings; the walk has already ruled on those of calls.

    Some depend on the penalty for another case at the same place; they are ruled on last.
    """
    first = [[_rule(shown, c) if c.answer is UNRULED else c for c in lines] for lines in events]
    cases = [*chain(*first)]

    def last(case: Case) -> Case:
        whose = _exacted_by(shown, case, cases) if case.asks("penalty-whose") else None
        return _rule(shown, case.with_facts({"penalty-whose": whose})) if whose else case

    return [[last(c) for c in lines] for lines in first]


def _rule(shown: Shown, case: Case) -> Case:
    """The case with its ruling."""
    return rule(case, shown.law, shown.roles_at(case), lambda name: shown.facts_of(name, case))


def _exacted_by(shown: Shown, case: Case, cases: Sequence[Case]) -> str | None:
    """`one` if a single player may exact the penalty in question, otherwise `either`.

    It is `one` if every remedy for the other side's offences at the same place belongs to one
    player; it is `None` if there are none.
    """
    whose = set[str]()
    for other in cases:
        if not case.of_other_side(other) or other.disproved:
            continue
        if case.apart(other) and not other.left_open(case):
            continue
        exacted = [r for r in other.given if r.chosen_by != "nobody"]
        for remedy in [r for r in exacted if r.id == other.chosen] or exacted:
            seats = shown.roles_at(other).seats(remedy.chosen_by, other.seat)
            whose.add("one" if seats and len(seats) == 1 else "either")
    return None if not whose else "one" if whose == {"one"} else "either"


def _with_waiver(shown: Shown, case: Case) -> Case:
    """The case with findings on its waiver, if the waiver has no effect.

    It has none if the law itself orders the new deal or, except for a call, if the player could not
    exact the penalty.
    """
    found, find, player = list[Finding](), shown.finder.find, case.waived_by
    if player is None:
        return case
    of = {"irregularity": case.name, "player": player}
    not_waived = case._replace(incident=replace(case.line, waived_by=None))
    if ordered := provisions(not_waived.applied, "deal-again"):
        message = Message("ordered-deal-waived", **of)
        found.append(find("remedy.not-allowed", message, case.incident, laws=ordered))
    elif case.item not in shown.made:
        exacted = [r for r in case.given if r.chosen_by != "nobody"] or case.given
        roles = shown.roles_at(case)
        choosers = {chooser_of(r, case, roles) for r in exacted} - {"nobody"} or {"other-side"}
        allowed = [roles.seats(chooser, case.seat) or () for chooser in choosers]
        if all(allowed) and not any(player in seats for seats in allowed):
            message = Message("waived-by-another", **of, choosers=tuple(sorted(choosers)))
            laws = tuple(dict.fromkeys(r.provision for r in exacted))
            found.append(find("remedy.wrong-chooser", message, case.incident, more=laws))
    return case._replace(void_waiver=tuple(found))


def _noticed_by_dummy(shown: Shown, case: Case) -> tuple[str, ...]:
    """The laws that cancel a penalty because the record states that dummy noticed the offence."""
    noticed, incident = case.line.noticed_by, case.irregularity.shows.get("incident")
    own = noticed is None or case.seat is None or case.seat.side is noticed.side
    # Until the first lead has been made, dummy is a player like any other.
    if own or not incident or case.irregularity.first_of or shown.roles.role(noticed) != "dummy":
        return ()
    return forfeits(shown.law, rulings.arising_from("notice-by-dummy"), {"incident": incident})


def _too_late(shown: Shown, first: Case, case: Case) -> tuple[str, ...]:
    """The laws whose time limit had passed when a remedy was demanded.

    `first` is the first line on the same event. If a fact states when the offence was noticed, that
    fact decides. Some codes forbid exposed cards to be called after a claim.
    """
    remedy, line = case.named, case.line
    if remedy is None:
        return ()
    at, _ = shown.cards.get(written_at(line)) or case.at or (-1, 0)
    end, laws = shown.calls_end
    called = any(e.of in EXPOSED for e in remedy.effects)
    if called and shown.claims.get(written_at(line), at) >= end:
        return laws
    ends, late = limit(remedy.demand).ends_with if remedy.demand else None, False
    if ends == "call" and "deal-noticed" not in case.irregularity.facts:
        late = bool(line.event or line.after)
    elif ends == "lead" and remedy.whose:
        seats = shown.roles.seats(remedy.whose, case.seat) or ()
        since = -1 if first.trick is None else first.trick
        between = shown.outcome.tricks[since + 1 : at + 1]
        late = any(s in seats for trick in between for s, _ in trick.cards[:1])
    return (remedy.provision,) if late else ()


def _without_lost(shown: Shown, events: list[list[Case]]) -> list[list[Case]]:
    """The cases, each marked with the laws by which the right to its remedies is lost.

    The loss results from what is recorded at the same call or card as the offence, or without a
    place. An act about one offence costs nothing if it may concern several; it is marked with their
    number. Demands that remain valid in spite of the law are marked too.
    """
    takers = [c for c in chain(*events) if c.incident and not c.finding and c.seat]
    # Computed once for each taker, since the number of pairs grows with the square of the number of
    # cases.
    taking = {
        effect: [(t, laws) for t in takers if (laws := provisions(t.applied, effect))]
        for effect in ("forfeit", "keep")
    }
    acts = {taker.id for pairs in taking.values() for taker, _ in pairs}
    offences = {c.card for c in chain(*events) if c.card and c.id not in acts}

    def concerns(other: Case, case: Case) -> bool:
        """Whether an act may concern the penalty for an offence."""
        if not case.of_other_side(other) or not other.concerns(case.irregularity.group):
            return False
        claims, cards = other.irregularity.claim_of, {case.card, other.card, None}
        if len(cards) > 2 and (claims or other.card in offences):
            return False  # the line names the card of another offence
        # Of an act about one offence, only what the record states can tell which one it is.
        known = stated_facts(other.line)[0] if other.irregularity.of_one else other.facts
        shows = case.irregularity.shows.items()
        if any(known.get(fact, answer) != answer for fact, answer in shows):
            return False  # the line concerns another kind of offence
        effects = (e for r in case.given for e in r.effects)
        punished_as = {case.name, *(e.of for e in effects if e.id == "penalty-of")}
        if claims and claims not in punished_as:
            return False  # a late claim loses only the penalty that it claims
        # An act about a penalty that is still open forfeits it, even for an earlier offence.
        still_open = other.facts.get("demanded") == "no" and case.left_open(other)
        about = other.irregularity.exacting
        beside = not case.apart(other) or still_open
        return beside and (about is None or bool(exacting(case, about)))

    def by(effect: str, case: Case, passed_over: Container[str] = ()) -> tuple[str, ...]:
        if effect == "forfeit" and (by_dummy := _noticed_by_dummy(shown, case)):
            return by_dummy
        acted = ((t, laws) for t, laws in taking[effect] if t.name not in passed_over)
        of = (laws for t, laws in acted if t.id not in unclear and concerns(t, case))
        return next(of, ())

    unclear = dict[Item, int]()
    first = (lines[0] for lines in events if lines)
    open_ones = [c for c in first if c.given and not _noticed_by_dummy(shown, c)]
    for taker in (t for t, _ in taking["forfeit"] if t.irregularity.of_one):
        about = {c.card or c.item for c in open_ones if concerns(taker, c)}
        if len(about) > 1:
            unclear[taker.id] = len(about)

    def marked(case: Case, first: Case) -> Case:
        case = case._replace(unclear=unclear.get(case.id, 0))
        lost, upheld = by("forfeit", case) or _too_late(shown, first, case), by("keep", case)
        if not (lost or upheld):
            return case
        # The penalty was claimed in time if it is lost for a reason other than a late claim.
        late = {name for name, item in rulings.catalogue().items() if item.claim_of == case.name}
        return case._replace(lost=lost, upheld=upheld, claimed=bool(by("forfeit", case, late)))

    return [[marked(c, lines[0]) for c in lines] for lines in events]


# --- the findings -------------------------------------------------------------------------------


def _disproved(shown: Shown, case: Case, why: Message | None) -> Finding:
    """The finding on a report that calls or cards contradict."""
    message = Message("disproved", irregularity=case.name, why=why)
    # The rule already rests on the law on following suit.
    laws = None if case.irregularity.closes == "play" else _laws(case)
    return shown.finder.find(DISPROVED, message, case.incident, laws=laws)


def _unknown(shown: Shown) -> Iterator[Finding]:
    """Findings on reported names and facts of irregularities that are not in the catalogue."""
    catalogue, find, lacks = rulings.catalogue(), shown.finder.find, shown.finder.lacks
    for incident in (case.line for case in shown.reports):
        name = incident.name
        if name not in catalogue and incident.waived_by:
            message = Message("unknown-irregularity-accepted", name=name)
            yield find("record.not-used", message, incident, Severity.NOTE)
        elif name not in catalogue:
            near, of = _nearest_name(name), [Message("unknown-irregularity", name=name)]
            of += [Message("did-you-mean", name=near)] if near else []
            yield lacks("record.not-used", tuple(of), incident)
        for words in stated_facts(incident)[1] if name in catalogue else ():
            known = catalogue[name].facts
            of = [Message("unknown-fact", words=words, irregularity=name)]
            of += [Message("known-facts", facts=tuple(known))] if known else []
            fact = words.lower().replace(":", " ").partition(" ")[0]
            turning = tuple(name for name, item in catalogue.items() if fact in item.facts)
            few = 0 < len(turning) <= MOST_NAMED
            of += [Message("fact-of", irregularities=turning)] if few else []
            yield lacks("record.not-used", tuple(of), incident)


@lru_cache(MOST_CACHED)
def _nearest_name(name: str) -> str:
    """The most similar name of the catalogue; empty if none is similar."""
    return next(iter(difflib.get_close_matches(name, rulings.catalogue(), n=1, cutoff=0.6)), "")


def _reported(shown: Shown, case: Case, faults: bool) -> Finding:
    """The finding on an irregularity that is only reported, with its law and ruling."""
    answer, severity = case.answer, Severity.NOTE
    messages = [Message("irregularity-recorded", irregularity=case.name, player=case.seat)]
    if answer.kind in ("silent", "absent"):
        severity = Severity.SILENT
        messages.append(Message("as-read", text=answer.reason))
    elif case.lost:
        messages.append(Message("right-lost"))
    elif case.idle:
        messages.append(Message("counted-once"))
    elif not faults and has(case.applied, "deal-again"):
        messages.append(Message("deal-void"))
    laws, of = tuple(dict.fromkeys((*_laws(case), *case.lost))), tuple(messages)
    found = shown.finder.find("remedy.irregularity", of, case.incident, severity, laws=laws)
    return _with_remedies(found, case)


def _laws(case: Case) -> tuple[str, ...]:
    """The laws on an irregularity, including the laws of a penalty that comes from elsewhere.

    If several rulings are possible, they are the laws common to all or, failing that, all laws.
    """
    possible = case.answer.possible
    if not possible:
        more = (r.provision for ruling in case.further for r in ruling.remedies)
        return tuple(dict.fromkeys((*case.answer.laws, *more)))
    every = tuple(dict.fromkeys(law for r in possible for law in r.laws))
    return tuple(law for law in every if all(law in r.laws for r in possible)) or every


def _with_remedies(finding: Finding, case: Case) -> Finding:
    """The finding with what the code provides and the readings it rests on."""
    answer = case.answer
    if ruling := answer.ruling:
        readings = tuple(dict.fromkeys((*finding.readings, *ruling.readings)))
        finding = finding._replace(readings=readings)
    if answer.kind not in ("ruling", "open"):
        return finding  # the code has no ruling
    gives = _gives(case)
    return finding._replace(gives=gives) if gives else finding


def _gives(case: Case) -> tuple[Gives, ...]:
    """The rulings on a case, each with the facts on which it rests."""
    name, seat = case.answer.irregularity, case.seat
    if case.answer.ruling:
        return tuple(Gives(name, r, case.presumed, offender=seat) for r in case.rulings)
    return tuple(Gives(name, r, possible=True, offender=seat) for r in case.possible)


def _with_ruling(shown: Shown, finding: Finding, case: Case, faults: bool) -> Finding:
    """The finding with what the code provides; a note if condoned by law or dealt with."""
    answer, laws = case.answer, finding.laws
    own = {law for r in case.rulings for law in r.laws} | set(answer.laws)
    if own and laws == shown.law.finding_laws.get(finding.rule):
        # Omit laws of its rule that concern only other irregularities: a bid out of turn does not
        # rest on the law on a pass out of turn.
        every = _laws_of(finding.rule, answer.code, answer.options)
        laws = tuple(a for a in laws if a in own or a not in every)
    found = _with_remedies(finding, case)._replace(laws=laws or finding.laws)
    index, made = shown.made.get(case.item, (-1, None))
    if made and made.counted:
        counted = Message("counts-as", bid=made.bid.name)
        found = found._replace(messages=(*found.messages, counted))
    if finding.severity is not Severity.IRREGULAR:
        return found
    ruling = answer.ruling if is_condoned(answer) else None
    stands = tuple[Message, ...]()
    if ruling and has(ruling.remedies, "void"):
        stands = (Message("counts-for-nothing"),)
    elif ruling and (has(ruling.remedies, "stand") or has(ruling.remedies, "forfeit")):
        stands = (Message("stands"),)
    if ruling and case.incident is None:
        lets = answer.laws if stands else tuple(r.provision for r in ruling.remedies)
        laws = tuple(dict.fromkeys((*laws, *lets)))
        messages = (*found.messages, *stands)
        return found._replace(severity=Severity.NOTE, messages=messages, laws=laws)
    # The laws that let the offender replace his call, if he did so.
    after = shown.declared.calls[index + 1 : index + 2] if made else ()
    corrected = any(m.call.corrects and not m.void for m in after)
    by = tuple(r.provision for r in case.given if corrected and r.chosen_by == "offender")
    found = found._replace(laws=tuple(dict.fromkeys((*found.laws, *by)))) if by else found
    dealt_with = by or (answer.kind == "ruling" and _dealt_with(case)) or _struck_out(shown, case)
    unpunished = ruling and not stands  # whatever remedy was wrongly demanded for it
    done = unpunished or (not faults and (ruling or dealt_with))
    return found._replace(severity=Severity.NOTE) if done else found


def is_condoned(answer: Answer) -> bool:
    """Whether the law itself settles an irregularity, so that nothing is left to do or to demand.

    The law condones the act, and the walk carries out whatever else follows.
    """
    ruling = answer.ruling
    if ruling is None or ruling.choices or any(r.chosen_by != "nobody" for r in ruling.remedies):
        return False
    others = (r for r in ruling.remedies if not (r.condones or r.closes))
    rows = ([EFFECTS[e] for e in r.effects] for r in others)
    by_walk = (any(row.on_call or row.bars or row.turn for row in own) for own in rows)
    return any(r.condones for r in ruling.remedies) and all(by_walk)


@cache
def _laws_of(rule: str, code: str, options: tuple[str, ...]) -> frozenset[str]:
    """Every law that provides a remedy for an irregularity with this rule id."""
    return frozenset(r.provision for r in remedies_of(code, options, rulings.found_as(rule)))


def _dealt_with(case: Case) -> bool:
    """Whether an irregularity was dealt with as the law provides."""
    decided = any(book().facts[fact].decision for fact in stated_facts(case.line)[0])
    noticed = case.line.noticed_by and not case.line.remedy
    return bool(case.waived_by or case.chosen or decided or noticed)


def _struck_out(shown: Shown, case: Case) -> bool:
    """Whether the record says only that a call counts for nothing, and the law says no more."""
    _, made = shown.made.get(case.item, (-1, None))
    no_more = case.answer.kind == "silent" or is_condoned(case.answer)
    effects = case.asked.effects if case.asked and made and made.void and no_more else ()
    return any(effect.id == "void" for effect in effects)


# --- what was chosen ----------------------------------------------------------------------------


def _choice_findings(shown: Shown, case: Case) -> Iterator[Finding]:
    """Findings on the remedy that the record names: whether the law allows it to that player."""
    incident, answer, refused = case.incident, case.answer, "remedy.not-allowed"
    find, lacks = shown.finder.find, shown.finder.lacks
    if incident is None:
        return
    if case.unclear:
        unclear = Message("offence-unclear", irregularity=case.name, offences=case.unclear)
        yield lacks("record.not-used", unclear, incident)
    of: dict[str, Any] = {"irregularity": case.name, "remedy": incident.remedy}
    if not incident.remedy:
        who = case.waived_by
        message = Message("waived-and-demanded", irregularity=case.name, player=who)
        if who and case.idle and case.spent:
            yield find(refused, message, incident, laws=case.spent)
        elif who and case.idle and not case.lost:
            yield lacks("record.not-used", message, incident)
    elif _struck_out(shown, case):
        return
    elif answer.kind in ("silent", "absent"):
        general = shown.law.finding_laws.get(refused)
        known = answer.kind == "absent" and (answer.laws or general)
        severity = Severity.IRREGULAR if known else Severity.SILENT
        messages = (Message("remedy-named", **of), Message("as-read", text=answer.reason))
        yield find(refused, messages, incident, severity, more=answer.laws)
    elif case.lost:
        yield find(refused, "right-to-remedy-lost", incident, laws=case.lost, **of)
    elif case.upheld or (case.waived_by and not incident.chosen_by):
        return  # a waived remedy is named but not exacted
    elif case.waived_by:
        message = Message("remedy-waived", **of, player=case.waived_by)
        if final := exacting(case, "final"):
            yield find(refused, message, incident, laws=final)
        else:
            yield lacks("record.not-used", (message, Message("not-judged")), incident)
    elif case.spent:
        doubts = tuple(dict.fromkeys(d for ruling in case.rulings for d in ruling.readings))
        yield find(refused, "decided-before", incident, laws=case.spent, readings=doubts, **of)
    elif remedy := case.named or case.denied:
        yield from _as_given(shown, case, incident, remedy)
    elif case.asked and case.asked.ids:
        message = Message("no-such-remedy", **of, rulings=_gives(case))
        laws = [r.provision for r in case.given]
        # A law on wrong demands concerns penalties; correcting a score is not a penalty.
        general = () if case.irregularity.group == "score" else None
        yield find(refused, message, incident, laws=general, more=laws)
    else:
        yield lacks("record.not-used", "no-remedy", incident, **of, rulings=_gives(case))


def _as_given(shown: Shown, case: Case, incident: Incident, remedy: Remedy) -> Iterator[Finding]:
    """Findings on a remedy that the law gives: one too many, a wrong amount, suit or chooser."""
    find, more, refused = shown.finder.find, (remedy.provision,), "remedy.not-allowed"
    of: dict[str, Any] = {"irregularity": case.name, "remedy": incident.remedy}
    went_with = {r.id for r in case.applied if not has((r,), "demand")} | {case.chosen}
    for words, second in further(incident.remedy or ""):
        if second.ids and went_with.isdisjoint(second.ids):
            message = Message("second-remedy", **of, second=words)
            yield shown.finder.lacks("record.not-used", message, incident)
    amount, suit = wrong_amount(remedy, case), wrong_suit(remedy, case)
    if amount is not None:
        figures = {"figure": remedy.figure, "stated": amount, "due": remedy.number}
        message = Message("wrong-amount", irregularity=case.name, **figures)
        yield find(refused, message, incident, more=more)
    if suit is not None:
        yield find(refused, "wrong-suit", incident, more=more, **of, suit=suit)
    tricks, every = shown.outcome.tricks, demands_of(shown, case, remedy)
    # Which of several tricks the partner is to win is not recorded.
    of_trick = (d for d in every if d.kind.made is of_player and d.of != "winning")
    leads = (s for d in of_trick for s, _ in tricks[d.since[0]].cards[:1] if s in d.seats)
    for leader in (s for s in leads if s is not case.seat):  # he can play no other card to it
        yield find(refused, "already-played", incident, more=more, **of, player=leader)
    roles, player = shown.roles_at(case), incident.chosen_by
    if player and not may_choose(remedy, case, roles):
        chooser = chooser_of(remedy, case, roles)
        seats = tuple(roles.seats(chooser, case.seat) or ())
        message = Message("wrong-chooser", **of, player=player, chooser=chooser, seats=seats)
        yield find("remedy.wrong-chooser", message, incident, more=more)


# --- whether it was done ------------------------------------------------------------------------


def _to_be_done(case: Case) -> tuple[Remedy, ...]:
    """The remedies that are checked against what follows.

    They are the chosen remedy and, among those that apply by themselves, a new deal and demands on
    the cards.
    """
    incident = case.incident
    if incident is None or case.lost or case.idle or (incident.remedy and not case.chosen):
        return ()
    chosen = [r for r in case.given if r.id == case.chosen]
    orders = [r for r in case.applied if has((r,), "demand")]
    orders += [r for r in case.applied if has((r,), "deal-again")][:1]
    return tuple(dict.fromkeys((*chosen[:1], *orders)))


def _undone(shown: Shown, case: Case) -> Iterator[Finding]:
    """Findings on orders about a call or the deal that were not followed or cannot be judged."""
    calls = shown.declared.calls
    after = calls[shown.made[case.item][0] + 1 :] if case.item in shown.made else None
    for remedy in _to_be_done(case):
        doubts = [a for g in case.rulings if remedy in g.remedies for a in g.readings]
        others = case.applied if len(case.possible) > 1 else ()
        alike = [r for r in others if r.effects == remedy.effects]
        more = tuple(dict.fromkeys(r.provision for r in (remedy, *alike)))
        points = [p.number for p in _penalties(case, shown.law) if p.column == "trick"]
        earlier = any((e.id, e.of) == ("final", "earlier") for e in remedy.effects)
        rests = shown.law.readings("earlier-bid") if earlier else ()
        doubtful = any(r not in shown.law.chosen for r in rests)
        for effect in remedy.effects:
            undone, order = EFFECTS[effect].undone, Order(shown, case, points, after)
            if what := undone(order) if undone else None:
                # The law on a called card that is not played does not apply to a bid or a deal.
                yield shown.finder.find(
                    "remedy.not-obeyed",
                    Message("remedy-undone", irregularity=case.name, what=what),
                    case.incident,
                    Severity.DISPUTED if doubtful else Severity.IRREGULAR,
                    laws=(),
                    more=more,
                    readings=tuple(dict.fromkeys((*rests, *doubts))),
                )
        if has((remedy,), "unjudged"):
            message = Message("remedy-unjudged", irregularity=case.name, remedy=remedy)
            yield shown.finder.lacks("record.not-used", message, case.incident)


def _faults(
    shown: Shown, every: Sequence[Case], disobeyed: Sequence[Disobeyed]
) -> tuple[dict[Item, list[Finding]], list[Case]]:
    """The faults in the remedies of each case, by the id of the case; and the cases of disobeyed
    demands that no line reports.
    """
    by_case = {c.id: [*_choice_findings(shown, c), *_undone(shown, c)] for c in every}
    reports, unreported = {c.id: c for c in every}, list[Case]()
    void = [c for c in every if c.name == rulings.arising_from("void-in-called-suit")]
    for demand, what, case, report in disobeyed:
        found, trick = case.finding, case.trick or 0
        assert found
        if report is not None:
            own = reports[report]
            paid = own.answer.kind == "ruling" and _dealt_with(own) and not by_case[own.id]
            note = paid and found.severity is Severity.IRREGULAR
            found = found._replace(severity=Severity.NOTE) if note else found
        elif demand.kind.called:
            unreported.append(_rule(shown, case))
            found = _with_remedies(found, unreported[-1])
        by_case[demand.case].append(found)
        denied = (c for c in void if c.seat is case.seat and demand.of == "suit")
        for told in (c for c in denied if c.trick in (None, trick - 1, trick)):
            held = Message("held-by", player=case.seat, card=dict(what.data)["held"])
            by_case[told.id].append(_disproved(shown, told, held))
    return by_case, unreported


class Disobeyed(NamedTuple):
    """A demand that was not met: what was done instead, the case, the id of its report if any."""

    demand: Demand
    what: Message
    case: Case
    report: Item | None


def _disobeyed(
    shown: Shown, every: Sequence[Case], demands: Sequence[Demand]
) -> Iterator[Disobeyed]:
    """Each demand on the cards that was not met; disobeying it is an irregularity of its own.

    All demands are checked against the play in one walk.
    """
    names, name = {c.id: c.name for c in every}, rulings.arising_from(DISOBEYED)
    reports = [c for c in every if c.name == name]
    for demand, what, turn in broken(shown, demands):
        called, at = demand.kind.called, turn.at
        answer, laws, readings = _on_call(demand, shown.law)
        facts = {"called-what": answer}
        if at[0] + 1 < len(shown.outcome.tricks) or shown.outcome.complete:
            facts["trick-gathered"] = "turned"
        found = shown.finder.find(
            "remedy.not-obeyed",
            Message("remedy-undone", irregularity=names[demand.case], what=what),
            turn.played,
            laws=() if called is None else laws,
            more=(demand.law,),
            readings=readings,
        )
        case = Case(name, turn.seat, turn.played.item, facts, None, found, at)
        own = next((r for r in reports if called and shown.fit(case, r) is not None), None)
        if own:
            reports.remove(own)
        yield Disobeyed(demand, what, case, own.id if own else None)


def _on_call(demand: Demand, law: Rules) -> tuple[str, tuple[str, ...] | None, tuple[str, ...]]:
    """What was called, as an answer of the catalogue, and the laws and readings on disobeying it.

    The answer is `elsewhere` if a suit is called under a law that the law on disobeyed calls does
    not list. The laws are those that apply once the trick is turned and the fault is past
    correction. They are empty if the code is silent on such a fault, and `None` if its general law
    applies.
    """

    def ruling(called: str) -> Ruling | None:
        facts = {"called-what": called, "trick-gathered": "turned"}
        return rulings.answer(rulings.arising_from(DISOBEYED), law.code, law.options, facts).ruling

    general = ruling("play")
    places = (book().provision(r.provision) for r in general.remedies) if general else ()
    numbers = {str(ref.to).partition(".")[0] for place in places if place for ref in place.refs}
    own = demand.of == "suit" and demand.law.partition(".")[0] not in numbers
    called = "elsewhere" if numbers and own else demand.kind.called or "play"
    of_it = ruling(called)
    if of_it is None or of_it.silent:
        return called, (), of_it.readings if of_it else ()
    same = general is not None and of_it.id == general.id
    return called, None if same else of_it.laws, of_it.readings


# --- the score ----------------------------------------------------------------------------------


def _penalties(case: Case, law: Rules) -> Iterator[Penalty]:
    """The effects on the score of the remedies exacted for a case."""
    ruling, line = case.answer.ruling, case.line
    if ruling is None or case.seat is None or case.idle or case.waived_by:
        return
    if not (line.noticed_by or line.remedy):
        return
    offenders, refused = case.seat.side, bool(line.remedy and case.chosen is None)
    if case.asked and case.upheld and not case.lost:
        # A demand that was met is valid although the law does not provide it.
        meant = case.named.effects if case.named else ()
        for effect in case.asked.effects or meant:
            if EFFECTS[effect].on_score:
                number, of = case.asked.amount, effect.of
                yield Penalty(offenders, effect.id, number, case.name, case.upheld, (), of)
    elif case.lost or (refused and case.by_demand):
        # The part of the penalty that remains when the right to it is lost, if any.
        left = law.procedure("lost-penalty", DECLARING)
        for ruling in case.rulings if left and (case.claimed or not case.lost) else ():
            doubts = (*ruling.readings, *law.readings("lost-penalty"))
            own = (r for r in applied(ruling, None) if left and left(r.chosen_by != "nobody"))
            yield from penalties(own, offenders, case.name, doubts)
    else:
        for given in (ruling, *case.further):
            taken = given._replace(remedies=applied(given, None)) if refused else given
            yield from penalties_of(case.name, taken, offenders, case.chosen)


def penalties_of(
    name: str, ruling: Ruling, offenders: Side, chosen: str | None
) -> tuple[Penalty, ...]:
    """The effects of a ruling on the score.

    They come from what follows by itself, and from the choice made or the only choice there is.
    """
    only: tuple[Remedy, ...] = ()
    if chosen is None and len(ruling.choices) < 2:
        only = ruling.choices[0] if ruling.choices else ruling.always
    taken = tuple(dict.fromkeys((*applied(ruling, chosen), *only)))
    return penalties(taken, offenders, name, ruling.readings)


def open_rights(cases: Iterable[Case]) -> Iterator[tuple[Case, Remedy | None, tuple[Penalty, ...]]]:
    """Yield each right to points in some cases: the case, the remedy, and the change of the score.

    The remedy is `None` if there is nothing to choose.
    """
    for case in cases:
        ruling, seat = case.answer.ruling, case.seat
        assert ruling
        assert seat
        for given in (ruling, *case.further):
            remedies: list[Remedy | None] = [r for choice in given.choices for r in choice]
            for remedy in remedies or [None]:
                chosen = remedy.id if remedy else None
                if moved := penalties_of(case.name, given, seat.side, chosen):
                    yield case, remedy, moved
