"""The filters and functions of the templates: links to laws, headings, terms, numbers in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from oddtrick.book.silences import clause_names
from oddtrick.book.write_citation import cite, date_words, dated
from oddtrick.cards import Suit, card_in
from oddtrick.law.address import Address
from oddtrick.law.book import book, column_heading, column_name
from oddtrick.law.figures import NUMBERS
from oddtrick.law.model import SILENT, Code, Figure, Source
from oddtrick.law.names import and_words, exists, law_words, of_edition, open_copies, path_of
from oddtrick.report.check import grounds, seat_words, side_words
from oddtrick.report.words import number_words
from oddtrick.rulings.words import upper

# --- links ---------------------------------------------------------------------------------------


@pass_context
def link(context: Context, address: str, words: str = "") -> Markup:
    """A link to an address, with the given words or by default as this page writes the address."""
    path, root, target = str(context["path"]), str(context["root"]), path_of(address)
    shown = words or shown_as(address, path)
    for folder in path.split("/")[:-1]:  # strip the folders that page and target share
        if not target.startswith(f"{folder}/"):
            break
        root, target = root.removesuffix("../"), target.removeprefix(f"{folder}/")
    # About 100,000 links are made; `Markup.format` would take ten times as long.
    return Markup(f'<a href="{root + target or "./"}">{escape(shown)}</a>')


@pass_context
def law_link(context: Context, address: str, side: str) -> Markup:
    """A link to a provision in words, preceded by the name of its code unless that is `side`."""
    code = address.partition(":")[0]
    words = law_words(address)
    return link(context, address, words if code == side else f"{short(code)}, {words}")


@pass_context
def citations(context: Context, addresses: Iterable[str], side: str = "") -> Markup:
    """Links to addresses in words: `Auction 1912, law 4 (2), law 44 (1)`.

    A code is named only when it changes; `side` is the code assumed at the start.
    """
    made = []
    for address in dict.fromkeys(addresses):
        made.append(law_link(context, address, side))
        side = address.partition(":")[0]
    return Markup(", ").join(made)


def shown_as(address: str, path: str) -> str:
    """An address as the page at `path` writes it: on the pages of its code without the code, on
    those of other codes in words.
    """
    here = path.split("/")[1] if path.startswith("codes/") else ""
    code, _, local = address.partition(":")
    return local if code == here and local else cite(address) if here and local else address


@pass_context
def links(context: Context, addresses: Iterable[str]) -> Markup:
    """Links to addresses, separated by commas."""
    return Markup(", ").join(link(context, a) for a in addresses)


@pass_context
def and_links(context: Context, addresses: Iterable[str]) -> Markup:
    """Links to addresses, with `and` before the last."""
    *first, last = (link(context, a) for a in addresses)
    return Markup(" and ").join([Markup(", ").join(first), last] if first else [last])


@pass_context
def by_code(context: Context, addresses: Iterable[str]) -> Markup:
    """Links to provisions and readings by code: `Royalton 17.1, reading`."""
    groups: dict[str, list[Markup]] = {}
    for address in map(Address, addresses):
        words = "reading" if address.is_reading else address.local
        groups.setdefault(address.code, []).append(link(context, address, words))
    return Markup("; ").join(
        Markup("{} {}").format(short(code), Markup(", ").join(groups[code]))
        for code in book().ids
        if code in groups
    )


# --- headings -----------------------------------------------------------------------------------


def heading(
    level: int,
    words: str | Markup,
    anchor: str | None = None,
    mark: str | Markup = "",
    kind: str = "",
) -> Markup:
    """An HTML heading with an anchor, by default the slug of its words, and a § that links to it.

    `mark` follows the words; `kind` is the CSS class.
    """
    anchor = anchor or slug(Markup(words).striptags())
    look = f' class="{kind}"' if kind else ""
    return Markup(
        f'<h{level} id="{escape(anchor)}"{look}>{escape(words)}{escape(mark)}'
        f'<a class="headerlink" href="#{escape(anchor)}">§</a>'
        f"</h{level}>"
    )


RENAMED = {
    "elwell-1905": "bridge",
    "compulsory-new-deal": "new-deal-by-necessity",
    "optional-new-deal": "new-deal-by-choice",
    "losing-the-right-to-a-penalty": "waiver-and-time",
    "points-for-a-penalty-wrong": "points-of-a-penalty-wrong",
}
"""Parts of slugs replaced by their former spelling, so that anchors do not change."""


def slug(words: str) -> str:
    """The anchor that Python-Markdown would give a heading, with `RENAMED` applied."""
    ascii_words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    made = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_words).strip().lower())
    for name, before in RENAMED.items():
        made = made.replace(name, before)
    return made


# --- terms --------------------------------------------------------------------------------------


@cache
def _terms(code: str) -> tuple[dict[str, tuple[str, str, str]], re.Pattern[str]]:
    """The terms that a code or its base defines, and a pattern that finds them in a text.

    The terms map a label in lower case to its id, its definition and the definition's address. The
    pattern prefers longer terms; if there are no terms, it matches nothing.
    """
    labels = {t.id: t.label for t in book().vocabulary.terms}
    found: dict[str, tuple[str, str, str]] = {}
    for owner in book().chain(code):
        for item in owner.provisions:
            for term in item.terms:
                found.setdefault(labels[term].lower(), (term, item.text, item.address))
    words = sorted(found, key=lambda w: (-len(w), w))
    pattern = r"\b(" + "|".join(map(re.escape, words)) + r")\b" if words else "(?!)"
    return found, re.compile(pattern, re.IGNORECASE)


@pass_context
def terms(context: Context, text: str, address: str, used: set[str]) -> Markup:
    """A restatement in which each defined term, at its first use on the page, links to the glossary
    and shows its definition.

    `used` has the ids of the terms linked so far on the page, and is updated.
    """
    table, pattern = _terms(address.partition(":")[0])
    out, last = Markup(), 0
    for match in pattern.finditer(text):
        term, definition, defined = table[match[0].lower()]
        if term in used or defined == address:
            continue
        used.add(term)
        out += escape(text[last : match.start()])
        out += Markup('<a class="term" href="{}glossary/#{}" data-definition="{}">{}</a>').format(
            context["root"], term, _cut(definition), match[0]
        )
        last = match.end()
    return out + escape(text[last:])


def _cut(words: str) -> str:
    return words if len(words) < 240 else words[:237].rsplit(" ", 1)[0] + " …"


# --- cards ----------------------------------------------------------------------------------------


def suited(text: str) -> Markup:
    """Text in which suit symbols are coloured and labelled for screen readers."""
    out = escape(text)
    for suit in (suit for suit in Suit if suit.symbol in out):
        named = Markup('<span class="suit suit-{0}" role="img" aria-label="{0}">{1}</span>')
        out = out.replace(suit.symbol, named.format(suit.word, suit.symbol))
    return out


@pass_context
def cited(context: Context, text: str) -> Markup:
    """Text with coloured suits, in which each address of a law or a reading becomes a link in
    words, and text between backticks becomes code.
    """
    out, last = Markup(), 0
    for found in _MARKED.finditer(text):
        code, address = found.groups()
        if address and not exists(address):
            continue
        out += suited(text[last : found.start()])
        out += Markup("<code>{}</code>").format(code) if code else law_link(context, address, "")
        last = found.end()
    return out + suited(text[last:])


_MARKED = re.compile(r"`([^`]+)`|(?<![\w/-])([a-z][a-z0-9-]*:[\w.-]*\w)")

# --- words --------------------------------------------------------------------------------------


def short(code: str) -> str:
    """The short name of a code: `Auction 1912`."""
    return book().code(code).short


def page_words(pages: str) -> str:
    """A page or a range of pages in words: `page 7`, `pages 7-8`."""
    return f"page{'s' if '-' in pages else ''} {pages}"


def source_words(source: Source) -> str:
    """The source of a passage: the book, and the passage or the pages if stated."""
    pages = source.pages or source.page
    return ", ".join(filter(None, (source.book, source.passage, pages and page_words(pages))))


def restated(code: Code) -> str:
    """The extent of a code's restatement: `all 97 numbered laws restated`."""
    number, total = sum(law.number.isdigit() for law in code.laws), code.numbered_laws
    return f"{'all' if number == total else f'{number} of'} {total} numbered laws restated"


