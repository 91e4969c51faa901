"""Install what is in dist/ in empty environments and try it there: the wheel for every Python found, the sdist for one.

No git is on the path, the core dependencies come alone, and the newest of them that pip finds, as a user gets them.
Each extra is then resolved by itself, without installing it. Sizes are of site-packages without pip.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from interpreters import find

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13")
MOST_MEGABYTES = 350
"""What an installation without extras must stay below."""
PINNED = {"torch": ["torch==2.13.0"]}
"""The build of torch that the project is tested with: the newest brings gigabytes of what a processor does not use."""
NOT_OURS = (
    "pip",
    "pip-*",
    "setuptools",
    "setuptools-*",
    "pkg_resources",
    "_distutils_hack",
    "distutils-precedence.pth",
)


class Environment:
    """An empty environment in a folder, with nothing on its path but itself."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        subprocess.run([python, "-m", "venv", folder], check=True)
        self.home.mkdir()
        kept = {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "HTTP", "NO_PROXY"))
        }
        self.variables = {**kept, "PATH": str(folder / "bin"), "HOME": str(self.home)}
        if configured := os.environ.get("PIP_CONFIG_FILE") or _own_settings():
            self.variables["PIP_CONFIG_FILE"] = configured

    def run(self, *words: str | Path) -> None:
        done = subprocess.run(
            [self.folder / "bin" / "python", *words],
            cwd=self.home, env=self.variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        sys.stdout.write("".join(f"  {line}\n" for line in done.stdout.splitlines()))
        if done.returncode:
            sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stderr}")

    def install(self, *what: str) -> None:
        self.run("-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)

    def sizes(self) -> dict[str, float]:
        """MB of each folder in site-packages, the largest first, pip's own left out."""
        place = next((self.folder / "lib").glob("python*/site-packages"))
        found = {
            each.name: sum(file.stat().st_blocks * 512 for file in each.rglob("*") if file.is_file()) / 1e6
            if each.is_dir() else each.stat().st_blocks * 512 / 1e6
            for each in place.iterdir() if not any(each.match(pattern) for pattern in NOT_OURS)
        }  # fmt: skip
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def _own_settings() -> str | None:
    """The user's pip.conf, as the environment has another home."""
    places = (Path.home() / ".config" / "pip" / "pip.conf", Path.home() / ".pip" / "pip.conf")
    return next((str(place) for place in places if place.exists()), None)


def only(pattern: str) -> Path:
    found = list((ROOT / "dist").glob(pattern))
    if len(found) != 1:
        sys.exit(f"dist/ must hold one {pattern}; it holds {[one.name for one in found]}. Run: make dist")
    return found[0]


def too_large(sizes: dict[str, float]) -> str | None:
    """What is wrong with an installation that takes so many MB; None if nothing is."""
    total = sum(sizes.values())
    if total < MOST_MEGABYTES:
        return None
    name, size = max(sizes.items(), key=lambda item: item[1])
    return (
        f"an installation without extras takes {total:.0f} MB, and must take less than {MOST_MEGABYTES}; "
        f"the most is {name}, {size:.0f} MB: make it an extra, or raise MOST_MEGABYTES in tools/release.py"
    )


def main() -> None:
    wheel, sdist = only("*.whl"), only("*.tar.gz")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    with TemporaryDirectory() as folder:
        first = None
        for version in VERSIONS:
            python = find(version)
            if python is None:
                print(f"Python {version}: no interpreter found, not tried")
                continue
            print(f"Python {version}, {wheel.name}")
            environment = Environment(python, Path(folder) / version)
            environment.install(str(wheel))
            environment.run("-I", ROOT / "tools" / "smoke.py")
            sizes = environment.sizes()
            largest = ", ".join(f"{name} {size:.0f}" for name, size in list(sizes.items())[:9])
            print(f"  {sum(sizes.values()):.0f} MB installed: {largest}")
            if (complaint := too_large(sizes)) is not None:
                sys.exit(complaint)
            first = first or environment
        if first is None:
            sys.exit(f"no interpreter of {', '.join(VERSIONS)} was found")
        for name in extras:
            first.install("--dry-run", f"{wheel}[{name}]", *PINNED.get(name, []))
            print(f"extra {name}: resolves")
        print(sdist.name)
        source = Environment(first.folder / "bin" / "python", Path(folder) / "sdist")
        source.install(str(sdist))
        source.run("-I", ROOT / "tools" / "smoke.py")


if __name__ == "__main__":
    main()
