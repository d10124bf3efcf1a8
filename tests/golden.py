"""The answers of the command `oddtrick` as data, to compare before and after a change.

    python tests/golden.py make INPUTS OUT --with COMMAND [--jobs N] [--only KIND,...] [--quick]
    python tests/golden.py compare OLD NEW [--words] [--only KIND,...] [--show N]

`INPUTS/commands.jsonl` has one command a line: `kind`, `steps` (each reads what the one before it
printed) and `stdin` (a file of INPUTS, or nothing). `make` runs them and stores the answers, one
record a line. `compare` groups the fields that differ and lists all of them in
`NEW/differences.txt`. Exit status: 0 the same, 1 something differs, 2 a kind or command is missing.
Keys that no old answer of the kind has are listed at the end and not compared. Sentences, places in a
file and the order of objects count only with `--words`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any

RENAMED: dict[str, str] = {}
"""Keys of the JSON that have another name today: the new name and the old one."""

WORDS = frozenset(
    "about absent aliases answers author authors body book citation error errors finding first given"
    " heading if label many meaning message missing not_computed note oddtrick one ours passage"
    " place presumed printed publisher question questions reason remedies rule said says short"
    " silent statement terms text theirs then through title told understood values who why words".split()
)
"""Keys that hold sentences. A value without a space is an id, and counts as data."""

PLACES = frozenset("file line column end_line end_column page quoted".split())
FIGURES_IN = frozenset(("remedies", "if", "then", "words", "text"))
"""Keys whose sentences carry numbers and addresses that occur nowhere else as data."""

FIGURE = re.compile(r"[a-z]+-\w+:[\w.-]*\w|(?<![\w-])[-+]?\d+(?:/\d+)?")
FIXED = {"TZ": "UTC", "COLUMNS": "100", "LINES": "50", "NO_COLOR": "1", "PYTHONHASHSEED": "0"}
TIMEOUT = 420

# --- make -----------------------------------------------------------------------------------------


def name_of(command: dict[str, Any]) -> str:
    """The command as one types it."""
    given = f" < {command['stdin']}" if command["stdin"] else ""
    return " | ".join(shlex.join(s) for s in command["steps"]) + given


def answers(command: dict[str, Any], oddtrick: list[str], inputs: Path, home: str) -> list[Any]:
    """Each record that a command answers, and last the rest of its answer."""
    given, errors, status = b"", "", []
    if command["stdin"]:
        given = (inputs / command["stdin"]).read_bytes()
    own = {k: v for k, v in os.environ.items() if not k.startswith(("ODDTRICK", "PYTHON", "XDG"))}
    for step in command["steps"]:
        done = subprocess.run(
            [*oddtrick, *step], input=given, capture_output=True, cwd=inputs, timeout=TIMEOUT,
            env=own | FIXED | {"HOME": home},
        )  # fmt: skip
        given, errors = done.stdout, errors + done.stderr.decode("utf-8", "replace")
        status.append(done.returncode)
    whole: dict[str, Any] = {"status": status, "errors": errors[-2000:]}
    text = given.decode("utf-8", "replace")
    try:
        answer = json.loads(text)
    except ValueError:
        return [whole | {"is": "no JSON", "text": text}]
    if isinstance(answer, list):
        return [*answer, whole]
    parts = []
    if command["steps"][-1][0] == "check":
        parts = [*answer.pop("records", ()), *answer.pop("groups", ())]
    return [*parts, whole | {"answer": answer}]


def make(inputs: Path, out: Path, oddtrick: list[str], jobs: int, only: str, quick: bool) -> None:
    """Run the commands and write a file of answers for each kind."""
    text = (inputs / "commands.jsonl").read_text("utf-8").rstrip("\n")
    kinds: dict[str, list[Any]] = defaultdict(list)
    for command in map(json.loads, text.split("\n")):
        kinds[command["kind"]].append(command)
    out.mkdir(parents=True, exist_ok=True)
    ran: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(jobs) as pool:
        first = {"steps": [["law", "auction-1926:1", "--format", "json"]], "stdin": ""}
        answers(first, oddtrick, inputs, home)  # fills the cache
        for kind in only.split(",") if only else kinds:
            commands = kinds[kind]
            if quick:
                commands = commands[1::10] or commands[:1]
            ran[kind] = [name_of(c) for c in commands]
            found = pool.map(lambda c: answers(c, oddtrick, inputs, home), commands)
            with (out / f"{kind}.jsonl").open("w", encoding="utf-8") as file:
                for name, parts in zip(ran[kind], found, strict=True):
                    for at, part in enumerate(parts, 1):
                        key = f"{name} ::" + " " * (at < len(parts))
                        line = {"key": key, "answer": part}
                        file.write(json.dumps(line, ensure_ascii=False) + "\n")
            print(f"{kind}: {len(commands)} commands", flush=True)
    made = {"inputs": sha256(text.encode()).hexdigest(), "quick": quick, "ran": ran}
    (out / "made.json").write_text(json.dumps(made), "utf-8")


# --- compare --------------------------------------------------------------------------------------


def renamed(value: Any) -> Any:
    """An answer with its keys as they were."""
    if isinstance(value, dict):
        return {RENAMED.get(k, k): renamed(v) for k, v in value.items()}
    return [renamed(v) for v in value] if isinstance(value, list) else value


def data(value: Any, words: bool, key: str = "") -> Any:
    """An answer without what is empty, and without sentences and places unless `words`."""
    if isinstance(value, dict):
        out = {}
        for name, inner in value.items():
            out[name] = data(inner, words, name if name in WORDS | PLACES else key)
            if name in FIGURES_IN and isinstance(inner, str | list):
                told = [inner] if isinstance(inner, str) else inner
                out[f"{name} (figures)"] = [" ".join(FIGURE.findall(str(t))) for t in told]
            if name == "statement":
                out["what"] = " ".join(re.findall(r"[\w-]+:?", str(inner))[:2])
        return {k: v for k, v in out.items() if v not in (None, [], {}, "")}
    if isinstance(value, list):
        return [v for v in (data(v, words, key) for v in value) if v is not None]
    is_words = key in PLACES or (key in WORDS and isinstance(value, str) and " " in value)
    return None if not words and (is_words or isinstance(value, float)) else value


def keys(value: Any, path: str) -> Iterator[str]:
    """The way to every key of an answer."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key}"
            yield from keys(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, path)


