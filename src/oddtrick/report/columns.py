"""A comparison as text: the codes in columns as wide as the terminal, what differs between braces."""

from __future__ import annotations

import textwrap

from oddtrick.book.compare import STATES, Comparison, Row, marked
from oddtrick.law import store

LEAST = 26
"""The narrowest column that can be read; codes that do not fit stand below."""

GAP = " | "


def comparison_text(found: Comparison, width: int, bold: tuple[str, str] = ("", "")) -> str:
    """A comparison in columns, each row a rule; where two codes differ, the words of each that the first has not are braced."""
    on, off = bold
    out = [f"{on}{found.title}{off}", *textwrap.wrap(found.question or "", width), ""]
    fit = max(1, min(len(found.codes), (width + len(GAP)) // (LEAST + len(GAP))))
    groups = [found.codes[i : i + fit] for i in range(0, len(found.codes), fit)]
    first = found.codes[0]
    for group in groups:
        column = (width - len(GAP) * (len(group) - 1)) // len(group)
        heads = [store.load(c)["short"] for c in group]
        out.append(GAP.join(f"{on}{h[:column]:<{column}}{off}" for h in heads).rstrip())
        out.append("-+-".join("-" * column for _ in group))
        for row in found.rows:
            if not any(c in row.cells for c in group):
                continue
            out += _row_lines(row, group, column, first, found.codes)
            out.append("")
    for row in found.rows:
        if row.says:
            said = "; ".join(f"{store.load(c)['short']}: {t}" for c, t in row.says.items())
            out += textwrap.wrap(f"{row.label} - {said}", width, subsequent_indent="    ")
    if any(row.says for row in found.rows):
        out.append("")
    for code, (state, reason) in found.states.items():
        words = STATES[state]
        out += textwrap.wrap(
            f"{store.load(code)['short']}: {words}. {reason}", width, subsequent_indent="    "
        )
    if len(found.codes) > 1 and found.rows:
        note = "Words in {braces} are not in the first column; in the first, not in the second."
        out += textwrap.wrap(note if len(found.codes) == 2 else note.partition(";")[0] + ".", width)
    return "\n".join(out).rstrip() + "\n"


def _row_lines(
    row: Row, group: tuple[str, ...], column: int, first: str, codes: tuple[str, ...]
) -> list[str]:
    cells = [_cell_lines(row, c, column, first, codes) for c in group]
    height = max(len(c) for c in cells)
    padded = [c + [""] * (height - len(c)) for c in cells]
    return [
        GAP.join(f"{line:<{column}}" for line in lines).rstrip()
        for lines in zip(*padded, strict=True)
    ]


def _cell_lines(row: Row, code: str, column: int, first: str, codes: tuple[str, ...]) -> list[str]:
    cell = row.cells.get(code)
    if cell is None:
        return ["(no counterpart)"]
    against = first if code != first else next((c for c in codes[1:] if c in row.cells), "")
    other = (
        " ".join(t for _, t in row.cells.get(against, ()))
        if len(codes) == 2 or code != first
        else ""
    )
    lines: list[str] = []
    for address, text in cell:
        shown = address.partition(":")[2] if address.startswith(f"{code}:") else address
        words = braced(text, other) if other else text
        lines += [
            shown,
            *textwrap.wrap(words, column - 1, initial_indent=" ", subsequent_indent=" "),
        ]
    return lines


def braced(text: str, other: str) -> str:
    """A text with the runs of words that the other has not between braces."""
    return " ".join(
        f"{{{words}}}" if differs else words for differs, words in marked(text, other)[0]
    )
