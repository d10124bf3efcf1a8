"""A record run through a code: declaration, play and score judged, every claim held against the
law.

`check` follows a record once and then asks every check of `CHECKS` for its findings; each is a
pure function of the frozen `Deal`. `rubber` judges whole files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

from oddtrick.cards import SEATS, Seat, Side
from oddtrick.judge import clean, written_score
from oddtrick.judge import play as walk
from oddtrick.judge.account import account
from oddtrick.judge.answers import (
    DeclarationJson,
    Depth,
    RecordJson,
    TricksJson,
    auction_json,
    hands_json,
    incident_json,
    incidents_of,
    play_json,
    stated_json,
)
from oddtrick.judge.auction import calls_made
from oddtrick.judge.declaration import declare
from oddtrick.judge.finding import Finder, Finding, Severity, Spot, Verdict, Written, verdict_of
from oddtrick.judge.not_used import NotUsed, alone, not_used, of_no_rubber, unscored
from oddtrick.judge.play import Followed, Outcome
from oddtrick.judge.procedures import CONVENTION, Declared, Final, Made, final_words, most_calls
from oddtrick.judge.remedies import NOTHING, Judged, judge
from oddtrick.judge.score_procedures import (
    UNKNOWN,
    Account,
    Facts,
    Standing,
    counted_tricks,
    tricks_after,
)
from oddtrick.judge.what_if import WhatIf, other_readings, sums
from oddtrick.judge.words import number_words
from oddtrick.law import reading_choices
from oddtrick.law.book import MOST_CACHED, book, judged_codes
from oddtrick.law.model import ChosenReading, UnknownCode
from oddtrick.law.rules import Rules
from oddtrick.limits import CALLS, JUDGED
from oddtrick.record.adapter import frame_of, record_of
from oddtrick.record.deal import Deal as RecordedDeal
from oddtrick.record.model import Record

PHASES = ("declaring", "play", "score")
"""What a check judges, in order; `--only` chooses among them."""

BLANK = Record("")
"""The record of a deal in order that states nothing of its score: nothing in it is looked at."""


class Deal(NamedTuple):
    """A record as it was followed under a law: all that a check looks at.

    `clean` is the deal itself if nothing irregular is in it; `record` then has no calls and cards.
    `carried` is the state of the rubber that the deals before leave, `None` where they are not
    known; `standing` is the state as it is used. `account` is `None` where the score is not asked
    for, or there is none.
    """

    record: Record
    law: Rules
    declared: Declared
    outcome: Outcome
    judged: Judged
    standing: Standing
    carried: Standing | None
    clean: RecordedDeal | None = None
    account: Account | None = None
    what_if: tuple[WhatIf, ...] = ()

    @property
    def finder(self) -> Finder:
        """The way to make a finding on it."""
        return Finder(self.law, self.clean or self.record)


@dataclass(frozen=True, slots=True)
class Check:
    """The answer to one record: what was declared, played and scored, and every finding.

    `standing` is the state before the deal as it was used; `what_if` is what rights that nobody
    used, and other readings, would have given, `after_penalties` the tricks of the declaring side
    when those moved as a penalty are counted. `carried` is the state that the deals before leave,
    where they are known; `why_unscored` says why nothing of the deal is scored,
    `grouped` that it is one of a rubber or match.
    """

    source: RecordedDeal | Record
    law: Rules | None
    only: tuple[str, ...]
    declared: Declared | None = None
    outcome: Outcome | None = None
    account: Account | None = None
    findings: tuple[Finding, ...] = ()
    standing: Standing = UNKNOWN
    what_if: tuple[WhatIf, ...] = ()
    after_penalties: int | None = None
    carried: Standing | None = None
    why_unscored: str | None = None
    grouped: bool = False

    @property
    def record(self) -> Record:
        """The record with an object for each call and card."""
        return self.source if isinstance(self.source, Record) else record_of(self.source)

    @property
    def calls(self) -> tuple[Made, ...]:
        """The calls with who made them."""
        declared, deal = self.declared, self.source
        if declared is None or declared.calls or isinstance(deal, Record) or not deal.calls:
            return declared.calls if declared else ()
        first = deal.first_caller or deal.dealer
        return calls_made(deal.calls, first, self.law) if first and self.law else ()

    @property
    def tricks(self) -> tuple[Followed, ...]:
        """The tricks as they were followed."""
        outcome, final = self.outcome, self.final
        if outcome is None:
            return ()
        if isinstance(self.source, Record) or not (self.source.cards and final and final.declarer):
            return outcome.tricks
        return outcome.tricks or clean.tricks(self.source, final.declarer.left, outcome.winners)

    @property
    def verdict(self) -> Verdict:
        """The gravest finding decides; silence of the code is incompleteness, never legality."""
        return verdict_of(self.findings)

    @property
    def final(self) -> Final | None:
        """The final declaration."""
        return self.declared.final if self.declared else None

    @property
    def not_used(self) -> tuple[NotUsed, ...]:
        """The statements of the record that the answer does not turn on."""
        if self.law is None:
            return ()
        idle = not_used(self)
        why = self.why_unscored if "score" in self.only else None
        single = () if self.grouped else alone(self.record)
        held = self.account is not None and not _goes_on(self.findings)
        if self.account is None and self.final and "score" in self.only:
            single = (*single, *of_no_rubber(self.record, self.carried))
        return (*idle, *single, *(unscored(self.record, why, held) if why else ()))

    def again(self, record: Record | None = None, law: Rules | None = None) -> Check:
        """The check of another record, or under another law, judged as this one was.

        Without what other readings would give, which `other_readings` adds.
        """
        under = law or self.law
        assert under is not None
        return _judged(record or self.source, under, self.only, self.carried)

    def brief(self) -> RecordJson:
        """What is told of the record among many."""
        law, record = self.law, self.source
        out: RecordJson = {
            "id": record.id,
            "file": record.file,
            "line": record.place.line,
            "title": record.tag("title"),
            "code": law.code if law else None,
            "options": list(reading_choices.options_of(law.options)) if law else [],
            "verdict": self.verdict.value,
            "passed_out": self.declared is not None and self.declared.passed_out,
            "declaration": _final_json(self.final, law) if self.final and law else None,
            "tricks": self._tricks_json(),
            "score": self.account.as_json() if self.account is not None else None,
            "findings": [f.as_json() for f in self.findings],
        }
        if law and law.chosen:
            out["chosen"] = list(reading_choices.choices_of(law.options))
        return out

    def answer(self) -> dict[str, object]:
        """What the record comes to, without what it says itself and what is not used."""
        return {
            **{name: value for name, value in self.brief().items() if name != "title"},
            "standing": self.standing.as_json(),
            "next_to_call": self.next_to_call.value if self.next_to_call else None,
            "winners": self._winners(),
            "what_if": [w.as_json() for w in self.what_if],
        }

    def as_json(self, depth: Depth = "whole") -> RecordJson:
        """The record's part of the JSON of a check."""
        out = self.brief()
        if depth == "brief":
            return out
        record = self.record
        out |= {
            "source": record.tag("source"),
            "note": record.tag("note"),
            "phases": list(self.only),
            "dealer": record.dealer.value.value if record.dealer else None,
            "sides": {side.value: name for side, name in record.sides},
            "tray": record.tray.value if record.tray else None,
            "stated": stated_json(record),
            "standing": self.standing.as_json(),
            "hands": hands_json(record),
            "auction": auction_json(self.declared, self.calls),
            "next_to_call": self.next_to_call.value if self.next_to_call else None,
            "play": play_json(self.outcome, self.tricks),
            "next_to_play": self.next_to_play.value if self.next_to_play else None,
            "winners": self._winners(),
            "incidents": [incident_json(i) for i in incidents_of(record)],
        }
        if depth == "whole":
            out["what_if"] = [w.as_json() for w in self.what_if]
            out["not_used"] = [n.as_json() for n in self.not_used]
        return out

    def _winners(self) -> list[str | None]:
        return [t.winner.value if t.winner else None for t in self.tricks]

    def _tricks_json(self) -> TricksJson | None:
        """The tricks as played, as they count, and as they count when penalties moved some."""
        taken, final, law = self.outcome.taken if self.outcome else None, self.final, self.law
        if taken is None or law is None:
            return None
        total, after = law.value("hand-size"), self.after_penalties
        counted = counted_tricks(taken, final, law) if final else taken
        out: TricksJson = {
            "declaring_side": taken,
            "adversaries": total - taken,
            "counted": counted,
            "over": counted - law.value("book") - final.odd_tricks
            if final and final.odd_tricks
            else None,
        }
        if after is not None and after != taken:
            out["after_penalties"] = {"declaring_side": after, "adversaries": total - after}
        return out

    @property
    def next_to_call(self) -> Seat | None:
        """Who has the turn to call, where an auction is recorded and is not finished."""
        declared = self.declared
        if declared is None or declared.relative or declared.final or declared.passed_out:
            return None
        return declared.turn

    @property
    def next_to_play(self) -> Seat | None:
        """Whose turn it is to play, where the play is not at its end."""
        final, law, outcome = self.final, self.law, self.outcome
        if not (final and final.declarer and law and outcome) or outcome.complete:
            return None
        tricks = self.tricks
        if not tricks:
            return final.declarer.left
        last = tricks[-1]
        if len(last.cards) < len(SEATS):
            seat = last.cards[-1][0] if last.cards else None
            return seat.left if seat else None
        return last.winner


