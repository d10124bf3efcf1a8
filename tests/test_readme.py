"""The README shows what the program prints.

Every fenced `console` block that begins with `$ oddtrick` is run from the root of the checkout, one
command after another, and its output compared exactly. `python tests/test_readme.py` rewrites the
blocks, to be read before they are committed.
"""

import re
import tempfile
from pathlib import Path

import pytest

from conftest import transcript
from files import ROOT

README = ROOT / "README.md"
BLOCK = re.compile(
    r"^<!-- output: (?P<marker>[^\n]*) -->\n```console\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
ANY_BLOCK = re.compile(r"^```console\n\$ oddtrick ", re.MULTILINE)


def blocks() -> list[re.Match[str]]:
    return list(BLOCK.finditer(README.read_text("utf-8")))


def commands(body: str) -> list[str]:
    return [line[2:] for line in body.splitlines() if line.startswith("$ ")]


@pytest.mark.shipped
@pytest.mark.parametrize("block", blocks(), ids=lambda b: b["marker"])
def test_a_block_shows_what_the_command_prints(block: re.Match[str], tmp_path: Path) -> None:
    assert block["body"] == transcript(block["body"], tmp_path)


@pytest.mark.parametrize("block", blocks(), ids=lambda b: b["marker"])
def test_the_marker_of_a_block_names_its_first_command(block: re.Match[str]) -> None:
    assert commands(block["body"])[0] == block["marker"]


def test_no_block_is_passed_over() -> None:
    shown = ANY_BLOCK.findall(README.read_text("utf-8"))
    assert len(shown) == len(blocks()) > 0


@pytest.mark.parametrize(
    "target", re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text("utf-8"))
)
def test_what_the_readme_links_to_is_there(target: str) -> None:
    assert (ROOT / target).exists()


def rewrite() -> None:
    """Write the output of the commands into the README."""

    def filled(block: re.Match[str]) -> str:
        shown = transcript(block["body"], Path(home))
        return f"<!-- output: {block['marker']} -->\n```console\n{shown}```"

    with tempfile.TemporaryDirectory() as home:
        README.write_text(BLOCK.sub(filled, README.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    rewrite()
