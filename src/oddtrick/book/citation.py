"""Citations: read as people write them, and written in the styles that are asked for.

What a code is called, and what its passages without a number are called, stands in its `code.yaml`. Reading is
one pass: find the code, the kind of passage, the number and what is below it, and ask the code whether that exists.
"""

import re

from oddtrick.law import store
from oddtrick.law.address import PREAMBLE
from oddtrick.law.book import book

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

STYLES = ("short", "full", "markdown", "bibtex", "csl-json", "link")
READING = "reading"
"""The first step of the address of a reading, and what it is called."""

FILLERS = frozenset(
    (
        "law laws l ll rule rules r no nr number art article sec section s § para paragraph par p item "
        "clause sub subsection of the in under at from code codes card committee and to new york club "
        "whist bridge game s. footnote note notes rev revised ed see cf pursuant per read with by penalty "
        "penalties"
    ).split()
)
"""Words that carry nothing in a citation, once the code is found."""

_ROMAN = re.compile(r"(?=[ivxl])(x{0,3}|xl|l?x{0,3})(ix|iv|v?i{0,3})")
_TOKEN = re.compile(r"§|\d+(?:st|nd|rd|th)?[a-z]?\d?(?![a-z0-9])|[a-z][a-z'-]*")


class Unread(Exception):
    """A citation that leads nowhere; the message says why and what is nearest."""


def read(text: str, code: "str | None" = None) -> str:
    """The address that a citation means, such as `auction-1912:84.b`; a code alone is its own address.

    `code` is used where the text names none. Raises `Unread` with the reason and the next step.
    """
    words = _url(_plain(text))
    if not words:
        raise Unread("which law? Write a citation, such as `1912 law 84 (b)` or `contract-1927:10`")
    exact = words.replace(" ", "")
    named, colon, rest = exact.partition(":")
    if colon and named in store.load("index") and exists(f"{named}:{rest}"):
        return _present(f"{named}:{rest}")
    codes, left = _codes_of(words)
    found = _as_written(words, codes, left)
    if not found:
        codes = codes or ([code] if code else list(store.load("index")))
        found = [(c, address) for c in codes for address in _addresses(left, c)]
    real = list(
        dict.fromkeys(a if a == c else f"{c}:{a}" for c, a in found if a == c or exists(f"{c}:{a}"))
    )
    if len(real) == 1:
        return _present(real[0])
    if not real:
        raise Unread(_unknown(text, codes, found, left))
    if all(r in codes for r in real):
        raise Unread(f"`{text}` names no law, and may mean {_or(real)}")
    raise Unread(f"`{text}` may mean {_or(real)}: name the code")


def exists(address: str) -> bool:
    """Whether a law, a provision, a reading, or the beginning of such (`auction-1926:26.g`) stands at an address."""
    code, _, rest = address.partition(":")
    if code not in store.load("index") or not rest:
        return False
    return rest in _known(code)


def _present(address: str) -> str:
    """Where what stood at an address stands now: of a settled reading the provision whose note tells how."""
    code, _, rest = address.partition(":")
    kind, _, name = rest.partition(".")
    moved = store.load(code)["settled"] if kind == READING else {}
    return str(moved.get(name, address))


_seen: "dict[str, tuple[object, frozenset[str]]]" = {}
"""The addresses of each code, with the data that they are of."""


def _known(code: str) -> "frozenset[str]":
    data = store.load(code)
    if code not in _seen or _seen[code][0] is not data:
        heads = {READING, *(k.id for k in book().code(code).passages if not k.attached)}
        found: set[str] = set()
        for item in (*data["provisions"], *data["laws"], *data["readings"]):
            parts = item["address"].partition(":")[2].split(".")
            for end in range(1, len(parts) + 1):
                prefix = ".".join(parts[:end])
                if prefix not in heads:
                    found.add(prefix)
        found.update(f"{READING}.{name}" for name in data["settled"])
        _seen[code] = data, frozenset(found)
    return _seen[code][1]


_spoken: "dict[str, tuple[object, dict[str, str]]]" = {}
"""What `spoken` found for each code, with the data that it is of."""