def _final_json(final: Final, law: Rules) -> DeclarationJson:
    """The final declaration as JSON."""
    leader = final.declarer.left if final.declarer else None
    out: DeclarationJson = {
        "odd_tricks": final.odd_tricks or None,
        "denomination": final.denomination,
        "doubled": final.doubled,
        "declarer": final.declarer.value if final.declarer else None,
        "dummy": final.dummy.value if final.dummy and law.has("open-hand") else None,
        "leader": leader.value if leader else None,
        "bridged": final.bridged,
        "laws": list(final.laws),
    }
    if final.readings:
        out["readings"] = list(final.readings)
    return out


def law_of(
    record: RecordedDeal | Record, code: str | None, options: Iterable[str] | None
) -> tuple[Rules | None, tuple[Finding, ...]]:
    """The law a record is to be judged under: as asked for, or as it says; or why there is none."""

    def cannot(rule: str, message: str, at: Written | None = None) -> tuple[None, tuple[Finding]]:
        return None, (Finder(None, record).find(rule, message, at, Severity.UNREADABLE),)

    def in_bounds(law: Rules) -> tuple[Rules | None, tuple[Finding, ...]]:
        called = record.bidding if isinstance(record, Record) else record.calls
        bids, longest = most_calls(law)
        if not bids or len(called or ()) <= longest:
            return law, ()
        figures = {"size": len(called or ()), "bids": bids, "longest": longest}
        return cannot("notation.too-many", CALLS.message(code=law.short, **figures))

    if (size := _longest(record)) > JUDGED.most:
        return cannot("notation.too-many", JUDGED.message(size=size))
    if isinstance(record, RecordedDeal):
        law = _law_named(code, record.code, options, record.options)
        if law:
            return in_bounds(law)
        record = record_of(record)
    own = record.code.value if record.code else None
    named = code or own
    if named is None:
        message = (
            "The record names no code. Write `code auction-1912` in it, or choose one for it "
            "(with `--code` in the command)."
        )
        return None, (Finder(None, record).lacks("record.no-code", message),)
    stated = record.options if code in (None, own) else ()
    at = record.code if not code else None
    try:
        law = book().rules(named, _options(named, tuple(options or ()), [o.value for o in stated]))
    except UnknownCode as error:
        if error.what != "code":
            at = next((o for o in record.options if o.value == error.name), at)
        message = str(error)
        return cannot("record.unknown-code", f"{message[0].upper()}{message[1:]}.", at)
    if table := _at_the_table(law):
        return in_bounds(table)
    message = (
        f"The checker does not judge {law.short} yet; its laws can be read "
        f"(`oddtrick law {named}`). It judges {', '.join(judged_codes())}."
    )
    return cannot("record.unknown-code", message, at)


