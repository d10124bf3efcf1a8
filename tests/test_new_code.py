"""A new code is data only: a copy of a code's folder under another id, and nothing else touched.

The copy has another name and date, and every figure in it is one higher; the programs must take it
as it is.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from oddtrick.paths import folder

pytestmark = pytest.mark.slow

NEW = "kenilworth-1919"
NAME = "Kenilworth"


def raised(value: Any) -> Any:
    """A figure with every number in it one higher; numbers below three count tricks of a rubber or
    passes, and stay.
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


def copy(laws: Path, model: str) -> None:
    """Put a copy of a code's folder beside it, under another id."""
    home = laws / NEW
    shutil.copytree(laws / model, home)
    for path in sorted(home.glob("*.yaml")):
        node = yaml.safe_load(path.read_text("utf-8"))
        if path.stem == "code":
            node |= {"id": NEW, "short": NAME, "date": "1919", "title": "The Laws of Kenilworth"}
            node |= {"aliases": [NEW, "kenilworth"]}
        if isinstance(node, dict):
            for provision in provisions(node):
                if "figures" in provision:
                    provision["figures"] = raised(provision["figures"])
                provision["text"] = re.sub(
                    r"\b\d+\b", lambda m: str(raised(int(m[0]))), provision["text"]
                )
        path.write_text(yaml.safe_dump(node, allow_unicode=True, sort_keys=False), "utf-8")


@pytest.fixture(scope="module", params=["royalton-1915", "contract-1927"])
def laws(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("new")
    shutil.copytree(folder("laws"), home / "laws")
    copy(home / "laws", request.param)
    return home / "laws"


def oddtrick(laws: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A command of the program with these laws."""
    env = os.environ | {"ODDTRICK_LAWS": str(laws), "ODDTRICK_CACHE": str(laws.parent / "cache")}
    command = [sys.executable, "-m", "oddtrick", *arguments]
    return subprocess.run(
        command, input=given, capture_output=True, text=True, env=env, check=False
    )


def test_the_law_data_with_a_new_code_are_in_order(laws: Path) -> None:
    done = oddtrick(laws, "lint")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_a_deal_is_judged_under_a_new_code(laws: Path) -> None:
    record = f"""code {NEW}
deal 1
dealer north
bidding
  1 no-trump, pass, pass, pass
result 7 tricks
"""
    done = oddtrick(laws, "check", "--format", "json", "-", given=record)
    (told,) = json.loads(done.stdout)["records"]
    assert told["code"] == NEW
    assert told["declaration"]["declarer"] == "N"
    assert all(a.partition(":")[0] in (NEW, "auction-1926") for a in told["declaration"]["laws"])


def test_a_new_code_is_asked_for_rulings_cited_found_and_compared(laws: Path) -> None:
    for arguments in (
        ("ruling", "revoke", "--code", NEW),
        ("cite", f"{NAME} law 1"),
        ("law", NEW),
        ("search", "revoke", "--code", NEW),
        ("compare", "revoke-penalty", NEW, "auction-1912"),
        ("concordance", NEW, "auction-1912"),
        ("export", "--format", "json"),
        ("export", "--scores", NEW),
        ("topics",),
    ):
        done = oddtrick(laws, *arguments)
        asked_on = 1 if arguments[0] == "ruling" else 0  # the ruling turns on more facts
        assert done.returncode == asked_on, (arguments, done.stdout[-500:], done.stderr)
        assert NEW in done.stdout or NAME in done.stdout, arguments


@pytest.mark.site
def test_the_site_has_the_pages_of_a_new_code_and_no_warning(laws: Path, tmp_path: Path) -> None:
    done = oddtrick(laws, "site", "build", "--out", str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    home = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert f'href="codes/{NEW}/"' in home
    assert (tmp_path / "site" / "codes" / NEW / "1" / "index.html").is_file()
    assert (tmp_path / "site" / "compare" / f"{NEW}-auction-1912").exists() or list(
        (tmp_path / "site" / "compare").glob(f"*{NEW}*")
    )
