"""A record run through a code: declaration, play and score judged, every claim held against the law.

`check_record` is a pure function of a record and the law in force; `rubbers` judges whole files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from oddtrick.cards import Side
from oddtrick.judge.declaration import declare
from oddtrick.judge.finding import Finding, Severity, Verdict
from oddtrick.judge.making import CONVENTION
from oddtrick.judge.play import Outcome, check_hands, followed, known_hands
from oddtrick.judge.procedures import OPENING_LEAD, Declared, Final, final_words
from oddtrick.judge.remedies import judge
from oddtrick.judge.score_procedures import UNKNOWN, Account, Standing
from oddtrick.judge.words import number_words
from oddtrick.judge.written_score import finding, score_findings, standing_before, standing_findings
from oddtrick.law.in_force import InForce, UnknownCode, in_force, judged_codes
from oddtrick.record.model import Record

PHASES = ("declaring", "play", "score")
"""What a check judges, in order; `--only` chooses among them."""

LONGEST = 1000
"""A deal of more calls, cards or irregularities is none, and is not judged: in Bridge each call might double the points."""


@dataclass(frozen=True, slots=True)
class Check:
    """The answer to one record: what was declared, played and scored, and every finding.

    `extent` says in words how far the check could go where it could not go to the end. `standing` is the state
    before the deal as it was used.
    """

    record: Record
    rules: InForce | None
    only: tuple[str, ...]
    declared: Declared | None = None
    outcome: Outcome | None = None
    account: Account | None = None
    findings: tuple[Finding, ...] = ()
    standing: Standing = UNKNOWN

    @property
    def verdict(self) -> Verdict:
        """The gravest finding decides; silence of the code is incompleteness, never legality."""
        return verdict_of(self.findings)

    @property
    def final(self) -> Final | None:
        """The final declaration."""
        return self.declared.final if self.declared else None

    def as_json(self) -> dict[str, Any]:
        """The record's part of the JSON of a check."""
        rules, final = self.rules, self.final
        out: dict[str, Any] = {
            "id": self.record.id,
            "file": self.record.file,
            "line": self.record.place.line,
            "code": rules.code if rules else None,
            "options": list(rules.options) if rules else [],
            "verdict": self.verdict.value,
            "declaration": None,
            "tricks": None,
            "score": None,
            "findings": [f.as_json() for f in self.findings],
        }
        if final and rules:
            leader = (
                OPENING_LEAD[rules.value("opening-lead")](final.declarer)
                if final.declarer
                else None
            )
            out["declaration"] = {
                "odd_tricks": final.odd_tricks or None,
                "denomination": final.denomination,
                "doubled": final.doubled,
                "declarer": final.declarer.value if final.declarer else None,
                "dummy": final.dummy.value if final.dummy else None,
                "leader": leader.value if leader else None,
                "laws": list(final.laws),
            }
            if final.readings:
                out["declaration"]["readings"] = list(final.readings)
        if self.outcome and self.outcome.taken is not None and rules:
            out["tricks"] = {
                "declaring_side": self.outcome.taken,
                "adversaries": rules.value("hand-size") - self.outcome.taken,
            }
        if self.account is not None:
            out["score"] = {
                **{
                    s.value: {c: self.account.points(s, c) for c in ("trick", "honour")}
                    for s in Side
                },
                "entries": [e.as_json() for e in self.account.entries],
            }
        return out


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """The verdict that findings come to."""
    kinds = {f.severity for f in findings}
    for severity, verdict in (
        (Severity.UNREADABLE, Verdict.UNREADABLE),
        (Severity.IRREGULAR, Verdict.IRREGULAR),
        (Severity.DISPUTED, Verdict.DISPUTED),
        (Severity.SILENT, Verdict.INCOMPLETE),
        (Severity.INCOMPLETE, Verdict.INCOMPLETE),
    ):
        if severity in kinds:
            return verdict
    return Verdict.LEGAL


def most_of(record: Record) -> int:
    """The number of calls, of cards held or played, or of irregularities, whichever is greatest."""
    calls, cards = record.bidding or (), [c for t in record.play or () for c in t.cards]
    held = sum(len(h.cards) + sum(n for _, n in h.small) for _, h in record.hands)
    incidents = (len(i.incidents) for many in (calls, cards, record.table_claims) for i in many)
    return max(
        len(calls),
        len(cards),
        held,
        len(record.table_claims),
        len(record.incidents) + sum(incidents),
    )


def code_of(
    record: Record, code: str | None, options: Iterable[str] | None
) -> tuple[InForce | None, tuple[Finding, ...]]:
    """The law a record is to be judged under: as asked for, or as the record says; or why there is none."""
    if (size := most_of(record)) > LONGEST:
        message = f"The deal has {size} calls, cards or irregularities of one kind; of more than {LONGEST} none is judged."
        return None, (
            Finding(
                "notation.too-many", Severity.UNREADABLE, message, (), record.file, record.place
            ),
        )
    named = code or (record.code.value if record.code else None)
    if named is None:
        message = "The record names no code. Write `code auction-1912` in it, or choose one for it (with `--code` in the command)."
        return None, (
            Finding("record.no-code", Severity.INCOMPLETE, message, (), record.file, record.place),
        )
    chosen = (
        tuple(options)
        if options
        else (
            tuple(o.value for o in record.options)
            if code in (None, record.code.value if record.code else None)
            else ()
        )
    )
    place = record.code.place if record.code and not code else record.place
    try:
        rules = in_force(named, chosen)
        if named in judged_codes():
            return rules, ()
        message = (
            f"The checker does not judge {rules.short} yet; its laws can be read (`oddtrick law {named}`). "
            f"It judges {', '.join(judged_codes())}."
        )
        return None, (
            Finding("record.unknown-code", Severity.UNREADABLE, message, (), record.file, place),
        )
    except UnknownCode as error:
        if error.what == "option":
            place = next((o.place for o in record.options if o.value == error.name), place)
        message = str(error)[0].upper() + str(error)[1:] + "."
        return None, (
            Finding("record.unknown-code", Severity.UNREADABLE, message, (), record.file, place),
        )


