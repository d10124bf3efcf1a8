"""The wording of the judge's messages: a sentence for each message id, and formats of its data.

A sentence is a template, or a function if a template is not enough. In a template, `{trick}` is a
value in words, `{number:trick}` a number of things (`1 trick`), `{call:calls}` a form of `FORMS`,
`{code}` the code in force, and `{how}` how a contract is stated in words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import chain, repeat
from pathlib import Path
from string import Formatter
from typing import Any

from oddtrick.cards import Seat, Side, Suit
from oddtrick.judge import Caller, CallName, Entry, Final, Message, Missing
from oddtrick.law.book import column_name
from oddtrick.law.model import Remedy
from oddtrick.law.names import and_words
from oddtrick.law.rules import Rules
from oddtrick.limits import JUDGED, NUMBER, TRIALS, WORDS
from oddtrick.report.words import (
    CALLERS,
    call_words,
    calling_words,
    declaration_words,
    degree_words,
    denomination_words,
    doubled_words,
    missing_json,
    missing_words,
    number_words,
    team_result,
    to_write,
)
from oddtrick.rulings.engine import catalogue, chooser
from oddtrick.rulings.words import (
    presumed_words,
    reading_words,
    ruling_words,
    upper,
    when_words,
    with_offender,
)


class Wording(Formatter):
    """Puts the messages of a check into words, under its law."""

    def __init__(self, law: Rules | None, sides: Mapping[Side, str] | None = None) -> None:
        """`sides` names the sides, unless they are called by their seats."""
        self.law, self.sides = law, sides or {side: side.title for side in Side}

    def say(self, message: Message) -> str:
        """A message in words."""
        sentence, data = SENTENCES[message.id], dict(message.data)
        if not isinstance(sentence, str):
            return sentence(self, **data)
        code = self.law.short if self.law else ""
        how = _DATA["how"]["made" if self.law and self.law.has("making") else "bid"]
        return self.vformat(sentence, (), {"code": code, "how": how, **data})

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value of a message in words."""
        if not format_spec:
            return self.words(value)
        form = FORMS.get(format_spec)
        return form(self, value) if form else number_words(value, format_spec)

    def words(self, value: object) -> str:
        """A value in words: `North`, `North and South`, `hearts`, `2 hearts`, `a, b and c`."""
        words = TYPES.get(type(value))
        return words(self, value) if words else str(value)

    def column(self, column: str) -> str:
        """The code's name for a column of the score."""
        return column_name(column, self.law.code if self.law else None)


OTHER = {"cards": "different cards", "dealer": "a different dealer"}
"""Differences between deals of the same tray."""

Words = Callable[[Wording, Any], str]

TYPES: Mapping[type, Words] = {
    Side: lambda by, side: by.sides[side],
    Seat: lambda _, seat: seat.title,
    Caller: lambda _, caller: CALLERS[caller.place],
    Suit: lambda _, suit: suit.word,
    CallName: lambda by, call: call_words(call, by.law),
    Final: lambda by, final: declaration_words(
        final.odd_tricks or None, final.denomination, final.doubled, by.law
    ),
    Message: Wording.say,
    Remedy: lambda _, remedy: remedy.words,
    Missing: lambda _, missing: missing_words([missing_json(missing)])[0],
    tuple: lambda by, values: and_words(map(by.words, values)),
}
"""How values of a message are put into words, by type."""

FORMS: Mapping[str, Words] = {
    "label": lambda _, irregularity: catalogue()[irregularity].label,
    "quoted": lambda _, irregularity: f"“{catalogue()[irregularity].label}”",
    "agent": lambda _, player: _agent(player),
    "by": lambda by, final: by.words(final) + _agent(final.declarer) + ", bridged" * final.bridged,
    "calls": lambda by, call: calling_words(call, by.law),
    "degree": lambda _, times: degree_words(times) or "undoubled",
    "doubled": lambda _, times: doubled_words(times),
    "denomination": lambda by, name: denomination_words(name, None, by.law),
    "chicane": lambda _, hands: "double chicane" if hands == 2 else "chicane",
    "column": Wording.column,
    "sides": lambda by, sides: "both sides" if len(sides) == 2 else by.words(sides) or "nobody",
    "or": lambda by, values: and_words(map(by.words, values), "or"),
    "depending": lambda _, values: "depending on" if len(values) > 1 else "whatever",
    "to-write": lambda _, missing: to_write(map(missing_json, missing)),
    "other": lambda _, parts: (
        " and ".join(OTHER[part] for part in parts) or " or ".join(OTHER.values())
    ),
    "names": lambda _, names: and_words(f"`{name}`" for name in names),
    "upper": lambda _, words: upper(words),
    "choosers": lambda _, who: and_words(
        chooser(one).who for one in (who if isinstance(who, tuple) else (who,))
    ),
    "rulings": lambda by, rulings: ". ".join(
        (upper if number else str)(_given(by, gives)) for number, gives in enumerate(rulings)
    ),
}
"""The forms that a sentence may name after a colon; any other word is the thing counted."""


# --- sentences that need a function ---------------------------------------------------------------


def _silent(by: Wording, rule: str) -> str:
    assert by.law
    return by.law.silent.get(rule) or f"{by.law.short} has no law on this point."


def _given(_: Wording, gives: Any) -> str:
    """A ruling, preceded by the facts on which it rests."""
    rests = _rests(gives)
    return (rests and f"{rests}, ") + ruling_words(gives.ruling)


