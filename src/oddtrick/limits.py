"""All limits of the program, with their messages; `docs/faults.md` has the same table."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """A limit; `beyond` is the message, in which `{most}` is the number.

    If the program prints no message, `beyond` states in brackets what happens.
    """

    of: str
    most: int
    beyond: str

    def message(self, **named: object) -> str:
        """The message for input beyond the limit; `named` holds the other values in it."""
        return self.beyond.format(most=f"{self.most:,}", **named)


HELD = Limit(
    "bytes of a `.hand` or LIN file, of a law-data file, or of standard input without `--from`",
    50_000_000,
    "The input has more than {most} bytes; only a PBN file may be longer.",
)  # fmt: skip
WRITTEN = Limit(
    "characters of the tags that `convert` writes", 50_000_000,
    "{name} was not converted: the result would have more than {most} characters.",
)  # fmt: skip
AT_ONCE = Limit("bytes of a PBN file read at once", 20_000_000, "(a longer file is streamed)")
ARGUMENT = Limit(
    "characters of an argument", 4_096,
    "An argument has at most {most} characters; this one has {length}.",
)  # fmt: skip
WORDS = Limit(
    "characters of a question, a citation or a contract", 2_000,
    "A question, a citation or a contract has at most {most} characters; this one has {length}.",
)  # fmt: skip
COPY = Limit("bytes of an attached book", 5_000_000, "{name} has more than {most} bytes.")
PAGE = Limit(
    "characters of a record on a web page", 2_000_000,
    "That record is too long for this page: use `oddtrick check` on the command line.",
)  # fmt: skip
LINE = Limit(
    "characters of a line in `.hand`", 50_000,
    "This line has {length} characters; lines of more than {most} are not read.",
)  # fmt: skip
RESPELLED = Limit(
    "characters of a line that is corrected", 500, "(a longer line is reported uncorrected)"
)
IN_DEAL = Limit("unreadable places reported per deal", 5, "(the rest of the deal is skipped)")
IN_FILE = Limit(
    "unreadable places reported per file", 1_000,
    "This file has too many unreadable places; the rest was skipped.",
)  # fmt: skip
FOR_ALL = Limit(
    "options, readings and tags for all deals of a file or a rubber", 200,
    "A {scope} may state at most {most} options, readings and tags for all its deals.",
)  # fmt: skip
SHARED = Limit(
    "characters that a record inherits from its file, its rubber or earlier records", 5_000,
    "A record inherits at most {most} characters; {name} was not inherited.",
)  # fmt: skip
FACTS = Limit("facts of one `when`", 50, "A `when` may state at most {most} facts.")
NUMBER = Limit("a number in a record", 999_999, "A number in a record is at most {most}.")
IN_CALL = Limit("a number in a bid", 99, "A number in a bid is at most {most}.")
PBN_LINE = Limit("bytes of a line in PBN", 1 << 16, "(a longer line is divided)")
PBN_RECORD = Limit(
    "characters of a record in PBN", 1 << 18,
    "A record of more than {most} characters was cut short; the rest was skipped.",
)  # fmt: skip
PBN_TAGS = Limit("PBN tags that later records may inherit", 500, "(no more are remembered)")
PBN_SAME = Limit(
    "findings of one kind in a PBN record",
    25,
    "This record contains more findings of the same kind.",
)
LIN_VALUE = Limit(
    "characters of a value in LIN", 1 << 16, "(a longer value is reported as not a command)"
)
LIN_DEALS = Limit("LIN boards remembered for the other room", 1_000, "(no more are remembered)")
JUDGED = Limit(
    "cards, claims, irregularities or calls in a deal", 1_000, "The deal has {size} calls, "
    "cards, claims or irregularities; a deal with more than {most} of one of these is not judged.",
)  # fmt: skip
TRIALS = Limit(
    "trials of statements times the size of the deal (its calls, cards, claims and "
    "irregularities, plus 50)", 15_000,
    "there are too many statements to test which ones matter",
)  # fmt: skip

LIMITS = tuple(v for v in list(globals().values()) if isinstance(v, Limit))
"""All limits, in order of definition."""