def spoken(code: str) -> "dict[str, str]":
    """What `cite` calls each law, provision and reading that has no plain number, `bare`: those words to its address in the code.

    A heading is no grammar, nor are `the words before the rules of etiquette`: they are matched whole, before a
    citation is taken apart.
    """
    data = store.load(code)
    if code not in _spoken or _spoken[code][0] is not data:
        addresses = (
            item["address"] for key in ("laws", "provisions", "readings") for item in data[key]
        )
        named = {
            bare(law_words(a)): a.partition(":")[2]
            for a in addresses
            if not a.partition(":")[2][0].isdigit()
        }
        _spoken[code] = (data, named)
    return _spoken[code][1]


def bare(words: str) -> str:
    """Words without capitals, quotes, brackets, commas, or any `the`."""
    return " ".join(w for w in re.findall(r"[a-z0-9][a-z0-9-]*", _plain(words)) if w != "the")


def _as_written(words: str, codes: "list[str]", left: str) -> "list[tuple[str, str]]":
    """The code and address whose short citation a text is; or those whose words are all that it has beside the name of `codes`."""
    whole, rest = bare(words), bare(left)
    for code in store.load("index"):
        short = bare(store.load(code)["short"]) + " "
        if whole.startswith(short) and whole[len(short) :] in spoken(code):
            return [(code, spoken(code)[whole[len(short) :]])]
    return [(code, spoken(code)[rest]) for code in codes if rest in spoken(code)]


def _plain(text: str) -> str:
    """Lower case, one kind of hyphen, quote and space."""
    words = text.strip().strip("`\"'“”‘’.,;").lower()
    for old, new in (
        ("–", "-"),
        ("—", "-"),
        ("’", "'"),
        ("‑", "-"),
        ("\u00a0", " "),
        ("№", "no "),
        ("º", ""),
    ):
        words = words.replace(old, new)
    return " ".join(words.split())


def _url(words: str) -> str:
    """The address inside one of the site's URLs (`…/codes/auction-1912/84/#b`), or the words as they are."""
    found = re.search(r"codes/([a-z0-9-]+)/([a-z0-9.-]+)/?(?:#([a-z0-9.-]+))?$", words)
    if not found:
        return words
    number = READING if found[2] == "readings" else found[2]
    return f"{found[1]}:{number}" + (f".{found[3]}" if found[3] else "")


def _codes_of(words: str) -> "tuple[list[str], str]":
    """The codes that a text may name, and the text without the name. A name is stronger than a year."""
    text = f" {words} "
    names: list[set[str]] = []
    years: list[set[str]] = []
    aliases: dict[str, set[str]] = {}
    for code in store.load("index"):
        for alias in (code, *store.load(code).get("aliases", ())):
            aliases.setdefault(alias, set()).add(code)
    for alias in sorted(aliases, key=len, reverse=True):
        pattern = re.compile(rf"(?<![a-z0-9-]){re.escape(alias)}(?:'s)?(?![a-z0-9-])")
        if pattern.search(text):
            text = pattern.sub(" ", text)
            (years if alias.isdigit() else names).append(aliases[alias])
    for group in (names, years):
        if not group:
            continue
        both: set[str] = set.intersection(*group)
        every: set[str] = set().union(*years)
        narrowed = both & every if group is names else both
        chosen = narrowed or both or (every if group is years else narrowed)
        if chosen:
            return [c for c in store.load("index") if c in chosen], " ".join(text.split())
        return [], words
    return [], words


def _addresses(left: str, code: str) -> "Iterator[str]":
    """The addresses within a code that the rest of a citation may mean, the most literal first."""
    called = store.load(code).get("called", {})
    attached = book().passage_words[1]
    below = next((k for w, k in attached.items() if _named(w).search(left)), "")
    kind = ""
    for words in sorted(called, key=len, reverse=True):
        # no part of the name of a reading
        pattern = re.compile(rf"(?<![a-z-]){re.escape(words)}(?![a-z-])")
        if pattern.search(left):
            left, kind = pattern.sub(" ", left), called[words]
            break
    if not kind and left.replace(" ", "").strip(":.,") == "":
        yield code
        return
    if left.startswith(":") and not kind and left[1:].strip() in _known(code):
        yield left[1:].strip()
        return
    bare = left.strip(" :.,;")
    if not kind and bare in _known(code):
        yield bare
        return
    found = _steps(left, kind, frozenset(called.values()))
    if not found or not any(found):
        return
    kind, steps = found
    base = [kind] if kind else []
    if below and steps:
        yield ".".join([*base, *steps, below])
        return
    for variant in _variants(steps):
        yield ".".join([*base, *variant])