def _longest(deal: RecordedDeal | Record) -> int:
    """The number of calls, of cards or of irregularities of a deal, whichever is greatest."""
    if isinstance(deal, Record):
        return deal.numbers.most
    return max(len(deal.calls or ()), len(deal.cards or ()), len(deal.incidents), len(deal.claims))


def _law_named(
    code: str | None, own: str | None, asked: Iterable[str] | None, stated: tuple[str, ...]
) -> Rules | None:
    """The law that a deal is judged under; `None` if there is none."""
    named = code or own
    if named is None:
        return None
    bearing = stated if code in (None, own) else ()
    return _law_with(named, tuple(asked or ()), bearing)


@lru_cache(MOST_CACHED)
def _law_with(code: str, asked: tuple[str, ...], stated: tuple[str, ...]) -> Rules | None:
    try:
        return _at_the_table(book().rules(code, _options(code, asked, stated)))
    except UnknownCode:
        return None


@cache
def _at_the_table(law: Rules) -> Rules | None:
    """The law as it is applied at the table; `None` of a code that is not judged."""
    return law if law.code in judged_codes() else None


def _options(code: str, asked: Sequence[str], stated: Sequence[str]) -> tuple[str, ...]:
    """The options under which a record is judged: those asked for, or else those it states.

    Readings that are asked for go before those that the record states, reading by reading; one
    of another code does not bear on it.
    """
    if not (asked or stated):
        return ()
    chain = book().chain(code)
    plain = reading_choices.options_of(asked) or reading_choices.options_of(stated)
    bearing = reading_choices.bearing(asked, chain)
    settled = {reading_choices.read_choice(book(), o, chain).reading.address for o in bearing}
    own = [
        o
        for o in reading_choices.choices_of(stated)
        if reading_choices.read_choice(book(), o, chain).reading.address not in settled
    ]
    return (*plain, *bearing, *own)


