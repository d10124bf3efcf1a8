"""The files of the checkout that tests read."""

from pathlib import Path
from typing import Any

from oddtrick.law.yaml import read as read_yaml

ROOT = Path(__file__).resolve().parent.parent


def table(name: str) -> Any:
    """The content of a file of cases: `shown` for `tests/shown.yaml`."""
    return read_yaml((ROOT / "tests" / f"{name}.yaml").read_text("utf-8"))
