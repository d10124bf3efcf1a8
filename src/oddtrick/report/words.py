"""Wording for messages and accounts: numbers, calls, declarations, verdicts, lists."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from oddtrick.cards import Side
from oddtrick.judge import CallName, Json, Missing
from oddtrick.law.book import book
from oddtrick.law.names import and_words
from oddtrick.law.rules import Rules

CALLERS = ("Dealer", "Second hand", "Third hand", "Fourth hand")
"""The players in the order in which they call, if it is not known who dealt."""

DOUBLED = ("", "doubled", "redoubled")

VERDICTS = {"legal": "in order"}
"""The words for verdicts whose id is not used in sentences."""


def number_words(number: int, one: str, many: str | None = None) -> str:
    """A number of things: `1 trick`, `3 tricks`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def denomination_words(
    denomination: str | None, number: int | None, law: Rules | None = None
) -> str:
    """A denomination as used after a number: `heart` after 1, otherwise `hearts`."""
    name = denomination or ""
    found = (law.denomination(name) if law else None) or book().denominations.get(name)
    if found is None:
        return denomination or "nothing"
    return found.one if number == 1 else found.label


def bid_words(odd_tricks: int | None, denomination: str | None, law: Rules | None = None) -> str:
    """A bid in words: `2 hearts`, `1 no-trump`; a make is only its denomination."""
    words = denomination_words(denomination, odd_tricks, law)
    return words if odd_tricks is None else f"{odd_tricks} {words}"


def declaration_words(
    odd_tricks: int | None, denomination: str | None, doubled: int, law: Rules | None = None
) -> str:
    """A declaration in words: `4 spades redoubled`; in Bridge `hearts (doubled 3 times)`."""
    return bid_words(odd_tricks, denomination, law) + doubled_words(doubled)


def doubled_words(doubled: int) -> str:
    """The degree of doubling after a declaration, with a space before it: ` doubled`, or ` (doubled
    3 times)`, since `hearts doubled 3 times by South` would say that South doubled.
    """
    degree = degree_words(doubled)
    return f" ({degree})" if doubled >= len(DOUBLED) else f" {degree}".rstrip()


def degree_words(doubled: int) -> str:
    """The degree of doubling: empty, `doubled`, `redoubled` or `doubled 3 times`."""
    return DOUBLED[doubled] if doubled < len(DOUBLED) else f"doubled {doubled} times"


def verdict_words(verdict: str) -> str:
    """A verdict in words: `in order`, `irregular`, `unreadable`."""
    return VERDICTS.get(verdict, verdict)


MISSING = {
    "tricks": "how many tricks were taken",
    "honours": "which honours were held",
    "honours-split": "how the {number} honours of {side} were divided",
    "honours-value": "the value of the {number} honours of {side} ({laws})",
    "chicane": "whether a hand held no trump",
    "trick-score": "what the trick score was before the deal",
    "games": "which games had been won before the deal",
    "vulnerable": "whether the declaring side is vulnerable",
    "declarer": "who the declarer is",
}
"""The facts that an account may lack, by id."""


def missing_words(missing: Iterable[Json]) -> list[str]:
    """The missing facts of an account, each in words."""
    return [
        MISSING[m["fact"]].format(
            side=Side(m["side"]).title if "side" in m else "",
            number=m.get("honours"),
            laws=", ".join((*m.get("laws", ()), *m.get("readings", ()))),
        )
        for m in missing
    ]


STATEMENTS = {
    "tricks": "`result 9 tricks`",
    "honours": "`honours north-south 4`, or `honours north-south 0` if nobody held any",
    "honours-split": "`honours {side} {number} in one hand`",
    "chicane": "`chicane north`",
    "trick-score": "`standing trick north-south 20`",
    "games": "`standing games north-south 1`",
    "vulnerable": "`standing games north-south 1`",
    "declarer": "`declaration 4 spades by south`",
}
"""An example of the statement of the notation that supplies each fact an account lacks."""


def missing_json(missing: Missing) -> Json:
    """A fact that an account lacks, in the JSON of a check."""
    if missing.side is None:
        return {"fact": missing.fact}
    out = {"fact": missing.fact, "side": missing.side.value, "honours": missing.number}
    if missing.laws:
        out |= {"laws": list(missing.laws), "readings": list(missing.readings)}
    return out


def to_write(missing: Iterable[Json]) -> str:
    """Missing facts, each with an example of its statement; facts with the same example share it.

    For example: `how many tricks were taken (write, for example, `result 9 tricks`)`.
    """
    facts: dict[str, list[str]] = {}
    for one in missing:
        statement = STATEMENTS.get(one["fact"])
        if statement:
            side = Side(one["side"]).word if "side" in one else ""
            statement = statement.format(side=side, number=one.get("honours"))
        example = f" (write, for example, {statement})" if statement else ""
        facts.setdefault(example, []).extend(missing_words([one]))
    return and_words((and_words(words, "or") + example for example, words in facts.items()), "or")


def team_words(team: Json) -> str:
    """A team with its result: `Blues 312, which is 8 above the average of the teams`."""
    return f"{team['name']} {team_result(team)}"


def team_result(team: Json) -> str:
    """The result of a team: its points, with those for its odd pair, and its margin."""
    figures = team["total"], team["odd_pair"], team["against_average"]
    total, odd, beside = map(Fraction, figures)
    added = f" (including {points_words(odd)} for the odd pair)" if odd else ""
    margin = f"{points_words(abs(beside))} {'below' if beside < 0 else 'above'}"
    compared = f"{margin if beside else 'equal to'} {AGAINST[team['against']]}"
    return f"{points_words(total)}{added}, which is {compared}"


AGAINST = {
    "from-the-average": "the average of the teams",
    "from-the-best-other": "the best of the other teams",
}
"""The standard against which a team is measured, by the code's way of deciding a match."""


def points_words(points: Fraction) -> str:
    """Points as printed: `12`, `12 1/2`."""
    units, rest = divmod(abs(points), 1)
    sign = "-" if points < 0 else ""
    return sign + (f"{units} {rest}" if units and rest else str(rest or units))


CALLS = {
    "bid": "bids {}",
    "pass": "passes",
    "double": "doubles",
    "redouble": "redoubles",
    "challenge": "challenges",
}
"""The verb for each kind of call; for any other, `says`."""


def calling_words(call: CallName, law: Rules | None = None) -> str:
    """A call as a verb: `bids 2 hearts`, `passes`."""
    return CALLS.get(call.kind, "says “{}”").format(call_words(call, law))


def call_words(call: CallName, law: Rules | None = None) -> str:
    """A call in words, as said at the table."""
    if call.kind == "bid":
        return bid_words(call.odd_tricks, call.denomination, law)
    if call.kind == "make":
        return f"make {denomination_words(call.denomination, None, law)}"
    return {"all-pass": "all pass", "unrecorded": "…", "may-i-lead": "May I lead?"}.get(
        call.kind, call.kind.replace("-", " ")
    )
