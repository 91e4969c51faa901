"""Embeddings written in parts: the same rows, never all at once, whole or not at all."""

from __future__ import annotations

import builtins
import signal
import subprocess
import sys
import time
import tracemalloc

import networkx as nx
import numpy as np
import pytest

import phusion
from phusion.cli import main
from phusion.errors import InputError, MissingLibraryError, OutputError, UnreadableFileError
from phusion.execution.progress import watching
from phusion.results.files import all_result_formats
from phusion.results.head import Head

NAMES = ["e.parquet", "e.zarr"]
METHODS = [
    {"proximity": {"name": "heat", "scale": [0.1, 1.0]}, "embedding": "characteristic", "normalize": "l2"},
    {"proximity": "ppmi", "nonlinearity": "log", "embedding": {"name": "histogram", "bins": 8}},
    {"proximity": {"name": "heat", "scale": [0.1, 1.0]}, "nonlinearity": "log", "embedding": "diagonal"},
    {"proximity": "katz", "embedding": {"name": "svd", "dim": 3}},
]


@pytest.fixture(scope="module")
def graph():
    return phusion.as_graph(nx.barabasi_albert_graph(1100, 2, seed=1))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", METHODS, ids=lambda method: str(method["embedding"]))
@pytest.mark.parametrize("size", ["large", "karate"])
def test_what_is_written_is_what_embed_returns(tmp_path, graph, name, method, size):
    given = graph if size == "large" else phusion.datasets.load("karate")
    written = phusion.embed_to(tmp_path / name, given, method)
    found, expected = phusion.Embedding.load(tmp_path / name), phusion.embed(given, method)
    assert np.allclose(found.values, expected.values, rtol=1e-10, atol=1e-10 * np.abs(expected.values).max())
    assert found.nodes.tolist() == expected.nodes.tolist() and found.features == expected.features == written.features
    assert found.spec == expected.spec and dict(found.provenance) == dict(expected.provenance)
    assert (written.path, written.n_nodes) == (tmp_path / name, len(given))
    assert repr(written.load()) == repr(expected)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: str(method["embedding"]))
@pytest.mark.parametrize("threads", [1, 2])
def test_one_npy_file_gets_its_rows_as_they_are_computed(tmp_path, graph, method, threads):
    written = phusion.embed_to(tmp_path / "e.npy", graph, method, threads=threads)
    expected = phusion.embed(graph, method).values
    found = np.load(tmp_path / "e.npy", mmap_mode="r")
    assert found.flags.c_contiguous and np.allclose(found, expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max())
    assert (tmp_path / "e.npy").is_file() and [each.name for each in tmp_path.iterdir()] == ["e.npy"]
    assert np.array_equal(written.load().values, found) and "how it was made" in " ".join(written.lost)
    with pytest.raises(OutputError, match="exists"):
        phusion.embed_to(tmp_path / "e.npy", graph, method)


def test_rows_of_workers_meet_in_one_npy_file(tmp_path, graph):
    method = {"proximity": {"name": "heat", "scale": [0.1, 1.0]}, "embedding": "characteristic"}
    exact = phusion.embed(graph, method, accuracy=0.01).values
    phusion.embed_to(tmp_path / "e.npy", graph, method, accuracy=0.01, executor="local")
    assert np.array_equal(np.load(tmp_path / "e.npy"), exact)


def test_the_command_says_what_an_npy_file_does_not_keep(tmp_path, capsys):
    assert main(["embed", "karate", "--preset", "graphwave", "--partitioned", "-o", str(tmp_path / "e.npy")]) == 0
    said = capsys.readouterr()
    assert "keeps no ids" in said.err and "PartitionedEmbedding(34 nodes" in said.out


def test_parquet_parts_are_read_in_order_by_others(tmp_path, graph):
    import polars

    written = phusion.embed_to(tmp_path / "e.parquet", graph, METHODS[0])
    expected = written.load()
    names = [path.name for path in sorted(written.path.iterdir())]
    assert names == [f"part-{part:05}.parquet" for part in range(written.n_parts)] and len(names) > 1
    from pyarrow import parquet

    table = parquet.read_table(written.path)
    assert table.column_names == ["node", *expected.features] and b"phusion" in table.schema.metadata
    frame = polars.scan_parquet(written.path).collect()
    assert table.column("node").to_pylist() == frame["node"].to_list() == graph.nodes.tolist()
    assert np.array_equal(frame.drop("node").to_numpy(), expected.values)
    first = phusion.Embedding.load(written.path / names[0])
    assert np.array_equal(first.values, expected.values[: len(first)]) and first.spec == expected.spec


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # dask's own
def test_parquet_parts_are_read_in_order_by_dask(tmp_path, graph):
    frames = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    written = phusion.embed_to(tmp_path / "e.parquet", graph, METHODS[2])
    found = frames.read_parquet(written.path)
    assert found.npartitions == written.n_parts
    assert found.compute()["node"].tolist() == graph.nodes.tolist()


