"""Compiles the parallels: the provisions of several codes that state one rule, and how it changed.

A provision names its parallels. `laws/parallels.yaml` contains the label of each parallel and
a version of the rule for each code, with figures quoted from the law. Codes that share a version
have identical wording, and no two versions are alike. A code that the file does not mention gets
the version with the same wording, with its own figures. Provisions with identical wording that name
no parallel form one automatically.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from functools import reduce

from oddtrick.law.figures import NUMBERS, flat, matches, merged, whole_numbers
from oddtrick.law.model import Json
from oddtrick.law.problems import Problem, nearest, repeated

Provisions = dict[str, Json]  # the provisions of all codes by address


def compile_parallels(node: Json, codes: dict[str, Json]) -> tuple[dict[str, Json], list[Problem]]:
    """The compiled parallels and their problems.

    `all` lists the parallels; `alone` lists, by code, the provisions that belong to none. `node` is
    the content of parallels.yaml, or `None` if it is missing. Removes the key `parallels` from the
    provisions.
    """
    book = {p["address"]: p for c in codes.values() for p in c["provisions"]}
    named = {a: list(dict.fromkeys(p.pop("parallels"))) for a, p in book.items()}
    unnamed = [a for a, p in book.items() if p["option"] is None and not named[a]]
    shared = [
        {"id": group[0].replace(":", "."), "label": book[group[0]]["heading"]}
        | {"members": members, "alike": [group]}
        for group in _by_words(unnamed, book)
        if len(members := _by_code(group)) > 1
    ]
    together = {a for parallel in shared for group in parallel["alike"] for a in group}
    alone: dict[str, list[str]] = {code: [] for code in codes} | _by_code(
        a for a in unnamed if a not in together
    )
    if node is None:
        return {"all": [], "alone": alone}, []
    problems = [*_naming_problems(named, book, [item["id"] for item in node["parallels"]])]
    parallels: list[Json] = []
    for item in node["parallels"]:
        own = _Parallel(item, [a for a in book if item["id"] in named[a]], book)
        messages = [*own.quote(), *own.problems([other["id"] for other in parallels])]
        problems += [Problem(item.file, item.line, message) for message in messages]
        parallels.append(own.compiled())
    problems += _words_problems(named, book)
    return {"all": [*parallels, *shared], "alone": alone}, problems


def _by_code(addresses: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for address in addresses:
        found.setdefault(address.partition(":")[0], []).append(address)
    return found


def _by_words(addresses: Iterable[str], book: Provisions) -> list[list[str]]:
    """The groups of two or more addresses whose provisions have identical wording."""
    found: dict[str, list[str]] = {}
    for address in addresses:
        found.setdefault(book[address]["text"], []).append(address)
    return [group for group in found.values() if len(group) > 1]


def _naming_problems(
    named: dict[str, list[str]], book: Provisions, known: list[str]
) -> Iterator[Problem]:
    for address, names in named.items():
        at = book[address]["file"], book[address]["line"]
        for name in (n for n in names if n not in known):
            yield Problem(*at, f"there is no parallel `{name}`.{nearest(name, known)}")
        if names and book[address]["option"]:
            message = f"`{address}` belongs to an option: use `displaces` and not a parallel."
            yield Problem(*at, message)


def _words_problems(named: dict[str, list[str]], book: Provisions) -> Iterator[Problem]:
    in_force = (a for a, provision in book.items() if not provision["option"])
    for address, other in repeated(in_force, lambda a: book[a]["text"]):
        apart = other.partition(":")[0] != address.partition(":")[0]
        both = named[address] or named[other]  # if neither is named, they form a parallel
        if apart and both and not set(named[address]) & set(named[other]):
            given, lacks = (other, address) if named[other] else (address, other)
            message = (
                f"`{other}` and `{address}` have the same words, but no parallel contains both: "
                f"`{lacks}` needs `parallel: {named[given][0]}`, as `{given}` has, or other words."
            )
            yield Problem(book[address]["file"], book[address]["line"], message)


_QUOTED = re.compile(
    r"\{(?P<name>[a-z-]+)(?:\.(?P<cell>[^{}@:]+))?(?:@(?P<at>[^{}:]+))?(?::(?P<form>[a-z]+))?\}"
)


class _Parallel:
    """One parallel during compilation: its item in the file and its provisions in each code."""

    def __init__(self, item: Json, addresses: list[str], book: Provisions) -> None:
        self.id, self.item, self.book = item["id"], item, book
        self.members = _by_code(addresses)
        self.says = [dict(version) for version in item.get("versions", ())]
        self.alike: dict[str, Json] = {}  # code without a version: the version with its wording
        stated = {c for version in self.says for c in version["codes"]}
        for code in (c for c in self.members if stated and c not in stated):
            for version in reversed(self.says):
                if self.words(code, False) == self.words(version["codes"][0], False):
                    self.alike[code] = dict(version)

    def words(self, code: str, numbers: bool = True) -> tuple[str, ...]:
        """The texts of the parallel's provisions in a code, with or without numbers."""
        texts = (self.book[a]["text"] for a in self.members.get(code, ()))
        return tuple(text if numbers else re.sub(r"\d+", "", text) for text in texts)

    def quote(self) -> Iterator[str]:
        """Replace the quotations in the versions by the figures; yields error messages."""
        for version in self.says:
            raw, codes = version["text"], [c for c in version["codes"] if c in self.members]
            done = {c: self._quoted(raw, c) for c in codes}
            wrong = [message for _, messages in done.values() for message in messages]
            yield from (f"in `{self.id}`: {m}" for m in wrong)
            if not wrong and len({text for text, _ in done.values()}) > 1:
                listed = " and ".join(f"`{text}` in {c}" for c, (text, _) in done.items())
                yield f"a version of `{self.id}` reads {listed}: write two versions."
            yield from self._written_again(_QUOTED.sub("", raw), codes)
            version["text"] = next((text for text, _ in done.values()), raw)

    def _written_again(self, text: str, codes: list[str]) -> Iterator[str]:
        """Yield a message for each number written out that should refer to a provision's figure."""
        for address in (a for code in codes for a in self.members[code]):
            for name, figure in self.book[address]["figures"].items():
                for cell, value in flat(figure).items():
                    for number in _numbers(value):
                        if re.search(rf"\b{number}\b", text):
                            what = f"{number}, a figure of {address}"
                            quoted = f"{{{name}.{cell}}}" if cell else f"{{{name}}}"
                            yield f"`{self.id}` writes out {what}: quote it as `{quoted}`."

    def _quoted(self, text: str, code: str) -> tuple[str, list[str]]:
        """A text with its quotations replaced by the figures of a code, and the errors in them."""
        wrong: list[str] = []

        def put(found: re.Match[str]) -> str:
            places = [f"{code}:{found['at']}"] if found["at"] else self.members[code]
            figures = [self.book[a]["figures"] for a in places if a in self.book]
            values = [f[found["name"]] for f in figures if found["name"] in f]
            tables: list[Json] = [v for v in values if isinstance(v, dict)]
            key = found["cell"] or ""
            numbers = {
                number
                for value in ([reduce(merged, tables)] if tables else values)
                for cell, part in flat(value).items()
                if matches(key, cell) or not tables
                for number in _numbers(part, key)
            }
            if len(numbers) == 1 and found["form"] in (None, "word", "times"):
                return _in_form(numbers.pop(), found["form"])
            what = "names several figures" if len(numbers) > 1 else "names no figure"
            where = ", ".join(a.partition(":")[2] for a in places)
            wrong.append(f"`{found[0]}` {what} of {code}, {where}.")
            return found[0]

        return _QUOTED.sub(put, text), wrong

    def problems(self, others: Container[str]) -> Iterator[str]:
        """Yield error messages. Codes in `alike` have no version yet at this point."""
        name, members = self.id, self.members
        for address in self.item.get("general", ()):
            if address not in self.book:
                yield f"`general` of `{name}` names `{address}`, which is not a provision."
            elif self.book[address]["option"] or address.partition(":")[0] in members:
                yield (
                    f"`{address}` of `{name}` must be a law in force in a code without a "
                    "provision of its own."
                )
        if name in others:
            yield f"the parallel `{name}` occurs twice."
        if not members or (len(members) < 2 and "general" not in self.item):
            yield f"the parallel `{name}` needs provisions of two codes that name it."
            return
        says = self.says or [{"codes": list(members), "text": ""}]
        stated = [c for version in says for c in version["codes"]]
        wanted = [c for c in members if c not in self.alike]
        if sorted(stated) != sorted(wanted):
            wrong = (
                ("lack", [c for c in wanted if c not in stated]),
                ("have no provision of", [c for c in stated if c not in wanted]),
                ("name twice", sorted({c for c in stated if stated.count(c) > 1})),
            )
            listed = "; ".join(f"{words} {', '.join(codes)}" for words, codes in wrong if codes)
            yield f"`versions` of `{name}` must name each of its codes once; they {listed}."
            return
        if all(version.get("differs") for version in says):
            yield (
                f"every version of `{name}` has `differs`: remove it from the one from which the "
                "others differ."
            )
        if len({version["text"] for version in says}) < len(says):
            yield f"two versions of `{name}` have the same words; state what differs."
        versions: dict[tuple[str, ...], str] = {}
        for version in says:
            first, *rest = version["codes"]
            like, words = version.get("like"), self.words(first)
            if like and (like not in stated or like in version["codes"]):
                yield f"`{like}` is not a code of another version of `{name}`."
            for code in (c for c in rest if self.words(c) != words):
                both = f"{first} and {code}, but their words differ."
                yield f"`{name}` is marked as the same rule in {both}"
            if words in versions:
                both = f"{versions[words]} and {first}: they are one version."
                yield f"`{name}` has the same words in {both}"
            versions[words] = first

    def compiled(self) -> dict[str, Json]:
        """The parallel as JSON.

        A code in `alike` joins the version with its wording, or gets a new one if its figures
        differ.
        """
        for code, version in self.alike.items():
            first = version["codes"][0]
            text, _ = self._quoted(version["text"], code)
            known = next(v for v in self.says if first in v["codes"])
            if self.words(code) == self.words(first) and text == known["text"]:
                known["codes"] = [*known["codes"], code]
            else:
                new = {"codes": [code], "text": text, "differs": "figure", "like": first}
                self.says.append(new)
        own = {k: self.item[k] for k in ("id", "label")}
        own["members"] = self.members
        own |= {k: list(self.item[k]) for k in ("general", "presumed_by") if k in self.item}
        if "versions" in self.item:
            own["says"] = self.says
        groups = _by_words((a for found in self.members.values() for a in found), self.book)
        return own | ({"alike": groups} if groups else {})


def _numbers(cell: Json, key: str = "") -> set[int]:
    """The numbers in a cell; in a list of tables, those under a key, or all if it is empty."""
    rows = cell if isinstance(cell, list) else [cell]
    return whole_numbers([r.get(key) if key and isinstance(r, dict) else r for r in rows])


def _in_form(number: int, form: str | None) -> str:
    if form is None:
        return str(number)
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return word if form == "word" else {1: "once", 2: "twice"}.get(number, f"{word} times")
