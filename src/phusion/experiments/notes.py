"""`Notes`: what processes tell the one that started them, kept in files that outlive them."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Self

__all__ = ["Notes"]


class Notes:
    """A folder with one file for each process, in which every line is a note; it ends with the block.

    A note is a kind, a key and words, such as ``"warned"``, the message, and where it came up.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="phusion-notes-"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

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
