"""One line each: `embed` a graph, or make the estimator of a `preset`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phusion.errors import InputTypeError
from phusion.paths import exists
from phusion.presets.registry import find
from phusion.results.embedding import Embedding
from phusion.spec import Spec

if TYPE_CHECKING:
    from phusion.partitions import PartitionedEmbedding

__all__ = ["embed", "embed_to", "loaded", "preset", "run", "spec_of"]


def preset(
    name: str,
    *,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
    accuracy: Any = "exact",
    **changes: Any,
) -> Any:
    """The unfitted estimator of a published system, with changes.

    Parameters
    ----------
    name : one of ``phusion presets``.
    memory, precision, threads, executor, accuracy : what computing may use, as in `phusion.PhUSION`.
    changes : parameters: ``embedding__dim=32``, or ``dim=32`` where only one part has a dim.

    Examples
    --------
    >>> preset("netmf", dim=16)
    PhUSION(embedding=SVD(dim=16), nonlinearity=Log(floor='one'), proximity=Ppmi(),
            random_state=0)
    """
    from phusion.graph_estimator import model_of

    spec = find(name).spec.replace(**changes)
    return model_of(spec, memory=memory, precision=precision, threads=threads, executor=executor, accuracy=accuracy)


def spec_of(method: Any) -> Spec:
    """The spec of a preset's name, a .toml or .json file, a mapping, a spec or an estimator."""
    if isinstance(method, Spec):
        return method
    if isinstance(method, Mapping):
        return Spec.from_dict(method)
    if isinstance(method, Path) or (isinstance(method, str) and method.endswith((".toml", ".json"))):
        return Spec.read(method)
    if isinstance(method, str):
        return find(method).spec
    if isinstance(getattr(method, "spec", None), Spec):
        return method.spec  # type: ignore[no-any-return]
    raise InputTypeError(
        f"a method is a preset's name, a spec, a mapping, a spec file or an estimator; got {type(method).__name__}"
    )


def embed(
    graph: Any,
    method: Any = "graphwave",
    *,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
    accuracy: Any = "exact",
    **changes: Any,
) -> Embedding:
    """Embed a graph's nodes, or many graphs, in one line.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name; for methods that embed graphs, anything
        `phusion.as_batch` accepts.
    method : a preset's name, a `Spec`, a mapping, a .toml or .json file, or an estimator.
    memory, precision, threads, executor, accuracy : what computing may use, as in `phusion.PhUSION`.
    changes : parameters: ``embedding__dim=32``, or ``dim=32`` where only one part has a dim.

    Returns
    -------
    an `Embedding`: values, ids, the spec and the provenance.

    Examples
    --------
    >>> import phusion
    >>> phusion.embed([("ada", "bob"), ("bob", "cleo")], "netmf", dim=2).values.shape
    (3, 2)
    """
    from phusion.graph_estimator import model_of

    spec = spec_of(method).replace(**changes)
    graph = loaded(graph)
    if spec.pooling is not None:
        graph = _as_many(graph)
    model = model_of(spec, memory=memory, precision=precision, threads=threads, executor=executor, accuracy=accuracy)
    return model.fit(graph).result_  # type: ignore[no-any-return]


def embed_to(
    path: str | Path,
    graph: Any,
    method: Any = "graphwave",
    *,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
    accuracy: Any = "exact",
    overwrite: bool = False,
    **changes: Any,
) -> PartitionedEmbedding:
    """Embed a graph's nodes into a folder or file, in parts, for embeddings larger than memory.

    With a structural embedding function the rows of a part are written by the thread or the Dask worker (which must
    share the file system) that computed them; all rows are never in one place. It appears whole or not at all.

    Parameters
    ----------
    path : ``NAME.parquet`` for a folder of Parquet files in the order of the nodes (needs pyarrow), ``NAME.zarr`` for a
        Zarr group (needs zarr), or ``NAME.npy`` for one file of the values alone. `phusion.Embedding.load` reads them
        all, `numpy.load` with ``mmap_mode="r"`` the last one piece by piece.
    graph : anything `phusion.as_graph` accepts, or a data set's name.
    method : what `embed` takes, for nodes.
    memory, precision, threads, executor, accuracy : what computing may use, as in `phusion.PhUSION`.
    overwrite : whether an embedding that is there may be replaced.
    changes : parameters: ``embedding__dim=32``, or ``dim=32`` where only one part has a dim.

    Examples
    --------
    >>> import phusion, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     phusion.embed_to(f"{folder}/karate.npy", "karate", scale=[0.1, 1])
    PartitionedEmbedding(34 nodes × 100, 1 part)
    """
    from phusion.execution.resources import Resources
    from phusion.inputs import one_graph
    from phusion.partitions import embed_in_parts

    spec = spec_of(method).replace(**changes)
    resources = Resources(memory, threads, precision, executor, accuracy)  # type: ignore[arg-type]
    return embed_in_parts(Path(path), one_graph(loaded(graph)), spec, resources, overwrite=overwrite)


def run(
    graph: Any,
    methods: Iterable[Any],
    *,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
    accuracy: Any = "exact",
) -> list[Embedding]:
    """Embed a graph's nodes by many methods at once, sharing work.

    Methods with the same proximity cost one computation of it: one eigendecomposition or one stream of its columns
    serves all their nonlinearities, embedding functions and scales.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name.
    methods : what `embed` takes as a method, several times; methods for nodes.
    memory, precision, threads, executor, accuracy : what computing may use, as in `phusion.PhUSION`.

    Returns
    -------
    an `Embedding` for each method, in their order.

    Examples
    --------
    >>> import phusion
    >>> names = ["graphwave", {"proximity": "heat", "embedding": {"name": "svd", "dim": 4}}]
    >>> phusion.run("karate", names)
    [Embedding(34 nodes × 100, heat → identity → characteristic), Embedding(34 nodes × 4, heat → identity → svd)]
    """
    from phusion.execution.resources import Resources
    from phusion.graph.accept import as_graph
    from phusion.together import embed_together

    return embed_together(
        as_graph(loaded(graph)),
        [spec_of(method) for method in methods],
        Resources(memory, threads, precision, executor, accuracy),  # type: ignore[arg-type]
    )


def loaded(graph: Any) -> Any:
    """A data set, if this is the name of one and of no file."""
    if isinstance(graph, str) and not exists(graph):
        from phusion.datasets import load
        from phusion.datasets.registry import is_meant

        return load(graph) if is_meant(graph) else graph
    return graph


def _as_many(graph: Any) -> Any:
    """One graph as a batch of one; lists, generators, batches and files of many graphs as they are."""
    from phusion.graph.accept import as_batch, as_graph
    from phusion.graph.batch import GraphBatch

    if isinstance(graph, (str, Path)):
        try:
            return as_batch(graph)
        except InputTypeError:
            return [as_graph(graph)]
    return graph if isinstance(graph, (GraphBatch, list, tuple, Iterator)) else [as_graph(graph)]
