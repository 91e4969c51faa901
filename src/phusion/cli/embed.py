"""`phusion embed`: one row of numbers for each node of a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from phusion.cli import exit_codes
from phusion.cli.how import Computing
from phusion.cli.method import Method
from phusion.cli.reading import Reading

if TYPE_CHECKING:
    from phusion.results.certificate import Certificate
    from phusion.results.embedding import Embedding
    from phusion.spec import Spec

__all__ = ["embed", "node_method"]


def embed(
    graph: str,
    /,
    *,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    method: Method | None = None,
    computing: Computing | None = None,
    how: Reading | None = None,
    accuracy: str = "exact",
    to: str | None = None,
    partitioned: bool = False,
    force: bool = False,
    dry_run: bool = False,
) -> int:
    """Embed the nodes of a graph.

    Examples: phusion embed karate -o karate.csv --preset graphwave;
    phusion embed friends.csv -o friends.npz --proximity heat --set proximity.scale=0.1,1,10
    --nonlinearity log --embedding svd --set embedding.dim=64

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    out
        Where to; the suffix chooses the format: .npy .npz .csv .tsv .parquet .w2v.txt .tensors.tsv .h5ad .zarr
    accuracy
        "exact"; a relative error such as 0.01, which is measured and certified (exit code 6 if missed); or "auto":
        exact if that takes about a minute or less, else 0.01.
    to
        The format to write, if the suffix does not tell: npy npz csv tsv parquet word2vec tensorboard h5ad
        zarr
    partitioned
        Write rows as they are computed, for embeddings larger than memory: a folder of Parquet files, or one .npy
        file; .zarr always does so.
    force
        Replace OUT if it exists.
    dry_run
        Print the spec as TOML and do nothing else.
    """
    from phusion.cli.console import passes_progress, say_notes
    from phusion.cli.method import saying_warnings
    from phusion.cli.reading import keep, read_one

    spec = node_method(method)
    if dry_run:
        print(spec.to_toml(), end="")
        return exit_codes.OK
    resources = (computing or Computing()).arguments(accuracy)
    partitioned = partitioned or to == "zarr" or (to is None and out is not None and out.suffix.lower() == ".zarr")
    keep(graph, out)
    target = checked_output(out, to, force, in_parts=partitioned)
    found = read_one(graph, how, "embed")
    if partitioned:
        with saying_warnings(), passes_progress(f"embedding {len(found):,} nodes"):
            from phusion.execution.resources import Resources
            from phusion.partitions import embed_in_parts

            parts = embed_in_parts(target, found, spec, Resources(**resources), format=to, overwrite=force)
        say_notes(parts.lost)
        print(f"{target}: {parts!r}")
        for one in parts.fidelity:
            print(f"fidelity: {one}")
        return certified(parts.certificate)
    with saying_warnings(), passes_progress(f"embedding {len(found):,} nodes"):
        from phusion.graph_estimator import model_of

        result = model_of(spec, **resources).fit(found).result_
    written(result, target, to, force)
    for one in result.fidelity:
        print(f"fidelity: {one}")
    return certified(result.certificate)


def certified(certificate: Certificate | None) -> int:
    """Print the certificate, if there is one; the exit code says whether it is met."""
    if certificate is None:
        return exit_codes.OK
    print(certificate)
    return exit_codes.OK if certificate.met else exit_codes.MISSED


def node_method(method: Method | None) -> Spec:
    """The method, which must be one for nodes."""
    from phusion.cli.method import UsageError

    spec = (method or Method()).described()
    if spec.pooling is not None:
        raise UsageError(f"this method embeds whole graphs (it has a pooling, {spec.pooling.name}); use phusion graphs")
    return spec


def checked_output(out: Path | None, to: str | None, force: bool, *, in_parts: bool = False) -> Path:
    """Where to write, refused before the work and not after it."""
    from phusion.cli.method import UsageError
    from phusion.errors import InputError
    from phusion.results.files import check_result

    if out is None:
        raise UsageError("say where to write: -o FILE; its suffix chooses the format, such as .csv or .npz")
    try:
        check_result(out, format=to, overwrite=force, in_parts=in_parts)
    except InputError as error:
        raise UsageError(str(error)) from error
    return out


def written(result: Embedding, out: Path, to: str | None, force: bool) -> None:
    """Save, and say what was saved and what the file does not keep."""
    from phusion.cli.console import patience, say_notes
    from phusion.errors import InputError, OutputError
    from phusion.results.files import check_result

    with patience(f"writing {out}"):
        try:
            lost = result.save(out, format=to, overwrite=force)
        except InputError as error:
            raise OutputError(str(error)) from error
    say_notes(lost)
    files = " and ".join(str(path) for path in check_result(out, format=to, overwrite=True).targets(out))
    print(f"{files}: {result!r}")
