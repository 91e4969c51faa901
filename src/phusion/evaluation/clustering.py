"""Grouping nodes by their rows, compared with known classes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn import metrics
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.graph.labels import Labels

__all__ = ["NodeClustering"]


@dataclass(frozen=True)
class NodeClustering:
    """As many clusters as there are classes, in the leading directions of the scaled rows.

    Parameters
    ----------
    method : ``"kmeans"``, or ``"single"`` or ``"average"``, the linkages of agglomerative clustering.
    dim : leading principal components in which clusters and silhouettes are computed; None for all of the rows.
    """

    method: Literal["kmeans", "single", "average"] = "kmeans"
    dim: int | None = 5

    metrics = ("homogeneity", "completeness", "ami", "silhouette")

    def __post_init__(self) -> None:
        if self.method not in ("kmeans", "single", "average") or (self.dim is not None and self.dim < 1):
            raise InputError(
                f"clustering has method 'kmeans', 'single' or 'average' and dim ≥ 1; got {self.method!r}, {self.dim}"
            )

    def score(self, rows: Array, labels: Labels, seed: int) -> dict[str, list[float]]:
        """Each metric; the silhouette is that of the clusters found, among those rows."""
        membership = labels.membership.toarray()
        if (membership.sum(axis=1) != 1).any():
            raise InputError("clustering is compared with one class for each node; some nodes have none or several")
        truth = membership.argmax(axis=1)
        count = len(np.unique(truth))
        if not 2 <= count < len(rows):
            raise InputError(f"clustering needs two classes at least, and fewer than nodes; got {count} of {len(rows)}")
        points = StandardScaler().fit_transform(rows)
        if self.dim is not None and self.dim < min(points.shape):
            points = PCA(self.dim, random_state=seed).fit_transform(points)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct rows than clusters: fewer are found
            found = self._model(count, seed).fit_predict(points)
        several = 2 <= len(np.unique(found)) < len(points)
        values = {
            "homogeneity": metrics.homogeneity_score(truth, found),
            "completeness": metrics.completeness_score(truth, found),
            "ami": metrics.adjusted_mutual_info_score(truth, found),
            "silhouette": metrics.silhouette_score(points, found) if several else 0.0,
        }
        return {name: [float(value)] for name, value in values.items()}

    def _model(self, count: int, seed: int) -> Any:
        if self.method == "kmeans":
            return KMeans(count, n_init=10, random_state=seed)
        return AgglomerativeClustering(count, linkage=self.method)