def pruned(value: Any, known: set[str], path: str) -> Any:
    """An answer with the known keys only."""
    if isinstance(value, dict):
        at = {k: f"{path}.{k}" for k in value}
        return {k: pruned(v, known, at[k]) for k, v in value.items() if at[k] in known}
    return [pruned(v, known, path) for v in value] if isinstance(value, list) else value


def load(path: Path, ran: set[str]) -> Iterator[tuple[str, str, Any]]:
    """The answers of a kind: command, shape and answer."""
    with path.open(encoding="utf-8") as file:
        for line in map(json.loads, file):
            command, _, part = line["key"].partition(" ::")
            if command in ran:
                answer = renamed(line["answer"])
                shape = "group " if "totals" in answer else "record " if part else ""
                yield command, shape, answer


def by_record(answers: Iterable[tuple[str, str, Any]], words: bool) -> dict[str, Any]:
    """The data of each answer by command and record."""
    out: dict[str, Any] = {}
    numbers: Counter[str] = Counter()
    for command, shape, answer in answers:
        key = f"{command} ::"
        if shape:
            names = ("file", "kind", "irregularity", "address", "id", "name", "code")
            key += " " + " ".join(str(answer[n]) for n in names if answer.get(n))
            numbers[key] += 1
            key += f" #{numbers[key]}"
        out[key] = data(answer, words)
    return out


def label(value: Any) -> str:
    """The id of an object, if it has one."""
    ids = (
        [value.get(k) for k in ("rule", "choice", "address", "id")]
        if isinstance(value, dict)
        else []
    )
    return next((i for i in ids if isinstance(i, str) and " " not in i), "")


def paired(old: list[Any], new: list[Any]) -> Iterator[tuple[Any, Any]]:
    """The unequal values of two lists side by side, those with the same label in their order."""
    texts = [[json.dumps(v, sort_keys=True) for v in values] for values in (old, new)]
    equal = Counter(texts[0]) & Counter(texts[1])
    left: dict[str, tuple[list[Any], list[Any]]] = defaultdict(lambda: ([], []))
    for side, values in enumerate((old, new)):
        skip = equal.copy()
        for text, value in zip(texts[side], values, strict=True):
            if skip[text]:
                skip[text] -= 1
            else:
                left[label(value)][side].append(value)
    for ours, theirs in left.values():
        yield from zip_longest(ours, theirs)


