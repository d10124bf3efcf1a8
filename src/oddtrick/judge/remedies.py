"""Irregularities of a record and what was done about them, judged under its code.

Each case gets the ruling that applies to it. What the record says was chosen is held against it: is
it one of the remedies, was it the right player's to choose, was it carried out. What the opponents
let stand by acting becomes a note. Tricks and points that a remedy moves are handed on to the
score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from oddtrick.cards import Seat, Side
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.incidents import Case, Shown
from oddtrick.judge.obeyed import disobeyed
from oddtrick.judge.play import Outcome
from oddtrick.judge.procedures import Declared
from oddtrick.judge.score_procedures import Penalty
from oddtrick.judge.table_law import TableLaw
from oddtrick.judge.words import and_words
from oddtrick.law.book import book
from oddtrick.record.model import Incident, Record
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Remedy, Ruling

LETS_STAND = frozenset(("stands", "none", "goes-on", "fourth-may-play"))
"""Remedies by which an irregularity passes: together, and by themselves, they condone it."""

ACTED = {
    "called": ("left-called", "proper-called"),
    "next-called": ("next-called",),
    "followed-by": ("declarer", "one-or-two", "all"),
    "third-played": ("yes",),
    "acted": ("declared", "played"),
}
"""The answers which say that the other side has acted, fact by fact."""

WORDS = {
    "call": "card-exposed",
    "lead": "call-a-suit",
    "call a suit": "call-a-suit",
    "call a lead": "call-a-suit",
    "forbid": "forbid-suit",
    "highest": "call-highest-lowest",
    "highest of": "call-highest-of-suit",
    "highest of the suit": "call-highest-lowest",
    "lowest": "call-highest-lowest",
    "win": "call-win-lose",
    "lose": "call-win-lose",
    "trump": "call-trump-or-not",
    "not trump": "call-trump-or-not",
    "seven": "held-to-seven",
    "let stand": "stands",
    "no penalty": "none",
    "redeal": "new-deal",
    "barred": "partner-barred",
}
"""Other ways to write a remedy in a record, by the words it begins with."""

_AMOUNT = re.compile(r"[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings on the declaration and on the play with the rulings on them, those on remedies.

    `penalties` are what the remedies do to the score; `dealt_anew` says that the cards are.
    """

    declared: tuple[Finding, ...]
    played: tuple[Finding, ...]
    told: tuple[Finding, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    dealt_anew: bool = False


def remedy_of(text: str) -> tuple[str | None, str]:
    """The remedy that a record's words name, and the words, where a suit, a card or a number may
    stand: `call-a-suit hearts`."""
    words = re.sub(r"[^a-z0-9♠♥♦♣ ]+", " ", text.lower()).split()
    bare = " ".join(w for w in words if not _AMOUNT.fullmatch(w))
    known = {r.replace("-", " "): r for r in rulings.remedies()} | WORDS
    for phrase in sorted(known, key=len, reverse=True):
        if (
            bare == phrase
            or bare.startswith(phrase + " ")
            or bare.startswith(phrase.removesuffix("s") + " ")
        ):
            return known[phrase], " ".join(words)
    return None, " ".join(words)


def judge(record: Record, law: TableLaw, declared: Declared, outcome: Outcome) -> Judged:
    """Every finding with the ruling on it, and every remedy of the record held against its ruling."""
    shown = Shown(record, law, declared, outcome)
    ruled: dict[Finding, Finding] = {}
    told: list[Finding] = []
    penalties: list[Penalty] = []
    dealt_anew = False
    for case in shown.cases((*declared.findings, *outcome.findings)):
        answer = rulings.answer(case.name, law.code, law.options, case.facts)
        if case.finding is not None:
            ruled[case.finding] = _with_ruling(case.finding, answer, case)
        if case.incident:
            told += _remedy_findings(shown, case, case.incident, answer)
            penalties += _penalties(case, case.incident, answer)
            dealt_anew = dealt_anew or _dealt_anew(shown, case, case.incident, answer)
    ends = ("declaring.unfinished", "declaring.passed-out") if dealt_anew else ()
    return Judged(
        tuple(ruled.get(f, f) for f in declared.findings if f.rule not in ends),
        tuple(ruled.get(f, f) for f in outcome.findings),
        tuple(told),
        tuple(penalties),
        dealt_anew,
    )


def _with_ruling(finding: Finding, answer: Answer, case: Case) -> Finding:
    """The finding with what the code gives for it.

    A note where the other side let it stand by acting.
    """
    label = rulings.catalogue()[answer.irregularity].label
    if answer.kind == "ruling" and answer.ruling:
        words = rulings.ruling_words(answer.ruling)
        if condoned(answer) and finding.severity is Severity.IRREGULAR and case.incident is None:
            laws = tuple(dict.fromkeys((*finding.laws, *answer.laws)))
            return replace(
                finding,
                severity=Severity.NOTE,
                message=f"{finding.message} It was let stand.",
                laws=laws,
                remedies=(words,),
            )
        return replace(
            finding,
            remedies=(f"{label}: {words}",),
            readings=(*finding.readings, *answer.ruling.readings),
        )
    if answer.kind == "open":
        return replace(
            finding,
            remedies=tuple(
                f"{label}, {rulings.case_words(r)}: {rulings.ruling_words(r)}"
                for r in answer.possible
            ),
        )
    return finding


def condoned(answer: Answer) -> bool:
    """Whether the ruling lets the irregularity stand because the other side has acted."""
    ruling = answer.ruling
    if ruling is None or ruling.silent or ruling.choices:
        return False
    lets = all(r.id in LETS_STAND and r.chosen_by == "nobody" for r in ruling.remedies)
    return lets and any(v in ACTED.get(f, ()) for f, v in answer.facts)


BARS: Mapping[str, Callable[[Seat], tuple[Seat, ...]]] = {
    "partner-barred": lambda seat: (seat.partner,),
    "offender-barred": lambda seat: (seat,),
    "side-barred": lambda seat: (seat, seat.partner),
}
"""Whom a remedy bars from the auction, by the player who offended."""


def barred(
    incident: Incident, name: str, seat: Seat, facts: Mapping[str, str], law: TableLaw
) -> tuple[tuple[Seat, str, str], ...]:
    """The players whom an irregularity bars by the ruling and the remedy chosen, each with how long
    and by which law.

    Where the facts leave more than one ruling, those whom all of them bar.
    """
    if incident.waived_by:
        return ()
    answer = rulings.answer(name, law.code, law.options, facts)
    possible = [
        [
            (player, remedy.lasts or "to-the-end", remedy.provision)
            for remedy in dict.fromkeys(
                (*(r for r in ruling.always if r.chosen_by == "nobody"), *_taken(ruling, incident))
            )
            if remedy.id in BARS
            for player in BARS[remedy.id](seat)
        ]
        for ruling in ([answer.ruling] if answer.ruling else answer.possible)
    ]
    return tuple(
        b for b in (possible[0] if possible else ()) if all(b in others for others in possible[1:])
    )


@cache
def barring(code: str, options: tuple[str, ...]) -> frozenset[str]:
    """The laws of a code by which a player is barred, but for those on a barred player who
    declares."""
    entries = [
        book().entry(name, code, options)
        for name in rulings.catalogue()
        if name != "barred-player-declares"
    ]
    given = [
        remedy
        for found in entries
        if found
        for ruling in found[0].rulings
        for remedy in ruling.remedies
    ]
    return frozenset(remedy.provision for remedy in given if remedy.id in BARS)


def _taken(ruling: Ruling, incident: Incident) -> tuple[Remedy, ...]:
    """The remedies that the record says were chosen, with those that go with them.

    None where it names none of the ruling's.
    """
    return _chosen(ruling, remedy_of(incident.remedy)[0]) if incident.remedy else ()


def _chosen(ruling: Ruling, name: str | None) -> tuple[Remedy, ...]:
    """The remedies of a ruling that are had with one that was chosen."""
    for choice in ruling.choices:
        if name in [r.id for r in choice]:
            return choice
    return tuple(r for r in ruling.always if r.id == name)


def _remedy_findings(
    shown: Shown, case: Case, incident: Incident, answer: Answer
) -> Iterator[Finding]:
    """Findings on the remedy that the record names.

    Is it allowed, was it that player's to choose, was it obeyed.
    """
    if not incident.remedy:
        return
    label = rulings.catalogue()[case.name].label
    given = f"{label}: the record gives “{incident.remedy}” for it"
    if answer.kind in ("silent", "absent"):
        message = f"{given}. {answer.reason}"
        severity = Severity.SILENT
        if answer.kind == "absent" and (answer.laws or shown.law.behind.get("remedy.not-allowed")):
            severity = Severity.IRREGULAR
        yield shown.finder.find("remedy.not-allowed", message, incident, severity, more=answer.laws)
        return
    name, words = remedy_of(incident.remedy)
    possible = [answer.ruling] if answer.ruling else list(answer.possible)
    remedy = next((r for ruling in possible for r in ruling.remedies if r.id == name), None)
    if remedy is None:
        said = "; or ".join(rulings.ruling_words(r) for r in possible)
        given_by = [r.provision for ruling in possible for r in ruling.remedies]
        message = f"{given}; {shown.law.short} gives: {said}."
        yield shown.finder.find("remedy.not-allowed", message, incident, more=given_by)
        return
    amount = next((int(w) for w in words.split() if _AMOUNT.fullmatch(w)), None)
    if None not in (amount, remedy.number) and amount != remedy.number:
        said = f"the record gives {amount} {remedy.figure} for it"
        message = f"{label}: {said}; the law gives {remedy.number}."
        more = (remedy.provision,)
        yield shown.finder.find("remedy.not-allowed", message, incident, more=more)
    allowed = shown.seats(remedy.chosen_by, case.seat)
    who = incident.chosen_by
    if who and allowed and who not in allowed:
        right = f"{rulings.chooser_words(remedy.chosen_by)} ({and_words(s.title for s in allowed)})"
        said = f"{who.title} chose “{incident.remedy}”"
        message = f"{label}: {said}; it is for {right} to choose."
        more = (remedy.provision,)
        yield shown.finder.find("remedy.wrong-chooser", message, incident, more=more)
    for message, played in disobeyed(shown, case, remedy, words):
        # What the code says of a called card that is not played is no law on a bid or a deal.
        laws = None if played else ()
        said = f"{label}: {message}"
        more = (remedy.provision,)
        at = played or incident
        yield shown.finder.find("remedy.not-obeyed", said, at, laws=laws, more=more)


def _dealt_anew(shown: Shown, case: Case, incident: Incident, answer: Answer) -> bool:
    """Whether a new deal follows.

    Chosen as the law allows, or by the law itself, and the record ends with it.
    """
    if answer.ruling is None or incident.waived_by:
        return False
    by_itself = [r for r in answer.ruling.always if r.chosen_by == "nobody"]
    taken = (*by_itself, *_taken(answer.ruling, incident))
    return "new-deal" in [r.id for r in taken] and not shown.went_on(case)


def _penalties(case: Case, incident: Incident, answer: Answer) -> Iterator[Penalty]:
    """What the remedies that were taken do to the score.

    Those that follow by themselves, and the choice that was made.
    """
    if (
        answer.ruling is None
        or case.seat is None
        or incident.waived_by
        or not (incident.noticed_by or incident.remedy)
    ):
        return
    chosen = remedy_of(incident.remedy)[0] if incident.remedy else None
    yield from penalties_of(case.name, answer.ruling, case.seat.side, chosen)


def penalties_of(
    name: str, ruling: Ruling, offenders: Side, chosen: str | None
) -> Iterator[Penalty]:
    """What a ruling does to the score.

    What follows by itself, and the choice that was made, or that is the only one.
    """
    label = rulings.catalogue()[name].label.lower()
    only: tuple[Remedy, ...] = ()
    if chosen is None and len(ruling.choices) < 2:
        only = ruling.choices[0] if ruling.choices else ruling.always
    always = [r for r in ruling.always if r.chosen_by == "nobody"]
    for remedy in dict.fromkeys((*always, *_chosen(ruling, chosen), *only)):
        if remedy.id in SCORED:
            yield Penalty(
                offenders, remedy.id, remedy.number, label, (remedy.provision,), ruling.readings
            )


SCORED = frozenset(
    (
        "points",
        "tricks",
        "scores-no-tricks",
        "scores-honours-only",
        "only-honours-scored",
        "nothing-scored",
        "score-limited",
    )
)
"""The remedies that change the score of the deal."""
