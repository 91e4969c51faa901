"""`phusion doctor`: whether this installation and this machine can do the work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from phusion.cli import exit_codes

if TYPE_CHECKING:
    from phusion.doctor.finding import Finding

__all__ = ["doctor"]

_SIGNS = {"well": "", "absent": "–", "unwell": "[bold red]![/bold red]"}


def doctor(*, json: bool = False) -> int:
    """Look at versions, processors, compiled code, memory and folders, and test phusion on an embedded graph.

    Takes seconds. Exit code 7: something is to be mended; what to do stands beside it.

    Examples: phusion doctor; phusion doctor --json

    Parameters
    ----------
    json
        Print JSON instead of a table.
    """
    from phusion.cli.console import patience

    with patience("looking"):
        from phusion.doctor.examine import examine

        found = list(examine())
    unwell = [one for one in found if one.state == "unwell"]
    if json:
        from json import dumps

        rows = [one.as_dict() for one in found]
        print(dumps({"well": not unwell, "findings": rows}, indent=2, ensure_ascii=False))
    else:
        _print(found, unwell)
    return exit_codes.UNWELL if unwell else exit_codes.OK


def _print(found: list[Finding], unwell: list[Finding]) -> None:
    from rich.markup import escape

    from phusion.cli.console import output

    console = output()
    for about in dict.fromkeys(one.about for one in found):
        console.print(f"[bold]{about}[/bold]")
        console.print(_table([one for one in found if one.about == about]))
        console.print()
    for one in unwell:
        console.print(f"[bold red]![/bold red] {escape(one.name)}: {escape(one.value)}", soft_wrap=True)
        console.print(f"  {escape(one.advice)}", soft_wrap=True)
    console.print(f"{len(unwell)} of {len(found)} need mending." if unwell else "All is well.")


def _table(found: list[Finding]) -> Any:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    for width in (1, 26):
        table.add_column(min_width=width, no_wrap=True)
    for _ in range(2):
        table.add_column(overflow="fold")
    for one in found:
        table.add_row(_SIGNS[one.state], escape(one.name), escape(one.value), escape(one.advice))
    return table
