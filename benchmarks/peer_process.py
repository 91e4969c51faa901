"""Embed one graph, or many, with one method of one peer, in the peer's own environment, and say what it took.

``python peer_process.py PEER.py KIND METHOD INPUT.npz OUTPUT.npy SECONDS``: rows go to OUTPUT, figures as a line of
JSON to standard output. Each peer gets scipy matrices; bringing them into its own form is part of what is measured. A
small graph is embedded before, so that nothing is compiled or imported within the measurement. After SECONDS of it the
process is ended by SIGALRM. Runs on every Python since 3.8 with numpy and scipy alone.
"""

import importlib.util
import json
import signal
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp

KINDS = {"positional": "POSITIONAL", "structural": "STRUCTURAL", "graphs": "GRAPHS"}


def loaded(path):
    """A peer's file as a module; not by its name, which is that of the package it imports."""
    spec = importlib.util.spec_from_file_location("peer_file", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def saved(path, adjacencies):
    """Write matrices one below another: their sizes, and one array each of row lengths, columns and weights."""
    matrices = [sp.csr_matrix(one) for one in adjacencies]
    np.savez(
        path,
        sizes=np.array([one.shape[0] for one in matrices]),
        lengths=np.concatenate([np.diff(one.indptr) for one in matrices]),
        columns=np.concatenate([one.indices for one in matrices]),
        weights=np.concatenate([one.data for one in matrices]).astype(np.float64),
    )


def read(path):
    """The matrices of `saved`."""
    with np.load(path) as file:
        sizes, lengths, columns, weights = (file[name] for name in ("sizes", "lengths", "columns", "weights"))
    rows = np.concatenate([[0], np.cumsum(sizes)])
    ends = np.concatenate([[0], np.cumsum(lengths)])
    found = []
    for first, last in np.stack([rows[:-1], rows[1:]], axis=1):
        here = slice(ends[first], ends[last])
        parts = weights[here], columns[here], ends[first : last + 1] - ends[first]
        found.append(sp.csr_matrix(parts, shape=(last - first, last - first)))
    return found


def small(n):
    """A ring with chords, for warming up."""
    nodes, random = np.arange(n), np.random.RandomState(0)
    chords = random.randint(0, n, size=(2, 4 * n))
    ends = np.hstack([[nodes, np.roll(nodes, -1)], chords[:, chords[0] != chords[1]]])
    half = sp.coo_matrix((np.ones(ends.shape[1]), ends), shape=(n, n)).tocsr()
    whole = (half + half.T).tocsr()
    whole.data[:] = 1.0
    return whole


def status(name):
    with Path("/proc/self/status").open() as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def main(peer_path, kind, method, source, target, seconds):
    warnings.simplefilter("ignore")
    peer = loaded(peer_path)
    embed = getattr(peer, KINDS[kind])[method]
    given = read(source)
    if kind == "graphs":
        embed([small(n) for n in (20, 30, 40)], 0)
    else:
        (given,) = given
        embed(small(min(getattr(peer, "LARGEST_WARM", 400), max(20, given.shape[0]))), 0)
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, float(seconds))
    wall, cpu = time.perf_counter(), time.process_time()
    rows = embed(given, 0)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    signal.setitimer(signal.ITIMER_REAL, 0)
    peak = status("VmHWM")
    np.save(target, np.asarray(rows, dtype=np.float32))
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