def check_record(
    record: Record,
    code: str | None = None,
    options: Iterable[str] | None = None,
    only: Iterable[str] = PHASES,
    standing: Standing | None = None,
) -> Check:
    """Judge one record under a code (its own where none is given).

    `standing` is the state of the rubber before the deal where it is known from the deals before. Never
    raises for anything in the record: what is wrong is a finding.
    """
    phases = tuple(p for p in PHASES if p in set(only))
    rules, found = code_of(record, code, options)
    if rules is None:
        return Check(record, None, phases, findings=found)
    findings: list[Finding] = list(check_hands(record, rules))
    state = standing_before(record, rules, standing)
    declared, agreed = by_convention(declare(record, rules), record, rules, state)
    outcome = followed(record, rules, declared.final)
    play_findings = [f for f in outcome.findings if not f.rule.startswith("score.")]
    judged = judge(record, rules, declared, outcome, [*declared.findings, *play_findings])
    if "declaring" in phases:
        findings += [
            f for f in judged.findings if not f.rule.startswith(("play.", "remedy."))
        ] + agreed
    if "play" in phases:
        findings += [f for f in judged.findings if f.rule.startswith("play.")]
        findings += [] if judged.dealt_anew else _play_extent(record, rules, declared, outcome)
    if "declaring" in phases or "play" in phases:
        findings += [f for f in judged.findings if f.rule.startswith("remedy.")]
    result: Account | None = None
    if "score" in phases and not declared.passed_out and not judged.dealt_anew:
        findings += [f for f in outcome.findings if f.rule.startswith("score.")]
        result, more = score_findings(record, rules, declared, outcome, state, judged.penalties)
        findings += more
    elif "score" in phases and standing is not None:
        result = Account((), (), state, played=state)
    if "score" in phases:
        findings += standing_findings(record, rules, standing)
    return Check(record, rules, phases, declared, outcome, result, in_order(findings), state)


def by_convention(
    declared: Declared, record: Record, rules: InForce, state: Standing
) -> tuple[Declared, list[Finding]]:
    """A declaration that the players agreed not to play, where the code has such an option: played, or not, as it should be."""
    how, final = rules.value("convention"), declared.final
    floor = rules.value("score-floor").get(final.denomination) if how and final else None
    if final is None or floor is None:
        return declared, []
    thrown = bool(record.declaration and record.declaration.passed_out)
    known = tuple(s for s in state.trick if s is not None)
    if len(known) < len(state.trick):
        return (replace(declared, final=None, passed_out=True) if thrown else declared), []
    played = CONVENTION[how](final.doubled, known, floor)
    laws = rules.laws("convention")
    place = record.declaration.place if record.declaration else record.place
    found = []
    if thrown and played:
        message = f"{final_words(final, rules)} is not played, but it is doubled or a side has {floor} points or more."
        found = [finding("declaring.spade-not-played", message, record, rules, place, extra=laws)]
    elif not thrown and not played and (record.play or record.result):
        message = f"{final_words(final, rules)} is played, but it is not doubled and neither side has {floor} points."
        found = [finding("declaring.spade-not-played", message, record, rules, place, extra=laws)]
    return (replace(declared, final=None, passed_out=True) if thrown else declared), found


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of the file, those without law last within a place."""
    return tuple(
        sorted(
            findings,
            key=lambda f: (f.severity is Severity.INCOMPLETE, f.place.line, f.place.column),
        )
    )


def _play_extent(
    record: Record, rules: InForce, declared: Declared, outcome: Outcome
) -> list[Finding]:
    """Findings that say how far the play could be followed."""
    if declared.passed_out:
        return []
    if record.play is None:
        return [
            finding(
                "record.no-play",
                "The play is not recorded.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        ]
    found = []
    if declared.final is None:
        found.append(
            finding(
                "record.no-play",
                "The play could not be followed: the final declaration is not known.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    elif declared.final.declarer is None:
        found.append(
            finding(
                "record.no-declarer",
                "The record does not let the declarer be known, so the play could not be followed.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    elif not outcome.complete:
        whole = sum(1 for t in outcome.tricks if t.winner)
        found.append(
            finding(
                "record.no-play",
                f"The play is recorded in part: {number_words(whole, 'trick')} could be followed to the end.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    whole_hands = {seat for seat, hand in record.hands if not hand.partial and not hand.small}
    if len({*whole_hands, *known_hands(record, rules)}) < 4:
        found.append(
            finding(
                "record.no-hands",
                "Not all four hands are recorded; the cards were checked as far as they are.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    return found
