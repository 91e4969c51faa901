"""Blocks on Dask workers: the same results, whatever happens to workers."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from dataclasses import replace

import networkx as nx
import numpy as np
import psutil
import pytest
from tests.contracts.graphs import examples
from tests.execution.ways import graphs, takes

import phusion
from phusion.embeddings import Characteristic
from phusion.errors import InputError, InputTypeError
from phusion.execution import dask as on_dask
from phusion.execution import workers
from phusion.execution.planning import make_plan
from phusion.execution.progress import watching
from phusion.execution.resources import Resources
from phusion.execution.workers import Workers, look
from phusion.pipeline import plan_of
from phusion.together import embed_together

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

HEAT = {"proximity": {"name": "heat", "scale": [0.1, 1.0]}, "embedding": "characteristic"}
OVERFLOW = {"proximity": {"name": "adjacency_power", "order": 9}, "embedding": "characteristic"}
METHODS = {
    "two scales": HEAT,
    "log": {"proximity": "ppmi", "nonlinearity": "log", "embedding": "characteristic"},
    "binarize": {"proximity": "ppmi", "nonlinearity": "binarize", "embedding": "characteristic"},
    "histogram": {"proximity": "heat", "embedding": {"name": "histogram", "bins": 16}},
    "diagonal": {"proximity": {"name": "heat", "scale": [0.1, 1.0]}, "embedding": "diagonal"},
    "svd": {"proximity": {"name": "ppmi", "window": 2}, "nonlinearity": "log", "embedding": {"name": "svd", "dim": 2}},
}
SLOW = {"svd": pytest.mark.slow}  # dozens of passes


pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def compiled(graph):
    """All compiled code is in the cache that workers share: compiling takes more memory than they have."""
    for method in METHODS.values():
        rows(graph, method)


@pytest.fixture(scope="module")
def cluster(compiled):
    """Two workers, whatever tests do to them.

    Dask gives a worker up for good if it is away at one moment, ``lost-worker-timeout`` after *any* of its deaths: a
    second death just then would leave one worker to all later tests.
    """
    dask = pytest.importorskip("dask")
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit="600MB", silence_logs=50
        ) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as made:
        yield made


@pytest.fixture(scope="module")
def graph():
    return phusion.as_graph(nx.barabasi_albert_graph(1200, 3, seed=1))


@pytest.fixture(scope="module")
def heavy():
    """A graph whose powers overflow."""
    edges = nx.barabasi_albert_graph(1200, 3, seed=1).edges
    return phusion.as_graph([(u, v, 1e40) for u, v in edges])


def rows(graph, method, executor=None):
    resources = Resources(executor=executor, strategy="blocked", threads=2)
    return embed_together(graph, [phusion.Spec.from_dict(method)], resources)[0].values


@pytest.fixture(scope="module")
def expected(graph):
    return rows(graph, HEAT)


def close(found, expected):
    return np.allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


def processes(client):
    return client.run(os.getpid)


def settled(client):
    """Whether nothing is scheduled or held, after a moment."""
    for _ in range(50):
        left = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))
        if not left:
            return True
        time.sleep(0.1)
    pytest.fail(f"still there: {left}")


@pytest.mark.parametrize("method", [pytest.param(METHODS[name], id=name, marks=SLOW.get(name, ())) for name in METHODS])
def test_results_are_those_of_threads_and_nothing_stays_on_the_workers(graph, client, method):
    assert close(rows(graph, method, client), rows(graph, method))
    assert settled(client) and not client.futures


@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")
@pytest.mark.parametrize("name", ["preferential", "directed", "signed_directed"])
def test_workers_give_what_threads_give_of_every_proximity(client, name):
    """In one call each, as blocks of small graphs take less time than to ask for them."""
    small = graphs()[name]
    wanted = [phusion.Spec(one, "log", Characteristic(4)) for one in examples("proximities") if takes(one, small)]
    there, here = (
        embed_together(small, wanted, Resources(executor=executor, strategy="blocked", width=16, threads=2))
        for executor in (client, None)
    )
    assert len(wanted) > 5
    for one, other in zip(there, here, strict=True):
        assert close(one.values, other.values), one.spec


def test_workers_are_found_by_address_and_the_dashboard_is_announced(graph, cluster, expected):
    said = []
    with watching(lambda message, *_: said.append(message)):
        assert close(rows(graph, HEAT, cluster.scheduler_address), expected)
    assert said[0] == f"2 threads of Dask workers; dashboard: {cluster.dashboard_link}"
    assert said[1] == "pass 1 of 1: rows"


def test_the_client_of_this_process_is_used(graph, heavy, client, expected):
    with client.as_current():
        said = []
        with watching(lambda message, *_: said.append(message)):
            assert close(rows(graph, HEAT, "dask"), expected)
        assert client.dashboard_link in said[0]
        with pytest.raises(InputError, match="not finite"):  # an error does not start workers of its own
            rows(heavy, OVERFLOW, "dask")


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["local", "dask"])
def test_workers_are_started_where_there_are_none_and_end(graph, expected, executor):
    before = set(psutil.Process().children(recursive=True))
    assert close(rows(graph, HEAT, executor), expected)
    assert not [one for one in set(psutil.Process().children(recursive=True)) - before if "spawn_main" in _words(one)]


def _words(process):
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""


def heard_by(pid):
    """Addresses and ports a process listens to."""
    found = psutil.Process(pid).net_connections("tcp")
    return {(one.laddr.ip, one.laddr.port) for one in found if one.status == psutil.CONN_LISTEN}


def test_workers_that_are_started_listen_to_this_machine_alone():
    before = heard_by(os.getpid())
    with on_dask.dask_client("local", 1) as client:
        workers = processes(client).values()
        heard = (heard_by(os.getpid()) - before).union(*map(heard_by, workers))
    assert len(heard) >= 2 and {address for address, _ in heard} == {"127.0.0.1"}


def test_what_is_held_is_sent_once_for_all_passes(graph, client, monkeypatch):
    sent = []
    scattered = on_dask.DaskExecutor.scattered

    def spy(self, value):
        sent.append(len(pickle.dumps(value)))
        return scattered(self, value)

    monkeypatch.setattr(on_dask.DaskExecutor, "scattered", spy)
    rows(graph, METHODS["histogram"], client)
    assert len(sent) == 3  # two passes
    assert sum(size > 10_000 for size in sent) == 1


@pytest.mark.parametrize(("victims", "between_passes"), [(1, False), (2, False), (2, True)])
def test_workers_may_die(graph, client, victims, between_passes):
    doomed = list(processes(client).values())[:victims]

    def kill(message, done, total):
        while done and doomed and (done == total or not between_passes):
            os.kill(doomed.pop(), signal.SIGKILL)
        if between_passes and done == total and "pass 1" in message:
            time.sleep(1)  # the scheduler notices before the next pass begins

    method = replace(phusion.Spec.from_dict(HEAT), nonlinearity="log")  # more than one pass
    before = rows(graph, method.as_dict())
    with watching(kill):
        assert close(rows(graph, method.as_dict(), client), before)
    assert not doomed
    client.wait_for_workers(2, timeout=30)


def test_a_worker_may_die_while_it_is_sent_something(graph, compiled):
    method = replace(phusion.Spec.from_dict(HEAT), nonlinearity="log").as_dict()  # more than one pass
    expected, found, doomed = rows(graph, method), [], []

    def kill(message, done, total):
        if "pass 1" in message and done == total and doomed:  # it does not answer to the next pass, and then is gone
            victim = doomed.pop()
            os.kill(victim, signal.SIGSTOP)
            threading.Timer(1.0, os.kill, (victim, signal.SIGKILL)).start()

    def run():
        with watching(kill):
            found.append(rows(graph, method, client))

    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(**settings) as own, distributed.Client(own, set_as_default=False) as client:
        doomed += list(processes(client).values())[:1]
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(60)
        assert found and not doomed, "it waits for a worker that is gone"
        assert close(found[0], expected)


def test_blocks_are_as_narrow_as_the_memory_of_workers_asks(graph, client):
    method = {
        "proximity": {"name": "heat", "scale": np.linspace(0.1, 0.5, 120).tolist()},
        "embedding": {"name": "histogram", "bins": 4, "edges": "own"},
    }
    resources = Resources(executor=client, strategy="blocked")
    part = plan_of(phusion.Spec.from_dict(method), graph, resources).parts[0]
    assert part.width < 128 and part.there <= resources.workers.memory and part.threads == 2
    before = processes(client)
    found = rows(graph, method, client)
    assert np.allclose(found.sum(axis=1), 1200 * 120)
    assert processes(client) == before
    assert "2 on Dask, each with up to" in plan_of(phusion.Spec.from_dict(method), graph, resources).explain()


def test_what_does_not_fit_a_worker_is_refused(graph, monkeypatch):
    monkeypatch.setattr(on_dask, "dask_workers", lambda *_: Workers(2, 2, 1, memory=100_000))
    with pytest.raises(InputError, match=r"in each Dask worker, which has 0\.1 MB free"):
        plan_of(phusion.Spec.from_dict(HEAT), graph, Resources(executor="tcp://a:1", strategy="blocked"))


def test_local_workers_share_the_budget(graph):
    spec = phusion.Spec.from_dict(HEAT)
    alone = plan_of(spec, graph, Resources(memory="30MB", threads=4, strategy="blocked")).parts[0]
    local = plan_of(spec, graph, Resources(memory="30MB", threads=4, strategy="blocked", executor="local")).parts[0]
    assert alone.peak <= 30e6 and local.peak <= 30e6 and local.threads == 4


def test_wrong_executors_are_refused_before_the_work(graph, monkeypatch):
    with pytest.raises(InputTypeError, match=r"scheduler's address like .* got int"):
        phusion.embed("karate", executor=5)
    with pytest.raises(InputError, match="got 'locl'"):
        phusion.embed("karate", executor="locl")
    monkeypatch.setattr(on_dask, "_PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"):
        phusion.embed(graph, executor="tcp://127.0.0.1:1")


def test_closed_clients_are_refused(graph, cluster):
    with distributed.Client(cluster, set_as_default=False) as gone:
        pass
    with pytest.raises(InputError, match="asynchronous or closed"):
        rows(graph, HEAT, gone)


def test_workers_with_another_version_are_refused(graph, client, monkeypatch):
    monkeypatch.setattr(phusion, "__version__", "9.9")
    with pytest.raises(InputError, match=r"has phusion .* but here is 9\.9"):
        rows(graph, HEAT, client)


class Fake:
    """A client with workers as given."""

    def __init__(self, workers):
        self.workers = workers

    def submit(self, *_, **__):
        return type("Task", (), {"release": lambda _: None})()

    def wait_for_workers(self, count, timeout):
        if not self.workers:
            raise TimeoutError

    def nthreads(self):
        return self.workers

    def run(self, function, on_error):
        return self.workers


def test_schedulers_without_workers_and_workers_without_phusion_are_refused():
    with pytest.raises(InputError, match="there is no Dask worker, 1 seconds on"):
        look(Fake({}), 1)
    with pytest.raises(InputError, match=r"tcp://a:1 cannot use phusion: No module .* Install phusion-embed=="):
        look(Fake({"tcp://a:1": ModuleNotFoundError("No module named 'phusion'")}), 1)


def test_the_last_worker_may_leave_before_it_is_asked():
    class Leaving(Fake):
        def run(self, function, on_error):
            return {}

    with pytest.raises(InputError, match="the last Dask worker has left"):
        look(Leaving({"tcp://a:1": None}), 1)


def test_the_room_of_workers_is_that_of_the_smallest():
    facts = {"a": (phusion.__version__, True, 2, 100, 1000), "b": (phusion.__version__, True, 4, 700, 1000)}
    assert look(Fake(facts), 1) == Workers(2, 6, 4, memory=50)
    assert look(Fake({"a": (phusion.__version__, True, 2, 100, None)}), 1).memory is None


def test_workers_without_numba_are_refused_by_a_process_that_has_it(monkeypatch):
    without = Fake({"tcp://a:1": (phusion.__version__, False, 2, 100, None)})
    monkeypatch.setattr(workers, "compiler", lambda: "numba")
    with pytest.raises(InputError, match=r"tcp://a:1 has no numba, .* install 'phusion-embed\[fast\]' there"):
        look(without, 1)
    monkeypatch.setattr(workers, "compiler", lambda: None)
    assert look(without, 1).threads == 2


@pytest.mark.parametrize("writes", [False, True])
def test_errors_in_blocks_are_those_of_threads(heavy, client, tmp_path, writes):
    said = []
    for executor in (None, client):
        with pytest.raises(InputError) as caught:
            if writes:
                phusion.embed_to(tmp_path / "e.zarr", heavy, OVERFLOW, executor=executor)
            else:
                rows(heavy, OVERFLOW, executor)
        said.append(str(caught.value))
    assert said[0] == said[1] and "not finite" in said[0]
    assert not list(tmp_path.iterdir())
    del caught
    assert settled(client)


def test_an_interruption_cancels_what_is_scheduled(graph, client):
    def interrupt(message, done, total):
        if done:
            raise KeyboardInterrupt

    with watching(interrupt), pytest.raises(KeyboardInterrupt) as caught:
        rows(graph, METHODS["svd"], client)
    del caught
    assert settled(client) and not client.futures


@pytest.mark.slow
def test_an_interruption_ends_local_workers(graph):
    before = set(psutil.Process().children(recursive=True))
    begun = []

    def interrupt(message, done, total):
        if done:
            begun.extend(set(psutil.Process().children(recursive=True)) - before)
            raise KeyboardInterrupt

    with watching(interrupt), pytest.raises(KeyboardInterrupt):
        rows(graph, HEAT, "local")
    workers = [one for one in begun if "spawn_main" in _words(one)]
    assert begun and not psutil.wait_procs(workers, timeout=5)[1]


@pytest.mark.parametrize("name", ["e.parquet", "e.zarr"])
def test_workers_write_the_parts_and_the_client_receives_no_rows(graph, client, tmp_path, monkeypatch, expected, name):
    received = []
    plain = on_dask.DaskExecutor.map

    def spy(self, *arguments, **others):
        for found in plain(self, *arguments, **others):
            received.append(len(pickle.dumps(found)))
            yield found

    monkeypatch.setattr(on_dask.DaskExecutor, "map", spy)
    written = phusion.embed_to(tmp_path / name, graph, HEAT, executor=client)
    assert len(received) == written.n_parts > 1 and max(received) < 100
    found = phusion.Embedding.load(tmp_path / name)
    assert close(found.values, expected) and found.nodes.tolist() == graph.nodes.tolist()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_worker_that_dies_while_writing_leaves_no_trace(graph, client, tmp_path, expected):
    doomed = list(processes(client).values())[:1]

    def kill(message, done, total):
        while done and doomed:
            os.kill(doomed.pop(), signal.SIGKILL)

    with watching(kill):
        written = phusion.embed_to(tmp_path / "e.parquet", graph, HEAT, executor=client)
    assert not doomed and close(written.load().values, expected)
    names = sorted(path.name for path in written.path.iterdir())
    assert names == [f"part-{part:05}.parquet" for part in range(written.n_parts)]
    client.wait_for_workers(2, timeout=30)


def test_small_graphs_do_not_wait_for_workers():
    resources = Resources(executor="tcp://127.0.0.1:1")
    karate = phusion.datasets.load("karate")
    spec = phusion.Spec.from_dict(HEAT)
    assert make_plan(karate, plan_of(spec, karate, resources).jobs, resources).strategy == "dense"
