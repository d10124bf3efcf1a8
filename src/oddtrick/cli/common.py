"""Functions shared by several commands: usage errors, options, citations, codes and output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from oddtrick.book.compare import law_of_rule
from oddtrick.book.read_citation import Unread, citation_note, read_citation, read_code
from oddtrick.law import reading_choices
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.limits import WORDS
from oddtrick.terminal import in_a_line, visible_json, write_data

Command = Callable[[argparse.Namespace], int]  # runs a command and returns the exit status


class UsageError(Exception):
    """Raised for wrong usage; the message says what to do."""


def law_options(options: argparse.Namespace, code: str | None = None) -> tuple[str, ...]:
    """The options and chosen readings requested: all, or those that concern a code.

    Raises `UsageError` or `UnknownCode` for those that are invalid.
    """
    if options.option and not code:
        raise UsageError("--option needs --code, which names the code that has the option")
    chain = book().chain(code) if code else ()
    for text in options.reading:
        own = reading_choices.parsed(text)[0]
        if not own or not reading_choices.is_choice(text):
            raise UsageError(f"--reading takes CODE:ID=CHOICE; `{text}` does not have this form")
        reading_choices.read_choice(book(), text, book().chain(own))
        if options.code not in (None, "all") and own not in (c.id for c in chain):
            raise UsageError(f"--reading {text} has no effect under {code}")
    if not code:
        return tuple(options.reading)
    chosen = (*options.option, *reading_choices.bearing(options.reading, chain))
    book().rules(code, chosen)  # raises `UnknownCode` for an option that it lacks
    return chosen


def words_given(words: Sequence[str]) -> str:
    """The words of a question, joined. Raises `UsageError` if it is too long."""
    if len(question := " ".join(words)) > WORDS.most:
        raise UsageError(WORDS.message(length=f"{len(question):,}"))
    return question


def needs_files(options: argparse.Namespace) -> None:
    """Raise `UsageError` if no file is named and standard input is a terminal."""
    if not options.files and sys.stdin.isatty():
        raise UsageError(
            "which file? Name a .hand, .pbn or .lin file or a folder, or `-` to type a record and "
            "end it with Ctrl-D"
        )


def code_named(name: str | None) -> str | None:
    """The id of a code named by id, year or alias; `None` for `None`. Raises `UnknownCode`."""
    if name is None:
        return None
    address = read_code(name)
    notice_code(name, address)
    return str(address)


def notice_code(text: str, address: Address, code: str | None = None) -> None:
    """Report on standard error that only the year named the code, or that a law is the base's."""
    if about := citation_note(text, address, code):
        sys.stderr.write(f"oddtrick: `{text}` {about}.\n")


def citations(texts: list[str], code: str | None = None) -> tuple[list[Address], int]:
    """The addresses that the arguments cite, one by one or, failing that, as a single citation.

    If some cannot be resolved, standard error names them and the exit status is 2. Raises
    `UsageError` if none can.
    """
    each, problems, joined = list[tuple[str, Address]](), list[str](), " ".join(texts)
    for text in texts:
        try:
            each.append((text, read_citation(text, code)))
        except Unread as error:
            problems.append(str(error))
    begins_with_code = bool(each) and not each[0][1].local
    try:
        together = read_citation(joined, code)
        if problems or (begins_with_code and together.code == each[0][1].code):
            each, problems = [(joined, together)], []
    except Unread as error:
        if problems and begins_with_code:  # `1926 law 999` is meant as one citation
            raise UsageError(str(error)) from error
    if not each:
        named = f"`{joined}` names a rule; `oddtrick compare {joined}` shows its laws"
        raise UsageError(named if law_of_rule(joined) else problems[0])
    sys.stderr.write("".join(f"oddtrick: {problem}\n" for problem in problems))
    for text, address in each:
        notice_code(text, address, code)
    return [address for _, address in each], 2 if problems else 0


def write_file(path: str, content: str) -> None:
    """Write a file completely or not at all. Raises `UsageError`."""
    from oddtrick.law.files import write_atomic

    try:
        write_atomic(path, content)
    except OSError as error:
        raise UsageError(f"{in_a_line(path)}: {error.strerror or error}") from error


def write_json(value: object) -> None:
    """Write a value as JSON to standard output."""
    text = json.dumps(as_json(value), ensure_ascii=False, indent=2)
    write_data(visible_json(text + "\n"))


def as_json(value: Any) -> Any:
    """The value with named tuples and dataclasses, at any depth, converted to dictionaries."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif is_dataclass(value):
        value = {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list | tuple) else value
