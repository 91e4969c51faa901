"""A ledger to fill by hand, and a study with dangerous names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from made_up import OWN, recorded

from phusion.experiments.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def fill(ledger: Ledger) -> Callable[..., None]:
    """Record every cell of a study, with what a function says of it."""
    return partial(recorded, ledger)


@pytest.fixture
def own(write: Callable[..., Path]) -> Path:
    return write(OWN, "own.toml")
