"""The command line: one parser with every command, and `run`, which runs one.

Only the module of the command that runs is imported: the judge and the grammars take longer to
import than a law takes to be shown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from textwrap import fill
from typing import Any, NoReturn

from oddtrick import __version__
from oddtrick.book.write_citation import STYLES
from oddtrick.cli.common import RULING_EXAMPLE, UsageError, error_line, with_code_id
from oddtrick.law.book import book
from oddtrick.law.model import UnknownCode
from oddtrick.law.store import LawDataError
from oddtrick.paths import SITE_URL

NOTATIONS = ("hand", "pbn", "lin")
WRITTEN = ("hand", "pbn")
GROUPS = {
    "judge a deal": ("check", "score", "sheet"),
    "settle a dispute": ("ruling",),
    "read the laws": ("search", "law", "topics"),
    "compare them": ("compare", "concordance"),
    "cite them": ("cite",),
    "write records": ("format", "convert", "deal"),
    "take the data": ("export", "lint", "sources", "site"),
    "type less": ("completion",),
}
"""The commands as the help and the manual group them."""
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
        status: int = command(with_code_id(options))
        return status
    except (UsageError, UnknownCode) as error:
        sys.stderr.write(error_line(options.command, error))
        return 2


class Parser(argparse.ArgumentParser):
    """An argparse parser whose errors name the command and its help."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Unknown arguments are an error of the command that they were given to."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def flag(self, name: str, help_: str) -> None:
        """An option without a value."""
        self.add_argument(name, action="store_true", help=help_)

    def option(self, name: str, metavar: str, help_: str, **more: Any) -> None:
        """An option with a value."""
        self.add_argument(name, metavar=metavar, help=help_, **more)

    def words(self, name: str, metavar: str, help_: str | None = None, nargs: str = "*") -> None:
        """Arguments by their place."""
        self.add_argument(name, metavar=metavar, help=help_, nargs=nargs)

    def form(self, *forms: str) -> None:
        """`--format`."""
        forms, about = ("text", "json", *forms), "how to answer (default: text)"
        self.add_argument("--format", choices=forms, default="text", help=about)

    def code(self, help_: str, required: bool = False) -> None:
        """`--code`, which argcomplete completes."""
        action = self.add_argument("--code", metavar="ID", required=required, help=help_)
        action.completer = lambda **_: book().ids  # type: ignore[attr-defined]

    def options_of_code(self, help_: str = "with this option of the code; may be repeated") -> None:
        """`--option`."""
        self.option("--option", "NAME", help_, action="append", default=[])

    def law_chosen(self) -> None:
        """The options of the code, and the chosen readings."""
        self.options_of_code()
        about = "read a doubtful place of the print so; may be repeated"
        self.option("--reading", "CODE:ID=CHOICE", about, action="append", default=[])

    def records(self, name: str = "FILE", instead: str = "") -> None:
        """The files of records and their notation."""
        about = ".hand, .pbn or .lin files, folders of them, or `-`; none: standard input"
        self.words("files", name, about + instead)
        about = "the notation, where the name does not tell"
        self.add_argument("--from", dest="given", choices=NOTATIONS, help=about)

    def judged(self, name: str = "FILE", instead: str = "", *forms: str) -> None:
        """The arguments of a command that judges records."""
        self.records(name, instead)
        self.code("judge under this code, whatever the record says")
        self.law_chosen()
        self.form("jsonl", "sarif", "csv", *forms)
        about = (
            "judge in so many processes (default: one to each core where there are many records)"
        )
        self.option("--jobs", "N", about, type=_number)

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
        usage="%(prog)s [-h] [--version] COMMAND ...",
        description="The laws of bridge, 1904 to 1927: read, cite, and check a deal against them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **SUGGEST,
    )
    about = "show the version of program and restatement"
    top.add_argument("--version", action=Version, nargs=0, help=about)
    commands = top.add_subparsers(
        dest="command",
        metavar="COMMAND",
        parser_class=Parser,
        required=True,
        prog="oddtrick",
        help=argparse.SUPPRESS,
    )
    helps: dict[str, str] = {}

    def add(module: str, name: str, help_: str, *examples: str) -> Parser:
        helps[name] = help_
        sub = commands.add_parser(
            name,
            description=help_,
            epilog="example: " + "\n         ".join(examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **SUGGEST,
        )
        sub.set_defaults(module=module)
        return sub

    sub = add(
        "check",
        "check",
        "Check records against a code: declaration, play, score.",
        "oddtrick check laws/records/lenz-p042-jettisoned-king.hand",
        "oddtrick check --code contract-1927 --jobs 4 --format jsonl club.pbn",
    )
    sub.judged("FILE", "", "html")
    about = "judge only these, with commas between: declaring, play, score"
    sub.option("--only", "PHASES", about)
    sub.flag("--strict", "exit with status 1 also if something could not be judged")
    extent = sub.add_mutually_exclusive_group()
    about = "report every record in full, as one alone is"
    extent.add_argument("--full", action="store_true", help=about)
    about = (
        "report only the counts: files, records, verdicts, findings; declarations and results by "
        "code"
    )
    extent.add_argument("--statistics", action="store_true", help=about)

    sub = add(
        "check",
        "score",
        "Show the score of records, or of a contract told in words, line by line with its laws.",
        'oddtrick score --code royalton "4 hearts doubled, 11 tricks"',
    )
    sub.judged("FILE|WORD", "; or a contract in words, such as `4 hearts doubled, 11 tricks`")
    about = "score each deal under these codes (with commas between), or `all`, and compare"
    sub.option("--under", "CODES", about)

    about = "Make random records of legal deals."
    sub = add("check", "deal", about, "oddtrick deal --code royalton-1915 --seed 7")
    sub.code("the code to play under", required=True)
    sub.law_chosen()
    sub.option("--seed", "N", "the same seed makes the same deals (default: by chance)", type=int)
    sub.option("--count", "N", "how many deals (default: 1)", type=_number, default=1)

    sub = add(
        "check",
        "sheet",
        "Draw the score sheet of a rubber or the card of a match.",
        "oddtrick sheet laws/records/made-up-rubber-1927.hand --svg rubber.svg",
    )
    sub.records()
    sub.code("score under this code, whatever the record says")
    sub.law_chosen()
    sub.option("--svg", "FILE", "write an SVG drawing to this file instead of text")

    sub = add(
        "law",
        "law",
        "Show a law, a provision of it, a reading, or a code with its contents.",
        "oddtrick law contract-1927:10",
        'oddtrick law "1912 law 84 (b)" "Royalton L. 77c"',
        "oddtrick law auction-1912:reading.declarer-at-no-trump",
    )
    sub.words("addresses", "CITATION", "an address or a citation; see `cite`")
    sub.form()

    about = "Check the law data: schema, addresses, references, figures."
    sub = add("project", "lint", about, "oddtrick lint")
    about = "a folder of law data (default: the shipped one)"
    sub.add_argument("folder", nargs="?", help=about)
    sub.form()

    about = "Rewrite .hand files canonically; nothing is lost, comments included."
    sub = add("project", "format", about, "oddtrick format --check my.hand")
    about = "files to rewrite; `-` or none: standard input to standard output"
    sub.words("files", "FILE", about)
    sub.flag("--check", "change nothing; exit status 1 if a file is not canonical")

    about = "Convert records between .hand and PBN, and from LIN."
    sub = add("project", "convert", about, "oddtrick convert game.pbn game.hand")
    sub.add_argument("source", metavar="FROM", help="a .hand, .pbn or .lin file, or `-`")
    about = "a .hand or .pbn file, or `-` (default: standard output)"
    sub.add_argument("target", metavar="TO", nargs="?", default="-", help=about)
    about = "the notation to write (default: by the name of TO)"
    sub.add_argument("--to", choices=WRITTEN, help=about)
    about = "the notation of FROM (default: by its name)"
    sub.add_argument("--from", dest="given", choices=NOTATIONS, help=about)

    sub = add(
        "book",
        "cite",
        "Cite laws; whatever people write for a citation is read.",
        "oddtrick cite '1912 law 84 (b)' --style full",
    )
    about = "an address or a citation, such as `Royalton L. 77c`"
    sub.words("addresses", "CITATION", about, "+")
    about = "how to cite (default: short)"
    sub.add_argument("--style", choices=STYLES, default="short", help=about)
    sub.code("the code meant where a citation names none")
    about = "where the site stands, put before links, such as https://example.org/oddtrick/ "
    sub.option("--site", "URL", f"{about}(default: what {SITE_URL} says)")
    sub.form()

    sub = add(
        "book",
        "search",
        "Find the laws that answer a question, in a player's own words.",
        "oddtrick search can dummy ask if I have no hearts",
    )
    sub.words("words", "WORD", nargs="+")
    sub.code("only in this code")
    sub.option("--topic", "ID", "only on this topic; see `oddtrick topics`")
    sub.option("--limit", "N", "how many hits (default: 8)", type=int, default=8)
    sub.form()

    sub = add(
        "book",
        "compare",
        "Put a topic or a law side by side in several codes, with the differences marked.",
        "oddtrick compare 'penalty for a revoke' auction-1912 auction-1926",
    )
    about = "a topic (see `oddtrick topics`) or a citation"
    sub.add_argument("subject", metavar="TOPIC|CITATION", help=about)
    sub.words("codes", "CODE", "the codes to compare (default: all)")
    sub.form()

    sub = add(
        "book",
        "concordance",
        "Every provision of one code with what answers it in another.",
        "oddtrick concordance auction-1912 auction-1926",
    )
    sub.add_argument("ours", metavar="CODE")
    sub.add_argument("theirs", metavar="CODE")
    sub.form("csv")

    about = "List the topics, or one topic in every code."
    sub = add("book", "topics", about, "oddtrick topics revoke-claim")
    sub.add_argument("topic", nargs="?", metavar="TOPIC")
    sub.form()

    about = "Write the whole lawbook as one JSON document, for other programs."
    sub = add("book", "export", about, "oddtrick export --out lawbook.json")
    about = "the form (default: json)"
    sub.add_argument("--format", choices=("json",), default="json", help=about)
    sub.option("--out", "FILE", "write to this file (default: standard output)")
    sub.flag("--schema", "write the JSON Schema of the document instead")
    about = (
        "write instead, as CSV, what every contract scores under this code, entry by entry with "
        "its laws"
    )
    sub.option("--scores", "CODE", about)
    sub.options_of_code("with --scores: with this option; may be repeated")

    sub = add(
        "sources",
        "sources",
        "Attach your own copy of a book: its words are then shown beside the restatement, on "
        "this machine only.",
        "oddtrick sources add royalton.txt",
    )
    steps = sub.add_subparsers(dest="step", metavar="STEP", parser_class=Parser, required=True)
    step = steps.add_parser("add", help="find the laws of a book in a text file and keep them")
    step.words("files", "FILE", "plain text, scanned or proofread", "+")
    step.code("the code that the book has (default: found out)")
    step.form()
    steps.add_parser("list", help="list what is attached").form()
    step = steps.add_parser("remove", help="remove an attached book")
    about = "its name or file name, as `sources list` shows it"
    step.add_argument("name", metavar="NAME", help=about)
    step.code("only in this code")
    step.form()

    about = "Settle a dispute: what a code gives for an irregularity."
    sub = add("ruling", "ruling", about, RULING_EXAMPLE)
    about = "an irregularity by its name, or what happened in your own words; none: you are asked"
    sub.words("words", "NAME|WORD", about)
    sub.code("the code to rule under, or `all` to compare them (default: all)")
    sub.law_chosen()
    about = (
        "a fact of the case; each may also be given as an option of its name, such as "
        "`--offender adversary`"
    )
    sub.option("--fact", "FACT=ANSWER", about, action="append", default=[])
    sub.flag("--ask", "ask for what is still needed, question by question")
    sub.flag("--list", "list the irregularities, or the facts on which one turns")
    sub.form()
    with suppress(LawDataError):  # `lint` must run where the law data have problems
        for fact in book().facts:
            sub.option(f"--{fact}", "ANSWER", argparse.SUPPRESS, dest=f"fact_{fact}")

    about = "Build or serve the comparative site."
    sub = add("project", "site", about, "oddtrick site build")
    about = (
        "build: write the site; serve: show it on this machine; pages: write the pages as Markdown "
        "for another renderer"
    )
    sub.add_argument("what", choices=("build", "serve", "pages"), help=about)
    sub.option("--out", "DIR", "where to write (default: ./site, and ./pages for the pages)")

    sub = add(
        "project",
        "completion",
        "Print the script that completes commands, options and codes in a shell.",
        "oddtrick completion bash >> ~/.bashrc",
    )
    sub.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    listed = []
    for group, names in GROUPS.items():
        listed.append(f"{group}:")
        listed += [fill(f"  {n:<12} {helps[n]}", 79, subsequent_indent=" " * 15) for n in names]
    top.epilog = "\n".join([*listed, "", "example: oddtrick check laws/records"])
    return top


def _number(text: str) -> int:
    """A number from 1. Raises the error that argparse reports."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("takes a number from 1")
    return int(text)
