"""The commands of the command line; `main` runs the one that was typed."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Run `oddtrick` with the arguments of the process and return the exit status.

    The status is 0 if nothing is irregular; 1 if something is irregular, disputed or not found; 2
    for unreadable input or wrong usage; 130 after Ctrl-C; 141 if the reader of a pipe stops early.
    """
    streams = sys.stdout, sys.stderr
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, _stop)
        sys.unraisablehook = _again
    try:
        status = _status()
    except KeyboardInterrupt:
        sys.stderr.write(STOPPED)
        status = 130
    if handled:
        signal.signal(signal.SIGINT, _stop)
    sys.stdout, sys.stderr = streams
    return status


STOPPED = "\noddtrick: stopped.\n"


def _stop(*_: object) -> None:
    """Exit at once; used while modules load and while Python exits, when no output is pending."""
    os.write(2, STOPPED.encode())
    os._exit(130)


def _again(lost: sys.UnraisableHookArgs) -> None:
    """Raise Ctrl-C again where Python would only print it, for example in a finalizer."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    else:
        sys.__unraisablehook__(lost)


def _status() -> int:
    # These modules are imported here so that Ctrl-C is handled while they load.
    from oddtrick.cli.commands import run
    from oddtrick.law.store import LawDataError
    from oddtrick.terminal import guard, in_a_line

    guard()
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of our pipe has closed it
        _let_go()
        return 141  # as a shell reports a program that SIGPIPE has ended
    except OSError as error:  # a full disk, or a file that vanished while it was read
        _let_go()
        where = f"{in_a_line(str(error.filename))}: " if error.filename is not None else ""
        sys.stderr.write(f"oddtrick: {where}{error.strerror or error}\n")
        return 2
    except LawDataError as error:
        sys.stderr.write("oddtrick: the law data cannot be used; run `oddtrick lint`.\n")
        sys.stderr.write(f"{error}\n")
        return 2


def _let_go() -> None:
    """Discard pending output, so that Python does not fail when it flushes standard output."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
