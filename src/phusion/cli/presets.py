"""`phusion presets`: published systems as specs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from phusion.presets.registry import Preset

__all__ = ["preset_facts", "presets"]


def presets(name: str | None = None, /, *, json: bool = False) -> None:
    """List the published systems, or show one: its citation, spec, deviations and command.

    Parameters
    ----------
    name
        A preset; all of them, if not given.
    json
        Print JSON instead of tables.
    """
    from phusion.cli.method import UsageError
    from phusion.errors import InputError
    from phusion.presets import registry

    try:
        chosen = [registry.find(one) for one in ([name] if name else registry.names())]
    except InputError as error:
        raise UsageError(str(error)) from error
    if json:
        from json import dumps

        facts = [preset_facts(one) for one in chosen]
        print(dumps(facts[0] if name else facts, indent=2, ensure_ascii=False))
    elif name:
        _show(chosen[0])
    else:
        _table(chosen)


def preset_facts(preset: Preset) -> dict[str, Any]:
    """Everything about a preset, as plain values; the documentation's page is made of these."""
    command = "embed" if preset.kind == "nodes" else "graphs"
    return {
        "name": preset.name,
        "title": preset.title,
        "aliases": list(preset.aliases),
        "embeds": preset.kind,
        "summary": preset.summary,
        "citation": preset.citation,
        "url": preset.url,
        "paper_note": " ".join(preset.paper_note.split()),
        "example": f"phusion {command} {preset.example} -o {preset.example}.csv --preset {preset.name}",
        "spec": preset.spec.as_dict(),
    }


def _table(chosen: list[Preset]) -> None:
    from rich.table import Table

    from phusion.cli.console import output

    table = Table(box=None, pad_edge=False)
    for column in ("name", "embeds", "Ψ", "σ", "ζ", "ρ", "what"):
        table.add_column(column)
    for one in chosen:
        parts = (one.spec.proximity, one.spec.nonlinearity, one.spec.embedding, one.spec.propagate, one.spec.pooling)
        table.add_row(one.name, one.kind, *("" if part is None else part.name for part in parts), one.summary)
    console = output()
    console.print(table)
    console.print("\nMore of one: phusion presets NAME. Parameters change with --set.", highlight=False)


def _show(preset: Preset) -> None:
    from rich.markup import escape

    from phusion.cli.console import output

    facts = preset_facts(preset)
    console = output()
    console.print(f"[bold]{escape(preset.title)}[/bold] ({preset.name}): {escape(preset.summary)}\n")
    console.print(f"{escape(preset.citation)} {preset.url}\n", soft_wrap=True)
    console.print(escape(preset.spec.to_toml()))
    console.print(f"Note: {escape(facts['paper_note'])}\n")
    console.print(f"Example: {escape(facts['example'])}", soft_wrap=True)
