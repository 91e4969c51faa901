"""`phusion convert`: one file format into another, losing nothing unasked."""

from __future__ import annotations

from pathlib import Path

from phusion.cli.reading import Reading

__all__ = ["convert"]


def convert(
    graph: str,
    out: Path,
    /,
    *,
    how: Reading | None = None,
    to: str | None = None,
    lossy: bool = False,
    force: bool = False,
) -> None:
    """Read a graph and write it in another format, chosen by the suffix of OUT.

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    out
        Where to; .gz, .bz2, .xz and .zst compress.
    to
        The format to write, if the suffix does not tell.
    lossy
        Write although the format cannot keep ids, direction, isolated nodes or self-loops.
    force
        Replace OUT if it exists.
    """
    from phusion.cli.console import patience, say_notes
    from phusion.cli.reading import keep, read
    from phusion.errors import InputError, OutputError
    from phusion.graph.batch import GraphBatch
    from phusion.graph.write import check_output, write_graph

    keep(graph, out)
    check_output(out, format=to, overwrite=force)  # before the work, not after it
    found = read(graph, how)
    if isinstance(found, GraphBatch):
        raise InputError(f"{graph} holds {len(found):,} graphs; convert writes one graph")
    with patience(f"writing {out}"):
        try:
            kept = write_graph(found, out, format=to, lossy=lossy, overwrite=force)
        except InputError as error:
            raise OutputError(str(error)) from error
    say_notes(kept)
    print(f"{out}: {found!r}")
