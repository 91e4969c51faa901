"""What was measured of peers as one Markdown table and one picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from peer_tasks import Task

_KINDS = {"positional": "positional (who is near)", "structural": "structural (who is alike)", "graphs": "whole graphs"}


def write_page(folder: Path, rows: Sequence[dict], every: Sequence[Task], limits: tuple[float, float]) -> str:
    """Write `peers.md`, `peers-short.md` (for the README), `peers-ladder.md` and `peers.svg`; the table to print."""
    table = _table(rows, every, limits)
    (folder / "peers-short.md").write_text(_short(rows, every), encoding="utf-8")
    (folder / "peers-ladder.md").write_text(_ladder(rows), encoding="utf-8")
    (folder / "peers.md").write_text(table + "\n![the same as a picture](peers.svg)\n", encoding="utf-8")
    _picture(folder / "peers.svg", rows, every)
    return table


def _table(rows: Sequence[dict], every: Sequence[Task], limits: tuple[float, float]) -> str:
    scored = [task for task in every if not task.nodes]
    best = {task.name: max((_best(row) for row in rows if row["task"] == task.name), default=0.0) for task in scored}
    ladder = any(_is_rung(row) for row in rows)
    head = ["method", *(task.name for task in scored), "costs most on", "CPU s", "wall s", "peak GB"]
    head += ["largest n"] * ladder
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    notes: list[str] = []
    for kind, title in _KINDS.items():
        found = _grouped(row for row in rows if row["kind"] == kind)
        if found:
            lines.append(f"| **{title}** |" + " |" * (len(head) - 1))
        for (peer, method), own in found.items():
            cells = [_cell(own.get(task.name), best[task.name], notes) for task in scored]
            cells += [*_cost(own, scored), *[_largest(own)] * ladder]
            lines.append("| " + " | ".join([f"{peer}: {method}", *cells]) + " |")
    loads = [row["load"] for row in rows]
    said = (
        f"Each measurement is a process of its own, within {limits[0]:.0f} s and {limits[1]:.0f} GB, with as many "
        f"threads as any other; the load of the machine was {min(loads, default=0):.1f} to {max(loads, default=0):.1f} "
        "(wall suffers from load, CPU much less). "
        "Nodes with many labels: micro-F1 in percent, rows as they are / of length 1; airports and whole graphs: "
        "accuracy in percent. **Bold**: within half a point of the best. Memory is that of the whole process."
    )
    if ladder:
        said += (
            " Largest n: Barabási–Albert graphs of mean degree 10, with wall seconds and GB; “≥” where larger ones "
            "were not tried."
        )
    return "\n".join([*lines, "", said, "", *(f"{place}. {note}" for place, note in enumerate(notes, 1))]) + "\n"


def _short(rows: Sequence[dict], every: Sequence[Task]) -> str:
    """Each kind on its largest graph, the best first; with the largest graph done, where the ladder was climbed."""
    head = ["method", "quality %", "CPU s", "peak GB", *["largest n"] * any(_is_rung(row) for row in rows)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for kind, title in _KINDS.items():
        task = _last(kind, rows, every)
        methods = _grouped(row for row in rows if row["kind"] == kind)
        found = {names: own for names, own in methods.items() if task in own}
        if found:
            lines.append(f"| **{title}: {task}** |" + " |" * (len(head) - 1))
        for (peer, method), own in sorted(found.items(), key=lambda one: -_best(one[1][task])):
            row, climbed = own[task], _rungs(own)[0]
            name = f"**phusion: {method}**" if peer == "phusion" else f"{peer}: {method}"
            cells = [name, row.get("error", ""), "", "", f"{climbed[-1]['nodes']:,}" if climbed else ""]
            if "error" not in row:
                cells[1:4] = f"{_best(row):.1f}", f"{row['cpu']:.1f}", f"{row['peak'] / 1e9:.2f}"
            lines.append("| " + " | ".join(cells[: len(head)]) + " |")
    return "\n".join(lines) + "\n"


def _ladder(rows: Sequence[dict]) -> str:
    """How far each method came, the farthest first, and what ended it."""
    lines = ["| method | largest n | CPU s | wall s | peak GB | the next |", "|" + "---|" * 6]
    for kind, title in _KINDS.items():
        found = {names: _rungs(own) for names, own in _grouped(row for row in rows if row["kind"] == kind).items()}
        found = {names: rungs for names, rungs in found.items() if any(rungs)}
        if found:
            lines.append(f"| **{title}** |" + " |" * 5)
        order = sorted(found, key=lambda names: (-_size(found[names][0]), _seconds(found[names][0])))
        for peer, method in order:
            climbed, ended = found[peer, method]
            name = f"**phusion: {method}**" if peer == "phusion" else f"{peer}: {method}"
            cells = [name, "none", "", "", "", f"{ended[0]['nodes']:,}: {_plain(ended[0])}" if ended else ""]
            if climbed:
                last = climbed[-1]
                cells[1:5] = (
                    f"{last['nodes']:,}",
                    f"{last['cpu']:.1f}",
                    f"{last['wall']:.1f}",
                    f"{last['peak'] / 1e9:.2f}",
                )
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _plain(row: dict) -> str:
    """The error without the name of its class and what it advises."""
    return re.sub(r"^[\w.]+Error: ", "", row["error"]).partition(". ")[0]


def _size(climbed: list[dict]) -> int:
    return climbed[-1]["nodes"] if climbed else 0


def _seconds(climbed: list[dict]) -> float:
    return climbed[-1]["cpu"] if climbed else 0.0


def _grouped(rows: Iterable[dict]) -> dict[tuple[str, str], dict[str, dict]]:
    found: dict[tuple[str, str], dict[str, dict]] = {}
    for row in sorted(rows, key=lambda row: (row["peer"] != "phusion", row["peer"], row["method"])):
        found.setdefault((row["peer"], row["method"]), {})[row["task"]] = row
    return found


def _best(row: dict) -> float:
    return max(row.get("scores", {}).values(), default=0.0)


def _cell(row: dict | None, best: float, notes: list[str]) -> str:
    if row is None:
        return ""
    if "error" in row:
        if row["error"] not in notes:
            notes.append(row["error"])
        return f"failed ({notes.index(row['error']) + 1})"
    shown = " / ".join(f"{score:.1f}" for score in row["scores"].values())
    return f"**{shown}**" if _best(row) >= best - 0.5 else shown


def _cost(own: dict[str, dict], scored: Sequence[Task]) -> tuple[str, str, str, str]:
    """What it took where it took most CPU."""
    done = [own[task.name] for task in scored if task.name in own and "error" not in own[task.name]]
    if not done:
        return "", "", "", ""
    worst = max(done, key=lambda row: row["cpu"])
    return worst["task"], f"{worst['cpu']:.1f}", f"{worst['wall']:.1f}", f"{worst['peak'] / 1e9:.2f}"


def _is_rung(row: dict) -> bool:
    return row["task"].startswith("ba-")


def _rungs(own: dict[str, dict]) -> tuple[list[dict], list[dict]]:
    """The rungs of the ladder that were climbed, and those where it ended."""
    rungs = sorted(filter(_is_rung, own.values()), key=lambda row: row["nodes"])
    return [row for row in rungs if "error" not in row], [row for row in rungs if "error" in row]


def _largest(own: dict[str, dict]) -> str:
    climbed, ended = _rungs(own)
    if not climbed:
        return f"below {ended[0]['nodes']:,}" if ended else ""
    last = climbed[-1]
    cost = f"{last['nodes']:,} ({last['wall']:.0f} s, {last['peak'] / 1e9:.1f} GB)"
    return cost if ended else f"≥ {cost}"


def _picture(path: Path, rows: Sequence[dict], every: Sequence[Task]) -> None:
    """Quality against CPU for the last graph of each kind, and how far the ladder was climbed; ours in colour."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    last = {kind: _last(kind, rows, every) for kind in _KINDS}
    bars = [(names, climbed[-1]["nodes"]) for names, own in _grouped(rows).items() if (climbed := _rungs(own)[0])]
    panels = len(last) + bool(bars)
    figure, axes = pyplot.subplots(1, panels, figsize=(5.5 * panels, 5), layout="constrained")
    for axis, (kind, task) in zip(axes, last.items(), strict=False):
        axis.set(xscale="log", xlabel="CPU s", ylabel="percent", title=f"{kind}: {task or 'nothing measured'}")
        done = [row for row in rows if row["task"] == task and row["kind"] == kind and "error" not in row]
        for place, row in enumerate(sorted(done, key=_best)):
            ours = row["peer"] == "phusion"
            colour, at = "tab:blue" if ours else "0.45", (max(row["cpu"], 1e-3), _best(row))
            axis.plot(*at, "o", color=colour, markersize=3 + row["peak"] ** 0.5 / 6e3)
            axis.annotate(  # names stand beside the panel, the best on top, where they cannot cover each other
                row["method"] if ours else f"{row['peer']} {row['method']}", at,
                xytext=(1.04, (place + 0.5) / len(done)), textcoords="axes fraction",
                fontsize=7, color=colour, va="center",
                arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.4, "alpha": 0.6, "relpos": (0, 0.5)},
            )  # fmt: skip
    if bars:
        bars.sort(key=lambda bar: bar[1])
        colours = ["tab:blue" if peer == "phusion" else "0.7" for (peer, _), _ in bars]
        axes[-1].barh([f"{peer} {method}" for (peer, method), _ in bars], [size for _, size in bars], color=colours)
        axes[-1].set(xscale="log", xlabel="nodes", title="largest n done")
        axes[-1].tick_params(axis="y", labelsize=7)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _last(kind: str, rows: Sequence[dict], every: Sequence[Task]) -> str:
    """The largest scored graph that is meant for this kind first of all and that something was measured of."""
    done = {row["task"]: row["nodes"] for row in rows if row["kind"] == kind and "error" not in row}
    own = [task.name for task in every if not task.nodes and task.kinds[0] == kind and task.name in done]
    return max(own, key=lambda name: done[name], default="")
