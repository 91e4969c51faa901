"""
Roles learnt in one town, found in another
==========================================

A structural row says what a node is, not where it is. So a classifier that has learnt the roles of one graph can name
those of a graph that neither it nor the embedding has seen. Here it learns from a ring with five stars and is asked
about a chain with nine, to which a few random edges were added.
"""

from matplotlib import pyplot
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import phusion
from phusion.embeddings import Characteristic
from phusion.proximities import Heat

known = phusion.datasets.planted("star", count=5, length=40)
unseen = phusion.datasets.planted("star", count=9, base="chain", length=90, noise=3, seed=1)

# centered: what a node's proximities add, which does not depend on how large the town is
model = phusion.PhUSION(Heat(scale=[0.5, 2]), "identity", Characteristic(centered=True))
classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
classifier.fit(model.fit_transform(known), known.labels.values)

predicted = classifier.predict(model.transform(unseen))  # scales and landmarks stay those of the fitted graph
right = (predicted == unseen.labels.values).mean()
print(f"{right:.1%} of {len(unseen)} nodes of the unseen graph")

# %%
# A positional model refuses this: its coordinates mean nothing on another graph.

try:
    phusion.preset("netmf", dim=8).fit(known).transform(unseen)
except phusion.errors.InputError as error:
    print(error)

figure, axes = pyplot.subplots(figsize=(5, 4), layout="constrained")
ConfusionMatrixDisplay.from_predictions(unseen.labels.values, predicted, ax=axes, colorbar=False)
axes.set_title("roles in the unseen graph")
