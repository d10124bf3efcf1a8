"""The whole command line: every command with its help and an example."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from oddtrick import __version__
from oddtrick.cli import book, check, project, ruling
from oddtrick.cli.law import main as law_main
from oddtrick.cli.parser import Command, Parser, Wrong, adder, told
from oddtrick.law.in_force import UnknownCode


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="oddtrick",
        description="The laws of bridge, 1900 to 1927: read them, cite them, and check a deal "
        "against them.",
        epilog="example: oddtrick check laws/records",
    )
    top.add_argument("--version", action="version", version=f"oddtrick {__version__}")
    add = adder(top)
    check.register(add)
    add("law", "Show a law, a provision, or a reading.", "oddtrick law contract-1927:10")
    project.register_lint(add)
    project.register_notation(add)
    book.register(add)
    ruling.register(add)
    project.register_site(add)
    return top


def law(_: argparse.Namespace) -> int:
    """`oddtrick law`, when it was not called the short way."""
    return law_main([])


COMMANDS: dict[str, Command] = {
    "law": law,
    "ruling": ruling.ruling,
    **check.COMMANDS,
    **project.COMMANDS,
    **book.COMMANDS,
}


def run(arguments: Sequence[str]) -> int:
    """Run one command; the result is the exit status."""
    options = parser().parse_args(arguments)
    try:
        return COMMANDS[options.command](options)
    except (Wrong, UnknownCode) as error:
        sys.stderr.write(told(options.command, error))
        return 2
