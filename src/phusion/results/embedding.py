"""`Embedding`: values, ids, the spec that made them, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.frozen import frozen
from phusion.graph.ids import Array, as_id_array, find
from phusion.spec import Spec

__all__ = ["Embedding"]


@dataclass(frozen=True, eq=False, repr=False)
class Embedding:
    """One row of numbers for each node (or graph), with its id.

    Parameters
    ----------
    values : n × d array.
    nodes : n ids, in the graph's order and type; numbers from 0 for graphs.
    features : d names of columns.
    spec : the method, or None if the file it was loaded from does not keep it.
    provenance : versions, seed, fingerprint of the graph, warnings.
    kind : ``"nodes"`` or ``"graphs"``.

    Examples
    --------
    >>> import phusion
    >>> found = phusion.embed([("ada", "bob"), ("bob", "cleo")], "hope", dim=2)
    >>> found
    Embedding(3 nodes × 4, katz → identity → svd)
    >>> found["bob"].shape
    (4,)
    """

    values: Array
    nodes: Array
    features: tuple[str, ...]
    spec: Spec | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["nodes", "graphs"] = "nodes"

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64)
        if values.ndim != 2 or values.shape != (len(self.nodes), len(self.features)):
            raise InputError(
                f"{len(self.nodes):,} ids and {len(self.features):,} features need values of that shape; "
                f"got {values.shape}"
            )
        object.__setattr__(self, "values", frozen(values))
        object.__setattr__(self, "nodes", frozen(np.asarray(self.nodes)))
        object.__setattr__(self, "features", tuple(self.features))

    def __repr__(self) -> str:
        made = f", {' → '.join(_names(self.spec))}" if self.spec else ""
        return f"Embedding({len(self):,} {self.kind} × {self.values.shape[1]}{made})"

    def __len__(self) -> int:
        return len(self.nodes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, node: Any) -> Array:
        """The row of this id."""
        return self.values[self.positions([node])[0]]  # type: ignore[no-any-return]

    def positions(self, ids: Sequence[Any]) -> Array:
        """Row numbers of these ids."""
        wanted = as_id_array(list(ids))
        found = find(self.nodes, wanted)
        if (found < 0).any():
            raise InputError(f"{wanted[found < 0][0]!r} is not among the {self.kind}; ids look like {self.nodes[0]!r}")
        return found

    def nearest(self, node: Any, count: int = 5) -> list[tuple[Any, float]]:
        """The `count` other ids with the nearest rows, and their Euclidean distances; ties in the graph's order."""
        place = self.positions([node])[0]
        distances = np.linalg.norm(self.values - self.values[place], axis=1)
        # equal but for rounding is equal
        order = np.argsort(np.round(distances, 9), kind="stable")
        order = order[order != place][:count]
        ids = self.nodes.tolist()
        return [(ids[i], float(distances[i])) for i in order]

    @cached_property
    def dim(self) -> int:
        """Number d of columns."""
        return int(self.values.shape[1])

    def to_frame(self, library: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """A data frame: ids as the index (pandas) or as the first column, then one column for each feature."""
        return frame(self.values, self.nodes, self.features, library, self.kind)

    def save(self, path: str | Path, *, format: str | None = None, overwrite: bool = False) -> tuple[str, ...]:
        """Write to a file; the suffix chooses the format. Returns what the file does not keep, in words."""
        from phusion.results.files import save

        return save(self, Path(path), format=format, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | Path, *, format: str | None = None) -> Embedding:
        """Read what `save` wrote."""
        from phusion.results.files import load

        return load(Path(path), format=format)


def frame(values: Array, nodes: Array, features: Sequence[str], library: str, kind: str = "nodes") -> Any:
    """Values, ids and names as a frame of this library."""
    head = kind.removesuffix("s")
    if library == "pandas":
        import pandas

        return pandas.DataFrame(values, index=pandas.Index(nodes, name=head), columns=list(features))
    columns = {head: nodes.tolist(), **{name: values[:, j] for j, name in enumerate(features)}}
    if library == "polars":
        import polars

        return polars.DataFrame(columns, strict=False)
    if library == "pyarrow":
        import pyarrow

        return pyarrow.table(columns)
    raise InputTypeError(f"a frame is of 'pandas', 'polars' or 'pyarrow'; got {library!r}")


def _names(spec: Spec) -> list[str]:
    parts = (spec.proximity, spec.nonlinearity, spec.embedding, spec.pooling)
    return [part.name for part in parts if part is not None]
