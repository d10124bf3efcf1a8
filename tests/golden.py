"""The answers of the command `oddtrick` as data, to compare before and after a change.

    python tests/golden.py inputs FOLDER --with COMMAND --from CHECKOUT --archives FOLDER
    python tests/golden.py make INPUTS OUT --with COMMAND [--jobs N] [--only KIND,...] [--quick]
    python tests/golden.py compare OLD NEW [--words] [--only KIND,...] [--show N]

`inputs` writes plain files once, with the command and the environment of the starting commit.
`make` runs every command of `INPUTS/commands.jsonl` and stores the answers, one record a line.
`compare` reports each field of each record that differs, in groups, and lists all of them in
`NEW/differences.txt`. Exit status: 0 the same, 1 something differs, 2 a kind or command is missing.
A sentence and a place in a file count only with `--words`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
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

PLACES = frozenset("file line column end_line end_column page".split())
FIGURES_IN = frozenset(("remedies", "if", "then", "words", "text"))
"""Keys whose sentences carry numbers and addresses that stand nowhere else as data."""

TOKEN = re.compile(r"[a-z]+-\w+:[\w.-]*\w|(?<![\w-])[-+]?\d+(?:/\d+)?")
FIXED = {"TZ": "UTC", "COLUMNS": "100", "LINES": "50", "NO_COLOR": "1", "PYTHONHASHSEED": "0"}
TIMEOUT = 420

# --- inputs ---------------------------------------------------------------------------------------

FOLDERS = (
    "laws/records laws/examples tests/findings tests/notation tests/lin tests/pbn tests/corpus"
    " tests/endplay"
).split()
GAMES = 800
MUTANTS = 2000
PHRASES = (
    "4 hearts doubled, 11 tricks",
    "2 no-trumps, made 3",
    "3 clubs, 1 down",
    "5 diamonds redoubled, 3 down",
    "6 spades, just made, 4 honours in one hand",
    "7 no-trumps doubled, 2 down",
    "1 heart, 13 tricks",
    "3 spades, 1 over",
)
QUESTIONS = (
    "fourteen cards dealt to one player",
    "dummy asks if I have no hearts",
    "led out of turn and declarer played to it",
    "value of a little slam",
    "who deals first",
)
GENERATOR = r"""
import json, random, sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, "tests")
import statement_mutation as mutation
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import check_document
from oddtrick.law.book import book
from oddtrick.law.in_force import judged_codes
from oddtrick.record.documents import read_text
from oddtrick.record.documents import write_hand
from oddtrick.record.model import Group, Record, Stated
from readings_coverage import alternatives
out, count = Path(sys.argv[1]), int(sys.argv[2])
def write(name, items, size=100):
    items = list(items)
    for at in range(0, len(items), size):
        path = out / f"{name}-{at // size:02}.hand"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write_hand(items[at : at + size]), "utf-8")
paths = [p for f in sys.argv[3:] for p in sorted(Path(f).rglob("*.hand"))]
items = [i for p in paths for i in read_text(p.read_text("utf-8"), str(p)).items
         if isinstance(i, Record | Group) and "corpus" not in p.parts]
write("bundles/all", map(mutation.judgeable, items))
mutants = [m for s in mutation.statements() for m in s.mutants]
write("mutants/all", random.Random(29).sample(mutants, count))
naming, own = defaultdict(list), defaultdict(list)
for item in filter(lambda i: isinstance(i, Record) and i.code, items):
    text = json.dumps([c.answer() for c in check_document([item]) if isinstance(c, Check)])
    own[item.code.value].append(item)
    for code in judged_codes():
        for reading in book().code(code).readings:
            if f"{code}:{reading.id}" in text or f"{code}:reading.{reading.id}" in text:
                naming[code, reading.id].append(item)
