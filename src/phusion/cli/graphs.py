"""`phusion graphs`: one row of numbers for each of many graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from phusion.cli.how import Computing
from phusion.cli.method import Method
from phusion.cli.reading import Reading

__all__ = ["graphs"]


def graphs(
    batch: str,
    /,
    *,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    method: Method | None = None,
    computing: Computing | None = None,
    pooling: str | None = None,
    attributes: Annotated[list[str] | None, Parameter(consume_multiple=False, negative=())] = None,
    how: Reading | None = None,
    to: str | None = None,
    force: bool = False,
    dry_run: bool = False,
) -> None:
    """Embed whole graphs.

    Examples: phusion graphs mutag -o mutag.csv --preset netlsd;
    phusion graphs PROTEINS.zip -o proteins.npz --proximity heat --embedding characteristic
    --pooling mean --attributes labels

    Parameters
    ----------
    batch
        A TUDataset folder or zip, or a data set's name; one graph counts as a batch of one.
    out
        Where to; the suffix chooses the format: .npy .npz .csv .tsv .parquet .w2v.txt .tensors.tsv .h5ad .zarr
    pooling
        ρ by name; mean, if the method has none.
    attributes
        A node attribute that enters by Kronecker product, or "labels"; may be given several times.
    to
        The format to write, if the suffix does not tell: npy npz csv tsv parquet word2vec tensorboard h5ad zarr
    force
        Replace OUT if it exists.
    dry_run
        Print the spec as TOML and do nothing else.
    """
    from phusion.cli.console import passes_progress
    from phusion.cli.embed import checked_output, written
    from phusion.cli.method import saying_warnings
    from phusion.cli.reading import keep, read
    from phusion.graph.graph import Graph

    spec = (method or Method()).described(graphs=True, pooling=pooling, attributes=attributes)
    if dry_run:
        print(spec.to_toml(), end="")
        return
    resources = (computing or Computing()).arguments()
    keep(batch, out)
    target = checked_output(out, to, force)
    found = read(batch, how)
    many = [found] if isinstance(found, Graph) else found
    with saying_warnings(), passes_progress(f"embedding {len(many):,} graphs"):
        from phusion.graph_estimator import model_of

        result = model_of(spec, **resources).fit(many).result_
    written(result, target, to, force)
