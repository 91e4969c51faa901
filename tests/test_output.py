"""Files appear whole or not at all, and nothing is replaced or left behind."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import subprocess
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

import phusion
from phusion.cli import main
from phusion.drawing import canvas
from phusion.errors import FileError, OutputError
from phusion.experiments.ledger import Ledger
from phusion.graph.files import all_formats
from phusion.graph.streams import COMPRESSIONS
from phusion.life import has_ended, own_mark
from phusion.output import (
    _exchanged,
    check_folder,
    check_target,
    remove_leftovers,
    remove_unfinished,
    scratch_folder,
    whole_file,
    whole_files,
    whole_folder,
)
from phusion.results.files import all_result_formats
from phusion.sweeps.result import SweepResult

EMBEDDINGS = [f"e{suffix}" for one in all_result_formats().values() for suffix in one.suffixes]
GRAPHS = [suffix for one in all_formats().values() if one.holds for suffix in one.suffixes if suffix != ".npy"]
COMMANDS = {
    "embed": "embed karate --preset graphwave -o out.npz",
    "embed in parts": "embed karate --preset graphwave --partitioned -o out.parquet",
    "embed zarr": "embed karate --preset graphwave -o out.zarr",
    "graphs": "graphs karate --preset netlsd -o out.csv",
    "convert": "convert karate out.graphml",
    "explore": "explore karate -o out.html",
    "plot map": "plot map karate -o out.svg",
    "plot roles": "plot roles -o out.svg",
    "plot bars": "plot bars karate -o out.svg",
    "plot rows": "plot rows karate -o out.svg",
    "advise": "advise karate --positional out.toml",
    "sweep": "sweep karate -o .",
    "report": "report order_graphs --out out.html",
}
WRITES = {"sweep": "winner.toml"}


@pytest.fixture
def made() -> phusion.Embedding:
    values = np.random.default_rng(0).normal(size=(2_000, 16))
    return phusion.Embedding(values, np.arange(2_000), tuple(f"f{i}" for i in range(16)))


@pytest.fixture
def nothing_is_computed(monkeypatch):
    """Reading a graph is the first thing every command does."""

    def refuse(*_, **__):
        raise AssertionError("the graph was read before the output was looked at")

    monkeypatch.setattr("phusion.cli.reading.read", refuse)
    monkeypatch.setattr("phusion.cli.planted.Planted.graph", refuse)
    monkeypatch.setattr("phusion.report.content.report_of", refuse)


def target_of(name: str) -> Path:
    return Path(WRITES.get(name) or re.findall(r"out\.\w+", COMMANDS[name])[0])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_an_existing_file_before_the_work(
    name, capsys, tmp_path, monkeypatch, nothing_is_computed
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "phusion-ledger.sqlite").touch()
    target = target_of(name)
    target.write_text("mine")
    assert main(COMMANDS[name].split()) == 4
    err = capsys.readouterr().err
    assert str(target) in err and "--force" in err and target.read_text() == "mine"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_a_folder_it_may_not_write_to_before_the_work(
    name, capsys, tmp_path, monkeypatch, nothing_is_computed
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "phusion-ledger.sqlite").touch()
    monkeypatch.setattr("phusion.output.os.access", lambda *_, **__: False)  # root may write everywhere
    assert main(COMMANDS[name].split()) == 4
    assert "no files may be made in" in capsys.readouterr().err


def test_a_file_that_appears_during_the_work_is_not_replaced_either(capsys, tmp_path, monkeypatch):
    out = tmp_path / "k.npz"
    plain = phusion.Embedding.save

    def late(self, *given, **how):
        out.write_text("mine")
        return plain(self, *given, **how)

    monkeypatch.setattr(phusion.Embedding, "save", late)
    assert main(["embed", "karate", "--preset", "graphwave", "-o", str(out)]) == 4
    assert out.read_text() == "mine" and "--force" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"report"}))  # which needs a ledger with results
def test_no_command_replaces_what_appeared_after_it_had_looked(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    looked = phusion.output._check_writable

    def late(folder, path):
        looked(folder, path)
        target_of(name).write_text("mine")

    monkeypatch.setattr("phusion.output._check_writable", late)
    assert main(COMMANDS[name].split()) == 4
    assert "--force" in capsys.readouterr().err and target_of(name).read_text() == "mine"


def test_every_command_that_can_be_forced_is_looked_at():
    found = {path.stem for path in Path(phusion.cli.__file__).parent.glob("*.py") if "force: " in path.read_text()}
    assert found == {name.split()[0] for name in COMMANDS}


def test_temporary_folders_of_killed_processes_go_when_the_next_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr("phusion.output.gettempdir", lambda: str(tmp_path))
    dead = subprocess.run(
        [sys.executable, "-c", "from phusion.life import own_mark; print(own_mark())"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    for mark in (dead, own_mark()):
        (tmp_path / f"phusion-notes.{mark}.0a").mkdir()
    (tmp_path / "phusion-notes.of-somebody").mkdir()
    with scratch_folder("notes") as made:
        assert made.parent == tmp_path and made.stat().st_mode & 0o777 == 0o700
        assert not (tmp_path / f"phusion-notes.{dead}.0a").exists()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {f"phusion-notes.{own_mark()}.0a", "phusion-notes.of-somebody"}


def test_links_that_lead_nowhere_are_not_replaced_unasked(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(OutputError, match="exists"):
        check_target(tmp_path / "link", overwrite=False)


def test_folders_that_are_not_there_yet_are_looked_at_too(tmp_path, monkeypatch):
    check_folder(tmp_path / "a" / "b")
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="is a file"):
        check_folder(tmp_path / "file")
    monkeypatch.setattr("phusion.output.os.access", lambda *_, **__: False)
    with pytest.raises(OutputError, match=re.escape(f"no files may be made in {tmp_path}")):
        check_folder(tmp_path / "a" / "b")


@contextmanager
def smaller_files(limit: int):
    """What a full disk is to a process: writing fails beyond so many bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", EMBEDDINGS)
