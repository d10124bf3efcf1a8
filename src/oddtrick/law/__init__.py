"""Compiles the law data into a typed lawbook, and finds the law in force under a code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from oddtrick.paths import folder

if TYPE_CHECKING:
    from oddtrick.law.compile import Compiled


def lint(laws: Path | None = None) -> Compiled:
    """Compile a folder of law data, by default the shipped one; returns codes and problems.

    The files of the problems are named from the current folder, so that an editor can open them.
    """
    # Imported here because PyYAML and jsonschema are slow to load.
    from oddtrick.law.compile import compile_laws

    home = (laws or folder("laws")).resolve()
    found, here = compile_laws(home), Path.cwd()
    paths = [home.parent / problem.file for problem in found.problems]
    files = [p.relative_to(here) if p.is_relative_to(here) else p for p in paths]
    named = zip(found.problems, files, strict=True)
    return replace(found, problems=tuple(replace(p, file=f.as_posix()) for p, f in named))
