"""What every command of the command line shares: the parser, frequent options, the error of a wrong
call.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from oddtrick.book.read_citation import Unread, read_citation
from oddtrick.law import readings as picks
from oddtrick.law.book import book
from oddtrick.terminal import give, visible_json

Add = Callable[[str, str, str], argparse.ArgumentParser]
"""Adds a command with its name, its help and an example."""

Command = Callable[[argparse.Namespace], int]
"""Runs a command; the result is the exit status."""


class Wrong(Exception):
    """A wrong call of the command line; the message says what to do."""


class Parser(argparse.ArgumentParser):
    """argparse with our way of saying that a call is wrong."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """As argparse does; what is not known is an error here, in the command that was called."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, what may be meant, and where the help is; exit status 2."""
        found = re.search(r"COMMAND: invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if found:
            near = difflib.get_close_matches(found[1], re.findall(r"[a-z]+", found[2]), n=1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            message = f"there is no command `{found[1]}`.{hint}"
        self.exit(2, f"{self.prog}: {message}\nSee `{self.prog} --help`.\n")


def adder(top: Parser) -> Add:
    """A function that adds a command to the top of the command line."""
    commands = top.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=Parser, required=True
    )

    def add(name: str, help_: str, example: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=help_,
            description=help_,
            epilog=f"example: {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    return add


def add_format(sub: argparse.ArgumentParser, *forms: str) -> None:
    """`--format`: text, JSON, and the forms that a command has besides."""
    sub.add_argument(
        "--format",
        choices=("text", "json", *forms),
        default="text",
        help="how to answer (default: text)",
    )


def add_option(sub: argparse.ArgumentParser, help_: str) -> None:
    """`--option NAME`, which may be repeated."""
    sub.add_argument("--option", metavar="NAME", action="append", default=[], help=help_)


def add_reading(sub: argparse.ArgumentParser) -> None:
    """`--reading CODE:ID=CHOICE`, which may be repeated."""
    sub.add_argument(
        "--reading",
        metavar="CODE:ID=CHOICE",
        action="append",
        default=[],
        help="read a doubtful place of the print so; may be repeated",
    )


def agreed(options: argparse.Namespace, code: str | None = None) -> tuple[str, ...]:
    """The options and the chosen readings that are asked for: all, or those that bear on a code.

    Raises `Wrong` for a reading that does not bear on the code, `UnknownCode` for one that there
    is not.
    """
    chain = book().chain(code) if code else ()
    for text in options.reading:
        own = picks.code_of(text)
        if not own or not picks.is_choice(text):
            raise Wrong(f"--reading takes CODE:ID=CHOICE; `{text}` is none")
        picks.chosen(book(), text, book().chain(own))
        if options.code not in (None, "all") and own not in (c.id for c in chain):
            raise Wrong(f"--reading {text} does not bear on {code}")
    return (*options.option, *(picks.bearing(options.reading, chain) if code else options.reading))


def add_input(sub: argparse.ArgumentParser, name: str = "FILE", instead: str = "") -> None:
    """The files of records that a command reads, and their notation; what else it reads instead,
    and a name for both.
    """
    sub.add_argument(
        "files",
        nargs="*",
        metavar=name,
        help=f".hand, .pbn or .lin files, folders of them, or `-`; none: standard input{instead}",
    )
    sub.add_argument(
        "--from",
        dest="given",
        choices=("hand", "pbn", "lin"),
        help="the notation, where the name does not tell",
    )


def needs_files(options: argparse.Namespace) -> None:
    """Refuse to wait in silence for a record typed at the keyboard. Raises `Wrong`."""
    if not options.files and sys.stdin.isatty():
        raise Wrong(
            "which file? Name a .hand, .pbn or .lin file or a folder, or `-` to type a record and "
            "end it with Ctrl-D"
        )


def code_named(name: str | None) -> str | None:
    """The id of a code that somebody names by its id, a year or an alias.

    Raises `Wrong` with those that may be meant, or the nearest.
    """
    if name is None:
        return None
    try:
        address = read_citation(name)
    except Unread as error:
        raise Wrong(_no_code(name)) from error
    if address.local:
        raise Wrong(f"`{name}` is a law, not a code")
    return str(address)


def _no_code(name: str) -> str:
    """That there is no code of a name, with those that may be meant."""
    meant = ", ".join(book().meant(name))
    hint = f" Did you mean {meant}?" if meant else ""
    return f"there is no code `{name}`; there are {', '.join(book().ids)}.{hint}"


def by_id(options: argparse.Namespace) -> argparse.Namespace:
    """The options of a command with the code that `--code` names by its id.

    Of two codes of a year one is taken, with a word on standard error. Raises `Wrong`.
    """
    name = getattr(options, "code", None)
    if name and name != "all" and "," not in name:
        options.code = code_named(name)
        same = [i for i in book().ids if i.endswith(f"-{name}") and i != options.code]
        if same:
            said = f"`{name}` is taken as {options.code}, not as {' or '.join(same)}"
            sys.stderr.write(f"oddtrick {options.command}: {said}.\n")
    return options


def write_json(value: object) -> None:
    """Write an answer as JSON to standard output."""
    give(visible_json(json.dumps(value, ensure_ascii=False, indent=2) + "\n"))


def told(command: str, error: Exception) -> str:
    """A wrong call as it is told: the command, then the message, begun small."""
    message = str(error)
    return f"oddtrick {command}: {message[0].lower() + message[1:] if message else ''}\n"