def test_what_does_not_fit_on_the_disk_leaves_nothing(name, made, tmp_path):
    with smaller_files(20_000), pytest.raises(OutputError, match=f"cannot write .*{name}"):
        made.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", EMBEDDINGS)
def test_what_does_not_fit_on_the_disk_leaves_what_was_there(name, made, tmp_path):
    few = phusion.Embedding(made.values[:3], made.nodes[:3], made.features)
    few.save(tmp_path / name)
    with smaller_files(20_000), pytest.raises(OutputError, match="cannot write"):
        made.save(tmp_path / name, overwrite=True)
    assert np.array_equal(phusion.Embedding.load(tmp_path / name).values, few.values)


@pytest.mark.parametrize("name", ["e.parquet", "e.zarr"])
def test_parts_that_do_not_fit_leave_nothing(name, tmp_path):
    graph = phusion.as_graph([(i, i + 1) for i in range(1_500)])
    with smaller_files(20_000), pytest.raises(OutputError, match="cannot write part"):
        phusion.embed_to(tmp_path / name, graph, "graphwave")
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def random_graph() -> phusion.Graph:
    rng = np.random.default_rng(0)
    return phusion.as_graph(sparse.random_array((10_000, 10_000), density=2e-4, rng=rng))


@pytest.mark.parametrize("before", [None, "mine"], ids=["new", "replaced"])
@pytest.mark.parametrize("suffix", [*GRAPHS, *(f".csv{packed}" for packed in COMPRESSIONS)])
def test_graphs_that_do_not_fit_leave_what_was_there(suffix, before, random_graph, tmp_path):
    target = tmp_path / f"g{suffix}"
    if before:
        target.write_text(before)
    with smaller_files(20_000), pytest.raises(OutputError, match="cannot write"):
        phusion.write_graph(random_graph, target, lossy=True, overwrite=True)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == ({target.name: before} if before else {})


BIG = {  # command → bytes that are too few for one of its files
    "explore karate -o out.html --map pca": 20_000,
    "report order_graphs --out out.html": 500,
    "plot map karate -o out.svg --map pca": 5_000,
}


