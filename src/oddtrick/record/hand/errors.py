"""What is said of a line that cannot be read: what was expected there, in the words of the game.

`MALFORMED` is a table of messages, each with malformed pieces of a file. The parser stops on each piece
in some state; a line that stops it in the same state, or where the same words are expected, gets the
same message. The tests read the same table.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from oddtrick.record.model import Place

if TYPE_CHECKING:
    from lark import Lark, UnexpectedInput

RULES = {
    "notation.not-text": "The file is not text in UTF-8.",
    "notation.empty": "There is no deal in the file.",
    "notation.line-too-long": "The line is too long to have been written by hand.",
    "notation.syntax": "Something else is expected at this place.",
    "notation.unknown-word": "No statement begins with this word.",
    "notation.misplaced": "The statement does not belong here.",
    "notation.duplicate-statement": "What can be said once is said twice.",
    "notation.no-end": "A rubber or match has no end.",
    "notation.too-many": "There is so much, or so much of it cannot be read, that it was left.",
}
"""Every rule of which a `.hand` file can fall foul before it is judged."""

MALFORMED: tuple[tuple[str, tuple[str, ...]], ...] = (
    # --- how a line begins
    (
        "A line begins with the word of a statement, such as `deal`, `bidding` or `play`.",
        ("4 spades", "♠ A K", "(east)", "!"),
    ),
    ("A line that begins with `[` is PBN, which stands in a file named .pbn.", ('[Event "Princeton"]',)),
    ("A line of `hands` begins with a seat: north, east, south or west.", ("hands\n♠ A K Q", "hands\n4")),
    ("A line of `bidding` is calls, such as `2 hearts`, `pass` or `double`.", ("bidding\n♠", "bidding\n: pass")),
    (
        "A line of `play` is the cards of a trick, such as `west: ♠3 ♠A ♠7 ♠4`; a card begins with its suit.",
        ("play\n3♠", "play\n!"),
    ),
    (
        "The statement ends before this; the next one begins on a new line.",
        ("dealer south west", "tray 4 5", "hands north", "hands\nnorth ♠ A ... ♥ K", "play\n... ♠A", "chicane north south"),
    ),
    # --- what comes after the word before
    (
        "After `{word}` comes a seat: north, east, south or west.",
        ("dealer", "dealer nort", "bidding from 4", "declaration by me", "irregularity revoke by", "irregularity revoke noticed by x"),
    ),
    ("After `{word}` comes a side: north-south or east-west.", ("game", "game north", "won by", "honours", "score 36")),
    ("After `{word}` comes a number.", ("tray", "tray first", "total north-south", "score north-south trick", "standing games north-south")),
    (
        "After `{word}` comes a text in quotation marks.",
        ("source Lenz", "note", "players north Scott", "tag Name 4", "irregularity revoke remedy none"),
    ),
    ("After `{word}` comes `by` and a seat.", ("irregularity revoke noticed", "irregularity revoke chosen south")),
    # --- where the record comes from
    ("After `code` comes the id of a code, such as `contract-1927`.", ("code", "code 1927")),
    ("After `option` comes the name of an option, such as `canadian`.", ("option", "option 4")),
    ("After `date` comes a date such as `1927-04-05`, or any date in quotation marks.", ("date", "date May 1927", "date 5.4.1927")),
    ('After `players` come seats with names, such as `north "Mr Scott"`.', ("players", 'players "Mr Scott"')),
    ('After `sides` come sides with names, such as `north-south "Visitors"`.', ("sides", "sides north")),
    ("After a name comes the next seat, or the end of the line.", ('players north "A" 4',)),
    ("After a name comes the other side, or the end of the line.", ('sides north-south "A" 4',)),
    ("After `tag` come a name and a text in quotation marks.", ("tag", "tag 4")),
    # --- deals, rubbers, matches
    ("After `deal` comes its number, or its name in quotation marks.", ("deal", "deal seven")),
    (
        "After the name of a deal comes its title in quotation marks, or the end of the line.",
        ("deal 4 a", "deal 4 5", 'deal "IV" a'),
    ),
    ("After `{word}` comes a name in quotation marks, or the end of the line.", ("rubber 4", "match final")),
    ("After `end` comes `rubber` or `match`.", ("end", "end deal")),
    ("After `won` comes `by` and a side.", ("won", "won north-south")),
    ("After the side come the points, or the end of the line.", ("won by north-south x",)),
    # --- before the cards
    ("After `standing` comes `games`, `trick` or `honour`.", ("standing", "standing game")),
    (
        "After `{word}` comes a side with its number, as `north-south 1`, or both alike, as `1 all`, or `none`.",
        ("standing games", "standing trick x"),
    ),
    ("After a number without a side comes `all`, as in `standing games 1 all`.", ("standing games 1", "standing games 1 0")),
    ("After the number comes the other side, or the end of the line.", ("total north-south 650 200",)),
    ("After `vulnerable` comes a side, `both` or `none`.", ("vulnerable", "vulnerable north")),
    ("After the side comes the other side, or the end of the line.", ("vulnerable north-south none",)),
    ("After `table` comes its name in quotation marks, or its number.", ("table", "table first")),
    ("After `original` comes `play`.", ("original", "original deal")),
    # --- hands
    (
        "After the seat come suits with their ranks, such as `♠ A K 2`; `...` says that the hand held more.",
        ("hands\nnorth", "hands\nnorth A K", "hands\nnorth: A K"),
    ),
    (
        "After the suit come its ranks, such as `A K 10 2`, with `x` for a small card, or `-` for none.",
        ("hands\nnorth ♠", "hands\nnorth ♠ ♥ A", "hands\nnorth ♠ 1"),
    ),
    (
        "After a rank comes another, the next suit, or `...`. Ranks are A K Q J 10 9 8 7 6 5 4 3 2, and `x` for a small card.",
        ("hands\nnorth ♠ A 1", "hands\nnorth ♠ A B", "hands\nnorth SAK 1", "hands\nnorth SAK Q 1", "hands\nnorth ♠ A N"),
    ),
    ("A `-` stands for a whole suit, as in `♠ -`.", ("hands\nnorth ♠ A -", "hands\nnorth SA -")),
    ("After `-` comes the next suit, or the end of the line.", ("hands\nnorth ♠ - A", "hands\nnorth: ♠ - A")),
    # --- bidding
    ("After `bidding` comes `from` and a seat, or the end of the line.", ("bidding south", "bidding 1 heart")),
    (
        "After a call comes the next one, such as `pass` or `2 hearts`. A remark stands in quotation marks behind its call.",
        (
            "bidding\npass spade",
            "bidding\nchallenge foo",
            "bidding\n2 hearts foo",
            "bidding\npass! foo",
            'bidding\npass "a" foo',
            "bidding\ncorrects pass foo",
            "bidding\nsouth: pass foo",
            "bidding\nno thanks",
            "bidding\n2 hearts (alert)",
        ),
    ),
    (
        "After a number of tricks comes a denomination, such as `hearts` or `no-trumps`.",
        ("bidding\n2", "bidding\n2 pass", "bidding\ntwo", "declaration 4", "declaration 4 by south"),
    ),
    ("After `make` comes a denomination, such as `hearts` or `no-trumps`.", ("bidding\nmake", "bidding\nmake 2")),
    (
        "After `royal` comes `spades`; a royal bid of Royalton is written `3 hearts royal`.",
        ("bidding\n3 royal", "bidding\n3 royal hearts"),
    ),
    ("After the caller comes a colon, as in `south: 2 hearts`.", ("bidding\nsouth 2 hearts", "bidding\nN pass")),
    ("After the colon comes a call, as in `south: 2 hearts`.", ("bidding\nsouth:", "bidding\nsouth: foo")),
    ("After `corrects` comes the new call.", ("bidding\ncorrects", "bidding\nsouth: corrects foo")),
    ("After `all` comes `pass`.", ("bidding\nall", "bidding\nall double")),
    ("After `may` come `I lead`.", ("bidding\nmay", "bidding\nmay I", "bidding\nmay I play")),
    ("After `pass to` comes `partner`.", ("bidding\npass to", "bidding\npass to north")),
    ("After `no` comes `trumps`.", ("declaration no", "declaration 2 no hearts")),
    # --- the declaration
    (
        "After `declaration` comes what was declared, such as `4 spades doubled by south`, or `passed out`.",
        ("declaration", "declaration pass", "declaration south"),
    ),
    ("After `passed` comes `out`.", ("declaration passed",)),
    (
        "After the denomination comes `doubled`, `redoubled`, `by` and a seat, or `bridged`.",
        ("declaration 4 spades south", "declaration 4 royals south", "declaration hearts 4", "declaration hearts foo", "declaration 4 hearts foo"),
    ),
    (
        "After `doubled` comes `by` and a seat, or how often, as in `doubled 3 times`.",
        ("declaration 4 spades doubled south", "declaration doubled south"),
    ),
    ("After the number comes `times`, as in `doubled 3 times`.", ("declaration hearts doubled 3", "declaration hearts doubled 3 by north")),
    ("After `redoubled` comes `by` and a seat, or `bridged`.", ("declaration 4 spades redoubled south",)),
    ("After `doubling` comes `unknown`.", ("declaration 4 spades doubling",)),
    ("After the declarer comes `bridged`, or the end of the line.", ("declaration 4 spades by south doubled", "declaration by south 4 spades")),
    # --- play
    (
        "After `play` comes `in columns from` and a seat, or the end of the line.",
        ("play west", "play in", "play in columns", "play in columns west"),
    ),
    (
        "After a card comes the next one; a card is its suit and its rank, such as `♠A`, `SA` or `S10`.",
        ("play\n♠3 foo", "play\n♠3 A", "play\n♠3! foo", 'play\n♠3 "a" foo', "play\nwest: ♠3 foo"),
    ),
    ("A card begins with its suit: `♠3`, not `3♠`.", ("play\n♠3 4♠", "play\nwest: ♠3 4S", "play\nwest: 4♠")),
    ("After the seat comes a colon and the card led, or `claims` or `concedes`.", ("play\nwest ♠3", "play\nwest")),
    ("After the colon come the cards of the trick, such as `♠3 ♠A ♠7 ♠4`.", ("play\nwest:", "play\nwest: foo")),
    (
        "In brackets stand the player and his card, as in `(east ♥2)`.",
        ("play\n(", "play\n(foo)", "play\n(east", "play\n(east foo", "play\n(east: foo"),
    ),
    (
        "A bracket is closed with `)` behind the card and what is said of it.",
        ("play\n(east ♥2", "play\n(♥2", 'play\n(♥2 "a" ♥3', "play\n(♥2! ♥3", "play\n(east ♥2 ♥3)"),
    ),
    ("After `{word}` comes `the rest` or a number of tricks.", ("play\nsouth claims", "play\nsouth concedes tricks")),
    ("After `the` comes `rest`.", ("play\nsouth claims the",)),
    (
        "After the claim comes `agreed` or `refused`, or the end of the line.",
        ("play\nsouth claims 3 yes", "play\nsouth claims the rest yes", "play\nsouth claims 3 tricks yes"),
    ),
    # --- what came of it
    ("After `result` comes `9 tricks`, `3 odd`, `made 1` or `down 2`.", ("result", "result won")),
    ("After the number comes `tricks` or `odd`, as in `9 tricks` or `3 odd`.", ("result 9", "result 9 points")),
    ("After `{word}` comes a number of tricks.", ("result made", "result down x")),
    ("After `odd` comes the end of the line.", ("result 3 odd made",)),
    ("After the side comes the number of honours.", ("honours north-south", "honours north-south x")),
    (
        "After the number of honours comes `in one hand`, or how many were, as in `5, 4 in one hand`.",
        ("honours north-south 4 spades", "honours north-south 5 4", "honours north-south 4 in", "honours north-south 4 in one"),
    ),
    ("After `chicane` comes a seat, or a side for double chicane.", ("chicane", "chicane none")),
    ("After the side comes `trick` or `honour` with its points.", ("score north-south", "score north-south 36")),
    ("After points come more points, `trick`, `honour`, or the other side.", ("score north-south trick 36 x",)),
    # --- irregularities
    ("After `irregularity` comes its name, such as `insufficient-bid`.", ("irregularity", "irregularity 4")),
    (
        "An irregularity goes on with `by`, `of`, `noticed by`, `remedy`, `chosen by`, `waived by` or `note`.",
        ("irregularity revoke south", 'irregularity "revoke" 4', "irregularity revoke by south 4", "play\n(♥2 irregularity revoke south)"),
    ),
)  # fmt: skip

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


class Unreadable(Exception):
    """A place that cannot be read: rule, message, place, and the word that may have been meant."""

    def __init__(self, rule: str, message: str, place: Place, guess: str = "") -> None:
        """Keep what is said."""
        super().__init__(message)
        self.rule, self.message, self.place, self.guess = rule, message, place, guess


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the parser stopped: its states, innermost last, what it expected there, and the kind of what it met."""

    states: tuple[Any, ...]
    expected: frozenset[str]
    met: str

    @classmethod
    def of(cls, error: UnexpectedInput) -> Stop:
        """The stop of an error. What was already complete is taken as read, whatever was to follow."""
        state: Any = error.state
        table = state.parse_conf.parse_table.states
        states = list(state.state_stack)
        while True:
            actions = {
                word: action
                for word, action in table[states[-1]].items()
                if word.isupper() or word == "$END"
            }
            rules = {rule for _, rule in actions.values() if hasattr(rule, "expansion")}
            if len(rules) != 1 or any(
                not hasattr(rule, "expansion") for _, rule in actions.values()
            ):
                break
            rule = rules.pop()
            del states[len(states) - len(rule.expansion) :]
            states.append(table[states[-1]][rule.origin.name][1])
        token = getattr(error, "token", None)
        met = token.type if token is not None else getattr(error, "char", "")
        return cls(tuple(states), frozenset(actions), met)

    def likeness(self, other: Stop) -> tuple[bool, bool, int, bool]:
        """How much another stop is like this one: the same state, the same words expected, the same way there."""
        pairs = zip(reversed(self.states), reversed(other.states), strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return (shared > 0, self.expected == other.expected, shared, self.met == other.met)


@cache
def stops() -> tuple[tuple[Stop, str], ...]:
    """Every malformed piece of the table as the parser's stop, with its message."""
    from oddtrick.record.hand.lines import stop_of

    return tuple((stop_of(piece), message) for message, pieces in MALFORMED for piece in pieces)


def explained(
    error: UnexpectedInput, text: str, line: int, start_rule: str, parser: Lark
) -> Unreadable:
    """The words for a line on which the parser stopped."""
    stop = Stop.of(error)
    start, end = _stretch(error, text)
    place = Place(line, start + 1, line, end + 1)
    if text[start : start + 1] in ('"', "“") and stop.met != "STRING":
        closed = re.match(r'"(?:\\.|[^"\\])*"', text[start:])
        wrong = re.search(r'\\(?!["\\n])', re.sub(r'\\["\\n]', "  ", closed[0])) if closed else None
        at = start + wrong.start() if wrong else start
        return Unreadable(
            "notation.syntax", BACKSLASH if wrong else NOT_CLOSED, Place(line, at + 1, line, at + 2)
        )
    met = text[start:end]
    guess = _nearest(met, stop, parser) if stop.met == "WORD" else ""
    if len(stop.states) == 1 and stop.met == "WORD":
        said = (
            f"`{met[:40]}` is {NEITHER[start_rule]}{f': did you mean `{guess}`?' if guess else '.'}"
        )
        return Unreadable("notation.unknown-word", said, place, guess)
    message = _message(stop).replace("{word}", _word_before(text[:start]))
    return Unreadable(
        "notation.syntax", message + (f" Did you mean `{guess}`?" if guess else ""), place
    )


def _message(stop: Stop) -> str:
    # Of several that are equally like, `max` takes the first of the table.
    known, message = max(stops(), key=lambda known: stop.likeness(known[0]))
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
    known = {
        t.pattern.value.lower()
        for t in parser.terminals
        if t.name in stop.expected and t.pattern.type == "str"
    }
    return next(
        iter(
            difflib.get_close_matches(word.lower(), sorted(w for w in known if len(w) > 2), 1, 0.65)
        ),
        "",
    )
