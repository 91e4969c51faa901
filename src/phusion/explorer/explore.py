"""`phusion.explore`: a graph as a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from phusion.drawing.maps import kind_for
from phusion.errors import InputError
from phusion.execution.resources import Resources
from phusion.explorer.content import Look, content_of
from phusion.explorer.designs import LENSES, chosen, told_apart
from phusion.explorer.page import page_of
from phusion.inputs import one_graph
from phusion.output import refuse_existing, whole_file

__all__ = ["explore"]


def explore(
    graph: Any,
    out: str | Path = "explore.html",
    *,
    positional: Any = None,
    structural: Any = None,
    map: str = "auto",
    sample: int = 50_000,
    neighbours: int = 10,
    seed: int = 0,
    overwrite: bool = False,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
) -> Path:
    """Write one page that shows a graph under two lenses: which nodes are near, and which are alike.

    The page needs no network and no server. Its parts are described in the documentation's chapter "Explore".

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name. Labels and attributes are shown.
    out : where to.
    positional, structural : the methods of either map: presets' names, specs, ``"NAME=FILE.toml"``, or a list or a
        mapping of several, between which the page switches. By default such as suit the graph: NetMF or HOPE, and
        GraphWave or sRDE.
    map : how rows become points: ``"pca"``, ``"tsne"``, ``"umap"``; ``"auto"`` is t-SNE for 50 to 5,000 nodes,
        else PCA.
    sample : most nodes that are shown; of larger graphs so many, whose degrees are spread as those of all.
    neighbours : how many nearest nodes are listed for each node.
    seed : of maps, clusters and the sample.
    overwrite : whether a file that is there may be replaced.
    memory, precision, threads, executor : what computing may use, as in `phusion.PhUSION`.

    Returns
    -------
    the path of the page.

    Examples
    --------
    >>> import phusion, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     phusion.explore("karate", f"{folder}/karate.html").name
    'karate.html'
    """
    from phusion.shortcuts import loaded

    for name, value, least in (("sample", sample, 1), ("neighbours", neighbours, 1), ("seed", seed, 0)):
        if type(value) is not int or value < least:
            raise InputError(f"{name} is a whole number ≥ {least}; got {value!r}")
    out = Path(out)
    refuse_existing(out, overwrite)
    kind_for(1, map)
    resources = Resources(memory, threads, precision, executor)  # type: ignore[arg-type]
    found = one_graph(loaded(graph))
    if len(found) == 0:
        raise InputError("the graph has no nodes, so there is nothing to show")
    methods = dict(zip(LENSES, (positional, structural), strict=True))
    designs = [design for lens in LENSES for design in chosen(found, lens, methods[lens])]
    told_apart(designs)
    text = page_of(content_of(found, designs, Look(map, sample, neighbours, seed), resources))
    with whole_file(out) as part:
        part.write_text(text, encoding="utf-8")
    return out
