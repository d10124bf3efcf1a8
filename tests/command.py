"""Run the command line in the process of the tests."""

import io
import subprocess
import sys
from pathlib import Path

import pytest


def commanded(
    *arguments: str, given: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `oddtrick` in this process, without starting an interpreter; returns its exit status and
    output.
    """
    from oddtrick.__main__ import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["oddtrick", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        if cwd:
            patch.chdir(cwd)
        try:
            status = main()
        except SystemExit as stop:  # as argparse ends
            status = stop.code if isinstance(stop.code, int) else 1
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, status, *said)
