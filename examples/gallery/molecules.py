"""
Which molecules change genes?
=============================

Needs the data set ``mutag``. 188 nitro compounds, each a graph of atoms, some of which cause mutations. Whole graphs
are embedded: ``netlsd`` hears their shape (250 numbers each), ``retgk-1`` compares return probabilities of random
walks and gives a kernel matrix. What knows nothing but edges gets most molecules right.
"""

from matplotlib import pyplot
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import phusion

molecules = phusion.datasets.load("mutag")
classes = molecules.labels.astype(str)
folds = StratifiedKFold(10, shuffle=True, random_state=0)
scores = {"the larger class": [max((classes == one).mean() for one in set(classes))]}

shapes = phusion.embed(molecules, "netlsd").values
scores["netlsd"] = cross_val_score(make_pipeline(StandardScaler(), SVC(C=10)), shapes, classes, cv=folds)
kernel = phusion.preset("retgk-1").fit_transform(molecules)
scores["retgk-1"] = cross_val_score(SVC(C=10, kernel="precomputed"), kernel, classes, cv=folds)
kernel = phusion.preset("retgk-1", attributes="labels").fit_transform(molecules)  # and which atom each node is
scores["retgk-1, atoms"] = cross_val_score(SVC(C=10, kernel="precomputed"), kernel, classes, cv=folds)

figure, axes = pyplot.subplots(figsize=(6, 2.6), layout="constrained")
for name, found in scores.items():
    mean = sum(found) / len(found)
    print(f"{name:17} {mean:.1%}")
    axes.barh(name, mean)
axes.set(xlabel="accuracy over 10 folds", xlim=(0, 1))
axes.invert_yaxis()
