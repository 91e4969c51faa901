"""
Airports by what they are
=========================

Needs the data set ``usa``. 1,190 airports in the USA and the flights between them, each labelled with the quarter it
is in by the number of passengers. A busy airport in Florida is far from a busy one in Washington, but it is like it.
So roles should tell passengers better than places do; and they do.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import phusion
from phusion import plots

usa = phusion.datasets.load("usa")
busy = np.array(usa.labels.values).astype(str)
for name, changes in (("netmf", {"dim": 64}), ("graphwave", {"scale": [0.1, 1, 10]})):
    embedding = phusion.embed(usa, name, **changes)
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    scores = cross_val_score(classifier, embedding.values, busy, cv=3)
    print(f"{name}: {scores.mean():.1%} of the airports, where chance gets 25%")

# %%
# The hub, the airport with most connections, is named on both maps.

hub = usa.nodes[usa.degrees.argmax()]
figure = plots.map(usa, annotate=[hub], map="pca")
