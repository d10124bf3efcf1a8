"""The command line: one parser with every command, and `run`, which runs one.

Only the module of the command that runs is imported: the judge and the grammars take longer to
import than a law takes to be shown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from oddtrick import __version__
from oddtrick.book.write_citation import STYLES
from oddtrick.cli.common import RULING_EXAMPLE, Wrong, by_id, told
from oddtrick.law.book import book
from oddtrick.law.model import UnknownCode
from oddtrick.law.store import LawDataError
from oddtrick.paths import SITE_URL

NOTATIONS = ("hand", "pbn", "lin")
WRITTEN = ("hand", "pbn")
SUGGEST: dict[str, Any] = {"suggest_on_error": True} if sys.version_info >= (3, 14) else {}


def run(arguments: Sequence[str]) -> int:
    """Run one command; the result is the exit status."""
    top = parser()
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(top)
    options = top.parse_args(arguments)
    command = import_module(f"oddtrick.cli.{options.module}").COMMANDS[options.command]
    try:
        status: int = command(by_id(options))
        return status
    except (Wrong, UnknownCode) as error:
        sys.stderr.write(told(options.command, error))
        return 2


class Parser(argparse.ArgumentParser):
    """An argparse parser whose errors name the command and its help."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Unknown arguments are an error of the command that they were given to."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Print the message and how to get help; exit status 2."""
        self.exit(2, f"{self.prog}: {message}\nSee `{self.prog} --help`.\n")


class Version(argparse.Action):
    """`--version`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version of the program and of the restatement, which citations name."""
        print(f"oddtrick {__version__}, restatement {book().vocabulary.restatement}")
        parser.exit()


def parser() -> Parser:
    """The parser of the whole command line."""
    top = Parser(
        prog="oddtrick",
        description="The laws of bridge, 1900 to 1927: read them, cite them, and check a deal "
        "against them.",
        epilog="example: oddtrick check laws/records",
        **SUGGEST,
    )
    top.add_argument(
        "--version", action=Version, nargs=0, help="show the version of program and restatement"
    )
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=Parser, required=True
    )

    def add(module: str, name: str, help_: str, example: str) -> Parser:
        sub = commands.add_parser(
            name,
            help=help_,
            description=help_,
            epilog=f"example: {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **SUGGEST,
        )
        sub.set_defaults(module=module)
        return sub

    sub = add(
        "check",
        "check",
        "Check records against a code: declaration, play, score.",
        "oddtrick check laws/records/lenz-p042-jettisoned-king.hand\n"
        "         oddtrick check --code contract-1927 --jobs 4 --format jsonl club.pbn",
    )
    _judged(sub)
    sub.add_argument(
        "--only",
        metavar="PHASES",
        help="judge only these, with commas between: declaring, play, score",
    )
    sub.add_argument(
        "--strict",
        action="store_true",
        help="exit with status 1 also if something could not be judged",
    )
    extent = sub.add_mutually_exclusive_group()
    extent.add_argument(
        "--full", action="store_true", help="report every record in full, as one alone is"
    )
    extent.add_argument(
        "--statistics",
        action="store_true",
        help="report only the counts: files, records, verdicts, findings; declarations and results "
        "by code",
    )
    sub = add(
        "check",
        "score",
        "Show the score of records, or of a contract told in words, line by line with its laws.",
        'oddtrick score --code royalton "4 hearts doubled, 11 tricks"',
    )
    _judged(sub, "FILE|WORD", "; or a contract in words, such as `4 hearts doubled, 11 tricks`")
    sub.add_argument(
        "--under",
        metavar="CODES",
        help="score each deal under these codes (with commas between), or `all`, and compare",
    )
    sub = add(
        "check",
        "deal",
        "Make random records of legal deals.",
        "oddtrick deal --code royalton-1915 --seed 7",
    )
    _code(sub, "the code to play under", required=True)
    _law_chosen(sub)
    sub.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="the same seed makes the same deals (default: by chance)",
    )
    sub.add_argument(
        "--count", type=_number, default=1, metavar="N", help="how many deals (default: 1)"
    )
    sub = add(
        "check",
        "sheet",
        "Draw the score sheet of a rubber or the card of a match.",
        "oddtrick sheet laws/records/made-up-rubber-1927.hand --svg rubber.svg",
    )
    _input(sub)
    _code(sub, "score under this code, whatever the record says")
    _law_chosen(sub)
    sub.add_argument(
        "--svg", metavar="FILE", help="write an SVG drawing to this file instead of text"
    )
    sub = add(
        "law",
        "law",
        "Show a law, a provision of it, a reading, or a code with its contents.",
        "oddtrick law contract-1927:10\n"
        '         oddtrick law "1912 law 84 (b)" "Royalton L. 77c"\n'
        "         oddtrick law auction-1912:reading.declarer-at-no-trump",
    )
    sub.add_argument(
        "addresses", nargs="*", metavar="CITATION", help="an address or a citation; see `cite`"
    )
    _format(sub)
    sub = add(
        "project",
        "lint",
        "Check the law data: schema, addresses, references, figures.",
        "oddtrick lint",
    )
    sub.add_argument("folder", nargs="?", help="a folder of law data (default: the shipped one)")
    _format(sub)
    sub = add(
        "project",
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
        "project",
        "convert",
        "Convert records between .hand and PBN, and from LIN.",
        "oddtrick convert game.pbn game.hand",
    )
    sub.add_argument("source", metavar="FROM", help="a .hand, .pbn or .lin file, or `-`")
    sub.add_argument(
        "target",
        metavar="TO",
        nargs="?",
        default="-",
        help="a .hand or .pbn file, or `-` (default: standard output)",
    )
    sub.add_argument(
        "--to", choices=WRITTEN, help="the notation to write (default: by the name of TO)"
    )
    sub.add_argument(
        "--from",
        dest="given",
        choices=NOTATIONS,
        help="the notation of FROM (default: by its name)",
    )
    sub = add(
        "book",
        "cite",
        "Cite laws; whatever people write for a citation is read.",
        "oddtrick cite '1912 law 84 (b)' --style full",
    )
    sub.add_argument(
        "addresses",
        nargs="+",
        metavar="CITATION",
        help="an address or a citation, such as `Royalton L. 77c`",
    )
    sub.add_argument(
        "--style", choices=STYLES, default="short", help="how to cite (default: short)"
    )
    _code(sub, "the code meant where a citation names none")
    sub.add_argument(
        "--site",
        metavar="URL",
        help="where the site stands, put before links, such as https://example.org/oddtrick/ "
        f"(default: what {SITE_URL} says)",
    )
    _format(sub)
    sub = add(
        "book",
        "search",
        "Find the laws that answer a question, in a player's own words.",
        "oddtrick search can dummy ask if I have no hearts",
    )
    sub.add_argument("words", nargs="+", metavar="WORD")
    _code(sub, "only in this code")
    sub.add_argument("--topic", metavar="ID", help="only on this topic; see `oddtrick topics`")
    sub.add_argument("--limit", type=int, default=8, metavar="N", help="how many hits (default: 8)")
    _format(sub)
    sub = add(
        "book",
        "compare",
        "Put a topic or a law side by side in several codes, with the differences marked.",
        "oddtrick compare 'penalty for a revoke' auction-1912 auction-1926",
    )
    sub.add_argument(
        "subject", metavar="TOPIC|CITATION", help="a topic (see `oddtrick topics`) or a citation"
    )
    sub.add_argument("codes", nargs="*", metavar="CODE", help="the codes to compare (default: all)")
    _format(sub)
    sub = add(
        "book",
        "concordance",
        "Every provision of one code with what answers it in another.",
        "oddtrick concordance auction-1912 auction-1926",
    )
    sub.add_argument("ours", metavar="CODE")
    sub.add_argument("theirs", metavar="CODE")
    _format(sub, "csv")
    sub = add(
        "book",
        "topics",
        "List the topics, or one topic in every code.",
        "oddtrick topics revoke-claim",
    )
    sub.add_argument("topic", nargs="?", metavar="TOPIC")
    _format(sub)
    sub = add(
        "book",
        "export",
        "Write the whole lawbook as one JSON document, for other programs.",
        "oddtrick export --out lawbook.json",
    )
    sub.add_argument("--format", choices=("json",), default="json", help="the form (default: json)")
    sub.add_argument("--out", metavar="FILE", help="write to this file (default: standard output)")
    sub.add_argument(
        "--schema", action="store_true", help="write the JSON Schema of the document instead"
    )
    sub.add_argument(
        "--scores",
        metavar="CODE",
        help="write instead, as CSV, what every contract scores under this code, entry by entry "
        "with its laws",
    )
    _option(sub, "with --scores: with this option; may be repeated")
    _register_sources(
        add(
            "sources",
            "sources",
            "Attach your own copy of a book: its words are then shown beside the restatement, on "
            "this machine only.",
            "oddtrick sources add royalton.txt",
        )
    )
    _register_ruling(
        add(
            "ruling",
            "ruling",
            "Settle a dispute: what a code gives for an irregularity.",
            RULING_EXAMPLE,
        )
    )
    sub = add("project", "site", "Build or serve the comparative site.", "oddtrick site build")
    sub.add_argument(
        "what",
        choices=("build", "serve", "pages"),
        help="build: write the site; serve: show it on this machine; pages: write the pages as "
        "Markdown for another renderer",
    )
    sub.add_argument("--out", help="where to write (default: ./site, and ./pages for the pages)")
    sub = add(
        "project",
        "completion",
        "Print the script that completes commands, options and codes in a shell.",
        "oddtrick completion bash >> ~/.bashrc",
    )
    sub.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    return top


def _register_sources(sub: Parser) -> None:
    steps = sub.add_subparsers(dest="step", metavar="STEP", parser_class=Parser, required=True)
    step = steps.add_parser("add", help="find the laws of a book in a text file and keep them")
    step.add_argument("files", nargs="+", metavar="FILE", help="plain text, scanned or proofread")
    _code(step, "the code that the book has (default: found out)")
    _format(step)
    step = steps.add_parser("list", help="list what is attached")
    _format(step)
    step = steps.add_parser("remove", help="remove an attached book")
    step.add_argument(
        "name", metavar="NAME", help="its name or file name, as `sources list` shows it"
    )
    _code(step, "only in this code")
    _format(step)


def _register_ruling(sub: Parser) -> None:
    sub.add_argument(
        "words",
        nargs="*",
        metavar="NAME|WORD",
        help="an irregularity by its name, or what happened in your own words; none: you are asked",
    )
    _code(sub, "the code to rule under, or `all` to compare them (default: all)")
    _law_chosen(sub)
    sub.add_argument(
        "--fact",
        metavar="FACT=ANSWER",
        action="append",
        default=[],
        help="a fact of the case; each may also be given as an option of its name, such as "
        "`--offender adversary`",
    )
    sub.add_argument(
        "--ask", action="store_true", help="ask for what is still needed, question by question"
    )
    sub.add_argument(
        "--list",
        action="store_true",
        help="list the irregularities, or the facts on which one turns",
    )
    _format(sub)
    try:
        facts = list(book().facts)
    except LawDataError:  # `lint` must run where the law data have problems
        facts = []
    for fact in facts:
        sub.add_argument(f"--{fact}", dest=f"fact_{fact}", metavar="ANSWER", help=argparse.SUPPRESS)


# --- arguments that several commands share --------------------------------------------------------


def _judged(sub: Parser, name: str = "FILE", instead: str = "") -> None:
    """The arguments of a command that judges records."""
    _input(sub, name, instead)
    _code(sub, "judge under this code, whatever the record says")
    _law_chosen(sub)
    _format(sub, "jsonl", "sarif", "csv")
    sub.add_argument(
        "--jobs",
        type=_number,
        metavar="N",
        help="judge in so many processes (default: one to each core where there are many records)",
    )


def _input(sub: Parser, name: str = "FILE", instead: str = "") -> None:
    """The files of records and their notation."""
    sub.add_argument(
        "files",
        nargs="*",
        metavar=name,
        help=f".hand, .pbn or .lin files, folders of them, or `-`; none: standard input{instead}",
    )
    sub.add_argument(
        "--from", dest="given", choices=NOTATIONS, help="the notation, where the name does not tell"
    )


def _code(sub: argparse.ArgumentParser, help_: str, required: bool = False) -> None:
    action = sub.add_argument("--code", metavar="ID", required=required, help=help_)
    action.completer = lambda **_: book().ids  # type: ignore[attr-defined]  # for argcomplete


def _law_chosen(sub: Parser) -> None:
    """The options of the code, and the chosen readings."""
    _option(sub, "with this option of the code; may be repeated")
    sub.add_argument(
        "--reading",
        metavar="CODE:ID=CHOICE",
        action="append",
        default=[],
        help="read a doubtful place of the print so; may be repeated",
    )


def _option(sub: Parser, help_: str) -> None:
    sub.add_argument("--option", metavar="NAME", action="append", default=[], help=help_)


def _format(sub: argparse.ArgumentParser, *forms: str) -> None:
    sub.add_argument(
        "--format",
        choices=("text", "json", *forms),
        default="text",
        help="how to answer (default: text)",
    )


def _number(text: str) -> int:
    """A number from 1. Raises the error that argparse reports."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("takes a number from 1")
    return int(text)
