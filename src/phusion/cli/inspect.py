"""`phusion inspect`: the facts of a graph that matter for embedding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from phusion.cli.reading import Reading

if TYPE_CHECKING:
    from phusion.graph.batch import GraphBatch
    from phusion.graph.graph import Graph

__all__ = ["inspect"]


def inspect(graph: str, /, *, how: Reading | None = None, json: bool = False) -> None:
    """Print what matters for embedding: size, components, weights, degrees, spectrum.

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, a TUDataset folder or zip, or a data set's name.
    json
        Print JSON instead of tables.
    """
    from phusion.cli.console import patience
    from phusion.cli.reading import read
    from phusion.graph.batch import GraphBatch

    found = read(graph, how)
    with patience("measuring"):
        facts = batch_facts(found) if isinstance(found, GraphBatch) else graph_facts(found)
    if json:
        from json import dumps

        print(dumps(facts, indent=2, default=str, allow_nan=False))
    else:
        _print_tables(repr(found), facts)


def graph_facts(graph: Graph) -> dict[str, Any]:
    """Everything `inspect` knows of one graph, as plain numbers and words."""
    import numpy as np

    reading = graph.reading
    alone = graph.isolated
    out = "out_" if graph.directed else ""
    weights = graph.adjacency.data
    facts: dict[str, Any] = {
        "name": graph.name,
        "nodes": len(graph),
        "edges": graph.n_edges - graph.n_self_loops,
        "self_loops": graph.n_self_loops,
        "directed": graph.directed,
        "weighted": graph.weighted,
        "signed": graph.signed,
        "components": graph.n_components,
        "largest_component": int(np.bincount(graph.components).max()),
        "isolated": int(alone.sum()),
        "isolated_with_self_loop": int((alone & (graph.adjacency.diagonal() != 0)).sum()),
        "duplicates": reading.n_duplicates if reading else 0,
        "pairs_given_both_ways": None if graph.directed else reading.n_both_ways if reading else 0,
        "zero_weights": reading.n_zero_weights if reading else 0,
        "weights": None,
        f"{out}degrees": quantiles(np.diff(graph.adjacency.indptr)),
        f"weighted_{out}degrees": quantiles(graph.degrees) if graph.weighted else None,
        "in_degrees": None,
        "lambda_max": graph.lambda_max,
        "spectral_gap": graph.spectral_gap(),
        "labels": None,
        "attributes": list(graph.attributes),
        "notes": list(reading.notes) if reading else [],
    }
    if graph.weighted or graph.signed:
        facts["weights"] = {
            "min": float(weights.min()),
            "median": float(np.median(weights)),
            "max": float(weights.max()),
            "distinct": len(np.unique(weights)),
            "negative": int((graph.edge_list()[2] < 0).sum()),
        }
    if graph.directed:
        facts["in_degrees"] = quantiles(np.bincount(graph.adjacency.indices, minlength=len(graph)))
    if graph.labels is not None:
        facts["labels"] = {
            "classes": len(graph.labels.classes),
            "multi": graph.labels.multi,
            "labelled": graph.labels.n_labelled,
            "smallest_class": min(graph.labels.counts.values(), default=0),
            "largest_class": max(graph.labels.counts.values(), default=0),
        }
    return facts


def batch_facts(batch: GraphBatch) -> dict[str, Any]:
    """Everything `inspect` knows of many graphs."""
    from collections import Counter

    import numpy as np

    sizes = np.array([len(graph) for graph in batch])
    edges = np.array([graph.n_edges - graph.n_self_loops for graph in batch])
    plain = batch.labels is not None and batch.labels.ndim == 1
    classes = Counter(batch.labels.tolist()) if batch.labels is not None and plain else None
    return {
        "name": batch.name,
        "graphs": len(batch),
        "nodes": int(sizes.sum()),
        "edges": int(edges.sum()),
        "self_loops": sum(graph.n_self_loops for graph in batch),
        "directed": any(graph.directed for graph in batch),
        "weighted": any(graph.weighted for graph in batch),
        "signed": any(graph.signed for graph in batch),
        "disconnected_graphs": sum(graph.n_components > 1 for graph in batch),
        "empty_graphs": int((sizes == 0).sum()),
        "isolated": sum(int(graph.isolated.sum()) for graph in batch),
        "nodes_per_graph": quantiles(sizes),
        "edges_per_graph": quantiles(edges),
        "labels": None if classes is None else {str(name): count for name, count in sorted(classes.items())},
        "node_labels": any(graph.labels is not None for graph in batch),
        "node_attributes": sorted({name for graph in batch for name in graph.attributes}),
        "edge_attributes": sorted({name for graph in batch for name in graph.edge_attributes}),
        "notes": list(batch.notes),
    }


def quantiles(values: Any) -> dict[str, float]:
    """Minimum, quartiles, 99 %, maximum and mean."""
    import numpy as np

    names = ("min", "25%", "median", "75%", "99%", "max")
    found = np.quantile(values, (0, 0.25, 0.5, 0.75, 0.99, 1)).tolist()
    return {**dict(zip(names, found, strict=True)), "mean": float(np.mean(values))}


def _print_tables(title: str, facts: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from phusion.cli.console import output

    console = output()
    console.print(f"[bold]{escape(title)}[/bold]", highlight=False)
    table = Table(show_header=False, box=None, pad_edge=False)
    spread = {name: fact for name, fact in facts.items() if isinstance(fact, dict) and "25%" in fact}
    for name, fact in facts.items():
        if name in ("name", "notes") or name in spread or fact is None or fact == []:
            continue
        table.add_row(name.replace("_", " "), escape(_words(fact)))
    console.print(table)
    if spread:
        grid = Table(box=None, pad_edge=False)
        grid.add_column("")
        for name in next(iter(spread.values())):
            grid.add_column(name, justify="right")
        for name, numbers in spread.items():
            grid.add_row(name.replace("_", " "), *(f"{number:,.4g}" for number in numbers.values()))
        console.print(grid)


def _words(fact: Any) -> str:
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, int):
        return f"{fact:,}"
    if isinstance(fact, float):
        return f"{fact:.6g}"
    if isinstance(fact, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_words(value)}" for name, value in fact.items())
    if isinstance(fact, list):
        return ", ".join(map(str, fact))
    return str(fact)
