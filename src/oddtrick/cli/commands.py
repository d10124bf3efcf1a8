"""The whole command line: every command with its help and an example."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from oddtrick import __version__
from oddtrick.cli import book as laws
from oddtrick.cli import check, completion, project, ruling
from oddtrick.cli.law import main as law_main
from oddtrick.cli.parser import Command, Parser, Wrong, adder, by_id, told
from oddtrick.law.book import book
from oddtrick.law.model import UnknownCode


class Version(argparse.Action):
    """`--version`: of the program, and of the restatement on which its citations rest."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print both, and end."""
        print(f"oddtrick {__version__}, restatement {book().vocabulary.restatement}")
        parser.exit()


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="oddtrick",
        description="The laws of bridge, 1900 to 1927: read them, cite them, and check a deal "
        "against them.",
        epilog="example: oddtrick check laws/records",
    )
    top.add_argument(
        "--version", action=Version, nargs=0, help="show the version of program and restatement"
    )
    add = adder(top)
    check.register(add)
    add("law", "Show a law, a provision, or a reading.", "oddtrick law contract-1927:10")
    project.register_lint(add)
    project.register_notation(add)
    laws.register(add)
    ruling.register(add)
    project.register_site(add)
    completion.register(add)
    return top


def complete(options: argparse.Namespace) -> int:
    """`oddtrick completion`, for the whole command line."""
    return completion.completion(parser(), options.shell)


def law(_: argparse.Namespace) -> int:
    """`oddtrick law`, when it was not called the short way."""
    return law_main([])


COMMANDS: dict[str, Command] = {
    "law": law,
    "ruling": ruling.ruling,
    "completion": complete,
    **check.COMMANDS,
    **project.COMMANDS,
    **laws.COMMANDS,
}


def run(arguments: Sequence[str]) -> int:
    """Run one command; the result is the exit status."""
    options = parser().parse_args(arguments)
    try:
        return COMMANDS[options.command](by_id(options))
    except (Wrong, UnknownCode) as error:
        sys.stderr.write(told(options.command, error))
        return 2
