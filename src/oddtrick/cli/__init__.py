"""The commands. `main` runs the one that is called.

`law` and the commands that read the lawbook start without the checker and the grammars.
"""

import gc
import sys

BOOK = ("cite", "search", "compare", "concordance", "topics", "export", "sources")
"""The commands of `cli.book` and `cli.sources`."""


def main() -> int:
    """Run `oddtrick` with the arguments of the process; the result is the exit status.

    0 nothing irregular, 1 something irregular, disputed or not found, 2 something unreadable or a
    wrong call, 130 stopped by Ctrl-C.
    """
    try:
        status = _run(sys.argv[1:])
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of our pipe has enough
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("\noddtrick: stopped.\n")
        return 130
    except Exception as error:
        from oddtrick.law.store import LawDataError

        if not isinstance(error, LawDataError):
            raise
        sys.stderr.write("oddtrick: the law data cannot be used; run `oddtrick lint`.\n")
        sys.stderr.write(f"{error}\n")
        return 2


def _run(arguments: list[str]) -> int:
    # Imported late, because the whole command line takes ten times as long to start as `law` alone.
    if arguments and arguments[0] == "law":
        from oddtrick.cli.law import main as law

        enabled = gc.isenabled()
        gc.disable()  # what is read stays to the end; looking for refuse takes a quarter of a start
        try:
            return law(arguments[1:])
        finally:
            if enabled:
                gc.enable()
    if arguments and arguments[0] in BOOK:
        from oddtrick.cli.book import main as book

        return book(arguments)
    from oddtrick.cli.commands import run

    return run(arguments)
