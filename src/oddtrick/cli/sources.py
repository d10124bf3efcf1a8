"""`oddtrick sources`: a reader's own copies of the books, attached, listed and removed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from oddtrick.book.own_copies import Attached, NotASource, add, attached, counted, remove
from oddtrick.cli.parser import Add, Command, Wrong, add_format, code_named, write_json
from oddtrick.terminal import Progress, in_a_line


def register(add_command: Add) -> None:
    """Add the parser of the command."""
    sub = add_command(
        "sources",
        "Attach your own copy of a book: its words are then shown beside the restatement, on this "
        "machine only.",
        "oddtrick sources add royalton.txt",
    )
    steps = sub.add_subparsers(dest="step", metavar="STEP", required=True)
    step = steps.add_parser("add", help="find the laws of a book in a text file and keep them")
    step.add_argument("files", nargs="+", metavar="FILE", help="plain text, scanned or proofread")
    _code(step, "the code that the book has (default: found out)")
    add_format(step)
    step = steps.add_parser("list", help="list what is attached")
    add_format(step)
    step = steps.add_parser("remove", help="remove an attached book")
    step.add_argument(
        "name", metavar="NAME", help="its name or file name, as `sources list` shows it"
    )
    _code(step, "only in this code")
    add_format(step)


def _code(sub: argparse.ArgumentParser, help_: str) -> None:
    sub.add_argument("--code", metavar="ID", help=help_)


def sources(options: argparse.Namespace) -> int:
    """`oddtrick sources add|list|remove`."""
    return STEPS[options.step](options)


def _add(options: argparse.Namespace) -> int:
    code = code_named(options.code)
    added: list[Attached] = []
    progress = Progress()
    for name in options.files:
        progress.step(f"reading {name} ", now=True)
        try:
            added += add(Path(name), code)
        except NotASource as error:
            raise Wrong(str(error)) from error
        except OSError as error:
            raise Wrong(f"the book cannot be kept: {error.strerror or error}") from error
    progress.clear()
    if not _told(added, options):
        sys.stdout.write("`oddtrick law` now shows the printed words; they stay on this machine.\n")
    return 0


def _list(options: argparse.Namespace) -> int:
    found = attached()
    if not _told(found, options) and not found:
        sys.stdout.write("No book is attached; `oddtrick sources add FILE` attaches one.\n")
    return 0


def _remove(options: argparse.Namespace) -> int:
    gone = remove(options.name, code_named(options.code))
    if not gone:
        raise Wrong(
            f"no attached book is called `{options.name}`; `oddtrick sources list` lists them"
        )
    _told(gone, options, "Removed ")
    return 0


def _told(found: Iterable[Attached], options: argparse.Namespace, before: str = "") -> bool:
    """Write sources as JSON where that is asked, or a line each; whether it was JSON."""
    if options.format == "json":
        write_json([_source_json(a) for a in found])
        return True
    for a in found:
        sys.stdout.write(f"{before}{_line(a)}\n")
    return False


def _source_json(source: Attached) -> dict[str, object]:
    return {
        "name": source.id,
        "code": source.code,
        "file": source.file,
        "laws": len(source.laws),
        "numbers": list(source.laws),
    }


def _line(source: Attached) -> str:
    return f"{source.id}: {counted(source)} (from {in_a_line(source.file)})"


STEPS: dict[str, Command] = {"add": _add, "list": _list, "remove": _remove}
