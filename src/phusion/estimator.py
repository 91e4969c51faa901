"""`PhUSION`: the scikit-learn face, for nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from phusion.cautions import collected
from phusion.composed import Composed, as_seed
from phusion.errors import InputError
from phusion.execution.plan import Plan
from phusion.graph.accept import as_graph
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, object_array
from phusion.inputs import are_graphs, ids_given, ids_of, many_graphs, one_graph, why_not
from phusion.pipeline import embed_graphs, learn, plan_of
from phusion.provenance import fingerprint_of, provenance
from phusion.results.embedding import Embedding
from phusion.spec import Spec

__all__ = ["EXPECTED_FAILED_CHECKS", "PhUSION"]

_NO_TABLE = "the check passes a table; a graph is a square matrix, and anything else is refused with its shape"
EXPECTED_FAILED_CHECKS = {
    "check_n_features_in_after_fitting": "another graph may have any number of nodes; structural models embed it",
    "check_complex_data": _NO_TABLE,
    "check_dtype_object": "an array of objects is refused, lest a list of edges be taken for a matrix",
    "check_estimators_empty_data_messages": _NO_TABLE,
    "check_estimators_nan_inf": _NO_TABLE,
    "check_transformer_data_not_an_array": "graphs come as the types as_graph knows; it does not guess at others",
    "check_methods_sample_order_invariance": "the check reorders rows alone, which makes it another, directed graph",
    "check_methods_subset_invariance": "the check takes some rows alone, which is no graph",
    "check_fit_idempotent": "the check splits rows alone into 80 and 20, which are no graphs",
}
"""For scikit-learn's ``check_estimator(PhUSION(), expected_failed_checks=…)``: what fails, and why it must."""