def row_words(values: Iterable[int]) -> str:
    """A sequence of numbers in words, the last of which repeats: `3, 5, then 7 each`."""
    *first, last = map(str, values)
    return (", ".join(first) + ", then " if first else "") + f"{last} each"


@cache
def figure_name(figure: str) -> str:
    """The name of a figure in words; its id if it has none."""
    return clause_names().get(figure, figure)


@cache
def figure_word(cell: str) -> str:
    """A key or word of a figure as readers see it: `10`, `odd tricks`, `3 and 2`."""
    if cell in book().denominations:
        return book().denominations[cell].label
    if cell in CELLS:
        return CELLS[cell]
    if cell[:1].isalpha():
        return cell.replace("-", " ")
    return cell.replace("-", " and ").replace(" and 0", " in one hand")


@cache
def figure_value(value: str) -> str:
    """A value of a figure as readers see it; a division of honours stands for those honours.

    For example: `10`, `as three honours, two in one hand`.
    """
    if not re.fullmatch(r"\d-\d", value):
        return figure_word(value)
    more, fewer = map(int, value.split("-"))
    which = f", {NUMBERS[more]} in one hand" if fewer else " in one hand"
    return f"as {NUMBERS[more + fewer]} honours{which}"


def figure_parts(value: Figure) -> Iterator[tuple[str, Figure]]:
    """The values in a nested figure, each with its path in words: `invulnerable, doubled`.

    Yields nothing for a figure without parts.
    """
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name == "values" and isinstance(inner, dict):
            yield from figure_parts(inner)
        elif isinstance(inner, dict):
            yield from (
                (f"{figure_word(name)}, {part}", number) for part, number in figure_parts(inner)
            )
        else:
            yield ("counted in" if name == "count" else figure_word(name)), inner


