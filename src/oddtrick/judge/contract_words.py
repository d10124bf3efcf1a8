"""Parse a contract and its result as spoken: `4 hearts doubled, 11 tricks`, `3NT-2 vul`.

`read_contract` parses the words into a `Contract`; `facts_under` returns the facts of its score
under a code. `presumed` lists what is assumed because the words do not say it. Words that cannot be
read raise `Unclear`.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from oddtrick.cards import Seat, Side
from oddtrick.judge.message import Message
from oddtrick.judge.procedures import Final
from oddtrick.judge.score_parts import has_chicane, honour_values, honours_counted, limit
from oddtrick.judge.score_procedures import Facts, Holding, Standing, counted_tricks
from oddtrick.law.book import book
from oddtrick.law.rules import Rules
from oddtrick.limits import NUMBER, WORDS
from oddtrick.record.hand.words import DENOMINATIONS
from oddtrick.record.hand.words import NUMBERS as SPELLED

NUMBERS = (*SPELLED, "no", "an", "a")
"""Number words, each at the index of its value; the last three mean none, one and one."""

NO_HONOURS = Holding(0, 0)
SEATS = {word: seat for seat in Seat for word in (seat.title.lower(), seat.value.lower())}
THEIRS = "against adversaries adversary them they their opponents defenders".split()
"""Words that assign something to the side that did not declare."""

FILLERS = frozenset(
    "the of with and in on was were is by for to at it we us our they their declarer declarers "
    "declared dealer dealers bid bids made make makes contract hand hands deal result just exactly "
    "took taken take tricks trick played play held had have has score scored points that which "
    "then but not over line having game rubber went".split()
)
"""Words that are ignored once all others are understood."""


USUAL = (
    *sorted({w for names in DENOMINATIONS.values() for name in names for w in name.split()}),
    *"doubled redoubled honours chicane vulnerable tricks adversaries".split(),
    *(seat.word for seat in Seat),
)
"""Words that are suggested for a misspelled one."""


class Unclear(Exception):
    """Words that cannot be parsed: the message, and the start and end of the text at fault."""

    def __init__(self, message: Message, start: int = 0, end: int = 0) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


@dataclass(frozen=True, slots=True)
class Result:
    """How many tricks the declaring side took, as stated, and where in the text.

    `kind` is `taken` (all tricks), `odd` (tricks above the book), `lost` (odd tricks of the
    adversaries), `over` or `down` (more or fewer than declared) or `lacking` (how many short of
    all).
    """

    kind: str
    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract as stated. A field that was not stated is `None`.

    `denominations` are those that the words may mean, at most one for each code; `odd_tricks` is 0
    if no number was bid; `results` are all results stated. In mappings by side the declaring side
    is N-S; in pairs it comes first.
    """

    denominations: tuple[str, ...]
    odd_tricks: int
    doubled: int
    results: tuple[Result, ...]
    declarer: Seat | None = None
    honours: Mapping[Side, Holding] | None = None
    voids: Mapping[Side, int] | None = None
    games: tuple[int, int] | None = None
    below: tuple[int, int] | None = None
    dealers_first: bool | None = None

    @property
    def seat(self) -> Seat:
        """The declarer; South if nobody was named."""
        return self.declarer or Seat.SOUTH


Stated = dict[str, Any]
"""Fields of a contract, with `number`, `doubling` and `denomination`; a nested dict is by side."""


