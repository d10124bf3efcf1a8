"""The build compiles the lawbook, so that an installation need not: hatchling calls this for every
wheel.

A wheel carries the compiled files and the index of the search below `oddtrick/data/compiled`; an
editable installation finds them at the same place in `src/`, where git ignores them. Broken law
data stop the build with their lines.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileLawbook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook `custom` of the wheel (pyproject.toml)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile `laws/` with the package's own code, before the wheel's files are gathered."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        from oddtrick.law.store import SHIPPED, LawDataError

        try:
            if version == "editable":
                made = compile_into(Path(SHIPPED), root / "laws")
                for old in Path(SHIPPED).iterdir():
                    if old != made:
                        shutil.rmtree(old)
            else:
                self.scratch = tempfile.TemporaryDirectory(prefix="oddtrick-")
                compile_into(Path(self.scratch.name), root / "laws")
                build_data["force_include"][self.scratch.name] = "oddtrick/data/compiled"
        except LawDataError as error:
            self.app.abort(f"The law data have problems, so nothing is built:\n{error}")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Throw the compiled files away once they are in the wheel."""
        if version != "editable":
            self.scratch.cleanup()


def compile_into(folder: Path, laws: Path) -> Path:
    """Compile law data, with its silences, the finder and the index of the search; the result is
    where they are, in a folder named by its content.
    """
    from oddtrick.book.search import fill, keep
    from oddtrick.book.silences import keep as keep_silences
    from oddtrick.law import store
    from oddtrick.rulings.finder import keep as keep_finder

    home = str(folder / store.stamp(str(laws)))
    store.write(home, store.compiled(str(laws)))
    store.use(home)
    for code in store.load("index"):
        keep_silences(home, code)
    keep_finder(home)
    with (
        contextlib.suppress(sqlite3.OperationalError),
        contextlib.closing(sqlite3.connect(":memory:")) as index,
    ):
        fill(index)  # a Python without FTS5 leaves it to the machine that searches
        keep(index, home)
    return Path(home)
