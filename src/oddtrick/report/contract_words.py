"""Parse a contract and its result as spoken: `4 hearts doubled, 11 tricks`, `3NT-2 vul`.

`read_contract` parses the words into a `Contract`; `facts_under` returns the facts of its score
under a code, `deal_of` a deal of a record. `presumed` lists what is assumed because the words do
not state it. Words that cannot be read raise `Unclear`.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from oddtrick.cards import PACK, Seat, Side
from oddtrick.judge.finding import Message
from oddtrick.judge.procedures import Final, bid_range
from oddtrick.judge.score_parts import has_chicane, honour_values, honours_counted, limit
from oddtrick.judge.score_procedures import Facts, Holding, Standing, counted_tricks
from oddtrick.law.book import book, judged_codes
from oddtrick.law.rules import Rules
from oddtrick.limits import NUMBER, WORDS
from oddtrick.record import deal as record
from oddtrick.record.hand.words import DENOMINATIONS, WRITTEN
from oddtrick.rulings.engine import named_by

NO_HONOURS = Holding(0, 0)
NOT_DECLARER = "honours", r"honours \d", "aces", "chicane", "hand"
"""Patterns of the words after which a name, also with `for` or `with`, is not the declarer's."""

SEATS = {word: seat for seat in Seat for word in (seat.title.lower(), seat.value.lower())}
SIDES = {
    f"{one}{joint}{two}": seat
    for seat, partner in ((Seat.NORTH, Seat.SOUTH), (Seat.EAST, Seat.WEST))
    for one, two in ((seat.word, partner.word), (seat.value.lower(), partner.value.lower()))
    for joint in ("-", "", "/", "&", " and ", " & ")
}
"""A player of each side, by the words for the side."""


@cache
def _words() -> dict[str, Any]:
    """The data of `contract_words.toml`, with the named parts substituted in the patterns."""
    import tomllib  # needed only for contracts in words

    words = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for name in ("numbers", "theirs", "fillers", "usual"):
        words[name] = words[name].split()
    # `no` means 0; `an` and `a` mean 1.
    every = sorted([*words["numbers"], "no", "an", "a"], key=len, reverse=True)
    parts = words["parts"] | {
        "NUMBER": "|".join((r"\d+", *words["numbers"])),
        "SOME": "|".join((r"\d+", *every)),
        "THEIRS": "|".join(words["theirs"]),
        "SEATS": "|".join(SEATS),
        "SIDES": "|".join(SIDES),
        "NAMES": "|".join(map(re.escape, sorted(sorted(_denominations()), key=len, reverse=True))),
    }

    def substituted(pattern: str) -> str:
        for name, part in parts.items():
            pattern = pattern.replace(name, part)
        return pattern.replace("\n", "")

    words["patterns"] = {name: substituted(one) for name, one in words["patterns"].items()}
    words["results"] = [(kind, substituted(one), *rest) for kind, one, *rest in words["results"]]
    names = {w for of in DENOMINATIONS.values() for name in of for w in name.split()}
    words["usual"] = [*sorted(names), *words["usual"], *(seat.word for seat in Seat)]
    return words


class Unclear(Exception):
    """Words that cannot be parsed: the message, and the start and end of the text at fault."""

    def __init__(self, message: Message, start: int = 0, end: int = 0) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


@dataclass(frozen=True, slots=True)
class Result:
    """How many tricks the declaring side took, as stated, and where in the text.

    `kind` is `taken` (all tricks), `odd` (tricks above the book), `lost` (odd tricks of the
    adversaries), `over` or `down` (more or fewer than declared), `lacking` (how many short of all),
    `theirs` (all tricks of the adversaries) or `whose` (it is not clear which side took them).
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
    is N-S; in pairs it comes first. `revoke` is the offender (a seat, or words) and the penalty,
    empty if it was not stated.
    """

    denominations: tuple[str, ...]
    odd_tricks: int
    doubled: int
    results: tuple[Result, ...]
    declarer: Seat | None = None
    honours: Mapping[Side, Holding] | None = None
    voids: Mapping[Side, int] | None = None
    revoke: tuple[str | Seat, str] | None = None
    games: tuple[int, int] | None = None
    below: tuple[int, int] | None = None
    dealers_first: bool | None = None

    @property
    def seat(self) -> Seat:
        """The declarer; South if nobody was named."""
        return self.declarer or Seat.SOUTH


