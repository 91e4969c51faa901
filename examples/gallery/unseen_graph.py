"""
Learnt in Europe, found in Brazil
=================================

Needs the data sets ``europe`` and ``brazil``. A structural row says what a node is, not where it is. So a classifier
that has learnt from the airports of Europe which quarter each is in by its traffic can be asked about those of Brazil,
of which neither it nor the embedding has seen one. The graphs differ in size: ``centered`` rows hold what a node's
proximities add up to, which does not depend on how many others there are. Averages do, and do not travel.
"""

import numpy as np
from matplotlib import pyplot
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import phusion
from phusion.embeddings import Characteristic
from phusion.proximities import Heat

known, unseen = phusion.datasets.load("europe"), phusion.datasets.load("brazil")
learnt, asked = (np.array(graph.labels.values).astype(str) for graph in (known, unseen))

for centered in (False, True):
    model = phusion.PhUSION(Heat(scale=[0.5, 2]), "identity", Characteristic(centered=centered))
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=3000))
    classifier.fit(model.fit_transform(known), learnt)
    predicted = classifier.predict(model.transform(unseen))  # scales and landmarks stay those of the fitted graph
    right = (predicted == asked).mean()
    print(f"centered={centered}: {right:.0%} of {len(unseen)} airports of Brazil, where chance gets 25%")

# %%
# A positional model refuses this: its coordinates mean nothing on another graph.

try:
    phusion.preset("netmf", dim=8).fit(known).transform(unseen)
except phusion.errors.InputError as error:
    print(error)

figure, axes = pyplot.subplots(figsize=(5, 4), layout="constrained")
ConfusionMatrixDisplay.from_predictions(asked, predicted, ax=axes, colorbar=False)
axes.set(title="airports of Brazil", xlabel="quarter by traffic, as learnt in Europe", ylabel="quarter by traffic")
