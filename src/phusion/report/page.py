"""The report as one HTML page that needs nothing else: no script, no font, no address."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from phusion.execution.explain import time_in_words
from phusion.report.content import VERDICTS, Report
from phusion.report.grids import SHAPES, shown, signed, titled

__all__ = ["engine_for", "page_of"]


def page_of(report: Report) -> str:
    """All names are escaped by the template's engine; figures escape their own."""
    engine, markup = engine_for("phusion.report")
    style = (files("phusion.report") / "style.css").read_text(encoding="utf-8")
    words = {"report": report, "style": markup(style), "verdicts": VERDICTS, "shapes": SHAPES}
    return str(engine.get_template("page.html.jinja").render(words)) + "\n"


def engine_for(package: str) -> tuple[Any, Any]:
    """The template engine for a package's pages, and what marks text as safe."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    engine = Environment(
        loader=PackageLoader(package, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    engine.filters.update(drawn=Markup, shown=shown, signed=signed, time_in_words=time_in_words, titled=titled)
    return engine, Markup
