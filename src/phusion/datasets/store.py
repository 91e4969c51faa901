"""Getting a data set: from ``$PHUSION_DATA``, from the cache, or from its public address, verified."""

from __future__ import annotations

import hashlib
import os
import warnings
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from phusion.datasets.registry import Dataset, RemoteFile, find
from phusion.errors import DatasetError, GraphNotice
from phusion.graph.accept import as_batch, as_graph
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph

__all__ = ["cache_folder", "is_here", "load"]

_HERE = "PHUSION_DATA"


def load(name: str) -> Graph | GraphBatch:
    """Load a data set by name, with its labels, and verify its counts.

    Looked for in the folder ``$PHUSION_DATA``, then in the cache, then downloaded (sha256 verified).

    Parameters
    ----------
    name : see `phusion.datasets.names`, or the command ``phusion datasets``.
    """
    dataset = find(name)
    with warnings.catch_warnings():  # what is odd about these files is known; it stands in reading.notes
        warnings.simplefilter("ignore", GraphNotice)
        result = _read(dataset)
    _verify_counts(dataset, result)
    return result


def _read(dataset: Dataset) -> Graph | GraphBatch:
    if not dataset.files:
        folder = files("phusion.datasets")
        found: Graph | GraphBatch = as_graph(
            str(folder / f"{dataset.name}.edgelist"), labels=str(folder / f"{dataset.name}-labels.csv")
        )
    else:
        paths = {role: _fetch(dataset, file) for role, file in dataset.files.items()}
        if dataset.batch:
            found = as_batch(paths["graph"], **dataset.options)
        else:
            found = as_graph(paths["graph"], labels=paths.get("labels"), **dataset.options)
    return replace(found, name=dataset.name)


def is_here(dataset: Dataset) -> bool:
    """Whether the data set can be loaded without a download."""
    return all(_local(file) is not None for file in dataset.files.values())


def cache_folder() -> Path:
    """Where downloads are kept."""
    import pooch

    return Path(pooch.os_cache("phusion"))


def _local(file: RemoteFile) -> Path | None:
    """The file in ``$PHUSION_DATA`` (in its folder or beside the others) or in the cache."""
    given = os.environ.get(_HERE)
    places = [Path(given) / file.path, Path(given) / Path(file.path).name] if given else []
    if file.url:
        places.append(cache_folder() / file.url.rpartition("/")[2])
    return next((place for place in places if place.is_file()), None)


def _fetch(dataset: Dataset, file: RemoteFile) -> Path:
    local = _local(file)
    if local is not None:
        digest = hashlib.sha256(local.read_bytes()).hexdigest()
        if digest not in (file.sha256, file.url_sha256):
            raise DatasetError(
                f"{local} is not the file the registry knows as {dataset.name!r}: its sha256 is {digest}, "
                f"expected {file.sha256}. Remove it, or read it as a file of your own with phusion.as_graph"
            )
        return local
    name = Path(file.path).name
    ways = f"Either set {_HERE} to a folder that holds {file.path} (or {name})"
    if not file.url:
        raise DatasetError(
            f"data set {dataset.name!r} ({dataset.origin}) is not here, and this file has no public address. "
            f"{ways}, or make the file from its origin"
        )
    ways += f", or connect to the network so that it can be fetched from {file.url}"
    import pooch

    try:
        return Path(
            pooch.retrieve(
                file.url,
                known_hash=f"sha256:{file.url_sha256 or file.sha256}",
                fname=file.url.rpartition("/")[2],
                path=cache_folder(),
            )
        )
    except (OSError, ValueError) as error:  # no network; a checksum that does not match
        raise DatasetError(
            f"data set {dataset.name!r} is not here and could not be fetched ({_brief(error)}). {ways}"
        ) from error


def _brief(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:120]}" if text else type(error).__name__


def _verify_counts(dataset: Dataset, found: Graph | GraphBatch) -> None:
    graphs = found if isinstance(found, GraphBatch) else (found,)
    loops = sum(graph.n_self_loops for graph in graphs)
    actual = {
        "graphs": len(graphs),
        "nodes": sum(len(graph) for graph in graphs),
        "edges": sum(graph.n_edges for graph in graphs) - loops,
        "self_loops": loops,
        "classes": _n_classes(found),
    }
    wrong = {key: (actual[key], count) for key, count in dataset.counts.items() if actual[key] != count}
    if wrong:
        details = ", ".join(f"{key}: {got:,} instead of {due:,}" for key, (got, due) in wrong.items())
        raise DatasetError(f"data set {dataset.name!r} was read wrongly: {details}. Please report this")


def _n_classes(found: Graph | GraphBatch) -> int:
    if isinstance(found, GraphBatch):
        return found.n_classes
    return 0 if found.labels is None else len(found.labels.classes)
