"""The entry point of the command line."""

import sys

try:
    from oddtrick.cli import main
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
