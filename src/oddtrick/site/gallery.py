"""The gallery of the shipped records: a card for each file, grouped by code, with its contents and
highlights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from oddtrick.cards import PACK, SEATS
from oddtrick.judge.answers import Json
from oddtrick.law.book import judged_codes
from oddtrick.law.names import and_words
from oddtrick.record import Document, Group, deals_in
from oddtrick.report.words import number_words
from oddtrick.site.check import finding_label
from oddtrick.site.markup import upper
from oddtrick.site.template import page

SEEN = {
    "overtricks": "overtricks",
    "undertricks": "undertricks",
    "slam": "a slam",
    "chicane": "chicane",
    "penalty": "a penalty scored",
    "rubber-bonus": "a finished rubber",
    "unfinished-rubber-bonus": "an unfinished rubber",
    "retirement": "a side that retires",
}
"""Words for the entries of a file with several deals; a single deal shows the reasons instead."""

SHOWN_ENTRIES = (
    "contract-bonus",
    "overtricks",
    "undertricks",
    "honours",
    "chicane",
    "slam",
    "rubber-bonus",
    "penalty",
)
"""The entries shown for a single deal, in order."""

DEALT = len(PACK) // len(SEATS)
"""The number of cards in a full hand."""

MARKED = ("irregular", "disputed", "unreadable")
"""The verdicts that a card may show, in order of precedence."""


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
    """The title of a file of records: that of its only deal, the event, the name of its only rubber
    or match, or the name of the file.
    """
    listed = list(deals_in(document.items))
    names = [i.name for i in document.items if isinstance(i, Group)]
    tagged = listed[0].tag("title" if len(listed) == 1 else "event") if listed else None
    title = tagged or (names[0] if len(names) == 1 else None) or stem.replace("-", " ")
    return upper(title)


def seen(entry: Shown) -> Iterator[str]:
    """Phrases on the extent of the record, the findings and the score."""
    yield upper(_extent(entry.deals, entry.groups))
    findings = [f for answer in (*entry.deals, *entry.groups) for f in answer["findings"]]
    offences = dict.fromkeys(
        label[:1].lower() + label[1:]
        for f in findings
        if (label := finding_label(f["rule"])) and f["severity"] in (*MARKED, "note")
    )
    if offences:
        yield f"Found: {and_words(offences)}"
    entries = [e for d in entry.deals if d["score"] for e in d["score"]["entries"]]
    entries += [e for g in entry.groups for e in g["entries"]]
    if len(entry.deals) == 1:
        scored = [e["reason"] for item in SHOWN_ENTRIES for e in entries if e["item"] == item]
    else:
        items = {e["item"] for e in entries}
        scored = [words for item, words in SEEN.items() if item in items]
    if scored:
        yield upper(and_words(dict.fromkeys(scored)))


def _extent(deals: list[Json], groups: list[Json]) -> str:
    """How much of the deals is recorded: `the four hands, the auction and the first trick`."""
    plays = [d["play"] for d in deals if d["play"] and d["play"]["tricks"]]
    count = max((len(p["tricks"]) for p in plays), default=0)
    whole = any(map(_four_hands, deals))
    there = [
        words
        for is_there, words in (
            (whole, "the four hands"),
            (not whole and any(d["hands"] for d in deals), "the hands in part"),
            (any(d["auction"] and d["auction"]["calls"] for d in deals), "the auction"),
            (any(p["complete"] for p in plays), "every card played"),
            (
                count and not any(p["complete"] for p in plays),
                "the first trick" if count == 1 else f"the first {count} tricks",
            ),
        )
        if is_there
    ]
    if len(deals) < 2:
        return and_words(there) or "the declaration, the result and the score"
    kind = f" of a {groups[0]['kind']}" if groups else ""
    rest = f", with {and_words(there)}" if there else ", declarations, results and scores"
    return f"{number_words(len(deals), 'deal')}{kind}{rest}"


def _four_hands(deal: Json) -> bool:
    """Whether all four hands are known; three are enough, since the fourth follows from them."""
    hands = deal["hands"].values()
    known = [h for h in hands if not (h["partial"] or h["small"]) and len(h["cards"]) == DEALT]
    return deal["code"] is not None and len(known) >= len(SEATS) - 1


def gallery_page(shown: Iterable[Shown]) -> str:
    """`records/index.md`: the cards, sorted by the date of the code and then by file name."""
    files = sorted(shown, key=lambda e: e.stem)
    by_code = {code: [f for f in files if f.code == code] for code in (*judged_codes(), None)}
    return page(
        "gallery",
        "records/index.md",
        total=len(files),
        groups={code: found for code, found in by_code.items() if found},
        marked=MARKED,
        seen=seen,
    )
