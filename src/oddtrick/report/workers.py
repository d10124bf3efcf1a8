"""Processes of this machine that judge: an executor that begins again where one was killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from types import ModuleType, TracebackType
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
T = TypeVar("T")

PATIENCE = 1.0
"""So many seconds processes have to end what they are at when nobody wants it any more."""


def cores() -> int:
    """How many cores there are for this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers(Executor):
    """Some processes, begun with the first work; a context manager that leaves none behind.

    A work is a function of a module, never of the script that asks. Where a process is killed, all
    are begun anew with the next work, and `say` is called with what happened: the works that were
    with them are to be handed in again (`archive` does). Left by an exception (Ctrl-C), it kills
    what does not end in a second.
    """

    def __init__(self, number: int, say: Callable[[str], None] = lambda _: None) -> None:
        self.number, self.say = number, say
        self.others = frozenset(p.pid for p in multiprocessing.active_children())
        self.pool: ProcessPoolExecutor | None = None

    def submit(
        self, fn: Callable[Given, T], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Future[T]:
        """Hand in a work; the processes are begun where there are none."""
        with _no_script():
            if self.pool is not None:
                try:
                    return self.pool.submit(fn, *args, **kwargs)
                except BrokenExecutor:
                    self.say("a worker was killed; its records are judged again")
                    self.pool.shutdown(wait=False)
            self.pool = ProcessPoolExecutor(self.number, _context(), _begin)
            return self.pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when their work is done."""
        if self.pool is not None:
            self.pool.shutdown(wait, cancel_futures=cancel_futures)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.shutdown(wait=False, cancel_futures=True)
            # Killed with work before them that was taken back, they leave a thread that never ends.
            patience = time.monotonic() + PATIENCE
            while (left := self._left()) and time.monotonic() < patience:
                left[0].join(0.05)
            for child in left:
                child.kill()
        self.shutdown()

    def _left(self) -> list[multiprocessing.process.BaseProcess]:
        """The processes that were begun since, and still run."""
        return [p for p in multiprocessing.active_children() if p.pid not in self.others]


def _context() -> multiprocessing.context.BaseContext:
    """Processes that share nothing with this one, and have the judge in memory where they can."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["oddtrick.report.archive"])
    return context


@contextmanager
def _no_script() -> Iterator[None]:
    """While a process is begun there is no script: else it would run it once more, and one without
    `if __name__ == "__main__":` would begin processes of its own.
    """
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _begin() -> None:
    """Ctrl-C is for the process that asked: it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
