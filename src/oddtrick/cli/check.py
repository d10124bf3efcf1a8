"""The commands that judge records (check, score, sheet), and deal, which generates records."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random

from oddtrick.book.read_citation import code_in
from oddtrick.cli.common import (
    Command,
    UsageError,
    code_named,
    law_options,
    needs_files,
    write_file,
    write_json,
)
from oddtrick.judge import PHASES, Check, Finding, GroupCheck, Json, check_document, phases_asked
from oddtrick.judge.random_deals import legal_game
from oddtrick.law.book import book, judged_codes
from oddtrick.paths import path_exists, site_url
from oddtrick.record import RecordFile, read_paths, write
from oddtrick.record.deal import Figures
from oddtrick.report import under_codes as under
from oddtrick.report.answers import as_json
from oddtrick.report.archive import Asked, WorkersKilled, archive
from oddtrick.report.check import contract_text, finding_lines, title_line, under_text
from oddtrick.report.contract_words import Unclear
from oddtrick.report.forms import under_csv
from oddtrick.report.messages import Wording
from oddtrick.report.sheet import Undrawable, groups
from oddtrick.report.sheet import sheet as drawing
from oddtrick.report.tally import Tally, statistics_text
from oddtrick.report.words import number_words
from oddtrick.report.workers import Workers, cores
from oddtrick.terminal import Progress, Style, in_a_line, style, visible_json, write_data

FEW = 500  # records judged before worker processes are started

MORE = "\nWithout --statistics, faulty records are shown; with --full, every record in full.\n"


def check(options: argparse.Namespace) -> int:
    """`oddtrick check`."""
    try:
        only = phases_asked(PHASES if options.only is None else options.only)
    except ValueError as error:
        raise UsageError(f"--{error}") from error
    if options.statistics and options.format not in ("text", "json"):
        raise UsageError("--statistics can be shown only as text or json")
    tally = (_html if options.format == "html" else _judge)(options, only)
    return max(tally.status, int(options.strict and tally.verdicts["incomplete"] > 0))


def _html(options: argparse.Namespace, only: Sequence[str]) -> Tally:
    """Print the checks as HTML, from the site's template, with links to `ODDTRICK_SITE_URL`."""
    try:
        from oddtrick.site.template import answers_html
    except ModuleNotFoundError as error:
        raise UsageError("--format html needs `pip install 'oddtrick[site]'`") from error
    tally, answers = Tally(), list[Json]()
    for results in _checked(options, only):
        answers += tally.of_file(map(as_json, results))
    sys.stdout.write(answers_html(answers, site_url()))
    return tally


def _checked(
    options: argparse.Namespace, only: Iterable[str]
) -> Iterator[Iterator[Check | GroupCheck | Finding]]:
    """The results of each file, one after another."""
    needs_files(options)
    chosen = law_options(options, options.code) or None
    for source in read_paths(options.files, options.given):
        yield check_document(source.items, options.code, chosen, only)


def score(options: argparse.Namespace) -> int:
    """`oddtrick score`: score records, or a contract in words."""
    words = in_words(options.files)
    if not words and not options.under:
        return _judge(options, ["score"]).status
    if options.format not in ("text", "json", "csv"):
        what = "a contract in words" if words else "--under"
        raise UsageError(f"{what} can be shown only as text, json or csv")
    return _score_words(options) if words else _under(options)


def _codes(named: str) -> Sequence[str]:
    """The codes in a list separated by commas; `all` means those that the checker judges."""
    if named == "all":
        return judged_codes()
    return [str(code_named(c.strip())) for c in named.split(",")]


_PATH = re.compile(r"(?<!\b[ne])(?<!north)(?<!east)[/\\]|\.[a-z]\w+$|^-$", re.IGNORECASE)


def in_words(given: Sequence[str]) -> bool:
    """Whether the arguments are a contract in words: none of them exists or looks like a file."""
    return bool(given) and not any(_PATH.search(g) or path_exists(g) for g in given)


def _score_words(options: argparse.Namespace) -> int:
    words, named = " ".join(options.files), options.under or options.code
    if named is None:
        named, words = code_in(words)
    if named in (None, "all") and options.option:
        raise UsageError("--option needs --code, which names the code that has the option")
    codes = _codes(named or "all")
    try:
        laws = [book().rules(code, law_options(options, code)) for code in codes]
        scored = under.contract_json(words, laws)
    except Unclear as error:
        before, about = in_a_line(words[: error.start]), in_a_line(words[error.start : error.end])
        mark = " " * len(before) + "^" * len(about)
        shown = f"\n  {in_a_line(words)}\n  {mark}" if error.end else ""
        raise UsageError(f"{Wording(None).say(error.message)}{shown}") from error
    if options.format == "json":
        write_json(scored)
    elif options.format == "csv":
        _write_csv([{"file": "", "line": "", "id": words, **scored}])
    else:
        sys.stdout.write(contract_text(scored, style()))
    return 0


