"""Try an installed phusion as a new user would: run by the Python it is installed for, in an empty folder, with -I.

It uses nothing of the source tree, and fails if phusion comes from there.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path
from shutil import which

COMMANDS = Path(sys.executable).parent
FRIENDS = 'source,target\nada,bob\nbob,cleo\ncleo,ada\ncleo,dan\ndan,"eve, the second"\nδelta,ada\n'


def run(*words: str, code: int = 0, says: str = "") -> str:
    """A command of phusion; what it prints. Ends the smoke test if its exit code or its complaint is another one."""
    done = subprocess.run([COMMANDS / "phusion", *words], capture_output=True, text=True, encoding="utf-8", check=False)
    check(
        done.returncode == code, f"phusion {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    )
    check(says in done.stderr, f"phusion {' '.join(words)} does not say {says!r}: {done.stderr}")
    return done.stdout


def check(good: bool, complaint: str) -> None:
    if not good:
        sys.exit(f"the smoke test failed: {complaint}")


def ids_and_width(path: Path) -> tuple[list[str], int]:
    with path.open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    return [row[0] for row in rows], len(rows[0]) - 1


def installed() -> None:
    import phusion

    place = Path(phusion.__file__).resolve()
    check(place.is_relative_to(Path(sys.prefix).resolve()), f"phusion comes from {place}, not from {sys.prefix}")
    check(phusion.__version__ == version("phusion-embed"), "phusion.__version__ is not that of the distribution")
    check(which("git") is None, "git is on the path; this test is to show that it is not needed")
    check((place.parent / "py.typed").exists(), "py.typed is missing")
    check(bool(entry_points(group="console_scripts", name="phusion")), "the command is missing")


def commands() -> None:
    check("embed" in run("--help"), "--help does not name embed")
    check(run("--version").strip() == version("phusion-embed"), "--version differs from the distribution's")
    if "doctor" in run("--help"):
        run("doctor")
    check("netmf" in run("presets") and "heat" in run("components", "heat"), "presets or components are missing")
    check("usa" in run("datasets") and "graphml" in run("formats"), "data sets or formats are missing")
    run("reproduce", "--help")


def karate() -> None:
    run("embed", "karate", "-o", "near.csv", "--preset", "netmf", "--set", "embedding.dim=16")
    ids, width = ids_and_width(Path("near.csv"))
    check({int(node) for node in ids} == set(range(1, 35)) and width == 16, f"near.csv: ids {ids}, {width} columns")
    files = ["alike.npz", "alike.w2v.txt"]
    if find_spec("pyarrow"):
        files.append("alike.parquet")
    else:
        run("embed", "karate", "-o", "alike.parquet", "--preset", "graphwave", code=3, says="phusion-embed[parquet]")
    for name in files:
        run("embed", "karate", "-o", name, "--preset", "graphwave")
    import phusion

    alike = phusion.embed(phusion.datasets.load("karate"), "graphwave")
    check([node for node, _ in alike.nearest(34, 3)] == [1, 33, 3], f"nearest to 34: {alike.nearest(34, 3)}")
    for name in set(files) - {"alike.w2v.txt"}:
        check(phusion.Embedding.load(name).values.shape == alike.values.shape, f"{name} is not what it was")


def own_file() -> None:
    Path("friends.csv").write_text(FRIENDS, encoding="utf-8")
    run("embed", "friends.csv", "-o", "friends.tsv", "--preset", "graphwave")
    with Path("friends.tsv").open(newline="", encoding="utf-8") as file:
        ids = [row[0] for row in csv.reader(file, delimiter="\t")][1:]
    check(set(ids) == {"ada", "bob", "cleo", "dan", "eve, the second", "δelta"}, f"the ids came back as {ids}")
    run("explore", "friends.csv", "-o", "friends.html")
    page = Path("friends.html").read_text(encoding="utf-8")
    check("cleo" in page and "<script" in page and len(page) > 20_000, "the explorer's page lacks the data or script")
    run("convert", "friends.csv", "friends.graphml")
    check("6" in run("inspect", "friends.graphml"), "inspect does not count 6 nodes")
    run("embed", "nowhere.csv", "-o", "x.csv", "--preset", "netmf", code=3)


if __name__ == "__main__":
    for step in (installed, commands, karate, own_file):
        step()
    sys.stdout.write(f"phusion {version('phusion-embed')} works on Python {sys.version.split()[0]}\n")
