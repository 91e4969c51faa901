"""
A search with scikit-learn
==========================

Models are scikit-learn estimators, so a grid search can try proximities and dimensions as it tries anything else.
Folds are sets of nodes: the graph is given to the model, and its ids are ``X``. The search below cross-validates six
designs on the karate club's two sides. (Its best score is that of a winner on the folds it won on; ``phusion sweep``
tells an honest one.)
"""

from matplotlib import pyplot
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import phusion

karate = phusion.datasets.load("karate")
pipeline = make_pipeline(
    phusion.PhUSION("ppmi", "log", {"name": "svd", "dim": 4}, graph=karate), LogisticRegression(max_iter=1000)
)
grid = {"phusion__proximity": ["ppmi", "katz", "heat"], "phusion__embedding__dim": [2, 8]}
search = GridSearchCV(pipeline, grid, cv=4).fit(karate.nodes, karate.labels.values.astype(str))

results = search.cv_results_
names = [
    f"{p} × {d}"
    for p, d in zip(results["param_phusion__proximity"], results["param_phusion__embedding__dim"], strict=True)
]
figure, axes = pyplot.subplots(figsize=(6, 3), layout="constrained")
axes.barh(names, results["mean_test_score"], xerr=results["std_test_score"], height=0.6)
axes.set(xlabel="accuracy over 4 folds", xlim=(0, 1.1))
axes.axvline(0.5, color="grey", linestyle="dashed")
print(search.best_params_)
