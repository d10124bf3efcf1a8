"""`oddtrick completion`: the script that completes commands, options and codes in a shell, to be
written into its start file once. It calls nothing: what there is to complete stands in it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence

from oddtrick.cli.parser import Add
from oddtrick.law.book import book

SHELLS = ("bash", "zsh", "fish")
EXAMPLE = "oddtrick completion bash >> ~/.bashrc"
Options = Mapping[str, Sequence[str]]
"""For each command its long options."""


def register(add: Add) -> None:
    """Add the parser of the command."""
    sub = add("completion", "Print the script that completes commands in a shell.", EXAMPLE)
    sub.add_argument("shell", choices=SHELLS, help="the shell")


def options_of(top: argparse.ArgumentParser) -> dict[str, list[str]]:
    """For each command of the command line its long options, but those that the help keeps back."""
    found: dict[str, list[str]] = {}
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                known = [a for a in sub._actions if a.help != argparse.SUPPRESS]
                found[name] = [o for a in known for o in a.option_strings if o.startswith("--")]
    return found


def script(shell: str, options: Options, codes: Sequence[str]) -> str:
    """The script for a shell, one of `SHELLS`."""
    lines = _fish(options, codes) if shell == "fish" else _bash(options, codes)
    first = ["autoload -U +X bashcompinit && bashcompinit"] if shell == "zsh" else []
    return "\n".join([*first, *lines]) + "\n"


def _bash(options: Options, codes: Sequence[str]) -> Iterator[str]:
    yield "_oddtrick() {"
    yield '  local words="" here="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"'
    yield f'  if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(options)}"'
    yield f'  elif [ "$before" = --code ]; then words="{" ".join(codes)}"'
    yield '  elif [ "${here#-}" != "$here" ]; then case "${COMP_WORDS[1]}" in'
    for name, known in options.items():
        yield f'    {name}) words="{" ".join(known)}" ;;'
    yield "  esac; fi"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$here"))'
    yield "}"
    yield "complete -o default -F _oddtrick oddtrick"


def _fish(options: Options, codes: Sequence[str]) -> Iterator[str]:
    for name, known in options.items():
        yield f"complete -c oddtrick -n __fish_use_subcommand -a {name}"
        for option in known:
            more = f" -x -a '{' '.join(codes)}'" if option == "--code" else ""
            within = f"'__fish_seen_subcommand_from {name}'"
            yield f"complete -c oddtrick -n {within} -l {option.removeprefix('--')}{more}"


def completion(top: argparse.ArgumentParser, shell: str) -> int:
    """`oddtrick completion` for a command line; exit status 0."""
    sys.stdout.write(script(shell, options_of(top), book().ids))
    return 0
