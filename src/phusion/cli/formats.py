"""`phusion formats`: the file formats phusion reads and writes, and what each can hold."""

from __future__ import annotations

from typing import Any

__all__ = ["format_facts", "formats"]


def formats(*, json: bool = False) -> None:
    """List the file formats, their suffixes, and what each can hold when written.

    Parameters
    ----------
    json
        Print JSON instead of a table.
    """
    rows = format_facts()
    if json:
        from json import dumps

        print(dumps(rows, indent=2))
        return
    from rich.table import Table

    from phusion.cli.console import output

    table = Table(box=None, pad_edge=False)
    for column in ("name", "suffixes", "written", "node ids", "cannot hold", "needs"):
        table.add_column(column)
    for row in rows:
        table.add_row(
            row["name"],
            " ".join(row["suffixes"]),
            "yes" if row["written"] else "no",
            row["ids"],
            ", ".join(row["cannot_hold"]),
            row["needs"],
        )
    console = output()
    console.print(table)
    console.print("\nAll may be compressed: .gz .bz2 .xz .zst (needs pyarrow, or Python 3.14)", highlight=False)


_IDS = {"int": "integers", "str": "text", "position": "0..n−1", "count": "1..n"}


def format_facts() -> list[dict[str, Any]]:
    """One row per format; the documentation's table is made of these."""
    from phusion.graph.files import all_formats

    rows = []
    for known in all_formats().values():
        holds = known.holds
        flags = ("direction", "isolated", "self_loops", "labels", "attributes")
        rows.append(
            {
                "name": known.name,
                "title": known.title,
                "suffixes": list(known.suffixes),
                "written": holds is not None,
                "ids": ", ".join(_IDS[kind] for kind in sorted(holds.ids)) if holds else "",
                "needs": known.needs,
                "cannot_hold": [f.replace("_", "-") for f in flags if holds and not getattr(holds, f)],
            }
        )
    return rows