def brief(value: Any) -> str:
    """A value in a line, without the path of an item."""
    if isinstance(value, dict):
        value = [v for k, v in value.items() if k != "item"]
    if isinstance(value, list):
        return " ".join(brief(v) for v in value)[:160]
    return "nothing" if value is None else str(value)


Difference = tuple[str, str, str, str]
"""The field, what it was, what it is, the rule or law it belongs to."""


def differences(old: Any, new: Any, path: str = "", about: str = "") -> Iterator[Difference]:
    """Every field that differs."""
    if old == new:
        return
    about = label(old) or label(new) or about
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from differences(old.get(key), new.get(key), f"{path}.{key}", about)
    elif isinstance(old or [], list) and isinstance(new or [], list):
        pairs = list(paired(old or [], new or []))
        for one, other in pairs:
            yield from differences(one, other, f"{path}[]", about)
        if not pairs:
            yield f"{path} order", brief(old), brief(new), about
    else:
        yield path, brief(old), brief(new), about


def compare(old: Path, new: Path, words: bool, only: str, show: int) -> int:
    """Report what differs; the exit status."""
    was, now = (json.loads((folder / "made.json").read_text("utf-8")) for folder in (old, new))
    errors = ["the inputs are not the same"] * (was["inputs"] != now["inputs"])
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    added: set[str] = set()
    compared = 0
    for kind in only.split(",") if only else sorted(was["ran"].keys() | now["ran"].keys()):
        ran = [set(made["ran"].get(kind, ())) for made in (was, now)]
        both = ran[0] & ran[1]
        if not both:
            errors.append(f"{kind}: missing in {old if not ran[0] else new}")
            continue
        if ran[0] != ran[1] and not (was["quick"] or now["quick"]):
            errors.append(f"{kind}: {len(ran[0] ^ ran[1])} commands were run in one folder only")
        before, after = (list(load(f / f"{kind}.jsonl", both)) for f in (old, new))
        known = {path for _, shape, answer in before for path in keys(answer, shape)}
        outer = known | {"", "group ", "record "}
        new_keys = (p for _, s, a in after for p in keys(a, s) if p not in known)
        added.update(f"{kind} {p}" for p in new_keys if p.rpartition(".")[0] in outer)
        ours = by_record(before, words)
        theirs = by_record(((c, s, pruned(a, known, s)) for c, s, a in after), words)
        for key in dict.fromkeys((*ours, *theirs)):
            compared += 1
            for difference in (
                differences(ours[key], theirs[key])
                if key in ours and key in theirs
                else [
                    (
                        "the answer",
                        *("there" if key in m else "missing" for m in (ours, theirs)),
                        "",
                    )
                ]
            ):
                groups[kind, *difference].append(key)
    with (new / "differences.txt").open("w", encoding="utf-8") as file:
        for group, where in sorted(groups.items(), key=lambda g: (g[0][0], -len(g[1]), g[0])):
            kind, field, before, after, about = group
            head = f"{kind} {field}: {before} -> {after}" + (f"  [{about}]" if about else "")
            print(head, *(f"    {key}" for key in where), sep="\n", file=file)
            print(f"{len(where):>6}  {head}")
            for key in where[:show]:
                command, _, record = key.partition(" :: ")
                print(f"            {record} < {command[:90]}" if record else f"            {key}")
        print("Added keys, which are not compared:", *sorted(added), sep="\n    ", file=file)
    for error in errors:
        print(f"ERROR {error}")
    fields = sum(map(len, groups.values()))
    print(
        f"{compared} answers compared, {fields} fields differ, {len(groups)} groups; "
        f"{len(added)} added keys are not compared."
    )
    return 2 if errors else 1 if groups else 0


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    sub = parser.add_subparsers(dest="what", required=True)
    making, comparing = sub.add_parser("make"), sub.add_parser("compare")
    making.add_argument("inputs", type=Path)
    making.add_argument("out", type=Path)
    making.add_argument("--with", dest="oddtrick", required=True, type=shlex.split)
    making.add_argument("--jobs", type=int, default=2)
    making.add_argument("--quick", action="store_true")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--words", action="store_true")
    comparing.add_argument("--show", type=int, default=3)
    for command in (making, comparing):
        command.add_argument("--only", default="", metavar="KIND,...")
    given = parser.parse_args()
    if given.what == "compare":
        return compare(given.old, given.new, given.words, given.only, given.show)
    make(given.inputs.resolve(), given.out, given.oddtrick, given.jobs, given.only, given.quick)
    return 0


if __name__ == "__main__":
    sys.exit(main())