Stated = dict[str, Any]
"""Fields of a contract, with `number`, `doubling` and `denomination`; a nested dict is by side."""
Pattern = tuple[str, Callable[[re.Match[str]], Stated]]
"""A pattern to look for, and what a match states."""


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
    for pattern, stated in _parts(players or {}):
        left, matches = _taken(left, pattern)
        if again := re.search(r"\brevoke\w*", left):
            raise Unclear(Message("revoke-not-understood"), *again.span())
        for match in matches:
            for name, value in stated(match).items():
                if isinstance(value, dict):
                    found[name] = found.get(name, {}) | value
                elif found.setdefault(name, value) != value:
                    words = " ".join(match[0].split())
                    raise Unclear(Message("stated-twice", words=words, what=name), *match.span())
    *others, last = _words()["results"]
    for kind, pattern, *fixed in (*others, last):
        if results and pattern == last[1]:
            break
        left, matches = _taken(left, pattern)
        for match in matches:
            number = fixed[0] if fixed else _tricks_in(match, 1)
            results.append(Result(kind, number, *match.span()))
    rest = [m for m in re.finditer(r"[^\s,.;:()]+", left) if m[0] not in _words()["fillers"]]
    if rest:
        first = next((m for m in rest if not m[0].isdecimal()), rest[0])
        message = Message("word-not-understood", word=first[0])
        usual = _words()["usual"]
        near = difflib.get_close_matches(first[0], usual, 1, 0.8)
        if near and first[0] not in usual:
            message = Message("word-misspelled", word=first[0], near=near[0])
        raise Unclear(message, *first.span())
    if "denomination" not in found:
        raise Unclear(Message("no-contract"))
    if not results:
        raise Unclear(Message("no-tricks"))
    if of_side := found.pop("below of a side", None):
        both = zip(found.get("below", (0, 0)), Side, strict=True)
        found["below"] = tuple(points + of_side.get(side, 0) for points, side in both)
    declaring = found.get("declarer", Seat.SOUTH).side
    for name, nothing in (("honours", NO_HONOURS), ("voids", 0)):
        if name in found:
            by_side = {_of_the_declarer(who, declaring): held for who, held in found[name].items()}
            found[name] = dict.fromkeys(Side, nothing) | by_side
    bid = found.pop("denomination"), found.pop("number", 0), found.pop("doubling", 0)
    return Contract(*bid, tuple(sorted(results, key=lambda r: r.start)), **found)


def _taken(left: str, pattern: str) -> tuple[str, list[re.Match[str]]]:
    """The text with the matches of a pattern blanked out, and the matches."""
    return re.sub(pattern, lambda m: " " * len(m[0]), left), [*re.finditer(pattern, left)]


def _lower(words: str) -> str:
    """The words in lower case with plain hyphens and quotes; each character keeps its place."""
    table = str.maketrans(
        {"–": "-", "—": "-", "−": "-", "‑": "-", "’": "'", "×": "x", "\t": " ", "\n": " "}
    )
    seen = (c if c.isprintable() else " " for c in words.translate(table))
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in seen)


# --- the parts of what is stated ------------------------------------------------------------------


def _of_the_declarer(who: Side | Seat, declaring: Side) -> Side:
    return who if isinstance(who, Side) else Side.NS if who.side is declaring else Side.EW


def _parts(players: Mapping[Seat, str]) -> Iterator[Pattern]:
    """Yield the patterns to look for, in order; results come afterwards.

    A revoke comes first, since its pattern names a player who is not the declarer.
    """
    of, hands = _words()["patterns"], {"no": 0, "double": 2}
    spoken = [(" ".join(_lower(name).split()), seat) for seat, name in players.items()]
    named = [
        *((word, seat) for name, seat in spoken if " " in name for word in name.split()),
        *spoken,
    ]
    shared = {word for word, count in Counter(word for word, _ in named).items() if count > 1}
    called = SEATS | {word: seat for word, seat in named if word not in shared}
    anybody = "|".join(map(re.escape, called))
    longest = sorted(called | SIDES, key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest if len(name) > 1)
    chicane, honours = (of[n].replace("PLAYERS", names) for n in ("chicane", "honours"))

    def side(named: str | None) -> Side | Seat:
        return (called | SIDES).get(named, Side.EW) if named else Side.NS

    def bid(m: re.Match[str]) -> Stated:
        number = {"number": _tricks_in(m, "number")} if m["number"] else {}
        doubling = _doubling(m) if m["doubled"] else {}
        by = {"declarer": SEATS[m["seat"]]} if m["seat"] else {}
        return {"denomination": _denominations()[m["name"]]} | number | doubling | by

    def held(m: re.Match[str]) -> Stated:
        who, holding = m["before"] or m["of"] or m["theirs"], _holding(m)
        if who in called and holding.more is None and not m["divided"]:
            holding = Holding(holding.total, holding.total)  # a player's honours are in his hand
        return {"honours": {side(who): holding}}

    revoke = of["revoke"].replace("PLAYERS", anybody)
    yield revoke, lambda m: {"revoke": (called.get(m["who"], m["who"]), m["penalty"] or "")}
    yield from _declarers(named)
    yield of["by"], lambda m: {"declarer": SEATS[m[1]]}
    yield of["below"], lambda m: {"below": (int(m[1]), int(m[2] or m[1]))}
    yield of["below_of"], lambda m: {"below of a side": {side(m[1]): int(m[2])}}
    for pattern, *games in _words()["games"]:
        yield pattern, _always(games=(*games,))
    yield chicane, lambda m: {"voids": {side(m[1] or m[3]): hands.get(m[2], 1)}}
    yield honours, held
    yield of["first"], lambda m: {"dealers_first": not m["later"]}
    yield of["bid"], bid
    yield of["doubled"], _doubling
    yield of["undoubled"], _always(doubling=0)


