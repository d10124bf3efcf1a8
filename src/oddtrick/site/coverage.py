"""What the codes were read in, and how much of them is here: the pages of sources and of coverage, the tables of laws."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any

from oddtrick.book.citation import cite, date_words
from oddtrick.book.compare import topic_table
from oddtrick.judge.words import number_words
from oddtrick.law.in_force import code_data, codes, in_force
from oddtrick.paths import folder
from oddtrick.rulings import engine as rulings
from oddtrick.site.deal import href
from oddtrick.site.law_words import copies_html, front, link, relative, topic_label

Json = Any

STYLE = '<link rel="stylesheet" href="../assets/reference.css">'
"""The styles of pages that gather, which stand one folder below the root."""

TABLES = ("rulings-coverage", "scoring-coverage")
"""Documents that are tables of laws: on the site each law is a link."""


def page_href(page: str, here: str) -> str:
    """The URL from a page below the root to another page, for raw HTML: `../topics/revoke/`."""
    return f"../{relative(page, here).removesuffix('.md')}/"


def facts_table(name: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    """A table of facts that scrolls by itself, its first column staying in view; `name` is for those who hear it."""
    top = "".join(f'<th scope="col">{h}</th>' for h in heads)
    return (
        f'<div class="facts-scroll" role="region" aria-label="{html.escape(name)}" tabindex="0"><table class="facts-table">'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


# --- sources --------------------------------------------------------------------------------------


def sources_page() -> str:
    """`sources.md`: the books, what stands where, how to attach one's own copy, the rule of own words."""
    here = "sources.md"
    authors = dict.fromkeys(
        author["family"].lower()
        for code in codes()
        for author in code_data(code)["book"]["authors"]
    )
    out = [
        front(
            "Sources",
            "The books that print the codes, and how to attach your own copy.",
            tags=authors,
        ),
        STYLE,
        "",
        "# Sources",
        "",
    ]
    out += [
        '<p class="lede">Each code was read in a book of its time. The books are named here with what each prints; their words '
        "are not on this site.</p>",
        "",
    ]
    for code in codes():
        data = code_data(code)
        out += [
            '<div class="provision" markdown="1">',
            "",
            f"## {data['short']} {{ #{code} }}",
            "",
            cite(code, "full"),
            "",
        ]
        out += [
            '<div class="facts" markdown="1">',
            "",
            *(f"- {f}" for f in _printed(data, here)),
            "",
            "</div>",
            "",
            "</div>",
            "",
        ]
    return "\n".join([*out, (folder("docs") / "attaching-a-book.md").read_text("utf-8")])


def _printed(data: Json, here: str) -> Iterator[str]:
    """What is printed where: the book and where it can be seen, the pages of the laws, editions, options."""
    numbered = number_words(data["numbered_laws"], "numbered law")
    yield f"Dated {date_words(data['date'])}, by {data['body']}; {numbered}"
    pages = data["source"].get("pages")
    yield f"Read in {data['source'].get('book', '')}{f', pages {pages}' if pages else ''}"
    yield f"Open copy: {copies_html(data)}"
    if data["extends"]:
        yield f"It stands over {link(data['extends'], here, code_data(data['extends'])['short'])}"
    for edition in data["editions"]:
        yield f"{edition['label']}: {edition['book']}"
    for option in data["options"]:
        where = option.get("source", {})
        said = ", ".join(
            p
            for p in (where.get("passage", ""), f"page {where['page']}" if "page" in where else "")
            if p
        )
        yield f"Option “{option['label']}”: {said}"
    if data["readings"]:
        yield f"[{number_words(len(data['readings']), 'doubtful place')}](readings.md#{data['id']})"


# --- coverage -------------------------------------------------------------------------------------


