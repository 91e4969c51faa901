"""The doctor finds what is wrong, and says what to do."""

from __future__ import annotations

import json
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import phusion
from phusion.cli import main
from phusion.doctor import self_test, surroundings, versions
from phusion.doctor.finding import Finding
from phusion.execution import memory
from phusion.execution.memory import Limit, free_memory, memory_limits

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def unwell(findings) -> dict[str, Finding]:
    return {one.name: one for one in findings if one.state == "unwell"}


def test_a_sound_installation_is_well(capsys):
    code = main(["doctor"])
    out = capsys.readouterr().out
    assert code == 0 and "All is well." in out and phusion.__version__ in out and "BLAS of numpy" in out
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["well"] and {row["about"] for row in found["findings"]} == {
        "versions", "extras", "processors", "compiled code", "memory", "folders", "self-test",
    }  # fmt: skip
    assert all(row["state"] == "well" for row in found["findings"] if row["about"] == "self-test")


def test_every_extra_is_told_with_what_it_is_for():
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(versions.EXTRAS) == set(extras)


def test_what_is_missing_or_old_is_told_with_the_command_that_installs_it(monkeypatch):
    known = {"numpy": "1.26.4", "zarr": None, "networkx": "2.8"}
    plain = versions.installed
    monkeypatch.setattr(versions, "installed", lambda name: known[name] if name in known else plain(name))
    found = {one.name: one for one in versions.versions()}
    assert found["numpy"].state == "unwell" and found["numpy"].advice == "pip install 'numpy>=2.0'"
    assert found["zarr"].state == "absent" and "pip install 'phusion-embed[zarr]'" in found["zarr"].advice
    assert found["networkx"].state == "unwell" and "networkx 3.2 is needed" in found["networkx"].value


def test_a_folder_that_was_never_installed_is_told(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(versions.metadata, "requires", missing)
    assert "pip install phusion-embed" in unwell(versions.versions())["installation"].advice


def test_a_wrong_result_or_an_error_of_the_self_test_is_told(monkeypatch, capsys):
    plain = self_test._embedded
    monkeypatch.setattr(self_test, "_embedded", lambda *given: plain(*given) * (1 + 1e-6))
    found = unwell(self_test.self_test())
    assert set(found) == {f"{kind}, {how}" for kind in ("structural", "positional")
                          for how in ("as a whole", "a block at a time")}  # fmt: skip
    monkeypatch.setattr(self_test, "_embedded", lambda *_: 1 / 0)
    assert "ZeroDivisionError" in unwell(self_test.self_test())["structural, as a whole"].value
    assert main(["doctor"]) == 7
    assert "4 of " in (out := capsys.readouterr().out) and "need mending" in out and "reinstall" in out


def test_code_that_is_not_compiled_or_not_kept_is_told(monkeypatch):
    numba = pytest.importorskip("numba", reason="it is numba that keeps compiled code")
    monkeypatch.setattr(surroundings, "_writable", lambda _: False)
    assert "NUMBA_CACHE_DIR" in unwell(surroundings._compiled())["kept in"].advice
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert "NUMBA_DISABLE_JIT" in unwell(surroundings._compiled())["compiler"].advice


def test_without_numba_it_is_told_what_that_costs_and_a_numba_that_does_not_work_is_to_be_mended(monkeypatch):
    monkeypatch.setattr(surroundings, "compiler", lambda: None)
    monkeypatch.setattr(surroundings, "installed", lambda _: None)
    (found,) = surroundings._compiled()
    assert (
        found.state == "absent" and "pip install 'phusion-embed[fast]'" in found.advice and "CPU time" in found.advice
    )
    monkeypatch.setattr(surroundings, "installed", lambda _: "0.1")
    (found,) = surroundings._compiled()
    assert found.state == "unwell" and "cannot be imported" in found.value and "uninstall" in found.advice


def test_folders_that_cannot_be_used_are_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PHUSION_DATA", str(tmp_path / "nowhere"))
    monkeypatch.setattr(surroundings.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 10})())
    found = unwell(surroundings._folders())
    assert (
        "unset PHUSION_DATA" in found["data (PHUSION_DATA)"].advice and "make room" in found["temporary files"].advice
    )
    monkeypatch.setattr(surroundings, "_writable", lambda _: False)
    assert "TMPDIR" in unwell(surroundings._folders())["temporary files"].advice


def test_little_memory_is_told(monkeypatch):
    monkeypatch.setattr(memory, "memory_limits", lambda: [Limit("machine", 10**9, 10**7)])
    assert "raise the limit" in unwell(surroundings._memory())["budget"].advice


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Control groups of either version, as files."""

    def group(version: int, path: str, limit: str, used: int, cached: int = 0) -> None:
        names = ("memory.limit_in_bytes", "memory.usage_in_bytes") if version == 1 else ("memory.max", "memory.current")
        folder = tmp_path / ("memory" if version == 1 else "") / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / names[0]).write_text(limit)
        (folder / names[1]).write_text(str(used))
        (folder / "memory.stat").write_text(f"inactive_file {cached}\n")

    own = tmp_path / "own"
    places = {"/sys/fs/cgroup": tmp_path, "/sys/fs/cgroup/memory": tmp_path / "memory", "/proc/self/cgroup": own}
    monkeypatch.setattr(memory, "Path", lambda path: places.get(str(path), Path(path)))
    monkeypatch.setattr(memory, "_machine", lambda: Limit("machine", 10**12, 10**11))
    monkeypatch.setattr(memory, "address_space", lambda: None)
    return group, own


def test_the_control_group_of_the_process_counts_and_those_around_it(groups):
    group, own = groups
    own.write_text("0::/slice/job\n")
    group(2, "", "max", 0)
    group(2, "slice", "5000000000", 4_500_000_000, cached=500_000_000)
    group(2, "slice/job", "8000000000", 1_000_000_000)
    assert free_memory() == 1_000_000_000
    assert [limit.free for limit in memory_limits()] == [10**11, 7_000_000_000, 1_000_000_000]


def test_control_groups_of_the_old_kind_count(groups):
    group, own = groups
    own.write_text("5:cpu,cpuacct:/elsewhere\n4:memory:/job\n0::/\n")
    group(1, "", str(2**63 - 4096), 0)
    group(1, "job", "3000000000", 1_000_000_000)
    assert free_memory() == 2_000_000_000


def test_a_limit_of_the_address_space_counts(monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10**12, 10**12))
    found = {limit.what: limit for limit in memory_limits()}["address space (ulimit -v)"]
    assert found.total == 10**12 and 0 < found.free < 10**12
