"""Worker processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor


def cores() -> int:
    """The number of cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers(ProcessPoolExecutor):
    """A pool of processes that have the judge loaded. The parent process handles Ctrl-C."""

    def __init__(self, number: int) -> None:
        forkserver = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if forkserver else "spawn")
        if forkserver:
            context.set_forkserver_preload(["oddtrick.report.archive"])
        super().__init__(number, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
        if forkserver:  # the server and the processes it starts never receive Ctrl-C
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            self.submit(cores)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
