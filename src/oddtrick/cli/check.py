"""The commands that judge records: check, score, sheet; and deal, which makes some."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from random import Random

from oddtrick.cli.parser import (
    Add,
    Command,
    Wrong,
    add_format,
    add_input,
    add_option,
    add_reading,
    agreed,
    needs_files,
    write_json,
)
from oddtrick.judge import under_codes as under
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.finding import Finding, Severity
from oddtrick.judge.random_deals import FAULTS, faulty_game, legal_game
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.judge.words import number_words
from oddtrick.law.files import write_atomic
from oddtrick.law.in_force import codes, in_force, judged_codes
from oddtrick.law.store import LawDataError
from oddtrick.record import read_paths, strictly, write
from oddtrick.report.check import finding_lines, title_line
from oddtrick.report.sheet import Undrawable
from oddtrick.report.sheet import sheet as drawing
from oddtrick.report.tally import Result, Tally, as_json_stream, as_text_stream, summary_text
from oddtrick.terminal import Progress, style

LONG = 1000
"""A file of so many lines takes so long to read that its name is told at once."""


def register(add: Add) -> None:
    """Add the parsers of these commands."""
    _register_check(
        add(
            "check",
            "Check records against a code: declaration, play, score.",
            "oddtrick check laws/records/lenz-p042-jettisoned-king.hand",
        )
    )
    sub = add(
        "score",
        "Show the score of records, line by line with its laws.",
        "oddtrick score --code auction-1912 my.hand",
    )
    _judged(sub)
    sub.add_argument(
        "--under",
        metavar="CODES",
        help="score each deal under these codes (with commas between), or `all`, and compare",
    )
    _register_deal(add)
    sub = add(
        "sheet",
        "Draw the score sheet of a rubber or the card of a match.",
        "oddtrick sheet laws/records/made-up-rubber-1927.hand --svg rubber.svg",
    )
    add_input(sub)
    sub.add_argument("--code", metavar="ID", help="score under this code, whatever the record says")
    add_option(sub, "with this option of the code; may be repeated")
    add_reading(sub)
    sub.add_argument(
        "--svg", metavar="FILE", help="write an SVG drawing to this file instead of text"
    )


def _judged(sub: argparse.ArgumentParser) -> None:
    """What is judged, under which law, and how it is answered."""
    add_input(sub)
    sub.add_argument(
        "--code",
        metavar="ID",
        help="judge under this code, whatever the record says: " + _code_names(),
    )
    add_option(sub, "with this option of the code; may be repeated")
    add_reading(sub)
    add_format(sub)


def _register_check(sub: argparse.ArgumentParser) -> None:
    _judged(sub)
    sub.add_argument(
        "--only",
        metavar="PHASES",
        default=",".join(PHASES),
        help="judge only these, with commas between: declaring, play, score",
    )
    sub.add_argument(
        "--strict",
        action="store_true",
        help="an error of all in a PBN file that breaks the standard, also where it can be read",
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


def _register_deal(add: Add) -> None:
    sub = add(
        "deal",
        "Make random records of legal deals, or with one fault.",
        "oddtrick deal --code royalton-1915 --seed 7",
    )
    sub.add_argument("--code", metavar="ID", required=True, help="the code to play under")
    add_option(sub, "with this option; may be repeated")
    add_reading(sub)
    sub.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="the same seed makes the same deals (default: by chance)",
    )
    sub.add_argument(
        "--count", type=int, default=1, metavar="N", help="how many deals (default: 1)"
    )
    sub.add_argument(
        "--fault",
        metavar="NAME",
        help="put one fault in each: a finding's id, or the name of a fault",
    )


def _code_names() -> str:
    """The ids of the codes for the help; `lint` must run where the law data cannot be used."""
    try:
        return ", ".join(codes())
    except LawDataError:
        return "see `oddtrick lint`"


# --- check and score ------------------------------------------------------------------------------


def check(options: argparse.Namespace) -> int:
    """`oddtrick check`."""
    only = [p.strip() for p in options.only.split(",") if p.strip()]
    unknown = [p for p in only if p not in PHASES]
    if unknown or not only:
        which = f"; `{unknown[0]}` is none of them" if unknown else ""
        raise Wrong(f"--only takes {', '.join(PHASES)}, with commas between{which}")
    return _judge(options, only)


def score(options: argparse.Namespace) -> int:
    """`oddtrick score`: the same judgement, told by its account, or the accounts under several
    codes.
    """
    if options.under:
        return _under(options)
    return _judge(options, ["score"])


def _judge(options: argparse.Namespace, only: Sequence[str]) -> int:
    needs_files(options)
    chosen = _chosen(options)
    scored, as_json = options.command == "score", options.format == "json"
    counted_only = not scored and options.statistics
    tally = Tally()
    # The pieces of JSON do not end with their lines: nothing can stand between them on a terminal.
    between = counted_only or not (as_json and sys.stdout.isatty())
    progress = Progress(sys.stderr.isatty() and between)
    results = _results(options, chosen, only, tally, progress)
    if counted_only:
        pieces = _counted(results, tally, as_json)
    elif as_json:
        pieces = as_json_stream((r for _, r in results), tally)
    else:
        full = scored or options.full
        pieces = as_text_stream(results, tally, style(), full, account_only=scored)
    for piece in pieces:
        progress.clear()
        sys.stdout.write(piece)
    return tally.status


def _chosen(options: argparse.Namespace) -> tuple[str, ...]:
    """The options and readings of a command, which are there. Raises `Wrong`, `UnknownCode`."""
    if options.option and not options.code:
        raise Wrong("--option goes with --code: an option belongs to a code")
    chosen = agreed(options, options.code)
    if options.code:
        in_force(options.code, chosen)
    return chosen


def _counted(
    results: Iterator[tuple[Sequence[str], Result]], tally: Tally, as_json: bool
) -> Iterator[str]:
    """The counts alone, when all is counted."""
    for _ in results:
        pass
    if as_json:
        yield json.dumps(tally.as_json(), ensure_ascii=False, indent=2) + "\n"
        return
    yield summary_text(tally, style())
    if tally.found:
        yield (
            "\nWithout --statistics the records at fault are shown, with --full every record in "
            "full.\n"
        )


def _results(
    options: argparse.Namespace,
    chosen: Sequence[str],
    only: Sequence[str],
    tally: Tally,
    progress: Progress,
) -> Iterator[tuple[Sequence[str], Result]]:
    """Every result with the lines of its file, counted."""
    for source in read_paths(options.files, options.given):
        words = f"{{}}, reading {source.name}"
        progress.step(words.format(number_words(tally.records, "record")), len(source.lines) > LONG)
        strict = options.command == "check" and options.strict
        items = strictly(source.items) if strict else source.items
        for result in tally.of_file(check_document(items, options.code, chosen or None, only)):
            progress.step(words.format(number_words(tally.records, "record")))
            yield source.lines, result
    progress.clear()


def _under(options: argparse.Namespace) -> int:
    """`oddtrick score --under`: one deal under several codes."""
    needs_files(options)
    chosen = _chosen(options)
    every = options.under == "all"
    codes = judged_codes() if every else [c.strip() for c in options.under.split(",")]
    for code in () if every else codes:
        in_force(code)
    told, status = [], 0
    for source in read_paths(options.files, options.given):
        for result in check_document(
            source.items, options.code, chosen or None, ["declaring", "play"]
        ):
            found = [result] if isinstance(result, Finding) else result.findings
            unread = [f for f in found if f.severity is Severity.UNREADABLE]
            for finding in unread:
                sys.stderr.write("\n".join(finding_lines(finding, style(), source.lines)) + "\n")
                status = 2
            if not isinstance(result, Check) or (unread and result.law is None):
                continue
            rows = under.under_codes(result, codes, chosen)
            if options.format == "json":
                told.append(under.as_json(result, rows))
            else:
                sys.stdout.write(under.as_text(rows, title_line(result)) + "\n")
    if options.format == "json":
        write_json(told)
    return status


# --- deal and sheet -------------------------------------------------------------------------------


def deal(options: argparse.Namespace) -> int:
    """`oddtrick deal`: random records on standard output."""
    law = in_force(options.code, agreed(options, options.code))
    if options.count < 1:
        raise Wrong("--count takes a number from 1")
    random = Random(options.seed)
    made = []
    for number in range(1, options.count + 1):
        if options.fault:
            record = faulty_game(options.fault, random, law, number)
        else:
            record = legal_game(random, law, number)
        if record is None:
            raise Wrong(
                f"no deal of {law.short} has the fault `{options.fault}`; the faults are "
                f"{', '.join(FAULTS)}"
            )
        made.append(record)
    sys.stdout.write(write(made, "hand"))
    return 0


def sheet(options: argparse.Namespace) -> int:
    """`oddtrick sheet`: the sheet of each rubber and the card of each match of the files."""
    needs_files(options)
    chosen = _chosen(options)
    drawn: list[str] = []
    for source in read_paths(options.files, options.given):
        for result in check_document(source.items, options.code, chosen or None, ["score"]):
            if isinstance(result, GroupCheck):
                try:
                    drawn.append(drawing(result, "svg" if options.svg else "text"))
                except Undrawable as error:
                    raise Wrong(str(error)) from error
    if not drawn:
        raise Wrong("there is no rubber and no match in the files; single deals have no sheet")
    if not options.svg:
        sys.stdout.write("\n".join(drawn))
        return 0
    if len(drawn) > 1:
        raise Wrong(f"--svg draws one sheet, and the files have {len(drawn)}")
    try:
        write_atomic(options.svg, drawn[0])
    except OSError as error:
        raise Wrong(f"{options.svg}: {error.strerror or error}") from error
    sys.stdout.write(f"{options.svg} drawn.\n")
    return 0


COMMANDS: dict[str, Command] = {"check": check, "score": score, "deal": deal, "sheet": sheet}
