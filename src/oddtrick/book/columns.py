"""Prints a comparison as text: the codes in columns, with differences in braces."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from oddtrick.book.compare import Comparison, Row, concordance, marked
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.model import SILENT
from oddtrick.law.names import law_words, silence_text
from oddtrick.terminal import Style

LEAST = 26  # the narrowest readable column; codes that do not fit are printed below

GAP = " | "


def comparison_text(found: Comparison, shape: Style) -> str:
    """A comparison as text in columns, with a row for each parallel.

    Words that the first column lacks are in braces; with two codes, so are words that the second
    column lacks.
    """
    width, names = shape.width, book().names
    out = [shape.bold(found.title), *textwrap.wrap(found.question or "", width)]
    if len(found.codes) > 1 and found.rows:
        only = "appear in that column only"
        where = only if len(found.codes) == 2 else f"are not in {names[found.codes[0]]}"
        words = f"The wording is ours, not the books'; words in {{braces}} {where}."
        out += textwrap.wrap(words, width)
    out.append("")
    fit = max(1, min(len(found.codes), (width + len(GAP)) // (LEAST + len(GAP))))
    for start in range(0, len(found.codes), fit):
        out += _group_lines(found, found.codes[start : start + fit], shape)
    hanging = "    "
    for row in found.rows:
        if row.says:
            line = "; ".join(f"{names[c]}: {t}" for c, t in row.says.items())
            out += textwrap.wrap(f"{row.label} - {line}", width, subsequent_indent=hanging)
    if any(row.says for row in found.rows):
        out.append("")
    for code, state in found.states.items():
        line = f"{names[code]}: {SILENT[state.state]}. {state.reason}"
        out += textwrap.wrap(line, width, subsequent_indent=hanging)
    for silence in found.lacks:
        out += textwrap.wrap(silence_text(silence), width, subsequent_indent=hanging)
    return "\n".join(out).rstrip() + "\n"


def comparison_rows(found: Comparison) -> list[list[str]]:
    """A comparison as the rows of a table: for each code a column with the provisions of each
    parallel, or why there are none, and a column with their addresses.
    """
    names = [book().names[c] for c in found.codes]
    rows = [["Rule", *(head for name in names for head in (name, f"{name}: law"))]]
    for row in found.rows:
        cells = [row.label]
        for code in found.codes:
            passages = row.cells.get(code, ())
            cells.append("\n".join(text for _, text in passages) or _state(found, row, code))
            cells.append(", ".join(a + amended_words(a, code) for a, _ in passages))
        rows.append(cells)
    return rows


def concordance_rows(ours: str, theirs: str) -> list[list[str]]:
    """The concordance of two codes as the rows of a table, with addresses and with names."""
    left, right = book().names[ours], book().names[theirs]
    heads = (left, f"{left}: address", "Relation", right, f"{right}: address", "What differs")
    rows = [[*heads]]
    for line in concordance(ours, theirs):
        changes = (f"{d.label}: {d.ours} / {d.theirs}" for d in line.differences)
        cells = [_named(line.address), line.address, book().kind_words(line.kind, line.shape)]
        cells += ["; ".join(map(_named, line.counterparts)), " ".join(line.counterparts)]
        rows.append([*cells, "; ".join(changes)])
    new = (line.address for line in concordance(theirs, ours) if line.kind == "none")
    rows += [["", "", f"only in {right}", _named(address), address, ""] for address in new]
    return rows


def _named(address: Address) -> str:
    law = book().law(address)
    return f"{law_words(address)}, {law.heading}" if law else law_words(address)


def _state(found: Comparison, row: Row, code: str) -> str:
    state = found.states.get(code)
    return f"{SILENT[state.state]}. {state.reason}" if state else _without(row, code)


def _group_lines(found: Comparison, group: Sequence[str], shape: Style) -> list[str]:
    column = (shape.width - len(GAP) * (len(group) - 1)) // len(group)
    heads = GAP.join(shape.bold(f"{book().names[c][:column]:<{column}}") for c in group)
    out = [heads.rstrip(), "-+-".join("-" * column for _ in group)]
    for row in [r for r in found.rows if any(c in r.cells for c in group)] or found.rows[:1]:
        cells = [_cell_lines(row, c, column, found.codes) for c in group]
        for lines in zip_longest(*cells, fillvalue=""):
            out.append(GAP.join(f"{line:<{column}}" for line in lines).rstrip())
        out.append("")
    return out


def _cell_lines(row: Row, code: str, column: int, codes: Sequence[str]) -> list[str]:
    cell, first = row.cells.get(code), codes[0]
    if cell is None:
        return textwrap.wrap(_without(row, code), column)
    against = first if code != first else next((c for c in codes[1:] if c in row.cells), "")
    compared = len(codes) == 2 or code != first
    other = " ".join(t for _, t in row.cells.get(against, ())) if compared else ""
    lines: list[str] = []
    for address, text in cell:
        words = braced(text, other, code == first) if other else text
        lines += textwrap.wrap(address.short(code) + amended_words(address, code), column)
        lines += textwrap.wrap(words, column - 1, initial_indent=" ", subsequent_indent=" ")
    return lines


def amended_words(address: Address, code: str) -> str:
    """The provisions of a code that amend a provision of its base, in brackets."""
    found = [a.short(code) for a in book().amended_by(address, code)]
    return f" (amended by {', '.join(found)})" if found else ""


def _without(row: Row, code: str) -> str:
    if answers := row.elsewhere.get(code):
        return f"(covered by {', '.join(a.short(code) for a in answers)})"
    if laws := row.general.get(code):
        return f"(covered by a general law: {', '.join(a.short(code) for a in laws)})"
    return "(no counterpart)"


def braced(text: str, other: str, is_left: bool) -> str:
    """A text with braces around each run of words that the other text lacks.

    The texts of two columns are compared once, from the left, so that both show the same words.
    """
    runs = marked(text, other)[0] if is_left else marked(other, text)[1]
    return " ".join(f"{{{words}}}" if differs else words for differs, words in runs)
