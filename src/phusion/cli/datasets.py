"""`phusion datasets`: the data sets phusion knows by name."""

from __future__ import annotations

from typing import Any

__all__ = ["datasets"]


def datasets(name: str | None = None, /, *, fetch: bool = False, json: bool = False) -> None:
    """List the data sets known by name, or describe one.

    Parameters
    ----------
    name
        Describe only this one.
    fetch
        Get it (or all of them), verify checksums and counts, and keep it for later.
    json
        Print JSON instead of a table.
    """
    from phusion.datasets import find, names

    chosen = [find(name)] if name else [find(each) for each in names()]
    if fetch:
        _fetch(chosen)
    rows = [_facts(dataset) for dataset in chosen]
    if json:
        from json import dumps

        print(dumps(rows, indent=2))
    elif name:
        _print_one(rows[0])
    else:
        _print_all(rows)


def _fetch(chosen: list[Any]) -> None:
    from phusion.cli.console import patience
    from phusion.datasets import load

    for dataset in chosen:
        with patience(f"fetching {dataset.name}"):
            load(dataset.name)


def _facts(dataset: Any) -> dict[str, Any]:
    from phusion.datasets import is_here

    return {
        "name": dataset.name,
        "title": dataset.title,
        "graphs": dataset.counts.get("graphs", 1),
        "nodes": dataset.counts["nodes"],
        "edges": dataset.counts["edges"],
        "self_loops": dataset.counts["self_loops"],
        "classes": dataset.counts.get("classes", 0),
        "paper": dataset.paper,
        "licence": dataset.licence,
        "origin": dataset.origin,
        "addresses": [file.url for file in dataset.files.values() if file.url],
        "files": [file.path for file in dataset.files.values()],
        "here": is_here(dataset),
    }


def _print_one(facts: dict[str, Any]) -> None:
    from rich.table import Table

    from phusion.cli.console import output

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        words = "yes" if value is True else "no" if value is False else value
        words = f"{words:,}" if isinstance(words, int) else "\n".join(words) if isinstance(words, list) else words
        table.add_row(name.replace("_", " "), str(words) or "none known")
    output().print(table, markup=False)


def _print_all(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from phusion.cli.console import output

    table = Table(box=None, pad_edge=False, padding=(0, 1))
    numbers, last = ("graphs", "nodes", "edges", "labels"), ("licence", "from")
    for column in ("name", *numbers, "here", *last):
        table.add_column(column, justify="right" if column in numbers else "left", no_wrap=column not in last)
    for row in rows:
        table.add_row(
            row["name"],
            *(f"{row[key]:,}" for key in ("graphs", "nodes", "edges")),
            str(row["classes"] or "–"),
            "yes" if row["here"] else "no",
            row["licence"],
            row["origin"],
        )
    console = output()
    console.print(table)
    console.print(
        "\nLicence: of the repository each comes from. Set PHUSION_DATA to a folder of your own copies; "
        "others are fetched and verified when first used (phusion datasets NAME --fetch).",
        highlight=False,
    )
