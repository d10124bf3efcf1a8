"""The laws of bridge from 1904 to 1927: read, compare, cite and apply them.

`import oddtrick` provides `read`, `check` and `as_json` for records, `score` for a contract in
words, `rule` for a dispute, `provisions`, `search`, `compare` and `cite` for the laws, and `codes`,
`topics` and `irregularities` for lists. They are documented in `oddtrick.interface`, which is
imported when one of them is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oddtrick.interface import (
        Check,
        Deal,
        Finding,
        GroupCheck,
        as_json,
        check,
        cite,
        codes,
        compare,
        irregularities,
        provisions,
        read,
        rule,
        score,
        search,
        topics,
    )

__version__ = "1.0.0"

__all__ = [
    "Check",
    "Deal",
    "Finding",
    "GroupCheck",
    "as_json",
    "check",
    "cite",
    "codes",
    "compare",
    "irregularities",
    "provisions",
    "read",
    "rule",
    "score",
    "search",
    "topics",
]


if not TYPE_CHECKING:  # a type checker would accept any name

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return getattr(importlib.import_module("oddtrick.interface"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*(name for name in globals() if name.startswith("__")), *__all__])
