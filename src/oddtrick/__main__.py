"""The console script."""

import sys

from oddtrick.cli import main

if __name__ == "__main__":
    sys.exit(main())
