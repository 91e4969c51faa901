"""The one door: `as_graph` and `as_batch` accept any graph and say what they made of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np

from phusion.errors import FileError, GraphNotice, InputError, InputTypeError, NoEdgesError, PhusionError
from phusion.graph import sources
from phusion.graph.batch import GraphBatch
from phusion.graph.build import build, report
from phusion.graph.dialect import is_integer
from phusion.graph.draft import Draft, Duplicates, Options
from phusion.graph.files import read_file
from phusion.graph.given_labels import add_labels
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, object_array
from phusion.graph.lines import whole_text
from phusion.graph.nodes import add_nodes
from phusion.graph.pipes import settled

__all__ = ["all_sources", "as_batch", "as_graph"]

_TOO_LARGE = "this graph does not fit in memory; are its sizes and ids what you mean?"
_LAST = "edges"  # plain Python iterables: asked after every library


@cache
def all_sources() -> tuple[Any, ...]:
    """Every module of `phusion.graph.sources`, in the order in which they are asked."""
    names = sorted((m.name for m in iter_modules(sources.__path__)), key=lambda name: (name == _LAST, name))
    return tuple(import_module(f"{sources.__name__}.{name}") for name in names)


def as_graph(
    data: Any,
    *,
    directed: bool | None = None,
    weight: str | int | None = "auto",
    nodes: Any = None,
    labels: Any = None,
    duplicates: Duplicates = "auto",
    source: str | int | None = None,
    target: str | int | None = None,
    format: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    comments: str = "#%",
    encoding: str = "utf-8",
    progress: Callable[[int, int | None], None] | None = None,
) -> Graph:
    """Make a `Graph` of anything that is one. The caller's object is never changed.

    Nothing is dropped or added silently. What was combined, guessed or ignored is said once, as a
    `phusion.errors.GraphNotice`, and stands in ``graph.reading.notes``.

    Parameters
    ----------
    data : a path; or a scipy sparse matrix or array, numpy square array, networkx or igraph graph,
        pandas / polars / pyarrow edge frame, PyTorch Geometric ``Data``, DGL graph, edge tuples,
        ``{node: neighbours}``; or a `Graph`, which comes back as it is.
    directed : None takes what the source says of itself. Matrices are directed if they are not symmetric.
        Lists are undirected, and may give each pair once or twice, unless the two directions of a pair
        have different weights.
    weight : the column, edge attribute or its place that holds weights; None ignores weights.
        ``"auto"`` takes what is called weight, or a third column of numbers.
    nodes : ids that edges may not name: a list, a number n for 0..n−1, or a frame or file with an id
        column (its other columns become node attributes). These nodes come first, in this order.
    labels : classes of the nodes: a sequence in node order, a mapping, a nodes × classes matrix, a frame
        or file with columns id and label (several lines per node allowed), or the name of a node attribute.
    duplicates : what becomes of an edge given more than once: ``"auto"`` counts it once in lists without
        weights and sums the weights otherwise; ``"sum"``, ``"first"``, ``"max"``; ``"error"`` refuses.
    source, target : columns of frames and edge lists, by name or place, where names do not tell.
    format : the file's format, where suffix and content do not tell.
    delimiter, header, comments, encoding : of text files, where guessing fails; `comments` are the
        characters that start a comment line.
    progress : called with (bytes read, bytes in all) while a file is read.

    Raises
    ------
    phusion.errors.PhusionError
        for everything that cannot be a graph; also a ``ValueError``, or a ``TypeError`` for wrong types.

    Examples
    --------
    >>> import numpy as np
    >>> as_graph(np.array([[0, 2], [2, 0]]))
    Graph(2 nodes, 1 edge, undirected, weighted)
    >>> as_graph([("ada", "bob")], nodes=["ada", "bob", "cleo"]).isolated
    array([False, False,  True])
    """
    options = Options(
        directed, weight, source, target, duplicates, format, delimiter, header, comments, encoding, progress
    )
    if isinstance(data, Graph) and replace(options, progress=None) == Options() and nodes is labels is None:
        return data
    graph = _admit(data, options, nodes, labels)
    if graph.reading is not None:
        report(graph.reading.notes, graph.reading.source or "graph")
    return graph


def _admit(data: Any, options: Options, nodes: Any, labels: Any) -> Graph:
    try:
        return _built(data, options, nodes, labels)
    except MemoryError as error:
        raise InputError(_TOO_LARGE) from error


def _built(data: Any, options: Options, nodes: Any, labels: Any) -> Graph:
    try:
        draft = _draft(data, options)
    except NoEdgesError:
        if nodes is None:
            raise
        draft = _edgeless(data)  # a list without edges is a graph if the nodes are given
    _heed_weight_option(draft, options)
    if nodes is not None:
        with _again(nodes) as given:
            add_nodes(draft, given, options)
    if labels is not None:
        with _again(labels) as given:
            add_labels(draft, given, options)
    if not len(draft.nodes):
        raise FileError(
            "no edges and no nodes: a graph needs at least one node; give nodes= for a graph without edges",
            path=draft.path,
        )
    return build(draft, options)


def _again(given: Any) -> AbstractContextManager[Any]:
    """The same, as a file that can be read again if it is a pipe."""
    return settled(Path(given)) if isinstance(given, (str, Path)) and _is_pipe(given) else nullcontext(given)


def _is_pipe(given: str | Path) -> bool:
    try:
        return Path(given).is_fifo()
    except (OSError, ValueError):  # a name of an attribute, too long for a path
        return False


def _heed_weight_option(draft: Draft, options: Options) -> None:
    if options.weight is None and draft.weights is not None:
        present = draft.weights != 0
        draft.rows, draft.cols, draft.weights = draft.rows[present], draft.cols[present], None
        draft.edge_attributes = {name: values[present] for name, values in draft.edge_attributes.items()}
    if options.weight not in ("auto", None) and not draft.weight_names:
        raise InputError(
            f"weight={options.weight!r}: the entries of a {draft.source} have no names; weight=None ignores them"
        )


def _edgeless(data: Any) -> Draft:
    none = np.empty(0, dtype=np.int64)
    path = Path(data) if isinstance(data, (str, Path)) else None
    return Draft(none, none, none, source=str(data) if path else "edge tuples", path=path)


def _draft(data: Any, options: Options) -> Draft:
    if isinstance(data, Graph):
        options.refuse_all_but((), "graph that is one already")
        return _reopened(data, options)
    if isinstance(data, GraphBatch):
        raise InputTypeError(f"this is a batch of {len(data):,} graphs; use phusion.as_batch, or batch[0]")
    if isinstance(data, (str, Path)):
        found = read_file(Path(data), options)
        if isinstance(found, Draft):
            return found
        if len(found) == 1:
            return _reopened(found[0], options)
        raise InputTypeError(f"{data} holds {len(found):,} graphs; use phusion.as_batch({str(data)!r})")
    for module in all_sources():
        if module.matches(data):
            options.refuse_all_but(getattr(module, "UNDERSTANDS", ()), type(data).__name__)
            draft: Draft = module.read(data, options)
            return draft
    accepted = "; ".join(module.TITLE for module in all_sources())
    raise InputTypeError(f"cannot make a graph of {type(data).__name__}. Accepted: a path; {accepted}")


def _reopened(graph: Graph, options: Options) -> Draft:
    """A graph as a draft again, to give it other nodes, labels or direction."""
    rows, cols, weights = graph.edge_list()
    draft = Draft(
        rows.astype(np.int64),
        cols.astype(np.int64),
        graph.nodes,
        None if options.weight is None else weights,
        graph.directed,
        "edges",
        dict(graph.attributes),
        graph.labels,
        name=graph.name,
        source=repr(graph),
    )
    if graph.edge_attributes:
        draft.notes.append("edge attributes were not carried over")
    return draft


def as_batch(data: Any, *, labels: Any = None, **options: Any) -> GraphBatch:
    """Make a `GraphBatch` of many graphs.

    Parameters
    ----------
    data : a TUDataset folder or zip, or a list or generator of anything `as_graph` accepts;
        a `GraphBatch` comes back as it is.
    labels : one class per graph: a sequence, or a text file with one label a line.
    options : as of `as_graph`, for every graph.

    Examples
    --------
    >>> batch = as_batch([[("a", "b")], [(1, 2), (2, 3)]])
    >>> [len(graph) for graph in batch]
    [2, 3]
    """
    asked = _batch_options(options)
    if isinstance(data, (GraphBatch, str, Path)):
        usable = ("directed", "duplicates", "format", "progress") if not isinstance(data, GraphBatch) else ()
        unused = [name for name in options if name not in usable]
        if unused:
            what = "file of many graphs" if usable else "batch that is one already"
            raise InputError(f"{', '.join(unused)}: no such choice for a {what}")
    if isinstance(data, GraphBatch):
        batch = data
    elif isinstance(data, (str, Path)):
        try:
            found = read_file(Path(data), asked)
        except MemoryError as error:
            raise InputError(_TOO_LARGE) from error
        if isinstance(found, Draft):
            raise InputTypeError(f"{data} holds one graph; use phusion.as_graph, or as_batch([…]) for several")
        batch = found
        report(batch.notes, f"TUDataset {data}")
    else:
        batch = _collected(data, asked, options)
    if labels is not None:
        batch = replace(batch, labels=_graph_labels(labels))
    return batch


def _batch_options(options: dict[str, Any]) -> Options:
    try:
        return Options(**{name: value for name, value in options.items() if name != "nodes"})
    except TypeError as error:
        raise InputTypeError(f"as_batch: {error}".replace("Options.__init__()", "it")) from error


def _collected(data: Any, asked: Options, options: dict[str, Any]) -> GraphBatch:
    if isinstance(data, Mapping) or not isinstance(data, Iterable) or _is_single_graph(data):
        raise InputTypeError(
            f"a batch is a list or generator of graphs; got one {type(data).__name__}. "
            "Put it in a list: as_batch([graph])"
        )
    graphs: list[Graph] = []
    notes: dict[str, list[int]] = {}
    marks: list[Any] = []
    for place, item in enumerate(data):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", GraphNotice)
                same = isinstance(item, Graph) and not options
                graph = item if same else _admit(item, asked, options.get("nodes"), None)
        except PhusionError as error:
            hint = ""
            if isinstance(item, (tuple, list)) and len(item) in (2, 3) and place == 0:
                hint = ". If this is the edge list of one graph, use as_graph, or as_batch([edges])"
            kind = InputTypeError if isinstance(error, TypeError) else InputError
            raise kind(f"graph {place} of the batch: {error}{hint}") from error
        graphs.append(graph)
        marks.append(_own_label(item))
        for note in graph.reading.notes if graph.reading and item is not graph else ():
            notes.setdefault(note, []).append(place)
    if not graphs:
        raise InputError("a batch needs at least one graph; got none")
    said = tuple(f"{note} ({_places(places)})" for note, places in notes.items())
    report(said, "batch")
    own = _graph_labels(marks) if all(mark is not None for mark in marks) else None
    return GraphBatch(tuple(graphs), own, notes=said)


def _places(places: list[int]) -> str:
    return f"graph {places[0]}" if len(places) == 1 else f"{len(places):,} graphs, first {places[0]}"


def _is_single_graph(data: Any) -> bool:
    """Whether some library's graph was given where a list of graphs belongs (some can be iterated)."""
    return isinstance(data, (Graph, np.ndarray)) or any(
        module.matches(data) for module in all_sources() if not module.__name__.endswith(_LAST)
    )


def _own_label(item: Any) -> Any:
    from phusion.graph.sources import pyg

    return pyg.graph_label(item) if pyg.matches(item) else None


def _graph_labels(labels: Any) -> Array:
    if isinstance(labels, (str, Path)):
        words = [line.strip() for line in whole_text(Path(labels), Options()).splitlines() if line.strip()]
        labels = [int(word) for word in words] if all(map(is_integer, words)) else words
    if not isinstance(labels, Iterable):
        raise InputTypeError(f"labels of a batch are a sequence or a file; got {type(labels).__name__}")
    values = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    kinds = {type(value) for value in values}
    return np.array(values) if kinds in ({int}, {float}, {str}, {bool}) else object_array(values)