def _rests(gives: Any) -> str:
    """The facts on which a ruling rests: `if the player is dummy`, `assuming that ...`."""
    presumed = tuple(pair for when in gives.presumed for pair in when)
    rests = when_words(gives.ruling.when) if gives.possible else presumed_words(presumed)
    return with_offender(rests, ruling_words(gives.ruling))


def _would_be_given(
    _: Wording, irregularity: str, offender: Seat | None, gives: tuple[Any, ...]
) -> str:
    """The rulings on an irregularity, one to a line; only the first line names it."""
    named = f"the ruling on “{catalogue()[irregularity].label}”{_agent(offender)}"
    subjects = chain([named], repeat("it"))
    rests = (f"{facts}, " if (facts := _rests(g)) else "" for g in gives)
    return "\n".join(
        f"{upper(facts + subject)} would be: {ruling_words(g.ruling)}."
        for g, subject, facts in zip(gives, subjects, rests, strict=False)
    )


def _agent(player: Seat | None) -> str:
    """The player who did something, with a space before it: ` by North`."""
    return f" by {player.title}" if player else ""


def in_hands(number: int, in_one_hand: int | None) -> str:
    """How a side's honours were split, to follow their number: `, 4 in one hand`."""
    if in_one_hand is None:
        return ""
    if in_one_hand == number:
        return " in one hand"
    return " in two hands" if in_one_hand < 4 else f", {in_one_hand} in one hand"


def _honours_held(_: Wording, number: int, in_one_hand: int | None) -> str:
    """The honours of a side: `4 honours, all in one hand`."""
    if number == 0:
        return "no honours"
    honours = number_words(number, "honour")
    if in_one_hand is None or number < 3:
        return honours
    return f"{honours}, {'all' if in_one_hand == number else in_one_hand} in one hand"


def _revoke(by: Wording, player: Seat, dummy: bool, leader: Seat | None, **cards: Any) -> str:
    who = f"Dummy ({player.title})" if dummy else player.title
    led = f"{leader.title}'s {cards['led']}" if leader else str(cards["led"])
    return f"{who} plays {cards['card']} on {led}, though he holds {by.words(cards['could'])}."


def _column_differs(
    by: Wording, side: Side, column: str, points: int, due: int, entries: tuple[Entry, ...]
) -> str:
    reasons = [(e.points, ", ".join(map(by.say, e.reason))) for e in entries]
    detail = "; ".join(reason if [n] == [due] else f"{n} ({reason})" for n, reason in reasons)
    given = f"The record gives {by.words(side)} {points} in the {by.column(column)}"
    return f"{given}, but the law gives {due}" + (f": {detail}." if detail else ".")


_DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

WHY: Mapping[str, str] = _DATA["why"] | {"too-many": TRIALS.beyond}
"""Why a statement is not used, by the id of the reason."""

STATED = {
    "below": "score below the line",
    "dealers_first": "dealer's first declaration",
    "games": "games won",
    "number": "number of odd tricks",
}
"""Labels for those facts of a contract whose ids cannot be shown to readers."""

SENTENCES: Mapping[str, str | Callable[..., str]] = {
    **{name: words for group in _DATA["sentences"].values() for name, words in group.items()},
    "silent": _silent,
    "given": _given,
    "would-be-given": _would_be_given,
    "read-as": lambda _, readings: "\nand ".join(reading_words(*one) for one in readings),
    "sums": lambda by, **points: (
        ", and ".join(
            f"{by.words(Side(side))} {'' if n else 'would score '}{number}"
            for n, (side, number) in enumerate(points.items())
        )
        + "."
    ),
    "columns": lambda by, side, **points: (
        f"{by.words(side)} would score "
        + and_words(f"{number} in the {by.column(name)}" for name, number in points.items())
        + "."
    ),
    "team": lambda _, **team: f"{team['name']} would have {team_result(team)}.",
    "honours": lambda _, number, in_one_hand: f"{number} honours{in_hands(number, in_one_hand)}",
    "aces": lambda _, number, in_one_hand: f"{number} aces{in_hands(number, in_one_hand)}",
    "too-much": lambda _, **named: JUDGED.message(**named),
    "play-in-part": lambda _, tricks: (
        "The play is recorded only in part, with "
        + (number_words(tricks, "complete trick") if tricks else "no complete trick")
        + "."
    ),
    "not-used": lambda by, reason: WHY[reason].format(code=by.law.short if by.law else ""),
    "stated-twice": lambda _, words, what: (
        f"`{words}` is read as the {STATED.get(what, what)}, but another part of the words says "
        "otherwise; keep only one of them."
    ),
    "too-many-words": lambda _, length: WORDS.message(length=f"{length:,}"),
    "number-too-long": lambda _: NUMBER.message(),
    "stated-seat": lambda _, word, seat: f"{word} {seat.word}",
    "stated-voids": lambda _, seat, suits: (
        f"{seat.word} {' '.join(f'{suit.word} -' for suit in suits)}"
    ),
    "stated-figures": lambda _, word, **of: " ".join(
        [
            word,
            *(f"{Side(side).word} {number}" for side, number in of.items() if number is not None),
        ]
    ),
    "stated-claim": lambda _, seat, verb, tricks, part="": (
        f"{seat.word} {verb} {'the rest' if tricks is None else tricks}{part and f': {part}'}"
    ),
    "revoke": _revoke,
    "counts-from-contract": lambda _, kind, number: (
        f"`{kind} {number}` means {number_words(number, 'trick')}"
        f" {'more' if kind == 'made' else 'fewer'} than declared."
    ),
    "honours-held": _honours_held,
    "column-differs": _column_differs,
}
"""The sentence for each id; the templates are in `messages.json`."""
