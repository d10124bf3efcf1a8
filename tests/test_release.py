"""What a maintainer expects of a release: workflows, notices, the citation file, and that nothing
promised disappears.

`python tests/test_release.py` adds new entries to `promised.txt` and prints missing ones. `--anew`
rewrites the list completely: once, before the first release.
"""

import fnmatch
import importlib.metadata
import json
import os
import re
import shlex
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema.exceptions import best_match

import oddtrick
from command import commanded
from conftest import WHOLE
from files import ROOT
from oddtrick.law.book import book
from oddtrick.law.schema import schemas, validators
from oddtrick.report.answers import as_json
from oddtrick.report.forms import render_line
from oddtrick.rulings import engine
from oddtrick.rulings.words import as_json as ruling_json
from oddtrick.site.checker import npm_folder

PROMISED = ROOT / "tests" / "promised.txt"
SCHEMAS = validators(schemas(book().data["vocabulary"], book().ids))

# --- nothing that was promised goes ---------------------------------------------------------------

SCORED = "score '4 hearts doubled, 11 tricks, the declarer revoked, 1 trick' --format json"
COMMANDS = (
    "check --full --format json laws/records tests/findings/royalton-1915-at-the-table.hand",
    "check --code royalton-1915 --format json tests/pbn/dirty.pbn",
    "law contract-1927:12 --format json",
    "law contract-1927 --format json",
    "law auction-1912:reading.three-passes --format json",
    "search insufficient bid --format json",
    "cite 1912:84.b --style csl-json",
    "compare 1912:92 auction-1926 --format json",
    "concordance bridge-1904 auction-1908 --format json",
    "topics --format json",
    "topics revoke-penalty --format json",
    "ruling lead-out-of-turn --offender adversary --followed-by nobody --format json",
    "ruling revoke --code auction-1926 --format json",
    "ruling revoke --list --format json",
    "ruling 'he revoked against declarer' --format json",
    SCORED,
    "score laws/records --under all --format json",
    "check laws/records --statistics --format json",
    "score laws/records --format json",
)
"""Commands whose JSON together contains every kind of object."""


BY_ID = "answers facts figures presumed procedures touches verdicts when".split()
"""Keys of objects whose own keys are ids."""


def keys(found: object, path: str = "") -> Iterator[str]:
    """The path of keys to every value of a JSON document, without lists; a key that is an id or an
    address becomes `*`.
    """
    if isinstance(found, dict):
        seats = found.keys() & {"N", "E", "S", "W", "NS", "EW"}
        named = all(re.fullmatch(r"[a-z][a-z_]*", k) for k in found.keys() - seats)
        named = named and path.rpartition(".")[2] not in BY_ID
        for key, value in found.items():
            below = f"{path}.{key}" if named and key not in seats else f"{path}.*"
            yield below
            yield from keys(value, below)
    elif isinstance(found, list):
        for value in found:
            yield from keys(value, path)


@cache
def printed_json(line: str) -> Any:
    """The JSON that a command prints."""
    done = commanded(*shlex.split(line), cwd=ROOT)
    assert done.returncode in (0, 1, 2), done.stderr
    return json.loads(done.stdout)


def promised() -> list[str]:
    """The keys of the JSON by command, and the ids that users write down."""
    made = set()
    for line in COMMANDS:
        made |= {f"json {line.split()[0]}{path}" for path in keys(printed_json(line))}
    words = book().vocabulary
    made |= {f"rule {rule}" for code in book().codes for rule in code.findings}
    made |= {f"topic {t.id}" for t in words.topics}
    made |= {f"remedy {r.id}" for r in words.remedies}
    made |= {f"procedure {p.id}={value}" for p in words.procedures for value in p.values}
    made |= {f"figure {f.id}" for f in words.figures}
    made |= {f"irregularity {i.id}" for i in words.irregularities}
    made |= {f"fact {f.id}={value}" for f in words.facts for value in (*f.values, *f.formerly)}
    made |= {f"code {c.id}" for c in book().codes}
    made |= {f"option {c.id}:{o.id}" for c in book().codes for o in c.options}
    return sorted(made)