# --- the checks ---------------------------------------------------------------------------------


def hands(deal: Deal) -> Iterable[Finding]:
    """The cards as dealt: none in two places, each hand of its number (the laws on dealing)."""
    return () if deal.clean else walk.check_hands(deal.record, deal.law)


def declaration(deal: Deal) -> Iterable[Finding]:
    """Every call in its turn, sufficient, possible, not barred; the final declaration as stated.

    By the laws on declaring and doubling, with the ruling on what was irregular.
    """
    return deal.judged.declared


def convention(deal: Deal) -> Iterable[Finding]:
    """A make that the players agreed not to play: played or not as the option has it."""
    return _convention(deal) if deal.law.has("convention") else ()


def _convention(deal: Deal) -> Iterator[Finding]:
    record, law = deal.record, deal.law
    final = deal.declared.final or deal.declared.unplayed
    how = law.procedure("convention", CONVENTION)
    floors = law.value("score-floor") or {}
    floor = floors.get(final.denomination) if final and how else None
    known = tuple(s for s in deal.standing.trick if s is not None)
    if final is None or floor is None or not how or len(known) < 2:
        return
    thrown, must = deal.declared.unplayed is not None, deal.judged.play_out
    played = True if must else how(final.doubled, known, floor)
    words = final_words(final, law)
    if played is None:
        return
    if thrown and must:
        why = f"{words} is not played, but the hand must be played out."
    elif thrown and played:
        why = f"{words} is not played, but it is doubled or a side has {floor} points or more."
    elif not thrown and not played and (record.numbers.rows or record.numbers.result):
        why = f"{words} is played, but it is not doubled and neither side has {floor} points."
    else:
        return
    more = must or law.laws("convention")
    yield deal.finder.find("declaring.spade-not-played", why, record.declaration, more=more)


def play(deal: Deal) -> Iterable[Finding]:
    """Every card led and played in turn, held, following suit (the laws on play and the revoke)."""
    return deal.judged.played


