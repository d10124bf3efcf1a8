"""`oddtrick law ADDRESS`: one law or provision with all that belongs to it.

Kept apart from the rest and free of heavy imports: it reads one compiled file and writes text, so that it
answers within a few times the bare interpreter's start.
"""

import sys

from oddtrick.law import store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HELP = """usage: oddtrick law CITATION... [--format text|json]

Show a law, a provision of it, or a reading: the restatement, figures, references, what cites it, what
answers it in the other codes, the readings that bear on it, and the printed words of an attached book.

A citation is an address, CODE:LAW[.PARAGRAPH[.ITEM]], or what people write (see `oddtrick cite`):

  oddtrick law contract-1927:10
  oddtrick law auction-1912:50 auction-1926:26.g.2
  oddtrick law "1912 Law 84 (b)" "Royalton L. 77c"
  oddtrick law auction-1912:reading.declarer-at-no-trump
  oddtrick law contract-1927              (the code itself, with its contents)
"""


def main(arguments: "list[str]") -> int:
    """Run the command; the result is the exit status: 0, or 2 for an address that does not exist."""
    style, addresses, rest = "text", [], iter(arguments)
    for word in rest:
        if word in ("-h", "--help"):
            sys.stdout.write(HELP)
            return 0
        if word == "--format" or word.startswith("--format="):
            style = word[9:] if "=" in word else next(rest, "")
            if style not in ("text", "json"):
                return fail(f"--format takes `text` or `json`, not `{style}`.")
        elif word.startswith("-"):
            return fail(f"there is no option `{word}`; see `oddtrick law --help`.")
        else:
            addresses.append(word)
    if not addresses:
        return fail(
            "which law? Give an address, such as `contract-1927:10`; see `oddtrick law --help`."
        )
    shown = []
    for address in addresses:
        found = find(address)
        if found is None:
            from oddtrick.book import citation as citing

            try:
                found = find(citing.read(address))
            except citing.Unread as error:
                return fail(f"{error}.")
        if found is None:
            return fail(f"nothing stands at `{address}`.")
        shown.append(found)
    if style == "json":
        import json

        sys.stdout.write(
            json.dumps(shown if len(shown) > 1 else shown[0], ensure_ascii=False, indent=2) + "\n"
        )
    else:
        sys.stdout.write("\n".join(text(item) for item in shown))
    return 0


def fail(message: str) -> int:
    """Say what is wrong with the call; exit status 2."""
    sys.stderr.write(f"oddtrick law: {message}\n")
    return 2


def find(address: str) -> "dict[str, Any] | None":
    """What stands at an address: a code, a law with its provisions, a provision with those below it, a reading."""
    code_id, _, rest = address.strip().lower().partition(":")
    code = store.load(code_id) if _plain(code_id) else None
    if code is None or code_id in ("index", "vocabulary"):
        return None
    head = {"code": code_id, "short": code["short"], "title": code["title"], "body": code["body"]}
    if not rest:
        laws = [
            {"address": law["address"], "number": law["number"], "heading": law["heading"]}
            for law in code["laws"]
        ]
        return {
            "kind": "code",
            "address": code_id,
            **head,
            "date": code["date"],
            "extends": code["extends"],
            "about": code["about"],
            "copies": open_copies(code),
            "laws": laws,
        }
    full = f"{code_id}:{rest}"
    for reading in code["readings"]:
        if reading["address"] == full:
            return {"kind": "reading", **head, **reading}
    law = next((la for la in code["laws"] if la["address"] == full), None)
    own = [
        p
        for p in code["provisions"]
        if p["address"] == full or p["address"].startswith(full + ".") or p["law"] == full
    ]
    if not own:
        return None
    if law is None:
        law = next(la for la in code["laws"] if la["address"] == own[0]["law"])
    places = {a for p in own for a in p["readings"]}
    readings = [
        r
        for r in code["readings"]
        if r["address"] in places
        or full in r["places"]
        or any(p["address"] in r["places"] for p in own)
    ]
    from oddtrick.book.attached import printed

    number = law["number"]
    words = [{"file": file, "words": said} for file, said in printed(code_id, number)]
    counterparts = {
        p["address"]: answers(p["address"], code_id) for p in own if p["option"] is None
    }
    return {
        "kind": "law",
        "address": full,
        **head,
        "law": law,
        "provisions": [p | {"counterparts": counterparts.get(p["address"], {})} for p in own],
        "readings": readings,
        "printed": words,
    }


