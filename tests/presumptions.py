"""The table of presumptions in docs/notation.md, from the catalogue.

Also a program: `presumptions.py` prints it.
"""

from __future__ import annotations

from oddtrick.law.book import book


def rows() -> list[str]:
    """A row for each fact that is presumed where a record does not tell it."""
    return [
        f"| {fact.question} | {fact.values[fact.presumed].removeprefix('and ')} (`{fact.id} {fact.presumed}`) |"
        for fact in book().facts.values()
        if fact.presumed
    ]


if __name__ == "__main__":
    print("\n".join(rows()))