def test_a_zarr_group_is_chunked_by_parts(tmp_path, graph):
    import zarr

    written = phusion.embed_to(tmp_path / "e.zarr", graph, METHODS[0])
    group = zarr.open_group(tmp_path / "e.zarr", mode="r")
    assert group.metadata.zarr_format == 3 and group["values"].shape == (1100, 100)
    assert group["values"].nchunks == written.n_parts > 1
    assert group["nodes"][:].tolist() == graph.nodes.tolist()
    assert tuple(group.attrs["features"]) == written.features
    assert phusion.Spec.from_dict(group.attrs["spec"]).embedding.name == "characteristic"
    assert group.attrs["provenance"]["phusion"] == phusion.__version__


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "rename",
    [str, lambda i: (i, "a"), lambda i: i if i % 2 else f"n{i}", lambda i: 2**70 + i],
    ids=["text", "pairs", "mixed", "huge"],
)
def test_ids_of_any_kind_come_back(tmp_path, graph, name, rename):
    renamed = phusion.as_graph(nx.relabel_nodes(nx.barabasi_albert_graph(1100, 2, seed=1), rename))
    written = phusion.embed_to(tmp_path / name, renamed, METHODS[2])
    assert written.n_parts > 1
    assert written.load().nodes.tolist() == renamed.nodes.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_all_rows_are_never_in_memory_at_once(tmp_path, name):
    graph = phusion.as_graph(nx.circulant_graph(3000, [1, 2]))
    method = {"proximity": "heat", "embedding": {"name": "histogram", "bins": 3000, "edges": "own"}}
    phusion.embed_to(tmp_path / f"warm{name}", nx.circulant_graph(1001, [1, 2]), method)  # compiled code is loaded
    tracemalloc.start()
    try:
        written = phusion.embed_to(tmp_path / name, graph, method, threads=2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 0.6 * 8 * 3000 * 3000
    assert written.n_parts > 10 and len(written.features) == 3000


def test_rows_that_are_not_held_need_no_memory_in_the_plan(tmp_path, graph):
    method = {"proximity": "heat", "embedding": {"name": "histogram", "bins": 20_000, "edges": "own"}}
    with pytest.raises(InputError, match="of memory; the budget is 150 MB"):
        phusion.embed(graph, method, memory="150MB")
    assert phusion.embed_to(tmp_path / "e.zarr", graph, method, memory="150MB", threads=1).n_nodes == 1100


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_after_an_interruption_or_an_error(tmp_path, graph, name):
    def interrupt(message, done, total):
        if done:
            assert len(list(tmp_path.iterdir())) == 1
            raise KeyboardInterrupt

    with watching(interrupt), pytest.raises(KeyboardInterrupt):
        phusion.embed_to(tmp_path / name, graph, METHODS[0])
    assert not list(tmp_path.iterdir())
    heavy = phusion.as_graph([(u, v, 1e40) for u, v in nx.barabasi_albert_graph(1100, 2, seed=1).edges])
    overflow = {"proximity": {"name": "adjacency_power", "order": 9}, "embedding": "characteristic"}
    with pytest.raises(InputError, match="not finite"):
        phusion.embed_to(tmp_path / name, heavy, overflow)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_an_embedding_is_replaced_only_when_asked_and_only_by_a_whole_one(tmp_path, name):
    phusion.embed_to(tmp_path / name, "karate", dim=2, method="netmf")
    with pytest.raises(OutputError, match=r"exists; --force \(overwrite=True\) replaces it"):
        phusion.embed_to(tmp_path / name, "karate")
    with pytest.raises(InputError):
        phusion.embed_to(tmp_path / name, "karate", "netmf", dim=1000, overwrite=True)
    assert phusion.Embedding.load(tmp_path / name).dim == 2
    phusion.embed_to(tmp_path / name, "karate", overwrite=True)
    assert phusion.Embedding.load(tmp_path / name).dim == 100
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_folders_of_others_are_never_replaced(tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "thesis.tex").write_text("mine")
    with pytest.raises(OutputError, match="not a file that can be replaced"):
        phusion.embed_to(tmp_path / name, "karate", overwrite=True)
    assert (tmp_path / name / "thesis.tex").read_text() == "mine"


def test_a_parquet_file_may_become_a_folder(tmp_path):
    phusion.embed("karate").save(tmp_path / "e.parquet")
    phusion.embed_to(tmp_path / "e.parquet", "karate", overwrite=True)
    assert (tmp_path / "e.parquet").is_dir()


def test_what_cannot_be_written_in_parts_is_refused_before_the_work(tmp_path):
    with pytest.raises(InputError, match=r"NumPy \.npz is not written in parts; \.npy \.parquet \.pq \.zarr are"):
        phusion.embed_to(tmp_path / "e.npz", "karate")
    with pytest.raises(InputError, match="has a pooling"):
        phusion.embed_to(tmp_path / "e.zarr", "karate", "netlsd")
    with pytest.raises(OutputError, match="does not exist"):
        phusion.embed_to(tmp_path / "nowhere" / "e.zarr", "karate")


def test_a_missing_zarr_is_named(tmp_path, monkeypatch):
    plain = builtins.__import__

    def without(name, *rest):
        if name == "zarr":
            raise ImportError(name)
        return plain(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingLibraryError, match="phusion-embed\\[zarr\\]"):
        phusion.embed_to(tmp_path / "e.zarr", "karate")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_part_that_is_written_again_takes_its_own_place(tmp_path, name):
    form = all_result_formats()[name.partition(".")[2]]
    (tmp_path / name).mkdir()
    writer = form.parts(tmp_path / name, Head(np.arange(4), ("a", "b")), 2)
    for part, start, value in ((1, 2, 7.0), (0, 0, 1.0), (1, 2, 2.0)):
        writer.write(part, start, np.arange(start, start + 2), np.full((2, 2), value))
    assert phusion.Embedding.load(tmp_path / name).values[:, 0].tolist() == [1, 1, 2, 2]


def test_folders_that_are_no_embeddings_are_refused(tmp_path):
    for name in NAMES:
        (tmp_path / name).mkdir()
        with pytest.raises(InputError, match=name):
            phusion.Embedding.load(tmp_path / name)
    (tmp_path / "e.npz").mkdir()
    with pytest.raises(UnreadableFileError):
        phusion.Embedding.load(tmp_path / "e.npz")


def test_a_chunk_that_is_missing_is_noticed(tmp_path, graph):
    phusion.embed_to(tmp_path / "e.zarr", graph, METHODS[0])
    (tmp_path / "e.zarr" / "values" / "c" / "1" / "0").unlink()
    with pytest.raises(InputError, match="chunks of its values are missing"):
        phusion.Embedding.load(tmp_path / "e.zarr")


@pytest.mark.parametrize("words", [["e.parquet", "--partitioned"], ["e.zarr"], ["e", "--to", "zarr"]])
def test_the_command_line_writes_parts(tmp_path, capsys, words):
    out = tmp_path / words[0]
    command = ["embed", "karate", "-o", str(out), *words[1:], "--preset", "graphwave"]
    assert main(command) == 0
    assert capsys.readouterr().out.strip() == f"{out}: PartitionedEmbedding(34 nodes × 100, 1 part)"
    assert out.is_dir() and main(command) == 4
    assert main([*command, "--force"]) == 0


def test_the_command_line_refuses_parts_of_other_formats(tmp_path, capsys):
    assert main(["embed", "karate", "-o", str(tmp_path / "e.csv"), "--partitioned", "--preset", "graphwave"]) == 2
    assert "not written in parts" in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_with_local_workers_leaves_neither_files_nor_processes(tmp_path):
    import psutil

    nx.write_edgelist(nx.barabasi_albert_graph(20_000, 3, seed=1), tmp_path / "g.txt", data=False)
    words = ["embed", "g.txt", "-o", "e.zarr", "--proximity", "heat", "--embedding", "characteristic",
             "--set", "proximity.scale=1", "--dask", "local", "--threads", "2"]  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "phusion", *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # shells have those behind an & ignore it
    ) as run:  # fmt: skip
        while not list(tmp_path.glob(".e.zarr.*/values/c")):  # a first part is written
            assert run.poll() is None
            time.sleep(0.1)
        workers = psutil.Process(run.pid).children(recursive=True)
        run.send_signal(signal.SIGINT)
        said = run.stderr.read()
        assert run.wait(30) == 130 and said.endswith("phusion: interrupted\n"), said
    assert [path.name for path in tmp_path.iterdir()] == ["g.txt"]
    assert not psutil.wait_procs(workers, timeout=5)[1]
