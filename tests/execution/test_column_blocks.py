"""Threads share a block of columns by its rows where one for each would take too much room; no number depends on it."""

from __future__ import annotations

import numpy as np
import pytest

import phusion
from phusion.datasets.preferential import preferential
from phusion.execution import column_blocks
from phusion.execution.approximation import approximation_bytes
from phusion.execution.column_blocks import ColumnBlocks
from phusion.execution.threads import Threads
from phusion.proximities import Heat


def ring(n, extra):
    random = np.random.default_rng(3)
    around = [(v, (v + 1) % n) for v in range(n)]
    return phusion.as_graph(around + [tuple(pair) for pair in random.integers(0, n, (extra, 2)).tolist()])


@pytest.mark.parametrize(
    ("n", "workers", "remote", "blocks"),
    [
        (10_000, 2, False, ColumnBlocks(32, 2, 1)),
        (500_000, 2, False, ColumnBlocks(32, 2, 1)),
        (500_000, 4, False, ColumnBlocks(32, 1, 4)),
        (10_000, 4, False, ColumnBlocks(32, 4, 1)),
        (1_000_000, 1, False, ColumnBlocks(16, 1, 1)),
        (1_000_000, 2, False, ColumnBlocks(32, 1, 2)),
        (1_000_000, 2, True, ColumnBlocks(16, 2, 1)),
        (10_000_000, 4, False, ColumnBlocks(8, 1, 4)),
        (1_000_000_000, 64, False, ColumnBlocks(8, 1, 64)),
    ],
)
def test_wide_blocks_are_shared_where_not_every_thread_can_have_one(n, workers, remote, blocks):
    assert ColumnBlocks.of(n, workers, 64, remote=remote) == blocks
    assert blocks.executor(given := Threads(workers)) is given or blocks.threads > 1


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_block_that_threads_share_has_the_same_numbers(kind):
    stream = Heat(scale=(0.1, 1.0, 30.0)).walks(ring(700, 300)).polynomials(kind)
    block = np.random.default_rng(0).standard_normal((700, 5)).astype(kind)
    alone = stream.applied(block)
    for threads in (2, 3, 7):
        assert np.array_equal(stream.applied(block, threads), alone)


@pytest.mark.parametrize("method", [{"proximity": {"name": "heat", "scale": [0.5, 5.0]}}, {"proximity": "pagerank"}])
def test_embeddings_and_certificates_do_not_depend_on_who_shares_what(monkeypatch, method):
    graph = ring(2_000, 3_000)
    method = {**method, "nonlinearity": "identity", "embedding": "characteristic"}
    apart = phusion.embed(graph, method, accuracy=0.01, threads=2)
    monkeypatch.setattr(column_blocks, "_ROOM", 20_000)
    assert ColumnBlocks.of(2_000, 2, 64) == ColumnBlocks(16, 1, 2)
    shared = phusion.embed(graph, method, accuracy=0.01, threads=2)
    assert np.array_equal(apart.values, shared.values)
    assert apart.certificate == shared.certificate


def test_sharing_a_block_takes_less_memory_than_one_for_each():
    walks = Heat(scale=(0.1, 1.0)).walks(ring(500, 500))
    needs = [approximation_bytes(walks, 0.01, threads, 0, n=1_000_000) for threads in (1, 2, 8)]
    apart = approximation_bytes(walks, 0.01, 8, 0, remote=True, n=1_000_000)
    assert needs[0] <= needs[1] <= needs[2] < apart / 2


def test_plans_of_rows_that_are_written_do_not_count_them_as_held():
    graph = preferential(100_000, 200_000)
    model = phusion.preset("graphwave", scale=[0.5, 5.0], accuracy=0.01)
    held, written = model.plan(graph), model.plan(graph, partitioned=True)
    assert held.peak > written.peak + 8 * 100_000 * 50
    assert held.strategy == written.strategy == "push-pull"


def test_a_plan_says_what_will_be_refused(monkeypatch):
    from phusion.execution import certify

    monkeypatch.setattr(certify, "_PATIENCE", 0.0)
    monkeypatch.setattr(certify, "_SECONDS_READ", 1.0)
    model = phusion.PhUSION(Heat(scale=5.0), "identity", "characteristic", accuracy=0.001)
    with pytest.warns(phusion.errors.MethodWarning, match=r"by a few nodes: heat_s5 cannot be approximated to 0\.001"):
        model.plan(ring(2_000, 3_000)).explain()


def test_workers_that_are_started_here_take_their_memory_from_the_budget(monkeypatch):
    from phusion.execution import dask as on_dask
    from phusion.execution.resources import Resources
    from phusion.execution.workers import Workers
    from phusion.pipeline import plan_of

    graph, spec = ring(2_000, 3_000), phusion.preset("graphwave", scale=[0.5]).spec
    peaks = []
    for count in (1, 4):
        workers = Workers(count, count, 1, local=True)
        monkeypatch.setattr(on_dask, "dask_workers", lambda *_, workers=workers: workers)
        part = plan_of(spec, graph, Resources(executor="local", accuracy=0.01)).parts[0]
        peaks.append(part.peak - count * part.there)
    assert peaks[0] == peaks[1] > 0
