"""Each record of tests/classes, judged by itself and compared with what its printed law says.

`# === TITLE` begins a record. `# expect: …` states the verdict, declaration, account and group; `#
finds RULE[/severity] LAW …` states the findings of its line; those about missing facts may be left
out. A list of laws that ends in `...` may be incomplete. `# xfail: class N` marks a record that the judge
gets wrong.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddtrick.judge import check_document
from oddtrick.record import read
from oddtrick.report.answers import Depth, as_json

FINDS = re.compile(r"finds ([\w.-]+)(?:/(\w+))?((?: [\w:.-]+)*)\s*$")
OPEN = {f"record.no-{what}" for what in "declaration declarer hands result".split()}


def records() -> Iterator[object]:
    """A test case for each record: its text, preceded by blank lines so that line numbers agree
    with the file.
    """
    for path in sorted((Path(__file__).parent / "classes").glob("*.hand")):
        head, *bodies = re.split(r"^(?=# === )", path.read_text("utf-8"), flags=re.M)
        lines = head.count("\n")
        for body in bodies:
            why = "".join(re.findall(r"^# xfail: (.+)$", body, re.M))
            xfail = pytest.mark.xfail(bool(why), reason=why, strict=True, raises=AssertionError)
            name = f"{path.stem[:2]} {body.splitlines()[0].removeprefix('# === ')}"
            yield pytest.param("\n" * lines + body, id=name, marks=xfail)
            lines += body.count("\n")


def wanted(text: str) -> tuple[dict[int, list[str]], list[tuple[int, str, str, list[str]]]]:
    """The sentences after `# expect:` by line, and the findings with line, rule, severity, laws."""
    sentences, findings = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        comment = line.partition("#")[2].strip()
        if comment.startswith("expect:"):
            sentences[number] = comment.removeprefix("expect:").split()
        for part in comment.split("; ") if "finds " in comment else ():
            rule, severity, laws = FINDS.match(part).groups()
            findings.append((number, rule, severity or "irregular", laws.split()))
    return sentences, findings


def singular(words: str) -> str:
    """Words without hyphens and without the `s` of a plural: `2 no-trumps` is `2 no trump`."""
    return re.sub(r"s\b", "", words.replace("-", " "))


def declared(final: dict | None) -> str:
    """The final declaration of the JSON, almost as the notation writes it."""
    if final is None:
        return "none"
    doubled = f"doubled {final['doubled']} times"
    doubled = {0: "", 1: "doubled", 2: "redoubled"}.get(final["doubled"], doubled)
    seat = {"N": "north", "E": "east", "S": "south", "W": "west"}.get(final["declarer"], "nobody")
    said = f"{final['odd_tricks'] or ''} {final['denomination']} {doubled} by {seat}"
    return singular(" ".join(said.split()))


def account(score: dict) -> str:
    """The sums of an account, by side and column."""
    ns, ew = (f"trick {s['trick']} honour {s['honour']}" for s in (score["NS"], score["EW"]))
    return f"N-S {ns}; E-W {ew}"


def agrees(said: list[str], deal: dict, group: dict) -> bool:
    """Whether the JSON of a deal or its group matches one `# expect:`."""
    match said:
        case ["verdict", verdict]:
            return str(deal["verdict"]) == verdict
        case ["declaration", *rest]:
            return declared(deal["declaration"]) == singular(" ".join(rest))
        case ["account", "open"]:
            return deal["score"] is None or bool(OPEN & {f["rule"] for f in deal["findings"]})
        case ["account", "void"]:
            return deal["score"] is None or not deal["score"]["entries"]
        case ["N-S", *_]:
            return bool(deal["score"]) and account(deal["score"]) == " ".join(said)
        case ["what-if", "none"]:
            return not any(w["irregularity"] for w in deal["what_if"])
        case ["what-if", *rest]:
            return " ".join(rest) in [account(w["score"]) for w in deal["what_if"] if w["score"]]
        case ["totals", "N-S", ns, "E-W", ew]:
            return bool(group["totals"] == {"NS": int(ns), "EW": int(ew)})
        case ["won", "by", side, points]:
            return (group["won_by"], group["points"]) == (side.replace("-", ""), int(points))
    raise ValueError(" ".join(said))


def disagreements(text: str) -> list[str]:
    """The differences between the JSON of a check and the expectations in a record."""
    depth: Depth = "full" if "# expect: what-if" in text else "play"
    judged = check_document(read(text.encode(), "record.hand", "hand"))
    answers: list[Any] = [as_json(result, depth) for result in judged]
    deals = [a for a in answers if "verdict" in a]
    group = next((a for a in answers if "totals" in a), {})
    sentences, finds = wanted(text)
    wrong = []
    for line, said in sentences.items():
        deal = max((d for d in deals if d["line"] <= line), key=lambda d: d["line"], default={})
        if not agrees(said, deal, group):
            wrong.append(f"{line}: {' '.join(said)}")
    told = [f for a in answers for f in ([a] if "rule" in a else a["findings"])]
    for found in told:
        at, laws = (found["line"], found["rule"], found["severity"]), set(found["laws"])
        for want in finds:
            named = set(want[3]) - {"..."}
            if want[:3] == at and (named == laws or (named < laws and "..." in want[3])):
                finds.remove(want)
                break
        else:
            if found["severity"] != "incomplete":
                wrong.append(f"found {at} {found['laws']}")
    return wrong + [f"not found {want}" for want in finds]


@pytest.mark.parametrize("text", list(records()))
def test_a_record_is_judged_as_the_print_has_it(text: str) -> None:
    assert disagreements(text) == []
