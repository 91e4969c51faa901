"""What a user gets from pip: every file of the package, one version, few dependencies."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import phusion

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MOST_DEPENDENCIES = 12


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        yield opened


def test_the_wheel_has_every_file_of_the_package_and_no_other(wheel):
    package = ROOT / "src" / "phusion"
    ours = {
        each.relative_to(package.parent).as_posix()
        for each in package.rglob("*")
        if each.is_file() and "__pycache__" not in each.parts
    }
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == ours
    kinds = {Path(name).suffix for name in packed}
    assert {".py", ".typed", ".toml", ".jinja", ".css", ".js", ".csv", ".edgelist"} <= kinds


def test_the_wheel_has_the_licence_the_command_and_the_readme(wheel):
    (licence,) = [name for name in wheel.namelist() if name.endswith("LICENSE")]
    assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()
    (commands,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "phusion = phusion.cli:main" in wheel.read(commands).decode()
    (about,) = [name for name in wheel.namelist() if name.endswith("METADATA")]
    words = wheel.read(about).decode()
    assert f"\nVersion: {phusion.__version__}\n" in words
    assert (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[0] in words


def test_the_version_is_written_in_one_place_and_the_others_agree(monkeypatch):
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/phusion/__init__.py"
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE).group(1).strip('"') == phusion.__version__
    assert "release = version = __version__" in (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")


def test_there_are_few_direct_dependencies_and_each_extra_adds_to_them():
    def names(requirements):
        return {re.match(r"[\w.-]+", each).group().lower() for each in requirements}

    core = names(PROJECT["project"]["dependencies"])
    assert len(core) == len(PROJECT["project"]["dependencies"]) <= MOST_DEPENDENCIES
    for extra, requirements in PROJECT["project"]["optional-dependencies"].items():
        assert names(requirements), extra
        assert not names(requirements) & core, extra


def test_what_an_error_tells_to_install_is_an_extra():
    extras = set(PROJECT["project"]["optional-dependencies"])
    found = {}
    for path in (ROOT / "src").rglob("*.py"):
        for match in re.finditer(r"MissingLibraryError\(([^()]*)\)", path.read_text(encoding="utf-8")):
            if (given := re.search(r',\s*"([\w-]+)"\s*,?\s*$', match.group(1))) is not None:
                found[path.name] = given.group(1)
    assert found
    assert set(found.values()) <= extras


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return import_module


def test_an_interpreter_that_is_here_is_found_and_one_that_only_seems_to_be_is_not(tool, tmp_path, monkeypatch):
    find = tool("interpreters").find
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert find(own) == Path(sys.executable)
    seeming = tmp_path / "python3.99"  # as pyenv has them for versions that are not chosen
    seeming.write_text("#!/bin/sh\nexit 127\n")
    seeming.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert find("3.99") is None


def test_an_installation_that_has_become_too_large_is_told_with_what_takes_the_most(tool):
    release = tool("release")
    assert release.too_large({"scipy": 200.0, "numpy": 100.0}) is None
    assert "400 MB" in (told := release.too_large({"numpy": 100.0, "llvmlite": 300.0})) and "llvmlite, 300 MB" in told


def test_what_is_to_be_missing_and_is_not_is_told():
    command = [sys.executable, ROOT / "tools" / "absent.py"]
    assert subprocess.run([*command, "surely_nothing"], check=False).returncode == 0
    done = subprocess.run([*command, "surely_nothing", "numpy"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith("numpy can be imported")


@pytest.mark.parametrize(("lines", "branches", "code"), [(92, 85, 0), (91, 90, 1), (95, 84, 1)])
def test_coverage_below_what_is_promised_fails(tool, tmp_path, capsys, lines, branches, code):
    summary = {"num_statements": 100, "covered_lines": lines, "missing_lines": 100 - lines}
    total = {**summary, "num_branches": 100, "covered_branches": branches}
    report = tmp_path / "coverage.json"
    report.write_text(json.dumps({"files": {"a.py": {"summary": summary}}, "totals": total}))
    assert tool("covered").main(report) == code
    assert f"{100 - lines:4d} of  100  a.py" in capsys.readouterr().out
