"""`phusion components`: what Ψ, σ, ζ and ρ can be."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

__all__ = ["component_facts", "components"]


def components(name: str | None = None, /, *, json: bool = False) -> None:
    """List the components, or show one: its formula, parameters, source and an example.

    Parameters
    ----------
    name
        A component, such as heat or svd; all of them, if not given.
    json
        Print JSON instead of tables.
    """
    from phusion.cli.method import UsageError
    from phusion.errors import suggest

    rows = component_facts()
    if name:
        known = {row["name"] for row in rows}
        rows = [row for row in rows if row["name"] == name]
        if not rows:
            raise UsageError(f"no component is called {name!r}.{suggest(name, known)}")
    if json:
        from json import dumps

        print(dumps(rows, indent=2, ensure_ascii=False))
    elif name:
        for row in rows:
            _show(row)
    else:
        _table(rows)


def component_facts() -> list[dict[str, Any]]:
    """One row for each registered component; the documentation's catalogue is made of these."""
    from phusion.component import FAMILIES, known

    rows = []
    for family, (singular, symbol) in FAMILIES.items():
        for name, found in known(family).items():
            rows.append(
                {
                    "name": name,
                    "class": f"phusion.{family}.{found.__name__}",
                    "family": family,
                    "is": singular,
                    "symbol": symbol,
                    "title": found.title().replace("``", ""),
                    "formula": found.formula(),
                    "parameters": [
                        {
                            "name": p.name,
                            "accepts": p.accepts,
                            "default": _plain(p.default),
                            "meaning": p.meaning,
                        }
                        for p in found.parameters()
                    ],
                    "source": found.source(),
                    "example": found.example(),
                    "command": _command(family, found),
                    **_more(family, found),
                }
            )
    return rows


def _more(family: str, found: Any) -> dict[str, Any]:
    if family == "proximities":
        return {
            "scale": found.scale_parameter,
            "graphs": asdict(found.kinds),
            "refuses": sorted(found.kinds.refused()),
        }
    return {"structural": found.structural} if family == "embeddings" else {}


def _command(family: str, found: Any) -> str:
    """A command line that uses it."""
    from phusion.spec import PARTS

    part = next(part for part, of in PARTS.items() if of == family)
    scale = getattr(found, "scale_parameter", None)
    wanted = [p for p in found.parameters() if p.name == scale or (scale is None and p.default is not None)]
    words = ["phusion", "graphs mutag" if family == "poolings" else "embed karate", "-o features.csv"]
    words += [f"--{part}", found.name]
    for p in wanted[:1]:
        words.append(f"--set {part}.{p.name}={16 if p.name == 'dim' else p.default}")  # karate has 34 nodes
    others = {
        "proximities": ["--embedding characteristic"],
        "propagations": ["--proximity edge_pmi --embedding svd --set embedding.dim=16"],
    }
    words += others.get(family, ["--proximity heat"])
    return " ".join(words)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _table(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from phusion.cli.console import output

    table = Table(box=None, pad_edge=False)
    for column in ("", "name", "parameters", "what"):
        table.add_column(column)
    for row in rows:
        parameters = ", ".join(f"{p['name']}={p['default']}" for p in row["parameters"])
        table.add_row(row["symbol"], row["name"], parameters, row["title"])
    console = output()
    console.print(table)
    console.print("\nFormula, parameters, source and an example of one: phusion components NAME", highlight=False)


def _show(row: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from phusion.cli.console import output

    console = output()
    console.print(f"[bold]{row['name']}[/bold], {row['is']} {row['symbol']} ({row['class']}): {escape(row['title'])}\n")
    console.print(f"  {escape(row['formula'])}\n", soft_wrap=True)
    if row["parameters"]:
        table = Table(box=None, pad_edge=False)
        for column in ("parameter", "default", "accepts", "meaning"):
            table.add_column(column)
        for p in row["parameters"]:
            scale = " (the scale)" if p["name"] == row.get("scale") else ""
            table.add_row(p["name"], escape(repr(p["default"])), escape(p["accepts"]), escape(p["meaning"]) + scale)
        console.print(table)
        console.print()
    if "graphs" in row:
        kinds = Table(box=None, pad_edge=False)
        kinds.add_column("graphs")
        kinds.add_column("")
        for kind, words in row["graphs"].items():
            refused = "refused: " if kind in row["refuses"] else ""
            kinds.add_row(kind.replace("_", "-"), escape(refused + words))
        console.print(kinds)
        console.print()
    console.print(f"Source: {escape(row['source'])}\n", soft_wrap=True)
    console.print(escape(row["example"]), soft_wrap=True)
    console.print(f"\n$ {escape(row['command'])}", soft_wrap=True)
