"""The build compiles the lawbook for the wheel, so that an installation need not.

The wheel has it with the silences and the index of the search in
`oddtrick/data/compiled`. An editable installation compiles `laws/` when it is first used. Broken
law data stops the build with the lines of its problems.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileLawbook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook `custom` of the wheel (pyproject.toml)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile `laws/` with the package's own code, before the wheel's files are gathered."""
        self.scratch = tempfile.TemporaryDirectory(prefix="oddtrick-")
        if version == "editable":
            return
        root, home = Path(self.root), Path(self.scratch.name)
        sys.path.insert(0, str(root / "src"))
        from oddtrick.book import index, silences
        from oddtrick.law import store
        from oddtrick.law.book import install

        try:
            lawbook = store.compile_folder(root / "laws")
        except store.LawDataError as error:
            self.app.abort(f"The law data has problems, so nothing is built:\n{error}")
        install(lawbook)
        store.write(home / f"{store.LAWBOOK}.json", lawbook)
        store.write(home / f"{silences.TABLE}.json", silences.made())
        store.write(home / f"{index.NAME}.json", index.made())
        build_data["force_include"][str(home)] = f"oddtrick/{store.COMPILED}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the compiled files once they are in the wheel."""
        self.scratch.cleanup()
