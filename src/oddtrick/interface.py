"""The functions of `import oddtrick`. Each is a thin wrapper around a function of one package."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from typing import Any, overload

from oddtrick.book import compare as comparing
from oddtrick.book import read_citation as citations
from oddtrick.book import search as searching
from oddtrick.book import write_citation
from oddtrick.judge import PHASES, Json, check_document, phases_asked
from oddtrick.judge import Check as Check
from oddtrick.judge import Finding as Finding
from oddtrick.judge import GroupCheck as GroupCheck
from oddtrick.law.address import Address
from oddtrick.law.book import book, judged_codes
from oddtrick.law.model import Code, Irregularity, Provision, Topic
from oddtrick.paths import site_url
from oddtrick.record.deal import Deal as Deal
from oddtrick.record.deal import Group, Unreadable
from oddtrick.record.sources import NOTATIONS, read_paths
from oddtrick.record.sources import read as read_bytes
from oddtrick.report import under_codes as scoring
from oddtrick.report.answers import as_json as as_json
from oddtrick.report.contract_words import Unclear
from oddtrick.report.messages import Wording
from oddtrick.rulings import Answer, answer

Item = Deal | Group | Unreadable
Source = str | PathLike[str] | bytes
Result = Check | GroupCheck | Finding
Names = str | Iterable[str]


def _html(shown: Deal | Check) -> str | None:
    """A deal or a check as HTML for a notebook, by the site's template; needs `oddtrick[site]`."""
    try:
        from oddtrick.site.template import answers_html
    except ModuleNotFoundError:
        return None
    if isinstance(shown, Deal):
        return answers_html([as_json(check(shown))], site_url(), deals_only=True)
    return answers_html([as_json(shown)], site_url())


# The packages that define `Deal` and `Check` may not import the site.
Deal._repr_html_ = Check._repr_html_ = _html  # type: ignore[attr-defined]


def read(source: Source, notation: str | None = None) -> list[Item]:
    """The deals and groups of a file or folder, in order, and what could not be read.

    A string with a line break, or bytes, is the text of a record itself. The notation (`hand`,
    `pbn`, `lin`) is recognised if it is not given. Raises `ValueError` for any other.
    """
    if notation is not None and notation not in NOTATIONS:
        raise ValueError(f"there is no notation `{notation}`; there are {', '.join(NOTATIONS)}")
    if isinstance(source, str) and "\n" in source:
        source = source.encode()
    if isinstance(source, bytes):
        return list(read_bytes(source, notation=notation))
    return [item for file in read_paths([fspath(source)], notation) for item in file.items]


@overload
def check(
    source: Deal, code: str | None = ..., options: Iterable[str] = ..., only: Names = ...
) -> Check: ...
@overload
def check(
    source: Group, code: str | None = ..., options: Iterable[str] = ..., only: Names = ...
) -> GroupCheck: ...
@overload
def check(
    source: Source | Iterable[Item],
    code: str | None = ...,
    options: Iterable[str] = ...,
    only: Names = ...,
) -> list[Result]: ...
def check(
    source: Deal | Group | Source | Iterable[Item],
    code: str | None = None,
    options: Iterable[str] = (),
    only: Names = PHASES,
) -> Result | list[Result]:
    """Judge records under a code, by default the one that each names.

    Returns a `Check` for a deal, a `GroupCheck` for a group and a list for any other source; a
    `Finding` in that list belongs to no deal. `options` are options of the code or readings as
    `CODE:ID=CHOICE`; `only` names the parts to judge: `declaring`, `play`, `score`. Raises
    `ValueError` for any other part, `LookupError` for an unknown code and `TypeError` for a source
    of another type.
    """
    only = phases_asked(only)
    named, chosen = None if code is None else _code(code), _texts(options) or None
    if isinstance(source, Deal | Group):
        *_, result = check_document([source], named, chosen, only)
        return result
    if isinstance(source, str | bytes | PathLike):
        return list(check_document(read(source), named, chosen, only))
    items: list[Any] = list(source) if isinstance(source, Iterable) else [source]
    for item in items:
        if not isinstance(item, Item):
            what = "a path, the text of a record, or a deal, group or list that `read` returned"
            raise TypeError(f"check takes {what}, not `{type(item).__name__}`")
    return list(check_document(items, named, chosen, only))


