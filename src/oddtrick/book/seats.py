"""Finds out who sits where in a description, and so who did what.

`assets/seats.js` does the same in a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product, zip_longest
from typing import NamedTuple

from oddtrick.book.index import Index, fact_words, looked_up

ROUND = 4  # the seats of a table
MOST = 12  # of more persons than this the others count as the last
GAP = 8  # the most words between a person and what he does
APART = 3  # the most words between two words that tell what he does


class Seat(NamedTuple):
    """A seat: so many places to the left of somebody's."""

    of: str
    left: int = 0


class Token(NamedTuple):
    """A word in index form, or a person; a person acts or is only mentioned."""

    word: str
    seat: Seat | None = None
    acts: bool = False


class Told(NamedTuple):
    """A player of whom a sentence says something, with the numbers of the sentence and the word."""

    seat: Seat
    at: tuple[int, int]


class Table:
    """The persons of a description, and how many places apart they can sit."""

    def __init__(self, text: str, data: Index, *, dealer_declares: bool) -> None:
        self._data = data
        self._apart: dict[tuple[str, str], frozenset[int]] = {}
        self._names = dict.fromkeys(("i", "declarer", "dealer"))
        self._he, self._last = Seat("he"), Seat("i")
        named = _with_titles(text, data)
        speaks = re.search(r"\b(?:i|me|my|we|us|our)\b", text.lower())
        self._us = Seat("i" if speaks else "declarer")  # those whose opponents are meant
        self._sentences = [[*self._tokens(words)] for words in fact_words(named, data, "persons")]
        if dealer_declares:
            self._link(Seat("dealer"), Seat("declarer"), {0})
        for of, *places, ways in data["seated"]:
            for told in self.told(ways):
                self._link(Seat(of), told.seat, {*places})
        self._follow()
        for sentence in self._sentences:
            self._join(sentence)
        if speaks:
            self._oppose()
        self._follow()

    def one(self, first: int = 0, ways: Sequence[Sequence[str]] = ()) -> Told | None:
        """The player of whom the first of these ways that occurs says something.

        Of several the `first` is meant, or none.
        """
        found = next(filter(None, ([*self.told([way])] for way in ways)), [])
        alone = first or all(self.places(found[0].seat, each.seat) == {0} for each in found)
        return found[0] if found and alone else None

    def places(self, a: Seat, b: Seat) -> set[int]:
        """How many places `b` can sit to the left of `a`."""
        return {(n + b.left - a.left) % ROUND for n in self._between(a.of, b.of)}

    def told(
        self, ways: Sequence[Sequence[str]], after: tuple[int, int] = (0, -1)
    ) -> Iterator[Told]:
        """Yield each person of whom a sentence says something in one of these ways.

        In a way, `who` is a person who acts before the words that follow, `whom` any person, and
        `whose` also one who owns what follows.
        """
        for n, sentence in enumerate(self._sentences):
            words = {"who", "whom", "whose", *(token.word for token in sentence)}
            for way in (way for way in ways if words.issuperset(way)):
                for at in range(len(sentence) - len(way) + 1 + (way[0] == "who")):
                    if (n, at) > after and (found := self._at(sentence, way, at)):
                        yield Told(found, (n, at))

    def _at(self, sentence: Sequence[Token], way: Sequence[str], at: int) -> Seat | None:
        """The player of whom the words from a place on say something in this way."""
        distant = way[0] == "who"
        found, end = list[Token](), at
        for word in way[distant:]:
            apart = distant and found and found[-1].word not in self._data["closeBy"]
            near = range(end, min(len(sentence), end + 1 + (APART if apart else 0)))
            here = next((i for i in near if _fits(sentence[i], word)), None)
            if here is None or self._denied(sentence[end:here]):
                return None
            found.append(sentence[here])
            end = here + 1
        if not distant:
            said = self._denied(sentence[max(0, at - APART) : at])
            named = (t.seat for t, w in zip(found, way, strict=True) if w in ("whom", "whose"))
            return None if said else next(named, None)
        back = range(at - 1, max(-1, at - 1 - GAP), -1)
        who = next((i for i in back if sentence[i].acts), None)
        if who is None or self._denied(sentence[who + 1 : at]):
            return None
        ahead = sentence[who - 1].word if who else ""
        return None if ahead in self._data["unless"] else sentence[who].seat

    def _denied(self, tokens: Sequence[Token]) -> bool:
        return any(token.word in self._data["unlike"] for token in tokens)

    def _follow(self) -> None:
        """Note what follows about any two persons from what is known of each and a third."""
        for k, a, b in product(self._names, repeat=3):
            through = {(x + y) % ROUND for x in self._between(a, k) for y in self._between(k, b)}
            self._apart[a, b] = self._between(a, b) & through or self._between(a, b)

    def _oppose(self) -> None:
        """Take the persons whom the speaker does not call his partner for opponents."""
        seats = {t.seat for sentence in self._sentences for t in sentence if t.acts and t.seat}
        for name in {seat.of for seat in seats}:
            odd = {seat.left % 2 for seat in seats if seat.of == name}
            if len(odd) == 1 and len(self._between("i", name)) == ROUND:
                self._link(Seat("i"), Seat(name, odd.pop()), {1, 3})

    def _join(self, sentence: Sequence[Token]) -> None:
        """Note who is named twice: `my partner, who was dealer`."""
        last: Seat | None = None
        for token in sentence:
            if token.acts and token.seat and token.word[0] == "@":
                if last and 0 in self.places(last, token.seat):
                    self._link(last, token.seat, {0})
                last = token.seat
            elif token.word not in self._data["same"]:
                last = None

    def _tokens(self, words: Sequence[str]) -> Iterator[Token]:
        before = ""
        for word, after in zip_longest(words, words[1:]):
            if word[0] in "@~":
                seat = self._seat(word[1:])
                acts = word[0] == "@" and before not in self._data["passive"]
                fell = after == "acard" and (not before or before in self._data["clause"])
                if seat != Seat("i") and (acts or self._he.of == "he"):
                    self._he = seat
                if acts:
                    self._last = seat
                yield Token(f"{word[0]}{seat.of}.{seat.left}", seat, acts or fell)
            elif word not in self._data["fillers"]:
                yield Token(word)
            before = word

    def _seat(self, name: str) -> Seat:
        base, *steps = name.split(".")
        after = Seat(self._last.of, self._last.left + 1)
        start = {"he": self._he, "next": after, "us": self._us}.get(base)
        new = base == "new" or (base not in self._names and len(self._names) >= MOST)
        start = start or (self._new() if new else Seat(base))
        if base == "he" and steps == ["2"] and self._us.of == "i":
            self._link(Seat("i"), start, {1, 3})  # his partner is not the speaker
        for step in steps:
            if step == "odd":
                of, start = start, self._new()
                self._link(of, start, {1, 3})
            else:
                start = Seat(start.of, (start.left + int(step)) % ROUND)
        self._names.setdefault(start.of)
        return start

    def _new(self) -> Seat:
        return Seat(f"new{min(len(self._names), MOST)}")

    def _between(self, a: str, b: str) -> frozenset[int]:
        return self._apart.get((a, b), frozenset([0] if a == b else range(ROUND)))

    def _link(self, a: Seat, b: Seat, places: set[int]) -> None:
        """Note that `b` sits one of these numbers of places to the left of `a`."""
        self._names.update(dict.fromkeys((a.of, b.of)))
        far = frozenset((a.left + n - b.left) % ROUND for n in places)
        for x, y, can in ((a.of, b.of, far), (b.of, a.of, {-n % ROUND for n in far})):
            self._apart[x, y] = (self._between(x, y) & can) or self._between(x, y)


def _fits(token: Token, asked: str) -> bool:
    """Whether a token is the word asked for, or a person if any is."""
    if asked in ("whom", "whose"):
        return token.word[0] == "@" or (asked == "whose" and token.word[0] == "~")
    return token.word == asked


def _with_titles(text: str, data: Index) -> str:
    """A text with a title before each name: a word with a capital that is no other word."""

    begin = {m.end() for m in re.finditer(data["begin"], text)}
    inner = {m[2] for m in re.finditer(data["person"], text) if m.start(2) not in begin}

    def titled(found: re.Match[str]) -> str:
        title, name = found.groups()
        word, short = name.lower(), looked_up(name.lower(), data)
        known = word in (*data["stop"], *data["faint"]) or short in data["postings"]
        other = word in data["capital"] or (known and name not in inner)
        return found[0] if other and not title else f"mr {name}"

    return re.sub(data["person"], titled, text)
