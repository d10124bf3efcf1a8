"""One line of a `.hand` file as one statement, by the grammar in `hand.lark`.

A line is read by itself; what may stand on it depends on the section, which is the start symbol:
`statement_line`, `hand_line`, `call_line` or `trick_line`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lark import Lark, Token, UnexpectedInput

from oddtrick.law.paths import folder
from oddtrick.record.hand.errors import Stop, explained
from oddtrick.record.hand.tokens import SECTIONS, Statement
from oddtrick.record.hand.values import statement

STARTS = ("statement_line", *SECTIONS.values())


LOOK_ALIKES = str.maketrans({"ſ": "s", "\N{KELVIN SIGN}": "k", "İ": "i", "ı": "i"})


class _WordFirst:
    """Offers WORD to the lexer everywhere, so that an unknown word is taken whole and never cut into pieces.

    Four letters of Unicode match an ASCII letter where capitals do not count: in words of the grammar they are it.
    """

    always_accept = ("WORD",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens as they come, the words of the grammar in ASCII letters."""
        for token in stream:
            named = token.isascii() or token.type in ("WORD", "STRING")
            yield token if named else token.update(value=token.translate(LOOK_ALIKES))


@cache
def parser(strict: bool = False) -> Lark:
    """The parser of one line, made once."""
    return Lark(
        (folder("grammar") / "hand.lark").read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        postlex=_WordFirst(),
        propagate_positions=True,
        maybe_placeholders=False,
        strict=strict,
    )


def parse_line(text: str, line: int, start: str) -> Statement:
    """The statement on a line. Raises `Unreadable` with the words for the reader and the place."""
    try:
        tree = parser().parse(text, start=start)
    except UnexpectedInput as error:
        raise explained(error, text, line, start, parser()) from None
    return statement(tree, line)


def stop_of(piece: str) -> Stop:
    """Where the parser stops in the last line of a malformed piece of a file."""
    *before, last = piece.split("\n")
    start = SECTIONS[before[0]] if before else "statement_line"
    try:
        parser().parse(last, start=start)
    except UnexpectedInput as error:
        return Stop.of(error)
    raise AssertionError(f"{piece!r} is not malformed")
