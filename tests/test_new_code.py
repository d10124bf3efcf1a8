"""A new code is data only: copies of two codes' folders under other ids, and nothing else changed.

A copy has another name and date, and every figure in it is raised by one; the programs must accept
it as it is. One copied code stands on its own, the other extends a third. With `ODDTRICK_WHOLE=1`,
the commands are also run on copies of all other codes at once.

Also a program: `test_new_code.py FOLDER` adds the copies to the laws of a clone, whose whole suite
must then pass.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import WHOLE
from files import ROOT
from oddtrick.paths import folder

pytestmark = pytest.mark.slow

NEW = {"kenilworth-1919": "royalton-1915", "saratoga-1929": "contract-1927"}
"""The copies by id, with the codes from which they are copied."""

OTHERS = {
    "boston-1914": "duplicate-1912",
    "alton-1901": "bridge-elwell",
    "chester-1913": "auction-1912",
    "dover-1928": "auction-1926",
    "exeter-1905": "bridge-1904",
    "fulham-1909": "auction-1908",
}
"""Copies of the other codes."""


def name_of(code: str) -> str:
    """The name of a copy: `Kenilworth`."""
    return code.partition("-")[0].title()


def raised(value: Any) -> Any:
    """A figure with every number in it raised by one; numbers below three, which count tricks of a
    rubber or passes, stay.
    """
    if isinstance(value, dict):
        return {k: raised(v) for k, v in value.items()}
    if isinstance(value, list):
        return [raised(v) for v in value]
    return value + 1 if isinstance(value, int) and value > 20 else value


def provisions(node: Any) -> Iterator[dict[str, Any]]:
    """Every provision of a file of law data."""
    for law in [
        *node.get("laws", ()),
        *(la for o in node.get("options", ()) for la in o.get("laws", ())),
    ]:
        yield from law["provisions"]


def copy(laws: Path, code: str) -> None:
    """Put the copy of a code's folder beside it, unless it exists."""
    home, name = laws / code, name_of(code)
    if home.is_dir():
        return
    shutil.copytree(laws / (NEW | OTHERS)[code], home)
    for path in sorted(home.glob("*.yaml")):
        node = yaml.safe_load(path.read_text("utf-8"))
        if path.stem == "code":
            node |= {"id": code, "short": name, "date": code[-4:], "title": f"The Laws of {name}"}
            node |= {"aliases": [code, name.lower()]}
        if isinstance(node, dict):
            for provision in provisions(node):
                if "figures" in provision:
                    provision["figures"] = raised(provision["figures"])
                provision["text"] = re.sub(
                    r"\b\d+\b", lambda m: str(raised(int(m[0]))), provision["text"]
                )
        path.write_text(yaml.safe_dump(node, allow_unicode=True, sort_keys=False), "utf-8")


def with_copies(home: Path, codes: Iterable[str]) -> Path:
    """The law data with copies of some codes."""
    shutil.copytree(folder("laws"), home / "laws")
    for code in codes:
        copy(home / "laws", code)
    return home / "laws"


@pytest.mark.parametrize("codes", [NEW, OTHERS] if WHOLE else [NEW])
def test_a_new_code_is_data_only(codes: dict[str, str], tmp_path: Path) -> None:
    """One process for everything, since it compiles the lawbook, and so raises whatever `oddtrick lint`
    would report.
    """
    laws = with_copies(tmp_path, codes)
    command = [sys.executable, str(ROOT / "tests" / "new_code.py"), "1" if WHOLE else "9", *codes]
    env = os.environ | {"ODDTRICK_LAWS": str(laws), "ODDTRICK_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        command, capture_output=True, text=True, env=env, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    for code, asked in found["asked"].items():
        for status, out, err, words in asked:
            asked_on = 1 if words[0] == "ruling" else 0  # the ruling turns on more facts
            assert status == asked_on, (words, out[-500:], err)
            assert code in out or name_of(code) in out, words
    for code, pages in found["pages"].items():
        assert [kind for kind, page in pages.items() if name_of(code) not in page] == []
        assert f'href="codes/{code}/"' in pages["home"]
        assert f"codes/{code}/index.md" in pages["navigation"]


if __name__ == "__main__":
    for new in NEW:
        copy(Path(sys.argv[1]), new)
