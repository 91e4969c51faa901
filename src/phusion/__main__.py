"""`python -m phusion`."""

import sys

from phusion.cli import main

if __name__ == "__main__":
    sys.exit(main())
