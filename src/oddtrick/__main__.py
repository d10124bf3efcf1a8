"""The console script: a short way to `law` and to the commands that read the lawbook, and the whole command line."""

import sys

BOOK = ("cite", "search", "compare", "concordance", "topics", "export", "sources")
"""The commands of `cli_book`, which start without the checker and the grammars."""


def main() -> int:
    """Run `oddtrick`; the result is the exit status."""
    arguments = sys.argv[1:]
    try:
        if arguments and arguments[0] == "law":
            from oddtrick.cli.law import main as law

            status = law(arguments[1:])
        elif arguments and arguments[0] in BOOK:
            from oddtrick.cli.book import main as book

            status = book(arguments)
        else:
            from oddtrick.cli.check import run

            status = run(arguments)
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

        if isinstance(error, LawDataError):
            sys.stderr.write(
                "oddtrick: the law data cannot be used; run `oddtrick lint`.\n" + str(error) + "\n"
            )
            return 2
        raise


if __name__ == "__main__":
    sys.exit(main())
