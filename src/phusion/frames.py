"""Frames for ``set_output``: scikit-learn's protocol, with ids instead of row numbers."""

from __future__ import annotations

from typing import Any

from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.results.embedding import frame

__all__ = ["SetOutput"]


class SetOutput:
    """``set_output(transform="pandas" | "polars" | "default")``; ids are the index, or polars' first column."""

    _sklearn_output_config: dict[str, str]

    def set_output(self, *, transform: str | None = None) -> Any:
        """Choose what `transform` and `fit_transform` return; None leaves the choice."""
        if transform is not None:
            if transform not in ("default", "pandas", "polars"):
                raise InputError(f"transform is 'default', 'pandas' or 'polars'; got {transform!r}")
            self._sklearn_output_config = {"transform": transform}
        return self

    def _in_output(self, values: Array, nodes: Array, kind: str) -> Any:
        from sklearn import get_config

        chosen = getattr(self, "_sklearn_output_config", {}).get("transform") or get_config()["transform_output"]
        if chosen == "default":
            return values
        names = self.get_feature_names_out().tolist()  # type: ignore[attr-defined]
        return frame(values, nodes, names, chosen, kind)
