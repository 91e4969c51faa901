"""The scikit-learn face: `PhUSION` for nodes, `GraphPhUSION` for graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from phusion.cautions import collected
from phusion.composed import Composed, as_seed
from phusion.errors import InputError, InputTypeError
from phusion.graph.accept import as_batch, as_graph
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, object_array
from phusion.graph.labels import Labels
from phusion.pipeline import embed_graph, learn
from phusion.poolings.attributes import AttributeColumns
from phusion.poolings.base import Nodes
from phusion.provenance import fingerprint_of, provenance
from phusion.results.embedding import Embedding
from phusion.spec import Spec

__all__ = ["GraphPhUSION", "PhUSION", "model_of"]


class PhUSION(Composed, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Embed the nodes of a graph: Y = ζ(σ(Ψ(A))).

    Parameters
    ----------
    proximity : Ψ, by object, name or mapping: ``Heat(scale=[0.1, 1])``, ``"heat"``, ``{"name": "heat", "scale": 1}``.
    nonlinearity : σ, likewise.
    embedding : ζ, likewise; it alone decides whether the embedding is positional or structural.
    normalize : ``"l2"`` gives rows length 1.
    random_state : seed of what is random (the autoencoder): a number, a numpy generator, or None to draw one.
    graph : the graph, if `fit` and `transform` are given node ids instead of a graph. The way to cross-validate over
        nodes: folds are then sets of ids, and the graph is embedded as a whole.

    Attributes
    ----------
    embedding_ : n × d array.
    nodes_ : the ids, in the graph's order.
    spec_ : the `phusion.Spec` that was computed.
    result_ : both and the provenance, as a `phusion.Embedding`.

    Examples
    --------
    >>> import phusion
    >>> karate = phusion.datasets.load("karate")
    >>> phusion.PhUSION("katz", "identity", {"name": "svd", "dim": 2}).fit_transform(karate).shape
    (34, 2)
    >>> model = phusion.PhUSION("heat", "identity", "characteristic").set_params(proximity__scale=[0.1, 1])
    >>> model.fit(karate).get_feature_names_out()[1]
    'heat_s0.1_cos_t4.17'
    """

    def __init__(
        self,
        proximity: Any = "heat",
        nonlinearity: Any = "identity",
        embedding: Any = "characteristic",
        *,
        normalize: str | None = None,
        random_state: Any = None,
        graph: Any = None,
    ) -> None:
        self.proximity = proximity
        self.nonlinearity = nonlinearity
        self.embedding = embedding
        self.normalize = normalize
        self.random_state = random_state
        self.graph = graph

    @property
    def spec(self) -> Spec:
        """The method, as given; checked."""
        seed = as_seed(self.random_state)
        return Spec(self.proximity, self.nonlinearity, self.embedding, normalize=self.normalize, random_state=seed)

    def fit(self, X: Any, y: Any = None) -> PhUSION:
        """Embed a graph, or several with a structural ζ.

        Parameters
        ----------
        X : anything `phusion.as_graph` accepts, or a `GraphBatch`; node ids if the parameter `graph` is given.
        y : ignored.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Any:
        """Embed a graph and return the rows."""
        ids = X if self.graph is None else _ids_given(X)
        self._fit(ids)
        rows = (self.embedding_.copy(), self.nodes_) if self.graph is None else self._rows_of(ids)
        return self._in_output(*rows, "nodes")

    def transform(self, X: Any) -> Any:
        """Rows of a graph; of another one than fitted only with a structural ζ."""
        check_is_fitted(self, "embedding_")
        return self._in_output(*self._rows_of(X), "nodes")

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """A name for each column, such as ``heat_s0.1_cos_t4.17``."""
        check_is_fitted(self, "embedding_")
        return object_array([feature.name for feature in self.learned_.features])

    @property
    def result_(self) -> Embedding:
        """The embedding with ids, spec and provenance."""
        check_is_fitted(self, "embedding_")
        return Embedding(
            self.embedding_, self.nodes_, tuple(self.get_feature_names_out()), self.spec_, self.provenance_
        )

    def _fit(self, X: Any) -> None:
        spec = self.spec
        graphs = self._graphs(X)
        if len(graphs) > 1 and not spec.embedding.structural:
            raise InputError(_why_not(spec, "several graphs"))
        if self.graph is not None:
            graphs[0].positions(dict.fromkeys(_ids_given(X)))  # unknown ids are named before the work
        spec = spec.replace(random_state=self._seed(spec.embedding.random))
        with collected() as said:
            self.learned_, found = learn(spec, graphs, spec.random_state or 0)
        self.embedding_ = np.vstack(found)
        self.nodes_ = _ids(graphs)
        self.spec_ = spec
        self.provenance_ = provenance(graphs, spec, said)
        self.n_features_in_ = len(graphs[0])

    def _rows_of(self, X: Any) -> tuple[Array, Array]:
        """Rows and ids for what `transform` was given."""
        if self.graph is not None:
            places = self.result_.positions(_ids_given(X))
            return self.embedding_[places].copy(), self.nodes_[places]
        graphs = self._graphs(X)
        if fingerprint_of(graphs) == self.provenance_["graph"]["fingerprint"]:
            return self.embedding_.copy(), self.nodes_
        if not self.spec_.embedding.structural:
            raise InputError(_why_not(self.spec_, "a graph it was not fitted on"))
        with collected():
            found = [embed_graph(self.spec_, self.learned_, graph, self.spec_.random_state or 0) for graph in graphs]
        return np.vstack(found), _ids(graphs)

    def _graphs(self, X: Any) -> list[Graph]:
        if self.graph is not None:
            return [as_graph(self.graph)]
        if isinstance(X, (GraphBatch, list, tuple)) and len(X) and all(isinstance(item, Graph) for item in X):
            return list(X)
        return [_one_graph(X)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.graph is None  # a graph is an n × n matrix of affinities
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        tags.target_tags.required = False
        return tags


class GraphPhUSION(Composed, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Embed whole graphs: f = ρ(Y), one vector for each graph from the rows of its nodes.

    Parameters
    ----------
    node : a `PhUSION` with a structural ζ, or what makes one: a preset's name, a spec, a mapping.
    pooling : ρ, by object, name or mapping.
    attributes : name or names of node attributes (``"labels"`` for the labels) that enter by Kronecker product with the
        rows before pooling. Numbers as they are, classes one column each.
    random_state : seed of what is random (fourier pooling): a number, a numpy generator, or None to draw one.

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
        self, node: Any = None, pooling: Any = "mean", *, attributes: Any = None, random_state: Any = None
    ) -> None:
        self.node = node
        self.pooling = pooling
        self.attributes = attributes
        self.random_state = random_state

    @property
    def spec(self) -> Spec:
        """The method, as given; checked."""
        node = node_model(self.node).spec
        seed = as_seed(self.random_state)
        seed = node.random_state if seed is None else seed
        if self.pooling is None:
            raise InputError("GraphPhUSION needs a pooling, such as 'mean'; PhUSION embeds nodes")
        return node.replace(pooling=self.pooling, attributes=self.attributes or (), random_state=seed)

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
        batch = _many_graphs(X)
        with collected():
            rows = [embed_graph(self.spec_, self.learned_, graph, self.spec_.random_state or 0) for graph in batch]
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
            raise InputError(_why_not(spec, "several graphs"))
        batch = _many_graphs(X)
        spec = spec.replace(random_state=self._seed(spec.pooling.random))
        seed = spec.random_state or 0
        with collected() as said:
            self.learned_, rows = learn(spec, batch, seed)
            self.columns_ = AttributeColumns.learn(batch, spec.attributes) if spec.attributes else None
            parts = [self._nodes(graph, y) for graph, y in zip(batch, rows, strict=True)]
            self.spec_ = spec
            self.shared_, rows = spec.pooling.fit(parts, self.learned_.features, seed)
            self.embedding_ = _finite(rows)
        self.provenance_ = provenance(batch, spec, said)

    def _nodes(self, graph: Graph, rows: Array) -> Nodes:
        return Nodes(rows) if self.columns_ is None else Nodes(rows, *self.columns_.encode(graph))

    def _pooled(self, parts: Sequence[Nodes]) -> Array:
        rows = np.array([self.spec_.pooling.pool(part, self.learned_.features, self.shared_) for part in parts])
        return _finite(rows)

    def _part(self, name: str, value: Any) -> Any:
        return node_model(value) if name == "node" else super()._part(name, value)

    def _changed(self, name: str, value: Any, changes: dict[str, Any]) -> Any:
        if name == "node":
            return node_model(value).set_params(**changes)
        return super()._changed(name, value, changes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # graphs are not rows of a table
        tags.target_tags.required = False
        return tags


def model_of(spec: Spec) -> Any:
    """The unfitted estimator of a spec."""
    node = PhUSION(
        spec.proximity, spec.nonlinearity, spec.embedding, normalize=spec.normalize, random_state=spec.random_state
    )
    if spec.pooling is None:
        return node
    attributes = list(spec.attributes) or None
    return GraphPhUSION(node, spec.pooling, attributes=attributes, random_state=spec.random_state)


def node_model(given: Any) -> PhUSION:
    """The node model of `GraphPhUSION`, from a model, a preset's name, a spec or a mapping."""
    if isinstance(given, PhUSION):
        return given
    if given is None:
        return PhUSION()
    if isinstance(given, str):
        from phusion.presets.registry import find

        given = find(given).spec
    if isinstance(given, Mapping):
        given = Spec.from_dict(given)
    if not isinstance(given, Spec):
        raise InputTypeError(f"node is a PhUSION, a preset's name or a spec; got {type(given).__name__}")
    return model_of(given.replace(pooling=None, attributes=()))  # type: ignore[no-any-return]


