"""A page for each shipped file of records: every deal with its findings, its account and the same deal under the other codes.

`site_play` draws the deal, `site_under` the comparison, `site_gallery` the page that shows them all.
"""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Entry, Finding, Severity
from oddtrick.judge.procedures import OPENING_LEAD
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.judge.words import verdict_words
from oddtrick.law.in_force import code_data, codes
from oddtrick.record.hand.read import read_bytes
from oddtrick.record.model import Incident
from oddtrick.report import sheet
from oddtrick.report.check import after_lines, by_words, group_name, totals, tray_words, whole_words
from oddtrick.report.sheet import Undrawable
from oddtrick.rulings import engine as rulings
from oddtrick.site.deal import (
    coloured,
    contract_html,
    href,
    law_links,
    marks_of,
    result_words,
    standing_words,
    table_html,
)
from oddtrick.site.gallery import Shown, gallery_page, rule_label, title_of
from oddtrick.site.law_words import LESS, front, relative
from oddtrick.site.under_codes import under_html, under_json

ASSETS = '<link rel="stylesheet" href="../../assets/play.css">\n<script src="../../assets/play.js" defer></script>'
"""Only the pages of records need them, so only they load them."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a page stands, the numbers of its findings, and which other pages the site has."""

    here: str
    numbers: Mapping[Finding, int]
    others: Container[str] = ()


# --- findings -------------------------------------------------------------------------------------


def cited(text: str, here: str) -> str:
    """Text as HTML: suits coloured, and every address of a law in it a link."""
    known = "|".join(re.escape(c) for c in codes())
    return re.sub(
        rf"(?<![\w/-])(?:{known}):[\w.-]*\w",
        lambda m: f'<a href="{href(m[0], here)}">{m[0]}</a>',
        coloured(text),
    )


def finding_html(finding: Finding, page: Context) -> str:
    """A finding as an item of a list: its number, where it is, what it says, its laws, and what the code gives for it."""
    number = page.numbers[finding]
    line = f'<a href="#line-{finding.place.line}">line {finding.place.line}</a>'
    laws = law_links((*finding.laws, *finding.readings), page.here)
    parts = [
        f'<span class="number">{number}</span> <b>{html.escape(rule_label(finding.rule))}</b> ',
        f'<span class="rule">{page_link(finding.rule, f"rules/{finding.rule}.md", page)}</span>, {finding.severity.value}, {line}. ',
        f'<span class="message">{cited(finding.message, page.here)}</span>',
        f' <span class="laws">({laws})</span>' if laws else "",
    ]
    if finding.remedies:
        given = "".join(f"<li>{_remedy(r, page)}</li>" for r in finding.remedies)
        parts.append(f'<div class="remedies"><b>What the code gives</b><ul>{given}</ul></div>')
    return f'<li id="finding-{number}" class="finding finding-{finding.severity.value}">{"".join(parts)}</li>'


def _remedy(words: str, page: Context) -> str:
    """A remedy with its laws linked, and the irregularity that it begins with where the site has a page on it."""
    labels = sorted(
        ((i.label, name) for name, i in rulings.catalogue().items()), key=lambda i: -len(i[0])
    )
    for label, name in labels:
        if words.startswith((f"{label}:", f"{label},")):
            return page_link(label, f"disputes/{name}.md", page) + cited(
                words.removeprefix(label), page.here
            )
    return cited(words, page.here)


def page_link(words: str, path: str, page: Context) -> str:
    """Words as a link to a page, or bare where the site has no such page."""
    if path not in page.others:
        return html.escape(words)
    return f'<a href="../{relative(path, page.here).removesuffix(".md")}/">{html.escape(words)}</a>'


def findings_html(findings: Iterable[Finding], page: Context) -> str:
    """Findings as a list; empty where there are none."""
    items = "".join(finding_html(f, page) for f in findings)
    return f'<ul class="findings">{items}</ul>' if items else ""


