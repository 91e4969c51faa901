"""`Notes`: what processes tell the one that started them, kept in files that outlive them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Notes"]


@dataclass(frozen=True)
class Notes:
    """A folder with one file for each process, in which every line is a note.

    A note is a kind, a key and words, such as ``"warned"``, the message, and where it came up.
    """

    folder: Path

    def write(self, kind: str, key: str, words: str) -> None:
        """One more note of this process."""
        with (self.folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps([kind, key, words]) + "\n")

    def read(self) -> dict[str, dict[str, str]]:
        """All notes so far: kind → key → words; of several with the same key, the first."""
        found: dict[str, dict[str, str]] = {}
        for path in sorted(self.folder.glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
                if line.endswith("\n"):  # else its process is still writing, or died over it
                    kind, key, words = json.loads(line)
                    found.setdefault(kind, {}).setdefault(key, words)
        return found
