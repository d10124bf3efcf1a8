"""`oddtrick sources`: attaches, lists and removes a reader's own copies of the books."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from oddtrick.book import own_copies
from oddtrick.book.own_copies import Attached, NotASource
from oddtrick.cli.common import Command, UsageError, write_json
from oddtrick.terminal import Progress, in_a_line


def sources(options: argparse.Namespace) -> int:
    """`oddtrick sources add|list|remove`."""
    found = STEPS[options.step](options)
    if options.format == "json":
        named = [{"name": c.id, "code": c.code, "file": c.file} for c in found]
        laws = [{"laws": len(c.laws), "numbers": list(c.laws)} for c in found]
        write_json([a | b for a, b in zip(named, laws, strict=True)])
        return 0
    before = "Removed " if options.step == "remove" else ""
    for copy in found:
        counts, file = own_copies.count_words(copy), in_a_line(copy.file)
        sys.stdout.write(f"{before}{copy.id}: {counts} (from {file})\n")
    if options.step == "add":
        sys.stdout.write("`oddtrick law` now shows the printed words; they stay on this machine.\n")
    elif options.step == "list" and not found:
        sys.stdout.write("No book is attached; `oddtrick sources add FILE` attaches one.\n")
    return 0


def _add(options: argparse.Namespace) -> list[Attached]:
    added: list[Attached] = []
    progress = Progress()
    for name in options.files:
        progress.step(f"reading {name} ", now=True)
        try:
            added += own_copies.add(Path(name), options.code)
        except NotASource as error:
            raise UsageError(str(error)) from error
        except OSError as error:
            raise UsageError(f"the book cannot be stored: {error.strerror or error}") from error
    progress.clear()
    return added


def _remove(options: argparse.Namespace) -> list[Attached]:
    removed = own_copies.remove(options.name, options.code)
    if not removed:
        no_such = f"no attached book is called `{options.name}`"
        raise UsageError(f"{no_such}; `oddtrick sources list` lists them")
    return removed


STEPS = {"add": _add, "list": lambda _: own_copies.attached(), "remove": _remove}
COMMANDS: dict[str, Command] = {"sources": sources}