def extent(deal: Deal) -> Iterator[Finding]:
    """How far the play could be followed, where it could not be followed to the end."""
    record, declared = deal.record, deal.declared
    if declared.passed_out or deal.judged.dealt_anew:
        return
    if deal.clean.cards is None if deal.clean else record.play is None:
        yield deal.finder.lacks("record.no-play", "The play is not recorded.")
        return
    if not deal.law.get("winning-a-trick"):
        said = "No law says which card wins a trick, as it is read: the play is not judged."
        yield deal.finder.lacks("record.no-play", said)
        return
    if declared.final is None:
        said = "The play could not be followed: the final declaration is not known."
        yield deal.finder.lacks("record.no-play", said)
    elif declared.final.declarer is None:
        said = "The record does not let the declarer be known, so the play could not be followed."
        yield deal.finder.lacks("record.no-declarer", said)
    elif not deal.outcome.complete:
        whole = number_words(deal.outcome.whole, "trick")
        said = f"The play is recorded in part: {whole} could be followed to the end."
        yield deal.finder.lacks("record.no-play", said)
    if deal.clean:
        return
    written = {seat for seat, hand in record.hands if not hand.partial and not hand.small}
    if len({*written, *walk.known_hands(record, deal.law)}) < 4:
        said = "Not all four hands are recorded; the cards were checked as far as they are."
        yield deal.finder.lacks("record.no-hands", said)


def remedies(deal: Deal) -> Iterable[Finding]:
    """What was chosen for an irregularity: given by the law, his to choose, carried out."""
    return deal.judged.told


def result(deal: Deal) -> Iterable[Finding]:
    """The tricks that the record states, held against the play."""
    return () if _unscored(deal) else deal.outcome.result


def score(deal: Deal) -> Iterable[Finding]:
    """Every figure that was written down, held against the account (the laws on scoring)."""
    if deal.record.scores and _no_deal(deal.record, deal.law):
        said = "The score could not be checked: a card is written twice, and there is no such deal."
        return (deal.finder.lacks("record.no-result", said, deal.record.scores[0]),)
    if _unscored(deal) and deal.account:
        if _goes_on(deal.judged.told):
            return ()
        ended = "convention" if deal.declared.unplayed else "passed-out"
        why = deal.judged.dealt_anew or deal.law.laws(ended)
        return written_score.void_findings(deal.record, deal.law, deal.account, why)
    if deal.account is None or deal.declared.final is None:
        return ()
    return written_score.score_findings(deal.record, deal.law, deal.declared.final, deal.account)


def standing(deal: Deal) -> Iterable[Finding]:
    """What the record says of the state of the rubber, held against the deals before and itself."""
    return written_score.standing_findings(deal.record, deal.law, deal.carried)


CHECKS: tuple[tuple[tuple[str, ...], Callable[[Deal], Iterable[Finding]]], ...] = (
    (PHASES, hands),
    (("declaring",), declaration),
    (("declaring",), convention),
    (("play",), play),
    (("play",), extent),
    (("declaring", "play"), remedies),
    (("score",), result),
    (("score",), score),
    (("score",), standing),
)
"""Every check with the phases that ask for it, in the order in which they are run."""


@cache
def _asked_for(phases: tuple[str, ...]) -> tuple[Callable[[Deal], Iterable[Finding]], ...]:
    """The checks that phases ask for; whether there is such a deal is always asked."""
    return tuple(c for asked, c in CHECKS if c is hands or not set(phases).isdisjoint(asked))


def check(
    record: RecordedDeal | Record,
    code: str | None = None,
    options: Iterable[str] | None = None,
    only: Iterable[str] = PHASES,
    standing: Standing | None = None,
) -> Check:
    """Judge one record under a code (its own where none is given).

    `standing` is the state of the rubber before the deal where it is known from the deals before.
    Never raises for anything in the record: what is wrong is a finding.
    """
    phases = _phases(tuple(only))
    law, found = law_of(record, code, options)
    if law is None:
        return Check(record, None, phases, findings=found)
    return other_readings(_judged(record, law, phases, standing))


