"""`phusion explore`: a graph as one page, under two lenses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from phusion.cli import exit_codes
from phusion.cli.how import Computing
from phusion.cli.reading import Reading

if TYPE_CHECKING:
    from phusion.explorer.explore import Explored

__all__ = ["explore"]

_Methods = Annotated[list[str] | None, Parameter(consume_multiple=False, negative=())]


def explore(
    graph: str,
    /,
    *,
    out: Annotated[Path, Parameter(name=["--out", "-o"])] = Path("explore.html"),
    positional: _Methods = None,
    structural: _Methods = None,
    embedding: _Methods = None,
    map: Literal["auto", "pca", "tsne", "umap"] = "auto",
    sample: int = 50_000,
    neighbours: int | None = None,
    seed: int = 0,
    computing: Computing | None = None,
    how: Reading | None = None,
    accuracy: str = "auto",
    force: bool = False,
) -> int:
    """Write one page that shows a graph under two lenses: which nodes are near, and which are alike.

    The page needs no network and no server; open it in any browser.

    Examples: phusion explore karate; phusion explore friends.csv --labels clubs.csv -o friends.html --map tsne;
    phusion explore usa --positional netmf --positional mine=mine.toml --structural graphwave;
    phusion explore large.csv --embedding near.parquet --embedding roles.parquet --sample 20000

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    out
        Where to; it ends in .html or .htm.
    positional
        A method for the first map: a preset, FILE.toml or NAME=FILE.toml; several may be given. Default: netmf, or hope
        where netmf does not take the graph, or hope-pagerank where arcs make no cycle; edge-pmi for more than
        20,000 nodes.
    structural
        The same for the second map. Default: graphwave; pagerank with characteristic for directed graphs; srde for
        signed ones; heat at scales 0.1, 1 and 10 for more than 20,000 nodes, or walks of two steps where heat does not
        take the graph.
    embedding
        An embedding that `phusion embed` wrote, FILE or NAME=FILE, to be shown as it is; several may be given. It goes
        to the map of its kind, its rows to the nodes of their ids. Maps have no other methods then by default.
    map
        How rows become points; auto: t-SNE for 50 to 5,000 nodes, else PCA.
    sample
        Most nodes that are shown; of larger graphs so many, whose degrees are spread as those of all.
    neighbours
        How many nearest nodes are listed for each node; 10 if not given, or a quarter of a small graph's nodes.
    seed
        Seed of maps, clusters and the sample.
    accuracy
        Of structural methods: "exact"; a relative error such as 0.01, which is measured, certified and shown (exit code
        6 if missed); or "auto": exact up to 20,000 nodes or if that takes about a minute or less, else 0.01.
    force
        Replace OUT if it exists.
    """
    from phusion.cli.console import passes_progress, say_notes
    from phusion.cli.method import UsageError, saying_warnings
    from phusion.cli.reading import read_one
    from phusion.errors import FileError, InputError
    from phusion.execution.resources import Resources

    resources = Resources(**(computing or Computing()).arguments(accuracy))
    _check(out, force)
    found = read_one(graph, how, "explore")
    with saying_warnings(), passes_progress(f"embedding {len(found):,} nodes"):
        from phusion.explorer.content import Look
        from phusion.explorer.explore import write_page

        methods = {"positional": positional, "structural": structural}
        try:
            look = Look(map, sample, neighbours, seed)
            page = write_page(found, out, methods, embedding, look, resources, overwrite=force)
        except FileError:
            raise
        except InputError as error:
            raise UsageError(str(error)) from error
    if len(found) > sample:
        say_notes([f"{sample:,} of {len(found):,} nodes are shown; --sample N shows more or fewer"])
    shown = min(sample, len(found))
    print(f"{out}: {shown:,} node{'s'[: shown != 1]}, {out.stat().st_size / 1e6:.1f} MB")
    return _told(page)


def _check(out: Path, force: bool) -> None:
    """What cannot be written is refused before the graph is read."""
    from phusion.cli.method import UsageError
    from phusion.errors import InputError
    from phusion.explorer.explore import check_page

    try:
        check_page(out, force)
    except InputError as error:
        raise UsageError(str(error)) from error


def _told(page: Explored) -> int:
    """Say which methods a large graph got, and how near approximate ones are; the exit code is of the worst."""
    from phusion.cli.console import say_notes
    from phusion.cli.embed import certified
    from phusion.explorer.designs import told_large

    large = told_large(page.designs)
    say_notes([large] if large else [])
    codes = [exit_codes.OK]
    for design in page.designs:
        rows = page.rows[design.name]
        for one in rows.fidelity:
            print(f"{design.name}: fidelity: {one}")
        if rows.certificate is not None:
            print(f"{design.name}: ", end="")
            codes.append(certified(rows.certificate))
    return max(codes)
