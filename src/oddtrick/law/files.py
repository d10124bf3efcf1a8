"""Writing files so that nothing of the user's is ever lost or half-written."""

from __future__ import annotations

import os
import tempfile


def write_atomic(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole or not at all: to a temporary file beside it, then renamed over it.

    The permissions of a file that is replaced are kept; a symbolic link keeps pointing at its file.
    Raises `OSError` where the folder cannot be written.
    """
    target = os.path.realpath(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target) or ".", prefix=".oddtrick-")  # noqa: PTH120
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mode = os.stat(target).st_mode if os.path.exists(target) else 0o666 & ~_umask()  # noqa: PTH110, PTH116
        os.chmod(temporary, mode & 0o7777)  # noqa: PTH101
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException:
        os.unlink(temporary)  # noqa: PTH108
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
