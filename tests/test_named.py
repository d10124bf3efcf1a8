"""Input that is nearly right: a code by its popular name, a misspelled command, a shell that
completes both.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oddtrick.cli.commands import run
from oddtrick.cli.common import code_named
from oddtrick.law.model import UnknownCode


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
    assert told.err == "oddtrick: `1912` is taken as auction-1912, not as duplicate-1912.\n"


def test_a_name_that_fits_several_or_nearly_one_is_answered_with_them() -> None:
    three = "did you mean auction-1908 or auction-1912 or auction-1926"
    with pytest.raises(UnknownCode, match=three):
        code_named("auction")
    with pytest.raises(UnknownCode, match="did you mean royalton-1915"):
        code_named("roylton")


def test_a_mistyped_command_is_answered_with_the_right_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["rulling", "revoke"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "'ruling'" in told
    assert told.endswith("See `oddtrick --help`.\n")


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("oddtrick rul", "ruling "),
        ("oddtrick check --co", "--code "),
        ("oddtrick check --code roy", "royalton-1915 "),
        ("oddtrick cite --style mark", "markdown "),
        ("oddtrick ruling --sli", ""),  # a fact of a dispute, which the help does not list
    ],
)
def test_a_shell_completes_commands_options_and_codes(
    typed: str, wanted: str, tmp_path: Path
) -> None:
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "out"),
        "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": typed,
        "COMP_POINT": str(len(typed)),
    }
    subprocess.run(
        [sys.executable, "-m", "oddtrick"], env=os.environ | asked, check=True, capture_output=True
    )
    assert (tmp_path / "out").read_text("utf-8") == wanted


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_oddtrick(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_ARGCOMPLETE" in script
    assert "oddtrick" in script