def test_nothing_that_was_promised_is_gone() -> None:
    gone = set(PROMISED.read_text("utf-8").splitlines()) - set(promised())
    assert gone == set(), "others rely on these (docs/promises.md)"


DESCRIBED = ("check", "score", "ruling")
"""The commands whose JSON has a schema."""


def described(schema: object) -> Iterator[str]:
    """The keys that a schema without references describes, except those that are ids."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).keys() - {"NS", "EW"}
        for inner in schema.values():
            yield from described(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from described(inner)


def test_every_key_is_in_the_table_of_the_documentation() -> None:
    printed: dict[str, set[str]] = {}
    for line in promised():
        command, *path = line.removeprefix("json ").split(".")
        for key in path if line.startswith("json ") else ():
            printed.setdefault(key, set()).add(f"`{command}`")
    for command in DESCRIBED:
        for key in described(SCHEMAS[f"{command}.schema.json"].schema):
            printed.setdefault(key, set()).add(f"`{command}`")
    del printed["*"]
    table = (ROOT / "docs" / "json.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (?=\S)", table, re.MULTILINE)
    assert [(key, set(by.split(", "))) for key, by in rows] == sorted(printed.items())


def undescribed(command: str, found: object) -> list[str]:
    """Where the JSON of a command differs from its schema."""
    error = best_match(SCHEMAS[f"{command}.schema.json"].iter_errors(found))
    return [f"{error.json_path}: {error.message}"] if error else []


def as_printed(result: Any) -> Any:
    """A result as a line of `check --format jsonl`, without the slow trials of `not_used`."""
    found = as_json(result, "play")
    if "verdict" in found:
        found |= {"what_if": [], "not_used": []}
    return json.loads(render_line(found).text)


def test_the_json_of_a_command_is_as_its_schema_describes() -> None:
    for line in COMMANDS:
        if (command := line.split()[0]) in DESCRIBED:
            assert undescribed(command, printed_json(line)) == []
    assert undescribed("score", printed_json(SCORED) | {"beyond": 1})


@pytest.mark.parametrize("folder", ["laws/records", "tests/classes", "tests/findings", "tests/pbn"])
def test_every_record_is_answered_as_the_schema_describes(folder: str) -> None:
    for result in oddtrick.check(oddtrick.read(ROOT / folder)[:: 1 if WHOLE else 8]):
        assert undescribed("check", as_printed(result)) == []


def test_every_ruling_is_as_the_schema_describes() -> None:
    asked = [*product(engine.catalogue(), book().ids)]
    for name, code in asked[:: 1 if WHOLE else 3]:  # of each irregularity, under some codes
        facts: dict[str, str] = {}
        answers = [engine.answer(name, code)]
        while questions := answers[-1].questions:
            facts |= {q.fact: q.answers[0][0] for q in questions}
            answers.append(engine.answer(name, code, (), facts))
        for answer in answers:
            found = json.loads(json.dumps(ruling_json(answer)))
            assert undescribed("ruling", found) == []


# --- the workflows --------------------------------------------------------------------------------

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_a_workflow_may_do_no_more_than_it_must_and_calls_what_there_is() -> None:
    for path in WORKFLOWS:
        flow = yaml.safe_load(path.read_text("utf-8"))
        assert flow["permissions"] == {"contents": "read"}, path.name
        steps = [s for job in flow["jobs"].values() for s in job["steps"]]
        for step in steps:
            assert "${{" not in step.get("run", ""), (
                f"{path.name}: what is given is not pasted into a shell"
            )
            for script in re.findall(r"(?:^|\s)(\.ci/run|\./do)\b", step.get("run", "")):
                assert os.access(ROOT / script, os.X_OK)


def schema_checked(schema: str, *files: Path) -> subprocess.CompletedProcess[str]:
    """The output of check-jsonschema on files, with a schema that it ships."""
    command = ["check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files)]
    return subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, timeout=600
    )


def test_the_workflows_are_valid_and_a_wrong_one_is_not(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{runs: x}]}}\n")
    assert schema_checked("github-workflows", *WORKFLOWS).returncode == 0
    assert "$.jobs.a.steps[0]" in schema_checked("github-workflows", wrong).stdout


# --- what others made -----------------------------------------------------------------------------

NOTICES = (ROOT / "docs" / "third-party.md").read_text("utf-8")
LICENSES = ROOT / "site_overrides" / "assets" / "licenses"


def test_every_licence_is_named_and_says_what_the_package_says() -> None:
    named = set(re.findall(r"assets/licenses/([\w.-]+\.txt)", NOTICES))
    assert named == {p.name for p in LICENSES.iterdir()}
    for package, name in (
        ("mkdocs-material", "material"),
        ("lark", "lark"),
        ("jinja2", "jinja2"),
        ("markupsafe", "markupsafe"),
    ):
        (text,) = [
            f
            for f in importlib.metadata.files(package) or ()
            if "dist-info/licenses/LICENSE" in str(f)
        ]
        ours = (LICENSES / f"{name}.txt").read_text("utf-8").split()
        assert ours == text.locate().read_text("utf-8").split(), package  # type: ignore[attr-defined]
    npm = npm_folder() / "node_modules" / "pyodide" / "package.json"
    if npm.is_file():
        assert json.loads(npm.read_text("utf-8"))["license"] == "MPL-2.0"


def _below(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*")}


def test_every_file_of_others_in_the_site_is_named(
    built: Path, pages: dict[str, str | bytes]
) -> None:
    patterns = re.findall(r"`(assets/[^`]+)`", NOTICES)
    made = {p.relative_to(built).as_posix() for p in built.rglob("*") if p.is_file()}
    written = {*pages, *_below(ROOT / "docs"), *_below(ROOT / "site_overrides")}
    ours = {p for p in written if "/python/" not in p} | {"assets/python/oddtrick.zip"}
    others = {n for n in made if n.startswith("assets/")} - ours
    unnamed = {n for n in others if not any(fnmatch.fnmatch(n, p) for p in patterns)}
    assert unnamed == set()
    zipped = zipfile.ZipFile(built / "assets/python/oddtrick.zip").namelist()
    inside = {n.partition("/")[0] for n in zipped} - {"oddtrick", "lawbook.json"}
    assert inside == set(re.findall(r"`(\w+)/` in `assets/python/oddtrick.zip`", NOTICES))


# --- to cite the whole ----------------------------------------------------------------------------


def test_the_citation_file_is_valid_and_names_the_version(tmp_path: Path) -> None:
    assert schema_checked("citation-file-format", ROOT / "CITATION.cff").returncode == 0
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert yaml.safe_load(text)["version"] == oddtrick.__version__
    wrong = tmp_path / "CITATION.cff"
    wrong.write_text(yaml.safe_dump(yaml.safe_load(text) | {"authors": []}))
    assert schema_checked("citation-file-format", wrong).returncode == 1


def test_the_changelog_has_a_dated_section_for_each_release() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    releases = re.findall(r"^## (.+)$", text, re.M)
    if releases[0] == "Unreleased":
        releases.pop(0)
    assert releases[0].partition(" - ")[0] == oddtrick.__version__
    for release in releases:
        name, _, day = release.partition(" - ")
        assert re.fullmatch(r"\d+\.\d+\.\d+", name)
        assert date.fromisoformat(day) <= date.fromtimestamp(time.time())
    sections = set(re.findall(r"^### (.+)$", text, re.M))
    assert sections <= {"Readings of the law", "Checker", "Notation", "Site"}


if __name__ == "__main__":
    old = set(PROMISED.read_text("utf-8").splitlines()) if PROMISED.is_file() else set()
    new = set(promised())
    for line in sorted(old - new):
        print("gone:", line)
    if "--anew" not in sys.argv[1:]:
        new |= old
    PROMISED.write_text("\n".join(sorted(new)) + "\n", "utf-8")
