"""Judge a record under a code: its declaration, its play, its score and every claim it makes.

`check` follows a record once and then runs every check of `CHECKS` for its findings; each is a pure
function of the `Check`. `rubber` judges whole files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from oddtrick.cards import SEATS, Seat
from oddtrick.judge import play as walk
from oddtrick.judge import written_score
from oddtrick.judge.account import account
from oddtrick.judge.declaration import STATED, declare, declared_in_order
from oddtrick.judge.events import Events, events_of
from oddtrick.judge.finding import (
    INCOMPLETE,
    Finder,
    Finding,
    Message,
    Severity,
    Verdict,
    verdict_of,
)
from oddtrick.judge.not_used import NotUsed, not_used
from oddtrick.judge.play import Followed, Outcome
from oddtrick.judge.procedures import DECLARING, Declared, Final, Made
from oddtrick.judge.remedies import NOTHING, Judged, judge, open_rights
from oddtrick.judge.ruling import Case
from oddtrick.judge.score_procedures import UNKNOWN, Account, Facts, Penalty, Standing, tricks_after
from oddtrick.judge.what_if import WhatIf, other_readings, sums
from oddtrick.judge.written_score import RUBBER_FACTS
from oddtrick.law import reading_choices
from oddtrick.law.book import book, judged_codes
from oddtrick.law.model import UnknownCode
from oddtrick.law.rules import Rules
from oddtrick.limits import JUDGED
from oddtrick.record.deal import Deal, Item

PHASES = ("declaring", "play", "score")
"""What a check judges, in order; `--only` chooses among them."""


def phases_asked(only: str | Iterable[str]) -> tuple[str, ...]:
    """The phases asked for, in order; a string separates them by commas.

    Raises `ValueError` for any other name and if there is none.
    """
    named = [p.strip() for p in (only.split(",") if isinstance(only, str) else only)]
    unknown = [p for p in named if p and p not in PHASES]
    if unknown or not any(named):
        which = f"; `{unknown[0]}` is not one of them" if unknown else ""
        raise ValueError(f"only takes {', '.join(PHASES)}, separated by commas{which}")
    return tuple(p for p in PHASES if p in named)


class Check(NamedTuple):
    """The result for one record: what was declared, played and scored, and every finding.

    If `law` is `None`, nothing was judged. `events` is `None` if nothing in the deal is irregular.
    `carried` is the state of the rubber after the previous deals, or `None` if they are not known;
    `standing` is the state used to judge this deal. `account` is `None` if the score was not asked
    for or the deal has none. `what_if` lists the results with unused rights used or with other
    readings; `grouped` is true if the deal belongs to a rubber or match.
    """

    source: Deal
    law: Rules | None
    only: tuple[str, ...]
    declared: Declared = Declared((), None, False, ())
    outcome: Outcome = Outcome()
    judged: Judged = NOTHING
    standing: Standing = UNKNOWN
    carried: Standing | None = None
    account: Account | None = None
    findings: tuple[Finding, ...] = ()
    what_if: tuple[WhatIf, ...] = ()
    grouped: bool = False
    events: Events | None = None

    def __repr__(self) -> str:
        return f"<Check of {self.source.id}: {self.verdict.value}>"

    @property
    def deal(self) -> Deal:
        """The deal that was checked."""
        return self.source

    @property
    def rules(self) -> Rules:
        """The law in force; only for a deal that was judged."""
        assert self.law is not None
        return self.law

    @property
    def finder(self) -> Finder:
        """A factory for findings on the deal."""
        return Finder(self.law, self.source)

    @property
    def calls(self) -> tuple[Made, ...]:
        """The calls with their players."""
        if self.events or not self.source.calls or not self.law:
            return self.declared.calls
        return declare(events_of(self.source), self.law).calls

    @property
    def tricks(self) -> tuple[Followed, ...]:
        """The tricks of the deal as the judge followed them."""
        if self.events or not self.law:
            return self.outcome.tricks
        return walk.followed(events_of(self.source), self.law, self.final).tricks

    @property
    def winners(self) -> tuple[Seat | None, ...]:
        """The winner of each trick, if known."""
        return self.outcome.winners or tuple(trick.winner for trick in self.outcome.tricks)

    @property
    def verdict(self) -> Verdict:
        """The verdict of the gravest finding; never legal if the code is silent."""
        return verdict_of(self.findings)

    @property
    def final(self) -> Final | None:
        """The final declaration."""
        return self.declared.final

    @property
    def after_penalties(self) -> int | None:
        """The tricks of the declaring side, with those that penalties move."""
        final, taken, penalties = self.final, self.outcome.taken, self.judged.penalties
        if taken is None or final is None or final.declarer is None or not penalties:
            return taken
        side = final.declarer.side
        return tricks_after(taken, penalties, side, final.denomination, self.rules)[0]

    @property
    def why_unscored(self) -> str | None:
        """Why the deal has no score, as an id of `report.messages.WHY`; `None` if it is scored."""
        if "score" not in self.only:
            return "not-asked"
        if self.law is None:
            about_code = any(f.rule in NO_LAW for f in self.findings)
            return "not-judged" if about_code else "unread"
        if self.judged.dealt_anew:
            return "dealt-anew"
        if self.declared.passed_out:
            return "not-played"
        if self.final is None:
            return "no-final"
        if self.account is None:
            return "card-twice" if _no_deal(self.judged.dealt) else "of-a-board"
        return None

    @property
    def void(self) -> bool:
        """Whether the deal is void: it was passed out, or must be dealt again."""
        return self.declared.passed_out or bool(self.judged.dealt_anew)

    @property
    def not_used(self) -> tuple[NotUsed, ...]:
        """The statements of the record that do not affect the answer."""
        return not_used(self) if self.law else ()

    def again(self, deal: Deal | None = None, law: Rules | None = None) -> Check:
        """The check of another deal or under another law, with the same phases and rubber state.

        The results of other readings are not included; `other_readings` adds them.
        """
        under = law or self.law
        assert under is not None
        return _judged(deal or self.source, under, self.only, self.carried)

    @property
    def next_to_call(self) -> Seat | None:
        """The player whose turn it is to call; `None` unless an unfinished auction is recorded."""
        declared = self.declared
        over = declared.relative or declared.final or declared.passed_out
        return None if over else declared.turn


NO_LAW = ("record.no-code", "record.unknown-code")
"""The findings that explain why the code to judge a deal under is not known."""


def law_of(
    deal: Deal, code: str | None, options: Iterable[str] | None
) -> tuple[Rules | None, tuple[Finding, ...]]:
    """The law a deal is judged under, or the finding that states why there is none.

    The code and options asked for take precedence over those of the record.
    """

    def cannot(rule: str, what: str, at: Item = (), **data: Any) -> tuple[None, tuple[Finding]]:
        return None, (Finder(None, deal).find(rule, what, at, Severity.UNREADABLE, **data),)

    events = deal.calls or (), deal.cards or (), deal.incidents, deal.claims
    size = max(map(len, events))
    for hand in deal.hand_details:
        held = deal.hands[hand.seat.number].bit_count()
        size = max(size, held + len(hand.again) + sum(dict(hand.small).values()))
    if size > JUDGED.most:
        return cannot("notation.too-many", "too-much", size=size)
    written, asked = deal.code and book().meant(deal.code), code and book().meant(code)
    named = asked or written
    if named is None:
        return None, (Finder(None, deal).lacks("record.no-code", "no-code"),)
    stated = deal.options if asked in (None, written) else ()
    at: Item = () if code else ("code",)
    try:
        law = book().rules(named, reading_choices.combined(book(), named, options or (), stated))
    except UnknownCode as error:
        if error.what != "code" and error.name in deal.options:
            at = ("option", deal.options.index(error.name))
        return cannot("record.unknown-code", "unknown-code", at, why=str(error))
    if law.code in judged_codes():
        return law, ()
    judged = judged_codes()
    return cannot(
        "record.unknown-code", "code-not-judged", at, name=law.short, code=named, codes=judged
    )


# --- the checks ---------------------------------------------------------------------------------


def convention(check: Check) -> Iterator[Finding]:
    """A finding if a make was played although the players agreed not to play it, or the reverse.

    The option that allows such agreements determines which makes must be played.
    """
    deal, law, declared = check.source, check.rules, check.declared
    final, how = declared.final or declared.unplayed, law.procedure("convention", DECLARING)
    if final is None or how is None:
        return
    floor = (law.value("score-floor") or {}).get(final.denomination)
    known = tuple(s for s in check.standing.trick if s is not None)
    if floor is None or len(known) < 2:
        return
    thrown, must = declared.unplayed is not None, check.judged.play_out
    played = True if must else how(final.doubled, known, floor)
    if thrown and must:
        why = "unplayed-and-must-be"
    elif thrown and played:
        why = "unplayed-against-convention"
    elif played is False and not thrown and (deal.cards or deal.result):
        why = "played-against-convention"
    else:
        return
    rule, message = "declaring.spade-not-played", Message(why, final=final, floor=floor)
    yield check.finder.find(rule, message, STATED, more=must or law.laws("convention"))


def extent(check: Check) -> Iterator[Finding]:
    """Yield findings on what the record lacks: hands, or a part of the play."""
    final, lacks = check.final, check.finder.lacks
    if check.void:
        return
    if check.source.cards is None:
        yield lacks("record.no-play", "no-play")
        return
    if not check.rules.get("winning-a-trick"):
        yield lacks("record.no-play", "no-law-on-winning")
        return
    if final is None:
        yield lacks("record.no-play", "play-without-declaration")
    elif final.declarer is None:
        yield lacks("record.no-declarer", "play-without-declarer")
    elif not check.outcome.complete:
        yield lacks("record.no-play", "play-in-part", tricks=check.outcome.complete_tricks)
    if check.events is None:
        return
    written = {s for s, hand in check.events.hands if not hand.partial and not hand.small}
    written |= {*walk.known_hands(check.events.hands, check.rules)}
    if lacking := tuple(seat for seat in SEATS if seat not in written):
        yield lacks("record.no-hands", "hands-in-part", players=lacking)


def result(check: Check) -> Iterator[Finding]:
    """The findings on the stated tricks; they count as taken, before any penalty."""
    deal, taken, after = check.source, check.outcome.taken, check.after_penalties
    for found in () if check.void else check.outcome.result:
        stated = walk.counted_result(deal.result, deal.declaration, check.final, check.rules)
        more = (Message("result-after-penalty"),) if taken != after == stated else ()
        yield found._replace(messages=(*found.messages, *more))


def score(check: Check) -> Iterable[Finding]:
    """Findings on every figure written, checked against the account (laws on scoring)."""
    deal, law, account = check.source, check.rules, check.account
    if deal.scores and _no_deal(check.judged.dealt):
        return (check.finder.lacks("record.no-result", "no-deal", ("score", 0)),)
    if account is None:
        if check.void or "play" in check.only:  # `extent` says what is missing
            return ()
        if check.final:
            return (check.finder.lacks("record.no-standing", "score-of-a-board"),)
        return (check.finder.lacks("record.no-declaration", "score-without-declaration"),)
    if not check.void:
        final, told = check.final, (check.judged.corrected, check.judged.denied)
        return written_score.score_findings(deal, law, final, *told, account) if final else ()
    if any(f.rule == "remedy.not-obeyed" for f in check.judged.reported):
        return ()  # the record goes on with a deal that should have ended
    ended = "convention" if check.declared.unplayed else "passed-out"
    why = check.judged.dealt_anew or law.laws(ended)
    return written_score.void_findings(deal, law, account, why)


CHECKS: Mapping[str, tuple[tuple[str, ...], Callable[[Check], Iterable[Finding]]]] = {
    "hands": (PHASES, lambda check: check.judged.dealt),
    "declaration": (("declaring",), lambda check: check.judged.declared),
    "convention": (("declaring",), convention),
    "play": (("play",), lambda check: check.judged.played),
    "extent": (("play",), extent),
    "remedies": (("declaring", "play"), lambda check: check.judged.reported),
    "result": (("score",), result),
    "score": (("score",), score),
    "standing": (
        ("score",),
        lambda of: written_score.standing_findings(of.source, of.rules, of.carried),
    ),
}
"""Every check with the phases that require it, in the order in which they run.