def _steps(left: str, kind: str, called: "frozenset[str]") -> "tuple[str, list[str]] | None":
    """The kind of passage that the rest of a citation names and the steps below it.

    `None` where a word means nothing; `called` are the passages that have names for steps.
    """
    kinds, attached = book().passage_words
    steps: list[str] = []
    for token in _TOKEN.findall(left):
        if (token in kinds or token == READING) and not kind:
            kind = kinds.get(token, token)
        elif token == PREAMBLE:
            steps.append(token)
        elif re.fullmatch(r"\d+|[a-z]", token):
            if steps or token not in FILLERS:
                steps.append(token)
        elif re.fullmatch(r"\d+[a-z]\d?", token):
            steps += re.findall(r"\d+|[a-z]", token)
        elif re.fullmatch(r"\d+(st|nd|rd|th)", token):
            steps.append(token[:-2])
        elif _ROMAN.fullmatch(token) and token not in FILLERS:
            steps.append(token)
        elif token in FILLERS or token in attached:
            continue
        elif kind == READING or kind in called:
            steps.append(token)
        else:
            return None
    return kind, steps


def _named(word: str) -> "re.Pattern[str]":
    """What finds a word that stands by itself."""
    return re.compile(rf"(?<![a-z]){re.escape(word)}(?![a-z])")


def _variants(steps: "list[str]") -> "Iterator[list[str]]":
    """The steps as written; then with roman numerals as figures, and figures as roman numerals."""
    yield steps
    as_figures = [str(_roman(s)) if _ROMAN.fullmatch(s) and _roman(s) else s for s in steps]
    if as_figures != steps:
        yield as_figures
        yield [as_figures[0], *steps[1:]]
    if len(steps) > 1 and steps[1] in ("1", "2", "3"):
        yield [steps[0], "i" * int(steps[1]), *steps[2:]]


def _roman(numeral: str) -> int:
    values = {"i": 1, "v": 5, "x": 10, "l": 50}
    total = 0
    for one, after in zip(numeral, [*numeral[1:], ""], strict=True):
        total += -values[one] if after and values[after] > values[one] else values[one]
    return total


def _or(found: "list[str]") -> str:
    quoted = [f"`{f}`" for f in found]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]


def _unknown(text: str, codes: "list[str]", found: "list[tuple[str, str]]", left: str) -> str:
    """Why a citation leads nowhere."""
    import difflib

    if found and len(codes) == 1:
        code, rest = found[0]
        data = store.load(code)
        near = difflib.get_close_matches(rest, sorted(_known(code), key=natural), n=3, cutoff=0.5)
        hint = f" Nearest: {', '.join(f'`{code}:{a}`' for a in near)}." if near else ""
        return f"{data['short']} has no `{rest}`.{hint}"
    if found:
        return f"no code has `{found[0][1]}`; a citation is CODE:LAW, such as `auction-1912:84.b`"
    known = ", ".join(store.load("index"))
    odd = [left.partition(":")[0]] if ":" in left else []
    odd += [
        t
        for t in _TOKEN.findall(left)
        if not t[0].isdigit() and t not in FILLERS and t not in book().passage_words[0]
    ]
    close = (
        difflib.get_close_matches(
            odd[0],
            [a for c in store.load("index") for a in (c, *store.load(c).get("aliases", ()))],
            n=1,
            cutoff=0.7,
        )
        if odd
        else []
    )
    hint = f" Did you mean `{close[0]}`?" if close else ""
    return f"`{text}` is no citation that can be read.{hint} Write CODE:LAW, with one of {known}, or for instance `1912 law 84 (b)`"


def natural(address: str) -> "list[tuple[int, int | str]]":
    """A key that sorts addresses as a reader counts."""
    return [(0, int(p)) if p.isdigit() else (1, p) for p in address.replace(":", ".").split(".")]


