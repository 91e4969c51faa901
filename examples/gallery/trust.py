"""
Trust and distrust
==================

Needs the data set ``bitcoin-alpha``. Traders rate each other from −10 to 10, and a graph of such ratings is directed
and signed. Most proximities refuse it, with the reason. ``signed_walk`` is made for it: a walk changes its sign on a
negative rating, so that an enemy's enemy counts as a friend. The preset ``srde`` describes a trader by a histogram:
of a row of that matrix, what goes out from the trader, or of a column, what arrives.
"""

import numpy as np
from matplotlib import pyplot
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import phusion

traders = phusion.datasets.load("bitcoin-alpha")
print(traders)
try:
    phusion.embed(traders, "netmf")
except phusion.errors.InputError as error:
    print(error)

# %%
# Rows tell best who hands out negative ratings, and columns who gets them. (The ratings are part of the graph: this
# describes traders, it does not foretell what they will do.)

ratings = traders.adjacency
questions = {
    "gave negative ratings": np.asarray((ratings < 0).sum(axis=1)).ravel() > 0,
    "is distrusted in sum": np.asarray(ratings.sum(axis=0)).ravel() < 0,
}
classifier = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=500))
figure, axes = pyplot.subplots(figsize=(6, 2.8), layout="constrained")
for shift, side in ((-0.2, "rows"), (0.2, "columns")):
    values = phusion.embed(traders, "srde", axis=side, edges="common").values  # bins that compare between traders
    scores = [cross_val_score(classifier, values, y, cv=3, scoring="roc_auc").mean() for y in questions.values()]
    axes.barh([place + shift for place in range(2)], scores, height=0.4, label=f"histograms of {side}")
    print(side, {question: round(score, 2) for question, score in zip(questions, scores, strict=True)})
axes.set(yticks=range(2), yticklabels=questions, xlim=(0.5, 1), xlabel="AUC over 3 folds, 0.5 is chance")
figure.legend(loc="outside upper center", ncols=2)
