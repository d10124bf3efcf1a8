"""What every test shares: a compiled lawbook of its own, so that no test reads a user's cache."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

os.environ["ODDTRICK_CACHE"] = tempfile.mkdtemp(prefix="oddtrick-cache-")
os.environ["NO_COLOR"] = "1"
os.environ.pop("ODDTRICK_LAWS", None)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT
