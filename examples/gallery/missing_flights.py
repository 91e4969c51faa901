"""
Which flights are missing?
==========================

Needs the data set ``brazil``. A fifth of the connections between Brazil's airports is hidden, the rest is embedded,
and pairs of airports are ranked by how well their rows agree. An AUC of 0.5 is chance; 1 ranks every hidden
connection above every pair that has none. The old idea that who has friends in common will meet is hard to beat on so
small and dense a graph.
"""

from matplotlib import pyplot

import phusion
from phusion.evaluation.link_prediction import LinkPrediction

brazil = phusion.datasets.load("brazil").without_self_loops()
methods = {
    "netmf": phusion.preset("netmf", dim=16),
    "katz": phusion.PhUSION("katz", "identity", {"name": "svd", "dim": 16}),
    "common neighbours": phusion.PhUSION("common_neighbors", "identity", {"name": "svd", "dim": 16}),
}
found = {
    name: [LinkPrediction(test_size=0.2).score(brazil, model.fit_transform, seed)["auc"][0] for seed in range(10)]
    for name, model in methods.items()
}
for name, scores in found.items():
    print(f"{name:18} AUC {sum(scores) / len(scores):.3f}")

figure, axes = pyplot.subplots(figsize=(6, 2.8), layout="constrained")
axes.boxplot(list(found.values()), tick_labels=list(found), orientation="horizontal")
axes.axvline(0.5, color="grey", linestyle="dashed")
axes.set(xlabel="AUC of hidden connections, 10 draws")
