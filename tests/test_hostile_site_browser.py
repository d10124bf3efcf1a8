"""A small site of hostile records, as `hostile_site.py` walks a large one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hostile_site import NAMES, PLACES, SCRIPTS, walked

NUMBER = len(SCRIPTS) + len(NAMES) + 2 * len(PLACES)


@pytest.mark.slow
def test_nothing_happens_on_a_site_of_hostile_records(tmp_path: Path, browser: Any) -> None:
    made = "import sys; from pathlib import Path; from hostile_site import site_of; "
    made += "print(*site_of(Path(sys.argv[1]), int(sys.argv[2])), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", made, str(tmp_path), str(NUMBER)],
        cwd=Path(__file__).parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = done.stdout.splitlines()
    assert len(names) == NUMBER
    assert walked(tmp_path / "site", names, browser) == {"pages": NUMBER, "scripts": NUMBER}
