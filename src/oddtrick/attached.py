"""The printed words attached on this machine, as `oddtrick law` shows them: read fast, nothing else imported."""

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def attached_folder() -> str:
    """Where attached sources are kept: below `ODDTRICK_DATA`, or the user's data folder."""
    named = os.environ.get("ODDTRICK_DATA")
    if not named:
        system = str(sys.platform)  # a name mypy does not fold
        if system in ("darwin", "win32"):
            from platformdirs import user_data_dir

            named = user_data_dir("oddtrick", False)
        else:  # what platformdirs answers here, without its import
            named = os.path.join(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "oddtrick")  # noqa: PTH111, PTH118
    return os.path.join(named, "sources")  # noqa: PTH118


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