def _declarers(called: Sequence[tuple[str, Seat]]) -> Iterator[Pattern]:
    """Yield a pattern for each name of a player, whole or first, and each seat, longest first.

    A name that has another meaning, or belongs to two players, is skipped; without `by`, a name
    near honours or chicane is not taken for the declarer's.
    """
    words, count = _words(), Counter(name for name, _ in called)
    taken = {*words["usual"], *words["fillers"], *words["numbers"], *words["theirs"]}
    taken |= {"no", "an", "a", *SEATS, *_denominations()}
    named = [(n, s) for n, s in called if n and count[n] == 1 and n not in taken]
    named += [(seat.word, seat) for seat in Seat]
    joints = " and ", " & ", "/", "&"
    one = "".join(f"(?<!{seat.word}{joint})" for seat in Seat for joint in joints)
    of_two = rf"(?! ?(?:and|[/&]) ?(?:{'|'.join(seat.word for seat in Seat)})\b)"
    joined = (" ", ", ", ": ", " for ", " with ")
    after = "".join(f"(?<!{w}{joint})" for w in NOT_DECLARER for joint in joined)
    for name, seat in sorted(named, key=lambda one: -len(one[0])):
        bare = rf"(?<![\w-]){after}{one}{re.escape(name)}(?![\w'-]){of_two}"
        alone = rf"{bare}(?![^,;.]*(?:honou?r|aces?\b|chicane))"
        yield rf"\bby {re.escape(name)}(?![\w-])|{alone}", _always(declarer=seat)


def _always(**stated: object) -> Callable[[re.Match[str]], Stated]:
    return lambda _: stated


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    none_or_one = {"no": 0, "a": 1, "an": 1}
    return none_or_one[word] if word in none_or_one else _words()["numbers"].index(word)


def _tricks_in(match: re.Match[str], group: int | str) -> int:
    """The number of tricks in a group of a match. Raises `Unclear` if no pack has so many cards."""
    number = _number(match[group])
    if number > len(PACK):
        raise Unclear(Message("word-not-understood", word=match[group]), *match.span(group))
    return number


def _doubling(match: re.Match[str]) -> Stated:
    word = match["doubled"]
    if match["times"]:
        return {"doubling": _number(match["times"])}
    return {"doubling": len(word) if word[0] in "x*" else 2 if word[0] == "r" else 1}


