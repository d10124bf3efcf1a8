"""The commands for files and data: lint, format, convert, site; also completion."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from argcomplete.shell_integration import shellcode

from oddtrick.cli.common import Command, UsageError, needs_files, write_file, write_json
from oddtrick.judge import check
from oddtrick.judge.finding import finding_of
from oddtrick.law import lint as lint_laws
from oddtrick.law.book import book
from oddtrick.law.store import NO_LAWS, LawDataError, laws_folder
from oddtrick.record import NOTATIONS, WRITTEN, converted, read_document, read_paths, write_document
from oddtrick.record.deal import Deal, Declaration, Group, Result, Unreadable
from oddtrick.record.sources import read_all, records_in
from oddtrick.report.answers import as_json
from oddtrick.report.check import finding_lines
from oddtrick.report.standing import with_standing
from oddtrick.report.words import number_words
from oddtrick.terminal import Style, in_a_line, write_data


def lint(options: argparse.Namespace) -> int:
    """`oddtrick lint`."""
    if options.folder and not (Path(options.folder) / "vocabulary.yaml").is_file():
        raise UsageError(f"{in_a_line(options.folder)}: {NO_LAWS}")
    try:
        result = lint_laws(Path(options.folder) if options.folder else laws_folder())
    except LawDataError as error:
        raise UsageError(in_a_line(str(error))) from error
    counts = {
        code.id: {
            "laws": sum(law.number.isdigit() for law in code.laws),
            "provisions": len(code.provisions),
            "readings": len(code.readings),
        }
        for code in result.codes
    }
    if options.format == "json":
        write_json({"problems": result.problems, "codes": counts})
        return 1 if result.problems else 0
    lines = [str(problem) for problem in result.problems]
    nouns = {"laws": "numbered law", "provisions": "provision", "readings": "reading"}
    for code, numbers in counts.items():
        lines.append(f"{code}: {', '.join(number_words(numbers[n], nouns[n]) for n in nouns)}")
    number = len(result.problems)
    lines.append(f"{number_words(number, 'problem')}." if number else "The law data is in order.")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if number else 0


def format_(options: argparse.Namespace) -> int:
    """`oddtrick format`: rewrite in place, or standard input to standard output."""
    needs_files(options)
    files = [file for name in options.files or ["-"] for file in _hand_files(name)]
    return max(_formatted(file, options.check) for file in files)


def _hand_files(name: str) -> list[str]:
    """The `.hand` files of a folder at any depth, without hidden ones; otherwise the name given."""
    if not Path(name).is_dir():
        return [name]
    found, _ = records_in(name)
    if files := [str(path) for path in sorted(found) if path.suffix.lower() == ".hand"]:
        return files
    raise UsageError(f"{in_a_line(name)}: there is no .hand file in this folder")


def _formatted(name: str, check: bool) -> int:
    """Rewrite one file or, if `check`, report that it is not canonical; returns the exit status."""
    called = in_a_line(name)
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            data = read_all(file)
    except OSError as error:
        raise UsageError(f"{called}: {error.strerror or error}") from error
    document = read_document(data, name)
    for finding in map(finding_of, document.unreadable):
        sys.stderr.write("\n".join(finding_lines(as_json(finding), Style())) + "\n")
    if any(not u.harmless for u in document.unreadable):
        sys.stderr.write(f"oddtrick format: {called} is unchanged.\n")
        return 2
    new = write_document(document)
    if check:
        if new.encode() == data:
            return 0
        sys.stdout.write(f"{called} is not in canonical form.\n")
        return 1
    if name == "-":
        write_data(new)
    elif new.encode() != data:
        write_file(name, new)
        sys.stdout.write(f"{called} rewritten.\n")
    return 0


def convert(options: argparse.Namespace) -> int:
    """`oddtrick convert`: convert records to another notation and report what it cannot express.

    The files of a folder are written one after another.
    """
    named = Path(options.target).suffix.lstrip(".")
    to = options.to or named
    if to not in WRITTEN:
        why = f"{to} can be read but not written" if to in NOTATIONS else "no notation is named"
        raise UsageError(f"{why}; name a .hand or .pbn file, or give --to hand or --to pbn")
    if named in NOTATIONS and named != to:
        raise UsageError(f"--to {to} contradicts the name of {in_a_line(options.target)}")
    texts, failed = list[str](), False
    for source in read_paths([options.source], options.given):
        stated = to == "hand" and source.notation != "lin"
        items = source.items if stated else map(_completed, source.items)
        items = map(with_standing, items) if to == "pbn" else items
        result = converted(items, to, source.name)
        for finding in map(finding_of, result.unreadable):
            sys.stderr.write("\n".join(finding_lines(as_json(finding), Style())) + "\n")
        for line in dict.fromkeys(result.notes):
            sys.stderr.write(f"{in_a_line(line)}\n")
        texts += [result.text] if result.text is not None else []
        failed |= result.text is None or any(not u.unclear for u in result.unreadable)
    text = "\n".join(texts)
    if texts and options.target == "-":
        write_data(text)
    elif texts:
        write_file(options.target, text)
    return 2 if failed else 0


def _completed(item: Deal | Group | Unreadable) -> Deal | Group | Unreadable:
    """A deal, or the deals of a group, with the declaration and result that calls and cards lead to
    under the code of the record or, if it names none, the latest.

    Deals with findings on the declaration and deals without a final one are returned unchanged.
    """
    if isinstance(item, Group):
        deals = (done for deal in item.deals if isinstance(done := _completed(deal), Deal))
        return replace(item, deals=tuple(deals))
    if not isinstance(item, Deal) or not item.calls or (item.declaration and item.result):
        return item
    code = None if item.code else book().ids[-1]
    checked = check(item, code, only=("declaring", "play"))
    final, taken = checked.final, checked.outcome.taken
    if final is None or final.declarer is None or checked.judged.declared:
        return item
    stated = Declaration(final.odd_tricks, final.denomination, final.doubled, final.declarer)
    result = None if taken is None else Result("tricks", taken)
    return item._replace(declaration=item.declaration or stated, result=item.result or result)


def site(options: argparse.Namespace) -> int:
    """`oddtrick site build|serve|pages`."""
    # Importing MkDocs takes longer than running most commands, and it may not be installed.
    try:
        from oddtrick import site as web
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("oddtrick"):
            raise
        sys.stderr.write(
            "oddtrick site: MkDocs is not installed; run `pip install 'oddtrick[site]'`.\n"
        )
        return 2
    if options.what == "serve":
        return web.serve()
    out = Path(options.out or ("site" if options.what == "build" else "pages")).resolve()
    return web.build(out) if options.what == "build" else web.write_pages(out)


def completion(options: argparse.Namespace) -> int:
    """`oddtrick completion`: print argcomplete's completion script for the shell."""
    sys.stdout.write(shellcode(["oddtrick"], shell=options.shell))
    return 0


COMMANDS: dict[str, Command] = {
    "lint": lint,
    "format": format_,
    "convert": convert,
    "site": site,
    "completion": completion,
}
