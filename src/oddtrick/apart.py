"""Work done in a copy of this process, on a second processor, where the system can copy a process."""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any


def two_processors() -> bool:
    """Whether a copy of the process can do a share of the work."""
    return hasattr(os, "fork") and sys.platform != "darwin" and (os.cpu_count() or 1) > 1


class Apart:
    """A function run in a copy of this process; `result` waits for what it returns."""

    def __init__(self, work: Callable[[], Any]) -> None:
        forked = multiprocessing.get_context("fork")
        self.here, there = forked.Pipe(duplex=False)
        self.process = forked.Process(target=_worker, args=(work, there), daemon=True)
        self.process.start()
        there.close()

    def result(self) -> Any:
        """What the function returned; raises what it raised, and tells again what it logged."""
        try:
            records, error, value = self.here.recv()
        except EOFError:
            records, error, value = [], RuntimeError("the second process of the build ended without an answer"), None
        self.process.join()
        for record in records:
            logging.getLogger(record.name).handle(record)
        if error:
            raise error
        return value


class _Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, its message made up, so that it can be sent."""
        record.msg, record.args, record.exc_info = record.getMessage(), None, None
        self.records.append(record)


def _worker(work: Callable[[], Any], to: Connection) -> None:
    kept = _Kept()
    logging.getLogger("mkdocs").handlers[:] = [kept]
    error = value = None
    try:
        value = work()
    except Exception as caught:  # whatever it is, it is raised again where the work was asked for
        error = caught
    to.send((kept.records, error, value))
    to.close()