def _one_graph(X: Any) -> Graph:
    if isinstance(X, Labels):
        raise InputTypeError("these are labels; fit takes the graph first: fit(graph, labels)")
    listed = isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(x, (str, int, float)) for x in X)
    if listed or (not isinstance(X, (list, tuple)) and getattr(X, "ndim", 2) == 1):
        raise InputError(
            f"a graph is expected, such as a square matrix; got a one-dimensional list of {len(X):,} values. Are these "
            "labels, or node ids? Ids need PhUSION(graph=…). Reshape your data if it is a matrix"
        )
    return as_graph(X)


def _ids_given(X: Any) -> list[Any]:
    if isinstance(X, Graph):
        raise InputTypeError("with PhUSION(graph=…) fit and transform take node ids, such as graph.nodes; got a Graph")
    try:
        return [node.item() if isinstance(node, np.generic) else node for node in X]
    except TypeError as error:
        raise InputTypeError(f"with PhUSION(graph=…) a list of node ids is needed; got {X!r}") from error


def _finite(rows: Array) -> Array:
    if not np.isfinite(rows).all():
        raise InputError("the pooled features are not finite: numbers beyond 1e308. Divide attributes by their maximum")
    return rows


def _many_graphs(X: Any) -> Sequence[Graph]:
    if isinstance(X, np.ndarray) and X.dtype == object:
        X = X.tolist()  # what numpy makes of a list of graphs that was split
    if isinstance(X, GraphBatch):
        return X
    if isinstance(X, Graph):
        raise InputTypeError("one graph is given where many are expected; give a list, as [graph]")
    return as_batch(X)


def _ids(graphs: Sequence[Graph]) -> Array:
    """The ids of one graph; of several, pairs of the graph's number and the id."""
    if len(graphs) == 1:
        return graphs[0].nodes
    return object_array([(i, node) for i, graph in enumerate(graphs) for node in graph.nodes.tolist()])


def _why_not(spec: Spec, what: str) -> str:
    return (
        f"{spec.embedding.name} is positional: its coordinates belong to the graph they were computed from, so it "
        f"cannot embed {what}. Fit a model for each graph, or use a structural embedding function, whose rows "
        "compare between graphs: characteristic, histogram or diagonal"
    )