class PhUSION(Composed, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Embed the nodes of a graph: Y = ζ(σ(Ψ(A))).

    Parameters
    ----------
    proximity : Ψ, by object, name or mapping: ``Heat(scale=[0.1, 1])``, ``"heat"``, ``{"name": "heat", "scale": 1}``.
    nonlinearity : σ, likewise.
    embedding : ζ, likewise; it alone decides whether the embedding is positional or structural.
    propagate : π, likewise: mixes rows of a positional ζ along edges; a number means so many steps of low_pass.
    normalize : ``"l2"`` gives rows length 1.
    random_state : seed of what is random: a number, a numpy generator, or None, which draws one for the autoencoder and
        is 0 for approximate singular vectors.
    graph : the graph, if `fit` and `transform` are given node ids instead of a graph. The way to cross-validate over
        nodes: folds are then sets of ids, and the graph is embedded as a whole.
    memory : bytes, or words like ``"2GB"``, that computing may take beyond what Python holds; None for 70 % of what is
        free in the machine or its control group. What does not fit is refused before the work.
    precision : ``"double"``, or ``"single"`` for half the memory and time, with errors of about 1e-6 in proximities and
        1e-3 in singular vectors.
    threads : how many work at a time; None for one on each processor.
    executor : None for threads; ``"dask"`` for the Dask client of this process, ``"local"`` for Dask workers on this
        machine, a scheduler's address, or a client.

    accuracy : ``"exact"``; or the relative error of n(φ − 1) that 95 of 100 nodes may have, such as 0.01:
        characteristic functions of heat, katz, fabp and pagerank are then approximated in time that grows with the
        number of edges, and ``result_.certificate`` says what error was measured; ``"auto"``: exact where that takes
        about a minute or less, else 0.01. A number needs numba (the extra ``fast``); without it ``"auto"`` is exact.

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
        propagate: Any = None,
        normalize: str | None = None,
        random_state: Any = None,
        graph: Any = None,
        memory: Any = None,
        precision: str = "double",
        threads: int | None = None,
        executor: Any = None,
        accuracy: Any = "exact",
    ) -> None:
        self.proximity = proximity
        self.nonlinearity = nonlinearity
        self.embedding = embedding
        self.propagate = propagate
        self.normalize = normalize
        self.random_state = random_state
        self.graph = graph
        self.memory = memory
        self.precision = precision
        self.threads = threads
        self.executor = executor
        self.accuracy = accuracy

    @property
    def spec(self) -> Spec:
        """The method, as given; checked."""
        seed = as_seed(self.random_state)
        return Spec(
            self.proximity,
            self.nonlinearity,
            self.embedding,
            normalize=self.normalize,
            random_state=seed,
            propagate=self.propagate,
        )

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
        ids = X if self.graph is None else ids_given(X)
        self._fit(ids)
        rows = (self.embedding_.copy(), self.nodes_) if self.graph is None else self._rows_of(ids)
        return self._in_output(*rows, "nodes")

    def transform(self, X: Any) -> Any:
        """Rows of a graph; of another one than fitted only with a structural ζ."""
        check_is_fitted(self, "embedding_")
        return self._in_output(*self._rows_of(X), "nodes")

    def plan(self, X: Any = None, *, partitioned: bool = False) -> Plan:
        """How a graph would be embedded, and what that would cost: see `Plan.explain`. Nothing is computed yet.

        Parameters
        ----------
        X : the graph; not needed if the parameter `graph` is given.
        partitioned : whether rows are written as they are computed, as by `phusion.embed_to`, and never held.
        """
        graph = as_graph(self.graph) if self.graph is not None else one_graph(X)
        return plan_of(self.spec, graph, self.resources, partitioned=partitioned)

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
            raise InputError(why_not(spec, "several graphs"))
        if self.graph is not None:
            graphs[0].positions(dict.fromkeys(ids_given(X)))  # unknown ids are named before the work
        spec = spec.replace(random_state=self._seed(spec.embedding.random))
        with collected() as said:
            self.learned_, found = learn(spec, graphs, spec.random_state or 0, self.resources)
        self.embedding_ = found[0] if len(found) == 1 else np.vstack(found)
        self.nodes_ = ids_of(graphs)
        self.spec_ = spec.replace(proximity=self.learned_.proximity)  # "auto" is settled
        self.provenance_ = provenance(
            graphs, spec, said, self.precision, self.learned_.certificate, self.learned_.fidelity
        )
        self.n_features_in_ = len(graphs[0])

    def _rows_of(self, X: Any) -> tuple[Array, Array]:
        """Rows and ids for what `transform` was given."""
        if self.graph is not None:
            places = self.result_.positions(ids_given(X))
            return self.embedding_[places].copy(), self.nodes_[places]
        graphs = self._graphs(X)
        if fingerprint_of(graphs) == self.provenance_["graph"]["fingerprint"]:
            return self.embedding_.copy(), self.nodes_
        if not self.spec_.embedding.structural:
            return self._reordered(graphs), ids_of(graphs)
        with collected():
            seed = self.spec_.random_state or 0
            found = embed_graphs(self.spec_, self.learned_, graphs, seed, self.resources)
        return np.vstack(found), ids_of(graphs)

    def _reordered(self, graphs: list[Graph]) -> Array:
        """The fitted rows for the same graph with its nodes in another order; refused for any other graph."""
        graph, fitted = graphs[0], self.nodes_.tolist()
        if len(graphs) == 1 and set(graph.nodes.tolist()) == set(fitted):
            order = graph.positions(fitted)
            if fingerprint_of([graph.permuted(order)]) == self.provenance_["graph"]["fingerprint"]:
                rows: Array = self.embedding_[np.argsort(order)]
                return rows
        raise InputError(why_not(self.spec_, "a graph it was not fitted on"))

    def _graphs(self, X: Any) -> list[Graph]:
        if self.graph is not None:
            return [as_graph(self.graph)]
        if are_graphs(X):
            return list(many_graphs(X))
        return [one_graph(X)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.graph is None  # a graph is an n × n matrix of affinities
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        tags.target_tags.required = False
        return tags
