"""A ledger to fill by hand, a study with dangerous names, and a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from browser import PROGRAM, Browser
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


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip("no browser is here: install chromium")
    opened = Browser(tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()
