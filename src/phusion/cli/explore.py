"""`phusion explore`: a graph as one page, under two lenses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from phusion.cli.how import Computing
from phusion.cli.reading import Reading

__all__ = ["explore"]

_Methods = Annotated[list[str] | None, Parameter(consume_multiple=False, negative=())]


def explore(
    graph: str,
    /,
    *,
    out: Annotated[Path, Parameter(name=["--out", "-o"])] = Path("explore.html"),
    positional: _Methods = None,
    structural: _Methods = None,
    map: Literal["auto", "pca", "tsne", "umap"] = "auto",
    sample: int = 50_000,
    neighbours: int = 10,
    seed: int = 0,
    computing: Computing | None = None,
    how: Reading | None = None,
    force: bool = False,
) -> None:
    """Write one page that shows a graph under two lenses: which nodes are near, and which are alike.

    The page needs no network and no server; open it in any browser.

    Examples: phusion explore karate; phusion explore friends.csv --labels clubs.csv -o friends.html --map tsne;
    phusion explore usa --positional netmf --positional mine=mine.toml --structural graphwave

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    out
        Where to.
    positional
        A method for the first map: a preset, FILE.toml or NAME=FILE.toml; several may be given. Default: netmf, or hope
        where netmf does not take the graph or it has more than 20,000 nodes.
    structural
        The same for the second map. Default: graphwave, or srde for directed and signed graphs.
    map
        How rows become points; auto: t-SNE for 50 to 5,000 nodes, else PCA.
    sample
        Most nodes that are shown; of larger graphs so many, whose degrees are spread as those of all.
    neighbours
        How many nearest nodes are listed for each node.
    seed
        Seed of maps, clusters and the sample.
    force
        Replace OUT if it exists.
    """
    from phusion.cli.console import passes_progress, say_notes
    from phusion.cli.method import UsageError, saying_warnings
    from phusion.cli.reading import read_one
    from phusion.errors import FileError, InputError
    from phusion.output import refuse_existing

    resources = (computing or Computing()).arguments()
    refuse_existing(out, force)
    found = read_one(graph, how, "explore")
    with saying_warnings(), passes_progress(f"embedding {len(found):,} nodes"):
        from phusion.explorer.explore import explore as write

        try:
            write(
                found,
                out,
                positional=positional,
                structural=structural,
                map=map,
                sample=sample,
                neighbours=neighbours,
                seed=seed,
                overwrite=force,
                **resources,
            )
        except FileError:
            raise
        except InputError as error:
            raise UsageError(str(error)) from error
    if len(found) > sample:
        say_notes([f"{sample:,} of {len(found):,} nodes are shown; --sample N shows more or fewer"])
    print(f"{out}: {len(found):,} nodes, {out.stat().st_size / 1e6:.1f} MB")
