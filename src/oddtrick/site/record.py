"""A page for each shipped file of records: every deal with its findings, its account and the same
under the other codes.

`deal` draws the deal, `under_codes` the comparison, `gallery` the page that shows them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from oddtrick.cards import Side
from oddtrick.judge import Answer, Check, as_json, check_document
from oddtrick.judge.answers import EntryJson, FindingJson, GroupJson, IncidentJson, RecordJson
from oddtrick.judge.under_codes import ComparisonJson, compare
from oddtrick.judge.words import verdict_words
from oddtrick.law.book import book
from oddtrick.record import read_document
from oddtrick.report.check import (
    SLOTS,
    after_words,
    by_words,
    grounds,
    group_name,
    law_of,
    seat_words,
    totals,
    totals_words,
    tray_words,
)
from oddtrick.report.sheet import Deals, Undrawable, groups, sheet
from oddtrick.site.deal import (
    Contract,
    Deal,
    Numbered,
    contract,
    deal,
    marks_of,
    numbered,
    result_words,
    standing_words,
)
from oddtrick.site.gallery import Shown, gallery_page, published, rule_label, stem_of, title_of
from oddtrick.site.markup import slug, upper
from oddtrick.site.template import Head, page
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


def findings_told(findings: Iterable[Numbered]) -> list[Told]:
    """Findings as the page tells them."""
    known = {f.id for f in book().vocabulary.findings}
    return [
        Told(
            found.number,
            rule_label(f["rule"]),
            f["rule"],
            f"rules/{f['rule']}/" if f["rule"] in known else "",
            f["severity"],
            f["line"],
            f["message"],
            tuple(grounds(f)),
            tuple(_remedies(f)),
        )
        for found in findings
        for f in [found.finding]
    ]


def _remedies(finding: FindingJson) -> Iterator[tuple[str, str, str]]:
    """Each remedy: the irregularity that it is for, the way to its page, the rest of it."""
    for gives, words in zip(finding["gives"], finding["remedies"], strict=True):
        item = book().irregularities[gives["irregularity"]]
        yield item.label, f"disputes/{item.id}/", words[len(item.label) :]


def incident_words(incident: IncidentJson) -> str:
    """An irregularity as the record tells it.

    `Insufficient bid by East; noticed by South; chosen: made sufficient, by South.`
    """
    name, chooser = incident["name"], incident["chosen_by"]
    known = book().irregularities.get(name)
    said = [known.label if known else name.replace("-", " ").capitalize()]
    if incident["by"]:
        said[0] += f" by {seat_words(incident['by'])}"
    if incident["of"]:
        said[0] += f", {incident['of']}"
    if incident["noticed_by"]:
        said.append(f"noticed by {seat_words(incident['noticed_by'])}")
    if incident["remedy"]:
        who = f", by {seat_words(chooser)}" if chooser else ""
        said.append(f"chosen: {incident['remedy']}{who}")
    if incident["waived_by"]:
        said.append(f"waived by {seat_words(incident['waived_by'])}")
    if incident["note"]:
        said.append(incident["note"].rstrip("."))
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


def source(text: str, findings: Iterable[Numbered]) -> list[Written]:
    """The lines of a record, each finding beside its line with the words it is about marked."""
    beside: dict[int, list[Numbered]] = {}
    for found in findings:
        beside.setdefault(found.finding["line"], []).append(found)
    return [
        Written(tuple(_marked(line, beside.get(n, ()))), tuple(findings_told(beside.get(n, ()))))
        for n, line in enumerate(text.rstrip("\n").split("\n"), 1)
    ]


def _marked(line: str, found: Iterable[Numbered]) -> Iterator[tuple[str, bool]]:
    """A line in pieces, whether findings are about each; what is only left out is about none."""
    spans = sorted(
        (f["column"] - 1, f["end_column"] - 1 if f["end_line"] == f["line"] else len(line))
        for f in (one.finding for one in found)
        if f["severity"] != "incomplete"
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

    rows: tuple[tuple[EntryJson, tuple[int | None, ...]], ...] = ()
    sums: tuple[int, ...] = ()
    total: tuple[int, ...] = ()
    after: tuple[str, ...] = ()
    sides: tuple[Side, ...] = tuple(Side)


def account(record: RecordJson) -> Account:
    """The account of a deal; empty where nothing is scored."""
    entries = record["score"]["entries"] if record["score"] else []
    if not entries:
        return Account()
    due, at_the_end = totals(entries), any(e["column"] == "total" for e in entries)
    return Account(
        tuple((e, _cells(e)) for e in entries),
        tuple(due[Side(side)][column] for side, column in SLOTS),
        tuple(due[side]["total"] for side in Side) if at_the_end else (),
        tuple(after_words(record)),
    )


def _cells(entry: EntryJson) -> tuple[int | None, ...]:
    """The points of an entry in its column; no cells for what is written in the total."""
    own = (entry["side"], entry["column"])
    return tuple(entry["points"] if s == own else None for s in SLOTS) if own in SLOTS else ()


# --- a deal, a group ------------------------------------------------------------------------------


def anchor_of(record: RecordJson) -> str:
    """The fragment of a deal on its page: `deal-page-42`."""
    return _slug(record["id"])


def _slug(words: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in words.lower()).split())


def anchors_of(records: Iterable[RecordJson]) -> Iterator[str]:
    """The fragment of each deal on their page: `deal-1`, and `deal-1-2` where a deal before has the
    same.
    """
    wanted = list(map(anchor_of, records))
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


def facts(record: RecordJson) -> Iterator[Fact]:
    """What the deal came to: declaration, lead, tricks, state before, verdict."""
    final = record["declaration"]
    if final:
        laws = tuple(grounds(final))
        yield Fact("Final declaration", by_words(final), laws, contract(final))
        if final["declarer"]:
            dummy = f", and {seat_words(final['dummy'])} is dummy" if final["dummy"] else ""
            yield Fact("First lead", f"{seat_words(final['leader'])}{dummy}")
    elif record["passed_out"]:
        yield Fact("Final declaration", "all four pass")
    for name, words in (
        ("Declaring side", result_words(record)),
        ("Before the deal", standing_words(record["stated"])),
    ):
        if words:
            yield Fact(name, words)
    verdict = record["verdict"]
    yield Fact("Verdict", verdict_words(verdict), verdict=verdict)


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
    entries: tuple[EntryJson, ...]
    trays: tuple[str, ...]
    findings: list[Told]
    sheet: str | None
    kind: str = "group"


@dataclass(frozen=True, slots=True)
class Loose:
    """Findings outside every deal."""

    findings: list[Told]
    kind: str = "loose"


def part(
    record: RecordJson,
    under: Columns,
    findings: list[Numbered],
    anchor: str,
    number: int,
    alone: bool,
) -> Part:
    """A deal, the `number`th of its file; one `alone` is called so."""
    title = f": {record['title']}" if record["title"] else ""
    return Part(
        "The deal" if alone else upper(record["id"]) + title,
        anchor,
        f"account_{number}" if number else "account",
        deal(record, marks_of(findings)),
        tuple(facts(record)),
        findings_told(findings),
        tuple(map(incident_words, record["incidents"])),
        record["note"],
        account(record),
        under,
    )


def whole(group: GroupJson, findings: Iterable[Numbered], drawn: str | None) -> Whole:
    """A rubber or a match; `drawn` is the file of its sheet, if it has one."""
    return Whole(
        group_name(group),
        slug(group_name(group)),
        group["kind"],
        upper("; ".join(totals_words(group))),
        tuple(grounds(group)),
        tuple(group["entries"]),
        tuple(upper(tray_words(tray)) for tray in group["trays"]),
        findings_told(findings),
        drawn,
    )


def sheet_svg(group: GroupJson, deals: Deals) -> str | None:
    """The sheet of a rubber or the card of a match; `None` where it cannot be drawn."""
    try:
        return sheet(group, deals, "svg")
    except Undrawable:
        return None


# --- pages ----------------------------------------------------------------------------------------


def record_page(path: Path) -> tuple[Shown, dict[str, str | bytes]]:
    """What the gallery shows of a file of records, and the files made of it: page, the file itself,
    JSON, sheets.
    """
    data, stem = published(path), stem_of(path)
    document = read_document(data, path.name)
    results = list(check_document([*document.unreadable, *document.items]))
    answers = numbered(map(as_json, results))
    records = [a for a, _ in answers if "verdict" in a]
    wholes = list(groups(a for a, _ in answers))
    compared = [compare(r) for r in results if isinstance(r, Check)]
    title = title_of(document, path.stem)
    printed = (records[0]["source"] if records else None) or ""
    judged = law_of(records[0]) if records else None
    labels = {o.id: o.label for o in book().code(judged.code).options} if judged else {}
    sheets = _sheets(stem, wholes)
    made: dict[str, str | bytes] = {
        f"records/{stem}.hand": data,
        f"records/{stem}.under.json": under_json(compared),
        **{f"records/{name}": drawn for name, drawn in sheets.values()},
    }
    made[f"records/{stem}.md"] = page(
        "record",
        f"records/{stem}.md",
        Head(title, f"{title}. {printed}"),
        # the title's anchor before it was named by its group
        old_anchor=stem if wholes and slug(title) != stem else "",
        judged=judged,
        options=[labels.get(o, o) for o in judged.options] if judged else [],
        source=printed,
        parts=list(_parts(answers, compared, sheets)),
        alone=len(records) == 1,
        stem=stem,
        file=f"{stem}.hand",
        lines=source(
            EXPECTED.sub("", data.decode("utf-8", "replace")),
            (f for _, own in answers for f in own),
        ),
    )
    return Shown(stem, title, printed, records, [g for g, _ in wholes]), made


def _sheets(stem: str, wholes: Iterable[tuple[GroupJson, Deals]]) -> dict[int, tuple[str, str]]:
    """By the place of each group that can be drawn, the name of the file of its sheet, and the
    sheet.
    """
    drawn: dict[int, tuple[str, str]] = {}
    for place, (group, deals) in enumerate(wholes):
        if svg := sheet_svg(group, deals):
            number = len(drawn) + 1
            drawn[place] = (f"{stem}.sheet{number if number > 1 else ''}.svg", svg)
    return drawn


def _parts(
    answers: Iterable[tuple[Answer, list[Numbered]]],
    compared: Sequence[ComparisonJson],
    sheets: Mapping[int, tuple[str, str]],
) -> Iterator[Part | Whole | Loose]:
    """What the page tells of each answer, in order."""
    listed = list(answers)
    anchors = list(anchors_of(a for a, _ in listed if "verdict" in a))
    deals = wholes = 0
    for answer, findings in listed:
        if "rule" in answer:
            yield Loose(findings_told(findings))
        elif "records" in answer:
            yield whole(answer, findings, sheets[wholes][0] if wholes in sheets else None)
            wholes += 1
        else:
            under = columns(answer, compared[deals])
            alone = len(anchors) == 1
            yield part(answer, under, findings, anchors[deals], deals, alone)
            deals += 1


def record_pages(home: Path) -> dict[str, str | bytes]:
    """A page for each shipped file of records with its data, and the gallery of them all."""
    made: dict[str, str | bytes] = {}
    shown = []
    for path in sorted(home.glob("*.hand")):
        entry, files = record_page(path)
        shown.append(entry)
        made |= files
    made["records/index.md"] = gallery_page(shown)
    return made