def incidents_html(check: Check) -> str:
    """What the record itself tells of irregularities: who noticed them, what was chosen and by whom."""
    told = "".join(f"<li>{coloured(incident_words(i))}</li>" for i in _incidents(check))
    return (
        f'<div class="incidents"><b>What was done at the table</b><ul>{told}</ul></div>'
        if told
        else ""
    )


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
    """An irregularity as the record tells it: `Insufficient bid by East; noticed by South; chosen: made sufficient, by South.`"""
    known = rulings.catalogue().get(incident.name)
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


def source_html(text: str, findings: Iterable[Finding], page: Context) -> str:
    """The record as it is written, line by line, each finding beside its line with the words it is about marked."""
    beside: dict[int, list[Finding]] = {}
    for finding in findings:
        beside.setdefault(finding.place.line, []).append(finding)
    rows = []
    for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
        found = beside.get(number, [])
        notes = "".join(
            f'<a class="beside finding-{f.severity.value}" href="#finding-{page.numbers[f]}"><b>{page.numbers[f]}</b> {html.escape(f.rule)}, {f.severity.value}</a>'
            for f in found
        )
        rows.append(
            f'<div class="line" id="line-{number}"><span class="no" aria-hidden="true">{number}</span>'
            f"<code>{_marked(line, found)}</code>{f'<span class={chr(34)}notes{chr(34)}>{notes}</span>' if notes else ''}</div>"
        )
    return f'<div class="source">{"".join(rows)}</div>'


def _marked(line: str, found: Iterable[Finding]) -> str:
    """A line with the stretches that findings are about marked; what is only left out has none."""
    spans = sorted(
        (
            f.place.column - 1,
            f.place.end_column - 1 if f.place.end_line == f.place.line else len(line),
        )
        for f in found
        if f.severity is not Severity.INCOMPLETE
    )
    out, at = [], 0
    for start, end in spans:
        if start < at or end <= start:
            continue
        out += [html.escape(line[at:start]), f"<mark>{html.escape(line[start:end])}</mark>"]
        at = end
    # An empty element would lose its line when the text is copied.
    return "".join([*out, html.escape(line[at:])]) or "&#8203;"


# --- the account ----------------------------------------------------------------------------------


def account_html(check: Check, here: str) -> str:
    """The account: a row for each entry under side and column, its laws below it, the sums, what the deal did to the rubber."""
    if check.account is None or not check.account.entries:
        return '<p class="account-none">Nothing is scored, as far as the record goes.</p>'
    columns = [(s, c) for s in Side for c in ("trick", "honour")]
    rows = [_entry_row(e, columns, here) for e in check.account.entries]
    due = totals(check.account.entries)
    sums = f'<tr><th scope="row">in all</th>{"".join(f"<td>{due[s][c]}</td>" for s, c in columns)}</tr>'
    if any(e.column == "total" for e in check.account.entries):
        added = "".join(f'<td colspan="2">{due[s]["total"]}</td>' for s in Side)
        sums += f'<tr><th scope="row">and in the total</th>{added}</tr>'
    sides = "".join(f'<th scope="colgroup" colspan="2">{s.title}</th>' for s in Side)
    heads = "".join(f'<th scope="col">{c}</th>' for _, c in columns)
    after = "".join(
        f'<p class="account-after">{html.escape(line.strip())}</p>' for line in after_lines(check)
    )
    return (
        f'<table class="account"><thead><tr><td></td>{sides}</tr><tr><th scope="col">for</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody><tfoot>{sums}</tfoot></table>{after}"
    )


def _entry_row(entry: Entry, columns: list[tuple[Side, str]], here: str) -> str:
    laws = law_links((*entry.laws, *entry.readings), here)
    name = f'<th scope="row">{html.escape(entry.reason)}<small class="laws">{laws}</small></th>'
    if (entry.side, entry.column) not in columns:
        return f'<tr>{name}<td colspan="4">{entry.points} to {entry.side.title} in the {entry.column}</td></tr>'
    cells = "".join(
        f"<td>{entry.points if c == (entry.side, entry.column) else ''}</td>" for c in columns
    )
    return f"<tr>{name}{cells}</tr>"