@pytest.mark.parametrize("before", [None, "mine"], ids=["new", "replaced"])
@pytest.mark.parametrize("words", BIG)
def test_pages_and_pictures_that_do_not_fit_leave_what_was_there(words, before, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    target = tmp_path / re.findall(r"out\.\w+", words)[0]
    with Ledger("phusion-ledger.sqlite"):
        pass
    if before:
        target.write_text(before)
    with smaller_files(BIG[words]):
        assert main([*words.split(), "--force"]) == 4
    assert "cannot write" in capsys.readouterr().err
    left = {path.name: path.read_text() for path in tmp_path.iterdir() if "ledger" not in path.name}
    assert left == ({target.name: before} if before else {})


def test_of_two_specs_none_is_replaced_if_one_does_not_fit(tmp_path):
    parts = {name: SimpleNamespace(name=name) for name in ("proximity", "nonlinearity", "embedding")}
    small, large = (SimpleNamespace(spec=SimpleNamespace(**parts, to_toml=lambda n=n: "x" * n)) for n in (10, 999))
    (tmp_path / "a").write_text("mine")
    write = import_module("phusion.cli.advise")._write
    with smaller_files(100), pytest.raises(OutputError, match=r"cannot write .*b:"):
        write({tmp_path / "a": small, tmp_path / "b": large}, force=True)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "mine"}


@pytest.mark.parametrize("suffix", canvas.SUFFIXES)
def test_pictures_of_every_kind_that_do_not_fit_leave_nothing(suffix, tmp_path):
    figure, _ = canvas.canvas(3, 3)
    with smaller_files(1_000), pytest.raises(OutputError, match="cannot write"):
        canvas.save(figure, tmp_path / f"m{suffix}")
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def swept() -> SweepResult:
    heat = {"proximity": "heat", "embedding": {"name": "svd", "dim": 8}}
    result = phusion.sweep("karate", designs={"heat": heat}, seeds=(0,), splits=2)
    assert len(result.embedding) == 34  # computed once
    return result


@pytest.mark.parametrize("name", ["winner.toml", "winner.parquet", "sweep.html", "leaderboard.csv"])
def test_a_sweep_whose_files_do_not_fit_leaves_what_was_there(name, swept, tmp_path):
    pytest.importorskip("pyarrow")
    sizes = {target.name: target.stat().st_size for target in swept.save(tmp_path / "good")}
    (tmp_path / "old").mkdir()
    for each in sizes:
        (tmp_path / "old" / each).write_text("old")
    for place in ("new", "old"):
        with smaller_files(sizes[name] - 1), pytest.raises(OutputError, match="cannot write"):
            swept.save(tmp_path / place, overwrite=True)
    assert {path.name for path in tmp_path.iterdir()} == {"good", "old"}
    assert {path.name: path.read_text() for path in (tmp_path / "old").iterdir()} == dict.fromkeys(sizes, "old")


@contextmanager
def mounted(folder: Path, kind: str, options: str = "", flags: int = 0):
    """A file system of its own; only root may."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.mount(b"none", os.fsencode(folder), kind.encode(), flags, options.encode()):
        pytest.skip(f"nothing can be mounted here: {os.strerror(ctypes.get_errno())}")
    try:
        yield
    finally:
        library.umount2(os.fsencode(folder), 2)


@pytest.mark.skipif(sys.platform != "linux", reason="mount is Linux's")
def test_a_full_disk_is_called_so_and_leaves_nothing(made, tmp_path):
    with mounted(tmp_path, "tmpfs", "size=64k"):
        for name in EMBEDDINGS:
            with pytest.raises(OutputError, match="No space left on device"):
                made.save(tmp_path / name)
            assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="mount is Linux's")
def test_a_sweep_on_a_full_disk_is_whole_or_absent(swept, tmp_path):
    outcomes = set()
    for kilobytes in range(4, 129, 12):
        with mounted(tmp_path, "tmpfs", f"size={kilobytes}k"):
            try:
                targets = swept.save(tmp_path / "best")
            except OutputError as error:
                assert "No space left on device" in str(error) and not list(tmp_path.iterdir())
                outcomes.add("absent")
            else:
                assert sorted(targets) == sorted((tmp_path / "best").iterdir())
                outcomes.add("whole")
    assert outcomes == {"absent", "whole"}


@pytest.mark.skipif(sys.platform != "linux", reason="mount is Linux's")
def test_a_disk_that_may_only_be_read_is_refused_before_the_work(capsys, tmp_path, nothing_is_computed):
    with mounted(tmp_path, "tmpfs", "size=64k", flags=1):
        assert main(["embed", "karate", "--preset", "graphwave", "-o", str(tmp_path / "k.npz")]) == 4
    assert "no files may be made in" in capsys.readouterr().err


def test_permissions_revoked_during_the_work_are_told(made, tmp_path, monkeypatch):
    def revoked(self, target):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", revoked)
    with pytest.raises(OutputError, match=r"cannot write .*e\.npz: Permission denied"):
        made.save(tmp_path / "e.npz")
    assert not list(tmp_path.iterdir())


KILLED = """
import os, signal, sys
from pathlib import Path
from phusion.output import whole_file, whole_folder

