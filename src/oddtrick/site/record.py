"""A page for each shipped file of records: every deal with its findings, its account and the same
under the other codes.

`deal` draws the deal, `under_codes` the comparison, `gallery` the page that shows them all.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Entry, Finding, Severity
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.judge.words import verdict_words
from oddtrick.law.book import book
from oddtrick.record import read_document
from oddtrick.record.model import Incident
from oddtrick.report import sheet
from oddtrick.report.check import after_lines, by_words, group_name, totals, tray_words, whole_words
from oddtrick.report.sheet import Undrawable
from oddtrick.site.deal import (
    Contract,
    Deal,
    contract,
    deal,
    marks_of,
    result_words,
    standing_words,
)
from oddtrick.site.gallery import Shown, gallery_page, rule_label, title_of
from oddtrick.site.markup import slug, upper
from oddtrick.site.template import LESS, Head, page
from oddtrick.site.under_codes import Columns, columns, under_json

# --- findings -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """A finding on its page: its number, what it is called, where it is, its laws and remedies.

    `way` leads to the page of its rule, where there is one. A remedy is the irregularity that it
    begins with, the way to its page, and the rest of its words.
    """

    number: int
    label: str
    rule: str
    way: str
    severity: str
    line: int
    message: str
    laws: tuple[str, ...]
    remedies: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Context:
    """The numbers of the findings of a page, and which other pages the site has."""

    numbers: Mapping[Finding, int]
    others: Container[str] = ()

    def way(self, path: str) -> str:
        """The URL of a page below the root; empty where the site has none."""
        return f"{path.removesuffix('.md')}/" if path in self.others else ""

    def told(self, findings: Iterable[Finding]) -> list[Told]:
        """Findings as the page tells them."""
        return [
            Told(
                self.numbers[f],
                rule_label(f.rule),
                f.rule,
                self.way(f"rules/{f.rule}.md"),
                f.severity.value,
                f.place.line,
                f.message,
                (*f.laws, *f.readings),
                tuple(self._remedy(words) for words in f.remedies),
            )
            for f in findings
        ]

    def _remedy(self, words: str) -> tuple[str, str, str]:
        """A remedy: the irregularity that it begins with, the way to its page, the rest of it."""
        for item in sorted(book().vocabulary.irregularities, key=lambda i: -len(i.label)):
            if words.startswith((f"{item.label}:", f"{item.label},")):
                rest = words.removeprefix(item.label)
                return item.label, self.way(f"disputes/{item.id}.md"), rest
        return "", "", words


def _incidents(check: Check) -> Iterator[Incident]:
    yield from check.record.incidents
    for call in check.record.bidding or ():
        yield from call.incidents
    for trick in check.record.play or ():
        for played in trick.cards:
            yield from played.incidents
    for claim in check.record.table_claims:
        yield from claim.incidents


def incident_words(incident: Incident) -> str:
    """An irregularity as the record tells it.

    `Insufficient bid by East; noticed by South; chosen: made sufficient, by South.`
    """
    known = book().irregularities.get(incident.name)
    said = [known.label if known else incident.name.replace("-", " ").capitalize()]
    if incident.by:
        said[0] += f" by {incident.by.title}"
    if incident.of:
        said[0] += f", {incident.of}"
    if incident.noticed_by:
        said.append(f"noticed by {incident.noticed_by.title}")
    if incident.remedy:
        who = f", by {incident.chosen_by.title}" if incident.chosen_by else ""
        said.append(f"chosen: {incident.remedy}{who}")
    if incident.waived_by:
        said.append(f"waived by {incident.waived_by.title}")
    if incident.note:
        said.append(incident.note.rstrip("."))
    return "; ".join(said) + "."


EXPECTED = re.compile(r"[ \t]*# finds [^\n]*")
"""A remark that tells the tests what is found on its line."""


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the record as it is written: its words, whether a finding is about them, and the
    findings on it.
    """

    pieces: tuple[tuple[str, bool], ...]
    findings: tuple[Told, ...]


def source(text: str, findings: Iterable[Finding], context: Context) -> list[Written]:
    """The lines of a record, each finding beside its line with the words it is about marked."""
    beside: dict[int, list[Finding]] = {}
    for finding in findings:
        beside.setdefault(finding.place.line, []).append(finding)
    return [
        Written(tuple(_marked(line, beside.get(n, ()))), tuple(context.told(beside.get(n, ()))))
        for n, line in enumerate(text.rstrip("\n").split("\n"), 1)
    ]


