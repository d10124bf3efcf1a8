"""What one types nearly right: a code by the name that people give it, a command with a slip, a
shell that completes both.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest

from oddtrick.cli import completion
from oddtrick.cli.commands import COMMANDS, parser, run
from oddtrick.cli.parser import Wrong, code_named
from oddtrick.law.book import book


@pytest.mark.parametrize(
    ("name", "code"),
    [("royalton", "royalton-1915"), ("1926", "auction-1926"), ("elwell", "bridge-elwell")],
)
def test_a_code_is_named_as_people_name_it_in_every_command(
    capsys: pytest.CaptureFixture[str], name: str, code: str
) -> None:
    assert code_named(name) == code
    for command in (["ruling", "revoke"], ["search", "revoke"], ["deal", "--seed", "1"]):
        assert run([*command, "--code", name]) == run([*command, "--code", code])
        told = capsys.readouterr()
        assert told.err == ""


def test_of_two_codes_of_a_year_one_is_taken_with_a_word(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["ruling", "talking", "--code", "1912"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("Talking and criticism, Auction 1912\n")
    assert told.err == "oddtrick ruling: `1912` is taken as auction-1912, not as duplicate-1912.\n"


def test_a_name_that_fits_several_or_nearly_one_is_answered_with_them() -> None:
    with pytest.raises(Wrong, match="Did you mean auction-1912, auction-1926, auction-1908"):
        code_named("auction")
    with pytest.raises(Wrong, match="Did you mean royalton-1915"):
        code_named("roylton")


def test_a_mistyped_command_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["rulling", "revoke"])
    assert ended.value.code == 2
    told = "oddtrick: there is no command `rulling`. Did you mean `ruling`?\n"
    assert capsys.readouterr().err.startswith(told)


def test_a_shell_completes_commands_options_and_codes() -> None:
    options = completion.options_of(parser())
    assert set(options) == set(COMMANDS)
    for shell in completion.SHELLS:
        script = completion.script(shell, options, book().ids)
        assert all(word in script for word in (*COMMANDS, *book().ids, "code"))
        assert "--slip" not in script  # a fact of a dispute, which the help keeps back


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes_what_is_begun() -> None:
    script = completion.script("bash", completion.options_of(parser()), book().ids)
    for typed, wanted in (
        ("rul", "ruling"),
        ("check --co", "--code"),
        ("check --code roy", "royalton-1915"),
    ):
        words = ["oddtrick", *typed.split(" ")]
        ask = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _oddtrick; echo ${{COMPREPLY[*]}}"
        done = subprocess.run(
            ["bash", "-c", script + ask], capture_output=True, text=True, check=True
        )
        assert wanted in done.stdout.split()
