"""A site of hostile records, walked in a browser; with `ODDTRICK_WHOLE=1` a large one."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import WHOLE
from hostile_site import HARM, NAMES, PLACES, SCRIPTS, walked

NUMBER = len(SCRIPTS) + (1500 if WHOLE else max(len(HARM), len(PLACES), len(NAMES)))


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