# --- writing ---------------------------------------------------------------------------------------


def law_words(address: str) -> str:
    """An address within its code as read aloud: `law 84 (b)`, `decision 6`, `rule of etiquette 3`, `footnote to law 55`."""
    code, _, rest = address.partition(":")
    parts = rest.split(".")
    kind = book().passage(address)
    if kind and kind.attached:
        return f"{kind.one} to {law_words(address.rpartition('.')[0])}"
    one = READING if parts[0] == READING else kind.one if kind else ""
    if kind and one and parts[-1] == PREAMBLE:
        return f"the words before the {kind.many}"
    if one:
        return " ".join([one, parts[1], *(f"({p})" for p in parts[2:])])
    if parts[0].isdigit():
        return " ".join([f"law {parts[0]}", *(f"({p})" for p in parts[1:])])
    for law in store.load(code)["laws"]:
        if rest == law["number"] or rest.startswith(law["number"] + "."):
            below = rest[len(law["number"]) + 1 :]
            return " ".join(
                [f"\u201c{law['heading']}\u201d", *(f"({p})" for p in below.split(".") if p)]
            )
    return " ".join(p.replace("-", " ") for p in parts)


MONTHS = (
    "January February March April May June July August September October November December".split()
)


def date_words(date: str) -> str:
    """A date as the code gives it: `1912`, `November 1912`, `5 April 1926`."""
    year, *rest = date.split("-")
    month = f"{MONTHS[int(rest[0]) - 1]} " if rest else ""
    return f"{int(rest[1])} {month}{year}" if len(rest) > 1 else f"{month}{year}"


def page_of(address: str) -> "str | None":
    """The page of the book on which an address stands, where the data says it."""
    code, _, rest = address.partition(":")
    paged = _paged(code) if rest else []
    return next(
        (page for own, page in paged if own == address or own.startswith(address + ".")), None
    )


_pages: "dict[str, tuple[object, list[tuple[str, str]]]]" = {}
"""The addresses of each code that have a page of the book, with the data that they are of."""


def _paged(code: str) -> "list[tuple[str, str]]":
    data = store.load(code)
    if code not in _pages or _pages[code][0] is not data:
        items = (*data["provisions"], *data["laws"])
        _pages[code] = (
            data,
            [(item["address"], str(item["page"])) for item in items if item.get("page")],
        )
    return _pages[code][1]


_laws: "dict[str, tuple[object, frozenset[str]]]" = {}
"""The numbers of the laws of each code, with the data that they are of."""


def _numbers(code: str) -> "frozenset[str]":
    data = store.load(code)
    if code not in _laws or _laws[code][0] is not data:
        _laws[code] = (data, frozenset(law["number"] for law in data["laws"]))
    return _laws[code][1]


def path_of(address: str) -> str:
    """Where an address stands on the site: `codes/auction-1912/84/#b`."""
    code, _, rest = address.partition(":")
    if not rest:
        return f"codes/{code}/"
    if rest.startswith(f"{READING}."):
        return f"codes/{code}/readings/#{rest.partition('.')[2]}"
    numbers = _numbers(code)
    parts = rest.split(".")
    cut = next((i for i in range(len(parts), 0, -1) if ".".join(parts[:i]) in numbers), len(parts))
    number, below = ".".join(parts[:cut]), ".".join(parts[cut:])
    return f"codes/{code}/{number}/" + (f"#{below}" if below else "")


def cite(address: str, style: str, site: str = "") -> str:
    """A citation of an address in one of `STYLES`; `site` is put before links. Raises `ValueError` for another style."""
    if style == "short":
        return _short(address)
    if style == "full":
        return _full(address)
    if style == "markdown":
        return f"[{_short(address)}]({site}{path_of(address)})"
    if style == "link":
        return site + path_of(address)
    if style == "bibtex":
        return _bibtex(address, site)
    if style == "csl-json":
        import json

        return json.dumps([csl(address, site)], ensure_ascii=False, indent=2)
    raise ValueError(f"no style {style}; there are {', '.join(STYLES)}")


