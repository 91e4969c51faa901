"""An estimator in a notebook: the formula, its parts with their settings, and whether it is fitted."""

from __future__ import annotations

from typing import Any

from phusion import notebook
from phusion.component import FAMILIES, Component
from phusion.errors import PhusionError
from phusion.graph.graph import Graph
from phusion.spec import PARTS

__all__ = ["formula_card"]

_HIDDEN = (*PARTS, "node", "attributes")  # shown as parts


def formula_card(model: Any) -> str:
    """Y = ζ(σ(Ψ(A))) with the parts as given; also of a model whose parts do not fit together, with the reason."""
    problem = ""
    try:
        spec = getattr(model, "spec_", None) or model.spec
        rows = [_row(part, getattr(spec, part)) for part in PARTS if getattr(spec, part) is not None]
        rows += [("", "attributes", ", ".join(spec.attributes))] if spec.attributes else []
        pooled, mixed = spec.pooling is not None, spec.propagate is not None
    except PhusionError as error:
        given = model.get_params(deep=False)
        rows = [_row(part, given[part]) for part in PARTS if given.get(part) is not None]
        pooled, mixed = "pooling" in given, given.get("propagate") is not None
        problem = f"It cannot be fitted: {error}"
    formula = "Y = ζ(σ(Ψ(A))), f = ρ(Y)" if pooled else "Y = π(ζ(σ(Ψ(A))))" if mixed else "Y = ζ(σ(Ψ(A)))"
    return notebook.card(
        f"{type(model).__name__}: {formula}",
        notebook.facts(rows),
        notebook.part(_settings(model), faint=True),
        notebook.part(problem or _state(model)),
    )


def _row(part: str, given: Any) -> tuple[str, str, str]:
    sign = FAMILIES[PARTS[part]][1]
    if not isinstance(given, Component):
        return sign, str(given), ""
    settings = ", ".join(f"{name} = {_value(value)}" for name, value in given.get_params().items())
    return sign, given.name, settings


def _settings(model: Any) -> str:
    given = model.get_params(deep=False)
    chosen = {name: value for name, value in given.items() if name not in _HIDDEN and value is not None}
    return ", ".join(f"{name} = {_value(value)}" for name, value in chosen.items())


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (str, int, type(None))):
        return str(value)
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_value, value[:8]))}{', …' if len(value) > 8 else ''})"
    return repr(value) if isinstance(value, Graph) else type(value).__name__


def _state(model: Any) -> str:
    rows = getattr(model, "embedding_", None)
    if rows is None:
        return "not fitted"
    what = "graphs" if hasattr(model, "pooling") else "nodes"
    return f"fitted: {rows.shape[0]:,} {what} × {rows.shape[1]:,}"
