"""The commands. `main` runs the one that is called.

`law` and the commands that read the lawbook start without the checker and the grammars.
"""

import sys

from oddtrick.terminal import guard, in_a_line

BOOK = ("cite", "search", "compare", "concordance", "topics", "export", "sources")
"""The commands of `cli.book` and `cli.sources`."""


def main() -> int:
    """Run `oddtrick` with the arguments of the process; the result is the exit status.

    0 nothing irregular, 1 something irregular, disputed or not found, 2 something unreadable or a
    wrong call, 130 stopped by Ctrl-C.
    """
    streams = sys.stdout, sys.stderr
    guard()
    status = _status()
    sys.stdout, sys.stderr = streams
    return status


def _status() -> int:
    try:
        status = _run(sys.argv[1:])
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
    except Exception as error:
        from oddtrick.law.store import LawDataError

        if not isinstance(error, LawDataError):
            raise
        sys.stderr.write("oddtrick: the law data cannot be used; run `oddtrick lint`.\n")
        sys.stderr.write(f"{error}\n")
        return 2


def _let_go() -> None:
    """Let what is still to be written to standard output go nowhere."""
    import os

    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    # Imported late, because the whole command line takes ten times as long to start as `law` alone.
    if arguments and arguments[0] == "law":
        from oddtrick.cli.law import main as law

        return law(arguments[1:])
    if arguments and arguments[0] in BOOK:
        from oddtrick.cli.book import main as book

        return book(arguments)
    if arguments and arguments[0] == "ruling":
        from oddtrick.cli.ruling import main as ruling

        return ruling(arguments)
    from oddtrick.cli.commands import run

    return run(arguments)
