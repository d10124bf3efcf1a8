"""What every command of the command line shares: a parser that says what is wrong, the error for a wrong call."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn


class Wrong(Exception):
    """A wrong call of the command line; the message says what to do."""


class Parser(argparse.ArgumentParser):
    """argparse with our way of saying that a call is wrong."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where the help is; exit status 2."""
        self.exit(2, f"{self.prog}: {message}\nSee `{self.prog} --help`.\n")


def adder(commands: Any) -> Callable[[str, str, str], argparse.ArgumentParser]:
    """A function that adds a command with its name, its help and an example."""

    def add(name: str, help_: str, example: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = commands.add_parser(
            name,
            help=help_,
            description=help_,
            epilog=f"example: {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        return made

    return add


def told(command: str, error: Exception) -> str:
    """A wrong call as it is told: the command, then the message, begun small."""
    message = str(error)
    return f"oddtrick {command}: {message[0].lower() + message[1:] if message else ''}\n"