# --- a deal, a group ------------------------------------------------------------------------------


def anchor_of(check: Check) -> str:
    """The fragment of a deal on its page: `deal-page-42`."""
    return _slug(check.record.id)


def _slug(words: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in words.lower()).split())


def anchors_of(checks: Iterable[Check]) -> Iterator[str]:
    """The fragment of each deal on their page, a number behind it where a deal before has the same: `deal-1`, `deal-1-2`."""
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


def facts_html(check: Check, here: str) -> str:
    """What the deal came to, as a list of facts: declaration, lead, tricks, state before, verdict."""
    final, rules = check.final, check.rules
    facts: list[tuple[str, str]] = []
    if final and rules:
        laws = law_links((*final.laws, *final.readings), here)
        facts.append(
            (
                "Final declaration",
                f'<b>{contract_html(final)}{by_words(final)}</b> <small class="laws">{laws}</small>',
            )
        )
        if final.declarer:
            leader = OPENING_LEAD[rules.value("opening-lead")](final.declarer)
            facts.append(
                ("First lead", f"{leader.title}, and {final.declarer.partner.title} is dummy")
            )
    elif check.declared and check.declared.passed_out:
        facts.append(("Final declaration", "all four pass"))
    if result_words(check):
        facts.append(("Declaring side", result_words(check)))
    if standing_words(check.record):
        facts.append(("Before the deal", standing_words(check.record)))
    facts.append(
        (
            "Verdict",
            f'<span class="verdict verdict-{check.verdict.value}">{verdict_words(check.verdict)}</span>',
        )
    )
    return (
        '<dl class="facts-of">'
        + "".join(f"<div><dt>{k}</dt><dd>{v}</dd></div>" for k, v in facts)
        + "</dl>"
    )


def check_md(check: Check, page: Context, anchor: str, alone: bool) -> list[str]:
    """One deal: what was dealt, called and played, what was found, what it counts, what it would count elsewhere."""
    record = check.record
    title = record.tag("title")
    name = f"{record.id[:1].upper()}{record.id[1:]}{': ' + title if title else ''}"
    out = [f'## {"The deal" if alone else name} {{ id="{anchor}" }}', ""]
    out += [
        table_html(check, marks_of(check.findings, page.numbers)),
        "",
        facts_html(check, page.here),
        "",
    ]
    out += [findings_html(check.findings, page), "", incidents_html(check), ""]
    note = record.tag("note")
    if note:
        out += [f'<p class="record-note">{coloured(note)}</p>', ""]
    out += ["### Account", "", account_html(check, page.here), ""]
    under, heading = under_html(check, page.here), "The same deal under the other codes"
    if alone:
        return [
            *out,
            f'### {heading} {{ id="{anchor}-under" data-search-exclude }}',
            "",
            f"<div data-search-exclude>{under}</div>",
            "",
        ]
    return [
        *out,
        f'<details class="under-of" id="{anchor}-under" data-search-exclude><summary>{heading}</summary>{under}</details>',
        "",
    ]


def group_md(group: GroupCheck, page: Context, drawn: str | None) -> list[str]:
    """A rubber or a match as a whole: what it comes to, what is added at its end, its sheet as the books draw it."""
    kind = group.group.kind
    out = [f"## {group_name(group)}", ""]
    laws = law_links((*group.laws, *group.readings), page.here)
    if said := "; ".join(whole_words(group)):
        told = html.escape(said[:1].upper() + said[1:])
        out += [f"<p>{told}{f' <small class=laws>({laws})</small>' if laws else ''}.</p>", ""]
    added = "".join(
        f"<li>{html.escape(e.reason)}: {e.points} to {e.side.title} <small class=laws>{law_links(e.laws, page.here)}</small></li>"
        for e in group.entries
    )
    added += "".join(
        f"<li>{html.escape(words[:1].upper() + words[1:])}</li>"
        for words in map(tray_words, group.trays)
    )
    out += [f"<ul>{added}</ul>" if added else "", "", findings_html(group.findings, page), ""]
    if drawn:
        alt = f"The {'card' if kind == 'match' else 'sheet'} of the {kind}, as the books draw it; its figures are those of the accounts above."
        out += [f'<p class="sheet"><img src="../{drawn}" alt="{alt}" loading="lazy"></p>', ""]
    return out


