"""`Ledger`: results of cells in a sqlite file that processes share and that survives their death."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from phusion.errors import OutputError
from phusion.experiments.machine import machine

__all__ = ["Cell", "Ledger", "Recorded"]

_BEAT = 2.0  # seconds between signs of life
_GONE = 60.0  # seconds without one after which a process of another machine counts as dead
_PATIENCE = 60.0  # seconds to wait for another process's writing
_TABLES = """
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY, about TEXT NOT NULL, result TEXT, error TEXT, seconds REAL NOT NULL,
    version TEXT NOT NULL, finished REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS made_on (key TEXT PRIMARY KEY, machine TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owners (
    owner TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, beat REAL NOT NULL
);
"""


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

    @property
    def about(self) -> str:
        """All of it but the profile, which only names the choice of spec and protocol."""
        plain = {key: value for key, value in vars(self).items() if key != "profile"}
        return json.dumps(plain, sort_keys=True, ensure_ascii=False)

    @property
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


class Ledger:
    """Results by cell. Cells are claimed before they are computed, so that no two processes compute the same.

    A claim ends with its process: one that was killed leaves claims that others take over.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{time.time_ns()}"
        try:
            self._base = self._connected()
            with self._writing() as base:
                for statement in _TABLES.strip().split(";\n"):
                    base.execute(statement)
        except sqlite3.Error as error:
            raise OutputError(f"{self.path}: cannot be used as a ledger: {error}") from error
        self._stop = threading.Event()
        self._life: threading.Thread | None = None

    def _connected(self) -> sqlite3.Connection:
        base = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("PRAGMA synchronous=NORMAL")
        return base

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield self._base
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up all claims."""
        self._stop.set()
        if self._life is not None:
            self._life.join()
        with self._writing() as base:
            base.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
            base.execute("DELETE FROM owners WHERE owner = ?", (self.owner,))
        self._base.close()

    # results

    def done(self, keys: Iterable[str]) -> dict[str, Recorded]:
        """What is recorded of these cells."""
        found: dict[str, Recorded] = {}
        for key in keys:
            row = self._base.execute(
                "SELECT result, error, seconds, version, finished FROM cells WHERE key = ?", (key,)
            ).fetchone()
            if row is not None:
                result = None if row[0] is None else json.loads(row[0])
                found[key] = Recorded(result, *row[1:])
        return found

    def record(self, cell: Cell, result: Any, error: str | None, seconds: float) -> None:
        """Keep what became of a cell, and end its claim."""
        from phusion import __version__

        text = None if result is None else json.dumps(result)
        values = (cell.key, cell.about, text, error, seconds, __version__, time.time())
        with self._writing() as base:
            base.execute("INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            base.execute("INSERT OR REPLACE INTO made_on VALUES (?, ?)", (cell.key, json.dumps(machine())))
            base.execute("DELETE FROM claims WHERE key = ?", (cell.key,))

    def machines(self, keys: Iterable[str]) -> list[tuple[dict[str, str], int]]:
        """What these cells were computed on and with, and how many on each; the busiest first."""
        found: Counter[str] = Counter()
        for key in keys:
            row = self._base.execute("SELECT machine FROM made_on WHERE key = ?", (key,)).fetchone()
            if row is not None:
                found[row[0]] += 1
        return [(json.loads(about), count) for about, count in found.most_common()]

    def forget_errors(self, keys: Iterable[str]) -> None:
        """So that what failed is tried again."""
        with self._writing() as base:
            base.executemany("DELETE FROM cells WHERE error IS NOT NULL AND key = ?", ((key,) for key in keys))

    # claims

    def claim(self, keys: Iterable[str]) -> set[str]:
        """Those of the cells that are neither recorded nor claimed by a living process, now claimed by this one."""
        self._live()
        claimed = set()
        with self._writing() as base:
            self._bury(base)
            for key in keys:
                if base.execute("SELECT 1 FROM cells WHERE key = ?", (key,)).fetchone() is None:
                    base.execute("INSERT OR IGNORE INTO claims VALUES (?, ?)", (key, self.owner))
                    owner = base.execute("SELECT owner FROM claims WHERE key = ?", (key,)).fetchone()[0]
                    if owner == self.owner:
                        claimed.add(key)
        return claimed

    def release(self, keys: Iterable[str]) -> None:
        """End claims without a result."""
        with self._writing() as base:
            base.executemany("DELETE FROM claims WHERE key = ? AND owner = ?", ((key, self.owner) for key in keys))

    def _bury(self, base: sqlite3.Connection) -> None:
        """End the claims of processes that are gone."""
        for owner, host, pid, beat in base.execute("SELECT owner, host, pid, beat FROM owners").fetchall():
            if owner != self.owner and _is_gone(host, pid, beat):
                base.execute("DELETE FROM claims WHERE owner = ?", (owner,))
                base.execute("DELETE FROM owners WHERE owner = ?", (owner,))

    def _live(self) -> None:
        """Give signs of life from now on."""
        if self._life is not None:
            return
        self._beat(self._base)
        self._life = threading.Thread(target=self._keep_beating, name="phusion-ledger", daemon=True)
        self._life.start()

    def _keep_beating(self) -> None:
        base = self._connected()
        while not self._stop.wait(_BEAT):
            try:
                self._beat(base)
            except sqlite3.Error:  # busy for a minute: the next sign will do
                continue
        base.close()

    def _beat(self, base: sqlite3.Connection) -> None:
        values = (self.owner, socket.gethostname(), os.getpid(), time.time())
        base.execute("INSERT OR REPLACE INTO owners VALUES (?, ?, ?, ?)", values)


def _is_gone(host: str, pid: int, beat: float) -> bool:
    if host == socket.gethostname() and pid != os.getpid():
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass
    return time.time() - beat > _GONE
