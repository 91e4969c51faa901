"""The command line: `phusion COMMAND`, one file per command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code (see `phusion.cli.exit_codes`)."""
    from phusion.cli.app import run

    return run(sys.argv[1:] if arguments is None else arguments)
