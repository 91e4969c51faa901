"""All that is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from phusion.doctor.finding import Finding
from phusion.doctor.self_test import self_test
from phusion.doctor.surroundings import surroundings
from phusion.doctor.versions import versions

__all__ = ["examine"]


def examine() -> Iterator[Finding]:
    """One finding after another, in the order of a report; the last take seconds."""
    yield from versions()
    yield from surroundings()
    yield from self_test()
