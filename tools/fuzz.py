"""Damage files of every kind for some minutes, guided by coverage, and keep what breaks a reader.

    python tools/fuzz.py                      every reader, one after the other, a minute each
    python tools/fuzz.py gml metis --minutes 10
    python tools/fuzz.py --list

The readers are the table in tests/fuzz/readers.py. atheris steers by coverage; where it is not installed (`pip install
atheris`) the same damages as in the tests are drawn at random. What breaks a reader is written to fuzz-findings/READER/
with its traceback: mend the reader, and move the small file to tests/fuzz/seeds/READER/, where it is replayed for ever.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FINDINGS = ROOT / "fuzz-findings"
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

LONGEST = 20_000  # bytes of an input
SECONDS = 20  # that one input may take
MEGABYTES = 2_500  # that the process may hold


def main() -> int:
    """Fuzz the readers asked for, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("readers", nargs="*", help="names of readers; all if none is given")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each reader")
    parser.add_argument("--random", action="store_true", help="without atheris")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="readers at a time")
    parser.add_argument("--list", action="store_true", help="list the readers")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        return fuzz(asked.readers[0], asked.minutes * 60, asked.seed, coverage=not asked.random)
    from tests.fuzz.readers import READERS

    if asked.list:
        sys.stdout.write("\n".join(READERS) + "\n")
        return 0
    unknown = set(asked.readers) - set(READERS)
    if unknown:
        parser.error(f"no reader is called {', '.join(sorted(unknown))}; see --list")
    failed = []

    def one(name: str) -> tuple[str, float, subprocess.CompletedProcess[str]]:
        words = [sys.executable, __file__, name, "--here", "--minutes", str(asked.minutes), "--seed", str(asked.seed)]
        began = time.monotonic()
        done = subprocess.run(words + ["--random"] * asked.random, check=False, capture_output=True, text=True)
        return name, time.monotonic() - began, done

    with ThreadPoolExecutor(asked.jobs) as pool:
        for name, seconds, done in pool.map(one, asked.readers or READERS):
            last = (done.stdout.strip() or done.stderr.strip()).splitlines()[-1:] or [""]
            shown = [line for line in done.stderr.splitlines() if not line.startswith(("#", "INFO", "WARNING"))]
            sys.stdout.write(f"{name:20} {seconds:6.0f} s  {last[0] or done.returncode}\n")
            if done.returncode:
                failed.append(name)
                sys.stdout.write("\n".join(shown[-40:]) + "\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(failed)} readers broke: {', '.join(failed)}\n" if failed else "nothing broke\n")
    return bool(failed)


class Watch:
    """Reads inputs, and keeps those that break the reader, one for each place in the code."""

    def __init__(self, name: str, how: str) -> None:
        from tests.fuzz.readers import READERS, outcome

        self.how = how
        self.name, self.reader, self.outcome = name, READERS[name], outcome
        self.seen: set[str] = set()
        self.runs = self.read = 0
        self.slowest = 0.0

    def __call__(self, data: bytes) -> None:
        """Read one input."""
        self.runs += 1
        began = time.perf_counter()
        try:
            self.read += not isinstance(self.outcome(self.reader, data), (Exception, type(None)))
        except Exception as error:
            self.keep(error, data)
        self.slowest = max(self.slowest, time.perf_counter() - began)

    def keep(self, error: Exception, data: bytes) -> None:
        """Write the input and the traceback, unless the same place has broken before."""
        place = f"{type(error).__name__} {_place(error.__traceback__)}"
        if place in self.seen:
            return
        self.seen.add(place)
        folder = FINDINGS / self.name
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(place.encode()).hexdigest()[:12]
        (folder / name).write_bytes(data)
        (folder / f"{name}.txt").write_text("".join(traceback.format_exception(error)), encoding="utf-8")
        sys.stderr.write(f"{self.name}: {place}: {str(error)[:200]}\n  {folder / name}\n")

    def words(self) -> str:
        """What there is to say in the end."""
        return (
            f"{self.runs:,} inputs {self.how}, {self.read:,} read, the others refused; slowest {self.slowest:.2f} s; "
            f"{len(self.seen)} places broke"
        )


def _place(trace: TracebackType | None) -> str:
    """The last line of our own code."""
    ours = [frame for frame in traceback.extract_tb(trace) if "/phusion/" in frame.filename or "fuzz" in frame.filename]
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"


def fuzz(name: str, seconds: float, seed: int, *, coverage: bool) -> int:
    """One reader, in this process."""
    atheris = _atheris() if coverage else None
    if atheris is None:
        watch = Watch(name, "drawn at random")
        chance, end = Random(seed), time.monotonic() + seconds
        from tests.fuzz.mutations import damaged

        seeds = watch.reader.seeds()
        while time.monotonic() < end:
            watch(damaged(seeds, chance))
        return _closed(watch)
    with atheris.instrument_imports(include=["phusion"], enable_loader_override=False):
        watch = Watch(name, "guided by coverage")
    from tests.fuzz.mutations import damaged

    def mutate(data: bytes, longest: int, number: int) -> bytes:
        """Now one of our damages, now one of libFuzzer's."""
        chance = Random(number)
        if chance.random() < 0.5:
            return damaged([data or b"\n", *seeds[:3]], chance)[:longest]
        return bytes(atheris.Mutate(data, longest))[:longest]

    with tempfile.TemporaryDirectory() as folder:
        seeds = watch.reader.seeds()
        for number, content in enumerate([*seeds, *_kept(name)]):
            (Path(folder) / str(number)).write_bytes(content)
        (FINDINGS / name).mkdir(parents=True, exist_ok=True)
        limits = [f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}", f"-seed={seed + 1}"]
        place = f"-artifact_prefix={FINDINGS / name}/"
        end = time.monotonic() + seconds

        def once(data: bytes) -> None:
            watch(data)
            if time.monotonic() > end:
                code = _closed(watch)
                shutil.rmtree(folder)
                sys.stdout.flush()
                os._exit(code)  # libFuzzer ends the process itself, and would take our words with it

        atheris.Setup(["fuzz", *limits, place, folder], once, custom_mutator=mutate)
        atheris.Fuzz()
    return 1


def _closed(watch: Watch) -> int:
    folder = FINDINGS / watch.name
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    sys.stdout.write(watch.words() + "\n")
    return bool(watch.seen)


def _kept(name: str) -> list[bytes]:
    folder = ROOT / "tests" / "fuzz" / "seeds" / name
    return [path.read_bytes() for path in sorted(folder.glob("*"))] if folder.is_dir() else []


def _atheris() -> Any:
    try:
        import atheris
    except ImportError:
        sys.stderr.write("atheris is not installed: damages are drawn at random, without coverage\n")
        return None
    return atheris


if __name__ == "__main__":
    sys.exit(main())