def _holding(match: re.Match[str]) -> Holding:
    split = match["split"] or match["after"] or match["how"]
    counted = match["count"] or match["number"] or ""
    if len(counted) > 1 and counted not in ("no", "an", *_words()["numbers"]):
        span = match.span("count" if match["count"] else "number")
        raise Unclear(Message("points-of-honours"), *span)
    if split:
        more, fewer = sorted(map(int, re.findall(r"\d", split)), reverse=True)
        if counted and _number(counted) != more + fewer:
            raise Unclear(Message("honours-do-not-add-up", words=match[0].strip()), *match.span())
        return Holding(more + fewer, more)
    if match["other"]:
        other = 1 if match["other"] in ("fourth", "fifth") else _number(match["other"])
        return Holding(_number(counted) + other, max(_number(counted), other))
    total = 3 if match["simple"] else _number(counted)
    if total == 0 or match["one"]:
        return Holding(total, total)
    if match["more"]:
        return Holding(total, _number(match["more"]))
    return Holding(total, total - total // 2 if match["divided"] and total < 4 else None)


@cache
def _denominations() -> dict[str, tuple[str, ...]]:
    """The denominations that each name may mean: `royal spades` may mean two."""
    # A lone `r` is more likely to be a stray letter.
    found = {word: (name,) for word, name in WRITTEN.items() if word != "r"}
    royal = {w.removesuffix(" royal"): of for w, of in found.items() if w.endswith(" royal")}
    found |= {f"royal {word}": of for word, of in royal.items()}
    names = "lilies", "lily", "royals", "royal", "royal spade", "royal spades", "r♠"
    return {
        **found,
        **dict.fromkeys(names, ("royal-spades", "spades-royal")),
        **dict.fromkeys(("sans atout", "sans-atout", "sans", "n.t."), ("no-trump",)),
    }


def patterns() -> dict[str, Any]:
    """The regular expressions of bids, results, games and honours in JavaScript, and what the words
    in them stand for. The results are the kinds that count from the number declared, and `taken`;
    `most` is the greatest number of odd tricks that a code lets a player bid.
    """
    words = _words()
    kinds, names = ("over", "down", "odd", "taken"), "|".join(SEATS | SIDES)
    of = {name: p.replace("(?P<", "(?<") for name, p in words["patterns"].items()}
    return {
        "bid": of["bid"],
        "doubled": of["doubled"],
        "held": [of[name].replace("PLAYERS", names) for name in ("chicane", "honours")],
        "most": max(max(bid_range(book().rules(code)), default=0) for code in judged_codes()),
        "games": words["games"],
        "results": [result for result in words["results"] if result[0] in kinds],
        "denominations": dict(sorted(_denominations().items())),
        "numbers": {w: _number(w) for w in ("no", "a", "an", *words["numbers"])},
        "fillers": words["fillers"],
    }


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

    At nullo every kind of result except `taken` and `theirs` counts the tricks of the adversaries.
    """
    book_, dealt, number = law.value("book"), law.value("hand-size"), result.number
    if result.kind == "taken" or (result.kind == "odd" and number > dealt - book_):
        return number
    if result.kind == "theirs":
        return int(dealt - number)
    if result.kind == "whose":
        raise Unclear(Message("whose-tricks", number=number), result.start, result.end)
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


def deal_of(contract: Contract, law: Rules) -> record.Deal:
    """The contract as a deal of a record, without what was not stated. Raises `Unclear`.

    The words do not say which player of a side had chicane, or revoked for the adversaries; the
    choice does not affect the score.
    """
    facts, declarer = facts_under(contract, law), contract.seat
    final, voids = facts.final, list[Seat | Side]()
    for side, hands in (facts.voids or {}).items():
        others = (s for s in Seat if s.side is side and s is not declarer)
        voids += [next(others)] if hands == 1 else [side] * (hands > 1)
    held = [(side, h) for side, h in (facts.honours or {}).items() if h.total]
    none = [(Side.NS, NO_HONOURS)] if contract.honours is not None else []
    who, penalty = contract.revoke or ("", "")
    seat = who if isinstance(who, Seat) else declarer if who == "declarer" else declarer.left
    revoke = record.Incident(named_by("play.revoke"), seat, remedy=penalty or None, after="play")
    return record.Deal(
        record.Source(),
        record.NOWHERE,
        "deal 1",
        declaration=record.Declaration(
            final.odd_tricks or None, final.denomination, final.doubled, declarer
        ),
        result=record.Result("tricks", facts.tricks or 0),
        honours=tuple(
            record.Honours(side, h.total, h.more if h.total else None) for side, h in held or none
        ),
        chicane=tuple(voids),
        incidents=(revoke,) if contract.revoke else (),
    )


def limited_for_the_dealer(final: Final, law: Rules) -> bool:
    """Whether a loss is limited differently if it is the dealer's first declaration."""
    either = (final._replace(dealers_first=first) for first in (False, True))
    return len({limit(one, law)[0] for one in either}) > 1


def presumed(contract: Contract, law: Rules) -> tuple[Message, ...]:
    """The facts that were not stated and are assumed, as far as they can affect the score."""
    final = final_of(contract, law)
    counted = law.has("honours") and law.has("honour-values")
    facts = (
        ("south-declares", contract.declarer, True),
        ("no-game-won", contract.games, law.has("rubber-end")),
        ("nothing-below-the-line", contract.below, law.has("rubber-end")),
        ("no-honours", contract.honours, counted),
        ("no-chicane", contract.voids, has_chicane(final.denomination, law)),
        ("not-dealers-first", contract.dealers_first, limited_for_the_dealer(final, law)),
    )
    return tuple(Message(name) for name, fact, matters in facts if fact is None and matters)
