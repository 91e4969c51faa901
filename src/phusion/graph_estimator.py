"""`GraphPhUSION`: the scikit-learn face, for whole graphs; and the estimator of any spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from phusion.cautions import collected
from phusion.composed import Composed, as_seed
from phusion.errors import InputError, InputTypeError, PhusionError
from phusion.estimator import PhUSION
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, object_array
from phusion.inputs import finite, many_graphs, why_not
from phusion.pipeline import embed_graphs, learn
from phusion.poolings.attributes import AttributeColumns
from phusion.poolings.base import Nodes
from phusion.provenance import provenance
from phusion.results.embedding import Embedding
from phusion.spec import Spec

__all__ = ["GraphPhUSION", "model_of", "node_model"]


class GraphPhUSION(Composed, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Embed whole graphs: f = ρ(Y), one vector for each graph from the rows of its nodes.

    Parameters
    ----------
    node : a `PhUSION` with a structural ζ, or what makes one: a preset's name, a spec, a mapping.
    pooling : ρ, by object, name or mapping; None for that of the preset or spec that is given as `node`, else the mean.
    attributes : name or names of node attributes (``"labels"`` for the labels) that enter by Kronecker product with the
        rows before pooling. Numbers as they are, classes one column each. None for those of the preset or spec.
    random_state : seed of what is random (fourier pooling): a number, a numpy generator, or None to draw one.

    memory, precision, threads, executor : what computing may use, as in `PhUSION`; those of `node` do not count.

    Attributes
    ----------
    embedding_ : one row for each graph.
    spec_ : the `phusion.Spec` that was computed.
    result_ : both and the provenance, as a `phusion.Embedding`.

    Examples
    --------
    >>> import phusion
    >>> graphs = [[(0, 1)], [(0, 1), (1, 2)], [(0, 1), (1, 2), (2, 0)]]
    >>> phusion.GraphPhUSION(phusion.PhUSION("heat", "identity", "diagonal"), "mean").fit_transform(graphs).round(3)
    array([[0.568],
           [0.501],
           [0.482]])
    """

    def __init__(
        self,
        node: Any = None,
        pooling: Any = None,
        *,
        attributes: Any = None,
        random_state: Any = None,
        memory: Any = None,
        precision: str = "double",
        threads: int | None = None,
        executor: Any = None,
    ) -> None:
        self.node = node
        self.pooling = pooling
        self.attributes = attributes
        self.random_state = random_state
        self.memory = memory
        self.precision = precision
        self.threads = threads
        self.executor = executor

    @property
    def spec(self) -> Spec:
        """The method, as given; checked."""
        node = _spec_given(self.node)
        seed = as_seed(self.random_state)
        seed = node.random_state if seed is None else seed
        pooling = (node.pooling or "mean") if self.pooling is None else self.pooling
        attributes = node.attributes if self.attributes is None else self.attributes
        return node.replace(pooling=pooling, attributes=attributes, random_state=seed)

    def fit(self, X: Any, y: Any = None) -> GraphPhUSION:
        """Learn from many graphs, and embed them.

        Parameters
        ----------
        X : anything `phusion.as_batch` accepts: a list of graphs, a TUDataset folder, a `GraphBatch`.
        y : ignored.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Any:
        """Embed many graphs and return one row for each."""
        self._fit(X)
        return self._in_output(self.embedding_.copy(), np.arange(len(self.embedding_)), "graphs")

    def transform(self, X: Any) -> Any:
        """Rows of other graphs, comparable with the fitted ones."""
        check_is_fitted(self, "embedding_")
        batch = many_graphs(X)
        with collected():
            seed = self.spec_.random_state or 0
            rows = embed_graphs(self.spec_, self.learned_, batch, seed, self.resources)
            values = self._pooled([self._nodes(graph, y) for graph, y in zip(batch, rows, strict=True)])
        return self._in_output(values, np.arange(len(batch)), "graphs")

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """A name for each column, such as ``mean_heat_s0.1_cos_t4.17``."""
        check_is_fitted(self, "embedding_")
        names = None if self.columns_ is None else self.columns_.names
        return object_array(self.spec_.pooling.labels(self.learned_.features, names, self.shared_))

    @property
    def result_(self) -> Embedding:
        """The embedding with the numbers of the graphs, spec and provenance."""
        check_is_fitted(self, "embedding_")
        names = tuple(self.get_feature_names_out())
        return Embedding(
            self.embedding_, np.arange(len(self.embedding_)), names, self.spec_, self.provenance_, "graphs"
        )

    def _fit(self, X: Any) -> None:
        spec = self.spec
        if not spec.embedding.structural:
            raise InputError(why_not(spec, "several graphs"))
        batch = many_graphs(X)
        spec = spec.replace(random_state=self._seed(spec.pooling.random))
        seed = spec.random_state or 0
        with collected() as said:
            self.learned_, rows = learn(spec, batch, seed, self.resources)
            self.columns_ = AttributeColumns.learn(batch, spec.attributes) if spec.attributes else None
            parts = [self._nodes(graph, y) for graph, y in zip(batch, rows, strict=True)]
            self.spec_ = spec.replace(proximity=self.learned_.proximity)  # "auto" is settled
            self.shared_, rows = spec.pooling.fit(parts, self.learned_.features, seed)
            self.embedding_ = finite(rows)
        self.provenance_ = provenance(batch, spec, said, self.precision)

    def _nodes(self, graph: Graph, rows: Array) -> Nodes:
        return Nodes(rows) if self.columns_ is None else Nodes(rows, *self.columns_.encode(graph))

    def _pooled(self, parts: Sequence[Nodes]) -> Array:
        rows = np.array([self.spec_.pooling.pool(part, self.learned_.features, self.shared_) for part in parts])
        return finite(rows)

    def _part(self, name: str, value: Any) -> Any:
        if name != "node":
            return super()._part(name, value)
        try:
            return node_model(value)
        except PhusionError:
            return value

    def _changed(self, name: str, value: Any, changes: dict[str, Any]) -> Any:
        if name == "node":
            return clone(node_model(value)).set_params(**changes)  # the given one stays as it is
        return super()._changed(name, value, changes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # graphs are not rows of a table
        tags.target_tags.required = False
        return tags


def model_of(spec: Spec, **resources: Any) -> Any:
    """The unfitted estimator of a spec; `resources` are memory, precision, threads, executor, accuracy."""
    seed = spec.random_state
    if spec.pooling is not None and resources.pop("accuracy", "exact") not in ("exact", "auto"):
        raise InputError(
            "accuracy is for the nodes of one large graph; whole graphs are embedded exactly: leave it out"
        )
    whole = spec.pooling is not None
    how = {} if whole else resources
    node = PhUSION(
        spec.proximity,
        spec.nonlinearity,
        spec.embedding,
        propagate=spec.propagate,
        normalize=spec.normalize,
        random_state=seed,
        **how,
    )
    if not whole:
        return node
    attributes = list(spec.attributes) or None
    return GraphPhUSION(node, spec.pooling, attributes=attributes, random_state=seed, **resources)


def node_model(given: Any) -> PhUSION:
    """The node model of `GraphPhUSION`, from a model, a preset's name, a spec or a mapping."""
    if isinstance(given, PhUSION):
        return given
    return model_of(_spec_given(given).replace(pooling=None, attributes=()))  # type: ignore[no-any-return]


def _spec_given(given: Any) -> Spec:
    """Its spec, with the pooling and the attributes of a preset."""
    if given is None or isinstance(given, PhUSION):
        return (given or PhUSION()).spec
    if isinstance(given, str):
        from phusion.presets.registry import find

        given = find(given).spec
    if isinstance(given, Mapping):
        given = Spec.from_dict(given)
    if not isinstance(given, Spec):
        raise InputTypeError(f"node is a PhUSION, a preset's name or a spec; got {type(given).__name__}")
    return given
