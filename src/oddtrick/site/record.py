"""A page for each shipped file of records, with every deal checked and scored, also under the other
codes; and the gallery of the files, grouped by code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from oddtrick.judge import Check, Json, check_document
from oddtrick.law.book import book, judged_codes
from oddtrick.record import Document, Group, deals_in, read_document
from oddtrick.report.answers import as_json
from oddtrick.report.check import law_of
from oddtrick.report.sheet import Undrawable, groups, sheet
from oddtrick.report.under_codes import CIRCUMSTANCES, ITEMS, compare
from oddtrick.rulings.words import upper
from oddtrick.site.check import Checked, checked, source
from oddtrick.site.markup import slug
from oddtrick.site.template import page


class Shown(NamedTuple):
    """A file of records: the last part of its URL, its title, source, deals and groups."""

    stem: str
    title: str
    source: str
    deals: list[Json]
    groups: list[Json]

    @property
    def code(self) -> str | None:
        """The code of the first deal that names one."""
        return next((d["code"] for d in self.deals if d["code"]), None)


def stem_of(path: Path) -> str:
    """The last part of the URL of a file of records; a hyphen is added if it would otherwise clash
    with the index page of the folder.
    """
    return f"{path.stem}-" if re.fullmatch("(?i)(index|readme)-*", path.stem) else path.stem


def published(path: Path) -> bytes:
    """A file of records as published: without a BOM, and with a `# ` comment at the beginning, so
    that no browser runs it as a script.
    """
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    return data if data.startswith(b"# ") else b"# A record of Oddtrick.\n" + data


def title_of(document: Document, stem: str) -> str:
    """The title of a file of records: the title of its only deal, the event, the name of its only
    rubber or match, or the name of the file.
    """
    listed = list(deals_in(document.items))
    names = [i.name for i in document.items if isinstance(i, Group)]
    tagged = listed[0].tag("title" if len(listed) == 1 else "event") if listed else None
    title = tagged or (names[0] if len(names) == 1 else None) or stem.replace("-", " ")
    return upper(title)


def gallery_page(shown: Iterable[Shown]) -> str:
    """`records/index.md`: the cards, sorted by the date of the code and then by file name."""
    files = sorted(shown, key=lambda e: e.stem)
    by_code = {code: [f for f in files if f.code == code] for code in (*judged_codes(), None)}
    return page(
        "gallery",
        "records/index.md",
        total=len(files),
        groups={code: found for code, found in by_code.items() if found},
    )


# --- the page of a file ---------------------------------------------------------------------------

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
