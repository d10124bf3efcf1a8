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


def test_a_name_that_fits_several_or_nearly_one_is_answered_with_them() -> None:
    three = "did you mean auction-1908 or auction-1912 or auction-1926"
    with pytest.raises(UnknownCode, match=three):
        code_named("auction")
    with pytest.raises(UnknownCode, match="did you mean royalton-1915"):
        code_named("roylton")


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
        [sys.executable, "-m", "oddtrick"],
        env=os.environ | asked,
        check=True,
        capture_output=True,
        timeout=600,
    )
    assert (tmp_path / "out").read_text("utf-8") == wanted
