"""`Ledger`: results of cells in a sqlite file that processes share and that survives their death."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from phusion.errors import OutputError
from phusion.experiments import deaths
from phusion.experiments.ledger_file import LedgerFile
from phusion.experiments.machine import machine
from phusion.life import Life, last_act, not_last_act

__all__ = ["Cell", "Ledger", "Recorded"]

_BEAT = 2.0  # seconds between signs of life
_MANY = 500  # keys in one question; sqlite allows 999 at least


@dataclass(frozen=True)
class Cell:
    """One number of a table: a method on a data set by a protocol with a seed. What it is says where it is kept."""

    profile: str
    dataset: dict[str, Any]
    spec: dict[str, Any]
    task: str
    protocol: dict[str, Any]
    seed: int
    precision: str

    @cached_property
    def about(self) -> str:
        """All of it but the profile, which only names the choice of spec and protocol."""
        plain = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "profile"}
        return json.dumps(plain, sort_keys=True, ensure_ascii=False)

    @cached_property
    def key(self) -> str:
        """The place in the ledger."""
        return sha256(self.about.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Recorded:
    """What became of a cell: a result, or an error in words."""

    result: Any
    error: str | None
    seconds: float
    version: str
    finished: float


class Ledger(LedgerFile):
    """Results by cell. Cells are claimed before they are computed, so that no two processes compute the same.

    A claim ends with its process: one that was killed leaves claims that others take over.
    """

    def __init__(self, path: str | Path, *, reading: bool = False) -> None:
        self._life = Life.own()
        self._stop = threading.Event()
        self._beating: threading.Thread | None = None
        super().__init__(path, reading=reading)

    @property
    def owner(self) -> str:
        """The name under which this process claims."""
        return self._life.owner

    def close(self) -> None:
        """Give up all claims."""
        self._stop.set()
        if self._beating is not None:
            self._beating.join()
        try:
            with suppress(OutputError):  # on a full disk others see by themselves that this process is gone
                if self._beating is not None:
                    with self._writing() as base:
                        deaths.unmark(base, self.owner)
                        base.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
                        base.execute("DELETE FROM owners WHERE owner = ?", (self.owner,))
        finally:
            not_last_act(self._unmark_at_last)
            super().close()

    # results

    def done(self, keys: Iterable[str]) -> dict[str, Recorded]:
        """What is recorded of these cells."""
        found = self._rows("SELECT key, result, error, seconds, version, finished FROM cells", keys)
        return {key: Recorded(None if text is None else json.loads(text), *rest) for key, text, *rest in found}

    def recorded(self, keys: Iterable[str]) -> dict[str, float]:
        """Which of these cells are recorded, with the seconds they took."""
        return dict(self._rows("SELECT key, seconds FROM cells", keys))

    def record(self, cell: Cell, result: Any, error: str | None, seconds: float) -> None:
        """Keep what became of a cell, and end its claim. A result that is already there stays."""
        self.record_all([(cell, result, error, seconds)])

    def record_all(self, those: Iterable[tuple[Cell, Any, str | None, float]]) -> None:
        """The same of several cells, with their results, errors and seconds: all of them are kept, or none."""
        from phusion import __version__

        where, now = json.dumps(machine()), time.time()
        with self._writing(lasting=True) as base:
            for cell, result, error, seconds in those:
                text = None if result is None else json.dumps(result)
                values = (cell.key, cell.about, text, error, seconds, __version__, now)
                base.execute("DELETE FROM cells WHERE key = ? AND error IS NOT NULL", (cell.key,))
                if base.execute("INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?)", values).rowcount:
                    base.execute("INSERT OR REPLACE INTO made_on VALUES (?, ?)", (cell.key, where))
                base.execute("DELETE FROM claims WHERE key = ?", (cell.key,))
                base.execute("DELETE FROM running WHERE key = ?", (cell.key,))
                deaths.forget(base, cell.key)

    def machines(self, keys: Iterable[str]) -> list[tuple[dict[str, str], int]]:
        """What these cells were computed on and with, and how many on each; the busiest first."""
        if not self._has("made_on"):  # an early ledger that is only read
            return []
        found = Counter(about for _, about in self._rows("SELECT key, machine FROM made_on", keys))
        return [(json.loads(about), count) for about, count in found.most_common()]

    def forget_errors(self, keys: Iterable[str]) -> None:
        """So that what failed is tried again."""
        with self._writing() as base:
            for key in keys:
                base.execute("DELETE FROM cells WHERE error IS NOT NULL AND key = ?", (key,))
                deaths.forget(base, key)

    def _rows(self, question: str, keys: Iterable[str]) -> Iterator[Any]:
        listed = list(keys)
        with self._errors():
            for start in range(0, len(listed), _MANY):
                some = listed[start : start + _MANY]
                yield from self._base.execute(f"{question} WHERE key IN ({','.join('?' * len(some))})", some).fetchall()

    # claims

    def claim(self, keys: Iterable[str]) -> set[str]:
        """Those of the cells that are neither recorded nor claimed by a living process, now claimed by this one."""
        listed = list(keys)
        self._live()
        with self._writing() as base:
            deaths.bury(base, self.owner)
            base.executemany(
                "INSERT OR IGNORE INTO claims SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM cells WHERE key = ?1)",
                ((key, self.owner) for key in listed),
            )
            return {key for key, owner in self._rows("SELECT key, owner FROM claims", listed) if owner == self.owner}

    def release(self, keys: Iterable[str]) -> None:
        """End claims without a result."""
        with self._writing() as base:
            deaths.unmark(base, self.owner)
            base.executemany("DELETE FROM claims WHERE key = ? AND owner = ?", ((key, self.owner) for key in keys))

    # what is being computed

    def mark(self, step: str, cells: Iterable[Cell]) -> None:
        """Say that this process is at this step of these cells; `record` and `release` end it.

        Cells that are marked when their process dies are counted: see `phusion.experiments.deaths`.
        """
        self._live()
        last_act(self._unmark_at_last)
        with self._writing() as base:
            deaths.mark(base, self.owner, step, ((cell.key, cell.about) for cell in cells))

    def died(self, keys: Iterable[str]) -> set[str]:
        """Those of the cells that were being computed when a process died."""
        return {key for (key,) in self._rows("SELECT DISTINCT key FROM deaths", keys)}

    def under_way(self) -> dict[str, list[str]]:
        """The keys of what each process is at, by its owner's name."""
        found: dict[str, list[str]] = {}
        with self._errors():
            for owner, key in self._base.execute("SELECT owner, key FROM running ORDER BY owner, rowid").fetchall():
                found.setdefault(owner, []).append(key)
        return found

    def bury(self) -> int:
        """End the claims of processes that are gone; how many cells died with them."""
        with self._writing() as base:
            return deaths.bury(base, self.owner)

    def spare(self, pid: int) -> None:
        """Count no deaths of the process with this number, here, which is about to be killed."""
        with self._writing() as base:
            deaths.spare(base, self._life.host, pid)

    def _unmark_at_last(self) -> None:
        """The process is told to end, and computes to the last moment: its cells are not to blame."""
        with suppress(sqlite3.Error), closing(sqlite3.connect(self.path, timeout=1.0, isolation_level=None)) as base:
            deaths.unmark(base, self.owner)

    # signs of life

    def _live(self) -> None:
        """Give signs of life from now on."""
        if self._beating is None:
            with self._errors():
                self._beat(self._base)
            self._beating = threading.Thread(target=self._keep_beating, name="phusion-ledger", daemon=True)
            self._beating.start()

    def _keep_beating(self) -> None:
        base = self._connected()
        while not self._stop.wait(_BEAT):
            with suppress(sqlite3.Error):  # busy for a minute, or a full disk: the next sign will do
                self._beat(base)
        base.close()

    def _beat(self, base: sqlite3.Connection) -> None:
        life = self._life
        base.execute(
            "INSERT OR REPLACE INTO owners VALUES (?, ?, ?, ?)", (life.owner, life.host, life.pid, time.time())
        )