def cite_all(addresses: "Iterable[str]", style: str, site: str = "") -> str:
    """Several citations as one text: a line each, entries with a blank line between, or one JSON list."""
    found = list(addresses)
    if style == "csl-json":
        import json

        return json.dumps([csl(a, site) for a in found], ensure_ascii=False, indent=2)
    return ("\n\n" if style == "bibtex" else "\n").join(cite(a, style, site) for a in found)


def _short(address: str) -> str:
    code, _, rest = address.partition(":")
    short = store.load(code)["short"]
    return f"{short}, {law_words(address)}" if rest else str(short)


def _full(address: str) -> str:
    code, _, rest = address.partition(":")
    data = store.load(code)
    volume = data["book"]
    authors = " and ".join(f"{a['given']} {a['family']}" for a in volume["authors"])
    printed = (
        f"{authors}, {volume['title']} ({volume['place']}: {volume['publisher']}, {volume['year']})"
    )
    page = page_of(address)
    where = f", p. {page}" if page and "-" not in page else f", pp. {page}" if page else ""
    passage = f", {law_words(address)}" if rest else ""
    url = open_copy(code)
    seen = f", {url}" if url else ""
    if volume.get("code"):
        own = f"{data['title']} ({data['body']}, {date_words(data['date'])})"
        return f"{own}{passage}, in {printed}{where}{seen}."
    return f"{printed}{passage}{where}{seen}."


def open_copy(code: str) -> "str | None":
    """The link to an open copy of the book that a code is read in, where one is known."""
    copies = store.load(code)["book"]["copies"]
    return str(copies[0]["url"]) if copies else None


def _key(address: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", address).strip("-")


def _bibtex(address: str, site: str) -> str:
    code, _, rest = address.partition(":")
    data = store.load(code)
    volume = data["book"]
    authors = " and ".join(f"{a['family']}, {a['given']}" for a in volume["authors"])
    passage = data["title"] + (f", {law_words(address)}" if rest else "")
    page = site + path_of(address) if site else None
    copy = open_copy(code)
    notes = [
        f"oddtrick {address}",
        *([] if volume.get("code") else [passage]),
        *([f"open copy of the book: {copy}"] if page and copy else []),
    ]
    fields = {
        "author": "{" + data["body"] + "}" if volume.get("code") else authors,
        "title": passage if volume.get("code") else volume["title"],
        "booktitle": volume["title"] if volume.get("code") else None,
        "editor": authors if volume.get("code") else None,
        "publisher": volume["publisher"].replace("&", "\\&"),
        "address": volume["place"],
        "year": str(volume["year"]),
        "pages": (page_of(address) or "").replace("-", "--") or None,
        "url": page or copy,
        "note": "; ".join(notes),
    }
    lines = [f"  {k} = {{{v}}}," for k, v in fields.items() if v]
    return "\n".join(
        [f"@{'incollection' if volume.get('code') else 'book'}{{{_key(address)},", *lines, "}"]
    )


def csl(address: str, site: str = "") -> "dict[str, Any]":
    """A citation as one CSL-JSON item; `URL` is the page of the site, or else the open copy of the book."""
    code, _, rest = address.partition(":")
    data = store.load(code)
    volume = data["book"]
    people = [{"family": a["family"], "given": a["given"]} for a in volume["authors"]]
    item: dict[str, Any] = {
        "id": address,
        "type": "chapter" if volume.get("code") else "book",
        "title": data["title"] if volume.get("code") else volume["title"],
        "publisher": volume["publisher"],
        "publisher-place": volume["place"],
        "issued": {"date-parts": [[volume["year"]]]},
    }
    if volume.get("code"):
        item |= {
            "author": [{"literal": data["body"]}],
            "container-title": volume["title"],
            "editor": people,
        }
    else:
        item |= {"author": people}
    copy = open_copy(code)
    notes = [
        *([law_words(address)] if rest else []),
        *([f"open copy of the book: {copy}"] if site and copy else []),
    ]
    if notes:
        item["note"] = "; ".join(notes)
    page = page_of(address)
    if page:
        item["page"] = page
    if site or copy:
        item["URL"] = site + path_of(address) if site else copy
    return item