def read_contract(words: str, players: Mapping[Seat, str] | None = None) -> Contract:
    """Parse a contract and its result from words, in which players may be named instead of seats.

    Raises `Unclear` if a part cannot be read, if the denomination or the result is missing, or if
    two parts contradict each other.
    """
    if len(words) > WORDS.most:
        raise Unclear(Message("too-many-words", length=len(words)))
    left, found, results = _lower(words), Stated(), list[Result]()
    for digits in re.finditer(r"\d+", left):
        if len(digits[0]) > len(str(NUMBER.most)):
            raise Unclear(Message("number-too-long"), *digits.span())
    for pattern, stated in (*_declarer_parts(players or {}), *_parts()):
        left, matches = _taken(left, pattern)
        for match in matches:
            for name, value in stated(match).items():
                if isinstance(value, dict):
                    found[name] = found.get(name, {}) | value
                elif found.setdefault(name, value) != value:
                    words = " ".join(match[0].split())
                    raise Unclear(Message("stated-twice", words=words, what=name), *match.span())
    for kind, pattern, fixed in _RESULTS:
        if results and (kind, pattern, fixed) == _RESULTS[-1]:
            break
        left, matches = _taken(left, pattern)
        for match in matches:
            number = _number(match[1]) if fixed is None else fixed
            results.append(Result(kind, number, *match.span()))
    _all_understood(left)
    if "denomination" not in found:
        raise Unclear(Message("no-contract"))
    if not results:
        raise Unclear(Message("no-tricks"))
    if of_side := found.pop("below of a side", None):
        both = zip(found.get("below", (0, 0)), Side, strict=True)
        found["below"] = tuple(points + of_side.get(side, 0) for points, side in both)
    for name, nothing in (("honours", NO_HONOURS), ("voids", 0)):
        if name in found:
            found[name] = dict.fromkeys(Side, nothing) | found[name]
    named = found.pop("denomination"), found.pop("number", 0), found.pop("doubling", 0)
    return Contract(*named, tuple(sorted(results, key=lambda r: r.start)), **found)


def _taken(left: str, pattern: str) -> tuple[str, list[re.Match[str]]]:
    """The text with the matches of a pattern blanked out, and the matches."""
    return re.sub(pattern, lambda m: " " * len(m[0]), left), [*re.finditer(pattern, left)]


def _all_understood(left: str) -> None:
    """Raise `Unclear` if a word is left over that is not a filler."""
    rest = [m for m in re.finditer(r"[^\s,.;:()]+", left) if m[0] not in FILLERS]
    if rest:
        first = next((m for m in rest if not m[0].isdecimal()), rest[0])
        near = difflib.get_close_matches(first[0], USUAL, 1)
        message = Message("word-not-understood", word=first[0])
        if near:
            message = Message("word-misspelled", word=first[0], near=near[0])
        raise Unclear(message, *first.span())


def _lower(words: str) -> str:
    """The words in lower case, character by character, so that positions stay the same.

    Hyphens and quotes are normalised; unprintable characters become spaces.
    """
    table = str.maketrans(
        {"–": "-", "—": "-", "−": "-", "‑": "-", "’": "'", "×": "x", "\t": " ", "\n": " "}
    )
    seen = (c if c.isprintable() else " " for c in words.translate(table))
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in seen)


# --- the parts of what is stated ------------------------------------------------------------------

_N = r"(\d+|" + "|".join(NUMBERS[:-3]) + r")"
_WORD = "|".join(sorted(NUMBERS, key=len, reverse=True))
_SOME = rf"(\d+|{_WORD})"
_OF_THEIRS = "|".join(THEIRS)
_GAMES = (
    (r"\b(?:both (?:sides )?vul(?:nerable)?|(?:one )?games? all|(?:a|one|1) game each)\b", (1, 1)),
    (
        r"\b(?:not vul(?:nerable)?|non-?vul(?:nerable)?|invul(?:nerable)?|love all|at love"
        r"|(?:new|fresh) rubber|first game)\b",
        (0, 0),
    ),
    (
        r"\b(?:(?:adversaries|opponents|they|them)(?: are| have| had| with)?"
        r" (?:vul(?:nerable)?|(?:a|one|1) game(?: in)?))\b",
        (0, 1),
    ),
    (r"\b(?:vul(?:nerable)?|(?:(?:a|one|1) )?game (?:in|ahead|up)|with a game)\b", (1, 0)),
)
"""Patterns for the state of the rubber, with the games of declarer and adversaries, in order."""
_HONOURS = r"(?:honou?rs?|aces?)"
_DOUBLED = r"(?P<doubled>x{1,4}|\*{1,2}|(?:re-?)?doubled(?: (?P<times>\d|three|four) times)?)"