def _judge(options: argparse.Namespace, only: Sequence[str]) -> Tally:
    needs_files(options)
    chosen = law_options(options, options.code)
    scored = options.command == "score"
    counted = not scored and options.statistics
    asked = Asked(
        options.code,
        chosen or None,
        tuple(only),
        options.format,
        scored or options.full,
        scored,
        counted,
        style(),
    )
    tally = Tally()
    # Pieces of JSON do not end at line ends, so a terminal cannot show progress between them.
    between = counted or options.format in ("text", "jsonl", "csv") or not sys.stdout.isatty()
    progress = Progress(between)
    try:
        for piece in _report(options, asked, tally, progress):
            if piece:
                progress.clear()
                if options.format == "text":
                    sys.stdout.write(piece)
                else:
                    write_data(piece if options.format == "csv" else visible_json(piece))
    except WorkersKilled as error:
        raise UsageError(str(error)) from error
    progress.clear()
    if options.format == "csv" and (lost := tally.unreadable):  # CSV has no place for findings
        places = number_words(lost, "place")
        sys.stderr.write(
            f"oddtrick {options.command}: {places} could not be read; see --format text.\n"
        )
    if counted and options.format == "json":
        write_json(tally.statistics())
    elif counted:
        sys.stdout.write(statistics_text(tally, style()) + (MORE if tally.found else ""))
    return tally


def _report(
    options: argparse.Namespace, asked: Asked, tally: Tally, progress: Progress
) -> Iterator[str]:
    files = read_paths(options.files, options.given)
    name = ""

    def step(source: RecordFile | None) -> None:
        nonlocal name
        name = source.name if source else name
        words = f"{number_words(tally.records, 'record')}, reading {name}"
        progress.step(words, source is not None)

    if (jobs := options.jobs or cores()) == 1:
        yield from archive(files, asked, tally=tally, step=step)
        return

    few = 0 if options.jobs else FEW
    with Workers(jobs) as workers:
        yield from archive(files, asked, workers, tally=tally, ahead=4 * jobs, few=few, step=step)


def _under(options: argparse.Namespace) -> int:
    """`oddtrick score --under`: score each deal under several codes."""
    codes, chosen = _codes(options.under), law_options(options, options.code)
    compared_deals, status = list[Json](), 0
    for result in chain.from_iterable(_checked(options, ["declaring", "play"])):
        answer = as_json(result, "brief")
        if unread := _unreadable(answer):
            status = 2
        if not isinstance(result, Check) or (unread and answer["code"] is None):
            continue
        compared = under.compare(result, codes, chosen)
        if options.format == "text":
            title = title_line(answer, Style())
            sys.stdout.write(under_text(compared["under"], title) + "\n")
        else:
            compared_deals.append(answer | compared if options.format == "csv" else compared)
    if options.format == "json":
        write_json(compared_deals)
    elif options.format == "csv":
        _write_csv(compared_deals)
    return status


def _unreadable(answer: Json) -> bool:
    """Whether part of a result cannot be read; if so, the findings go to standard error."""
    found = [answer] if "rule" in answer else answer["findings"]
    unread = [f for f in found if f["severity"] == "unreadable"]
    for finding in unread:
        sys.stderr.write("\n".join(finding_lines(finding, style())) + "\n")
    return bool(unread)


def _write_csv(compared: Iterable[Json]) -> None:
    for piece in under_csv(compared):
        write_data(piece)


SEEDS = 1_000_000
"""A random seed is below this number."""

NOTHING = Figures(0, 0)
"""The scores before the first deal of a rubber."""


def deal(options: argparse.Namespace) -> int:
    """`oddtrick deal`: write random records to standard output."""
    law = book().rules(options.code, law_options(options, options.code))
    seed = options.seed
    if seed is None:
        seed = Random().randrange(SEEDS)
        sys.stderr.write(f"oddtrick deal: --seed {seed} gives the same deals again.\n")
    random = Random(seed)
    for number in range(1, options.count + 1):
        record = legal_game(random, law, number)
        if law.get("game") and not law.has("convention"):  # the first deal of a rubber
            record = record._replace(standing_games=NOTHING, standing_trick=NOTHING)
        write_data("\n" * (number > 1) + write([record], "hand"))
    return 0


def sheet(options: argparse.Namespace) -> int:
    """`oddtrick sheet`: draw the score sheet of each rubber and the card of each match."""
    drawn, status = list[str](), 0
    for results in _checked(options, ["score"]):
        answers = [as_json(r, "play") for r in results]
        status = max([status, *(2 * _unreadable(answer) for answer in answers)])
        for group, deals in groups(answers):
            try:
                drawn.append(drawing(group, deals, "svg" if options.svg else "text"))
            except Undrawable as error:
                raise UsageError(str(error)) from error
    if not drawn:
        if status:
            return status
        raise UsageError(
            "the files contain neither a rubber nor a match, so there is no sheet; write `rubber` "
            "before the first deal and `end rubber` after the last"
        )
    if not options.svg:
        sys.stdout.write("\n".join(drawn))
        return status
    if len(drawn) > 1:
        raise UsageError(f"--svg draws one sheet, but the files contain {len(drawn)}")
    write_file(options.svg, drawn[0])
    sys.stdout.write(f"{in_a_line(options.svg)} drawn.\n")
    return status


COMMANDS: dict[str, Command] = {"check": check, "score": score, "deal": deal, "sheet": sheet}
