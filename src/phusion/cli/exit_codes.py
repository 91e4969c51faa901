"""Exit codes that scripts can trust."""

from __future__ import annotations

__all__ = [
    "BAD_INPUT",
    "FAILED",
    "INCOMPLETE",
    "INTERRUPTED",
    "MISSED",
    "OK",
    "OUTPUT_REFUSED",
    "TERMINATED",
    "UNWELL",
    "USAGE",
    "explained",
]

OK = 0
FAILED = 1
USAGE = 2
BAD_INPUT = 3
OUTPUT_REFUSED = 4
INCOMPLETE = 5
MISSED = 6
UNWELL = 7
INTERRUPTED = 130
TERMINATED = 143

_MEANING = {
    OK: "done",
    FAILED: "a defect of phusion, please report it",
    USAGE: "unknown command, option or value",
    BAD_INPUT: "a file or data set cannot be used, is not here, or takes more memory than is given",
    OUTPUT_REFUSED: "the result was not written",
    INCOMPLETE: "some cells of a study failed, or its data sets are missing",
    MISSED: "the embedding is written, but less accurate than asked for",
    UNWELL: "phusion doctor found something to mend",
    INTERRUPTED: "interrupted (Ctrl-C)",
    TERMINATED: "terminated (SIGTERM)",
}


def explained() -> str:
    """All codes with their meaning, for the help page."""
    return "; ".join(f"{code} {meaning}" for code, meaning in _MEANING.items()) + "."
