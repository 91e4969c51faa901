"""Say where Python interpreters are, on the path or among those of pyenv: `python tools/interpreters.py 3.10`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


def find(version: str) -> Path | None:
    """An interpreter of this version, such as 3.12, that runs and can make environments; None if there is none."""
    return next((place for place in _places(version) if _runs(place, version)), None)


def _places(version: str) -> Iterator[Path]:
    if sys.version.startswith(f"{version}."):
        yield Path(sys.executable)
    if found := shutil.which(f"python{version}"):
        yield Path(found)
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(root.glob(f"versions/{version}.*/bin/python"), reverse=True)


def _runs(place: Path, version: str) -> bool:
    # pyenv puts a python3.12 on the path that only says which versions it would know
    program = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([place, "-c", program], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        sys.stdout.write(f"{find(asked) or ''}\n")
