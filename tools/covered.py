"""Say how much of src the tests reach, from coverage's JSON report; fails below what the project promises."""

from __future__ import annotations

import json
import sys
from pathlib import Path

LINES, BRANCHES = 92.0, 85.0
WORST = 15


def main(path: Path) -> int:
    report = json.loads(path.read_text(encoding="utf-8"))
    by_missing = sorted(report["files"].items(), key=lambda item: -item[1]["summary"]["missing_lines"])
    print("files with most lines that no test reaches:")
    for name, file in by_missing[:WORST]:
        summary = file["summary"]
        print(f"  {summary['missing_lines']:4d} of {summary['num_statements']:4d}  {name}")
    total = report["totals"]
    lines = 100 * total["covered_lines"] / total["num_statements"]
    branches = 100 * total["covered_branches"] / total["num_branches"]
    print(f"lines {lines:.1f} % (at least {LINES:.0f}), branches {branches:.1f} % (at least {BRANCHES:.0f})")
    return int(lines < LINES or branches < BRANCHES)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
