"""The commands on files and data: lint, format, convert, site."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

from oddtrick.cli.parser import Add, Command, Wrong, needs_files, write_json
from oddtrick.judge.finding import finding_of
from oddtrick.judge.words import number_words
from oddtrick.law import fix as fix_laws
from oddtrick.law import lint as lint_laws
from oddtrick.law.files import write_atomic
from oddtrick.record import NOTATIONS, converted, read_document, read_paths, write_document
from oddtrick.record.sources import whole
from oddtrick.report.check import finding_lines
from oddtrick.terminal import Style, give, in_a_line


def register_lint(add: Add) -> None:
    """Add the parser of `lint`."""
    sub = add(
        "lint", "Check the law data: schema, addresses, references, figures.", "oddtrick lint"
    )
    sub.add_argument("folder", nargs="?", help="a folder of law data (default: the shipped one)")
    sub.add_argument("--format", choices=("text", "json"), default="text")
    sub.add_argument(
        "--fix", action="store_true", help="write the files in the one spelling of law files first"
    )


def register_notation(add: Add) -> None:
    """Add the parsers of `format` and `convert`."""
    sub = add(
        "format",
        "Rewrite .hand files canonically; nothing is lost, comments included.",
        "oddtrick format --check my.hand",
    )
    sub.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="files to rewrite; `-` or none: standard input to standard output",
    )
    sub.add_argument(
        "--check",
        action="store_true",
        help="change nothing; exit status 1 if a file is not canonical",
    )
    sub = add(
        "convert",
        "Convert records between .hand, PBN and LIN.",
        "oddtrick convert game.pbn game.hand",
    )
    sub.add_argument("source", metavar="FROM", help="a .hand, .pbn or .lin file, or `-`")
    sub.add_argument(
        "target",
        metavar="TO",
        nargs="?",
        default="-",
        help="a .hand, .pbn or .lin file, or `-` (default: standard output)",
    )
    sub.add_argument(
        "--to", choices=tuple(NOTATIONS), help="the notation to write (default: by the name of TO)"
    )
    sub.add_argument(
        "--from",
        dest="given",
        choices=tuple(NOTATIONS),
        help="the notation of FROM (default: by its name)",
    )


def register_site(add: Add) -> None:
    """Add the parser of `site`."""
    sub = add("site", "Build or serve the comparative site.", "oddtrick site build")
    sub.add_argument(
        "what",
        choices=("build", "serve"),
        help="build: write the site; serve: make it anew and show it on this machine, at an "
        "address that is told when it is ready",
    )
    sub.add_argument(
        "--out", default="site", help="with build: where to write the site (default: ./site)"
    )


def lint(options: argparse.Namespace) -> int:
    """`oddtrick lint`."""
    if options.folder and not (Path(options.folder) / "vocabulary.yaml").is_file():
        raise Wrong(f"`{options.folder}` is no folder of law data: it has no vocabulary.yaml")
    home = Path(options.folder).resolve() if options.folder else None
    fixed = fix_laws(home) if options.fix else None
    result = lint_laws(home)
    counts = {
        code.id: (
            sum(1 for law in code.laws if law.number.isdigit()),
            len(code.provisions),
            len(code.readings),
        )
        for code in result.codes
    }
    if options.format == "json":
        problems = [p._asdict() for p in result.problems]
        of_codes = {
            c: {"laws": a, "provisions": b, "readings": r} for c, (a, b, r) in counts.items()
        }
        body = {"problems": problems, "codes": of_codes, "unformatted": result.unformatted}
        write_json(body | ({"fixed": fixed._asdict()} if fixed else {}))
        return 1 if problems else 0
    written, left = fixed or ((), ())
    lines = [f"{file}: written in the one spelling of law files." for file in written]
    lines += [f"{file}: left alone; it has problems." for file in left]
    lines += [str(problem) for problem in result.problems]
    lines += [
        f"{file}: not in the one spelling of law files (`lint --fix`)."
        for file in result.unformatted
    ]
    lines += [
        f"{code}: {laws} numbered laws, {provisions} provisions, {readings} readings"
        for code, (laws, provisions, readings) in counts.items()
    ]
    number = len(result.problems)
    lines.append(f"{number_words(number, 'problem')}." if number else "The law data is in order.")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if number else 0


def format_(options: argparse.Namespace) -> int:
    """`oddtrick format`: rewrite in place, or standard input to standard output."""
    needs_files(options)
    return max(_formatted(name, options.check) for name in options.files or ["-"])


def _formatted(name: str, check: bool) -> int:
    """Rewrite one file, or say that it is not canonical; the exit status."""
    called = in_a_line(name)
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            data = whole(file)
    except OSError as error:
        raise Wrong(f"{called}: {error.strerror or error}") from error
    document = read_document(data, name)
    lines = NOTATIONS["hand"].lines(data)
    for finding in map(finding_of, document.unreadable):
        sys.stderr.write("\n".join(finding_lines(finding.as_json(), Style(), lines)) + "\n")
    if any(not u.harmless for u in document.unreadable):
        sys.stderr.write(f"oddtrick format: {called} is left as it is.\n")
        return 2
    new = write_document(document)
    if check:
        if new.encode() == data:
            return 0
        sys.stdout.write(f"{called} is not in canonical form.\n")
        return 1
    if name == "-":
        give(new)
    elif new.encode() != data:
        write_atomic(name, new)
        sys.stdout.write(f"{called} rewritten.\n")
    return 0


def convert(options: argparse.Namespace) -> int:
    """`oddtrick convert`: from one notation to the other; what the other cannot say is named."""
    to = options.to or Path(options.target).suffix.lstrip(".")
    if to not in NOTATIONS:
        raise Wrong("to which notation? Name a .hand, .pbn or .lin file, or give --to")
    source = next(iter(read_paths([options.source], options.given)))
    result = converted(source.items, to, source.name)
    for finding in map(finding_of, result.unreadable):
        sys.stderr.write("\n".join(finding_lines(finding.as_json(), Style(), source.lines)) + "\n")
    for line in result.said:
        sys.stderr.write(f"{in_a_line(line)}\n")
    if result.text is None:
        return 2
    if options.target == "-":
        give(result.text)
    else:
        try:
            write_atomic(options.target, result.text)
        except OSError as error:
            raise Wrong(f"{in_a_line(options.target)}: {error.strerror or error}") from error
    return 2 if any(not u.unclear for u in result.unreadable) else 0


def site(options: argparse.Namespace) -> int:
    """`oddtrick site build|serve`."""
    # MkDocs takes longer to import than most commands take to answer, and need not be installed.
    try:
        from oddtrick import site as web
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("oddtrick"):
            raise
        sys.stderr.write(
            "oddtrick site: MkDocs is not installed; `pip install 'oddtrick[site]'` brings it.\n"
        )
        return 2
    if options.what == "serve":
        sys.stderr.write("The site is made anew, which takes a while; its address follows.\n")
        return web.serve()
    return web.build(Path(options.out).resolve())


COMMANDS: dict[str, Command] = {"lint": lint, "format": format_, "convert": convert, "site": site}
