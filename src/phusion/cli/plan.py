"""`phusion plan`: how an embedding would be computed, and what that would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from phusion.cli import exit_codes
from phusion.cli.how import Computing
from phusion.cli.method import Method, UsageError
from phusion.cli.reading import Reading

if TYPE_CHECKING:
    from phusion.execution.projection import Projection
    from phusion.spec import Spec

__all__ = ["plan"]


def plan(
    graph: str | None = None,
    /,
    *,
    method: Method | None = None,
    computing: Computing | None = None,
    how: Reading | None = None,
    accuracy: str = "exact",
    edges: str | None = None,
    workers: int | None = None,
    partitioned: bool = False,
) -> int:
    """Say how the nodes of a graph would be embedded: strategy, passes, memory and time. Nothing is embedded.

    Exit code 3: it does not fit in the memory that is given.

    Examples: phusion plan friends.csv --preset graphwave; phusion plan friends.csv --preset netmf --memory 2GB;
    phusion plan --nodes 1e6 --edges 1e7 --preset graphwave --memory 64GB --workers 100 --threads 16

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name. Without it, --nodes and --edges are numbers,
        and the plan is a projection for a graph that is not there.
    accuracy
        "exact", a relative error such as 0.01, or "auto", as of `phusion embed`.
    edges
        How many edges, for a projection; --nodes says how many nodes.
    workers
        How many Dask workers, for a projection, each on a machine with --memory and --threads.
    partitioned
        Rows are written as they are computed, as by `phusion embed --partitioned`.
    """
    from phusion.cli.embed import node_method
    from phusion.cli.method import saying_warnings
    from phusion.cli.reading import read_one

    how = how or Reading()
    _check(graph, how, edges, workers)
    spec = node_method(method)
    resources = (computing or Computing()).arguments(accuracy)
    if graph is None:
        with saying_warnings():
            projection = _projected(spec, resources, how, edges, workers, partitioned)
            print(projection.explain())
        return exit_codes.OK if projection.fits else exit_codes.BAD_INPUT
    found = read_one(graph, how, "plan")
    with saying_warnings():
        from phusion.graph_estimator import model_of

        print(model_of(spec, **resources).plan(found, partitioned=partitioned).explain())
    return exit_codes.OK


def _check(graph: str | None, how: Reading, edges: str | None, workers: int | None) -> None:
    """A graph, or the numbers of one."""
    if graph is not None and (edges is not None or workers is not None):
        raise UsageError(
            f"--edges and --workers are for a graph that is not there; give them, or the graph {graph!r}, not both"
        )
    if graph is None and (how.nodes is None or edges is None):
        given = " and ".join(name for name, value in (("--nodes", how.nodes), ("--edges", edges)) if value is not None)
        raise UsageError(
            "give a GRAPH, or --nodes and --edges as numbers, such as --nodes 1e6 --edges 1e7; "
            f"got {given or 'neither'}"
        )


def _projected(
    spec: Spec, resources: dict[str, Any], how: Reading, edges: str | None, workers: int | None, partitioned: bool
) -> Projection:
    from phusion.errors import InputError
    from phusion.execution.projection import project
    from phusion.execution.resources import Resources
    from phusion.execution.workers import Workers

    if resources["executor"] is not None:
        raise UsageError("a graph that is not there has no use for --dask; say --workers with a number of them")
    given = Resources(**resources)
    weighted = how.weight not in (None, "none")
    try:
        if workers is not None:
            executor = Workers.imagined(workers, given.n_threads, given.budget)
            given = Resources(**{**resources, "executor": executor})
        kind = {"directed": bool(how.directed), "weighted": weighted, "partitioned": partitioned}
        return project(spec, how.nodes, edges, given, **kind)
    except InputError as error:
        raise UsageError(str(error)) from error
