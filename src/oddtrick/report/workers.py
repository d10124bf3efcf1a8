"""Worker processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def cores() -> int:
    """The number of cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers(ProcessPoolExecutor):
    """A pool of processes that have a module loaded (by default the judge), started when there is
    work for them. The parent process handles Ctrl-C.
    """

    def __init__(self, number: int, preload: str = "oddtrick.report.archive") -> None:
        forkserver = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if forkserver else "spawn")
        if forkserver:
            context.set_forkserver_preload([preload])
        super().__init__(number, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call. The fork server and its processes never receive Ctrl-C."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
