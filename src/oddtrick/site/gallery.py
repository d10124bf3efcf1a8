"""The gallery of the shipped records: a card for each file, grouped by code, with its contents and
highlights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from oddtrick.cards import SEATS
from oddtrick.judge import Json
from oddtrick.law.book import judged_codes
from oddtrick.record import Document, Group, deals_in
from oddtrick.rulings.words import upper
from oddtrick.site.table import DEALT
from oddtrick.site.template import page


class Shown(NamedTuple):
    """A file of records: the last part of its URL, its title, source, deals and groups."""

    stem: str
    title: str
    source: str
    deals: list[Json]
    groups: list[Json]

    @property
    def four_hands(self) -> bool:
        """Whether the four hands of a deal are known."""
        return any(map(_four_hands, self.deals))

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
    )
