"""
A proximity of your own
=======================

Resource allocation: a node hands something to its neighbours, which share it evenly among theirs. How much of it
arrives at another node says how near that is, and neighbours with few other friends count most. It is not among
phusion's proximities, so here it is written: a class with a formula. From then on it goes by its name like all
others, with every nonlinearity and embedding function.
"""

import numpy as np

import phusion
from phusion.proximities.base import Kinds, No, Proximity


class ResourceAllocation(Proximity, name="resource_allocation"):
    r"""Shared neighbours, of which those with few others count most: S = A D⁻¹ A.

    Zhou, Lü and Zhang, *Predicting missing links via local information*, European Physical Journal B, 2009.
    """

    symmetric = True
    kinds = Kinds(directed=No("neighbours are those of undirected edges"), signed=No("shares are not negative"))

    def dense(self, graph):
        A, d = graph.adjacency.toarray(), graph.degrees
        return A @ np.divide(A, d[:, None], out=np.zeros_like(A), where=d[:, None] > 0)


karate = phusion.datasets.load("karate")
model = phusion.PhUSION("resource_allocation", "log", {"name": "svd", "dim": 8}).fit(karate)
print(model.result_)
print("near 34:", [node for node, _ in model.result_.nearest(34, 5)])

# %%
# ``CONTRIBUTING.md`` shows the same as a file of the library, which the contract tests then hold to its formula.

figure = model.result_.plot(karate.labels, annotate=[1, 34]).figure
