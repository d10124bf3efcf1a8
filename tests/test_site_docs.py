"""The documents of the site show what the program prints, and describe what it does.

A `console` block holds commands that begin with `$ oddtrick`, each with its output; `| head -n N`
keeps the first lines. `python tests/test_site_docs.py` rewrites the blocks, to be read before they
are committed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from conftest import transcript
from files import ROOT
from lawbook import codes
from oddtrick.cli.commands import parser
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Verdict
from oddtrick.judge.rubber import check_document
from oddtrick.law.compile import compile_laws
from oddtrick.law.yaml import read as read_yaml
from oddtrick.record.hand.read import read_text

DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```console\n(?P<body>\$ .*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = [
    (p.name, m) for p in sorted(DOCS.glob("*.md")) for m in BLOCK.finditer(p.read_text("utf-8"))
]


@pytest.mark.shipped
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "block"), SHOWN, ids=[f"{n}: {m['body'].splitlines()[0][2:]}" for n, m in SHOWN]
)
def test_a_block_shows_what_the_command_prints(
    name: str, block: re.Match[str], tmp_path: Path
) -> None:
    assert block["body"] == transcript(block["body"], tmp_path)


def test_every_command_has_its_section_with_an_example() -> None:
    text = (DOCS / "commands.md").read_text("utf-8")
    commands = re.findall(r"^  (\w+) ", parser().format_help(), re.M)
    assert len(commands) > 15
    for command in commands:
        section = re.search(
            rf"^## `{command}` \{{ #{command} \}}\n(.*?)(?=^## |\Z)", text, re.M | re.S
        )
        assert section, command
        # a build of the site takes long and is run by tests/test_site.py
        assert f"\n$ oddtrick {command}" in section[1] or command == "site"
        assert f"(#{command})" in text


def test_every_file_that_a_document_names_is_there() -> None:
    for path in DOCS.glob("*.md"):
        for name in re.findall(
            r"(?<![\w/])(?:laws|tests|docs)/[\w/.-]+\.(?:yaml|md|hand|py)", path.read_text("utf-8")
        ):
            assert (ROOT / name).exists() or "club-1928" in name, f"{path.name}: {name}"


# --- the first page -------------------------------------------------------------------------------


def test_every_record_of_the_first_page_can_be_read() -> None:
    text = (DOCS / "first-deal.md").read_text("utf-8")
    blocks = re.findall(r"^```hand\n(.*?)^```", text, re.M | re.S)
    assert blocks[0] == (DOCS / "first-deal.hand").read_text("utf-8")
    for block in blocks:
        assert read_text(block).unreadable == ()


# --- whole examples -------------------------------------------------------------------------------

FULL = [
    *re.findall(
        r"^```hand\n(.*?)^```",
        (DOCS / "notation.md").read_text("utf-8").partition("## Two whole deals")[2],
        re.M | re.S,
    ),
    *(p.read_text("utf-8") for p in sorted((ROOT / "tests" / "whole_deals").glob("*.hand"))),
]
"""The same deal under each code; two of them are on the page of the notation."""


@pytest.mark.shipped
def test_each_code_has_its_whole_deal() -> None:
    named = [re.search(r"^code (\S+)", text, re.M) for text in FULL]
    assert {m[1] for m in named if m} == set(codes())


@pytest.mark.parametrize("text", FULL, ids=[text.partition("code ")[2].split()[0] for text in FULL])
def test_a_whole_deal_is_complete_and_in_order(text: str) -> None:
    document = read_text(text, "notation.md")
    assert not document.unreadable
    (result,) = check_document(document.items)
    assert isinstance(result, Check)
    assert (result.verdict, result.findings) == (Verdict.LEGAL, ())
    deal = result.source
    assert deal.calls
    assert len(deal.trick_starts) == 13
    assert deal.scores


# --- another code ---------------------------------------------------------------------------------

YAMLS = re.findall(
    r"^```yaml\n# (\S+?)(?:: (\S+))?\n(.*?)^```",
    (DOCS / "encoding-another-code.md").read_text("utf-8"),
    re.M | re.S,
)


AMENDING = """
  - number: "3"
    heading: Undertricks
    provisions:
      - at: ""
        text: Each undertrick that is not doubled costs 75 points.
        topics: [undertricks]
        amends: ["auction-1926:38.b"]
        figures: {undertrick: {undoubled: [75]}}
"""
"""A law of the same club that amends one of its base and names no parallel."""


@pytest.mark.slow
def test_another_code_is_encoded_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laws = tmp_path / "laws"
    shutil.copytree(ROOT / "laws", laws)
    for name, rule, text in YAMLS:
        path = tmp_path / name
        if not rule:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
            continue
        whole, part = read_yaml(path.read_text("utf-8")), read_yaml(text)
        found = next(p for p in whole["parallels"] if p["id"] == rule)
        found["versions"] += part["versions"]
        path.write_text(json.dumps(whole, ensure_ascii=False), "utf-8")  # JSON is YAML too
    with (tmp_path / "laws" / "club-1928" / "laws.yaml").open("a") as file:
        file.write(AMENDING)
    made = os.environ | {"ODDTRICK_LAWS": str(laws), "ODDTRICK_CACHE": str(tmp_path / "cache")}

    def asked(*words: str, given: str = "") -> str:
        command = [Path(sys.executable).parent / "oddtrick", *words]
        done = subprocess.run(
            command,
            input=given,
            env=made,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=600,
        )
        return done.stdout

    # judged like any other, by the figures of the page
    record = "deal 1\nstanding games none\nstanding trick none\ndeclaration 5 clubs by south\nresult made 0\nhonours north-south 0\n"
    said = asked(
        *("check", "--code", "club-1928", "-"),
        given=record + "score north-south trick 30\ngame north-south\n",
    )
    assert "the law gives 35" in said
    assert "club-1928:2" in said
    assert "score.game" in said
    # a law that amends one of the base is beside it
    lines = asked("concordance", "auction-1926", "club-1928").splitlines()
    (amended,) = (line for line in lines if line.startswith("38.b "))
    assert amended.endswith("auction-1926:38.b (amended by 3), 3")
    compared = asked("compare", "club-1928:3", "auction-1926", "auction-1912", "--format", "csv")
    assert all(text in compared for text in ("costs 75", "38.b", "47.3"))


@pytest.mark.slow
def test_lint_refuses_the_example_where_it_is_not_connected(tmp_path: Path) -> None:
    laws = tmp_path / "laws"
    shutil.copytree(ROOT / "laws", laws)
    for name, rule, text in YAMLS:
        if not rule:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
    said = [str(p) for p in compile_laws(laws).problems]
    (problem,) = said  # a code with the same words as another needs no line
    assert "must name each of its codes once" in problem


def fresh() -> Path:
    """A new folder for the files that a block's commands store."""
    return Path(tempfile.mkdtemp())


def rewrite() -> None:
    """Write the output of the commands into the documents."""
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text("utf-8")
        new = BLOCK.sub(lambda m: f"```console\n{transcript(m['body'], fresh())}```", text)
        if new != text:
            path.write_text(new, "utf-8")


if __name__ == "__main__":
    rewrite()
