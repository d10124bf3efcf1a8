"""Work done in a copy of this process, on a second processor, where the system can copy a process."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any


def two_processors() -> bool:
    """Whether a copy of the process can do a share of the work."""
    return hasattr(os, "fork") and sys.platform != "darwin" and (os.cpu_count() or 1) > 1


class Apart:
    """Values made in a copy of this process, one after the other, while this one goes on."""

    def __init__(self, work: Callable[[], Iterable[Any]]) -> None:
        forked = multiprocessing.get_context("fork")
        self.here, there = forked.Pipe(duplex=False)
        self.process = forked.Process(target=_worker, args=(work, there), daemon=True)
        self.process.start()
        there.close()
        self.made: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self.reader = threading.Thread(
            target=self._receive, daemon=True
        )  # so that it need not wait until a value is taken
        self.reader.start()

    def take(self) -> Any:
        """The next value; raises what was raised in making it."""
        more, value = self.made.get()
        if not more:
            raise self._ended(value)
        return value

    def finish(self) -> None:
        """Wait for the end, after the last value; tells again what was logged, and raises what was raised."""
        more, value = self.made.get()
        error = (
            RuntimeError("the second process has made more than was taken")
            if more
            else self._ended(value)
        )
        if not isinstance(error, StopIteration):
            raise error

    def _receive(self) -> None:
        more = True
        while more:
            try:
                more, value = self.here.recv()
            except EOFError:
                more, value = (
                    False,
                    ([], RuntimeError("the second process ended without an answer")),
                )
            except Exception as error:  # what was sent cannot be read: whoever waits for it is told
                more, value = False, ([], error)
            self.made.put((more, value))
        self.here.close()

    def _ended(self, value: Any) -> Exception:
        records, error = value
        self.process.join()
        self.reader.join()  # no thread may run when the process is copied again
        for record in records:
            logging.getLogger(record.name).handle(record)
        return error or StopIteration()


class _Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, its message made up, so that it can be sent."""
        record.msg, record.args, record.exc_info = record.getMessage(), None, None
        self.records.append(record)


def _sendable(error: Exception | None) -> Exception | None:
    """The error, or where it cannot be copied to another process its traceback as a `RuntimeError`."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return error


def _worker(work: Callable[[], Iterable[Any]], to: Connection) -> None:
    kept = _Kept()
    logging.getLogger("mkdocs").handlers[:] = [kept]
    error = None
    try:
        for value in work():
            to.send((True, value))
    except Exception as caught:  # whatever it is, it is raised again where the work was asked for
        error = caught
    to.send((False, (kept.records, _sendable(error))))
    to.close()