def open_copies(code: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Where the book of a code can be seen, then the books of its other editions: label, link, edition."""
    printed = [(None, code["book"]), *((e["label"], e) for e in code["editions"])]
    return [c | {"edition": edition} for edition, book in printed for c in book["copies"]]


def edition_of(copy: "dict[str, Any]") -> str:
    """Which edition an open copy is of, where it is not of the book that the code is read in."""
    return f" ({copy['edition'][:1].lower()}{copy['edition'][1:]})" if copy["edition"] else ""


def answers(address: str, code: str) -> "dict[str, list[dict[str, Any]]]":
    """For each other code what answers a provision: address, kind, what changed; an empty list for no counterpart."""
    from oddtrick.law import parallels as relations

    book = relations.load()
    found: dict[str, list[dict[str, Any]]] = {}
    for other in book.sides:
        if other != code:
            found[other] = [
                {
                    "address": a,
                    "kind": book.kind(address, a, code, other),
                    "differences": book.differences(address, a),
                }
                for a in (
                    book.counterparts(address, code, other) if address in book.sides[code] else ()
                )
            ]
    return found


def _plain(name: str) -> bool:
    return bool(name) and all(c.isalnum() or c == "-" for c in name)


def wrapped(words: str, indent: str, width: int) -> str:
    """Text broken into lines no wider than asked, each indented."""
    lines, line = [], indent
    for word in words.split():
        if len(line) + len(word) > width and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    lines.append(line.rstrip())
    return "\n".join(lines)


def terminal_width() -> int:
    """How wide to write: the terminal's width up to 100, 80 in a pipe."""
    import os

    try:
        return max(40, min(100, os.get_terminal_size(sys.stdout.fileno()).columns))
    except (OSError, ValueError, AttributeError):
        return 80


def text(found: "dict[str, Any]") -> str:
    """What was found, as text to read."""
    width = terminal_width()
    bold, plain = ("\033[1m", "\033[0m") if coloured() else ("", "")
    if found["kind"] == "code":
        return _code_text(found, width, bold, plain)
    if found["kind"] == "reading":
        return _reading_text(found, "", width)
    law = found["law"]
    page = f", p. {law['page']}" if law["page"] else ""
    out = [
        f"{bold}{found['short']}, {law_name(law['number'])}: {law['heading']}{plain}",
        f"{found['title']} ({found['body']}){page}",
        "",
    ]
    for item in found["provisions"]:
        out += _provision_lines(item, found["code"], width, bold, plain)
    for printed in found["printed"]:
        out += [wrapped(f"As printed ({printed['file']}): {printed['words']}", "  ", width), ""]
    if law.get("note"):
        out += [wrapped("Note: " + law["note"], "  ", width), ""]
    for reading in found["readings"]:
        out.append(_reading_text(reading, "  ", width))
    return "\n".join(out).rstrip() + "\n"


def law_name(number: str) -> str:
    """`law 10`, `decision 6`, or the name of a passage without a number."""
    kind, _, rest = number.partition(".")
    return f"law {number}" if kind[0].isdigit() else f"{kind} {rest}".strip()


def _code_text(found: "dict[str, Any]", width: int, bold: str, plain: str) -> str:
    out = [
        f"{bold}{found['short']}{plain}  {found['title']} ({found['body']}, {found['date']})",
        "",
        wrapped(found["about"], "", width),
        "",
        *(
            wrapped(f"Open copy{edition_of(c)}: {c['label']}, {c['url']}", "", width)
            for c in found["copies"]
        ),
        *([] if found["copies"] else ["No open copy of the book is known."]),
        "",
    ]
    out += [f"  {la['address'].partition(':')[2]:<14} {la['heading']}" for la in found["laws"]]
    return "\n".join(out) + "\n"


def _provision_lines(
    item: "dict[str, Any]", code: str, width: int, bold: str, plain: str
) -> "list[str]":
    out = [
        f"{bold}{item['address']}{plain}"
        + (" (our numbering)" if item["numbering"] == "ours" and item["at"] else "")
    ]
    out.append(wrapped(item["text"], "  ", width))
    for name, value in item["figures"].items():
        out.append(wrapped(f"{name}: {figure_text(value)}", "    ", width))
    for name, value in item["procedures"].items():
        out.append(f"    {name}: {value}")
    for ref in item["refs"]:
        out.append(
            f"    {ref['how'].replace('-', ' ')} {short(ref['to'], code)}"
            + (f" (printed: {ref['printed']})" if ref.get("printed") else "")
        )
    for key, label in (
        ("cited_by", "cited by"),
        ("displaces", "displaces"),
        ("amends", "amends"),
        ("displaced_by", "displaced by"),
    ):
        if item[key]:
            out.append(
                wrapped(f"{label} {', '.join(short(a, code) for a in item[key])}", "    ", width)
            )
    if item.get("option"):
        out.append(f"    in force with the option {item['option']}")
    for variant in item["variants"]:
        said = "does not have it" if variant.get("absent") else variant.get("text", "")
        said = " ".join(p for p in (said, variant.get("note", "")) if p)
        out.append(wrapped(f"edition {variant['edition']}: {said}", "    ", width))
    if item.get("note"):
        out.append(wrapped("Note: " + item["note"], "    ", width))
    out += _counterpart_lines(item["address"], item["counterparts"], width)
    return [*out, ""]


def _counterpart_lines(
    own: str, counterparts: "dict[str, list[dict[str, Any]]]", width: int
) -> "list[str]":
    """What answers a provision in the other codes, a line each; codes without a counterpart together in one.

    What a code has from its base is told with the base.
    """
    from oddtrick.law import parallels as relations

    book = relations.load()
    out, without = [], []
    for code, answers_ in counterparts.items():
        found = [f for f in answers_ if f["address"].startswith(code + ":")]
        if [f["address"] for f in answers_] == [own]:
            out.append(f"    in force under {store.load(code)['short']}")
        elif not answers_:
            without.append(book.names[code])
        for kind in reversed(relations.WIDEST):
            group = [f for f in found if f["kind"] == kind]
            if group:
                changed = {d["rule"]: d for f in group for d in f["differences"]}
                said = (
                    "; ".join(f"{d['ours']} | {d['theirs']}" for d in changed.values())
                    if kind != "same"
                    else ""
                )
                names = ", ".join(f["address"] for f in group)
                out.append(
                    wrapped(
                        f"{book.kinds[kind]}: {names}" + (f" ({said})" if said else ""),
                        "    ",
                        width,
                    )
                )
    if without:
        out.append(wrapped(f"no counterpart in {', '.join(without)}", "    ", width))
    return out


def _reading_text(reading: "dict[str, Any]", indent: str, width: int) -> str:
    out = [wrapped(f"Reading {reading['address']}: {reading['question']}", indent, width)]
    for choice in reading["choices"]:
        mark = "applied" if choice["id"] == reading["applied"] else "or"
        out.append(wrapped(f"{mark}: {choice['text']}", indent + "  ", width))
    out.append(wrapped(f"Why: {reading['why']}", indent + "  ", width))
    out.append(wrapped(f"Bears on {', '.join(reading['places'])}", indent + "  ", width))
    return "\n".join(out) + "\n"


def short(address: str, code: str) -> str:
    """An address of the same code without its code."""
    return address[len(code) + 1 :] if address.startswith(code + ":") else address


def figure_text(value: "Any") -> str:
    """A figure in one line: `clubs 6, diamonds 7`; successive numbers with arrows."""
    if isinstance(value, dict):
        parts = [
            f"{k} ({figure_text(v)})" if isinstance(v, dict) else f"{k} {figure_text(v)}"
            for k, v in value.items()
        ]
        return ", ".join(parts)
    if isinstance(value, list):
        if value and all(isinstance(v, int) for v in value):
            before = ", ".join(map(str, value[:-1])) + ", then " if len(value) > 1 else ""
            return f"{before}{value[-1]} each"
        return (
            "; ".join(figure_text(v) for v in value)
            if any(isinstance(v, dict) for v in value)
            else ", ".join(map(str, value))
        )
    return str(value)


def coloured() -> bool:
    """Whether to use bold: on a terminal, unless NO_COLOR is set."""
    import os

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
