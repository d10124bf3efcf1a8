"""The command line: every command with its help, an example, and `--format` where it reports.

Exit status: 0 nothing irregular, 1 something irregular or disputed, 2 something unreadable or a wrong call.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from oddtrick import __version__
from oddtrick.cli import book as cli_book
from oddtrick.cli import ruling as cli_ruling
from oddtrick.cli.terminal import Parser, Wrong, adder, told
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.finding import Finding, Severity, finding_of
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.judge.words import number_words
from oddtrick.law import fix as fix_laws
from oddtrick.law import lint as lint_laws
from oddtrick.law.in_force import UnknownCode, codes, in_force
from oddtrick.law.store import LawDataError
from oddtrick.record.sources import read_paths
from oddtrick.report.check import Style, finding_lines, title_line
from oddtrick.report.tally import Result, Tally, as_json_stream, as_text_stream, summary_text


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="oddtrick",
        description="The laws of bridge, 1900 to 1927: read them, cite them, and check a deal against them.",
        epilog="example: oddtrick check laws/records",
    )
    top.add_argument("--version", action="version", version=f"oddtrick {__version__}")
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=Parser, required=True
    )

    add = adder(commands)
    for name, help_, example in (
        (
            "check",
            "Check records against a code: declaration, play, score.",
            "oddtrick check laws/records/lenz-p042-jettisoned-king.hand",
        ),
        (
            "score",
            "Show the score of records, line by line with its laws.",
            "oddtrick score --code auction-1912 my.hand",
        ),
    ):
        sub = add(name, help_, example)
        _input(sub)
        sub.add_argument(
            "--code",
            metavar="ID",
            help="judge under this code, whatever the record says: " + _code_names(),
        )
        sub.add_argument(
            "--option",
            metavar="NAME",
            action="append",
            default=[],
            help="with this option of the code; may be repeated",
        )
        sub.add_argument(
            "--format",
            choices=("text", "json"),
            default="text",
            help="how to answer (default: text)",
        )
        if name == "check":
            sub.add_argument(
                "--only",
                metavar="PHASES",
                default=",".join(PHASES),
                help="judge only these, with commas between: declaring, play, score",
            )
            extent = sub.add_mutually_exclusive_group()
            extent.add_argument(
                "--full", action="store_true", help="report every record in full, as one alone is"
            )
            extent.add_argument(
                "--statistics",
                action="store_true",
                help="report only the counts: files, records, verdicts, findings",
            )
        if name == "score":
            sub.add_argument(
                "--under",
                metavar="CODES",
                help="score each deal under these codes (with commas between), or `all`, and compare",
            )
    deal = add(
        "deal",
        "Make random records of legal deals, or with one fault.",
        "oddtrick deal --code royalton-1915 --seed 7",
    )
    deal.add_argument("--code", metavar="ID", required=True, help="the code to play under")
    deal.add_argument(
        "--option",
        metavar="NAME",
        action="append",
        default=[],
        help="with this option; may be repeated",
    )
    deal.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="the same seed makes the same deals (default: by chance)",
    )
    deal.add_argument(
        "--count", type=int, default=1, metavar="N", help="how many deals (default: 1)"
    )
    deal.add_argument(
        "--fault",
        metavar="NAME",
        help="put one fault in each: a finding's id, or the name of a fault",
    )
    paper = add(
        "sheet",
        "Draw the score sheet of a rubber or the card of a match.",
        "oddtrick sheet laws/records/made-up-rubber-1927.hand --svg rubber.svg",
    )
    _input(paper)
    paper.add_argument(
        "--code", metavar="ID", help="score under this code, whatever the record says"
    )
    paper.add_argument(
        "--svg", metavar="FILE", help="write an SVG drawing to this file instead of text"
    )
    add("law", "Show a law, a provision, or a reading.", "oddtrick law contract-1927:10")
    lint = add(
        "lint", "Check the law data: schema, addresses, references, figures.", "oddtrick lint"
    )
    lint.add_argument("folder", nargs="?", help="a folder of law data (default: the shipped one)")
    lint.add_argument("--format", choices=("text", "json"), default="text")
    lint.add_argument(
        "--fix", action="store_true", help="write the files in the one spelling of law files first"
    )
    shape = add(
        "format",
        "Rewrite .hand files canonically; nothing is lost, comments included.",
        "oddtrick format --check my.hand",
    )
    shape.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="files to rewrite; `-` or none: standard input to standard output",
    )
    shape.add_argument(
        "--check",
        action="store_true",
        help="change nothing; exit status 1 if a file is not canonical",
    )
    turn = add(
        "convert", "Convert records between .hand and PBN.", "oddtrick convert game.pbn game.hand"
    )
    turn.add_argument("source", metavar="FROM", help="a .hand or .pbn file, or `-`")
    turn.add_argument(
        "target",
        metavar="TO",
        nargs="?",
        default="-",
        help="a .hand or .pbn file, or `-` (default: standard output)",
    )
    turn.add_argument(
        "--to", choices=("hand", "pbn"), help="the notation to write (default: by the name of TO)"
    )
    turn.add_argument(
        "--from",
        dest="given",
        choices=("hand", "pbn"),
        help="the notation of FROM (default: by its name)",
    )
    cli_book.register(add)
    cli_ruling.register(add)
    web = add("site", "Build or serve the comparative site.", "oddtrick site build")
    web.add_argument("what", choices=("build", "serve"))
    web.add_argument("--out", default="site", help="where to write the site (default: ./site)")
    return top


def _code_names() -> str:
    """The ids of the codes for the help; `lint` must run where the law data cannot be used."""
    try:
        return ", ".join(codes())
    except LawDataError:
        return "see `oddtrick lint`"


def _input(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help=".hand or .pbn files, folders of them, or `-`; none: standard input",
    )
    sub.add_argument(
        "--from",
        dest="given",
        choices=("hand", "pbn"),
        help="the notation, where the name does not tell",
    )


def run(arguments: Sequence[str]) -> int:
    """Run one command; the result is the exit status."""
    options = parser().parse_args(arguments)
    try:
        return COMMANDS[options.command](options)
    except (Wrong, UnknownCode) as error:
        sys.stderr.write(told(options.command, error))
        return 2


def style() -> Style:
    """Width and colour for standard output: colour only on a terminal, and not with NO_COLOR."""
    terminal = sys.stdout.isatty()
    width = max(60, min(120, shutil.get_terminal_size((100, 24)).columns)) if terminal else 100
    return Style(width, terminal and not os.environ.get("NO_COLOR"))


# --- check and score ------------------------------------------------------------------------------


def check(options: argparse.Namespace) -> int:
    """`oddtrick check`."""
    only = [p.strip() for p in options.only.split(",") if p.strip()]
    unknown = [p for p in only if p not in PHASES]
    if unknown or not only:
        raise Wrong(
            f"--only takes {', '.join(PHASES)}, with commas between"
            + (f"; `{unknown[0]}` is none of them" if unknown else "")
        )
    return _judge(options, only)


def score(options: argparse.Namespace) -> int:
    """`oddtrick score`: the same judgement, of which the account is shown, or the accounts under several codes."""
    if options.under:
        return _under(options)
    return _judge(options, ["score"])


def _under(options: argparse.Namespace) -> int:
    """`oddtrick score --under`: one deal under several codes."""
    from oddtrick.judge import under_codes as under

    _needs_files(options.files)
    chosen = None if options.under == "all" else [c.strip() for c in options.under.split(",")]
    for code in chosen or ():
        in_force(code)
    told, status = [], 0
    for source in read_paths(options.files, options.given):
        for result in check_document(
            source.items, options.code, options.option or None, ["declaring", "play"]
        ):
            unread = [f for f in _findings(result) if f.severity is Severity.UNREADABLE]
            for finding in unread:
                sys.stderr.write("\n".join(finding_lines(finding, style(), source.lines)) + "\n")
                status = 2
            if not isinstance(result, Check) or (unread and result.rules is None):
                continue
            rows = under.under_codes(result, chosen)
            if options.format == "json":
                told.append(under.as_json(result, rows))
            else:
                sys.stdout.write(under.as_text(rows, title_line(result)) + "\n")
    if options.format == "json":
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    return status


def _findings(result: Result) -> Sequence[Finding]:
    return [result] if isinstance(result, Finding) else result.findings


def deal(options: argparse.Namespace) -> int:
    """`oddtrick deal`: random records on standard output."""
    from random import Random

    from oddtrick.judge.random_deals import FAULTS, faulty_game, legal_game
    from oddtrick.record import write

    rules = in_force(options.code, options.option)
    if options.count < 1:
        raise Wrong("--count takes a number from 1")
    random = Random(options.seed)
    made = []
    for number in range(1, options.count + 1):
        if options.fault:
            record = faulty_game(options.fault, random, rules, number)
            if record is None:
                raise Wrong(
                    f"no deal of {rules.short} has the fault `{options.fault}`; the faults are {', '.join(FAULTS)}"
                )
        else:
            record = legal_game(random, rules, number)
        made.append(record)
    sys.stdout.write(write(made, "hand"))
    return 0


def sheet(options: argparse.Namespace) -> int:
    """`oddtrick sheet`: the sheet of each rubber and the card of each match of the files."""
    from oddtrick.law.files import write_atomic
    from oddtrick.report import sheet as paper

    _needs_files(options.files)
    drawn: list[str] = []
    for source in read_paths(options.files, options.given):
        for result in check_document(source.items, options.code, None, ["score"]):
            if not isinstance(result, GroupCheck):
                continue
            try:
                if result.group.kind == "match":
                    card = paper.match_card(result)
                    drawn.append(paper.match_svg(card) if options.svg else paper.match_text(card))
                else:
                    page = paper.rubber_sheet(result)
                    drawn.append(paper.rubber_svg(page) if options.svg else paper.rubber_text(page))
            except paper.Undrawable as error:
                raise Wrong(str(error)) from error
    if not drawn:
        raise Wrong("there is no rubber and no match in the files; single deals have no sheet")
    if options.svg:
        if len(drawn) > 1:
            raise Wrong(f"--svg draws one sheet, and the files have {len(drawn)}")
        try:
            write_atomic(options.svg, drawn[0])
        except OSError as error:
            raise Wrong(f"{options.svg}: {error.strerror or error}") from error
        sys.stdout.write(f"{options.svg} drawn.\n")
    else:
        sys.stdout.write("\n".join(drawn))
    return 0


def _judge(options: argparse.Namespace, only: Sequence[str]) -> int:
    _needs_files(options.files)
    if options.option and not options.code:
        raise Wrong("--option goes with --code: an option belongs to a code")
    if options.code:
        in_force(options.code, options.option)
    scored, as_json = options.command == "score", options.format == "json"
    counted_only = not scored and options.statistics
    tally = Tally()
    # The pieces of JSON do not end with their lines, so that nothing can stand between them on a terminal.
    progress = Progress(
        sys.stderr.isatty() and (counted_only or not (as_json and sys.stdout.isatty()))
    )
    results = _results(options, only, tally, progress)
    if counted_only:
        for _ in results:
            pass
        told = (
            json.dumps(tally.as_json(), ensure_ascii=False, indent=2) + "\n"
            if as_json
            else summary_text(tally, style())
        )
        if tally.found and not as_json:
            told += "\nWithout --statistics the records at fault are shown, with --full every record in full.\n"
        pieces = iter([told])
    elif as_json:
        pieces = as_json_stream((r for _, r in results), tally)
    else:
        pieces = as_text_stream(
            results, tally, style(), scored or options.full, account_only=scored
        )
    for piece in pieces:
        progress.clear()
        sys.stdout.write(piece)
    return tally.status


def _needs_files(files: Sequence[str]) -> None:
    """Refuse to wait in silence for a record typed at the keyboard."""
    if not files and sys.stdin.isatty():
        raise Wrong(
            "which file? Name a .hand or .pbn file or a folder, or `-` to type a record and end it with Ctrl-D"
        )


def _results(
    options: argparse.Namespace, only: Sequence[str], tally: Tally, progress: Progress
) -> Iterator[tuple[Sequence[str], Result]]:
    """Every result with the lines of its file, counted."""
    for source in read_paths(options.files, options.given):
        progress.step(tally.records, source.name, now=len(source.lines) > LONG)
        for result in tally.of_file(
            check_document(source.items, options.code, options.option or None, only)
        ):
            progress.step(tally.records, source.name)
            yield source.lines, result
    progress.clear()


LONG = 1000
"""A file of so many lines takes so long to read that its name is told at once."""


class Progress:
    """A line on the terminal while long work runs: how many records are done, in which file. Not in a pipe."""

    def __init__(self, on: bool) -> None:
        """`on` where there is a terminal for it."""
        self.on, self.shown = on, False
        self.last = time.monotonic()

    def step(self, count: int, name: str, now: bool = False) -> None:
        """Say how far it is, a few times a second, or `now`."""
        if self.on and (now or time.monotonic() - self.last > 0.2):
            words = f"{number_words(count, 'record')}, reading {name}"
            sys.stderr.write(f"\r\033[K{words[: shutil.get_terminal_size().columns - 1]}")
            sys.stderr.flush()
            self.last, self.shown = time.monotonic(), True

    def clear(self) -> None:
        """Leave the line empty for what is written next."""
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.shown = False


# --- law data, notation, site ---------------------------------------------------------------------


def law(_: argparse.Namespace) -> int:
    """`oddtrick law`, when it was not called the short way."""
    from oddtrick.cli.law import main as law_main

    return law_main([])


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
        body = {
            "problems": [p._asdict() for p in result.problems],
            "codes": {
                c: {"laws": a, "provisions": b, "readings": r} for c, (a, b, r) in counts.items()
            },
            "unformatted": result.unformatted,
        }
        body |= {"fixed": fixed._asdict()} if fixed else {}
        sys.stdout.write(json.dumps(body, ensure_ascii=False, indent=2) + "\n")
    else:
        for file in fixed.written if fixed else ():
            sys.stdout.write(f"{file}: written in the one spelling of law files.\n")
        for file in fixed.left if fixed else ():
            sys.stdout.write(f"{file}: left alone; it has problems.\n")
        for problem in result.problems:
            sys.stdout.write(f"{problem}\n")
        for file in result.unformatted:
            sys.stdout.write(f"{file}: not in the one spelling of law files (`lint --fix`).\n")
        for code, (laws, provisions, readings) in counts.items():
            sys.stdout.write(
                f"{code}: {laws} numbered laws, {provisions} provisions, {readings} readings\n"
            )
        sys.stdout.write(
            "The law data is in order.\n"
            if not result.problems
            else f"{len(result.problems)} problems.\n"
        )
    return 1 if result.problems else 0


def format_(options: argparse.Namespace) -> int:
    """`oddtrick format`: rewrite in place, or standard input to standard output."""
    from oddtrick.law.files import write_atomic
    from oddtrick.record.hand.read import lines_of, read_bytes
    from oddtrick.record.hand.write import write_document

    _needs_files(options.files)
    status = 0
    for name in options.files or ["-"]:
        data = _bytes(name)
        document = read_bytes(data, name)
        if document.unreadable:
            lines = lines_of(data.decode("utf-8-sig", "replace"))
            for finding in map(finding_of, document.unreadable):
                sys.stderr.write("\n".join(finding_lines(finding, Style(), lines)) + "\n")
            sys.stderr.write(f"oddtrick format: {name} is left as it is.\n")
            status = 2
            continue
        new = write_document(document)
        if options.check:
            if new.encode() != data:
                sys.stdout.write(f"{name} is not in canonical form.\n")
                status = max(status, 1)
        elif name == "-":
            sys.stdout.write(new)
        elif new.encode() != data:
            write_atomic(name, new)
            sys.stdout.write(f"{name} rewritten.\n")
    return status


def _bytes(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Wrong(f"{name}: {error.strerror or error}") from error


def convert(options: argparse.Namespace) -> int:
    """`oddtrick convert`: from one notation to the other; what the other cannot say is named."""
    from oddtrick.record import NOTATIONS, converted

    to = options.to or Path(options.target).suffix.lstrip(".")
    if to not in NOTATIONS:
        raise Wrong("to which notation? Name a .hand or .pbn file, or give --to")
    source = next(iter(read_paths([options.source], options.given)))
    result = converted(source.items, to, source.name)
    for finding in map(finding_of, result.unreadable):
        sys.stderr.write("\n".join(finding_lines(finding, Style(), source.lines)) + "\n")
    for line in result.said:
        sys.stderr.write(f"{line}\n")
    if result.text is None:
        return 2
    if options.target == "-":
        sys.stdout.write(result.text)
    else:
        from oddtrick.law.files import write_atomic

        try:
            write_atomic(options.target, result.text)
        except OSError as error:
            raise Wrong(f"{options.target}: {error.strerror or error}") from error
    return 2 if any(not u.unclear for u in result.unreadable) else 0


def site(options: argparse.Namespace) -> int:
    """`oddtrick site build|serve`."""
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
        return web.serve()
    return web.build(Path(options.out).resolve())


COMMANDS = {
    "check": check,
    "score": score,
    "deal": deal,
    "sheet": sheet,
    "law": law,
    "lint": lint,
    "format": format_,
    "convert": convert,
    "site": site,
    **cli_book.COMMANDS,
    "ruling": cli_ruling.ruling,
}