def sheet_svg(group: GroupCheck) -> str | None:
    """The sheet of a rubber or the card of a match; `None` where it cannot be drawn."""
    try:
        return sheet(group, "svg")
    except Undrawable:
        return None


# --- pages ----------------------------------------------------------------------------------------


def record_page(path: Path, others: Container[str] = ()) -> tuple[Shown, dict[str, str | bytes]]:
    """What the gallery shows of a file of records, and the files made of it: page, the file itself, JSON, sheets."""
    data = path.read_bytes()
    document = read_bytes(data, path.name)
    results = list(check_document([*document.unreadable, *document.items]))
    checks = [r for r in results if isinstance(r, Check)]
    groups = [r for r in results if isinstance(r, GroupCheck)]
    findings = [f for r in results for f in ([r] if isinstance(r, Finding) else r.findings)]
    page = Context(
        f"records/{path.stem}.md", {f: n for n, f in enumerate(dict.fromkeys(findings), 1)}, others
    )
    first = checks[0].record if checks else None
    title = title_of(document, path.stem)
    anchors = anchors_of(checks)
    source = (first.tag("source") if first else None) or ""
    made: dict[str, str | bytes] = {
        f"records/{path.name}": data,
        f"records/{path.stem}.under.json": under_json(checks),
    }
    out = [
        front(title, f"{title}. {source}", hide="navigation", boost=LESS),
        ASSETS,
        "",
        f"# {title}",
        "",
    ]
    if groups and _slug(title) != path.stem:
        out += [
            f'<span id="{path.stem}"></span>',
            "",
        ]  # the title's anchor before it was named by its group
    rules = checks[0].rules if checks else None
    if rules:
        labels = {o["id"]: o["label"] for o in code_data(rules.code)["options"]}
        chosen = "".join(f", option “{labels.get(o, o)}”" for o in rules.options)
        out += [
            f'<p class="law-head">{f"{html.escape(source)}. " if source else ""}Judged under <a href="{href(rules.code, page.here)}">{html.escape(rules.short)}</a>{html.escape(chosen)}.</p>',
            "",
        ]
    sheets = 0
    for result in results:
        if isinstance(result, Check):
            out += check_md(result, page, next(anchors), len(checks) == 1)
        elif isinstance(result, GroupCheck):
            drawn = None
            if svg := sheet_svg(result):
                sheets += 1
                drawn = f"{path.stem}.sheet{sheets if sheets > 1 else ''}.svg"
                made[f"records/{drawn}"] = svg
            out += group_md(result, page, drawn)
        else:
            out += [findings_html([result], page), ""]
    files = f'<p class="files">As a file: <a href="../{path.name}">{path.name}</a>. The comparison of the codes as data: <a href="../{path.stem}.under.json">{path.stem}.under.json</a>.</p>'
    out += ["## As it is written { data-search-exclude }", "", files, ""]
    out += [
        source_html(EXPECTED.sub("", data.decode("utf-8")), findings, page).replace(
            'class="source"', 'class="source" data-search-exclude', 1
        ),
        "",
    ]
    made[page.here] = "\n".join(out)
    return Shown(path.stem, title, source, tuple(checks), tuple(groups)), made


def record_pages(home: Path, others: Container[str] = ()) -> dict[str, str | bytes]:
    """A page for each shipped file of records with its data, and the gallery of them all.

    `others` are the paths of the site's other pages: a finding links to `rules/<rule>.md` and a remedy to
    `disputes/<irregularity>.md` where they are among them.
    """
    made: dict[str, str | bytes] = {}
    shown = []
    for path in sorted(home.glob("*.hand")):
        entry, files = record_page(path, others)
        shown.append(entry)
        made |= files
    made["records/index.md"] = gallery_page(shown)
    return made