@cache
def _parts() -> tuple[tuple[str, Callable[[re.Match[str]], Stated]], ...]:
    """The patterns to look for, in order, with what each states; results come afterwards."""
    names = "|".join(re.escape(w) for w in sorted(_denominations(), key=len, reverse=True))
    return (
        (rf"\bby ({'|'.join(SEATS)})\b", lambda m: {"declarer": SEATS[m[1]]}),
        (
            r"\b(\d+)\s*(?:to|-|all)\s*(\d+)? (?:below|on the score|towards)\b",
            lambda m: {"below": (int(m[1]), int(m[2] or m[1]))},
        ),
        (
            rf"\b(?:({_OF_THEIRS}) )?(?:have )?(\d+) (?:below|on score)\b",
            lambda m: {"below of a side": {Side.EW if m[1] else Side.NS: int(m[2])}},
        ),
        *((pattern, lambda _, games=games: {"games": games}) for pattern, games in _GAMES),
        (
            rf"\b(?:(no|double|single|simple) )?chicane(?: (?:\w+ )?({_OF_THEIRS}))?\b",
            lambda m: {
                "voids": {Side.EW if m[2] else Side.NS: {"no": 0, "double": 2}.get(m[1], 1)}
            },
        ),
        (
            rf"\b(?:(?P<before>{_OF_THEIRS}) (?:\w+ )?)?"
            rf"(?:(?P<split>\d-\d) {_HONOURS}|{_HONOURS} (?P<after>\d-\d)"
            rf"|(?:all )?(?P<count>\d+|{_WORD}) {_HONOURS}|(?P<simple>simple) {_HONOURS})"
            r"(?:,? (?P<one>(?:all )?in (?:one|a single) hand)|,? (?P<divided>divided|split)"
            r"|,? (?:divided |split )?(?P<how>\d(?:-| and )\d)"
            r"|,? (?P<more>\d|three|four|five) in one hand)?"
            rf"(?: (?:\w+ )?(?P<theirs>{_OF_THEIRS}))?",
            lambda m: {
                "honours": {Side.EW if m["before"] or m["theirs"] else Side.NS: _holding(m)}
            },
        ),
        (
            r"\b(dealer'?s first|later)(?: (?:declaration|bid|call))?\b",
            lambda m: {"dealers_first": m[1] != "later"},
        ),
        (
            rf"(?:(?<![\w-])(?P<number>{_N[1:-1]})[ -]*|(?<![\w-]))(?P<name>{names})"
            rf"(?:[ ,]*{_DOUBLED})?(?![a-z])",
            lambda m: (
                {"denomination": _denominations()[m["name"]]}
                | ({"number": _number(m["number"])} if m["number"] else {})
                | (_doubling(m) if m["doubled"] else {})
            ),
        ),
        (rf"(?<![\w*]){_DOUBLED}(?![a-z*])", _doubling),
        (r"\bundoubled\b", lambda _: {"doubling": 0}),
    )


def _declarer_parts(
    players: Mapping[Seat, str],
) -> Iterator[tuple[str, Callable[[re.Match[str]], Stated]]]:
    """Yield a pattern for each player and each seat named as declarer, longest names first.

    A name that has another meaning, or belongs to two players, is left out; without `by` a name
    near honours or chicane is not that of the declarer.
    """
    called = {seat: " ".join(_lower(name).split()) for seat, name in players.items()}
    count = Counter(called.values())
    taken = {*USUAL, *FILLERS, *NUMBERS, *THEIRS, *SEATS, *_denominations()}
    named = [(n, s) for s, n in called.items() if n and count[n] == 1 and n not in taken]
    named += [(seat.title.lower(), seat) for seat in Seat]
    for name, seat in sorted(named, key=lambda one: -len(one[0])):
        bare = rf"(?<![\w-])(?<!honours )(?<!chicane )(?<!hand ){re.escape(name)}(?![\w'-])"
        alone = rf"{bare}(?![^,;.]*(?:honou?r|aces?\b|chicane))"
        pattern = rf"\bby {re.escape(name)}(?![\w-])|{alone}"
        yield pattern, partial(_declared_by, seat)


def _declared_by(seat: Seat, _: re.Match[str]) -> Stated:
    return {"declarer": seat}


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return {"no": 0, "a": 1, "an": 1}.get(word, NUMBERS.index(word))


