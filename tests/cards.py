"""The preview card shown where a page's address is shared: a picture for each code and one for the
site, as SVG.

Sites that show such cards do not accept SVG, so `.venv/bin/python tests/cards.py` renders them to
PNG once, with Debian's Chromium, into `site_overrides/assets/cards/`.
"""

import textwrap
from pathlib import Path
from typing import NamedTuple

from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.site.template import environment

NAME = "The laws of bridge, 1904 to 1927"

FOLDER = Path(__file__).resolve().parent.parent / "site_overrides" / "assets" / "cards"
WIDTH, HEIGHT = 1200, 630
"""The size of a card in pixels, as Open Graph recommends."""

LEFT, RIGHT = 84, 1116
LEDE = "The codes restated law by law: read, compared, cited, and run on a recorded deal."


class Mark(NamedTuple):
    """A code on the timeline: its position, year and label, and whether the card is its own."""

    x: int
    year: str
    name: str
    mine: bool


def card_svg(name: str = "") -> str:
    """The card of a code, or of the site if no code is named, as SVG of 1200 by 630."""
    code = book().code(name) if name else None
    step = (RIGHT - LEFT) / max(1, len(book().ids))
    return (
        environment()
        .from_string((Path(__file__).parent / "card.svg").read_text("utf-8"))
        .render(
            width=WIDTH,
            height=HEIGHT,
            left=LEFT,
            right=RIGHT,
            code=code,
            name=NAME,
            lines=textwrap.wrap(code.title, 48) if code else textwrap.wrap(LEDE, 52),
            marks=[
                Mark(
                    round(LEFT + step * index + 14), other.date[:4], _plain(other), other.id == name
                )
                for index, other in enumerate(book().codes)
            ],
        )
    )


def _plain(code: Code) -> str:
    """The label of a code beside its year: `Auction` for `Auction 1912`."""
    return code.short.replace(code.date[:4], "").strip()


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    from conftest import CHROMIUM

    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for name in ("", *book().ids):
            drawn = card_svg(name)
            stem = FOLDER / (name or "oddtrick")
            stem.with_name(f"{stem.name}.svg").write_text(drawn, "utf-8")
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawn}")
            page.screenshot(path=stem.with_name(f"{stem.name}.png"))
        browser.close()
