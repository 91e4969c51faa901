"""Kill commands at random moments and look at what they leave: `python tools/kill.py --runs 100`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "kill"))

from killing import Killer
from scenarios import SCENARIOS


def main() -> int:
    """Print a line for each run, and in the end how many left nothing to complain of."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=2_000, help="of the graph that is embedded")
    parser.add_argument("--only", choices=SCENARIOS, action="append", help="these commands alone")
    given = parser.parse_args()
    names, begun, counts, bad = list(given.only or SCENARIOS), time.monotonic(), Counter[str](), 0
    with tempfile.TemporaryDirectory(prefix="phusion-kill-") as folder:
        killer = Killer(Path(folder), given.seed, given.nodes)
        for number in range(given.runs):
            killed = killer.run(names[number % len(names)], number)
            line = f"{killed.name:8} {killed.signal:8} {killed.moment:46} exit {killed.code:4} {killed.outcome}"
            print(f"{number + 1:4} {line}", flush=True)
            for problem in killed.problems:
                print(f"     PROBLEM {problem}", flush=True)
            counts[killed.signal] += 1
            bad += bool(killed.problems)
    minutes, signals = (time.monotonic() - begun) / 60, ", ".join(f"{count} {name}" for name, count in counts.items())
    print(f"{given.runs - bad} of {given.runs} runs left nothing that must not be ({signals}; {minutes:.0f} minutes)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
