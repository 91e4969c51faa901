"""Scores that statements need: there, or an error that says which is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from phusion.errors import InputError
from phusion.experiments.study import Design
from phusion.experiments.tables import Table

__all__ = ["Decide", "MissingScoresError", "Tables", "datasets_of", "designs_on", "score_of", "signed"]

Tables = Mapping[str, Table]
Decide = Callable[[Tables, str], tuple[bool, str]]
"""Whether a statement holds in a profile, and why."""


class MissingScoresError(InputError):
    """Scores that a statement needs are not recorded."""


def score_of(table: Table, profile: str, dataset: str, proximity: str, nonlinearity: str = "") -> float:
    """The mean of one design."""
    value = table.score(profile, dataset, proximity, nonlinearity)
    if value is None:
        label = f"{proximity} {nonlinearity}".strip()
        raise MissingScoresError(f"not computed: {label} on {dataset} in {table.study.name}, and perhaps more")
    return value


def designs_on(table: Table, profile: str, dataset: str) -> list[Design]:
    """All that are tried on a data set."""
    return [one.design for one in table.scores[profile] if one.dataset == dataset]


def datasets_of(table: Table) -> list[str]:
    """Their names."""
    return [source.name for source in table.study.sources]


def signed(value: float) -> str:
    """Two digits, with a real minus.

    >>> signed(-0.5)
    '−0.50'
    """
    return f"{value:+.2f}".replace("-", "−")