@cache
def _phases(only: tuple[str, ...]) -> tuple[str, ...]:
    """The phases that are asked for, in order."""
    return tuple(p for p in PHASES if p in only)


def _judged(
    record: RecordedDeal | Record, law: Rules, phases: tuple[str, ...], standing: Standing | None
) -> Check:
    """One record judged under a law, as it is read there."""
    deal = follow(record, law, standing, "score" in phases)
    findings: list[Finding] = []
    for of in _asked_for(phases):
        findings += of(deal)
    if law.chosen:
        whole = record if isinstance(record, Record) else record_of(record)
        findings = [*_idle_choices(whole, law), *(_as_chosen(f, law) for f in findings)]
    return Check(
        deal.clean or deal.record,
        law,
        phases,
        deal.declared,
        deal.outcome,
        deal.account,
        in_order(findings),
        deal.standing,
        deal.what_if,
        _after_penalties(deal),
        standing,
        _why_unscored(deal),
    )


def _idle_choices(record: Record, law: Rules) -> Iterator[Finding]:
    """The readings that are chosen in a way by which nothing is judged otherwise."""
    stated = {o.value: o for o in record.options}
    for one in law.chosen.values():
        if not reading_choices.computes(book(), one):
            at = next((o for w, o in stated.items() if _names(w, one)), None)
            said = (
                f"The reading {one.reading.address} is chosen as `{one.choice.id}`: "
                "it changes nothing that the checker judges."
            )
            said += f" {one.reading.not_computed}" if one.reading.not_computed else ""
            yield Finder(law, record).lacks("record.not-used", said, at)


def _names(option: str, one: ChosenReading) -> bool:
    """Whether a word among the options of a record names the reading of a choice."""
    head = option.partition("=")[0].rpartition(":")[2]
    return reading_choices.is_choice(option) and head.removeprefix("reading.") == one.reading.id


def _as_chosen(finding: Finding, law: Rules) -> Finding:
    """A finding that names the choices it rests on; where all its doubts are chosen, no dispute."""
    own = [law.chosen[r] for r in finding.readings if r in law.chosen]
    if not own:
        return finding
    settled = len(own) == len(finding.readings) and finding.severity is Severity.DISPUTED
    return replace(
        finding,
        chosen=tuple(c.written for c in own),
        severity=Severity.IRREGULAR if settled else finding.severity,
    )


def follow(of: RecordedDeal | Record, law: Rules, carried: Standing | None, scored: bool) -> Deal:
    """A record as it goes: its declaration, its play, what was ruled, its account."""
    if isinstance(of, RecordedDeal):
        clean_deal = clean.follow(of, law)
        if clean_deal:
            claims = (
                of.scores
                or of.honours
                or of.chicane
                or of.game
                or of.standing_games
                or of.standing_trick
                or of.standing_honour
                or carried
            )
            record = frame_of(of) if claims else BLANK
            state = written_score.standing_before(record, of.vulnerable, law, carried)
            declared, outcome = clean_deal
            found = declared.findings, outcome.findings
            judged = Judged(*found) if any(found) else NOTHING
            deal = Deal(record, law, declared, outcome, judged, state, carried, of)
            if not scored:
                return deal
            deal = _scored(deal, of.hands, of.vulnerable, of.tags)
            if deal.account and deal.account.missing and not claims:
                return deal._replace(record=frame_of(of))
            return deal
    record = of if isinstance(of, Record) else record_of(of)
    vulnerable = record.vulnerable.value if record.vulnerable else None
    state = written_score.standing_before(record, vulnerable, law, carried)
    declared = _unplayed(declare(record, law), record, law)
    known = record if "winning-a-trick" in law.clauses else replace(record, play=None)
    outcome = walk.followed(known, law, declared.final)
    judged = judge(known, law, declared, outcome)
    deal = Deal(record, law, declared, outcome, judged, state, carried)
    if not scored or _no_deal(record, law):
        return deal
    return _scored(deal, walk.whole_hands(record, law), vulnerable, record.tags)