given = lambda item, word: replace(item, options=(*item.options, Stated(word)), own=None)
at = lambda i, code: i if i.code.value == code else replace(i, code=Stated(code), options=())
for code in judged_codes():
    for option in book().code(code).options:
        write(f"options/{code}-{option.id}", [given(i, option.id) for i in own[code][:100]])
    records, crashing = [], []
    for chosen in alternatives():
        if chosen.reading.address.startswith(f"{code}:"):
            for item in naming[code, chosen.reading.id][:8] or own[code][:2]:
                record = given(at(item, code), chosen.written)
                try:
                    [c.as_json() for c in check_document([record])]
                except LookupError:
                    crashing.append(record)
                else:
                    records.append(record)
    write(f"readings/{code}", records)
    write(f"readings/crash-{code}", crashing, 1)
"""
"""Run in the environment of the starting commit: bundles, mutants of statements, readings, options."""


@dataclass
class Inputs:
    """A folder of inputs and the commands that read them."""

    folder: Path
    command: list[str]
    commands: list[dict[str, Any]]

    def add(self, kind: str, *steps: str | list[str], stdin: str = "") -> None:
        """One command, or several of which each reads what the one before it wrote."""
        split = [shlex.split(s) if isinstance(s, str) else s for s in steps]
        self.commands.append({"kind": kind, "steps": split, "stdin": stdin})

    def asked(self, *words: str) -> Any:
        """What the command answers in JSON."""
        done = subprocess.run([*self.command, *words, "--format", "json"], capture_output=True)
        return json.loads(done.stdout)

    def write(self, name: str, *words: str) -> None:
        """Write what the command prints to a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([*self.command, *words], capture_output=True, cwd=self.folder)
        if done.returncode == 0:  # a code has not every fault
            path.write_bytes(done.stdout)


def copied(checkout: Path, archives: Path, folder: Path) -> None:
    """The records of the checkout and the archives, whole and the first games of one."""
    for name in FOLDERS:
        for path in sorted((checkout / name).rglob("*.*")):
            if path.suffix in (".hand", ".pbn", ".lin"):
                own = folder / "pbn-standard" if path.parent.name == "standard" else folder
                to = own / path.relative_to(checkout)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, to)
    (folder / "archives").mkdir()
    for path in sorted(archives.glob("*.pbn")):
        shutil.copyfile(path, folder / "archives" / path.name)
    text = (archives / "example3.pbn").read_text("latin-1")
    first = "\n\n".join(re.split(r"\n\s*\n", text)[:GAMES])
    (folder / "archives" / "first.pbn").write_text(first, "latin-1")


