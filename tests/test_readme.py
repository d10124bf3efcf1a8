"""What the README shows is what the program prints.

Every fenced `console` block that begins with `$ oddtrick` is run from the root of the checkout, one
command after another, and what it prints compared to the letter. `python tests/test_readme.py`
rewrites the blocks, to be read before they are committed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
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


def transcript(body: str) -> str:
    """The block as it ought to be: each of its commands with what it prints."""
    out = ""
    for command in commands(body):
        words = shlex.split(command)
        assert words[0] == "oddtrick", f"only oddtrick is run here, not `{command}`"
        script = Path(sys.executable).parent / "oddtrick"
        run = subprocess.run(
            [script, *words[1:]],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            text=True,
            encoding="utf-8",
        )
        assert run.returncode in (0, 1), f"{command}: exit status {run.returncode}\n{run.stdout}"
        out += f"$ {command}\n{run.stdout}"
    return re.sub(r"[ \t]+$", "", out.rstrip("\n") + "\n", flags=re.MULTILINE)


@pytest.mark.parametrize("block", blocks(), ids=lambda b: b["marker"])
def test_a_block_shows_what_the_command_prints(block: re.Match[str]) -> None:
    assert block["body"] == transcript(block["body"])


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
    """Put what the commands print into the README."""

    def filled(block: re.Match[str]) -> str:
        return f"<!-- output: {block['marker']} -->\n```console\n{transcript(block['body'])}```"

    README.write_text(BLOCK.sub(filled, README.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    rewrite()
