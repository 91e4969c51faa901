"""`phusion advise`: which design suits a graph, without labels."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from phusion.cli.how import Computing
from phusion.cli.reading import Reading

if TYPE_CHECKING:
    from phusion.advice.advise import Advice, Recommendation

__all__ = ["advise"]

_SHOWN = 8


def advise(
    graph: str,
    /,
    *,
    kind: Literal["positional", "structural", "both"] = "both",
    dim: int = 128,
    sample: int = 2_000,
    seed: int = 0,
    positional: Path | None = None,
    structural: Path | None = None,
    json: bool = False,
    memory: str | None = None,
    threads: int | None = None,
    how: Reading | None = None,
    force: bool = False,
) -> None:
    """Recommend a positional and a structural design for a graph, from what can be measured without labels.

    Examples: phusion advise friends.csv; phusion advise friends.csv --positional near.toml --structural alike.toml,
    then phusion embed friends.csv --spec near.toml -o near.npz

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    kind
        What to recommend.
    dim
        Columns of positional embeddings.
    sample
        Nodes to try designs on; of larger graphs a part is taken that random walks visit.
    seed
        Seed of the part, of made-up classes and of the edges that are taken away.
    positional
        Write the positional design to this spec file (.toml).
    structural
        Write the structural design to this spec file (.toml).
    json
        Print JSON, with all designs that were tried.
    memory
        Largest amount to use, such as 2GB.
    threads
        Number of threads.
    force
        Replace spec files that exist.
    """
    from phusion.cli.console import passes_progress
    from phusion.cli.method import UsageError, saying_warnings
    from phusion.cli.reading import read_one
    from phusion.errors import FileError, InputError
    from phusion.output import check_target

    files = {"positional": positional, "structural": structural}
    for name, path in files.items():
        if path is None:
            continue
        if kind not in (name, "both"):
            raise UsageError(f"--{name} FILE needs --kind {name} or both; got --kind {kind}")
        check_target(path, force)
    if positional is not None and positional == structural:
        raise UsageError(f"--positional and --structural need a file each; got {positional} for both")
    resources = Computing(memory=memory, threads=threads).arguments()
    found = read_one(graph, how, "advise")
    with saying_warnings(), passes_progress(f"trying designs on {min(sample, len(found)):,} nodes"):
        from phusion.advice.advise import advise as ask

        try:
            advice = ask(
                found,
                kind,
                dim=dim,
                sample=sample,
                seed=seed,
                memory=resources["memory"],
                threads=resources["threads"],
            )
        except FileError:
            raise
        except InputError as error:
            raise UsageError(str(error)) from error
    if json:
        from json import dumps

        print(dumps(advice.as_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print(advice)
    _write({path: each for each in advice.recommendations if (path := files[each.kind])}, force)


def _print(advice: Advice) -> None:
    from rich.markup import escape
    from rich.table import Table

    from phusion.cli.console import output

    console = output()
    for note in advice.notes:
        console.print(escape(note), highlight=False)
    for each in advice.recommendations:
        console.print(f"\n[bold]{escape(each.headline)}[/bold]", highlight=False, soft_wrap=True)
        for reason in each.reasons:
            console.print(f"- {escape(reason)}", highlight=False, soft_wrap=True)
        table = Table(box=None, pad_edge=False)
        for column in ("design", "told", "fewer edges", "noise", "rank"):
            table.add_column(column, justify="left" if column == "design" else "right")
        for one in each.tried[:_SHOWN]:
            measures = one.measures
            table.add_row(
                one.candidate.words,
                f"{measures.told:.1f} %",
                f"{measures.stability:.2f}",
                f"{measures.under_noise:.2f}",
                f"{measures.rank:.0f}",
            )
        console.print()
        console.print(table, highlight=False)
        for why in dict.fromkeys(each.failed.values()):
            designs = ", ".join(words for words, reason in each.failed.items() if reason == why)
            console.print(f"not tried: {escape(designs)}: {escape(why)}", highlight=False, soft_wrap=True)
    console.print(
        "\ntold: classes found from rows; fewer edges, noise: how much stays (1 is all) when a tenth of the edges "
        "goes, or is added; rank: effective dimensions. A spec to embed with: --positional FILE, --structural FILE",
        highlight=False,
        soft_wrap=True,
    )


def _write(specs: Mapping[Path, Recommendation], force: bool) -> None:
    """Both are written before either is in place; they may lie in different folders."""
    from phusion.output import whole_file

    with ExitStack() as unfinished:
        for path, each in specs.items():
            part = unfinished.enter_context(whole_file(path, overwrite=force))
            part.write_text(each.spec.to_toml(), encoding="utf-8")
    for path, each in specs.items():
        print(f"{path}: {each.spec.proximity.name} → {each.spec.nonlinearity.name} → {each.spec.embedding.name}")
