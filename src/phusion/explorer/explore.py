"""`phusion.explore`: a graph as a page to look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phusion.errors import InputError
from phusion.execution.resources import Resources
from phusion.explorer.computed import computed
from phusion.explorer.content import Look, content_of
from phusion.explorer.designs import LENSES, Design, chosen, told_apart
from phusion.explorer.given import given_designs
from phusion.explorer.page import page_of
from phusion.explorer.rows import Rows
from phusion.explorer.sample import displayed
from phusion.graph.accept import as_graph
from phusion.graph.graph import Graph
from phusion.inputs import one_graph
from phusion.output import check_target, whole_file

__all__ = ["SUFFIXES", "Explored", "check_page", "explore", "write_page"]

SUFFIXES = (".html", ".htm")


def explore(
    graph: Any,
    out: str | Path = "explore.html",
    *,
    labels: Any = None,
    positional: Any = None,
    structural: Any = None,
    embeddings: Any = None,
    map: str = "auto",
    sample: int = 50_000,
    neighbours: int | None = None,
    seed: int = 0,
    overwrite: bool = False,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
    accuracy: Any = "auto",
) -> Path:
    """Write one page that shows a graph under two lenses: which nodes are near, and which are alike.

    The page needs no network and no server. Its parts are described in the documentation's chapter "Explore".

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name. Labels and attributes are shown.
    out : where to; it ends in .html or .htm.
    labels : classes of the nodes, as in `phusion.as_graph`; None if the graph has them, or there are none.
    positional, structural : the methods of either map: presets' names, specs, ``"NAME=FILE.toml"``, or a list or a
        mapping of several, between which the page switches. By default such as suit the graph: NetMF or HOPE, and
        GraphWave or sRDE; of more than 20,000 nodes Edge PMI, and heat at scales 0.1, 1 and 10.
    embeddings : embeddings that were computed before, to be shown as they are: an `Embedding`, a file or folder of one,
        ``"NAME=FILE"``, or a list or a mapping of several. Rows are matched by node id. With these, a lens has no
        method by default.
    map : how rows become points: ``"pca"``, ``"tsne"``, ``"umap"``; ``"auto"`` is t-SNE for 50 to 5,000 nodes,
        else PCA.
    sample : most nodes that are shown; of larger graphs so many, whose degrees are spread as those of all.
    neighbours : how many nearest nodes are listed for each node; None is 10, or a quarter of a small graph's nodes.
    seed : of maps, clusters and the sample.
    overwrite : whether a file that is there may be replaced.
    memory, precision, threads, executor : what computing may use, as in `phusion.PhUSION`.
    accuracy : of structural methods, as in `phusion.PhUSION`. ``"auto"`` is exact up to 20,000 nodes, and beyond where
        that takes about a minute or less; else 0.01. The page shows the certificate.

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

    look = Look(map, sample, neighbours, seed)
    check_page(Path(out), overwrite)
    resources = Resources(memory, threads, precision, executor, accuracy)  # type: ignore[arg-type]
    found = one_graph(loaded(graph))
    found = found if labels is None else as_graph(found, labels=labels)
    methods = {"positional": positional, "structural": structural}
    return write_page(found, Path(out), methods, embeddings, look, resources, overwrite=overwrite).path


def check_page(out: Path, overwrite: bool) -> None:
    """Refuse before the work what cannot be written after it, or would not be what its name says."""
    if out.suffix.lower() not in SUFFIXES:
        got = f"got {out.suffix!r}" if out.suffix else "this name has no ending"
        better = out.with_suffix(".html").name if out.name else "explore.html"
        raise InputError(
            f"{out.name or out}: a page ends in {' or '.join(SUFFIXES)}; {got}. Name it {better}; "
            "phusion plot map draws pictures"
        )
    check_target(out, overwrite)


@dataclass(frozen=True)
class Explored:
    """A page that is written.

    Attributes
    ----------
    path : where.
    designs : what it shows.
    rows : by name, the rows of each design, with certificate and fidelity.
    """

    path: Path
    designs: tuple[Design, ...]
    rows: dict[str, Rows]


def write_page(
    graph: Graph,
    out: Path,
    methods: dict[str, Any],
    embeddings: Any,
    look: Look,
    resources: Resources,
    *,
    overwrite: bool = False,
) -> Explored:
    """Embed where that is not done, and write the page; what is wrong with methods and files is said before the work.

    `methods` has those of each lens, or None for what suits the graph. Where embeddings are given, None is none.
    """
    check_page(out, overwrite)
    if len(graph) == 0:
        raise InputError("the graph has no nodes, so there is nothing to show")
    shown = displayed(graph, look.sample, look.seed)
    given = given_designs(graph, shown, embeddings)
    designs = []
    for lens in LENSES:
        designs += [design for design in given if design.lens == lens]
        if methods[lens] is not None or not given:
            designs += chosen(graph, lens, methods[lens])
    told_apart(designs)
    made, profiles = computed(graph, designs, shown, resources)
    text = page_of(content_of(graph, designs, shown, made, profiles, look))
    with whole_file(out, overwrite=overwrite) as part:
        part.write_text(text, encoding="utf-8")
    return Explored(out, tuple(designs), made)
