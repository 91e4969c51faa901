"""The command line: `phusion COMMAND`, one file per command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from phusion.cli import exit_codes
from phusion.cli.signals import Terminated, ending_well

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code (see `phusion.cli.exit_codes`)."""
    for stream in (sys.stdout, sys.stderr):  # of an old encoding, which has no Ψ: better a ? than no answer
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")
    try:
        with ending_well():
            from phusion.cli.app import run

            return run(sys.argv[1:] if arguments is None else arguments)
    except Terminated:
        return _ended("terminated", exit_codes.TERMINATED)
    except KeyboardInterrupt:
        return _ended("interrupted", exit_codes.INTERRUPTED)


def _ended(how: str, code: int) -> int:
    from phusion.output import remove_unfinished

    remove_unfinished()
    print(f"phusion: {how}", file=sys.stderr)
    return code