def make_inputs(folder: Path, command: list[str], checkout: Path, archives: Path) -> None:
    """Write every input and `commands.jsonl`."""
    folder.mkdir(parents=True)
    it = Inputs(folder.resolve(), [str(Path(command[0]).absolute()), *command[1:]], [])
    copied(checkout, archives, folder)
    python = str(Path(command[0]).absolute().parent / "python")
    told = [python, "-c", GENERATOR, str(it.folder), str(MUTANTS), *FOLDERS]
    subprocess.run(told, cwd=checkout, check=True, stdin=subprocess.DEVNULL)
    refused = subprocess.run(
        [*it.command, "deal", "--code", "auction-1912", "--fault", "?"], capture_output=True
    )
    faults = refused.stderr.decode().split("faults are ")[1].strip().split(", ")
    book = it.asked("export")
    codes = [c["id"] for c in book["codes"]]
    options = [(c["id"], o["id"]) for c in book["codes"] for o in c["options"]]
    for number, code in enumerate(codes):
        deal = ["deal", "--code", code, "--seed", str(number)]
        it.write(f"random/{code}-legal.hand", *deal, "--count", "250")
        for fault in faults:
            it.write(f"random/{code}-{fault}.hand", *deal, "--count", "15", "--fault", fault)
        for option in (o for c, o in options if c == code):
            it.write(f"random/{code}-{option}.hand", *deal, "--option", option, "--count", "25")
    for path in sorted((*folder.glob("bundles/*.hand"), *folder.glob("random/*-legal.hand"))):
        name = path.relative_to(folder).as_posix()
        it.write(f"pbn/{path.stem}.pbn", "convert", name, "--to", "pbn")
    check = "check --jobs 1 --format json"
    folders = " ".join(n for n in FOLDERS if (folder / n).exists())
    it.add("records", f"{check} {folders}")
    for path in sorted(folder.glob("laws/records/*.*")):
        it.add("records", f"{check} {path.relative_to(folder)}")
    it.add("archives", f"{check} --code auction-1926 archives/example3.pbn")
    it.add("archives", f"{check} --code contract-1927 archives/example2.pbn")
    half = " ".join(f"bundles/{p.name}" for p in sorted(folder.glob("bundles/*[02468].hand")))
    for code in codes:
        it.add("archives", f"{check} --code {code} archives/first.pbn")
        it.add("codes", f"{check} --code {code} laws/records {half}")
        random = (f"random/{p.name}" for p in sorted(folder.glob(f"random/{code}-*.hand")))
        it.add("random", f"{check} {' '.join(random)}")
    for phase in ("declaring", "play", "score"):
        it.add("phases", f"{check} --only {phase} laws {half}")
    for kind in ("bundles", "mutants", "readings", "options", "pbn"):
        names = [f"{kind}/{p.name}" for p in sorted((folder / kind).iterdir())]
        for at in range(0, len(names), size := 1 if kind == "readings" else 5):
            it.add(kind, f"{check} {' '.join(names[at : at + size])}")
    it.add("pbn-standard", f"{check} pbn-standard")
    for code, option in options:
        it.add("options", f"{check} --code {code} --option {option} laws/records laws/examples")
    for code in book["codes"]:
        for reading in code["readings"][::6]:
            for choice in (c["id"] for c in reading["choices"] if c["id"] != reading["applied"]):
                asked = f"{code['id']}:{reading['id']}={choice}"
                it.add("readings", f"{check} --code {code['id']} --reading {asked} laws")
    for path in sorted(folder.glob("bundles/*.hand")):
        name = path.relative_to(folder).as_posix()
        it.add("converted", f"convert {name} --to pbn", f"{check} --from pbn -")
        it.add("formatted", ["format"], f"{check} --from hand -", stdin=name)
    for path in sorted(folder.glob("laws/records/*.hand")):
        it.add("score", f"score --format json --under all {path.relative_to(folder)}")
    for path in sorted(folder.glob("laws/records/*rubber*.hand")):
        it.add("sheet", f"sheet {path.relative_to(folder)}")
    for words in PHRASES:
        it.add("score", ["score", words, "--format", "json"])
    for item in it.asked("ruling", "--list"):
        ruling = ["ruling", item["id"], "--code", "all", "--format", "json"]
        it.add("ruling", ruling)
        for at in (0, -1) if item["facts"] else ():
            given = [w for f, v in item["facts"].items() for w in ("--fact", f"{f}={v[at]}")]
            it.add("ruling", ruling + given)
    for code in codes:
        laws = [law["address"] for law in it.asked("law", code)["laws"]]
        it.add("law", ["law", *laws, "--format", "json"])
        it.add("cite", ["cite", *laws[::5], "--style", "full", "--format", "json"])
        if code != "auction-1926":
            it.add("concordance", f"concordance {code} auction-1926 --format json")
    for topic in it.asked("topics")[::5]:
        it.add("compare", f"compare {topic['id']} --format json")
        it.add("compare", f"topics {topic['id']} --format json")
    for text in QUESTIONS:
        it.add("search", ["search", text, "--format", "json"])
    it.add("export", "export --format json")
    lines = "".join(json.dumps(c) + "\n" for c in it.commands)
    (folder / "commands.jsonl").write_text(lines, "utf-8")


# --- make -----------------------------------------------------------------------------------------


def name_of(command: dict[str, Any]) -> str:
    """The command as one types it."""
    given = f" < {command['stdin']}" if command["stdin"] else ""
    return " | ".join(shlex.join(s) for s in command["steps"]) + given


def renamed(value: dict[str, Any]) -> dict[str, Any]:
    """An object with its keys as they were."""
    return {RENAMED.get(k, k): v for k, v in value.items()}


