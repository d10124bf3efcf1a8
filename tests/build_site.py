"""Build the site and write its generated pages beside it, once for all tests: `python
tests/build_site.py FOLDER` creates FOLDER/site and FOLDER/docs.
"""

import os
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

from mkdocs.__main__ import cli

from oddtrick.paths import folder
from oddtrick.site import plugin, render
from oddtrick.site.docs import write


def built(home: Path, made: tuple[dict[str, str | bytes], list[Any]], strict: bool = True) -> int:
    """Build the site from given pages and navigation entries."""
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    plugin.generate = lambda out, _: write(made[0], out) or made[1]
    if strict:
        return render.build(home / "site")
    options = ["--config-file", str(folder("mkdocs.yml")), "--site-dir", str(home / "site")]
    return int(cli(["build", *options], standalone_mode=False) or 0)


if __name__ == "__main__":
    home = Path(sys.argv[1])
    codes = plugin.generate(home / "docs", "")
    plugin.generate = lambda out, _: copytree(home / "docs", out, dirs_exist_ok=True) and codes
    sys.exit(render.build(home / "site"))