with (whole_folder if sys.argv[2] == "folder" else whole_file)(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_a_killed_process_left_is_removed_by_the_next(kind, tmp_path):
    for target in ("x.npz", "other.npz"):
        subprocess.run([sys.executable, "-c", KILLED, tmp_path / target, kind], check=False)
    assert len(list(tmp_path.iterdir())) == 2
    with whole_file(tmp_path / "x.npz") as part, whole_file(tmp_path / "x.npz") as second:  # a living process's stays
        assert part.exists() and second.exists()
    assert {path.name[:6] for path in tmp_path.iterdir()} == {"x.npz", ".other"}
    remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["x.npz"]


def test_a_folder_is_brought_back_whose_replacer_was_killed_in_the_middle(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", "from phusion.life import own_mark; print(own_mark())"],
                               stdout=subprocess.PIPE, text=True)  # fmt: skip
    mark = process.communicate()[0].strip()
    (tmp_path / f".e.zarr.{mark}.00.old").mkdir()
    (tmp_path / f".e.zarr.{mark}.00.old" / "mine").touch()
    with pytest.raises(ZeroDivisionError), whole_folder(tmp_path / "e.zarr"):
        raise ZeroDivisionError
    assert [path.name for path in tmp_path.iterdir()] == ["e.zarr"] and (tmp_path / "e.zarr" / "mine").exists()


def test_marks_of_this_process_and_of_other_machines_have_not_ended():
    assert not has_ended(own_mark()) and not has_ended("00000000-1-1") and not has_ended("nonsense")
    host, pid, started = own_mark().split("-")
    assert has_ended(f"{host}-{2**22 + 1}-{started}") and has_ended(f"{host}-{pid}-1")


def test_an_interruption_while_the_folder_is_replaced_keeps_the_old_one(tmp_path, monkeypatch):
    target = tmp_path / "e.zarr"
    target.mkdir()
    (target / "mine").touch()
    plain = Path.rename

    def interrupted(self, new):
        if self.suffix == ".part":
            raise KeyboardInterrupt
        return plain(self, new)

    monkeypatch.setattr("phusion.output._exchanged", lambda *_: False)
    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt), whole_folder(target):
        pass
    assert (target / "mine").exists() and list(tmp_path.iterdir()) == [target]


def test_what_is_unfinished_can_be_removed_at_once(tmp_path):
    with pytest.raises(OutputError), whole_file(tmp_path / "x") as part:
        part.write_text("half")
        remove_unfinished()
        assert not part.exists()
    assert not list(tmp_path.iterdir())


def test_long_names_are_written(tmp_path):
    name = "ä" * 120 + ".txt"
    with whole_file(tmp_path / name) as part:
        part.write_text("x")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_that_misses_a_part_is_no_embedding(tmp_path):
    graph = phusion.as_graph([(i, i + 1) for i in range(3_000)])
    path = tmp_path / "e.parquet"
    parts = phusion.embed_to(
        path, graph, {"proximity": "heat", "embedding": {"name": "characteristic", "landmarks": 200}}
    )
    assert parts.n_parts > 1 and len(phusion.Embedding.load(path)) == 3_001
    (path / "part-00001.parquet").unlink()
    with pytest.raises(FileError, match=rf"it holds {parts.n_parts - 1:,} of {parts.n_parts:,} parts"):
        phusion.Embedding.load(path)


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("nth", range(4))  # two files are put aside, two take their places
def test_a_pair_interrupted_at_any_renaming_is_the_old_pair(nth, before, tmp_path, monkeypatch):
    first = phusion.Embedding(np.eye(2), np.array(["a", "b"]), ("x", "y"))
    second = phusion.Embedding(np.ones((2, 2)), np.array(["b", "a"]), ("x", "y"))
    path = tmp_path / "e.tensors.tsv"
    first.save(path)
    plain, renamed = Path.rename, []

    def interrupted(self, target):
        renamed.append(target)
        if before and len(renamed) == nth + 1:
            raise KeyboardInterrupt
        plain(self, target)
        if not before and len(renamed) == nth + 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        second.save(path, overwrite=True)
    found = phusion.Embedding.load(path)
    assert found.nodes.tolist() == ["a", "b"] and np.array_equal(found.values, first.values)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["e.metadata.tsv", "e.tensors.tsv"]


