"""A build hook that compiles the lawbook into the wheel, so that an installation does not have to.

The wheel contains the lawbook, the silences, the search index and the parser of `.hand` in
`oddtrick/data/compiled`. An editable installation compiles them on first use. If the law data has
problems, the build stops and lists them with their lines.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileLawbook(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook `custom` of the wheel, configured in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile `laws/` with the package's own code, before hatchling collects the files."""
        self.scratch = tempfile.TemporaryDirectory(prefix="oddtrick-")
        if version == "editable":
            return
        root, home = Path(self.root), Path(self.scratch.name)
        sys.path.insert(0, str(root / "src"))
        from oddtrick.book import index, silences
        from oddtrick.law import store
        from oddtrick.law.book import install
        from oddtrick.law.lawbook import Book
        from oddtrick.paths import COMPILED, PACKAGE
        from oddtrick.record.hand import grammar

        try:
            lawbook = store.compile_folder(root / "laws")
        except store.LawDataError as error:
            self.app.abort(f"The law data has problems, so nothing is built:\n{error}")
        install(Book(lawbook))
        store.write(home / f"{store.LAWBOOK}.json", lawbook)
        store.write(home / f"{silences.TABLE}.json", silences.made())
        store.write(home / f"{index.NAME}.json", index.made())
        (home / grammar.file_name()).write_bytes(grammar.compiled())
        build_data["force_include"][str(home)] = f"oddtrick/{COMPILED.relative_to(PACKAGE)}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary compiled files after they have been packed into the wheel."""
        self.scratch.cleanup()
