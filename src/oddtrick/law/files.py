"""Writing files so that nothing of the user's is ever lost or half-written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_atomic(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole or not at all: to a temporary file beside it, then renamed over it.

    The permissions of a file that is replaced are kept; a symbolic link keeps pointing at its file.
    Raises `OSError` where the folder cannot be written.
    """
    target = Path(path).resolve()
    data = content.encode("utf-8") if isinstance(content, str) else content
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".oddtrick-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        temporary.chmod(mode & 0o7777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
