"""A sweep as one HTML page that needs nothing else: no script, no font, no address."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from phusion.execution.explain import time_in_words
from phusion.report.page import engine_for
from phusion.sweeps.effects import effects_of
from phusion.sweeps.frontier import frontier, frontier_figure, time_of

if TYPE_CHECKING:
    from phusion.sweeps.result import SweepResult

__all__ = ["page_of"]

_METRICS = {"micro_f1": "micro-F1", "macro_f1": "macro-F1", "accuracy": "accuracy"}
_AT_ONCE = 20  # designs; more are folded away


def page_of(result: SweepResult) -> str:
    """The leaderboard, what each part does, time against quality, and how to read the scores."""
    engine, markup = engine_for("phusion.sweeps")
    style = (files("phusion.report") / "style.css").read_text(encoding="utf-8")
    rows, winner = result.found.rows, result.found.winner
    words = {
        "result": result,
        "rule": result.problem.rule,
        "metric": _METRICS[result.metric],
        "style": markup(style),
        "effects": effects_of(rows),
        "figure": frontier_figure(rows, winner.key),
        "unbeaten": frontier(rows),
        "time_of": time_of,
        "shown_at_once": _AT_ONCE,
        "time": time_in_words(result.seconds),
        "examples": "graphs" if result.problem.graphs else "nodes",
        "other": [(_METRICS[name], result.found.honest(name)) for name in _METRICS if name != result.metric],
    }
    return str(engine.get_template("page.html.jinja").render(words)) + "\n"
