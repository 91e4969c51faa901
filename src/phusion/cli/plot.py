"""`phusion plot`: figures of a graph of one's own, in the manner of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from phusion.cli.how import Computing
from phusion.cli.planted import Planted
from phusion.cli.reading import Reading

if TYPE_CHECKING:
    from phusion.execution.resources import Resources
    from phusion.experiments.own import Grid

__all__ = ["plot"]

plot = App(
    name="plot",
    help="Draw figures of a graph in the manner of the paper, as .svg, .pdf or .png.",
    result_action="return_value",
)

_Out = Annotated[Path, Parameter(name=["--out", "-o"])]
_Map = Literal["auto", "pca", "tsne", "umap"]
_LEDGER = Path("phusion-ledger.sqlite")


@plot.command
def bars(
    graph: str,
    /,
    *,
    out: _Out = Path("bars.svg"),
    kind: Literal["structural", "positional"] = "structural",
    splits: int = 3,
    dim: int | None = None,
    limit: int = 20_000,
    ledger: Path = _LEDGER,
    retry: bool = False,
    computing: Computing | None = None,
    how: Reading | None = None,
    force: bool = False,
) -> int:
    """Draw how well labels are predicted from the paper's 35 designs, seven Ψ by five σ.

    Results are kept in a ledger, so that the same command goes on where it ended. Exit code 5: some designs failed.

    Examples: phusion plot bars brazil -o brazil.svg; phusion plot bars friends.csv --labels clubs.csv --kind positional

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name; with labels.
    out
        Where to; the suffix chooses the format: .svg .pdf .png
    kind
        Structural embeddings (characteristic functions) or positional ones (SVD).
    splits
        Random splits into nodes to train on, 80 %, and to test.
    dim
        Columns of positional embeddings; default: 128, or the number of nodes where there are fewer.
    limit
        Most nodes; more take long.
    ledger
        The file in which results are kept.
    retry
        Try again what failed before.
    force
        Replace OUT if it exists.
    """
    from phusion.cli.console import cells_progress

    resources = _resources(computing)
    with _drawing(out, force), cells_progress() as said:
        found = _read(graph, how)
        from phusion.experiments.own import classified
        from phusion.plots.bars import draw_bars

        grid = classified(
            found, kind, splits=splits, dim=dim, limit=limit, ledger=ledger, resources=resources, retry=retry, said=said
        )
        figure = draw_bars(grid)
    return _written_grid(figure, grid, out, force)


@plot.command
def rows(
    graph: str,
    /,
    *,
    out: _Out = Path("rows.svg"),
    statistic: Literal["sum", "variance", "entropy"] = "sum",
    bins: int = 40,
    limit: int = 20_000,
    ledger: Path = _LEDGER,
    retry: bool = False,
    computing: Computing | None = None,
    how: Reading | None = None,
    force: bool = False,
) -> int:
    """Draw how the rows of σ(S) are spread, for seven Ψ by five σ: a histogram of row sums for each.

    Results are kept in a ledger, so that the same command goes on where it ended. Exit code 5: some designs failed.

    Examples: phusion plot rows brazil -o rows.pdf; phusion plot rows friends.csv --statistic entropy

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    out
        Where to; the suffix chooses the format: .svg .pdf .png
    statistic
        What of each row: its sum, variance or entropy.
    bins
        Of each histogram.
    limit
        Most nodes; more take long.
    ledger
        The file in which results are kept.
    retry
        Try again what failed before.
    force
        Replace OUT if it exists.
    """
    from phusion.cli.console import cells_progress

    resources = _resources(computing)
    with _drawing(out, force), cells_progress() as said:
        found = _read(graph, how)
        from phusion.experiments.own import row_distributions
        from phusion.plots.rows import draw_rows

        grid = row_distributions(
            found, bins=bins, limit=limit, ledger=ledger, resources=resources, retry=retry, said=said
        )
        figure = draw_rows(grid, statistic)
    return _written_grid(figure, grid, out, force)


@plot.command
def roles(
    graph: str | None = None,
    /,
    *,
    out: _Out = Path("roles.svg"),
    planted: Planted | None = None,
    structural: str | None = None,
    map: _Map = "pca",
    seed: int = 0,
    computing: Computing | None = None,
    how: Reading | None = None,
    force: bool = False,
) -> None:
    """Draw a graph coloured by the roles of its nodes, beside its structural map.

    Examples: phusion plot roles; phusion plot roles --shape fan --base torus --length 8 --noise 5 -o fans.pdf;
    phusion plot roles friends.csv --labels jobs.csv

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name, with labels; default: a planted graph.
    out
        Where to; the suffix chooses the format: .svg .pdf .png
    structural
        The method: a preset or FILE.toml. Default: graphwave; pagerank with characteristic for directed graphs;
        srde for signed ones.
    map
        How rows become points; in pca, nodes that are alike fall together.
    seed
        Seed of the map, and of the noise of a planted graph.
    force
        Replace OUT if it exists.
    """
    from phusion.cli.method import UsageError

    resources = (computing or Computing()).arguments()
    with _drawing(out, force):
        if graph is not None and planted is not None:
            raise UsageError(f"give a graph or what to plant, not both; got {graph} and --shape, --count, --base, …")
        if graph is None and how is not None:
            raise UsageError("how to read is said, but no GRAPH to read; a planted graph has its labels")
        found = (planted or Planted()).graph(seed) if graph is None else _read(graph, how)
        from phusion.plots.roles import roles as draw

        figure = draw(found, structural=structural, map=map, seed=seed, **resources)
    _written(figure, out, force)


@plot.command
def map(
    graph: str,
    /,
    *,
    out: _Out = Path("map.svg"),
    positional: str | None = None,
    structural: str | None = None,
    map: _Map = "auto",
    color: str | None = None,
    annotate: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    sample: int = 20_000,
    seed: int = 0,
    computing: Computing | None = None,
    how: Reading | None = None,
    force: bool = False,
) -> None:
    """Draw the positional and the structural map of a graph side by side.

    Examples: phusion plot map karate -o karate.pdf --annotate 1 34; phusion plot map usa --color degree

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    out
        Where to; the suffix chooses the format: .svg .pdf .png
    positional
        The method of the first map: a preset or FILE.toml. Default: as of `phusion explore`.
    structural
        The same for the second map. Default: as of `phusion explore`.
    map
        How rows become points; auto: t-SNE for 50 to 5,000 nodes, else PCA.
    color
        label, degree, component or the name of an attribute. Default: label, or degree where there are none.
    annotate
        Ids to write beside their points. Default: those of graphs of up to 30 nodes, where there is room.
    sample
        Most nodes that are shown.
    seed
        Seed of maps and the sample.
    force
        Replace OUT if it exists.
    """
    resources = (computing or Computing()).arguments()
    with _drawing(out, force):
        found = _read(graph, how)
        from phusion.plots.map import map as draw

        figure = draw(
            found, positional=positional, structural=structural, map=map, color=color,
            annotate=_ids(found, annotate) if annotate else None, sample=sample, seed=seed, **resources,
        )  # fmt: skip
    _written(figure, out, force)


def _resources(computing: Computing | None) -> Resources:
    from phusion.execution.resources import Resources

    return Resources(**(computing or Computing()).arguments())


def _read(graph: str, how: Reading | None) -> Any:
    from phusion.cli.reading import read_one

    return read_one(graph, how, "plot")


def _ids(graph: Any, words: list[str]) -> list[Any]:
    """The ids that are written so: of a graph whose ids are numbers, numbers."""
    by_text = {str(node): node for node in graph.nodes.tolist()} if words else {}
    return [by_text.get(word, word) for word in words]


@contextmanager
def _drawing(out: Path, force: bool) -> Iterator[None]:
    """Refuse at once what cannot be written; what does not fit together is a mistake of the command line."""
    from phusion.cli.method import UsageError, saying_warnings
    from phusion.drawing.canvas import check_picture
    from phusion.errors import DatasetError, FileError, InputError

    try:
        check_picture(out, overwrite=force)
        with saying_warnings():
            yield
    except (FileError, DatasetError):
        raise
    except InputError as error:
        raise UsageError(str(error)) from error


def _written(figure: Any, out: Path, force: bool) -> None:
    from phusion.cli.method import saying_warnings
    from phusion.drawing.canvas import save

    with saying_warnings():
        save(figure, out, overwrite=force)
    print(f"{out}: {out.stat().st_size / 1e3:,.0f} kB")


def _written_grid(figure: Any, grid: Grid, out: Path, force: bool) -> int:
    from phusion.cli import exit_codes
    from phusion.cli.console import say_notes
    from phusion.plots.given import problems

    say_notes(problems(grid), word="warning")
    _written(figure, out, force)
    return exit_codes.INCOMPLETE if grid.outcome.failed else exit_codes.OK
