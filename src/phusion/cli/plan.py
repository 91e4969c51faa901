"""`phusion plan`: how an embedding would be computed, and what that would cost."""

from __future__ import annotations

from phusion.cli.how import Computing
from phusion.cli.method import Method
from phusion.cli.reading import Reading

__all__ = ["plan"]


def plan(
    graph: str,
    /,
    *,
    method: Method | None = None,
    computing: Computing | None = None,
    how: Reading | None = None,
    accuracy: str = "exact",
) -> None:
    """Say how the nodes of a graph would be embedded: strategy, passes, memory and time. Nothing is embedded.

    Examples: phusion plan friends.csv --preset graphwave; phusion plan friends.csv --preset netmf --memory 2GB

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    accuracy
        "exact", a relative error such as 0.01, or "auto", as of `phusion embed`.
    """
    from phusion.cli.embed import node_method
    from phusion.cli.method import saying_warnings
    from phusion.cli.reading import read_one

    spec = node_method(method)
    resources = (computing or Computing()).arguments(accuracy)
    found = read_one(graph, how, "plan")
    with saying_warnings():
        from phusion.graph_estimator import model_of

        print(model_of(spec, **resources).plan(found).explain())