def _scored(
    deal: Deal,
    hands: Sequence[int],
    vulnerable: frozenset[Side] | None,
    tags: tuple[tuple[str, str], ...],
) -> Deal:
    """The deal with its account; `hands` are bit sets, 0 for a hand that is not wholly known."""
    record, law, carried, judged = deal.record, deal.law, deal.carried, deal.judged
    final, state = deal.declared.final, deal.standing
    if final and not _unscored(deal):
        facts = written_score.facts_of(record, law, final, deal.outcome, hands, state, judged)
        made = account(facts, law)
        lacking = not written_score.RUBBER_FACTS.isdisjoint(m.fact for m in made.missing)
        if lacking and written_score.of_a_board(record, vulnerable, tags, carried):
            return deal
        recorded = written_score.recorded_account(record, law, facts, hands)
        return deal._replace(account=made, what_if=(*_what_if(deal, facts), *recorded))
    if _unscored(deal):
        points = written_score.void_account(judged.penalties, state)
        if carried is not None or points.entries or record.scores:
            return deal._replace(account=points)
    return deal


def _what_if(deal: Deal, facts: Facts) -> tuple[WhatIf, ...]:
    """The accounts that rights which nobody used would have given."""
    found = []
    for right in deal.judged.open if facts.tricks is not None else ():
        with_it = replace(facts, penalties=(*facts.penalties, *right.penalties))
        other = account(with_it, deal.law)
        laws = tuple(dict.fromkeys(a for p in right.penalties for a in p.laws))
        remedy = right.remedy.id if right.remedy else None
        of = right.irregularity, right.offender, remedy
        found.append(WhatIf(right.words, sums(other), other, laws, "", *of))
    return tuple(found)


def _after_penalties(deal: Deal) -> int | None:
    """The tricks of the declaring side when those that a penalty moves are counted."""
    final, taken = deal.declared.final, deal.outcome.taken
    if taken is None or final is None or final.declarer is None:
        return None
    side, penalties = final.declarer.side, deal.judged.penalties
    return tricks_after(taken, penalties, side, final.denomination, deal.law)[0]


def _goes_on(findings: Iterable[Finding]) -> bool:
    """Whether it is found that the record goes on with a deal that comes to nothing."""
    return any(f.rule == "remedy.not-obeyed" for f in findings)


def _unscored(deal: Deal) -> bool:
    """Whether nothing of the deal is scored: it was passed out, or dealt anew."""
    return deal.declared.passed_out or bool(deal.judged.dealt_anew)


def _no_deal(record: Record, law: Rules) -> bool:
    """Whether the cards as written are no deal, since one of them stands twice."""
    found = walk.check_hands(record, law)
    return bool(found) and any(f.rule == "deal.card-twice" for f in found)


def _why_unscored(deal: Deal) -> str | None:
    """Why nothing of the deal is scored, an id of `not_used.WHY`; `None` where it is."""
    if deal.judged.dealt_anew:
        return "dealt-anew"
    if deal.declared.passed_out:
        return "not-played"
    return None if deal.declared.final else "no-final"


def _unplayed(declared: Declared, record: Record, law: Rules) -> Declared:
    """A declaration that the players agreed not to play, where the code has such an option."""
    final, stated = declared.final, record.numbers.declaration
    if not (law.has("convention") and final and stated and stated.passed_out):
        return declared
    if (law.value("score-floor") or {}).get(final.denomination) is None:
        return declared
    return replace(declared, final=None, passed_out=True, unplayed=final)


def in_order(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of the file, those without law last within a place."""
    if len(findings) < 2:
        return tuple(findings)
    of_one_text = all(isinstance(f.at, Spot) for f in findings)
    return tuple(sorted(findings, key=_offset if of_one_text else _line))


def _offset(finding: Finding) -> tuple[bool, int]:
    assert isinstance(finding.at, Spot)
    return finding.severity is Severity.INCOMPLETE, finding.at.order


def _line(finding: Finding) -> tuple[bool, int, int]:
    place = finding.place
    return finding.severity is Severity.INCOMPLETE, place.line, place.column
