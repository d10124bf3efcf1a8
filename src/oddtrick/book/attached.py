"""The printed words attached on this machine, as `oddtrick law` shows them: read fast, nothing else imported."""

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def attached_folder() -> str:
    """Where attached sources are kept: below `ODDTRICK_DATA`, or the user's data folder as platformdirs has it."""
    home = os.environ.get("ODDTRICK_DATA") or _plain_folder() or _any_folder()
    return os.path.join(home, "sources")  # noqa: PTH118


def _plain_folder() -> str:
    """platformdirs' answer on a plain Linux; nothing elsewhere.

    `oddtrick law` looks here every time, and the import of platformdirs would make it start in four times the bare
    interpreter's time and not in three (benchmarks/cold_start.py). A test holds the two answers equal.
    """
    if sys.platform != "linux" or "ANDROID_DATA" in os.environ:
        return ""
    given, home = os.environ.get("XDG_DATA_HOME", ""), os.environ.get("HOME", "")
    base = (
        given
        if given.startswith("/")
        else home.startswith("/") and home.rstrip("/") + "/.local/share"
    )
    return os.path.join(base, "oddtrick") if base else ""  # noqa: PTH118


def _any_folder() -> str:
    from platformdirs import user_data_dir

    return user_data_dir("oddtrick", False)


def printed(code: str, number: str) -> "Iterator[tuple[str, str]]":
    """The printed words of a law, by its number, in each attached source of its code: the file's name, the words."""
    home = os.path.join(attached_folder(), code)  # noqa: PTH118
    if not os.path.isdir(home):  # noqa: PTH112
        return
    for name in sorted(os.listdir(home)):  # noqa: PTH208
        if not name.endswith(".json"):
            continue
        try:
            with open(os.path.join(home, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123
                body = json.load(file)
            words = body["laws"].get(number)
            label = body["file"]
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            continue
        if words:
            yield str(label), str(words)
