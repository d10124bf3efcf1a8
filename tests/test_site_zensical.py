"""The pages on disk, rendered by Zensical, the successor of Material for MkDocs: the same
addresses.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import WHOLE, few_of
from oddtrick.paths import folder
from oddtrick.site.docs import write

VERSION = "0.0.73"
"""The version that was tried."""

LONG = 60_000
"""Longer pages are rendered only with `ODDTRICK_WHOLE=1`: Python-Markdown needs a second for each."""


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("zensical") is None,
    reason=f"needs Zensical: pip install zensical=={VERSION}",
)
def test_zensical_builds_the_same_addresses(
    pages: dict[str, str | bytes], built: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder("docs"), tmp_path / "pages", ignore=shutil.ignore_patterns("attaching*"))
    shutil.copytree(folder("site_overrides") / "assets", tmp_path / "pages" / "assets")
    shutil.copytree(folder("site_overrides"), tmp_path / "site_overrides")
    some = {path: made for path, made in few_of(pages).items() if len(made) < LONG}
    write(pages if WHOLE else some, tmp_path / "pages")
    config = folder("mkdocs.yml").read_text("utf-8")
    config = re.sub(r"(?m)^docs_dir: .*", "docs_dir: pages", config)
    (tmp_path / "mkdocs.yml").write_text(config.replace("plugins:\n  - oddtrick\n", ""), "utf-8")
    command = [sys.executable, "-m", "zensical", "build"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    there, here = (
        {p.relative_to(home).as_posix() for p in home.rglob("*.html")}
        for home in (tmp_path / "site", built)
    )
    written = (p.relative_to(tmp_path / "pages") for p in (tmp_path / "pages").rglob("*.md"))
    given = {re.sub(r"(/?)(?<![^/])index$", r"\1", p.as_posix()[:-3]) for p in written}
    assert len(given) > 55
    assert there == {f"{p.strip('/')}/index.html".lstrip("/") for p in given} | {"404.html"}
    assert there <= here
    assert there == here or not WHOLE