def _doubling(match: re.Match[str]) -> Stated:
    word = match["doubled"]
    if match["times"]:
        return {"doubling": _number(match["times"])}
    return {"doubling": len(word) if word[0] in "x*" else 2 if word.startswith("re") else 1}


def _holding(match: re.Match[str]) -> Holding:
    split = match["split"] or match["after"] or match["how"]
    counted = match["count"] or ""
    if len(counted) > 1 and counted.isdecimal():
        raise Unclear(Message("points-of-honours"), *match.span("count"))
    if split:
        more, fewer = sorted(map(int, re.findall(r"\d", split)), reverse=True)
        if counted and _number(counted) != more + fewer:
            raise Unclear(Message("honours-do-not-add-up", words=match[0].strip()), *match.span())
        return Holding(more + fewer, more)
    total = 3 if match["simple"] else _number(counted)
    if total == 0 or match["one"]:
        return Holding(total, total)
    if match["more"]:
        return Holding(total, _number(match["more"]))
    return Holding(total, total - total // 2 if match["divided"] and total < 4 else None)


@cache
def _denominations() -> dict[str, tuple[str, ...]]:
    """The denominations that each name may mean: `royal spades` may mean two."""
    found: dict[str, list[str]] = {}
    for one in book().denominations.values():
        words = {one.label, one.one, one.short}
        words |= {w.replace("-", " ") for w in words} | {w.replace("-", "") for w in words}
        if one.suit and not one.royal_of and one.label == one.suit.word:
            words.add(one.suit.value)
        if not one.suit and len(one.short) > 1:
            words |= {one.short[0], ".".join(one.short) + "."} if one.short.isupper() else set()
        if one.royal_of:
            base = book().denominations[one.royal_of]
            words |= {f"royal {base.label}", f"royal {base.one}"}
        for word in words:
            found.setdefault(word.lower(), []).append(one.id)
    both = [d for d in book().denominations if d == "royal-spades" or d == "spades-royal"]
    found |= dict.fromkeys(("lilies", "lily", "royals", "royal"), both)
    found |= {word: ["no-trump"] for word in ("sans atout", "sans-atout", "sans")}
    return {word: tuple(ids) for word, ids in found.items()}


_TRICKS = r"(?: tricks?)?"
_RESULTS: tuple[tuple[str, str, int | None], ...] = (
    (
        "lacking",
        rf"\b(?:{'|'.join(THEIRS[1:])}) (?:(?:took|have|had|made|won) )?{_N} tricks?\b",
        None,
    ),
    ("lacking", r"\bgrand slam\b|\ball the tricks\b", 0),
    ("lacking", r"\b(?:little|small) slam\b", 1),
    ("lost", rf"\b(?:lost|losing) {_N} (?:odd{_TRICKS}|by cards)\b", None),
    ("lost", rf"\b(?:lost|losing) the odd{_TRICKS}\b", 1),
    ("odd", rf"\b{_N} (?:odd{_TRICKS}|by cards)\b", None),
    ("odd", rf"\bthe odd{_TRICKS}\b", 1),
    ("over", rf"\b{_SOME} (?:over(?:tricks?)?|tricks? over|more than (?:declared|bid))\b", None),
    ("over", rf"\b(?:plus|with) {_SOME}(?: overtricks?)?\b", None),
    ("over", rf"\+ ?{_N}\b", None),
    ("down", rf"- ?{_N}\b", None),
    ("down", rf"\b{_N}(?: tricks?)? (?:down|light|short|under(?:tricks?)?)\b", None),
    ("down", rf"\b(?:down|light|set|minus|failed by|short by)(?: by)? {_N}{_TRICKS}\b", None),
    ("taken", rf"\b{_N} tricks?\b", None),
    ("odd", rf"\b(?:made|makes?|making|won|winning) {_N}\b", None),
    ("taken", rf"\b(?:took|taking) {_N}\b", None),
    ("over", r"\b(?:just|exactly) (?:made|makes?)\b|\bmade (?:exactly|it)\b", 0),
    ("over", r"\bmade\b|=", 0),
)
"""The patterns of results: kind, pattern, and the number if the words do not contain one.

A pattern comes after those that contain it; `made` without a number counts only if nothing else
states a result.
"""


# --- the score under a code -----------------------------------------------------------------------


def tricks_of(contract: Contract, law: Rules) -> int:
    """How many tricks the declaring side took.

    Raises `Unclear` if results differ, the number is impossible, or a result counts from a number
    of tricks that was not declared.
    """
    found = [_tricks(result, contract, law) for result in contract.results]
    for result, tricks in zip(contract.results, found, strict=True):
        if tricks != found[0]:
            raise Unclear(Message("two-results"), result.start, result.end)
        if not 0 <= tricks <= law.value("hand-size"):
            message = Message("impossible-tricks", tricks=tricks, total=law.value("hand-size"))
            raise Unclear(message, result.start, result.end)
    return found[0]


def _tricks(result: Result, contract: Contract, law: Rules) -> int:
    """The tricks of the declaring side by one result.

    At nullo every kind except `taken` counts the tricks of the adversaries.
    """
    book_, dealt, number = law.value("book"), law.value("hand-size"), result.number
    if result.kind == "taken" or (result.kind == "odd" and number > dealt - book_):
        return number
    if result.kind in ("over", "down") and not contract.odd_tricks:
        raise Unclear(Message("no-number-declared"), result.start, result.end)
    if result.kind == "odd" and number < contract.odd_tricks:
        message = Message("fewer-than-declared", number=contract.odd_tricks)
        raise Unclear(message, result.start, result.end)
    counted = {
        "odd": book_ + number,
        "lost": dealt - book_ - number,
        "over": book_ + contract.odd_tricks + number,
        "down": book_ + contract.odd_tricks - number,
        "lacking": dealt - number,
    }[result.kind]
    return counted_tricks(counted, final_of(contract, law), law)


def final_of(contract: Contract, law: Rules) -> Final:
    """The final declaration under a code, in the code's own denomination.

    The number of tricks is 0 if the code has no numbers in its bids.
    """
    named = next((d for d in contract.denominations if law.denomination(d)), None)
    return Final(
        contract.odd_tricks if law.value("bid-range") else 0,
        named or contract.denominations[0],
        contract.doubled,
        contract.seat,
        contract.seat,
        bool(contract.dealers_first),
    )


def facts_under(contract: Contract, law: Rules) -> Facts:
    """The facts of the score of a contract under a code, with unstated facts filled in.

    Raises `Unclear` if the tricks are unclear (`tricks_of`) or there are more honours than the code
    has.
    """
    final, tricks = final_of(contract, law), tricks_of(contract, law)
    counted = [*map(honours_counted, honour_values(final.denomination, law))]
    held = [holding.total for holding in (contract.honours or {}).values()]
    if counted and held and max(held) > max(counted):
        raise Unclear(Message("only-so-many-honours", most=max(counted)))
    games, below = contract.games or (0, 0), contract.below or (0, 0)
    honours = contract.honours or dict.fromkeys(Side, NO_HONOURS)
    voids = contract.voids or dict.fromkeys(Side, 0)
    if contract.seat.side is Side.EW:
        games, below = games[::-1], below[::-1]
        honours = {side.other: held for side, held in honours.items()}
        voids = {side.other: hands for side, hands in voids.items()}
    return Facts(final, tricks, honours, voids, Standing(games, below))


def presumed(contract: Contract, law: Rules) -> tuple[Message, ...]:
    """The facts that were not stated and are assumed, as far as they can affect the score."""
    final = final_of(contract, law)
    counted = law.has("honours") and law.has("honour-values")
    first = final._replace(dealers_first=True)
    facts = (
        ("south-declares", contract.declarer, True),
        ("no-game-won", contract.games, law.has("rubber-end")),
        ("nothing-below-the-line", contract.below, law.has("rubber-end")),
        ("no-honours", contract.honours, counted),
        ("no-chicane", contract.voids, has_chicane(final.denomination, law)),
        ("not-dealers-first", contract.dealers_first, limit(first, law) != limit(final, law)),
    )
    return tuple(Message(name) for name, fact, matters in facts if fact is None and matters)
