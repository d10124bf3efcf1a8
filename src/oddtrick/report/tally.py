"""What many records come to: counted once, and told from the one count as text and as JSON.

A record is a deal, however many of its lines cannot be read. A file of which nothing is a record
and something cannot be read is an unreadable file. What is found outside every deal is counted
among the findings alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from oddtrick import __version__
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Finding, Severity, Verdict
from oddtrick.judge.rubber import GroupCheck, exit_status
from oddtrick.judge.words import number_words, verdict_words
from oddtrick.report.check import check_text, finding_lines, group_text, painted_verdict, short_text
from oddtrick.terminal import Style

Result = Check | GroupCheck | Finding
Kind = tuple[str, Severity]

NO_FAULT = frozenset((Severity.INCOMPLETE, Severity.NOTE))
"""What is found in records that nobody has to look at: what they leave out, and what the law lets
stand.
"""


@dataclass(slots=True)
class Tally:
    """The counts of a check, which grow while its results go by (`of_file`).

    `found` counts findings by rule and severity, `holding` the records that have any of a kind.
    `status` is the exit status.
    """

    files: int = 0
    unreadable_files: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    found: Counter[Kind] = field(default_factory=Counter)
    holding: Counter[Kind] = field(default_factory=Counter)
    status: int = 0

    @property
    def records(self) -> int:
        """How many records there were."""
        return self.verdicts.total()

    def of_file(self, results: Iterable[Result]) -> Iterator[Result]:
        """The results of one file, one at a time, each counted before it is handed on."""
        self.files += 1
        before, unread = self.records, False
        for result in results:
            self._count(result)
            unread = unread or (
                isinstance(result, Finding) and result.severity is Severity.UNREADABLE
            )
            yield result
        self.unreadable_files += unread and self.records == before

    def _count(self, result: Result) -> None:
        self.status = max(self.status, exit_status([result]))
        kinds = [
            (f.rule, f.severity)
            for f in ([result] if isinstance(result, Finding) else result.findings)
        ]
        self.found.update(kinds)
        if isinstance(result, Check):
            self.verdicts[result.verdict] += 1
            self.holding.update(set(kinds))

    def kinds(self) -> list[tuple[Kind, int, int]]:
        """Each rule and severity with its findings and the records that have it, the most frequent
        first.
        """
        grave = list(Severity)
        ordered = sorted(self.found.items(), key=lambda i: (-i[1], grave.index(i[0][1]), i[0][0]))
        return [(kind, number, self.holding[kind]) for kind, number in ordered]

    def as_json(self) -> dict[str, object]:
        """The `summary` of the JSON of a check."""
        return {
            "files": self.files,
            "unreadable_files": self.unreadable_files,
            "records": self.records,
            "verdicts": {v.value: self.verdicts[v] for v in Verdict},
            "findings": [
                {"rule": rule, "severity": severity.value, "count": number, "records": records}
                for (rule, severity), number, records in self.kinds()
            ],
        }


def summary(tally: Tally) -> str:
    """One line that counts the verdicts."""
    counted = f": {_by_verdict(tally.verdicts)}" if tally.records else ""
    return f"{number_words(tally.records, 'record')}{counted}."


def _by_verdict(counted: Mapping[Verdict, int]) -> str:
    return ", ".join(f"{counted[v]} {verdict_words(v)}" for v in Verdict if counted[v])


def summary_text(tally: Tally, style: Style) -> str:
    """The counts in a few lines: records and files, verdicts, findings by rule."""
    said = f"{number_words(tally.records, 'record')} in {number_words(tally.files, 'file')}"
    if tally.unreadable_files:
        which = "which" if tally.files == 1 else f"{tally.unreadable_files} of which"
        said += f", {which} could not be read"
    out = [style.bold(said)]
    kinds = tally.kinds()
    wide = max((len(str(n)) for n in (*tally.verdicts.values(), *tally.found.values())), default=0)
    out += [
        f"  {tally.verdicts[v]:>{wide}}  {painted_verdict(v, style)}"
        for v in Verdict
        if tally.verdicts[v]
    ]
    if kinds:
        out += ["", style.bold(number_words(tally.found.total(), "finding"))]
    longest = max((len(rule) for (rule, _), _, _ in kinds), default=0)
    for (rule, severity), number, records in kinds:
        where = f", in {number_words(records, 'record')}" if records not in (0, number) else ""
        out.append(f"  {number:>{wide}}  {rule:<{longest}}  {severity.value}{where}")
    return "\n".join(out) + "\n"


def as_text_stream(
    results: Iterable[tuple[Sequence[str], Result]],
    tally: Tally,
    style: Style,
    full: bool = False,
    account_only: bool = False,
) -> Iterator[str]:
    """The report of a check in pieces, each as soon as it is known.

    Results come with the lines of their file. In full with `full`, and where there is but one
    record. Otherwise the records and groups that have a fault (a finding that is not in
    `NO_FAULT`), in short. The summary stands behind more than one record, or file that could not be
    read. `tally` is the one that counts the results.
    """
    hidden: Counter[Verdict] = Counter()

    def told(lines: Sequence[str], result: Result, whole: bool) -> Iterator[str]:
        if isinstance(result, Finding):
            yield "\n".join(finding_lines(result, style, lines)) + "\n\n"
        elif not whole and NO_FAULT.issuperset(f.severity for f in result.findings):
            if isinstance(result, Check):
                hidden[result.verdict] += 1
        elif not whole:
            yield short_text(result, style, lines) + "\n"
        elif isinstance(result, GroupCheck):
            yield group_text(result, style, lines) + "\n"
        else:
            yield check_text(result, style, lines, account_only) + "\n"

    only: list[tuple[Sequence[str], Result]] = []  # what there is before a second record
    for lines, result in results:
        if not full and tally.records < 2:
            only.append((lines, result))
            continue
        for early in only:
            yield from told(*early, False)
        only.clear()
        yield from told(lines, result, full)
    for last in only:
        yield from told(*last, True)
    if tally.records + tally.unreadable_files != 1:
        yield summary_text(tally, style)
    if hidden:
        yield f"\nNot shown: {_by_verdict(hidden)}. --full shows every record in full.\n"


def as_json_stream(results: Iterable[Result], tally: Tally) -> Iterator[str]:
    """The JSON of a check in pieces: a file of any length is written as it is read.

    `tally` is the one that counts the results.
    """
    yield f'{{"oddtrick": {json.dumps(__version__)}, "records": ['
    groups: list[dict[str, object]] = []
    outside: list[dict[str, object]] = []
    first = True
    for result in results:
        if isinstance(result, Check):
            yield ("\n" if first else ",\n") + json.dumps(result.as_json(), ensure_ascii=False)
            first = False
        else:
            (groups if isinstance(result, GroupCheck) else outside).append(result.as_json())
    rest = {"groups": groups, "findings": outside, "summary": tally.as_json()}
    yield "\n], " + json.dumps(rest, ensure_ascii=False)[1:] + "\n"