`hands` finds a card in two places and a hand of the wrong size. `declaration` checks the calls and
the stated final declaration, `play` the cards led and played, `remedies` the remedies chosen, all
with their rulings. `result` checks the stated tricks against the play, and `standing` the stated
rubber state against the previous deals and itself.
"""


def check(
    deal: Deal,
    code: str | None = None,
    options: Iterable[str] | None = None,
    only: Iterable[str] = PHASES,
    standing: Standing | None = None,
) -> Check:
    """Judge one deal under a code, by default the code that the deal names.

    `standing` is the state of the rubber before the deal, if it is known from the previous deals.
    Nothing in the record raises an exception: a fault is a finding.
    """
    law, found = law_of(deal, code, options)
    phases = tuple(p for p in PHASES if p in only)
    if law is None:
        return Check(deal, None, phases, findings=found)
    return other_readings(_judged(deal, law, phases, standing))


def _judged(deal: Deal, law: Rules, phases: tuple[str, ...], carried: Standing | None) -> Check:
    """The check of one deal under a law, with the choices of readings applied to its findings."""
    check = _followed(deal, law, phases, carried)
    findings = [finding for of in _checks(phases) for finding in of(check)]
    if law.chosen:
        findings = [*_idle_choices(deal, law), *(_as_chosen(f, law) for f in findings)]
    return check._replace(findings=in_order(findings)) if findings else check


@cache
def _checks(phases: tuple[str, ...]) -> tuple[Callable[[Check], Iterable[Finding]], ...]:
    """The checks that run for some phases; the hands are always checked."""
    return tuple(of for asked, of in CHECKS.values() if asked == PHASES or {*phases} & {*asked})


def _idle_choices(deal: Deal, law: Rules) -> Iterator[Finding]:
    """A finding for each chosen reading whose choice changes no judgment."""
    for one in law.chosen.values():
        if not reading_choices.computes(book(), one):
            reading, choice, own = one.reading.address, one.choice.id, one.reading.id
            choices = (n for n, o in enumerate(deal.options) if reading_choices.is_choice(o))
            named = (n for n in choices if reading_choices.parsed(deal.options[n])[1] == own)
            number = next(named, None)
            messages = [Message("idle-choice", reading=reading, choice=choice)]
            if why := one.reading.not_computed:
                messages.append(Message("as-read", text=why))
            at: Item = () if number is None else ("option", number)
            yield Finder(law, deal).lacks("record.not-used", tuple(messages), at)


def _as_chosen(finding: Finding, law: Rules) -> Finding:
    """The finding with the choices it rests on; not disputed if all its readings are chosen."""
    own = tuple(law.chosen[r].written for r in finding.readings if r in law.chosen)
    decided = len(own) == len(finding.readings) and finding.severity is Severity.DISPUTED
    severity = Severity.IRREGULAR if own and decided else finding.severity
    return finding._replace(chosen=own, severity=severity)


def _without_irregularity(deal: Deal, law: Rules) -> tuple[Declared, Outcome] | None:
    """The declaration and the play as integers of the deal; `None` if it needs the full judge.

    It does if an irregularity is written or found, if a hand is not completely known, or if the
    trump is made and not bid.
    """
    if (
        deal.incidents
        or deal.players_named
        or deal.hand_details
        or deal.more_play
        or None in deal.hand_spans
        or not law.has("winning-a-trick")
        or law.has("convention")
        or not walk.all_dealt(deal.hands, law)
    ):
        return None
    declared = declared_in_order(deal, law)
    outcome = declared and walk.played_in_order(deal, law, declared.final)
    return (declared, outcome) if declared and outcome else None


def _followed(deal: Deal, law: Rules, phases: tuple[str, ...], carried: Standing | None) -> Check:
    """The declaration, play, rulings and account of a deal, before findings are collected."""
    state = written_score.standing_before(deal, law, carried)
    due = carried.dealer if carried else None
    hands: Sequence[int] = deal.hands
    if in_order := _without_irregularity(deal, law):
        events, (declared, outcome) = None, in_order
        found = declared.findings, outcome.findings
        judged = Judged(*found) if any(found) else NOTHING
    else:
        events = events_of(deal)
        declared = declare(events, law)
        known = events if "winning-a-trick" in law.clauses else replace(events, tricks=None)
        outcome = walk.followed(known, law, declared.final)
        judged = judge(known, law, declared, outcome, due)
        hands = walk.complete_hands(events.hands, law)
    points = None
    what_if: tuple[WhatIf, ...] = ()
    if "score" in phases and not _no_deal(judged.dealt):
        if declared.passed_out or judged.dealt_anew:
            giving = (p for p in judged.penalties if p.effect == "give-points" and p.number)
            given = tuple(p.entry(p.number or 0) for p in giving)  # only penalty points count
            points = Account(given, (), state, made=False)
            points = points if carried is not None or points.entries or deal.scores else None
        elif declared.final:
            facts = written_score.facts_of(deal, law, declared.final, outcome, hands, state, judged)
            judged = _acted_on(deal, law, facts, judged)
            facts = facts._replace(penalties=judged.penalties)
            points = account(facts, law)
            if points.game or any(m.fact in RUBBER_FACTS for m in points.missing):
                points = None if written_score.of_a_board(deal, law, carried) else points
            what_if = tuple(_with_rights(judged, law, facts)) if points else ()
            recorded = written_score.recorded(deal, declared.final, law)
            if points and events and recorded.declarer not in (None, declared.final.declarer):
                # What happened in the play is ruled on anew, since the players have different
                # roles.
                other = walk.followed(known, law, recorded)
                anew = judge(known, law, declared._replace(final=recorded), other, due)
                facts = facts._replace(penalties=anew.penalties)
            what_if += tuple(written_score.recorded_account(deal, law, facts)) if points else ()
    parts = declared, outcome, judged, state, carried, points
    return Check(deal, law, phases, *parts, (), what_if, False, events)


def _acted_on(deal: Deal, law: Rules, facts: Facts, judged: Judged) -> Judged:
    """The judgment, with unused rights counted as used if that makes the written score right."""
    if not (judged.unused and deal.scores) or facts.tricks is None:
        return judged
    columns = [w for w in written_score.columns_written(deal) if w.column in ("trick", "honour")]

    def error(penalties: tuple[Penalty, ...]) -> int:
        made = account(facts._replace(penalties=penalties), law)
        return sum(abs(w.total - made.points(w.side, w.column)) for w in columns)

    penalties, unused, left = judged.penalties, list[Case](), error(judged.penalties)
    for case in judged.unused:
        more = ((*penalties, *moved) for _, _, moved in open_rights([case]))
        least, best = min(((error(p), p) for p in more), default=(left, ()), key=itemgetter(0))
        if least < left:
            penalties, left = best, least
        else:
            unused.append(case)
    return judged if left else judged._replace(penalties=penalties, unused=tuple(unused))


def _with_rights(judged: Judged, law: Rules, facts: Facts) -> Iterator[WhatIf]:
    """For each unused right, the account if it had been used and that changes the score."""
    rights = open_rights(judged.unused) if facts.tricks is not None else ()
    own = account(facts, law)
    for case, remedy, moved in rights:
        other = account(facts._replace(penalties=(*facts.penalties, *moved)), law)
        if (other.columns, other.game, other.missing) == (own.columns, own.game, own.missing):
            continue
        laws = tuple(dict.fromkeys(a for p in moved for a in p.laws))
        of, used = (case.name, case.seat), "remedy-taken" if remedy else "right-used"
        condition = Message(used, irregularity=of[0], offender=of[1], remedy=remedy)
        yield WhatIf(condition, (sums(other),), other, laws, "", *of, remedy and remedy.id)


def _no_deal(dealt: Iterable[Finding]) -> bool:
    """Whether the cards as written are not a valid deal because one occurs twice."""
    return any(f.rule == "deal.card-twice" for f in dealt)


def in_order(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings in the order of the file, those on missing facts last."""
    # The parts of a file that are read separately begin on different lines.
    return tuple(
        sorted(findings, key=lambda f: (f.severity is INCOMPLETE, f.at.of.source.line, f.at.order))
    )
