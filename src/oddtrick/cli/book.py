"""The commands that read the lawbook: cite, search, compare, concordance, topics, export, sources.

Each answers as text for a reader or as JSON for a program; none of them needs a record or a grammar.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from oddtrick.book import citation as citing
from oddtrick.cli.law import wrapped
from oddtrick.cli.terminal import Parser, Wrong, adder, told
from oddtrick.law import store
from oddtrick.law.book import book

Json = Any


def register(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    """Add the parsers of these commands."""
    sub = add(
        "cite",
        "Cite laws; whatever people write for a citation is read.",
        "oddtrick cite '1912 law 84 (b)' --style full",
    )
    sub.add_argument(
        "addresses",
        nargs="+",
        metavar="CITATION",
        help="an address or a citation, such as `Royalton L. 77c`",
    )
    sub.add_argument(
        "--style", choices=citing.STYLES, default="short", help="how to cite (default: short)"
    )
    sub.add_argument("--code", metavar="ID", help="the code meant where a citation names none")
    sub.add_argument(
        "--site",
        metavar="URL",
        default="",
        help="put before links, such as https://example.org/oddtrick/",
    )
    _format(sub)
    sub = add(
        "search",
        "Find the laws that answer a question, in a player's own words.",
        "oddtrick search can dummy ask if I have no hearts",
    )
    sub.add_argument("words", nargs="+", metavar="WORD")
    _code(sub, "only in this code")
    sub.add_argument("--topic", metavar="ID", help="only on this topic; see `oddtrick topics`")
    sub.add_argument("--limit", type=int, default=8, metavar="N", help="how many hits (default: 8)")
    _format(sub)
    sub = add(
        "compare",
        "Put a topic or a law side by side in several codes, with the differences marked.",
        "oddtrick compare 'penalty for a revoke' auction-1912 auction-1926",
    )
    sub.add_argument(
        "subject", metavar="TOPIC|CITATION", help="a topic (see `oddtrick topics`) or a citation"
    )
    sub.add_argument("codes", nargs="*", metavar="CODE", help="the codes to compare (default: all)")
    _format(sub)
    sub = add(
        "concordance",
        "Every provision of one code with what answers it in another.",
        "oddtrick concordance auction-1912 auction-1926",
    )
    sub.add_argument("ours", metavar="CODE")
    sub.add_argument("theirs", metavar="CODE")
    sub.add_argument(
        "--format",
        choices=("text", "json", "csv"),
        default="text",
        help="how to answer (default: text)",
    )
    sub = add(
        "topics", "List the topics, or one topic in every code.", "oddtrick topics revoke-claim"
    )
    sub.add_argument("topic", nargs="?", metavar="TOPIC")
    _format(sub)
    sub = add(
        "export",
        "Write the whole lawbook for other programs.",
        "oddtrick export --format json --out lawbook.json",
    )
    sub.add_argument(
        "--format",
        choices=("json", "csv"),
        default="json",
        help="one JSON document, or one CSV row per provision (default: json)",
    )
    sub.add_argument("--out", metavar="FILE", help="write to this file (default: standard output)")
    sub.add_argument(
        "--schema", action="store_true", help="write the JSON Schema of the JSON document instead"
    )
    sub.add_argument(
        "--scores",
        metavar="CODE",
        help="write instead, as CSV, what every contract scores under this code, entry by entry with its laws",
    )
    sub.add_argument(
        "--option",
        metavar="NAME",
        action="append",
        default=[],
        help="with --scores: with this option; may be repeated",
    )
    sub = add(
        "sources",
        "Attach your own copy of a book: its words are then shown beside the restatement, on this machine only.",
        "oddtrick sources add royalton.txt",
    )
    steps = sub.add_subparsers(dest="step", metavar="STEP", required=True)
    step = steps.add_parser("add", help="find the laws of a book in a text file and keep them")
    step.add_argument("files", nargs="+", metavar="FILE", help="plain text, scanned or proofread")
    _code(step, "the code that the book has (default: found out)")
    _format(step)
    step = steps.add_parser("list", help="list what is attached")
    _format(step)
    step = steps.add_parser("remove", help="remove an attached book")
    step.add_argument(
        "name", metavar="NAME", help="its name or file name, as `sources list` shows it"
    )
    _code(step, "only in this code")
    _format(step)
    step = steps.add_parser(
        "collate", help="compare attached books with the restatements: laws, figures, references"
    )
    _code(step, "only this code")
    step.add_argument(
        "--all", action="store_true", help="list the differences that are explained too"
    )
    _format(step)


def _format(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to answer (default: text)"
    )


def _code(sub: argparse.ArgumentParser, help_: str) -> None:
    sub.add_argument("--code", metavar="ID", help=help_)


def _write(value: Json) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def width() -> int:
    """How wide to write: as wide as the terminal, 100 in a pipe."""
    return max(60, shutil.get_terminal_size((100, 24)).columns) if sys.stdout.isatty() else 100


def _bold() -> tuple[str, str]:
    on = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return ("\033[1m", "\033[0m") if on else ("", "")


def code_named(name: str | None) -> str | None:
    """The id of a code that somebody names by its id or an alias. Raises `Wrong` with the nearest."""
    if name is None:
        return None
    try:
        address = citing.read(name)
    except citing.Unread as error:
        raise Wrong(
            f"there is no code `{name}`; there are {', '.join(store.load('index'))}"
        ) from error
    if ":" in address:
        raise Wrong(f"`{name}` is a law, not a code")
    return address


def _read(text: str, code: str | None = None) -> str:
    try:
        return citing.read(text, code)
    except citing.Unread as error:
        raise Wrong(str(error)) from error


def _topic(name: str) -> str:
    from oddtrick.book.compare import topic_of

    found = topic_of(name)
    if found is None:
        import difflib

        known = [t["id"] for t in store.load("vocabulary")["topics"]]
        near = difflib.get_close_matches(name.lower().replace(" ", "-"), known, n=3, cutoff=0.4)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise Wrong(f"there is no topic `{name}`{hint}. `oddtrick topics` lists them")
    return found


# --- cite and search -------------------------------------------------------------------------------


def cite(options: argparse.Namespace) -> int:
    """`oddtrick cite`."""
    code = code_named(options.code)
    found = [_read(text, code) for text in options.addresses]
    site = options.site if not options.site or options.site.endswith("/") else options.site + "/"
    if options.format == "json":
        _write(
            [
                {
                    "address": a,
                    "style": options.style,
                    "citation": citing.cite(a, options.style, site),
                }
                for a in found
            ]
        )
    else:
        sys.stdout.write(citing.cite_all(found, options.style, site) + "\n")
    return 0


def search(options: argparse.Namespace) -> int:
    """`oddtrick search`; exit status 1 when nothing is found."""
    from oddtrick.book.search import search as find

    code = code_named(options.code)
    topic = _topic(options.topic) if options.topic else None
    question = " ".join(options.words)
    hits = find(question, code, topic, max(1, options.limit))
    if options.format == "json":
        body = [
            {
                "address": h.address,
                "score": round(h.score, 2),
                "heading": h.heading,
                "text": h.text,
                "also": list(h.also),
            }
            for h in hits
        ]
        _write({"question": question, "code": code, "topic": topic, "hits": body})
    else:
        bold, plain = _bold()
        for hit in hits:
            sys.stdout.write(
                f"{bold}{citing.cite(hit.address, 'short')}{plain}  {hit.heading}  ({hit.address})\n"
            )
            sys.stdout.write(wrapped(hit.text, "  ", width()) + "\n")
            if hit.also:
                sys.stdout.write(wrapped("also " + ", ".join(hit.also), "    ", width()) + "\n")
            sys.stdout.write("\n")
        if not hits:
            sys.stdout.write(
                f"Nothing is found for `{question}`. Try other words, or `oddtrick topics`.\n"
            )
    return 0 if hits else 1


# --- compare, concordance, topics ------------------------------------------------------------------


def compare(options: argparse.Namespace) -> int:
    """`oddtrick compare`."""
    from oddtrick.book.compare import Comparison, compare_address, compare_topic, topic_of

    codes = [c for c in (code_named(name) for name in options.codes) if c] or list(
        store.load("index")
    )
    codes = list(dict.fromkeys(codes))
    topic = topic_of(options.subject)
    found: Comparison
    if topic:
        found = compare_topic(topic, codes)
    else:
        try:
            address = citing.read(options.subject, codes[0] if options.codes else None)
        except citing.Unread as error:
            raise Wrong(f"{error}; nor is it a topic (`oddtrick topics`)") from error
        if ":" not in address:
            raise Wrong(
                f"`{options.subject}` is a whole code; for two codes as a whole see `oddtrick concordance`"
            )
        if ":reading." in address:
            raise Wrong(f"`{address}` is a reading; compare the law it bears on")
        found = compare_address(address, codes)
    if options.format == "json":
        _write(
            {
                "title": found.title,
                "question": found.question,
                "codes": list(found.codes),
                "rows": [
                    {
                        "rule": row.label,
                        "cells": {
                            c: [{"address": a, "text": t} for a, t in cell]
                            for c, cell in row.cells.items()
                        },
                        "says": row.says,
                    }
                    for row in found.rows
                ],
                "states": {c: {"state": s, "reason": r} for c, (s, r) in found.states.items()},
            }
        )
    else:
        from oddtrick.report.columns import comparison_text

        sys.stdout.write(comparison_text(found, width(), _bold()))
    return 0


def concordance(options: argparse.Namespace) -> int:
    """`oddtrick concordance`."""
    from oddtrick.book.compare import concordance as table

    ours, theirs = code_named(options.ours), code_named(options.theirs)
    assert ours is not None
    assert theirs is not None
    if ours == theirs:
        raise Wrong("name two different codes")
    lines = table(ours, theirs)
    names = {k["id"]: k["label"] for k in store.load("vocabulary")["kinds"]}
    short = {c: store.load(c)["short"] for c in (ours, theirs)}
    if options.format == "json":
        body = [
            {
                "address": x.address,
                "kind": x.kind,
                "counterparts": list(x.theirs),
                "differences": list(x.differences),
            }
            for x in lines
        ]
        _write({"from": ours, "to": theirs, "lines": body})
        return 0
    if options.format == "csv":
        import csv

        out = csv.writer(sys.stdout)
        out.writerow(["address", "kind", "counterparts", "differences"])
        for x in lines:
            said = "; ".join(
                f"{d['difference']}: {d['ours']} / {d['theirs']}" for d in x.differences
            )
            out.writerow([x.address, x.kind, " ".join(x.theirs), said])
        return 0
    bold, plain = _bold()
    sys.stdout.write(f"{bold}{short[ours]} and {short[theirs]}{plain}\n\n")
    left = max(len(x.address.partition(":")[2]) for x in lines) + 2
    for x in lines:
        answer = ", ".join(a.partition(":")[2] for a in x.theirs) or "-"
        head = f"{x.address.partition(':')[2]:<{left}}{names[x.kind]:<30}{answer}"
        sys.stdout.write(head.rstrip() + "\n")
        for d in x.differences:
            said = f"{d['label']}, {_difference(d['difference'])}: {d['ours']} | {d['theirs']}"
            sys.stdout.write(wrapped(said, " " * (left + 2), width()) + "\n")
    counts = Counter(x.kind for x in lines)
    told = ", ".join(f"{names[k]} {counts[k]}" for k in names if counts[k])
    sys.stdout.write(f"\n{len(lines)} provisions: {told}.\n")
    return 0


def _difference(kind: str) -> str:
    return next(str(d["label"]) for d in store.load("vocabulary")["differences"] if d["id"] == kind)


def topics(options: argparse.Namespace) -> int:
    """`oddtrick topics`."""
    from oddtrick.book.compare import topic_table

    codes = store.load("index")
    wanted = _topic(options.topic) if options.topic else None
    table = [t for t in topic_table(codes) if wanted in (None, t["id"])]
    if options.format == "json":
        _write(table[0] if wanted else table)
        return 0
    bold, plain = _bold()
    if wanted:
        topic = table[0]
        sys.stdout.write(f"{bold}{topic['label']}{plain}  {topic['question']}\n\n")
        for code, cell in topic["codes"].items():
            sys.stdout.write(f"{bold}{store.load(code)['short']}{plain}\n")
            if "state" in cell:
                words = "Silent" if cell["state"] == "silent" else "Does not arise"
                sys.stdout.write(wrapped(f"{words}: {cell['reason']}", "  ", width()) + "\n")
            for address in cell.get("provisions", []):
                from oddtrick.book.compare import texts

                sys.stdout.write(
                    wrapped(f"{address}  {texts(code)[address]['text']}", "  ", width()) + "\n"
                )
            sys.stdout.write("\n")
        return 0
    names = {f["id"]: f["label"] for f in store.load("vocabulary")["families"]}
    heads = [store.load(c)["short"] for c in codes]
    columns = [max(len(h), 6) + 2 for h in heads]
    sys.stdout.write(
        " " * 34 + "".join(f"{h:>{w}}" for h, w in zip(heads, columns, strict=True)) + "\n"
    )
    family = None
    for topic in table:
        if topic["family"] != family:
            family = topic["family"]
            sys.stdout.write(f"{bold}{names[family]}{plain}\n")
        cells = [
            str(len(c["provisions"]))
            if "provisions" in c
            else "silent"
            if c["state"] == "silent"
            else "-"
            for c in topic["codes"].values()
        ]
        sys.stdout.write(
            f"  {topic['id']:<32}"
            + "".join(f"{c:>{w}}" for c, w in zip(cells, columns, strict=True))
            + "\n"
        )
    sys.stdout.write(
        "\nNumbers count provisions; `-` says that the topic does not arise in the code.\n"
    )
    return 0


def export(options: argparse.Namespace) -> int:
    """`oddtrick export`."""
    from oddtrick.book import export as book
    from oddtrick.law.files import write_atomic

    if options.option and not options.scores:
        raise Wrong("--option goes with --scores: an option belongs to a code")
    if options.scores:
        from oddtrick.judge.score_table import as_csv
        from oddtrick.law.in_force import UnknownCode, in_force

        try:
            text = as_csv(in_force(code_named(options.scores) or "", options.option))
        except UnknownCode as error:
            raise Wrong(str(error)) from error
    elif options.schema:
        text = json.dumps(book.schema(), ensure_ascii=False, indent=2) + "\n"
    else:
        text = book.as_json() if options.format == "json" else book.as_csv()
    if options.out:
        try:
            write_atomic(options.out, text)
        except OSError as error:
            raise Wrong(f"{options.out}: {error.strerror or error}") from error
    else:
        sys.stdout.write(text)
    return 0


# --- sources ---------------------------------------------------------------------------------------


def sources(options: argparse.Namespace) -> int:
    """`oddtrick sources add|list|remove|collate`."""
    return {
        "add": _sources_add,
        "list": _sources_list,
        "remove": _sources_remove,
        "collate": _sources_collate,
    }[options.step](options)


def _told(found: Sequence[Any]) -> list[Json]:
    return [
        {
            "name": a.id,
            "code": a.code,
            "file": a.file,
            "sha256": a.digest,
            "laws": len(a.laws),
            "numbers": list(a.laws),
        }
        for a in found
    ]


def _line(a: Any) -> str:
    data = store.load(a.code)
    laws = sum(n.isdigit() for n in a.laws)
    kinds = book().code(a.code).passages
    counts = ((sum(n.startswith(f"{k.id}.") for n in a.laws), k.one, k.many) for k in kinds)
    beside = "".join(f", {n} {one if n == 1 else many}" for n, one, many in counts if n)
    return (
        f"{a.id}: {data['short']}, {laws} of {data['numbered_laws']} laws{beside} (from {a.file})"
    )


def _sources_add(options: argparse.Namespace) -> int:
    from oddtrick.book import own_copies as books

    code = code_named(options.code)
    added = []
    for name in options.files:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[Kreading {name} ")
        try:
            added += books.add(Path(name), code)
        except books.NotASource as error:
            raise Wrong(str(error)) from error
        except OSError as error:
            raise Wrong(f"the book cannot be kept: {error.strerror or error}") from error
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    if options.format == "json":
        _write(_told(added))
    else:
        for a in added:
            sys.stdout.write(_line(a) + "\n")
        sys.stdout.write("`oddtrick law` now shows the printed words; they stay on this machine.\n")
    return 0


def _sources_list(options: argparse.Namespace) -> int:
    from oddtrick.book import own_copies as books

    found = books.attached()
    if options.format == "json":
        _write(_told(found))
    else:
        for a in found:
            sys.stdout.write(_line(a) + "\n")
        if not found:
            sys.stdout.write("No book is attached; `oddtrick sources add FILE` attaches one.\n")
    return 0


def _sources_remove(options: argparse.Namespace) -> int:
    from oddtrick.book import own_copies as books

    gone = books.remove(options.name, code_named(options.code))
    if not gone:
        raise Wrong(
            f"no attached book is called `{options.name}`; `oddtrick sources list` lists them"
        )
    if options.format == "json":
        _write(_told(gone))
    else:
        for a in gone:
            sys.stdout.write(f"Removed {_line(a)}\n")
    return 0


def _sources_collate(options: argparse.Namespace) -> int:
    from oddtrick.book import own_copies as books
    from oddtrick.book.collate import collate

    code = code_named(options.code)
    found = books.attached(code)
    if not found:
        raise Wrong(
            "no book is attached"
            + (f" for {code}" if code else "")
            + "; `oddtrick sources add FILE` attaches one"
        )
    results = [collate(a, store.load("vocabulary")["collation"]) for a in found]
    if options.format == "json":
        _write(
            [
                {
                    "name": c.source.id,
                    "code": c.source.code,
                    "laws": c.laws,
                    "figures": c.figures,
                    "references": c.references,
                    "lacks": list(c.lacks),
                    "differences": [
                        {
                            "law": d.law,
                            "kind": d.kind,
                            "printed": list(d.printed),
                            "restated": list(d.restated),
                            "why": d.why,
                        }
                        for d in c.differences
                    ],
                }
                for c in results
            ]
        )
    else:
        for c in results:
            explained = len(c.differences) - len(c.open)
            sys.stdout.write(
                f"{c.source.code}, {c.source.file}: {c.laws} laws compared; {c.figures} figures and {c.references} references"
                f" agree; {explained} differences explained, {len(c.open)} open\n"
            )
            if c.lacks:
                sys.stdout.write(f"  the copy does not have {_short_list(c.lacks)}\n")
            for d in c.differences if options.all else c.open:
                sys.stdout.write(f"  {d.law}  {d.kind}{_sides(d)}\n")
                if d.why:
                    sys.stdout.write(wrapped(d.why, "      ", width()) + "\n")
    return 1 if any(c.open for c in results) else 0


def _sides(d: Any) -> str:
    if d.kind == "law":
        return " missing on one side"
    sides = [(d.printed, "only in print"), (d.restated, "only in the restatement")]
    return ": " + "; ".join(f"{', '.join(map(str, n))} {words}" for n, words in sides if n)


def _short_list(items: Sequence[str]) -> str:
    return (
        ", ".join(items)
        if len(items) < 6
        else f"{items[0]} to {items[-1]} ({len(items)} laws and rules)"
    )


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "cite": cite,
    "search": search,
    "compare": compare,
    "concordance": concordance,
    "topics": topics,
    "export": export,
    "sources": sources,
}


def main(arguments: Sequence[str]) -> int:
    """Run one of these commands without loading the rest of the program; the result is the exit status."""
    top = Parser(prog="oddtrick")
    register(
        adder(
            top.add_subparsers(
                dest="command", metavar="COMMAND", parser_class=Parser, required=True
            )
        )
    )
    options = top.parse_args(arguments)
    try:
        return COMMANDS[options.command](options)
    except Wrong as error:
        sys.stderr.write(told(options.command, error))
        return 2
