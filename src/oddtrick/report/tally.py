"""Totals of many records, reported as text and as JSON.

A record is a deal, even if some of its lines cannot be read. A file is unreadable if it contains no
record and part of it cannot be read. Anything found outside a deal is counted only among the
findings.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from oddtrick import __version__
from oddtrick.judge import Json, Severity, Verdict
from oddtrick.law.book import book
from oddtrick.report.check import (
    check_text,
    final_words,
    finding_lines,
    group_text,
    law_of,
    over_words,
    painted_verdict,
    short_text,
)
from oddtrick.report.words import number_words, verdict_words
from oddtrick.terminal import Style

Kind = tuple[str, str]
"""A rule id and the severity with which it was found."""

VERDICTS = tuple(v.value for v in Verdict)
SEVERITIES = tuple(s.value for s in Severity)

NO_FAULT = frozenset(("incomplete", "note"))
"""Severities that need no attention: missing facts, and acts that the law allows."""

STATUS = {"irregular": 1, "disputed": 1, "unreadable": 2}
"""The exit status for each verdict or severity; 0 for all others."""

NO_CODE = "record.no-code"
"""The rule id for records that cannot be judged until a code is given."""


class Rendered(NamedTuple):
    """A rendered result: its kind (`record`, `group` or `finding`) and its text."""

    kind: str
    text: str


COUNTERS = ("verdicts", "faultless", "found", "holding", "declarations", "results")
"""The counters of a tally, by attribute name."""


@dataclass(slots=True)
class Tally:
    """The counts of a check, updated as results pass through `of_file`.

    `found` counts findings by rule and severity; `holding` counts the records with at least one of
    each kind; `faultless` counts the verdicts of records that need no attention. `codes` has a
    tally for each code with the final declarations and results of its records. A result pairs the
    number of tricks above the declaration (negative if below, `None` if there is no such number)
    with its wording. `status` is the exit status.
    """

    files: int = 0
    unreadable_files: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    faultless: Counter[str] = field(default_factory=Counter)
    found: Counter[Kind] = field(default_factory=Counter)
    holding: Counter[Kind] = field(default_factory=Counter)
    declarations: Counter[str] = field(default_factory=Counter)
    results: Counter[tuple[int | None, str]] = field(default_factory=Counter)
    codes: dict[str, Tally] = field(default_factory=dict)
    status: int = 0
    unread: bool = False
    recorded: bool = False

    @property
    def records(self) -> int:
        """The number of records."""
        return self.verdicts.total()

    @property
    def unreadable(self) -> int:
        """The number of places that could not be read."""
        return sum(n for (_, severity), n in self.found.items() if severity == "unreadable")

    def of_file(self, results: Iterable[Json], first: bool = True) -> Iterator[Json]:
        """Yield the results of a file or a piece of one, each after it is counted.

        `first` says whether the piece begins the file or continues it.
        """
        self.seen(first)
        for result in results:
            self._count(result)
            unread = "rule" in result and result["severity"] == "unreadable"
            self.seen(False, unread, "verdict" in result)
            yield result

    def seen(self, first: bool, unread: bool = False, recorded: bool = False) -> None:
        """Count a part of a file.

        The arguments say whether it begins the file, whether part of it cannot be read, and whether
        it contains a record.
        """
        if first:
            self.files += 1
            self.unread = self.recorded = False
        before = self.unread and not self.recorded
        self.unread, self.recorded = self.unread or unread, self.recorded or recorded
        self.unreadable_files += (self.unread and not self.recorded) - before

    def _count(self, result: Json) -> None:
        found = [result] if "rule" in result else result["findings"]
        kinds = [(f["rule"], f["severity"]) for f in found]
        gravest = result.get("verdict"), *(severity for _, severity in kinds)
        self.status = max(self.status, *(STATUS.get(one, 0) for one in gravest))
        self.found.update(kinds)
        if "verdict" in result:
            self.verdicts[result["verdict"]] += 1
            self.holding.update(set(kinds))
            self.faultless[result["verdict"]] += NO_FAULT.issuperset(s for _, s in kinds)
            if result["code"]:
                self.codes.setdefault(result["code"], Tally())._count_play(result)

    def _count_play(self, record: Json) -> None:
        self.verdicts[record["verdict"]] += 1
        final, tricks = record["declaration"], record["tricks"]
        if record["passed_out"]:
            self.declarations["passed out"] += 1
        if final is None:
            return
        self.declarations[final_words(final, law_of(record))] += 1
        over, words = tricks["over"] if tricks else None, "not known"
        if tricks:
            taken = f"{number_words(tricks['declaring_side'], 'trick')} taken"
            words = taken if over is None else over_words(over)
        self.results[over, words] += 1

    def add(self, other: Tally) -> None:
        """Add the counts of another tally, except for its files (see `seen`)."""
        for name in COUNTERS:
            getattr(self, name).update(getattr(other, name))
        self.status = max(self.status, other.status)
        for code, counted in other.codes.items():
            self.codes.setdefault(code, Tally()).add(counted)

    def as_json(self) -> dict[str, Any]:
        """The `summary` of the JSON of a check; findings are sorted, the most frequent first."""
        grave = SEVERITIES.index
        found = sorted(self.found.items(), key=lambda i: (-i[1], grave(i[0][1]), i[0][0]))
        return {
            "files": self.files,
            "unreadable_files": self.unreadable_files,
            **self._of_records(),
            "findings": [
                {"rule": kind[0], "severity": kind[1], "count": n, "records": self.holding[kind]}
                for kind, n in found
            ],
        }

    def _of_records(self) -> dict[str, Any]:
        return {"records": self.records, "verdicts": {v: self.verdicts[v] for v in VERDICTS}}

    def _of_play(self) -> dict[str, Any]:
        """The counts of one code as JSON: frequent declarations first, then the most tricks."""
        declared = sorted(self.declarations.items(), key=lambda i: (-i[1], i[0]))
        results = sorted(
            self.results.items(), key=lambda i: (i[0][0] is None, -(i[0][0] or 0), i[0][1])
        )
        return self._of_records() | {
            "declarations": [{"declaration": words, "records": n} for words, n in declared],
            "results": [{"over": o, "result": words, "records": n} for (o, words), n in results],
        }

    def statistics(self) -> dict[str, Any]:
        """The JSON of `check --statistics`: the summary, and the counts of each code."""
        return self.as_json() | {"codes": {c: self.codes[c]._of_play() for c in sorted(self.codes)}}


def summary(tally: Tally) -> str:
    """A one-line count of the verdicts."""
    counted = f": {_by_verdict(tally.verdicts)}" if tally.records else ""
    return f"{number_words(tally.records, 'record')}{counted}."


def _by_verdict(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{counted[v]} {verdict_words(v)}" for v in VERDICTS if counted[v])


def summary_text(tally: Tally, style: Style) -> str:
    """The counts as text: records and files, verdicts, findings by rule."""
    counted = f"{number_words(tally.records, 'record')} in {number_words(tally.files, 'file')}"
    if tally.unreadable_files:
        which = "which" if tally.files == 1 else f"{tally.unreadable_files} of which"
        counted += f", {which} could not be read"
    verdicts = [(tally.verdicts[v], painted_verdict(v, style)) for v in VERDICTS]
    kinds = tally.as_json()["findings"]
    longest = max((len(kind["rule"]) for kind in kinds), default=0)
    found = []
    for kind in kinds:
        rule, number, records = kind["rule"], kind["count"], kind["records"]
        where = f", in {number_words(records, 'record')}" if records not in (0, number) else ""
        found.append((number, f"{rule:<{longest}}  {kind['severity']}{where}"))
    wide = max((len(str(n)) for n, _ in (*verdicts, *found)), default=0)
    out = [style.bold(counted), *(f"  {n:>{wide}}  {words}" for n, words in verdicts if n)]
    if found:
        out += ["", style.bold(number_words(tally.found.total(), "finding"))]
    return "\n".join([*out, *(f"  {n:>{wide}}  {words}" for n, words in found)]) + "\n"


def statistics_text(tally: Tally, style: Style) -> str:
    """The text of `check --statistics`: the summary, then declarations and results by code."""
    out = [summary_text(tally, style)]
    for code, counted in tally.statistics()["codes"].items():
        records = number_words(counted["records"], "record")
        under = style.bold(f"{records} under {book().code(code).short}")
        out.append(f"\n{under}: {_by_verdict(counted['verdicts'])}\n")
        tables = {
            name: [(row["records"], row[name]) for row in counted[f"{name}s"]]
            for name in ("declaration", "result")
        }
        wide = max((len(str(n)) for rows in tables.values() for n, _ in rows), default=0)
        for title, rows in tables.items():
            out += [f"  {title}s\n"] if rows else []
            out += [f"  {n:>{wide}}  {words}\n" for n, words in rows]
    return "".join(out)


def render_text(result: Json, style: Style, full: bool = False, account_only: bool = False) -> str:
    """A result as text, in full or in short; a record that needs no attention is empty in short."""
    if "rule" in result:
        return "\n".join(finding_lines(result, style)) + "\n\n"
    if not full:
        faultless = NO_FAULT.issuperset(f["severity"] for f in result["findings"])
        hidden = faultless and "records" not in result
        return "" if hidden else short_text(result, style) + "\n"
    if "records" in result:
        return group_text(result, style) + "\n"
    return check_text(result, style, account_only) + "\n"


def as_text_stream(
    results: Iterable[Json | Rendered],
    tally: Tally,
    style: Style,
    full: bool = False,
    account_only: bool = False,
) -> Iterator[str]:
    """The report of a check in pieces, each as soon as it is known.

    Some results may already be rendered. All results are shown in full with `full` or if there is
    only one record; otherwise only records and groups with a fault (a finding not in `NO_FAULT`)
    are shown, in short. The summary follows unless there is exactly one record or unreadable file.
    `tally` is the one that counts the results.
    """
    only: list[Json] = []  # results before the second record
    for result in results:
        if not full and tally.records < 2 and not isinstance(result, Rendered):
            only.append(result)
            continue
        yield from (render_text(early, style) for early in only)
        only.clear()
        if isinstance(result, Rendered):
            yield result.text
        else:
            yield render_text(result, style, full, account_only)
    yield from (render_text(last, style, True, account_only) for last in only)
    if tally.records + tally.unreadable_files != 1:
        yield summary_text(tally, style)
    hidden = tally.faultless
    if hidden.total() and not full and tally.records > 1:
        yield f"\nNot shown: {_by_verdict(hidden)}. --full shows every record in full.\n"
    lacking = sum(n for (rule, _), n in tally.found.items() if rule == NO_CODE)
    if lacking and not full and tally.records > 1:
        name = "record names" if lacking == 1 else "records name"
        yield f"{lacking} {name} no code; choose one with --code.\n"


def as_json_stream(results: Iterable[Json | Rendered], tally: Tally) -> Iterator[str]:
    """The JSON of a check in pieces, so that a file of any length is written as it is read.

    `tally` is the one that counts the results.
    """
    yield f'{{"oddtrick": {json.dumps(__version__)}, "records": ['
    apart: dict[str, list[str]] = {"group": [], "finding": []}
    first = True
    for result in results:
        rendered = result if isinstance(result, Rendered) else render_json(result)
        if rendered.kind in apart:
            apart[rendered.kind].append(rendered.text)
        else:
            yield ("\n" if first else ",\n") + rendered.text
            first = False
    groups, findings = (", ".join(apart[kind]) for kind in apart)
    summary = json.dumps(tally.as_json(), ensure_ascii=False)
    yield f'\n], "groups": [{groups}], "findings": [{findings}], "summary": {summary}}}\n'


def render_json(result: Json) -> Rendered:
    """A result as JSON."""
    kind = "finding" if "rule" in result else "group" if "records" in result else "record"
    return Rendered(kind, json.dumps(result, ensure_ascii=False))