def _marked(line: str, found: Iterable[Finding]) -> Iterator[tuple[str, bool]]:
    """A line in pieces, whether findings are about each; what is only left out is about none."""
    spans = sorted(
        (
            f.place.column - 1,
            f.place.end_column - 1 if f.place.end_line == f.place.line else len(line),
        )
        for f in found
        if f.severity is not Severity.INCOMPLETE
    )
    at = 0
    for start, end in spans:
        if start < at or end <= start:
            continue
        yield line[at:start], False
        yield line[start:end], True
        at = end
    yield line[at:], False


# --- the account ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a deal: each entry with its points under side and column, the sums, what it
    did to the rubber.

    An entry without cells is written in the total.
    """

    rows: tuple[tuple[Entry, tuple[int | None, ...]], ...] = ()
    sums: tuple[int, ...] = ()
    total: tuple[int, ...] = ()
    after: tuple[str, ...] = ()
    sides: tuple[Side, ...] = tuple(Side)


def account(check: Check) -> Account:
    """The account of a deal; empty where nothing is scored."""
    if check.account is None or not check.account.entries:
        return Account()
    entries = check.account.entries
    columns = [(side, column) for side in Side for column in ("trick", "honour")]
    due = totals(entries)
    return Account(
        tuple(
            (
                e,
                tuple(e.points if c == (e.side, e.column) else None for c in columns)
                if (e.side, e.column) in columns
                else (),
            )
            for e in entries
        ),
        tuple(due[side][column] for side, column in columns),
        tuple(due[side]["total"] for side in Side)
        if any(e.column == "total" for e in entries)
        else (),
        tuple(line.strip() for line in after_lines(check)),
    )


# --- a deal, a group ------------------------------------------------------------------------------


def anchor_of(check: Check) -> str:
    """The fragment of a deal on its page: `deal-page-42`."""
    return _slug(check.record.id)


def _slug(words: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in words.lower()).split())


def anchors_of(checks: Iterable[Check]) -> Iterator[str]:
    """The fragment of each deal on their page: `deal-1`, and `deal-1-2` where a deal before has the
    same.
    """
    wanted = [anchor_of(check) for check in checks]
    # A fragment with `-under` is that of the comparison below the deal.
    taken: set[str] = set()
    for anchor in wanted:
        free, number = anchor, 1
        while {free, f"{free}-under"} & taken or (number > 1 and free in wanted):
            number += 1
            free = f"{anchor}-{number}"
        taken |= {free, f"{free}-under"}
        yield free


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a deal: its name, its words, the laws behind it; `final` or `verdict` where it is
    one.
    """

    name: str
    words: str
    laws: tuple[str, ...] = ()
    final: Contract | None = None
    verdict: str = ""


def facts(check: Check) -> Iterator[Fact]:
    """What the deal came to: declaration, lead, tricks, state before, verdict."""
    final, law = check.final, check.law
    if final and law:
        laws = (*final.laws, *final.readings)
        yield Fact("Final declaration", by_words(final), laws, contract(final))
        if final.declarer:
            leader = final.declarer.left
            dummy = f", and {final.declarer.partner.title} is dummy" if law.has("open-hand") else ""
            yield Fact("First lead", f"{leader.title}{dummy}")
    elif check.declared and check.declared.passed_out:
        yield Fact("Final declaration", "all four pass")
    for name, words in (
        ("Declaring side", result_words(check)),
        ("Before the deal", standing_words(check.record)),
    ):
        if words:
            yield Fact(name, words)
    yield Fact("Verdict", verdict_words(check.verdict), verdict=check.verdict.value)


@dataclass(frozen=True, slots=True)
class Part:
    """A deal on the page of its file, with all that is told of it."""

    name: str
    anchor: str
    account_anchor: str
    deal: Deal
    facts: tuple[Fact, ...]
    findings: list[Told]
    incidents: tuple[str, ...]
    note: str | None
    account: Account
    under: Columns
    kind: str = "deal"


@dataclass(frozen=True, slots=True)
class Whole:
    """A rubber or a match as a whole: what it comes to, what is added at its end, its sheet as the
    books draw it.
    """

    name: str
    anchor: str
    group: str
    said: str
    laws: tuple[str, ...]
    entries: tuple[Entry, ...]
    trays: tuple[str, ...]
    findings: list[Told]
    sheet: str | None
    kind: str = "group"


@dataclass(frozen=True, slots=True)
class Loose:
    """Findings outside every deal."""

    findings: list[Told]
    kind: str = "loose"


def part(check: Check, context: Context, anchor: str, number: int, alone: bool) -> Part:
    """A deal, the `number`th of its file; one `alone` is called so."""
    record = check.record
    title = record.tag("title")
    return Part(
        "The deal" if alone else upper(record.id) + (f": {title}" if title else ""),
        anchor,
        f"account_{number}" if number else "account",
        deal(check, marks_of(check.findings, context.numbers)),
        tuple(facts(check)),
        context.told(check.findings),
        tuple(incident_words(i) for i in _incidents(check)),
        record.tag("note"),
        account(check),
        columns(check),
    )


