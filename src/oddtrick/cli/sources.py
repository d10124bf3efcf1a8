"""`oddtrick sources`: a reader's own copies of the books, attached, listed, removed, held against
the laws.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from oddtrick.book.collate import Collation, collate
from oddtrick.book.own_copies import Attached, NotASource, add, attached, counted, remove
from oddtrick.cli.parser import Add, Command, Wrong, add_format, code_named, write_json
from oddtrick.law.book import book
from oddtrick.terminal import Progress, in_a_line, style


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
    step = steps.add_parser(
        "collate", help="compare attached books with the restatements: laws, figures, references"
    )
    _code(step, "only this code")
    step.add_argument(
        "--all", action="store_true", help="list the differences that are explained too"
    )
    add_format(step)


def _code(sub: argparse.ArgumentParser, help_: str) -> None:
    sub.add_argument("--code", metavar="ID", help=help_)


def sources(options: argparse.Namespace) -> int:
    """`oddtrick sources add|list|remove|collate`."""
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
        "sha256": source.digest,
        "laws": len(source.laws),
        "numbers": list(source.laws),
    }


def _line(source: Attached) -> str:
    return f"{source.id}: {counted(source)} (from {in_a_line(source.file)})"


def _collate(options: argparse.Namespace) -> int:
    code = code_named(options.code)
    found = attached(code)
    if not found:
        which = f" for {code}" if code else ""
        raise Wrong(f"no book is attached{which}; `oddtrick sources add FILE` attaches one")
    results = [collate(a, book().vocabulary.collation) for a in found]
    if options.format == "json":
        write_json([_collation_json(c) for c in results])
    else:
        for c in results:
            sys.stdout.write("\n".join(_collation_lines(c, options.all)) + "\n")
    return 1 if any(c.open for c in results) else 0


def _collation_json(found: Collation) -> dict[str, object]:
    return {
        "name": found.source.id,
        "code": found.source.code,
        "laws": found.laws,
        "figures": found.figures,
        "references": found.references,
        "lacks": list(found.lacks),
        "differences": [
            {
                "law": d.law,
                "kind": d.kind,
                "printed": list(d.printed),
                "restated": list(d.restated),
                "why": d.why,
            }
            for d in found.differences
        ],
    }


def _collation_lines(found: Collation, explained_too: bool) -> list[str]:
    explained = len(found.differences) - len(found.open)
    out = [
        f"{found.source.code}, {in_a_line(found.source.file)}: {found.laws} laws compared; "
        f"{found.figures} figures and {found.references} references agree; "
        f"{explained} differences explained, {len(found.open)} open"
    ]
    if found.lacks:
        out.append(f"  the copy does not have {_short_list(found.lacks)}")
    for d in found.differences if explained_too else found.open:
        out.append(f"  {d.law}  {d.kind}{d.words}")
        if d.why:
            out.append(style().wrap(d.why, "      "))
    return out


def _short_list(items: Sequence[str]) -> str:
    if len(items) < 6:
        return ", ".join(items)
    return f"{items[0]} to {items[-1]} ({len(items)} laws and rules)"


STEPS: dict[str, Command] = {"add": _add, "list": _list, "remove": _remove, "collate": _collate}
