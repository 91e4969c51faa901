"""What was being computed when its process died, so that a cell that kills its process is not tried for ever."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable

from phusion.life import Life

__all__ = ["TABLES", "bury", "forget", "mark", "spare", "unmark"]

_ENOUGH = 2  # deaths in the same step, after which a cell counts as failed: one may have been somebody's kill -9
TABLES = """
CREATE TABLE IF NOT EXISTS running (
    key TEXT PRIMARY KEY, owner TEXT NOT NULL, step TEXT NOT NULL, about TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS deaths (
    key TEXT NOT NULL, step TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (key, step)
)
"""


def mark(base: sqlite3.Connection, owner: str, step: str, cells: Iterable[tuple[str, str]]) -> None:
    """The process is at this step of these cells, given by key and what they are, and at no others."""
    base.execute("DELETE FROM running WHERE owner = ?", (owner,))
    rows = ((key, owner, step, about) for key, about in cells)
    base.executemany("INSERT OR REPLACE INTO running VALUES (?, ?, ?, ?)", rows)


def unmark(base: sqlite3.Connection, owner: str) -> None:
    """The process computes nothing; if it dies now, no cell is to blame."""
    base.execute("DELETE FROM running WHERE owner = ?", (owner,))


def spare(base: sqlite3.Connection, host: str, pid: int) -> None:
    """The same of a process that is about to be killed by another one."""
    found = "SELECT owner FROM owners WHERE host = ? AND pid = ?"
    base.execute(f"DELETE FROM running WHERE owner IN ({found})", (host, pid))


def forget(base: sqlite3.Connection, key: str) -> None:
    """The cell is recorded, or is to be tried as if for the first time."""
    base.execute("DELETE FROM deaths WHERE key = ?", (key,))


def bury(base: sqlite3.Connection, own: str) -> int:
    """End the claims of processes that are gone; how many cells died with them.

    A cell whose processes died twice at the same step is recorded as failed. A machine that was switched off says
    nothing about its cells.
    """
    for owner, host, pid, beat in base.execute("SELECT owner, host, pid, beat FROM owners").fetchall():
        life = Life(owner, host, pid)
        if owner != own and life.is_over(beat):
            if life.ended_with_its_machine:
                unmark(base, owner)
            base.execute("DELETE FROM owners WHERE owner = ?", (owner,))
    base.execute("DELETE FROM claims WHERE owner NOT IN (SELECT owner FROM owners)")
    gone = "owner NOT IN (SELECT owner FROM owners)"
    died = base.execute(f"SELECT key, step, about FROM running WHERE {gone}").fetchall()
    base.execute(f"DELETE FROM running WHERE {gone}")
    for key, step, about in died:
        _count(base, key, step, about)
    return len(died)


def _count(base: sqlite3.Connection, key: str, step: str, about: str) -> None:
    from phusion import __version__

    base.execute("INSERT OR IGNORE INTO deaths VALUES (?, ?, 0)", (key, step))
    base.execute("UPDATE deaths SET count = count + 1 WHERE key = ? AND step = ?", (key, step))
    (count,) = base.execute("SELECT count FROM deaths WHERE key = ? AND step = ?", (key, step)).fetchone()
    if count >= _ENOUGH:
        error = (
            f"its process was killed twice while computing it ({step}), perhaps because memory ran out; --retry tries "
            "again, with --jobs 1 it has all memory for itself"
        )
        values = (key, about, None, error, 0.0, __version__, time.time())
        base.execute("INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?)", values)
