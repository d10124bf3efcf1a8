"""What is said of a line that cannot be read: what was expected there, in the words of the game.

The messages and malformed lines for each stand in `hand.messages` beside the grammar. The parser
stops on each of those lines in some state; a line that stops it in the same state, or where the
same words are expected, gets the same message. The tests read the same table.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any

from lark import Lark, UnexpectedInput

from oddtrick.paths import folder
from oddtrick.record.hand.words import SECTIONS, Malformed
from oddtrick.record.model import Place


@cache
def malformed() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The messages of `hand.messages`, each with its malformed pieces of a file."""
    table: list[tuple[str, list[str]]] = []
    for line in (folder("grammar") / "hand.messages").read_text("utf-8").split("\n"):
        if line.startswith("    "):
            table[-1][1].append(line.strip().replace(" | ", "\n"))
        elif line and line[0] != "#":
            table.append((line, []))
    return tuple((message, tuple(pieces)) for message, pieces in table)


NEITHER = {
    "statement_line": "not the word of a statement",
    "hand_line": "neither a seat nor the word of a statement",
    "call_line": "neither a call nor the word of a statement",
    "trick_line": "neither a card nor the word of a statement",
}
"""What is said of an unknown word at the beginning of a line."""
NOT_CLOSED = "These quotation marks are not closed on the line."
BACKSLASH = 'Between quotation marks a backslash stands only before `"`, `\\` and `n`.'
WORD_BEFORE = re.compile(r'("(?:\\.|[^"\\])*"|“[^”]*”|[^\s,"]+)[\s,]*$')
STRETCH = re.compile(r"[^\s,\"#]+|.")


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the parser stopped: its states, innermost last, what it expected, what it met."""

    states: tuple[Hashable, ...]
    expected: frozenset[str]
    met: str

    @classmethod
    def of(cls, error: UnexpectedInput) -> Stop:
        """The stop of an error. What was complete is taken as read, whatever was to follow."""
        state: Any = error.state
        table = state.parse_conf.parse_table.states
        states = list(state.state_stack)
        while True:
            actions = {w: a for w, a in table[states[-1]].items() if w.isupper() or w == "$END"}
            rules = {rule for _, rule in actions.values()}
            if len(rules) != 1 or not hasattr(rule := rules.pop(), "expansion"):
                break
            del states[len(states) - len(rule.expansion) :]
            states.append(table[states[-1]][rule.origin.name][1])
        token = getattr(error, "token", None)
        met = token.type if token is not None else getattr(error, "char", "")
        return cls(tuple(states), frozenset(actions), met)

    def likeness(self, other: Stop) -> tuple[bool, bool, int, bool]:
        """How much another stop is like this one: its state, the words expected, the way there."""
        pairs = zip(reversed(self.states), reversed(other.states), strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return (shared > 0, self.expected == other.expected, shared, self.met == other.met)


@cache
def stops(parser: Lark) -> tuple[tuple[Stop, str], ...]:
    """Every malformed piece of the table as the parser's stop, with its message."""
    return tuple(
        (_stop_of(piece, parser), message) for message, pieces in malformed() for piece in pieces
    )


def _stop_of(piece: str, parser: Lark) -> Stop:
    """Where the parser stops in the last line of a malformed piece of a file."""
    *before, last = piece.split("\n")
    try:
        parser.parse(last, start=SECTIONS[before[0]] if before else "statement_line")
    except UnexpectedInput as error:
        return Stop.of(error)
    raise AssertionError(f"{piece!r} is not malformed")


def explained(
    error: UnexpectedInput, text: str, line: int, start_rule: str, parser: Lark
) -> Malformed:
    """The words for a line on which the parser stopped."""
    stop = Stop.of(error)
    start, end = _stretch(error, text)
    place = Place(line, start + 1, line, end + 1)
    if text[start : start + 1] in ('"', "“") and stop.met != "STRING":
        closed = re.match(r'"(?:\\.|[^"\\])*"', text[start:])
        wrong = re.search(r'\\(?!["\\n])', re.sub(r'\\["\\n]', "  ", closed[0])) if closed else None
        at = start + wrong.start() if wrong else start
        said, place = BACKSLASH if wrong else NOT_CLOSED, Place(line, at + 1, line, at + 2)
        return Malformed("notation.syntax", said, place)
    met = text[start:end]
    guess = _nearest(met, stop, parser) if stop.met == "WORD" else ""
    if len(stop.states) == 1 and stop.met == "WORD":
        said = f"`{met[:40]}` is {NEITHER[start_rule]}"
        said += f": did you mean `{guess}`?" if guess else "."
        return Malformed("notation.unknown-word", said, place, guess)
    message = _message(stop, parser).replace("{word}", _word_before(text[:start]))
    message += f" Did you mean `{guess}`?" if guess else ""
    return Malformed("notation.syntax", message, place)


def _message(stop: Stop, parser: Lark) -> str:
    # Of several that are equally like, `max` takes the first of the table.
    known, message = max(stops(parser), key=lambda known: stop.likeness(known[0]))
    return message if any(stop.likeness(known)[:2]) else "This cannot stand here."


def _stretch(error: UnexpectedInput, text: str) -> tuple[int, int]:
    """From where to where in the line the parser met what it could not use."""
    token = getattr(error, "token", None)
    if token is not None and token.type == "$END":
        end = (token.end_column or 1) - 1
        return end, end + 1
    start = (error.column or 1) - 1
    if token is not None:
        return start, start + len(token)
    found = STRETCH.match(text, start)
    return start, found.end() if found else start + 1


def _word_before(text: str) -> str:
    found = WORD_BEFORE.search(text[-200:])
    return found[1] if found else ""


def _nearest(word: str, stop: Stop, parser: Lark) -> str:
    if len(word) > 30:
        return ""
    named = [t.pattern for t in parser.terminals if t.name in stop.expected]
    known = {p.value.lower() for p in named if p.type == "str" and len(p.value) > 2}
    return next(iter(difflib.get_close_matches(word.lower(), sorted(known), 1, 0.65)), "")
