"""The parallels compiled: which provisions of several codes are one rule, and what changed in it.

A provision names its parallels; `laws/parallels.yaml` has the label of each and what the rule is in
each code, with figures quoted from the law. Codes with the same version have the same words, and
versions differ. A code that the file does not mention gets the version whose words it has, with its
own figures; provisions with the same words that name no parallel form one by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import reduce

from oddtrick.law.figures import NUMBERS, flat, matches, merged
from oddtrick.law.problems import Problem, line_of, nearest, repeated
from oddtrick.law.yaml import Json


def compile_parallels(
    node: Json, name: str, codes: dict[str, Json]
) -> tuple[dict[str, Json], list[Problem]]:
    """The compiled parallels (`all`, and those `alone` by code) and their problems.

    `node` is the content of the file of that name, `None` where there is none. Takes `parallels`
    from the provisions.
    """
    book = {p["address"]: p for c in codes.values() for p in c["provisions"]}
    named = {a: list(dict.fromkeys(p.pop("parallels"))) for a, p in book.items()}
    unnamed = [a for a, p in book.items() if p["option"] is None and not named[a]]
    shared = _alike(unnamed, book)
    together = {a for parallel in shared for found in parallel["members"].values() for a in found}
    alone: dict[str, list[str]] = {code: [] for code in codes} | _by_code(
        a for a in unnamed if a not in together
    )
    empty: dict[str, Json] = {"all": [], "alone": alone}
    if node is None:
        return empty, []
    parallels = [
        {k: v for k, v in item.items() if k not in ("versions", "general")}
        | {"members": _by_code(a for a in book if item["id"] in named[a])}
        | ({"general": list(item["general"])} if "general" in item else {})
        | ({"says": [dict(v) for v in item["versions"]]} if "versions" in item else {})
        for item in node["parallels"]
    ]
    problems = [*_named_problems(named, book, parallels)]
    for index, parallel in enumerate(parallels):
        line = line_of(node, ["parallels", index])
        likened = _likened(parallel, book)
        problems += [Problem(name, line, m) for m in _quote(parallel, book)]
        problems += [
            Problem(name, line, m)
            for m in _parallel_problems(parallel, parallels[:index], book, likened)
        ]
        for code, version in likened.items():
            _join(parallel, code, version, book)
        parallel |= _likes(parallel["members"], book)
    problems += _words_problems(named, book)
    return empty | {"all": [*parallels, *shared]}, problems


def _by_code(addresses: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for address in addresses:
        found.setdefault(address.partition(":")[0], []).append(address)
    return found


def _by_words(addresses: Iterable[str], book: dict[str, Json]) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for address in addresses:
        found.setdefault(book[address]["text"], []).append(address)
    return [group for group in found.values() if len(group) > 1]


def _likes(members: dict[str, list[str]], book: dict[str, Json]) -> dict[str, Json]:
    """As `alike` the members that have the same words, in groups; nothing where there are none."""
    groups = _by_words((a for found in members.values() for a in found), book)
    return {"alike": groups} if groups else {}


def _alike(unnamed: list[str], book: dict[str, Json]) -> list[Json]:
    """The parallels of provisions of several codes that have the same words and name none."""
    return [
        {"id": group[0].replace(":", "."), "label": book[group[0]]["heading"], "members": members}
        | _likes(members, book)
        for group in _by_words(unnamed, book)
        if len(members := _by_code(group)) > 1
    ]


def _likened(parallel: Json, book: dict[str, Json]) -> dict[str, Json]:
    """For each code without a version the one that has its words, but for the numbers."""
    found: dict[str, Json] = {}
    stated = {c for version in parallel.get("says", ()) for c in version["codes"]}
    for code in (c for c in parallel["members"] if stated and c not in stated):
        words = _numberless(parallel, code, book)
        for version in parallel["says"]:
            if words == _numberless(parallel, version["codes"][0], book):
                found[code] = dict(version)
                break
    return found


def _numberless(parallel: Json, code: str, book: dict[str, Json]) -> tuple[str, ...]:
    return tuple(re.sub(r"\d+", "", book[a]["text"]) for a in parallel["members"].get(code, ()))


def _join(parallel: Json, code: str, version: Json, book: dict[str, Json]) -> None:
    """Add a code to a version of a parallel, or where its figures differ a version like it."""
    first = version["codes"][0]
    text, _ = _quoted(version["text"], code, parallel["members"][code], book)
    known = next(v for v in parallel["says"] if first in v["codes"])
    same = [book[a]["text"] for a in parallel["members"][code]] == [
        book[a]["text"] for a in parallel["members"][first]
    ]
    if same and text == known["text"]:
        known["codes"] = [*known["codes"], code]
    else:
        parallel["says"].append({"codes": [code], "text": text, "differs": "figure", "like": first})


def _named_problems(
    named: dict[str, list[str]], book: dict[str, Json], parallels: list[Json]
) -> Iterator[Problem]:
    known = [parallel["id"] for parallel in parallels]
    for address, names in named.items():
        at = book[address]["file"], book[address]["line"]
        for name in names:
            if name not in known:
                yield Problem(*at, f"there is no parallel `{name}`.{nearest(name, known)}")
        if names and book[address]["option"]:
            message = f"`{address}` belongs to an option; options say what they displace."
            yield Problem(*at, message)


def _parallel_problems(
    parallel: Json, before: list[Json], book: dict[str, Json], likened: Container[str]
) -> Iterator[str]:
    """Errors within one parallel; codes that are `likened` have no version yet."""
    name, members = parallel["id"], parallel["members"]
    for address in parallel.get("general", ()):
        if address not in book:
            yield f"`{name}` is answered by `{address}`, which is no provision."
        elif book[address]["option"] or address.partition(":")[0] in members:
            yield f"`{address}` of `{name}` must be a law in force of a code without a member."
    if name in [other["id"] for other in before]:
        yield f"the parallel `{name}` stands twice."
    if not members or (len(members) < 2 and "general" not in parallel):
        yield f"the parallel `{name}` needs provisions of two codes that name it."
        return
    says = parallel.get("says") or [{"codes": list(members), "text": ""}]
    stated = [c for version in says for c in version["codes"]]
    wanted = [c for c in members if c not in likened]
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
        yield f"every version of `{name}` differs: one must be the one they differ from."
    for version in says:
        like = version.get("like")
        if like and (like not in stated or like in version["codes"]):
            yield f"`{like}` is no other version of `{name}` to be like."
    texts = [version["text"] for version in says]
    if len(set(texts)) < len(texts):
        yield f"two versions of `{name}` have the same words; say what differs."
    versions: dict[tuple[str, ...], str] = {}
    for version in says:
        first, *others = version["codes"]
        words = {c: tuple(book[a]["text"] for a in members[c]) for c in version["codes"]}
        for code in (c for c in others if words[c] != words[first]):
            yield (
                f"`{name}` is marked as the same rule in {first} and {code},"
                " but their words differ."
            )
        if words[first] in versions:
            yield (
                f"`{name}` has the same words in {versions[words[first]]} and {first}:"
                " they are one version."
            )
        versions[words[first]] = first


def _words_problems(named: dict[str, list[str]], book: dict[str, Json]) -> Iterator[Problem]:
    in_force = (a for a, provision in book.items() if not provision["option"])
    for address, other in repeated(in_force, lambda a: book[a]["text"]):
        apart = other.partition(":")[0] != address.partition(":")[0]
        both = named[address] or named[other]  # without one they are a parallel by themselves
        if apart and both and not set(named[address]) & set(named[other]):
            message = f"`{other}` and `{address}` have the same words, but no parallel holds both."
            yield Problem(book[address]["file"], book[address]["line"], message)


_QUOTED = re.compile(
    r"\{(?P<name>[a-z-]+)(?:\.(?P<cell>[^{}@:]+))?(?:@(?P<at>[^{}:]+))?(?::(?P<form>[a-z]+))?\}"
)


def _quote(parallel: Json, book: dict[str, Json]) -> Iterator[str]:
    """Put the figures that the versions quote into their texts; yield what is wrong."""
    for version in parallel.get("says", ()):
        codes = [c for c in version["codes"] if c in parallel["members"]]
        raw = version["text"]
        done = {c: _quoted(raw, c, parallel["members"][c], book) for c in codes}
        wrong = [message for _, messages in done.values() for message in messages]
        yield from (f"in `{parallel['id']}`: {m}" for m in wrong)
        if not wrong and len({text for text, _ in done.values()}) > 1:
            listed = " and ".join(f"`{text}` in {c}" for c, (text, _) in done.items())
            yield f"a version of `{parallel['id']}` is {listed}: they are two."
        yield from _written_again(parallel, _QUOTED.sub("", raw), codes, book)
        version["text"] = next((text for text, _ in done.values()), raw)


def _written_again(
    parallel: Json, text: str, codes: list[str], book: dict[str, Json]
) -> Iterator[str]:
    """Numbers of a version that are figures of its own provisions but not quoted."""
    for address in (a for code in codes for a in parallel["members"][code]):
        for name, figure in book[address]["figures"].items():
            for cell, value in flat(figure).items():
                for number in _numbers(value):
                    if re.search(rf"\b{number}\b", text):
                        what = f"{number}, a figure of {address}"
                        quoted = f"{{{name}.{cell}}}" if cell else f"{{{name}}}"
                        yield f"`{parallel['id']}` writes {what}: quote it as `{quoted}`."


def _quoted(
    text: str, code: str, members: Sequence[str], book: dict[str, Json]
) -> tuple[str, list[str]]:
    """A text with the figures that it quotes from a code, and the errors in its quotations."""
    wrong: list[str] = []

    def put(found: re.Match[str]) -> str:
        places = [f"{code}:{found['at']}"] if found["at"] else members
        figures = [book[a]["figures"] for a in places if a in book]
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
        what = "is several figures" if len(numbers) > 1 else "is no figure"
        where = ", ".join(a.partition(":")[2] for a in places)
        wrong.append(f"`{found[0]}` {what} of {code}, {where}.")
        return found[0]

    return _QUOTED.sub(put, text), wrong


def _numbers(cell: Json, key: str = "") -> set[int]:
    """The numbers of a cell; of a list of tables those under a key, or under all."""
    found = cell if isinstance(cell, list) else [cell]
    tables = [v for row in found if isinstance(row, dict) for k, v in row.items() if key in ("", k)]
    return {n for n in [*found, *tables] if isinstance(n, int)}


def _in_form(number: int, form: str | None) -> str:
    if form is None:
        return str(number)
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return word if form == "word" else {1: "once", 2: "twice"}.get(number, f"{word} times")
