"""Shared by all tests: where the real data is, and a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from browser import PROGRAM, Browser
from phusion.graph.arrow import has_pyarrow

SHARED = Path(os.environ.get("PHUSION_DATA") or Path(__file__).parents[2] / "shared" / "data")

# a loaded machine must not fail a property for being slow
settings.register_profile("phusion", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("phusion")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Where pyarrow is not installed, a test that asks for it is skipped with what it was told."""
    try:
        return (yield)
    except ImportError as error:
        if has_pyarrow() or "pyarrow" not in str(error):
            raise
        pytest.skip(str(error))


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of real graphs; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"the real data is not here ({SHARED}); set PHUSION_DATA to its folder")
    monkeypatch.setenv("PHUSION_DATA", str(SHARED))
    return SHARED


@pytest.fixture
def no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without any data set: no folder, an empty cache, no network."""
    monkeypatch.delenv("PHUSION_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for proxy in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(proxy, "http://127.0.0.1:9")


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a small file and give back its path."""

    def writer(content: str | bytes, name: str = "graph.txt") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return writer


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip("no browser is here: install chromium")
    opened = Browser(tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()
