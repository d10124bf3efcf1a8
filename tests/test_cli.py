"""The command line as a new user meets it: answers, wrong usage, malformed input, exit status."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command import commanded

HAND = """\
code contract-1927
deal 1
dealer south
bidding
  1 heart, pass, 2 diamonds, pass
  pass, pass
"""


def run(
    *arguments: str, stdin: bytes = b"", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a command; returns its exit status and output. It runs in this process, or in a separate
    one if `env` changes the environment.
    """
    if not env:
        return commanded(*arguments, given=stdin, cwd=cwd)
    command = [sys.executable, "-m", "oddtrick", *arguments]
    done = subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=os.environ | env,
        check=False,
        timeout=120,
    )
    return subprocess.CompletedProcess(
        command, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def clear(done: subprocess.CompletedProcess[str], status: int = 2) -> str:
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


COMMANDS = [
    "check", "score", "deal", "sheet", "law", "lint", "format", "convert", "site",
    "cite", "search", "compare", "concordance", "topics", "export", "sources",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert f"oddtrick {command}" in done.stdout.replace("usage: ", "", 1)
    assert "example:" in done.stdout


MALFORMED = {
    "a binary file": (bytes(range(256)) * 40, "text"),
    "a file of blank lines": (b"\n\n  \n", ""),
    "a truncated file": (HAND.encode()[:-30] + b"2 dia", ""),
}
"""Notations that `test_notation` does not read, and one that it does."""


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_input_gives_a_clear_message_and_exit_2(tmp_path: Path, name: str) -> None:
    data, hint = MALFORMED[name]
    (tmp_path / "bad.hand").write_bytes(data)
    for done in (run("check", str(tmp_path / "bad.hand")), run("check", stdin=data)):
        message = clear(done)
        assert hint in message
        assert len(message) < 4000


def test_the_exit_status_tells_the_verdict(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.hand", tmp_path / "bad.hand"
    good.write_text(HAND, "utf-8")
    bad.write_text(HAND.replace("2 diamonds, pass", "double, pass"), "utf-8")
    assert run("check", str(good), "--only", "declaring").returncode == 0
    done = run("check", str(bad), "--only", "declaring")
    assert done.returncode == 1
    assert "declaring.double-of-partner" in done.stdout
    assert "^^^" in done.stdout


def test_format_rewrites_in_place_and_leaves_an_unreadable_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.hand"
    path.write_text(
        "# mine\nCODE contract-1927\ndeal 1\ndealer S\nbidding\n 1H p 2D p p p # end\n", "utf-8"
    )
    assert run("format", "--check", str(path)).returncode == 1
    assert run("format", str(path)).returncode == 0
    text = path.read_text("utf-8")
    assert "# mine" in text
    assert "# end" in text
    assert "1 heart" in text
    assert run("format", "--check", str(path)).returncode == 0
    path.write_text("deal 1\ndealer nowhere\n", "utf-8")
    clear(run("format", str(path)))
    assert path.read_text("utf-8") == "deal 1\ndealer nowhere\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.hand"]


def test_output_into_a_closed_pipe_is_quiet(root: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m oddtrick law contract-1927 | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        timeout=600,
    )
    assert "Traceback" not in done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(("reader", "status"), [("true", "141"), ("cat >/dev/null", "1")])
def test_the_status_says_that_the_reader_of_a_pipe_stopped(
    root: Path, reader: str, status: str
) -> None:
    command = f"{sys.executable} -m oddtrick check laws/records | {reader}; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=root, timeout=600
    )
    assert (done.stdout, done.stderr) == (f"{status}\n", "")


def test_there_is_no_colour_in_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "a.hand").write_text(HAND, "utf-8")
    done = run("check", str(tmp_path), NO_COLOR="")
    assert "\033" not in done.stdout


def test_strict_makes_what_could_not_be_judged_an_error(tmp_path: Path) -> None:
    lines = "code auction-1912\ndeal 1\ndealer south\nbidding\n  1 spade, pass, pass, pass\n"
    (tmp_path / "short.hand").write_text(lines)
    (tmp_path / "in-order.hand").write_text(lines + "result 7 tricks\nstanding games none\n")
    for name, extra, status in (("short", (), 0), ("short", ("--strict",), 1)):
        assert run("check", *extra, str(tmp_path / f"{name}.hand")).returncode == status
    whole = ["check", "--strict", "--only", "declaring", str(tmp_path / "in-order.hand")]
    assert run(*whole).returncode == 0
