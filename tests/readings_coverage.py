"""The table of all readings: what is applied, what each other choice changes, and where that is tried.

Run, it writes the table; a test keeps it true.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lawbook import judged_codes
from oddtrick.law.book import book
from oddtrick.law.model import Chosen, Code, Reading

HERE = Path(__file__).resolve().parent
TABLE = HERE / "readings-coverage.md"

HEAD = """\
# What the choices of the readings compute

Made by `python tests/readings_coverage.py`. The checker judges by a choice what the third column names; by one with
`nothing` it judges as without it, and says so. Cases stand in `readings.yaml`, `scores/` and `rulings/`.
"""


def alternatives() -> list[Chosen]:
    """Every other choice of every reading of the judged codes."""
    readings = [r for code in judged_codes() for r in book().code(code).readings]
    return [c for r in readings for one in r.choices if (c := Chosen(r, one)).otherwise]


def table() -> str:
    """The whole table."""
    tried = _tried()
    rows = [row for code in judged_codes() for row in _rows(book().code(code), tried)]
    return HEAD + "".join(f"{row}\n" for row in rows)


def _tried() -> str:
    """The text of all files that have cases."""
    homes = [HERE / "readings.yaml", HERE / "test_readings.py"]
    homes += [*(HERE / "scores").glob("*.yaml"), *(HERE / "rulings").glob("*.yaml")]
    return "\n".join(path.read_text("utf-8") for path in homes)


def _rows(code: Code, tried: str) -> Iterator[str]:
    if not code.readings:
        return
    yield f"\n## {code.short}\n"
    yield "| reading | applied | by another choice | a case |"
    yield "| --- | --- | --- | --- |"
    for reading in code.readings:
        others = [Chosen(reading, c) for c in reading.choices if c.id != reading.applied]
        changes = "; ".join(f"`{o.choice.id}`: {_changes(o, reading)}" for o in others)
        case = "yes" if all(o.written in tried for o in others) else ""
        yield f"| `{reading.address}` | `{reading.applied}` | {changes} | {case} |"


def _changes(one: Chosen, reading: Reading) -> str:
    """What a choice changes, in words of the vocabulary's ids."""
    choice = one.choice
    found = [f"`{name}`" for name in (*choice.procedures, *choice.figures, *choice.absent)]
    found += [f"`{name}` falls away" for name in reading.procedures if name not in choice.absent]
    entries = book().code(reading.address.code).entries
    ruled = dict.fromkeys(e.irregularity for e in entries if e.reading.get(reading.id) == choice.id)
    found += [f"the ruling on `{name}`" for name in ruled]
    return ", ".join(found) or f"nothing ({reading.not_computed})"


if __name__ == "__main__":
    TABLE.write_text(table(), "utf-8")
