"""Builds the parser of the command line from `commands.json`, and runs commands (`run`).

An argument in the table is a set of keywords for argparse, or the name of a list in `shared`. Only
the module of the command to run is imported, since importing the judge and the grammars takes
longer than showing a law.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any, NoReturn

from oddtrick import __version__
from oddtrick.book.write_citation import STYLES
from oddtrick.cli.common import UsageError, code_named
from oddtrick.law.book import book
from oddtrick.law.model import UnknownCode
from oddtrick.law.store import LawDataError
from oddtrick.limits import ARGUMENT

SUGGEST: dict[str, Any] = {"suggest_on_error": True} if sys.version_info >= (3, 14) else {}


def run(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser())
    top = parser(*arguments[:1])
    if (longest := max(map(len, arguments), default=0)) > ARGUMENT.most:
        top.error(ARGUMENT.message(length=f"{longest:,}"))
    options = top.parse_args(arguments)
    command = import_module(f"oddtrick.cli.{options.module}").COMMANDS[options.command]
    if callable(signal.getsignal(signal.SIGINT)):  # so that a command can clean up after Ctrl-C
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if (code := getattr(options, "code", None)) and code != "all" and "," not in code:
            options.code = code_named(code)
        if options.command != "lint":
            _report_left_out()
        status: int = command(options)
        return status
    except (UsageError, UnknownCode) as error:
        sys.stderr.write(f"oddtrick {options.command}: {error}\n")
        return 2


def _report_left_out() -> None:
    """Report on standard error the codes that the lawbook lacks because their data has problems."""
    for code, problems in book().data.get("left_out", {}).items():
        why = "is left out because its law data has problems; run `oddtrick lint`."
        sys.stderr.write(f"oddtrick: `{code}` {why}\n{problems[0]}\n")


class Parser(argparse.ArgumentParser):
    """An argparse parser whose errors name the command and its help."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Report unknown arguments as an error of the command to which they were given."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Print the message and how to get help, and exit with status 2."""
        self.exit(2, f"{self.prog}: {message}\nSee `{self.prog} --help`.\n")


class Version(argparse.Action):
    """`--version`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the versions of the program and of the restatement, and exit."""
        print(f"oddtrick {__version__}, restatement {book().vocabulary.restatement}")
        parser.exit()


def parser(first: str = "") -> Parser:
    """The parser of the command line; if `first` is a command, only for that command.

    Building the parsers of all commands takes longer than showing a law.
    """
    table = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    shared, groups = table["shared"], table["groups"]
    names = {name for members in groups.values() for name in members}
    made = names & {first} or names
    top = Parser(
        prog="oddtrick",
        usage="%(prog)s [-h] [--version] COMMAND ...",
        description="The laws of bridge, 1904 to 1927: read them, cite them, and check a deal "
        "against them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **SUGGEST,
    )
    about = "show the versions of the program and of the restatement"
    top.add_argument("--version", action=Version, nargs=0, help=about)
    commands = _commands(top, "command", "COMMAND", prog="oddtrick", help=argparse.SUPPRESS)
    listed = []
    for group, members in groups.items():
        listed.append(f"{group}:")
        for name, spec in members.items():
            about = spec["help"]
            listed.append(fill(f"  {name:<12} {about}", 79, subsequent_indent=" " * 15))
            if name not in made:
                continue
            sub = commands.add_parser(
                name,
                description=about,
                epilog="example: " + "\n         ".join(spec["examples"]),
                formatter_class=argparse.RawDescriptionHelpFormatter,
                **SUGGEST,
            )
            sub.set_defaults(module=spec["module"])
            _add(sub, spec.get("arguments", ()), shared)
            if "steps" in spec:
                steps = _commands(sub, "step", "STEP")
                for step, own in spec["steps"].items():
                    _add(steps.add_parser(step, help=own["help"]), own["arguments"], shared)
            if name == "ruling":
                # The other commands must run, or report the problem themselves.
                with suppress(*([] if first == name else [LawDataError])):
                    for fact in book().facts:
                        hidden: dict[str, Any] = {"metavar": "ANSWER", "help": argparse.SUPPRESS}
                        sub.add_argument(f"--{fact}", dest=f"fact_{fact}", **hidden)
    top.epilog = "\n".join([*listed, "", "example: oddtrick check laws/records"])
    return top


def _commands(parser: Parser, dest: str, metavar: str, **more: Any) -> Any:
    return parser.add_subparsers(
        dest=dest, metavar=metavar, parser_class=Parser, required=True, **more
    )


def _add(parser: Any, arguments: Sequence[Any], shared: dict[str, Any]) -> None:
    """Add the arguments of the table to a parser.

    A string names a list in `shared`; a list holds arguments that exclude each other.
    """
    for one in arguments:
        if isinstance(one, str):
            _add(parser, shared[one], shared)
        elif isinstance(one, list):
            _add(parser.add_mutually_exclusive_group(), one, shared)
        else:
            named = {k: NAMED[v] for k, v in one.items() if isinstance(v, str) and k in CALLED}
            found = one | named
            action = parser.add_argument(found.pop("name"), **found)
            if one["name"] == "--code":  # argcomplete completes its value
                action.completer = lambda **_: book().ids


def _number(text: str) -> int:
    """Parse a positive integer. Raises `ArgumentTypeError`, which argparse reports."""
    if not text.isdecimal() or len(text) > 100 or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number, at least 1")
    return int(text)


CALLED = ("type", "choices")
NAMED = {"int": int, "number": _number, "styles": STYLES, "notations": ("hand", "pbn", "lin")}
"""The types and choices of arguments, by their names in the table."""