def answered(
    command: dict[str, Any], oddtrick: list[str], inputs: Path, home: str
) -> Iterator[Any]:
    """What a command answers: key and answer of each record, and of the whole."""
    name, errors = name_of(command), b""
    given = (inputs / command["stdin"]).read_bytes() if command["stdin"] else b""
    own = {k: v for k, v in os.environ.items() if not k.startswith(("ODDTRICK", "PYTHON", "XDG"))}
    env = own | FIXED | {"HOME": home}
    status: list[Any] = []
    for step in command["steps"]:
        try:
            done = subprocess.run(
                [*oddtrick, *step], input=given, capture_output=True, cwd=inputs, env=env,
                timeout=TIMEOUT,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            status.append("no answer in time")
            break
        given, errors = done.stdout, errors + done.stderr
        status.append(done.returncode)
    whole: dict[str, Any] = {"status": status, "errors": errors.decode("utf-8", "replace")[-2000:]}
    text = given.decode("utf-8", "replace")
    try:
        answer = json.loads(text, object_hook=renamed)
    except ValueError:
        yield f"{name} ::", whole | {"is": "no JSON", "text": text}
        return
    seen: Counter[str] = Counter()
    parts = answer if isinstance(answer, list) else []
    if isinstance(answer, dict) and command["steps"][-1][0] == "check":
        parts = [*answer.pop("records", ()), *answer.pop("groups", ())]
    for part in parts:
        labels = ("file", "kind", "irregularity", "address", "id", "name", "code")
        label = " ".join(str(part[k]) for k in labels if isinstance(part, dict) and part.get(k))
        seen[label] += 1
        yield f"{name} :: {label} #{seen[label]}", part
    yield f"{name} ::", whole | ({"answer": answer} if isinstance(answer, dict) else {})


def make(inputs: Path, out: Path, oddtrick: list[str], jobs: int, only: str, quick: bool) -> None:
    """Run the commands and write a file of answers for each kind."""
    lines = (inputs / "commands.jsonl").read_text("utf-8").splitlines()
    kinds: dict[str, list[Any]] = defaultdict(list)
    for command in map(json.loads, lines):
        kinds[command["kind"]].append(command)
    if only:
        kinds = {kind: kinds[kind] for kind in only.split(",")}
    out.mkdir(parents=True, exist_ok=True)
    ran: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(jobs) as pool:
        first = {"steps": [["law", "auction-1926:1", "--format", "json"]], "stdin": ""}
        list(answered(first, oddtrick, inputs, home))
        picked = {k: c[1::10] or c[:1] if quick else c for k, c in kinds.items()}
        started = time.monotonic()
        commands = [c for chosen in picked.values() for c in chosen]
        run = pool.map(lambda c: list(answered(c, oddtrick, inputs, home)), commands)
        for kind, chosen in picked.items():
            answers = [pair for pairs in islice(run, len(chosen)) for pair in pairs]
            with (out / f"{kind}.jsonl").open("w", encoding="utf-8") as file:
                for key, answer in answers:
                    file.write(
                        json.dumps({"key": key, "answer": answer}, ensure_ascii=False) + "\n"
                    )
            ran[kind] = [name_of(c) for c in chosen]
            took = f"{len(answers)} answers, after {time.monotonic() - started:.0f} s"
            print(f"{kind}: {len(chosen)} commands, {took}", flush=True)
    made = {"inputs": sha256("\n".join(lines).encode()).hexdigest(), "quick": quick, "ran": ran}
    (out / "made.json").write_text(json.dumps(made), "utf-8")


# --- compare --------------------------------------------------------------------------------------


class Words(str):
    """A sentence, or a place in a file."""


def projected(value: Any, key: str = "") -> Any:
    """An answer with its sentences and places marked, and what is empty left out."""
    if isinstance(value, dict):
        out = {}
        for name, inner in value.items():
            out[name] = projected(inner, name if name in WORDS | PLACES else key)
            if name in FIGURES_IN and isinstance(inner, str | list):
                told = [inner] if isinstance(inner, str) else inner
                out[f"{name} (figures)"] = [" ".join(TOKEN.findall(str(t))) for t in told]
            if name == "statement":
                out["what"] = " ".join(re.findall(r"[\w-]+:?", str(inner))[:2])
        return {k: v for k, v in out.items() if v not in (None, [], {}, "")}
    if isinstance(value, list):
        return [projected(v, key) for v in value]
    is_words = key in PLACES or (key in WORDS and isinstance(value, str) and " " in value)
    return Words(value) if is_words or isinstance(value, float) else value


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of data with the way to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    elif not isinstance(value, Words):
        yield path, value


def brief(value: Any) -> str:
    """A value in a line, without words and items."""
    if not isinstance(value, dict | list):
        return str(value)
    return " ".join(str(v) for path, v in leaves(value) if not path.startswith(".item"))[:160]


def paired(old: list[Any], new: list[Any]) -> list[tuple[Any, Any]]:
    """The like of two lists of objects beside each other; `None` where one has no like."""
    same, new_by = [], defaultdict(list)
    for j, value in enumerate(new):
        new_by[json.dumps(value, sort_keys=True)].append(j)
    for i, value in enumerate(old):
        if at := new_by[json.dumps(value, sort_keys=True)]:
            same.append((i, at.pop(0)))
    left = set(range(len(old))) - {i for i, _ in same}
    right = set(range(len(new))) - {j for _, j in same}
    ours = {i: Counter(leaves(old[i])) for i in left}
    theirs = {j: Counter(leaves(new[j])) for j in right}
    likeness = sorted(
        (-(a & b).total() / max((a | b).total(), 1), abs(i - j), i, j)
        for i, a in ours.items()
        for j, b in theirs.items()
    )
    pairs = same
    for share, _, i, j in likeness:
        if i in left and j in right and share < -0.3:
            pairs.append((i, j))
            left.discard(i)
            right.discard(j)
    return [
        *((old[i], new[j]) for i, j in sorted(pairs)),
        *((old[i], None) for i in sorted(left)),
        *((None, new[j]) for j in sorted(right)),
    ]


Difference = tuple[str, str, str, str, bool]
"""The field, what it was, what it is, the rule or law it belongs to, whether it is words."""


def differences(old: Any, new: Any, path: str = "", rule: str = "") -> Iterator[Difference]:
    """Every field that differs."""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        labels = [old[k] for k in ("rule", "choice", "address", "laws", "id") if k in old]
        label = next(
            (
                la
                for la in labels
                if isinstance(la, list) or (isinstance(la, str) and " " not in la)
            ),
            rule,
        )
        rule = " ".join(label) if isinstance(label, list) else str(label)
        for key in sorted(old.keys() | new.keys()):
            if key not in old and key != "readings":  # a key that the old answers did not have
                yield f"{path}.{key}", "no such key", "key added", "", False
                continue
            yield from differences(old.get(key), new.get(key), f"{path}.{key}", rule)
        return
    lists = [v for v in (old, new) if isinstance(v, list)]
    if lists and all(isinstance(v, list) or v is None for v in (old, new)):
        old, new = old or [], new or []
        if any(isinstance(v, dict) for v in (*old, *new)):
            pairs = paired(old, new)
            for one, other in pairs:
                yield from differences(one, other, f"{path}[]", rule)
            if len(old) == len(new) == len(pairs) and pairs != list(zip(old, new, strict=True)):
                yield f"{path} order", "", "another", rule, True
            return
        words = any(isinstance(v, Words) for v in (*old, *new))
        if len(old) == len(new):
            apart = [(o, n) for o, n in zip(old, new, strict=True) if o != n]
            was, now = (", ".join(str(p[i]) for p in apart) for i in (0, 1))
        else:
            gone, come = Counter(map(str, old)), Counter(map(str, new))
            was, now = (", ".join((a - b).elements()) for a, b in ((gone, come), (come, gone)))
        yield path, was or "-", now or "-", rule, words
        return
    if isinstance(old or new, dict):
        whole = old or new
        rule = str(whole.get("rule") or " ".join(map(str, whole.get("laws", ()))) or rule)
    both = all(isinstance(v, Words) or v is None for v in (old, new))
    yield path, *("nothing" if v is None else brief(v) for v in (old, new)), rule, both


def load(path: Path) -> dict[str, Any]:
    """The answers of a kind by their keys."""
    with path.open(encoding="utf-8") as file:
        lines = (json.loads(line, object_hook=renamed) for line in file)
        return {line["key"]: projected(line["answer"]) for line in lines}


def compare(old: Path, new: Path, words: bool, only: str, show: int) -> int:
    """Report what differs; the exit status."""
    made = [json.loads((folder / "made.json").read_text("utf-8")) for folder in (old, new)]
    kinds = only.split(",") if only else sorted(made[0]["ran"].keys() | made[1]["ran"].keys())
    part = made[0]["quick"] or made[1]["quick"]
    errors = ["the inputs are not the same"] * (made[0]["inputs"] != made[1]["inputs"])
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    compared = fields = 0
    for kind in kinds:
        ran = [set(m["ran"].get(kind, ())) for m in made]
        if not all(ran) or not all((f / f"{kind}.jsonl").exists() for f in (old, new)):
            errors.append(
                f"{kind}: missing in {' and '.join(str(f) for f, r in zip((old, new), ran, strict=True) if not r) or 'one'}"
            )
            continue
        if not part and ran[0] != ran[1]:
            errors.append(f"{kind}: {len(ran[0] ^ ran[1])} commands were run for one alone")
        both = ran[0] & ran[1]
        was, now = (
            {k: v for k, v in load(f / f"{kind}.jsonl").items() if k.split(" ::")[0] in both}
            for f in (old, new)
        )
        for key in dict.fromkeys((*was, *now)):
            compared += 1
            if key not in was or key not in now:
                there = ("there" if key in m else "missing" for m in (was, now))
                groups[kind, "the answer", *there, ""].append(key)
                fields += 1
                continue
            for field, before, after, rule, is_words in differences(was[key], now[key]):
                if words or not is_words:
                    fields += 1
                    groups[kind, field, before, after, rule].append(key)
    ranked = sorted(groups.items(), key=lambda g: (g[0][0], -len(g[1]), g[0]))
    with (new / "differences.txt").open("w", encoding="utf-8") as file:
        for group, keys in ranked:
            kind, field, before, after, rule = group
            head = f"{kind} {field}: {before} -> {after}" + (f"  [{rule}]" if rule else "")
            print(head, *(f"    {key}" for key in keys), sep="\n", file=file)
            print(f"{len(keys):>6}  {head}")
            for key in keys[:show]:
                command, _, record = key.partition(" :: ")
                print(f"            {record} < {command[:90]}" if record else f"            {key}")
    for error in errors:
        print(f"ERROR {error}")
    print(f"{compared} answers compared, {fields} fields differ, {len(groups)} groups.")
    return 2 if errors else 1 if groups else 0


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    sub = parser.add_subparsers(dest="what", required=True)
    for name, folders in (
        ("inputs", ["folder"]),
        ("make", ["inputs", "out"]),
        ("compare", ["old", "new"]),
    ):
        one = sub.add_parser(name)
        for folder in folders:
            one.add_argument(folder, type=Path)
        if name != "compare":
            one.add_argument("--with", dest="oddtrick", required=True, type=shlex.split)
        if name != "inputs":
            one.add_argument("--only", default="", metavar="KIND,...")
    sub.choices["inputs"].add_argument("--from", dest="checkout", type=Path, required=True)
    sub.choices["inputs"].add_argument("--archives", type=Path, required=True)
    sub.choices["make"].add_argument("--jobs", type=int, default=2)
    sub.choices["make"].add_argument("--quick", action="store_true")
    sub.choices["compare"].add_argument("--words", action="store_true")
    sub.choices["compare"].add_argument("--show", type=int, default=3)
    given = parser.parse_args()
    if given.what == "compare":
        return compare(given.old, given.new, given.words, given.only, given.show)
    if given.what == "inputs":
        make_inputs(given.folder, given.oddtrick, given.checkout, given.archives)
    else:
        make(given.inputs.resolve(), given.out, given.oddtrick, given.jobs, given.only, given.quick)
    return 0


if __name__ == "__main__":
    sys.exit(main())
