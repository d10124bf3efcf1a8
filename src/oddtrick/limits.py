"""Every limit of the program, with what is said beyond it; `docs/faults.md` has the same table."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """How much of something is taken, and what is said of more; `{most}` stands for the number.

    Where a limit is passed in silence, `beyond` says in brackets what happens.
    """

    of: str
    most: int
    beyond: str

    def message(self, **named: object) -> str:
        """What is said beyond the limit, with what else the message names."""
        return self.beyond.format(most=f"{self.most:,}", **named)


BY_CODE = 0
"""The number of a limit that each code has for itself."""

# --- what is read and written ---------------------------------------------------------------------

HELD = Limit(
    "bytes of a file in `.hand`, of a book, of law data, of standard input without `--from`",
    50_000_000,
    "This has more than {most} bytes; PBN and LIN may be longer, in a file.",
)
WRITTEN = Limit(
    "characters that `convert` writes",
    50_000_000,
    "{name}: not converted, for the result would have more than {most} characters.",
)
SHOWN = Limit(
    "bytes of a file whose lines are shown", 20_000_000, "(findings are shown without their lines)"
)
ARGUMENT = Limit(
    "characters of an argument of a command",
    4_096,
    "An argument has at most {most} characters; this one has {length}.",
)
WORDS = Limit(
    "characters of a question, a citation or a contract",
    2_000,
    "A question, a citation or a contract has at most {most} characters; this one has {length}.",
)
ANSWER = Limit("characters of an answer to `ruling --ask`", 10_000, "(the answers end there)")
COPY = Limit("bytes of a book of one's own", 5_000_000, "{name} has more than {most} bytes.")
PAGE = Limit(
    "characters of a record in a page",
    2_000_000,
    "That record is too long for this page: use `oddtrick check` on the command line.",
)

# --- our own notation -----------------------------------------------------------------------------

LINE = Limit(
    "characters of a line in `.hand`",
    50_000,
    "This line has {length} characters; lines of more than {most} are not read.",
)
RESPELLED = Limit(
    "characters of a line in `.hand` that is respelled", 500, "(the line is reported as it is)"
)
IN_DEAL = Limit("places of a deal that are reported", 5, "(the rest of the deal is left)")
IN_FILE = Limit(
    "places of a file that are reported",
    1_000,
    "So much of this file cannot be read that the rest was left.",
)
FOR_ALL = Limit(
    "options, readings and tags for all deals of a file or a rubber",
    200,
    "A {scope} states {most} things at most for all its deals.",
)
SHARED = Limit(
    "characters that a record takes over from its file, its rubber or the records before it",
    5_000,
    "A record takes over at most {most} characters; {name} is not taken over.",
)
FACTS = Limit("facts of one `when`", 50, "A `when` states at most {most} facts.")
NUMBER = Limit(
    "a number in a record or a contract", 999_999, "A number in a record is at most {most}."
)
IN_CALL = Limit("a number in a bid", 99, "A number in a bid is at most {most}.")

# --- PBN and LIN ----------------------------------------------------------------------------------

PBN_LINE = Limit(
    "characters of a line in PBN", 1 << 16, "A line of more than {most} characters was left out."
)
PBN_RECORD = Limit(
    "characters of a record in PBN",
    1 << 18,
    "A record of more than {most} characters was cut; the rest of it was left out.",
)
PBN_COMMENTS = Limit(
    "comments in PBN without a record",
    2_000,
    "Here is a long stretch of comments without a record; it was left out.",
)
PBN_TAGS = Limit("tags of PBN that later records take over", 500, "(no more are remembered)")
PBN_SAME = Limit(
    "findings of one kind in a record in PBN", 25, "There is more of the same kind in this record."
)
LIN_VALUE = Limit(
    "characters of a value in LIN", 1 << 16, "(the words up to the next command are reported)"
)
LIN_BOARD = Limit(
    "characters of a board in LIN", 1 << 18, "A board of more than {most} characters was cut."
)
LIN_DEALS = Limit("boards of LIN that the other room takes over", 1_000, "(no more are remembered)")

# --- judging --------------------------------------------------------------------------------------

JUDGED = Limit(
    "cards, claims, irregularities or calls in a deal",
    1_000,
    "The deal has {size} calls, cards or irregularities of one kind; "
    "of more than {most} none is judged.",
)
CALLS = Limit(
    "calls of a deal where there are bids: all of them, each doubled as often as may be, "
    "with the passes between",
    BY_CODE,
    "The deal has {size} calls. An auction under {code} has at most {longest}: {bids} bids, "
    "with their doublings and the passes between.",
)
TRIALS = Limit(
    "trials of statements, each times 50 and the calls, cards, claims and irregularities",
    15_000,
    "there are so many that it was not tried which of them matter",
)

LIMITS = tuple(v for v in list(globals().values()) if isinstance(v, Limit))
"""All of them, in their order."""
