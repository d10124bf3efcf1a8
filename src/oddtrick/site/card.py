"""The card that stands for a page where its address is shared: a picture for each code and one for the site, drawn as SVG.

Sites that show such a card take no SVG, so `tests/make_cards.py` has Chromium make PNG of them, once, into `site_overrides/assets/cards/`.
"""

from __future__ import annotations

import html
import textwrap
from typing import Any

from oddtrick.book.citation import date_words
from oddtrick.law.in_force import code_data, codes

Json = Any

WIDTH, HEIGHT = 1200, 630
"""Pixels of a card: what Open Graph asks for."""

LEFT, RIGHT = 84, 1116
PAPER, INK, QUIET, RULE, CLARET = "#fbf8f1", "#23201b", "#665d4e", "#d9cfb8", "#7a1f2b"
SERIF = "Iowan Old Style, Palatino Linotype, Palatino, TeX Gyre Pagella, DejaVu Serif, serif"
NAME = "The laws of bridge, 1900 to 1927"
LEDE = "The codes restated law by law: read, compared, cited, and run on a recorded deal."


def card_svg(name: str = "") -> str:
    """The card of a code, or of the site where no code is named, as SVG of 1200 by 630."""
    code = code_data(name) if name else None
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{SERIF}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        f'<rect width="{WIDTH}" height="14" fill="{CLARET}"/>',
        _line(LEFT, 104, 30, CLARET, "ODDTRICK", 'letter-spacing="7"'),
    ]
    if code:
        made = f"{code['body']}, {date_words(code['date'])}"
        out += [_line(LEFT, 236, 88, INK, code["short"])]
        out += _lines(300, 38, INK, 48, code["title"])
        out += [_line(LEFT, 300 + 50 * len(textwrap.wrap(code["title"], 48)), 30, QUIET, made)]
    else:
        out += [_line(LEFT, 230, 60, INK, NAME), *_lines(300, 34, QUIET, 52, LEDE)]
    return "\n".join([*out, *_time(name), "</svg>", ""])


def _line(x: int, y: int, size: int, colour: str, words: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" {more}>{html.escape(words)}</text>'


def _lines(y: int, size: int, colour: str, width: int, words: str) -> list[str]:
    return [
        _line(LEFT, y + i * (size + 12), size, colour, line)
        for i, line in enumerate(textwrap.wrap(words, width))
    ]


def _time(name: str) -> list[str]:
    """The codes in the order of their dates, evenly on a line; that of the card filled and larger."""
    names = codes()
    step = (RIGHT - LEFT) / max(1, len(names))
    out = [f'<line x1="{LEFT}" y1="500" x2="{RIGHT}" y2="500" stroke="{RULE}" stroke-width="3"/>']
    for index, other in enumerate(names):
        x = round(LEFT + step * index + 14)
        mine = other == name
        look = (
            f'fill="{CLARET}" r="14"'
            if mine
            else f'fill="{PAPER}" stroke="{CLARET}" stroke-width="3" r="9"'
        )
        out += [
            f'<circle cx="{x}" cy="500" {look}/>',
            _line(
                x - 14,
                550,
                22,
                CLARET if mine else QUIET,
                code_data(other)["date"][:4],
                'font-weight="600"' if mine else "",
            ),
            _line(x - 14, 580, 19, CLARET if mine else QUIET, _plain(other)),
        ]
    return out


def _plain(name: str) -> str:
    """What a code is called beside its year: `Auction` of `Auction 1912`."""
    code = code_data(name)
    return str(code["short"]).replace(code["date"][:4], "").strip()
