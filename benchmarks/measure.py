"""Run one piece of Python in a process of its own; wall, CPU and peak memory beyond its imports."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

_HARNESS = """
import json, resource, sys, time
{setup}
def peak():  # VmHWM can be reset, ru_maxrss cannot
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
open("/proc/self/clear_refs", "w").write("5")
base = peak()
wall, cpu = time.perf_counter(), time.process_time()
{body}
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
print(json.dumps({{"wall": wall, "cpu": cpu, "peak": peak() - base, "total": peak(), "result": {result}}}))
"""


@dataclass(frozen=True)
class Measured:
    wall: float
    cpu: float
    peak: int  # beyond what setup needed
    total: int  # of the whole process
    result: object


def measure(setup: str, body: str, result: str = "None", python: str = sys.executable) -> Measured:
    """Measure `body` after `setup`, in a fresh process; `result` is an expression to bring back."""
    program = _HARNESS.format(setup=setup, body=body, result=result)
    done = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"a benchmark failed:\n{done.stderr}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))
