"""The commands. `main` runs one."""

import os
import sys

from oddtrick.cli.commands import run
from oddtrick.law.store import LawDataError
from oddtrick.terminal import guard, in_a_line


def main() -> int:
    """Run `oddtrick` with the arguments of the process; the result is the exit status.

    0 nothing irregular, 1 something irregular, disputed or not found, 2 something unreadable or
    wrong usage, 130 stopped by Ctrl-C.
    """
    streams = sys.stdout, sys.stderr
    guard()
    status = _status()
    sys.stdout, sys.stderr = streams
    return status


def _status() -> int:
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of our pipe has enough
        _let_go()
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("\noddtrick: stopped.\n")
        return 130
    except OSError as error:  # a full disk, a file that went away while it was read
        _let_go()
        where = f"{in_a_line(str(error.filename))}: " if error.filename is not None else ""
        sys.stderr.write(f"oddtrick: {where}{error.strerror or error}\n")
        return 2
    except LawDataError as error:
        sys.stderr.write("oddtrick: the law data cannot be used; run `oddtrick lint`.\n")
        sys.stderr.write(f"{error}\n")
        return 2


def _let_go() -> None:
    """Let what is still to be written to standard output go nowhere."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