def whole(group: GroupCheck, context: Context, drawn: str | None) -> Whole:
    """A rubber or a match; `drawn` is the file of its sheet, if it has one."""
    return Whole(
        group_name(group),
        slug(group_name(group)),
        group.group.kind,
        upper("; ".join(whole_words(group))),
        (*group.laws, *group.readings),
        tuple(group.entries),
        tuple(upper(tray_words(tray)) for tray in group.trays),
        context.told(group.findings),
        drawn,
    )


def sheet_svg(group: GroupCheck) -> str | None:
    """The sheet of a rubber or the card of a match; `None` where it cannot be drawn."""
    try:
        return sheet(group, "svg")
    except Undrawable:
        return None


# --- pages ----------------------------------------------------------------------------------------


def record_page(path: Path, others: Container[str] = ()) -> tuple[Shown, dict[str, str | bytes]]:
    """What the gallery shows of a file of records, and the files made of it: page, the file itself,
    JSON, sheets.
    """
    data = path.read_bytes()
    document = read_document(data, path.name)
    results = list(check_document([*document.unreadable, *document.items]))
    checks = [r for r in results if isinstance(r, Check)]
    groups = [r for r in results if isinstance(r, GroupCheck)]
    findings = [f for r in results for f in ([r] if isinstance(r, Finding) else r.findings)]
    context = Context({f: n for n, f in enumerate(dict.fromkeys(findings), 1)}, others)
    title = title_of(document, path.stem)
    printed = (checks[0].record.tag("source") if checks else None) or ""
    judged = checks[0].law if checks else None
    labels = {o.id: o.label for o in book().code(judged.code).options} if judged else {}
    sheets = _sheets(path.stem, groups)
    made: dict[str, str | bytes] = {
        f"records/{path.name}": data,
        f"records/{path.stem}.under.json": under_json(checks),
        **{f"records/{name}": drawn for name, drawn in sheets.values()},
    }
    made[f"records/{path.stem}.md"] = page(
        "record",
        f"records/{path.stem}.md",
        Head(title, f"{title}. {printed}", boost=LESS),
        # the title's anchor before it was named by its group
        old_anchor=path.stem if groups and slug(title) != path.stem else "",
        judged=judged,
        options=[labels.get(o, o) for o in judged.options] if judged else [],
        source=printed,
        parts=list(_parts(results, context, sheets)),
        alone=len(checks) == 1,
        stem=path.stem,
        file=path.name,
        lines=source(EXPECTED.sub("", data.decode("utf-8")), findings, context),
    )
    return Shown(path.stem, title, printed, tuple(checks), tuple(groups)), made


def _sheets(stem: str, groups: Iterable[GroupCheck]) -> dict[int, tuple[str, str]]:
    """By the place of each group that can be drawn, the name of the file of its sheet, and the
    sheet.
    """
    drawn: dict[int, tuple[str, str]] = {}
    for place, group in enumerate(groups):
        if svg := sheet_svg(group):
            number = len(drawn) + 1
            drawn[place] = (f"{stem}.sheet{number if number > 1 else ''}.svg", svg)
    return drawn


def _parts(
    results: Iterable[Check | GroupCheck | Finding],
    context: Context,
    sheets: Mapping[int, tuple[str, str]],
) -> Iterator[Part | Whole | Loose]:
    """What the page tells of each result, in order."""
    listed = list(results)
    anchors = list(anchors_of(r for r in listed if isinstance(r, Check)))
    deals = groups = 0
    for result in listed:
        if isinstance(result, Check):
            yield part(result, context, anchors[deals], deals, len(anchors) == 1)
            deals += 1
        elif isinstance(result, GroupCheck):
            yield whole(result, context, sheets[groups][0] if groups in sheets else None)
            groups += 1
        else:
            yield Loose(context.told([result]))


def record_pages(home: Path, others: Container[str] = ()) -> dict[str, str | bytes]:
    """A page for each shipped file of records with its data, and the gallery of them all.

    `others` are the paths of the site's other pages: a finding links to `rules/<rule>.md` and a
    remedy to `disputes/<irregularity>.md` where they are among them.
    """
    made: dict[str, str | bytes] = {}
    shown = []
    for path in sorted(home.glob("*.hand")):
        entry, files = record_page(path, others)
        shown.append(entry)
        made |= files
    made["records/index.md"] = gallery_page(shown)
    return made
