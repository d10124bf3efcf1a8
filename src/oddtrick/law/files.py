"""Writes files atomically, so that the user's files are never lost or truncated."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path


def write_atomic(path: str | os.PathLike[str], content: str | bytes, lasting: bool = True) -> None:
    """Write a file completely or not at all, through a temporary file in the same folder.

    Permissions, owner and symbolic links are preserved; a pipe or a device is written directly. If
    `lasting`, waits until the data is on disk. Raises `OSError`, also if the file is read-only.
    """
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    old = _replaced(path)
    if old and not stat.S_ISREG(old.st_mode):
        with Path(path).open("wb") as file:
            file.write(data)
        return
    target = Path(path).resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".oddtrick-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        if old:
            with contextlib.suppress(OSError, AttributeError):  # not permitted, or not Unix
                os.chown(temporary, old.st_uid, old.st_gid)
        if not old:
            os.umask(mask := os.umask(0))
        temporary.chmod((old.st_mode if old else 0o666 & ~mask) & 0o7777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _replaced(path: str | os.PathLike[str]) -> os.stat_result | None:
    """The status of the file to replace, or `None` if there is none.

    Raises `OSError` if the file must not be written.
    """
    try:
        old = Path(path).stat()
    except FileNotFoundError:
        return None
    if not (old.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    return old
