"""Killing commands at random moments, and looking at what they leave."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from scenarios import GIVEN, LEDGER, SCENARIOS, Scenario, copied, furnish, ledger

SIGNALS = {"SIGINT": 130, "SIGTERM": 143, "SIGKILL": -9}
_PATIENCE = 60.0  # seconds after which a process that was told to end hangs
_SHORT = 15.0  # seconds in which workers of a killed process notice
_IN_SEVERAL = ("pair", "report", "sweep")  # files, which cannot be replaced at one moment


@dataclass
class Killed:
    """One run: what was done, when, and what was wrong afterwards."""

    name: str
    signal: str
    moment: str
    code: int = 0
    outcome: str = ""
    problems: list[str] = field(default_factory=list)


@dataclass
class Reference:
    """What a command makes when nobody kills it, and how long it takes."""

    content: Any
    ledger: Any
    seconds: float
    folder: Path
    older: Any = None


class Killer:
    """Kills commands in folders of its own below `root`.

    References are made when they are first needed. Signals take turns, and so do new files and files that are replaced.
    """

    def __init__(self, root: Path, seed: int, nodes: int) -> None:
        self.root, self.random = root, random.Random(seed)
        self.references: dict[str, Reference] = {}
        self.turns: Counter[str] = Counter()
        furnish(root / "given", nodes)

    def run(self, name: str, number: int) -> Killed:
        """One command, one signal, one moment; what may go on or clean up then runs once more, to its end."""
        scenario, known = SCENARIOS[name], self._reference(name)
        turn = list(SCENARIOS).index(name) + self.turns[name]
        self.turns[name] += 1
        chosen = list(SIGNALS)[turn % len(SIGNALS)]
        replaces = bool(scenario.older) and turn % 2 == 0
        folder = self._folder(f"run-{number}")
        if replaces:
            for each in (scenario.out, *scenario.beside):
                copied(known.folder.with_name(f"{name}-older") / each, folder / each)
        writing = self.random.random() < 0.5
        long = 0.1 if known.ledger is None else 0.2 * known.seconds  # a ledger is written to from first to last
        delay = self.random.uniform(0, long) if writing else self.random.uniform(0.1, 1.1) * known.seconds
        moment = f"{delay:.3f} s after {'it writes' if writing else 'its start'}{', replacing' if replaces else ''}"
        killed = Killed(name, chosen, moment)
        process = _started(scenario, folder, force=replaces)
        _wait(process, folder, delay, writing, known.seconds)
        everyone = self.random.random() < 0.5 and chosen != "SIGKILL"
        _send(process, getattr(signal, chosen), everyone)
        self._look(killed, process, scenario, folder, known, replaces)
        if not killed.problems and (chosen == "SIGKILL" or known.ledger is not None):
            self._again(killed, scenario, folder, known)
        if not killed.problems:
            shutil.rmtree(folder)
            shutil.rmtree(temporary(folder))
        return killed

    def _reference(self, name: str) -> Reference:
        if name not in self.references:
            scenario, folder = SCENARIOS[name], self._folder(name)
            started = time.monotonic()
            done = _started(scenario, folder)
            _, err = done.communicate()
            seconds = time.monotonic() - started
            if done.returncode:
                raise RuntimeError(f"{name} fails by itself: {err}")
            kept = ledger(folder / LEDGER) if (folder / LEDGER).exists() else None
            known = Reference(scenario.content(folder / scenario.out), kept, seconds, folder)
            if scenario.older:
                elsewhere = self._folder(f"{name}-older")
                older = Scenario(scenario.older, scenario.out, scenario.content)
                _, err = (done := _started(older, elsewhere)).communicate()
                if done.returncode:
                    raise RuntimeError(f"{scenario.older} fails by itself: {err}")
                known.older = scenario.content(elsewhere / scenario.out)
            self.references[name] = known
        return self.references[name]

    def _folder(self, name: str) -> Path:
        folder = self.root / name
        shutil.copytree(self.root / "given", folder)
        return folder

    def _look(
        self, killed: Killed, process: Any, scenario: Scenario, folder: Path, known: Reference, replaces: bool
    ) -> None:
        try:
            _, err = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            killed.problems.append("it hangs")
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return
        killed.code = process.returncode
        expected = (
            0,
            SIGNALS[killed.signal],
            -getattr(signal, killed.signal),
        )  # finished; ended; before its first step
        began = "in main" in err
        if killed.code not in expected and (killed.code != 1 or began):
            killed.problems.append(f"exit code {killed.code}: {err[-2000:]}")
        if "Traceback" in err and began:
            killed.problems.append(f"a traceback: {err[-2000:]}")
        left = _orphans(process.pid)
        if left:
            killed.problems.append(f"orphans: {left}")
        self._look_at_files(killed, scenario, folder, known, replaces)

    def _look_at_files(
        self, killed: Killed, scenario: Scenario, folder: Path, known: Reference, replaces: bool
    ) -> None:
        out = folder / scenario.out
        excused = killed.name in _IN_SEVERAL and killed.signal == "SIGKILL"
        if not out.exists():
            killed.outcome = "absent"
            if replaces and not excused:
                killed.problems.append("what was there before is gone")
            if not excused and (left := [each for each in scenario.beside if (folder / each).exists()]):
                killed.problems.append(f"without {scenario.out} there is {left}")
        elif scenario.content is ledger:
            killed.outcome = "whole" if ledger(out) == known.content else "begun"
        elif excused and replaces and out.is_dir() and not (out / "winner.toml").exists():
            killed.outcome = "some files"
        else:
            try:
                found = scenario.content(out)
            except Exception as error:
                killed.problems.append(f"it does not load: {error!r}")
            else:
                killed.outcome = "whole" if found == known.content else "as before" if found == known.older else "other"
                if killed.outcome == "other" or (killed.outcome == "as before" and not replaces):
                    killed.problems.append("it loads, but is another one")
        if known.ledger is not None and (folder / LEDGER).exists():
            cells = ledger(folder / LEDGER)
            killed.outcome = f"{killed.outcome}, {len(cells)} of {len(known.ledger)} cells in its ledger"
            if any(known.ledger.get(about) != result for about, result in cells.items()):
                killed.problems.append("the ledger holds other results")
        odd = strangers(folder, scenario)
        if odd and killed.signal != "SIGKILL":
            killed.problems.append(f"left behind: {odd}")
        if odd and killed.signal == "SIGKILL":
            killed.outcome += ", unfinished files beside it"

    def _again(self, killed: Killed, scenario: Scenario, folder: Path, known: Reference) -> None:
        there = [each for each in (scenario.out, *scenario.beside) if (folder / each).exists()]
        force = scenario.content is not ledger and bool(there)
        process = _started(scenario, folder, force=force)
        _, err = process.communicate()
        if process.returncode:
            killed.problems.append(f"the next run fails: {err[-2000:]}")
        elif scenario.content(folder / scenario.out) != known.content:
            killed.problems.append("the next run gives another result")
        elif known.ledger is not None and ledger(folder / LEDGER) != known.ledger:
            killed.problems.append("the next run leaves another ledger")
        elif strangers(folder, scenario):
            killed.problems.append(f"the next run leaves {strangers(folder, scenario)}")


def strangers(folder: Path, scenario: Scenario) -> list[str]:
    """Names that have no business there."""
    allowed = {*GIVEN, scenario.out, *scenario.beside, *scenario.kept}
    top = [entry.name for entry in folder.iterdir() if entry.name not in allowed]
    inner = [entry.name for entry in folder.rglob("*") if entry.suffix in (".part", ".old") or ".partial" in entry.name]
    return sorted({*top, *inner, *(entry.name for entry in temporary(folder).glob("phusion-*"))})


def temporary(folder: Path) -> Path:
    """Where a run in this folder has its temporary files."""
    found = folder.with_name(f"{folder.name}-temporary")
    found.mkdir(exist_ok=True)
    return found


def _started(scenario: Scenario, folder: Path, *, force: bool = False) -> Any:
    words = [sys.executable, "-m", "phusion", *shlex.split(scenario.words), *(["--force"] if force else [])]
    return subprocess.Popen(
        words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "TMPDIR": str(temporary(folder))},
        # where this was started in the background, Ctrl-C may be ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    )  # fmt: skip


def _wait(process: Any, folder: Path, delay: float, writing: bool, seconds: float) -> None:
    """Until the moment, or the end if that comes before."""
    limit = time.monotonic() + 3 * seconds
    while writing and process.poll() is None and time.monotonic() < limit:
        if any(entry.suffix == ".part" for entry in folder.iterdir()) or _recorded(folder):
            break
        time.sleep(0.002)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        return


def _recorded(folder: Path) -> int:
    """Cells in the ledger, if there is one; it may just be made."""
    try:
        return len(ledger(folder / LEDGER)) if (folder / LEDGER).exists() else 0
    except sqlite3.Error:
        return 0


def _send(process: Any, number: int, everyone: bool) -> None:
    """To the process, or to all of its group as a terminal and service managers do."""
    if process.poll() is None:
        (os.killpg if everyone else os.kill)(process.pid, number)


def _orphans(session: int) -> list[str]:
    """Processes of this session that still run after a while."""
    limit = time.monotonic() + _SHORT
    while True:
        found = [one for one in psutil.process_iter() if _session(one.pid) == session]
        if not found or time.monotonic() > limit:
            return [_words(one) for one in found]
        time.sleep(0.1)


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _words(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {process.status()} {' '.join(process.cmdline())}"
    except psutil.NoSuchProcess:
        return f"{process.pid} gone"
