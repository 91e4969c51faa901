"""`Ledger`: results of cells in a sqlite file that processes share and that survives their death."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from phusion.errors import OutputError
from phusion.experiments.machine import machine
from phusion.life import Life

__all__ = ["Cell", "Ledger", "Recorded"]

_BEAT = 2.0  # seconds between signs of life
_PATIENCE = 60.0  # seconds to wait for another process's writing
_MANY = 500  # keys in one question; sqlite allows 999 at least
_MARK = 0x70687573  # "phus": what a ledger says it is, in the head of its file
_TABLES = """
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY, about TEXT NOT NULL, result TEXT, error TEXT, seconds REAL NOT NULL,
    version TEXT NOT NULL, finished REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS made_on (key TEXT PRIMARY KEY, machine TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, beat REAL NOT NULL)
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


class Ledger:
    """Results by cell. Cells are claimed before they are computed, so that no two processes compute the same.

    A claim ends with its process: one that was killed leaves claims that others take over.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._life = Life.own()
        self._stop = threading.Event()
        self._beating: threading.Thread | None = None
        with self._errors():
            if not self.path.parent.is_dir():
                raise sqlite3.OperationalError(f"the folder {self.path.parent} does not exist")
            self._base = self._connected()
            try:
                self._prepare()
            except BaseException:
                self._base.close()
                raise

    @property
    def owner(self) -> str:
        """The name under which this process claims."""
        return self._life.owner

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)

    def _prepare(self) -> None:
        """Make the tables, unless the file is something else."""
        with self._transaction() as base:  # of several processes that begin with no file, one makes it
            names = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            mark = base.execute("PRAGMA application_id").fetchone()[0]
            if names and mark != _MARK and not {"cells", "claims", "owners"} <= names:
                raise sqlite3.DatabaseError("it holds something else; give the ledger another name")
            base.execute(f"PRAGMA application_id = {_MARK}")
            for statement in _TABLES.split(";"):
                base.execute(statement)
        self._log_ahead()

    def _log_ahead(self) -> None:
        """Writing beside the file, so that readers and writers do not wait for each other."""
        for _ in range(round(_PATIENCE / 0.05)):
            try:
                self._base.execute("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError as error:  # this change waits for nobody, so it may find others busy
                if "locked" not in str(error):
                    raise
                time.sleep(0.05)
        self._base.execute("PRAGMA synchronous=NORMAL")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """What sqlite says, as an error of ours: a full disk, a folder that cannot be written, a damaged file."""
        try:
            yield
        except sqlite3.Error as error:
            raise OutputError(f"{self.path}: cannot be used as a ledger: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield self._base
        except BaseException:
            if self._base.in_transaction:  # a full disk has ended it already
                self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._errors(), self._transaction() as base:
            yield base

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up all claims."""
        self._stop.set()
        if self._beating is not None:
            self._beating.join()
        try:
            with suppress(OutputError):  # on a full disk others see by themselves that this process is gone
                if self._beating is not None:
                    with self._writing() as base:
                        base.execute("DELETE FROM claims WHERE owner = ?", (self.owner,))
                        base.execute("DELETE FROM owners WHERE owner = ?", (self.owner,))
        finally:
            self._base.close()

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
        with self._writing() as base:
            for cell, result, error, seconds in those:
                text = None if result is None else json.dumps(result)
                values = (cell.key, cell.about, text, error, seconds, __version__, now)
                base.execute("DELETE FROM cells WHERE key = ? AND error IS NOT NULL", (cell.key,))
                if base.execute("INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?)", values).rowcount:
                    base.execute("INSERT OR REPLACE INTO made_on VALUES (?, ?)", (cell.key, where))
                base.execute("DELETE FROM claims WHERE key = ?", (cell.key,))

    def machines(self, keys: Iterable[str]) -> list[tuple[dict[str, str], int]]:
        """What these cells were computed on and with, and how many on each; the busiest first."""
        found = Counter(about for _, about in self._rows("SELECT key, machine FROM made_on", keys))
        return [(json.loads(about), count) for about, count in found.most_common()]

    def forget_errors(self, keys: Iterable[str]) -> None:
        """So that what failed is tried again."""
        with self._writing() as base:
            base.executemany("DELETE FROM cells WHERE error IS NOT NULL AND key = ?", ((key,) for key in keys))

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
            self._bury(base)
            base.executemany(
                "INSERT OR IGNORE INTO claims SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM cells WHERE key = ?1)",
                ((key, self.owner) for key in listed),
            )
            return {key for key, owner in self._rows("SELECT key, owner FROM claims", listed) if owner == self.owner}

    def release(self, keys: Iterable[str]) -> None:
        """End claims without a result."""
        with self._writing() as base:
            base.executemany("DELETE FROM claims WHERE key = ? AND owner = ?", ((key, self.owner) for key in keys))

    def _bury(self, base: sqlite3.Connection) -> None:
        """End the claims of processes that are gone."""
        for owner, host, pid, beat in base.execute("SELECT owner, host, pid, beat FROM owners").fetchall():
            if owner != self.owner and Life(owner, host, pid).is_over(beat):
                base.execute("DELETE FROM owners WHERE owner = ?", (owner,))
        base.execute("DELETE FROM claims WHERE owner NOT IN (SELECT owner FROM owners)")

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
