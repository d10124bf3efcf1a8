"""Parses citations as people write them: code, kind of passage, number, paragraph."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from oddtrick.law.address import PREAMBLE, Address, order
from oddtrick.law.book import book
from oddtrick.law.figures import ROMAN
from oddtrick.law.model import Code, UnknownCode
from oddtrick.law.names import READING, addresses, and_words, exists, known, law_words
from oddtrick.limits import WORDS

FILLERS = frozenset(
    (
        "law laws l ll rule rules r no nr number art article sec section s § para paragraph par p "
        "item clause sub subsection of the in under at from code codes card committee and to new "
        "york club whist bridge game s. footnote note notes rev revised ed see cf pursuant per "
        "read with by penalty penalties"
    ).split()
)
"""Words that are ignored in a citation once the code has been found."""

_ONE_KIND = str.maketrans(
    {"–": "-", "—": "-", "‑": "-", "’": "'", "\u00a0": " ", "№": "no ", "º": None}
)
_PAGE = re.compile(r",? *\b(?:pages?|pp?\.?) *\d+(?:-\d+)?$")
_TOKEN = re.compile(r"§|\d+(?:st|nd|rd|th)?[a-z]?\d?(?![a-z0-9])|[a-z][a-z'-]*")


class Unread(Exception):
    """Raised for a citation that cannot be resolved; the message states the reason and the nearest
    addresses.
    """


def read_citation(text: str, code: str | None = None) -> Address:
    """The address that a citation refers to; `code` is used if it names none. Raises `Unread`."""
    if len(text) > WORDS.most:
        raise Unread(WORDS.message(length=f"{len(text):,}"))
    words, of_page = _PAGE.subn("", _url(_normalised(text)))
    if not words:
        raise Unread("which law? Write a citation, such as `1912 law 84 (b)` or `contract-1927:10`")
    exact = Address(words.replace(" ", ""))
    if exact.local and exists(exact):
        return _present(exact)
    codes, left = _codes_of(words)
    found = _as_written(words, codes, left)
    if not found:
        asked = codes or ([code] if code else list(book().ids))
        found = [(c, local) for c in asked for local in _addresses(left, book().code(c))]
        codes = asked
    candidates = [_standing(Address(a if a == c else f"{c}:{a}")) for c, a in found]
    real = list(dict.fromkeys(a for a in candidates if not a.local or exists(a)))
    if of_page and all(not a.local for a in real):
        raise Unread(f"`{text}` names only a page; name a law, such as `auction-1912:84.b`")
    if len(real) == 1:
        return _present(real[0])
    if not real:
        raise Unread(_unknown(text, codes, found, left))
    listed = and_words((f"`{a}`" for a in real), "or")
    if all(r in codes for r in real):
        raise Unread(f"`{text}` names no single code; it may mean {listed}")
    raise Unread(f"`{text}` may mean {listed}: name the code")


def read_code(name: str) -> Address:
    """The code that an id, a year or an alias means. Raises `UnknownCode`."""
    with suppress(Unread):
        if not (address := read_citation(name)).local:
            return address
        raise UnknownCode(name, f"`{name}` is a law, not a code")
    return Address(book().code(name).id)


def code_in(text: str) -> tuple[str | None, str]:
    """The code that a text names by its short name or id, and the text without it.

    `None` if it names none or several.
    """
    before, named = r"\b(?:(?:in|under|by|at|of) )?", dict[str, str]()
    for code, name in book().names.items():
        named[code] = rf"{before}(?:{code.replace('-', '[- ]')}|{re.escape(name)})\b[:,]?"
    found = [c for c, pattern in named.items() if re.search(pattern, text, re.IGNORECASE)]
    if len(found) != 1:
        return None, text
    left = re.sub(named[found[0]], " ", text, flags=re.IGNORECASE)
    return found[0], " ".join(left.split())


def citation_note(text: str, address: Address, code: str | None = None) -> str:
    """What to tell the user about a citation: that another code has the same year, or that the
    code takes the law over from its base; empty if there is nothing to tell.
    """
    words = re.sub("[^a-z0-9'-]+", " ", f" {_normalised(text)} ")
    names, year = book().names, address.code.rpartition("-")[2]
    others = [c for c in book().ids if c.endswith(f"-{year}") and c != address.code]
    called = {n for code, aliases in book().aliases.items() for n in (code, *aliases)}
    if others and f" {year} " in words and not any(f" {n} " in words for n in called - {year}):
        return f"is taken as {address}, not as {' or '.join(others)}"
    cited = _codes_of(_url(_normalised(text)))[0] or [code or address.code]
    of_base = (c for c in cited if book().code(c).extends == address.code)
    heirs = [] if address.code in cited else [*of_base]
    taken = f"takes over from {names[address.code]}"
    return f"is a law that {names[heirs[0]]} {taken}" if heirs else ""


def _present(address: Address) -> Address:
    """The address, or for a settled reading the provision whose note explains it."""
    if not address.is_reading:
        return address
    return book().code(address.code).settled.get(address.below(READING), address)


def _standing(address: Address) -> Address:
    """The address; if the code inherits that law under the same number, its address in the base."""
    number = address.local.partition(".")[0]
    code = book().code(address.code)
    while code.keeps_numbers and code.extends and number.isdigit() and number not in known(code.id):
        address = Address(f"{code.extends}:{address.local}")
        code = book().code(code.extends)
    return address


@cache
def spoken(code: str) -> dict[str, str]:
    """The local addresses of passages without a number, by their normalised names in `cite` and by
    their headings.
    """
    named = [a for a in addresses(book().code(code)) if not a.local[0].isdigit()]
    laws = ((a, book().law(a)) for a in named)
    headed = {f"{law.heading} {a.below(law.number)}": a.local for a, law in laws if law}
    cited = {law_words(a): a.local for a in named}
    return {without_punctuation(words): local for words, local in (headed | cited).items()}


def without_punctuation(words: str) -> str:
    """The words of a text in lower case, without punctuation and without `the`."""
    return " ".join(w for w in re.findall(r"[a-z0-9][a-z0-9-]*", _normalised(words)) if w != "the")


def _as_written(words: str, codes: list[str], left: str) -> list[tuple[str, str]]:
    """The passages without a number that a text names, as pairs of code and local address."""
    written, rest = without_punctuation(words), without_punctuation(left)
    for code, name in book().names.items():
        short = without_punctuation(name) + " "
        if written.startswith(short) and written[len(short) :] in spoken(code):
            return [(code, spoken(code)[written[len(short) :]])]
    return [(code, spoken(code)[rest]) for code in codes if rest in spoken(code)]


def _normalised(text: str) -> str:
    words = text.strip().strip("`\"'“”‘’.,;").lower()
    return " ".join(words.translate(_ONE_KIND).split())


def _url(words: str) -> str:
    """The address in a URL of the site (`…/codes/auction-1912/84/#b`), or else the text itself."""
    found = re.search(r"codes/([a-z0-9-]+)/([a-z0-9.-]+)/?(?:#([a-z0-9.-]+))?$", words)
    if not found:
        return words
    number = READING if found[2] == "readings" else found[2]
    return f"{found[1]}:{number}" + (f".{found[3]}" if found[3] else "")


def _codes_of(words: str) -> tuple[list[str], str]:
    """The codes that a text may name, and the rest of the text.

    A name takes precedence over a year. Without a code, the list is empty.
    """
    text = f" {words} "
    names: list[set[str]] = []
    years: list[set[str]] = []
    aliases: dict[str, set[str]] = {}
    for code, others in book().aliases.items():
        for alias in (code, *others):
            aliases.setdefault(alias, set()).add(code)
    for alias in sorted(aliases, key=len, reverse=True):
        pattern = re.compile(rf"(?<![a-z0-9-]){re.escape(alias)}(?:'s)?(?![a-z0-9-])")
        if pattern.search(text):
            text = pattern.sub(" ", text)
            (years if alias.isdigit() else names).append(aliases[alias])
    every: set[str] = set().union(*years)
    both: set[str] = set.intersection(*(names or years or [every]))
    chosen = (both & every or both) if names else (both or every)
    if not chosen:
        return [], words
    return [c for c in book().ids if c in chosen], " ".join(text.split())


def _addresses(left: str, code: Code) -> Iterator[str]:
    """Yield the local addresses that the rest of a citation may mean, the most literal first."""
    attached = book().passage_words[1].items()
    word = r"(?<![a-z]){}(?![a-z])"
    below = next((k for w, k in attached if re.search(word.format(re.escape(w)), left)), "")
    kind = ""
    for words in sorted(code.called, key=len, reverse=True):  # the code's names for its passages
        pattern = re.compile(rf"(?<![a-z-]){re.escape(words)}(?![a-z-])")  # not inside a word
        if pattern.search(left):
            left, kind = pattern.sub(" ", left), code.called[words]
            break
    if not kind:
        if left.replace(" ", "").strip(":.,") == "":
            yield code.id
            return
        exact = (left[1:].strip() if left.startswith(":") else "", left.strip(" :.,;"))
        if passage := next((words for words in exact if words in known(code.id)), None):
            yield passage
            return
    kind, steps = _steps(left, kind, code)
    base = [kind] if kind else []
    if below and steps:
        yield ".".join([*base, *steps, below])
    elif steps or kind:
        yield from (".".join([*base, *variant]) for variant in _variants(steps))


def _steps(left: str, kind: str, code: Code) -> tuple[str, list[str]]:
    """The kind of passage and the steps of the address; both empty if a word is unknown."""
    kinds, attached = book().passage_words
    steps: list[str] = []
    for token in _TOKEN.findall(left):
        if (token in kinds or token in (READING, "readings")) and not kind:
            kind = kinds.get(token, READING)
        elif token == PREAMBLE:
            steps.append(token)
        elif re.fullmatch(r"\d+|[a-z]", token):
            if token not in FILLERS or steps:
                steps.append(token)
        elif re.fullmatch(r"\d+[a-z]\d?", token):
            steps += re.findall(r"\d+|[a-z]", token)
        elif re.fullmatch(r"\d+(st|nd|rd|th)", token):
            steps.append(token[:-2])
        elif token not in FILLERS and token not in attached:
            named = kind == READING or kind in code.called.values()
            if not (token in ROMAN or named):
                return "", []
            steps.append(token)
    return kind, steps


def _variants(steps: list[str]) -> Iterator[list[str]]:
    """Yield the steps as written, then with Roman numerals as figures, and then the reverse."""
    yield steps
    as_figures = [str(ROMAN.get(step, step)) for step in steps]
    if as_figures != steps:
        yield as_figures
        yield [as_figures[0], *steps[1:]]
    if len(steps) > 1 and steps[1] in ("1", "2", "3"):
        yield [steps[0], "i" * int(steps[1]), *steps[2:]]


def _unknown(text: str, codes: list[str], found: list[tuple[str, str]], left: str) -> str:
    if found and len(codes) == 1:
        code, rest = book().code(found[0][0]), found[0][1]
        numbers = sorted(known(code.id), key=order)
        near = difflib.get_close_matches(rest, numbers, n=3, cutoff=0.5)
        hint = f" Nearest: {', '.join(f'`{code.id}:{a}`' for a in near)}." if near else ""
        return f"{code.short} has no `{rest}`.{hint}"
    every = f"the codes are {', '.join(book().ids)}"
    if found and (year := re.search(r"\b1[89]\d\d\b", left)):
        return f"there is no code of {year[0]}; {every}"
    if found:
        return f"no code has `{found[0][1]}`; a citation is CODE:LAW, such as `auction-1912:84.b`"
    odd = [left.partition(":")[0]] if ":" in left else []
    usual = FILLERS | book().passage_words[0].keys()
    odd += [t for t in _TOKEN.findall(left) if not t[0].isdigit() and t not in usual]
    names = [name for code, others in book().aliases.items() for name in (code, *others)]
    close = difflib.get_close_matches(odd[0], names, n=1, cutoff=0.7) if odd else []
    hint = f" Did you mean `{close[0]}`?" if close else ""
    return (
        f"`{text}` cannot be read as a citation.{hint} Write CODE:LAW, such as "
        f"`auction-1912:84.b`, or for instance `1912 law 84 (b)`; {every}"
    )
