"""`Embedding`: values, ids, the spec that made them, and where they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np

from phusion.errors import InputError, InputTypeError, MissingLibraryError
from phusion.graph.arrow import need_pyarrow
from phusion.graph.frozen import frozen
from phusion.graph.ids import Array, as_id_array, find
from phusion.graph.words import count
from phusion.linalg.fidelity import Fidelity
from phusion.results.certificate import Certificate
from phusion.results.ids import plain_ids
from phusion.spec import Spec

__all__ = ["Embedding"]


@dataclass(frozen=True, eq=False, repr=False)
class Embedding:
    """One row of numbers for each node (or graph), with its id.

    Parameters
    ----------
    values : n × d array; not copied, and not to be written to here.
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
        values = _numbers(self.values)
        if values.ndim != 2 or values.shape != (len(self.nodes), len(self.features)):
            raise InputError(
                f"{len(self.nodes):,} ids and {len(self.features):,} features need values of that shape; "
                f"got {values.shape}"
            )
        object.__setattr__(self, "values", frozen(values))
        object.__setattr__(self, "nodes", frozen(as_id_array(self.nodes)))
        object.__setattr__(self, "features", tuple(self.features))

    def __repr__(self) -> str:
        made = f", {' → '.join(_names(self.spec))}" if self.spec else ""
        sure = f", {self.certificate.words}" if self.certificate else ""
        return f"Embedding({count(len(self), self.kind.removesuffix('s'))} × {self.dim}{made}{sure})"

    @property
    def certificate(self) -> Certificate | None:
        """How far it is from the exact one, where `accuracy` was asked for; None where it is exact anyway."""
        found = self.provenance.get("certificate")
        return Certificate.from_dict(found) if found else None

    def _repr_html_(self) -> str:
        from phusion.results.card import embedding_card

        return embedding_card(self)

    def __len__(self) -> int:
        return len(self.nodes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, node: Any) -> Array:
        """The row of this id."""
        return self.values[self.positions([node])[0]]  # type: ignore[no-any-return]

    def positions(self, ids: Sequence[Any]) -> Array:
        """Row numbers of these ids; an id may come several times."""
        try:
            once = list(dict.fromkeys(ids))
        except TypeError as error:
            some = next((node for node in ids if not isinstance(node, Hashable)), ids)
            raise InputError(f"{some!r} is several ids, where one is asked for; see positions(ids)") from error
        found = find(self.nodes, as_id_array(once))
        if (found < 0).any():
            missing = once[int(np.argmax(found < 0))]
            known = {str(node): node for node in self.nodes.tolist()}
            near = get_close_matches(str(missing), known, n=1, cutoff=0.6)
            like = f"did you mean {known[near[0]]!r}?" if near else f"ids look like {self.nodes.tolist()[0]!r}"
            raise InputError(f"{missing!r} is not among the {self.kind}; {like}")
        place = dict(zip(once, found.tolist(), strict=True))
        return np.array([place[node] for node in ids], dtype=np.int64)

    def __contains__(self, node: Any) -> bool:
        return bool((find(self.nodes, as_id_array([node])) >= 0).all())

    def __iter__(self) -> Iterator[Any]:
        """The ids."""
        return iter(self.nodes.tolist())

    def nearest(self, node: Any, n: int = 5) -> list[tuple[Any, float]]:
        """The `n` other ids with the nearest rows, and their Euclidean distances; ties in the graph's order."""
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 1:
            raise InputError(f"n is a whole number ≥ 1; got {n!r}")
        place = self.positions([node])[0]
        distances = np.linalg.norm(self.values - self.values[place], axis=1)
        # equal but for rounding is equal
        order = np.argsort(np.round(distances / (distances.max() or 1.0), 12), kind="stable")
        order = order[order != place][:n]
        ids = self.nodes.tolist()
        return [(ids[i], float(distances[i])) for i in order]

    @property
    def dim(self) -> int:
        """Number d of columns."""
        return int(self.values.shape[1])

    @property
    def fidelity(self) -> tuple[Fidelity, ...]:
        """How near approximate singular vectors are to exact ones, at each scale; empty where they are exact."""
        return tuple(Fidelity(**one) for one in self.provenance.get("fidelity", ()))

    def to_frame(self, library: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """A data frame: ids as the index (pandas) or as the first column, then one column for each feature.

        Only pandas holds ids that are neither all whole numbers nor all text; elsewhere they become text.
        """
        return frame(self.values, self.nodes, self.features, library, self.kind)

    def plot(
        self,
        color: Any = None,
        *,
        map: Literal["auto", "pca", "tsne", "umap"] = "auto",
        ax: Any = None,
        seed: int = 0,
        annotate: Any = None,
    ) -> Any:
        """Draw the rows as points in the plane, for a quick look; needs matplotlib.

        Parameters
        ----------
        color : what colours the points: labels, as ``graph.labels``; a value for each in their order; a mapping from
            ids, of which some may be missing; a column, by name or number. Numbers have a colour bar, all else are
            classes with a legend; numbers that are classes come as `phusion.Labels` or as text.
        map : how rows become points; ``"auto"`` is t-SNE for 50 to 5,000 rows, else PCA.
        ax : axes of matplotlib to draw on; None makes new ones.
        seed : of t-SNE and UMAP.
        annotate : an id, or a few, to write beside their points.

        Returns
        -------
        the axes.

        Examples
        --------
        >>> import phusion
        >>> karate = phusion.datasets.load("karate")
        >>> phusion.embed(karate, "graphwave").plot(karate.labels, annotate=[1, 34]).get_xlabel()
        'PCA, second axis × 6.2'
        """
        from phusion.results.picture import draw_embedding

        return draw_embedding(self, color, map, ax, seed, annotate)

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
        pandas = _library("pandas")
        return pandas.DataFrame(values, index=pandas.Index(nodes, name=head), columns=list(features))
    twice = next((name for name, times in Counter([head, *features]).items() if times > 1), None)
    if twice is not None and library != "pandas":
        raise InputError(f"two columns would be called {twice!r} in a frame of {library}, which keeps one; take pandas")
    columns = {head: plain_ids(nodes), **{name: values[:, j] for j, name in enumerate(features)}}
    if library == "polars":
        return _library("polars").DataFrame(columns)
    if library == "pyarrow":
        need_pyarrow("a table of pyarrow")
        import pyarrow

        return pyarrow.table(columns)
    raise InputTypeError(f"a frame is of 'pandas', 'polars' or 'pyarrow'; got {library!r}")


def _numbers(values: Any) -> Array:
    found = np.asarray(values)
    if found.dtype.kind not in "fiub":
        raise InputTypeError(f"values are real numbers; got {found.dtype}")
    return found.astype(np.float64, copy=False)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingLibraryError(f"a frame of {name}", name, "frames") from error


def _names(spec: Spec) -> list[str]:
    parts = (spec.proximity, spec.nonlinearity, spec.embedding, spec.propagate, spec.pooling)
    return [part.name for part in parts if part is not None]