def counted(document: str, short: str) -> tuple[int, int]:
    """How many of how many provisions a table of laws reaches for a code, as the document says."""
    text = (folder("docs") / f"{document}.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(short)}\n+(\d+) of (\d+) provisions", text, re.M)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def coverage_page() -> str:
    """`coverage.md`: what is encoded, tested and silent, in numbers, and every topic without a law with the reason."""
    here = "coverage.md"
    topics = topic_table(codes())
    rows = []
    for code in codes():
        data, law = code_data(code), in_force(code)
        numbered = sum(1 for n in data["laws"] if n["number"].isdigit())
        others = len(data["laws"]) - numbered
        cells = [t["codes"][code] for t in topics]
        treated = sum(1 for c in cells if "provisions" in c)
        facts = (
            f"{numbered} of {data['numbered_laws']}",
            others,
            len(data["provisions"]),
            "{} of {}".format(*counted("rulings-coverage", data["short"])),
            "{} of {}".format(*counted("scoring-coverage", data["short"])),
            len(data["readings"]),
            f"{len(law.behind)} of {len(law.behind) + len(law.silent)}",
            f"{treated} of {len(topics)}",
        )
        rows.append(
            f'<tr><th scope="row"><a href="{href(code, here)}">{data["short"]}</a></th>'
            + "".join(f"<td>{f}</td>" for f in facts)
            + "</tr>"
        )
    heads = (
        "code",
        "numbered laws",
        "other passages",
        "provisions",
        "reached by a ruling",
        "scoring, with a case",
        "readings",
        "findings with a law",
        "topics with a law",
    )
    out = [
        front(
            "Coverage",
            "What is encoded, what is tested, and where the codes are silent.",
            "described",
            "navigation",
        ),
        STYLE,
        "",
        "# Coverage",
        "",
        '<p class="lede">How much of each code is here, how much of it the program uses, and where it has nothing to say.</p>',
        "",
        facts_table("The codes in numbers", heads, rows),
        "",
        "Other passages are rules of etiquette, decisions, notes and options. A provision is *reached by a ruling* where a dispute "
        "turns on it ([law by law](rulings-coverage.md)); a provision on scoring has *a case* where a worked example or a "
        "judged record leans on it ([law by law](scoring-coverage.md)). Each says, for the others, why not. A code that stands over "
        "another counts its own provisions alone, and the topics and findings of both.",
        "",
        "## Where the codes are silent { #silent }",
        "",
        "A code is *silent* where the question can arise and no law answers it. It *does not arise* where the game has no such thing.",
        "",
    ]
    for code in codes():
        out += [
            f"### {code_data(code)['short']} {{ #silent-{code} }}",
            "",
            _silent(topics, code, here),
            "",
        ]
    return "\n".join(out)


def _silent(topics: Iterable[Json], code: str, here: str) -> str:
    """The topics without a law in a code, with the reasons, as a list by state."""
    rows = []
    for state, words in (("silent", "Silent"), ("does-not-arise", "Does not arise")):
        items = "".join(
            f'<li><a href="{page_href("topics/" + t["id"] + ".md", here)}">{topic_label(t["id"])}</a>: {html.escape(cell["reason"], quote=False)}</li>'
            for t in topics
            if (cell := t["codes"][code]).get("state") == state
        )
        rows.append(
            f'<div class="behind-row"><dt>{words}</dt><dd>{f"<ul>{items}</ul>" if items else "Nothing."}</dd></div>'
        )
    return f'<dl class="behind">{"".join(rows)}</dl>'


def table_page(document: str) -> str:
    """A table of laws from `docs/`: for each law what reaches it, or why nothing does; laws and irregularities are links."""
    here = f"{document}.md"
    shorts = {code_data(c)["short"]: c for c in codes()}
    code, head, rows = "", "", list[str]()
    out: list[str] = []
    for line in [*(folder("docs") / f"{document}.md").read_text("utf-8").splitlines(), ""]:
        if line.startswith("## "):
            code = shorts[line.removeprefix("## ")]
        if not rows and line.startswith("| ") and not line.startswith(("| ---", "| `")):
            head = line.split(" | ")[1]
        row = re.match(r"\| `([^`]+)` \| ([^|]*) \| ?([^|]*?) ?\|$", line)
        if row:
            reached = (
                _reached(row[2], code)
                if row[2] != "-"
                else f'<span class="silent">{_inline(row[3])}</span>'
            )
            address = f'<a href="{href(f"{code}:{row[1]}", here)}">{row[1]}</a>'
            rows.append(f'<tr><th scope="row">{address}</th><td>{reached}</td></tr>')
        elif not line.startswith("|"):
            if rows:
                out += [
                    facts_table(
                        code_data(code)["short"], ("law", f"{head}, or why not"), rows
                    ).replace("facts-table", "facts-table laws-table"),
                    "",
                ]
                rows = []
            out.append(line)
    title = out[0].removeprefix("# ")
    return (
        front(title, f"{title}, law by law.", "not") + "\n".join([STYLE, "", *out]).rstrip() + "\n"
    )


def _reached(words: str, code: str) -> str:
    """What reaches a law, irregularities linked to what this code gives for them."""
    names = {i.label: i.id for i in rulings.catalogue().values()}
    longest = sorted(names, key=len, reverse=True)  # a label may have a comma in it
    known = "|".join(re.escape(n) for n in longest)
    found = re.fullmatch(rf"(?:(?:{known}|on penalties: [^,]*)(?:, |$))+", words)
    if not found:
        return _inline(words)
    return re.sub(
        known,
        lambda m: (
            f'<a href="../disputes/{names[m[0]]}/#{code}">{html.escape(m[0], quote=False)}</a>'
        ),
        words,
    )


def _inline(words: str) -> str:
    """Markdown of a cell as HTML: only code is marked there."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words, quote=False))