def score(contract: str, *under: str, options: Iterable[str] = ()) -> Json:
    """Score a contract in words (`4 hearts doubled, 11 tricks`) under codes, by default all.

    `options` are options or readings that all these codes have. Raises `ValueError` if the words
    are unclear or incomplete, and `LookupError` for an unknown code or option.
    """
    laws = [book().rules(_code(c), _texts(options)) for c in under or judged_codes()]
    try:
        return scoring.contract_json(_text(contract, "a contract"), laws)
    except Unclear as error:
        raise ValueError(Wording(None).say(error.message)) from error


def rule(irregularity: str, code: str, options: Iterable[str] = (), **facts: str) -> Answer:
    """What a code provides for an irregularity, given these facts.

    A fact is named with underscores: `followed_by="declarer"`. If more facts are needed, the
    answer's `kind` is `open` and its `questions` ask for them. Raises `LookupError` for an unknown
    name or answer.
    """
    given = {name.replace("_", "-"): value for name, value in facts.items()}
    return answer(_text(irregularity, "an irregularity"), _code(code), _texts(options), given)


def provisions(citation: str) -> tuple[Provision, ...]:
    """The provisions that a citation refers to, in order: one for a paragraph, several for a law,
    all of its own for a code.

    Raises `LookupError` if the citation matches nothing, or more than one law.
    """
    address = _address(citation)
    every = book().code(address.code).provisions
    if not address.local:
        return tuple(every)
    return tuple(p for p in every if p.address.within(address) or p.law == address)


def cite(citation: str, style: str = "short", site: str = "") -> str:
    """A citation in another style (`full`, `chicago`, `bibtex`); `site` is the base URL of links.

    Raises `LookupError` as `provisions` does, and `ValueError` for an unknown style.
    """
    return write_citation.cite(_address(citation), style, site)


def compare(subject: str, *under: str) -> comparing.Comparison:
    """Compare a topic or a law in several codes, by default all.

    Raises `LookupError` if there is no such topic, law or code.
    """
    codes, subject = [_code(c) for c in under] or list(book().ids), _text(subject, "a subject")
    if topic := comparing.topic_of(subject):
        return comparing.compare_topic(topic, codes)
    try:
        return comparing.compare_address(searching.law_to_compare(subject), codes)
    except citations.Unread as error:
        raise LookupError(str(error)) from error


def search(question: str, code: str | None = None, limit: int = 10) -> searching.Found:
    """The laws that answer a question asked in a player's own words, best first.

    The list has `sure`, whether any of them fits; `first`, sentences on the first code
    with a term or rule; and `silences`, what the codes lack.
    """
    question, within = _text(question, "a question"), None if code is None else _code(code)
    return searching.search(question, within, limit=limit)


def codes() -> tuple[Code, ...]:
    """All codes, by date."""
    return book().codes


def topics() -> tuple[Topic, ...]:
    """All topics that `compare` takes, in the order of presentation."""
    return book().vocabulary.topics


def irregularities() -> tuple[Irregularity, ...]:
    """All irregularities that `rule` takes, each with the facts that may matter for it."""
    return tuple(book().irregularities.values())


def _address(citation: str) -> Address:
    try:
        return citations.read_citation(_text(citation, "a citation"))
    except citations.Unread as error:
        raise LookupError(str(error)) from error


def _code(name: str) -> str:
    return citations.read_code(_text(name, "a code")).code


def _text(value: str, what: str) -> str:
    """The value if it is a string. Raises `TypeError`, with what was expected."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not `{type(value).__name__}`")
    return value


def _texts(options: Iterable[str]) -> tuple[str, ...]:
    """The options if they are a list of strings. Raises `TypeError`."""
    if isinstance(options, str) or not isinstance(options, Iterable):
        raise TypeError(f"options must be a list of strings, not `{type(options).__name__}`")
    return tuple(_text(option, "an option") for option in options)