CELLS = {
    "T": "10",
    "odd_tricks": "odd tricks",
    "lifted_by": "lifted by",
    "dealers-first": "the dealer's first",
}
"""Words for keys of figures that would be wrong if derived from the key."""


FUNCTIONS = {
    "book": book,
    "silent": SILENT,
    "link": link,
    "cited": cited,
    "law_link": law_link,
    "links": links,
    "citations": citations,
    "and_links": and_links,
    "by_code": by_code,
    "h": heading,
    "terms": terms,
    "column_name": column_name,
    "column_heading": column_heading,
}


def megabytes(files: Mapping[str, int]) -> str:
    """The total size of files: `6.2 MB`."""
    return f"{sum(files.values()) / 1e6:.1f} MB"


FILTERS = {
    "short": short,
    "words_of": law_words,
    "citation": cite,
    "upper_first": upper,
    "suited": suited,
    "path_of": path_of,
    "g": lambda number: f"{number:g}",
    "and_words": and_words,
    "counted": number_words,
    "date": date_words,
    "dated": dated,
    "pages": page_words,
    "source": source_words,
    "restated": restated,
    "local": lambda address: address.partition(":")[2],
    "open_copies": open_copies,
    "of_edition": of_edition,
    "grounds": grounds,
    "card": card_in,
    "megabytes": megabytes,
    "seat": seat_words,
    "side": side_words,
    "figure_name": figure_name,
    "figure_word": figure_word,
    "figure_value": figure_value,
    "row_words": row_words,
}
