"""The wording of the judge's messages: a sentence for each message id, and formats of its data.

A sentence is a template, or a function if a template is not enough. In a template, `{trick}` is a
value in words, `{number:trick}` a number of things (`1 trick`), `{call:calls}` a form of `FORMS`,
and `{code}` the code in force.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from oddtrick.cards import Seat, Side, Suit
from oddtrick.judge import CallName, Entry, Final, Message, Missing
from oddtrick.law.book import book, column_name
from oddtrick.law.model import Remedy, written
from oddtrick.law.names import and_words
from oddtrick.law.rules import Rules
from oddtrick.limits import CALLS, JUDGED, NUMBER, TRIALS, WORDS
from oddtrick.report.words import (
    call_words,
    calling_words,
    declaration_words,
    denomination_words,
    doubled_words,
    missing_words,
    number_words,
    team_words,
)
from oddtrick.rulings.engine import catalogue, chooser
from oddtrick.rulings.words import presumed_words, ruling_words, when_words


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
        return self.vformat(sentence, (), {"code": self.law.short if self.law else "", **data})

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
        return column_name(column, self.law.code if self.law else "")


OTHER = {"cards": "other cards", "dealer": "another dealer"}
"""Differences between deals of the same tray."""

Words = Callable[[Wording, Any], str]

TYPES: Mapping[type, Words] = {
    Side: lambda by, side: by.sides[side],
    Seat: lambda _, seat: seat.title,
    Suit: lambda _, suit: suit.word,
    CallName: lambda by, call: call_words(call, by.law),
    Final: lambda by, final: declaration_words(
        final.odd_tricks or None, final.denomination, final.doubled, by.law
    ),
    Message: Wording.say,
    Remedy: lambda _, remedy: remedy.words,
    Missing: lambda by, missing: missing_words([missing.as_json(by.say)])[0],
    tuple: lambda by, values: and_words(map(by.words, values)),
}
"""How values of a message are put into words, by type."""

FORMS: Mapping[str, Words] = {
    "label": lambda _, irregularity: catalogue()[irregularity].label,
    "quoted": lambda _, irregularity: f"“{catalogue()[irregularity].label}”",
    "agent": lambda _, player: f" by {player.title}" if player else "",
    "by": lambda by, final: (
        by.words(final) + FORMS["agent"](by, final.declarer) + ", bridged" * final.bridged
    ),
    "calls": lambda by, call: calling_words(call, by.law),
    "degree": lambda _, times: doubled_words(times).strip() or "undoubled",
    "doubled": lambda _, times: doubled_words(times),
    "denomination": lambda by, name: denomination_words(name, None, by.law),
    "chicane": lambda _, hands: "double chicane" if hands == 2 else "chicane",
    "column": Wording.column,
    "sides": lambda by, sides: "both sides" if len(sides) == 2 else by.words(sides) or "nobody",
    "or": lambda by, values: " or ".join(by.words(values).rsplit(" and ", 1)),
    "other": lambda _, parts: (
        " and ".join(OTHER[part] for part in parts) or " or ".join(OTHER.values())
    ),
    "names": lambda _, names: and_words(f"`{name}`" for name in names),
    "upper": lambda _, words: words[:1].upper() + words[1:],
    "choosers": lambda _, who: and_words(
        chooser(one).who for one in (who if isinstance(who, tuple) else (who,))
    ),
    "rulings": lambda _, rulings: "; or ".join(map(ruling_words, rulings)),
}
"""The forms that a sentence may name after a colon; any other word is the thing counted."""


# --- sentences that need a function ---------------------------------------------------------------


def _silent(by: Wording, rule: str) -> str:
    """Why a code has no law for a finding."""
    assert by.law
    return by.law.silent.get(rule) or f"{by.law.short} has no law on it."


def _given(gives: Any) -> str:
    """What the law gives for a named irregularity, after the facts on which this rests."""
    presumed = tuple(pair for when in gives.presumed for pair in when)
    rests = when_words(gives.ruling.when) if gives.possible else presumed_words(presumed)
    return (rests and f"{rests}, ") + ruling_words(gives.ruling)


def _reading(_: Wording, reading: str, choice: str) -> str:
    """A reading as its question and the text of the choice."""
    of = book().reading(reading)
    text = next(c.text for c in of.choices if c.id == choice)
    return f"“{of.question}” is answered “{text.removesuffix('.')}” ({written(of.address, choice)})"


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


WHY = {
    "too-many": TRIALS.beyond,
    "in-match": "it matters only in a match",
    "in-rubber": "it counts only in a rubber",
    "of-a-board": "a duplicate board is not part of a rubber, so its score is not judged",
    "no-totals": "the totals of the rubber or match are not known",
    "no-team": "no team of that name plays in the match",
    "one-play": "no other play of it is recorded",
    "tray-tells": "the tray shows which deals are the same",
    "same": "the result would be the same without it or with any other value",
    "disproved": "the calls or cards disprove the irregularity",
    "no-irregularity": "the irregularity is not in the catalogue",
    "no-calls": "the dealer matters only to the calls, and none are recorded",
    "no-law": "no law of {code} depends on it",
    "hands-or-pack": "it matters only for an irregularity of the hands or the pack",
    "not-written": "cards that are not written cannot be judged",
    "auction-over": "it does not decide whether the auction is over",
    "no-card": "it concerns none of the cards that the player holds",
    "tricks-known": "the play after it is recorded, or the tricks cannot be counted",
    "dealt-anew": "the deal is void",
    "not-played": "the hand is not played",
    "no-final": "the final declaration is not known",
}
"""Why a statement is not used, by the id of the reason."""

HOW = (
    "write for example `4 hearts doubled, 11 tricks`, `3NT-2 vulnerable` or `four spades "
    "redoubled, just made`, and add `4 honours in one hand`, `chicane`, `a game each` or "
    "`20 below` if it applies."
)
"""Instructions for stating a contract in words."""

STATED = {"below": "score below the line", "dealers_first": "dealer's first declaration"}
"""Labels for the facts of a contract whose ids are not words."""

SENTENCES: Mapping[str, str | Callable[..., str]] = {
    "as-read": "{text}",
    "silent": _silent,
    "given": lambda by, gives: (
        f"{catalogue()[gives.irregularity].label}. {FORMS['upper'](by, _given(gives))}"
    ),
    "would-be-given": lambda _, gives: (
        f"the ruling on “{catalogue()[gives.irregularity].label}” is that {_given(gives)}"
    ),
    "counts-for-nothing": "It is void.",
    "stands": "The law lets it stand.",
    # What if
    "as-recorded": "the final declaration were {final} by {declarer}, as recorded",
    "right-used": lambda by, irregularity, offender, remedy: (
        f"the right that arose from “{catalogue()[irregularity].label}” by {offender.title} had "
        "been used" + (f", with the remedy “{by.words(remedy)}”" if remedy else "")
    ),
    "read-as": _reading,
    "final-would-be": lambda by, final: (
        f"{final.declarer.title} plays {by.words(final)}"
        if final.declarer
        else f"the final declaration is {by.words(final)}"
    ),
    "tricks-taken": "the declaring side takes {tricks:trick}",
    "sums": lambda by, **points: and_words(
        f"{by.words(Side(side))} score {number}" for side, number in points.items()
    ),
    "columns": lambda by, side, **points: (
        f"{by.words(side)} score "
        + and_words(f"{number} in the {by.column(name)}" for name, number in points.items())
    ),
    "team": lambda _, **team: f"the result is {team_words(team)}",
    "nothing-given": "the law provides no remedy for {rule}",
    "not-found": "{rule} is not reported",
    # Entries of an account, part by part
    "odd-tricks": "{tricks:odd trick} at {value}",
    "doubled": "{times:degree}",
    "vulnerable": "vulnerable",
    "invulnerable": "invulnerable",
    "tricks-moved": "{tricks:trick} moved for {irregularity:quoted}",
    "contract-made": "contract made",
    "overtricks": "{tricks:overtrick} at {value}",
    "undertricks": "{tricks:undertrick}",
    "limited": "limited to {most}",
    "limited-in-all": "limited to {most} in all",
    "slam": "{size} slam",
    "slam-bid-and-made": "{size} slam bid and made",
    "honours": lambda _, number, in_one_hand: f"{number} honours{in_hands(number, in_one_hand)}",
    "aces": lambda _, number, in_one_hand: f"{number} aces{in_hands(number, in_one_hand)}",
    "chicane-added": "{hands:chicane}, added",
    "chicane-deducted": "{hands:chicane} of {side}, deducted",
    "game-won": "game won",
    "games-won": "{games:game} won",
    "game-won-unfinished": "game won in an unfinished rubber",
    "retired": "{side} retire from a deal begun",
    "as-written": "written as {points}, which may no longer be corrected",
    "penalty": "penalty for {irregularity:quoted}",
    "not-scored": "not scored because of {irregularity:quoted}",
    "value-added": "the value of {tricks:trick} added for {irregularity:quoted}",
    "value-taken-off": "the value of {tricks:trick} deducted for {irregularity:quoted}",
    # Facts that the record lacks
    "no-code": (
        "The record names no code. Add a line such as `code auction-1912` to it, or choose a code "
        "for it (in the command with `--code`)."
    ),
    "unknown-code": "{why:upper}.",
    "code-not-judged": (
        "The checker does not judge {name} yet, but its laws can be read (`oddtrick law {code}`). "
        "It judges {codes}."
    ),
    "too-much": lambda _, **named: JUDGED.message(**named),
    "too-many-calls": lambda _, **named: CALLS.message(**named),
    "idle-choice": "The choice `{choice}` for {reading} has no effect on the judgement.",
    "no-play": "The play is not recorded.",
    "no-law-on-winning": (
        "Under this reading the law does not say which card wins, so the play is not judged."
    ),
    "play-without-declaration": (
        "The play was not checked, because the final declaration is not known."
    ),
    "play-without-declarer": "The play was not checked, because the declarer is not known.",
    "play-in-part": lambda _, tricks: (
        "The play is recorded only in part, with "
        + (number_words(tricks, "complete trick") if tricks else "no complete trick")
        + "."
    ),
    "hands-in-part": "Not all four hands are recorded; the cards were checked as far as possible.",
    "no-deal": "The score could not be checked, because a card is written twice.",
    "not-used": lambda by, reason: WHY[reason].format(code=by.law.short if by.law else ""),
    # A contract in words
    "stated-twice": lambda _, words, what: (
        f"`{words}` contradicts another statement of the {STATED.get(what, what)}; remove one of "
        "them."
    ),
    "too-many-words": lambda _, length: WORDS.message(length=f"{length:,}"),
    "number-too-long": lambda _: NUMBER.message(),
    "word-not-understood": f"`{{word}}` is not understood; {HOW}",
    "word-misspelled": "`{word}` is not understood: did you mean `{near}`?",
    "no-contract": f"what was the contract? {HOW[0].upper()}{HOW[1:]}",
    "no-tricks": "how many tricks were taken? Write `11 tricks`, `made 5`, `1 over` or `2 down`.",
    "points-of-honours": (
        "this is a number of points; write the honours held, such as `4 honours in one hand`."
    ),
    "honours-do-not-add-up": "the numbers in `{words}` do not add up.",
    "two-results": "two different results are given; remove one of them.",
    "impossible-tricks": "that would be {tricks} tricks out of {total}.",
    "no-number-declared": (
        "no number of tricks was declared; write how many were taken, such as `9 tricks`."
    ),
    "fewer-than-declared": (
        "that is fewer than the {number} declared; write for example `8 tricks` or `2 down`."
    ),
    "only-so-many-honours": "there are only {most} honours; write how many of them a side held.",
    "south-declares": "South is the declarer",
    "no-game-won": "no game has been won",
    "nothing-below-the-line": "nothing has been scored below the line",
    "no-honours": "nobody has honours that count",
    "no-chicane": "every hand has a trump",
    "not-dealers-first": "it is not the dealer's first declaration",
    # An unused statement, in the words of the notation
    "statements": "{number:statement}",
    "stated-name": "{word} “{name}”",
    "stated-tray": "tray {tray}",
    "stated-seat": lambda _, word, seat: f"{word} {seat.word}",
    "stated-playing": "{playing} play",
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
    "stated-of-irregularity": "{name} {what}",
    "more-play": "… after the play",
    # Calls
    "called-after-the-end": "{player} {call:calls} after the declaration is final.",
    "called-out-of-turn": "{player} {call:calls}, but it is {turn}'s turn.",
    "called-when-barred": "{player} {call:calls}, but an earlier irregularity bars him.",
    "challenge-not-answered": "{player} {call:calls}; after the Challenge he must bid or double.",
    "dealer-passes": "{player} dealt and passes, but the dealer must bid.",
    "no-challenge": "{code} has no Challenge.",
    "no-such-call": "{code} has no such call as “{call}”.",
    "nothing-to-challenge": "{player} challenges, but the opponents have made no bid to challenge.",
    "bid-of-no-denomination": "{player} {call:calls}, but {code} has no such denomination.",
    "impossible-bid": "{player} {call:calls}, but a bid names {least} to {most} odd tricks.",
    "bid-not-higher": "{player}'s bid of {bid} is not higher than {last}.",
    "bid-of-equal-points": (
        "{player}'s bid of {bid} is not higher than {last}: both count {points:point}, and the new "
        "bid names no more tricks."
    ),
    "bid-of-fewer-points": (
        "{player}'s bid of {bid} counts {points:point} and is not higher than {last}, which "
        "counts {due}."
    ),
    "doubled-before-a-bid": "{player} {call:calls} before anybody has bid.",
    "doubled-when-redoubled": "{player} {call:calls} a bid that is already redoubled.",
    "own-bid-doubled": "{player} {call:calls} his own side's {bid}.",
    "own-double-doubled": "{player} {call:calls} his own side's double.",
    "own-make-doubled": "{player} {call:calls} the trump that his own side made.",
    "redoubled-undoubled": "{player} redoubles, but {bid} is not doubled.",
    "nothing-to-redouble": "{player} redoubles, but nothing is doubled.",
    "doubled-past-the-limit": "{player} {call:calls}, but the law allows no further doubling.",
    "doubled-before-another": "{player} {call:calls}, but {turn} has the first right to double.",
    "no-passes-that-end": "In {code} passes do not end the declaration.",
    "said-after-the-doubling": "{player} says “{call}” after the doubling has been completed.",
    "said-after-the-make": "{player} says “{call}”, but the trump has already been made.",
    "said-before-the-make": "{player} says “{call}” before the trump has been made.",
    "said-unasked": "{player} says “{call}”, which may not be said at this point.",
    "spoken-out-of-turn": "{player} says “{call}”, but it is {turn}'s turn to speak.",
    "no-such-trump": "{player} makes {denomination:denomination}, but {code} has no such trump.",
    "made-after-passing": "{player} makes the trump, but the dealer has passed it to his partner.",
    "made-without-leave": "{player} makes the trump, but the dealer has not passed it to him.",
    "made-by-adversary": "{player} makes the trump, which only the dealer's side may do.",
    "passed-for-another": "{player} passes the declaration, but {turn} has the right to make it.",
    "passed-back": "{player} passes the declaration, but the dealer's partner must make the trump.",
    "no-call-to-change": "A call is changed, but none has been made.",
    "changed": "{player} changes “{first}” to “{call}”, which the law does not allow here.",
    "changed-without-a-call": "{player} changes his call to “{call}”, but he has not called.",
    "not-made-sufficient": "The bid of {bid} had to be made sufficient, but “{call}” follows.",
    "made-sufficient-otherwise": (
        "The bid of {bid} had to be made sufficient, as {due}, but “{call}” follows."
    ),
    "cannot-be-made-sufficient": (
        "The bid of {bid} cannot be made sufficient by raising it, but “{call}” follows."
    ),
    "all-four-pass": "All four players passed.",
    "more-was-called": "The auction is not finished: the record says that there were more calls.",
    "no-end": "The auction is not finished: the last call is not followed by {passes} passes.",
    "stands-at": "The bidding stands at {bid}{doubled:doubled}.",
    "trump-not-made": "The declaration is not finished: the trump has not been made.",
    "more-was-said": "The declaration is not finished: the record says that more was said.",
    "leave-not-asked": (
        "The declaration is not finished: “May I lead?” has not been asked and answered."
    ),
    "doubling-goes-on": "The declaration is not finished: {players} may still double.",
    "no-dealer": "The record does not say who dealt, so it is not known who made which call.",
    "calls-missing": "{dealer} dealt, but {caller} makes the first call: calls are missing.",
    # The final declaration
    "no-declaration": "The record has neither an auction nor a complete final declaration.",
    "bridged-wrongly": (
        "The declarer passes the play to his partner, which {code} forbids at {final}."
    ),
    "bridged-too-late": ("The declarer passes the play to his partner later than {code} allows."),
    "stated-wrongly": "The final declaration is recorded as {final:by}, but {why}.",
    "no-such-denomination": "{code} has no such denomination",
    "no-number-declarable": "a declaration in {code} names no number of tricks",
    "out-of-range": "a bid names {least} to {most} odd tricks",
    "doubled-too-often": "{code} does not allow so many doubles",
    "declared-when-passed-out": "A final declaration is recorded, but all four players passed.",
    "declared-by-a-void-bid": "A final declaration is recorded, but the only such bid is void.",
    "declared-below-a-bid": "{final:by} is recorded, but {bid} was bid, which is higher.",
    "not-passed-out": "The record says that all four passed, but the auction ends at {final}.",
    "declared-otherwise": (
        "The record gives {stated} as the declaration, but the auction ends at {final}."
    ),
    "doubled-otherwise": (
        "The record gives the declaration as {times:degree}, but the auction ends at {final}."
    ),
    "declarer-is-dealer": (
        "{player} is recorded as declarer, but {declarer} dealt and plays the hand."
    ),
    "declarer-is-bidder": (
        "{player} is recorded as declarer, but {declarer} bid {denomination:denomination} and "
        "plays the hand."
    ),
    "declarer-named-it-first": (
        "{player} is recorded as declarer, but {declarer} was the first of that side to name "
        "{denomination:denomination} and plays the hand."
    ),
    "unplayed-and-must-be": (
        "The declaration of {final} was not played, although the hand must be played out."
    ),
    "unplayed-against-convention": (
        "The declaration of {final} was not played, although it was doubled or a side had {floor} "
        "points or more."
    ),
    "played-against-convention": (
        "The declaration of {final} was played, although it was not doubled and neither side had "
        "{floor} points."
    ),
    # Cards and the play
    "card-twice": "{card} is written twice in {player}'s hand.",
    "card-in-two-hands": "{card} is both in {first}'s hand and in {player}'s.",
    "hand-of-wrong-size": "{player} has {number:card}, but each player is dealt {due}.",
    "lead-out-of-turn": "{leader} leads to trick {trick}, but {due} won the last trick.",
    "wrong-leader": "{leader} leads first, but {due}, on the declarer's left, has the lead.",
    "played-out-of-turn": "{player} plays after {before}, but it is {turn}'s turn.",
    "trick-surplus": "Trick {trick} has {number:card}.",
    "trick-short": "Trick {trick} has only {number:card}.",
    "played-again": "{card} is played again; it was already played to trick {trick}.",
    "not-dealt": "{player} plays {card}, but it was not dealt to him.",
    "revoke": _revoke,
    "held-by-another": "{player} plays {card}, but {owner} holds it.",
    # An irregularity that the record reports
    "irregularity-recorded": (
        "The record reports an irregularity{player:agent}: {irregularity:quoted}."
    ),
    "right-lost": "The right to a penalty has been lost.",
    "deal-void": "The deal is void.",
    "unknown-irregularity": "The irregularity “{name}” is not in the catalogue and is not judged.",
    "unknown-irregularity-accepted": (
        "The irregularity “{name}” is not in the catalogue. It was accepted, so the play stands."
    ),
    "did-you-mean": "Did you mean `{name}`?",
    "unknown-fact": "The fact “{words}” does not matter for `{irregularity}` and is not judged.",
    "known-facts": "The facts that matter are {facts:names}.",
    "fact-of": "It matters for {irregularities:names}.",
    "disproved": "The record reports {irregularity:quoted}, but {why}.",
    "another-called": "{caller} made the call, not {player}",
    "no-such-call-of": "none of {player}'s calls is irregular in this way",
    "revoke-already-judged": (
        "it is {player}'s revoke in trick {trick}, which has already been judged"
    ),
    "not-past-correction": "neither {player} nor {partner} had played to another trick or claimed",
    "followed-suit-throughout": "{player} followed suit, or had none, in every trick",
    "followed-suit-otherwise": "{player} followed suit, or had none, in every other trick",
    "led-to-trick": "{player} led {card} to trick {trick}",
    "followed-suit": "{player} followed suit with {card} in trick {trick}",
    "past-correction": "{player}'s revoke in trick {trick} was past correction",
    "had-none-of-suit": "{player} had no {suit} in trick {trick}",
    # Remedies
    "ordered-deal-waived": (
        "{player} waived the new deal after {irregularity:quoted}, but the law requires it."
    ),
    "waived-by-another": (
        "{player} waived the right that arose from {irregularity:quoted}, but it belongs to "
        "{choosers:choosers}."
    ),
    "waived-after-a-demand": (
        "{player} waived the penalty for {irregularity:quoted} after it had been demanded."
    ),
    "remedy-named": "“{remedy}” is recorded as the remedy for {irregularity:quoted}.",
    "second-remedy": (
        "As the remedy for {irregularity:quoted} the record names “{second}” in addition to "
        "“{remedy}”. The addition is not judged; write it on a line of its own."
    ),
    "wrong-amount": (
        "The record gives {stated} {figure} as the penalty for {irregularity:quoted}, but the law "
        "gives {due}."
    ),
    "wrong-suit": (
        "“{remedy}” is recorded as the remedy for {irregularity:quoted}, but the law allows only "
        "{suit}."
    ),
    "wrong-chooser": (
        "{player} chose “{remedy}” as the remedy for {irregularity:quoted}, but the choice belongs "
        "to {chooser:choosers} ({seats})."
    ),
    "right-to-remedy-lost": (
        "“{remedy}” is recorded as the remedy for {irregularity:quoted}, but the right to it had "
        "been lost."
    ),
    "remedy-waived": (
        "“{remedy}” is recorded as the remedy for {irregularity:quoted}, but {player} had waived "
        "it."
    ),
    "not-judged": "It is not judged.",
    "decided-before": (
        "“{remedy}” is recorded as the remedy for {irregularity:quoted}, but an earlier decision "
        "stands."
    ),
    "no-remedy": (
        "“{remedy}” is recorded as the remedy for {irregularity:quoted}, but no such remedy is "
        "known. Under {code}, {rulings:rulings}."
    ),
    "no-such-remedy": (
        "“{remedy}” is recorded as the remedy for {irregularity:quoted}, but {code} does not allow "
        "it. Under {code}, {rulings:rulings}."
    ),
    "remedy-unjudged": (
        "“{remedy}” is recorded as the remedy for {irregularity:quoted}; whether it was carried "
        "out is not judged."
    ),
    "remedy-undone": "After {irregularity:quoted}, {what}.",
    "goes-on-with-the-deal": "the cards must be dealt again, but the record goes on with the deal",
    "not-played-out": "the hand must be played out, but no card follows the claim",
    "no-correction": "the bid had to be made sufficient, but it is not corrected",
    "made-by-another": "{player} must make the trump, but {maker} makes it",
    "no-earlier-bid": "{side} have made no bid that could become final",
    "called-suit-not-led": (
        "{player} was called on to lead {suit} but leads {card}, though he holds {held}"
    ),
    "forbidden-suit-led": (
        "{player} was forbidden to lead {suit} but leads {card}, though he holds {held}"
    ),
    "called-card-not-played": "{called} was called and could be played, but {player} plays {card}",
    "card-not-to-be-played": "{card} was not to be played, but {player} plays it",
    "card-to-be-played": "{called} was to be played, but {player} plays {card}",
    "called-rank-not-played": (
        "{player} was called on to play his {chosen} card but plays {card}, not {held}"
    ),
    "called-highest-not-played": (
        "{player} was called on to play his highest card in {suit} but plays {card}, though he "
        "holds {held}"
    ),
    "trick-not-won-or-lost": (
        "{player} was called on to {chosen} the trick but plays {card}, not {held}"
    ),
    "not-trumped": "{player} was called on to trump but plays {card}, though he holds {held}",
    "trumped": "{player} was called on not to trump but plays {card}, though he holds {held}",
    "other-hand-leads": "{player} leads, but {leader} was chosen to lead",
    # The result
    "fewer-than-no-tricks": "The result would be fewer than no tricks.",
    "too-many-tricks": "The result would be {tricks:trick}, but there are only {total}.",
    "counts-from-contract": lambda _, kind, number: (
        f"`{kind} {number}` means {number} {'more' if kind == 'made' else 'fewer'} than declared."
    ),
    "tricks-otherwise": (
        "The record gives the declaring side {stated:trick}, but in the play it took {taken}."
    ),
    "tricks-out-of-reach": (
        "The record gives the declaring side {stated:trick}, but as far as the play is recorded it "
        "takes at least {least} and at most {most}."
    ),
    # The score of a deal
    "standing-otherwise": (
        "The record puts the {what} at {stated[0]} to {stated[1]} (North and South first), but by "
        "the earlier deals they are {due[0]} to {due[1]}."
    ),
    "vulnerable-otherwise": (
        "The record gives {stated:sides} as vulnerable, but by the games won it should give "
        "{due:sides}."
    ),
    "game-otherwise": "A game is recorded for {stated}, but by the score {winner:sides} won it.",
    "void-deal-scored": (
        "The record gives {side} {points} in the {column:column}, but a void deal gives {due}."
    ),
    "score-lacks": "The score may be incomplete, because the record does not say {lacking:or}.",
    "honours-of-another": "The recorded honours are those of the recorded declaration.",
    "honours-held": _honours_held,
    "too-many-honours": (
        "{side} claim {honours}, but the two sides together then claim {claimed} of the {most} "
        "honours."
    ),
    "honours-otherwise": "{side} are credited with {honours}, but they held {held}.",
    "no-honours-counted": "{code} does not count honours.",
    "no-chicane-counted": "{code} does not count chicane.",
    "chicane-without-trumps": "Chicane is claimed, but there are no trumps.",
    "chicane-with-trumps": "Chicane is claimed for {players}, who held trumps.",
    "column-unchecked": (
        "The {column:column} of {side} was not checked, because the record does not say "
        "{lacking:or}."
    ),
    "column-differs": _column_differs,
    "may-not-be-corrected": "It can no longer be corrected and stands.",
    "no-gains": "{code} has no matches, so there are no gains.",
    "gain-otherwise": (
        "The record gives {side} a gain of {gain}, but {ours} points against {theirs} are a gain "
        "of {due}."
    ),
    # A rubber or a match
    "deal-after-the-rubber": (
        "The rubber was already over when this deal was played: {side} had won {games:game}."
    ),
    "deal-twice": (
        "The {kind} has two deals called {deal}, the first on line {line}. Both are counted: give "
        "them different names, or delete one if it was written twice."
    ),
    "wrong-dealer": "{dealer} deals, but it is the turn of {due}, on the last dealer's left.",
    "other-tray": "Tray {tray} was played earlier, in {deal}, with {differs:other}.",
    "rubber-finished": "The rubber is recorded as unfinished, but {side} have won {games:game}.",
    "unfinished-stands": "The rubber is unfinished, so its score stands as it is.",
    "no-price-to-retire": (
        "{side} retire, but {code} does not allow a side to retire on payment of points."
    ),
    "winner-otherwise": "The record gives the {kind} to {stated}, but {why}.",
    "totals-equal": "the totals are equal",
    "games-won-by": "{side} have won {games:game}",
    "greater-total": "{side} have the greater total",
    "total-otherwise": (
        "The total of {of} is recorded as {stated}. By the law it is {due}; the deals as written "
        "add up to {written}."
    ),
    "worth-otherwise": (
        "The {kind} is recorded as worth {stated}. By the law it is worth {due}; the deals as "
        "written add up to {written}."
    ),
}
"""The sentence for each id."""
