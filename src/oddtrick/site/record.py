"""A page for each shipped file of records: every deal checked, scored, and scored under the other
codes too. `check` supplies the result of the check, and `gallery` the list of the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from oddtrick.judge import Check, Json, check_document
from oddtrick.law.book import book
from oddtrick.record import read_document
from oddtrick.report.answers import as_json
from oddtrick.report.check import law_of
from oddtrick.report.sheet import Undrawable, groups, sheet
from oddtrick.report.under_codes import CIRCUMSTANCES, ITEMS, compare
from oddtrick.site.check import Checked, checked, source
from oddtrick.site.gallery import Shown, gallery_page, published, stem_of, title_of
from oddtrick.site.markup import slug
from oddtrick.site.template import page

EXPECTED = re.compile(r"[ \t]*# finds [^\n]*")
"""A comment that tells the tests which finding to expect on its line."""


def anchor_of(record: Json) -> str:
    """The URL fragment of a deal on its page: `deal-page-42`."""
    return "-".join("".join(c if c.isalnum() else " " for c in record["id"].lower()).split())


def anchors_of(records: Iterable[Json]) -> Iterator[str]:
    """The URL fragments of the deals of a page, without duplicates: `deal-1`, then `deal-1-2`."""
    wanted = list(map(anchor_of, records))
    # The fragment with `-under` belongs to the comparison below the deal.
    taken: set[str] = set()
    for anchor in wanted:
        free, number = anchor, 1
        while {free, f"{free}-under"} & taken or (number > 1 and free in wanted):
            number += 1
            free = f"{anchor}-{number}"
        taken |= {free, f"{free}-under"}
        yield free


def parts(listed: Iterable[Checked]) -> Iterator[Checked]:
    """The answers of a file with the anchors of their headings and accounts; a single deal is
    titled `The deal`.
    """
    listed = list(listed)
    deals = [one.answer for one in listed if "verdict" in one.answer]
    anchors = anchors_of(deals)
    number = 0
    for one in listed:
        if one.kind == "deal":
            account = f"account_{number}" if number else "account"
            number += 1
            title = "The deal" if len(deals) == 1 else one.title
            yield replace(one, title=title, anchor=next(anchors), account=account)
        else:
            yield replace(one, anchor=slug(one.title)) if one.title else one


def record_page(path: Path) -> tuple[Shown, dict[str, str | bytes]]:
    """The gallery entry of a file of records, and the generated files by path: the page, the record
    itself, JSON, and sheets.
    """
    data, stem = published(path), stem_of(path)
    document = read_document(data, path.name)
    results = list(check_document([*document.unreadable, *document.items]))
    listed = list(parts(checked(map(as_json, results))))
    records = [one.answer for one in listed if "verdict" in one.answer]
    wholes = list(groups(one.answer for one in listed))
    compared: list[Json] = [compare(r) for r in results if isinstance(r, Check)]
    made: dict[str, str | bytes] = {
        f"records/{stem}.hand": data,
        f"records/{stem}.under.json": json.dumps(compared, ensure_ascii=False, indent=2) + "\n",
    }
    drawn: list[str] = []
    for group, deals in wholes:
        number = sum(map(bool, drawn)) + 1
        name = f"{stem}.sheet{number if number > 1 else ''}.svg"
        with suppress(Undrawable):
            made[f"records/{name}"] = sheet(group, deals, "svg")
        drawn.append(name if f"records/{name}" in made else "")
    title, judged = title_of(document, stem), law_of(records[0]) if records else None
    labels = {o.id: o.label for o in book().code(judged.code).options} if judged else {}
    beside: dict[str, Iterator[object]] = {
        "deal": iter(compared),
        "group": iter(drawn),
        "finding": iter(()),
    }
    printed = (records[0]["source"] if records else None) or ""
    made[f"records/{stem}.md"] = page(
        "record",
        f"records/{stem}.md",
        title=title,
        # the former anchor of the title, derived from the file name
        old_anchor=stem if wholes and slug(title) != stem else "",
        judged=judged,
        options=[labels.get(o, o) for o in judged.options] if judged else [],
        source=printed,
        parts=[(one, next(beside[one.kind], None)) for one in listed],
        alone=len(records) == 1,
        circumstances=CIRCUMSTANCES,
        order=ITEMS,
        stem=stem,
        lines=source(
            EXPECTED.sub("", data.decode("utf-8", "replace")),
            (f for one in listed for f in one.findings),
        ),
    )
    return Shown(stem, title, printed, records, [g for g, _ in wholes]), made


def record_pages(home: Path) -> dict[str, str | bytes]:
    """The pages and data of the shipped files of records in the folder `home`, and the gallery."""
    pages = [record_page(path) for path in sorted(home.glob("*.hand"))]
    made = {name: content for _, files in pages for name, content in files.items()}
    return made | {"records/index.md": gallery_page(shown for shown, _ in pages)}
