"""Where compiled code is kept, and what an interruption leaves behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from tests.execution.ways import cycle, preferential

import phusion
from phusion.execution.blocks import Passes
from phusion.execution.progress import watching
from phusion.execution.threads import Threads
from phusion.linalg.blas import blas_threads
from phusion.linalg.kernels.compiled import compiled
from phusion.linalg.streams.base import Stream

# compiled code


@pytest.fixture
def numba():
    return pytest.importorskip("numba", reason="it is numba that compiles")


_WORK = """
import sys
import phusion
from phusion.proximities import Ppmi
rows = [(i, (i * i + 1) % 1100) for i in range(1100)]
values = phusion.PhUSION(Ppmi(5), "log", "characteristic", memory="60MB").fit_transform(phusion.as_graph(rows))
print(repr(float(abs(values).sum())))
"""


def child(**settings):
    done = subprocess.run(
        [sys.executable, "-c", _WORK], capture_output=True, text=True, env=os.environ | settings, check=False
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return float(done.stdout)


def test_compiled_code_is_kept_once_and_used_again(numba, tmp_path):
    cold = child(NUMBA_CACHE_DIR=str(tmp_path))
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}
    assert any("recurrences" in path.name for path in kept)
    warm = child(NUMBA_CACHE_DIR=str(tmp_path))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")} == kept
    assert warm == cold


@pytest.mark.slow
def test_a_damaged_cache_is_no_obstacle(numba, tmp_path):
    expected = child(NUMBA_CACHE_DIR=str(tmp_path))
    for path in tmp_path.rglob("*.nbi"):
        path.unlink()  # code without an index, as an interrupted installation leaves it
    assert child(NUMBA_CACHE_DIR=str(tmp_path)) == expected


def test_without_any_place_to_keep_it_code_is_compiled_all_the_same(numba, monkeypatch):
    """As with a read-only home: numba finds no locator, and says so when the function is decorated."""
    monkeypatch.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])

    def double(x):
        return 2 * x

    with pytest.raises(RuntimeError, match="no locator"):
        numba.njit(cache=True)(double)
    assert compiled()(double)(21) == 42
    assert compiled(reorder=True)(double)(21.0) == 42.0


def test_a_cache_folder_that_cannot_be_written_is_no_obstacle(numba, tmp_path):
    file = tmp_path / "file"
    file.write_text("a folder cannot be made below a file, even by root")
    only = "from numba.core.caching import CacheImpl as c; c._locator_classes = c._locator_classes[:1]\n"  # the setting
    done = subprocess.run(
        [sys.executable, "-c", only + _WORK],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(file / "below")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0


# interruptions


class Slow(Stream):
    """Columns that take a while."""

    n, count, products, entries = 200, 1, 1, 1
    column_bytes = held_bytes = 0

    def columns(self, start, stop):
        time.sleep(0.01)
        return [np.ones((self.n, stop - start))]


def own_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("phusion")]


def blas_limits():
    from threadpoolctl import threadpool_info

    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def interrupt(what, done, total):
    if done > total // 4:
        raise KeyboardInterrupt


def a_sum(blocks, start, stop):
    return float(blocks[0].sum())


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_an_interruption_between_blocks_leaves_no_thread(workers):
    limits = blas_limits()
    with pytest.raises(KeyboardInterrupt) as caught, watching(interrupt):
        list(Passes(Slow(), Threads(workers), 7).read(a_sum, "test"))
    assert not own_threads() and blas_limits() == limits
    assert caught.type is KeyboardInterrupt


def test_an_interruption_in_a_reader_leaves_no_thread():
    def reader(blocks, start, stop):
        if start > 50:
            raise KeyboardInterrupt
        return start

    limits = blas_limits()
    with pytest.raises(KeyboardInterrupt):
        list(Passes(Slow(), Threads(2), 7).read(reader, "test"))
    assert not own_threads() and blas_limits() == limits


@pytest.mark.parametrize("when", ["rows", "extremes", "counting", "storing", "products", "diagonal"])
def test_an_interrupted_embedding_leaves_no_thread_and_blas_as_it_was(when):
    """Also while somebody, such as a notebook, holds on to the traceback."""
    specs = {
        "rows": ("heat", "identity", "characteristic"),
        "extremes": ("heat", "log", "histogram"),
        "counting": ("ppmi", "binarize", "characteristic"),
        "storing": ("ppmi", "log", {"name": "svd", "dim": 4}),
        "products": ("ppmi", "log", {"name": "svd", "dim": 4}),
        "diagonal": ("heat", "identity", "diagonal"),
    }
    model = phusion.PhUSION(*specs[when], memory="15MB" if when == "products" else "60MB", threads=2)
    reached = []

    def watcher(what, done, total):
        if when in what and done > total // 4:
            reached.append(what)
            raise KeyboardInterrupt

    graph = preferential(1300)
    limits = blas_limits()
    with pytest.raises(KeyboardInterrupt) as held, watching(watcher):
        model.fit(graph)
    assert reached and not own_threads() and blas_limits() == limits
    del held


def test_an_error_in_a_block_is_the_error_of_the_whole():
    def reader(blocks, start, stop):
        raise ValueError(f"no luck with {start}")

    with pytest.raises(ValueError, match="no luck with 0"):
        list(Passes(Slow(), Threads(2), 7).read(reader, "test"))
    gc.collect()
    assert not own_threads()


def test_an_embedding_after_an_interrupted_one_is_right():
    graph = preferential(1300)
    expected = phusion.PhUSION(memory="60MB", threads=2).fit_transform(graph)
    with pytest.raises(KeyboardInterrupt), watching(interrupt):
        phusion.PhUSION(memory="60MB", threads=2).fit(graph)
    assert np.array_equal(phusion.PhUSION(memory="60MB", threads=2).fit_transform(graph), expected)


def test_blas_has_its_threads_back_after_an_error():
    limits = blas_limits()
    with pytest.raises(ValueError), blas_threads(1):
        raise ValueError
    assert blas_limits() == limits


def test_ctrl_c_on_the_command_line_leaves_neither_result_nor_temporary_file(tmp_path):
    edges = tmp_path / "ring.txt"
    graph = cycle(20_000)
    rows, columns = graph.adjacency.tocoo().coords
    edges.write_text("".join(f"{i} {j}\n" for i, j in zip(rows, columns, strict=True) if i < j))
    program = "import sys; from phusion.cli import main; sys.exit(main())"
    words = [
        "embed",
        edges,
        "-o",
        tmp_path / "x.npz",
        "--proximity",
        "heat",
        "--set",
        "scale=20",
        "--nonlinearity",
        "log",
    ]
    words += ["--memory", "200MB", "--threads", "2"]
    folder = tmp_path / "temporary"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": str(folder)},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:  # until it computes with threads
        time.sleep(0.2)
        names = [_read(task / "comm") for task in Path(f"/proc/{process.pid}/task").glob("*")]
        if len(names) > 2 and _seconds(process.pid) > 4:
            break
    assert process.poll() is None, "too fast to be interrupted"
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in err and "Traceback" not in err and not out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ring.txt", "temporary"]
    assert not list(folder.iterdir())


def _read(path):
    try:
        return path.read_text()
    except OSError:
        return ""


def _seconds(pid):
    """Processor time so far."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0
