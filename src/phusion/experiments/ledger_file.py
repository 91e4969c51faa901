"""`LedgerFile`: the sqlite file of a ledger, opened for writing or, where that is all one may do, for reading."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import quote

from phusion.errors import OutputError
from phusion.experiments import deaths

__all__ = ["LedgerFile"]

_PATIENCE = 60.0  # seconds to wait for another process's writing
_MARK = 0x70687573  # "phus": what a ledger says it is, in the head of its file
_TABLES = f"""
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY, about TEXT NOT NULL, result TEXT, error TEXT, seconds REAL NOT NULL,
    version TEXT NOT NULL, finished REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS made_on (key TEXT PRIMARY KEY, machine TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owners (
    owner TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, beat REAL NOT NULL
);
{deaths.TABLES}
"""


class LedgerFile:
    """The file, its tables and its transactions.

    Parameters
    ----------
    path : where it is, or is to be.
    reading : whether it is only read, so that one that cannot be written will do.
    """

    def __init__(self, path: str | Path, *, reading: bool = False) -> None:
        self.path = Path(path)
        with self._errors():
            if not self.path.parent.is_dir():
                raise sqlite3.OperationalError(f"the folder {self.path.parent} does not exist")
            if not (reading or self.path.exists() or os.access(self.path.parent, os.W_OK)):
                raise sqlite3.OperationalError(
                    f"the folder {self.path.parent.absolute()} cannot be written; name a file elsewhere (--ledger FILE)"
                )
            try:
                self._base = self._opened()
            except sqlite3.OperationalError:
                if not reading or not self.path.is_file():
                    raise
                self._base = self._opened_for_reading()

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)

    def _opened(self) -> sqlite3.Connection:
        base = self._connected()
        try:
            self._prepare(base)
        except BaseException:
            base.close()
            raise
        return base

    def _opened_for_reading(self) -> sqlite3.Connection:
        """Without the files that sqlite makes beside it, unless they are there."""
        beside = self.path.with_name(self.path.name + "-wal")
        whole = not beside.exists() or not beside.stat().st_size
        uri = f"file:{quote(str(self.path.absolute()))}?mode=ro{'&immutable=1' if whole else ''}"
        base = sqlite3.connect(uri, uri=True, timeout=_PATIENCE, isolation_level=None)
        try:
            _check_kind(base)
        except sqlite3.OperationalError as error:
            base.close()
            if whole:
                raise
            raise sqlite3.OperationalError(
                f"its last results are in {beside.name}, which can be read only where files can be written; copy both "
                "files to a folder of your own"
            ) from error
        return base

    def _prepare(self, base: sqlite3.Connection) -> None:
        """Make the tables, unless the file is something else."""
        with _transaction(base):  # of several processes that begin with no file, one makes it
            _check_kind(base)
            base.execute(f"PRAGMA application_id = {_MARK}")
            for statement in _TABLES.split(";"):
                base.execute(statement)
        self._log_ahead(base)

    def _log_ahead(self, base: sqlite3.Connection) -> None:
        """Writing beside the file, so that readers and writers do not wait for each other."""
        for _ in range(round(_PATIENCE / 0.05)):
            try:
                base.execute("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError as error:  # this change waits for nobody, so it may find others busy
                if "locked" not in str(error):
                    raise
                time.sleep(0.05)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """What sqlite says, as an error of ours: a full disk, a folder that cannot be written, a damaged file."""
        try:
            yield
        except sqlite3.Error as error:
            raise OutputError(f"{self.path}: cannot be used as a ledger: {error}") from error

    @contextmanager
    def _writing(self, *, lasting: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is kept, or nothing.

        What is `lasting` is on the disk when this ends, whatever happens to the machine. Claims need not be: who
        claimed ends with the machine.
        """
        with self._errors():
            self._base.execute(f"PRAGMA synchronous={'FULL' if lasting else 'NORMAL'}")
            with _transaction(self._base):
                yield self._base

    def _has(self, table: str) -> bool:
        with self._errors():
            return self._base.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the file."""
        self._base.close()


def _check_kind(base: sqlite3.Connection) -> None:
    names = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    mark = base.execute("PRAGMA application_id").fetchone()[0]
    if names and mark != _MARK and not {"cells", "claims", "owners"} <= names:
        raise sqlite3.DatabaseError("it holds something else; give the ledger another name")


@contextmanager
def _transaction(base: sqlite3.Connection) -> Iterator[None]:
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if base.in_transaction:  # a full disk has ended it already
            base.execute("ROLLBACK")
        raise
    base.execute("COMMIT")
