"""One HTML page with everything in it. It asks no address for anything, and runs its own script and no other."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import Any

from phusion.explorer.content import Content
from phusion.explorer.payload import json_of

__all__ = ["page_of"]

_SCRIPTS = ("data", "colours", "points", "view", "accuracy", "names", "captions", "map", "surroundings", "profile",
            "panel", "search", "legend", "picked", "main")  # fmt: skip
"""In this order; each uses those before it."""


def page_of(content: Content) -> str:
    """The page. Words are escaped by the template's engine, or stand as JSON in which no tag can end or begin."""
    engine, markup = _engine()
    folder = files("phusion.explorer")
    style = "\n" + (folder / "style.css").read_text(encoding="utf-8")
    parts = [(folder / "scripts" / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS]
    script = '\n"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"
    shown = {
        "words": content.words,
        "json": markup(json_of(content.words)),
        "numbers": markup(content.numbers),
        "style": markup(style),
        "script": markup(script),
        "policy": f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}",
    }
    return str(engine.get_template("page.html.jinja").render(shown)) + "\n"


def _digest(text: str) -> str:
    """How a content policy names an inline script or style: by what it says."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _engine() -> tuple[Any, Any]:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    loader = PackageLoader("phusion.explorer", ".")
    return Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ), Markup