@pytest.mark.parametrize("nth", range(4))
def test_files_of_a_pair_whose_process_is_killed_are_all_old_or_all_new(nth, tmp_path, monkeypatch):
    for name in ("first", "second"):
        (tmp_path / name).write_text("old")
    plain, seen = Path.rename, []

    def look(self, target):
        plain(self, target)
        seen.append({each.name: each.read_text() for each in tmp_path.iterdir() if each.is_file()})

    monkeypatch.setattr(Path, "rename", look)
    with whole_files(tmp_path / "first", tmp_path / "second") as folder:
        for name in ("first", "second"):
            (folder / name).write_text("new")
    assert len(set(seen[nth].values())) <= 1
    assert seen[nth].get("first") != "new" or len(seen[nth]) == 2, "the first tells that all are there"


def test_a_folder_of_several_files_appears_with_all_of_them(tmp_path):
    place = tmp_path / "best"
    with whole_files(place / "a", place / "b") as folder:
        for name in "ab":
            assert not place.exists()
            (folder / name).write_text(name)
    assert sorted(each.name for each in place.iterdir()) == ["a", "b"] and list(tmp_path.iterdir()) == [place]
    with pytest.raises(OutputError, match="cannot write"), whole_files(tmp_path / "c" / "a") as folder:
        (folder / "a").touch()
        (tmp_path / "c").mkdir()
        (tmp_path / "c" / "mine").touch()
    assert [each.name for each in (tmp_path / "c").iterdir()] == ["mine"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the folder is gone for a moment")
def test_a_folder_is_exchanged_at_one_moment(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    if not _exchanged(tmp_path / "new", tmp_path / "old"):
        pytest.skip("this disk cannot")
    assert (tmp_path / "old" / "new").exists() and (tmp_path / "new" / "old").exists()
    with whole_folder(tmp_path / "old") as folder:
        (folder / "newest").touch()
    assert [path.name for path in (tmp_path / "old").iterdir()] == ["newest"]
    assert {path.name for path in tmp_path.iterdir()} == {"old", "new"}


def test_a_study_with_nothing_left_to_do_removes_what_a_killed_one_left(tmp_path, monkeypatch):
    from phusion.experiments.processes import run_in_processes

    monkeypatch.setattr("phusion.output.gettempdir", lambda: str(tmp_path))
    left = tmp_path / f"phusion-notes.{own_mark().partition('-')[0]}-999999999-1.abcd"
    left.mkdir()
    run_in_processes([], tmp_path / "ledger.sqlite", profiles=[], jobs=2)
    assert not left.exists()


# permissions and links


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o640])
def test_a_file_that_is_replaced_keeps_who_may_read_it(tmp_path, mode):
    path, pair = tmp_path / "e.npz", tmp_path / "e.tensors.tsv"
    for target in (path, pair):
        target.write_bytes(b"old")
        target.chmod(mode)
        phusion.embed("karate", "hope", dim=2).save(target, overwrite=True)
        assert target.stat().st_mode & 0o777 == mode and len(phusion.Embedding.load(target)) == 34


def test_a_link_stays_one_and_what_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "real.npy").write_bytes(b"old")
    link = tmp_path / "link.npy"
    link.symlink_to(tmp_path / "disk" / "real.npy")
    found = phusion.embed("karate", "hope", dim=2)
    with pytest.raises(OutputError, match="exists"):
        found.save(link)
    found.save(link, overwrite=True)
    assert link.is_symlink() and len(phusion.Embedding.load(tmp_path / "disk" / "real.npy")) == 34
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["disk", "link.npy", "real.npy"]


@pytest.mark.parametrize(
    "words", ["embed g.csv -o g.csv --preset hope", "graphs g.csv -o g.csv --preset netlsd", "convert g.csv g.csv"]
)
def test_the_graph_that_is_read_is_never_replaced(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("g.csv").write_text("source,target\na,b\n")
    assert main([*words.split(), "--force"]) == 2
    assert (
        "g.csv is the graph itself" in capsys.readouterr().err and Path("g.csv").read_text() == "source,target\na,b\n"
    )
