"""
A budget of memory, and the plan that keeps it
==============================================

Needs the data set ``europe``, 399 airports. A proximity matrix has an entry for every pair of nodes. It need not exist:
the plan says, before any work, how a graph would be embedded within a budget. Of small graphs the matrix is written out
if there is room. If not, and of large ones anyway, blocks of columns are computed and forgotten. With too little memory
the plan refuses, and names the smallest budget that would do. The rows are the same.
"""

import numpy as np
from matplotlib import pyplot

import phusion

graph = phusion.datasets.load("europe")
method = {"proximity": {"name": "heat", "scale": [0.1, 1]}, "embedding": "characteristic"}

budgets, peaks, plans = ["1GB", "100MB", "10MB", "2MB"], [], []
for budget in budgets:
    plans.append(phusion.PhUSION(**method, memory=budget, threads=1).plan(graph))
    peaks.append(plans[-1].peak / 1e6)
    print(f"{budget:>6}: {plans[-1].strategy}, {peaks[-1]:.0f} MB at peak")
try:
    phusion.PhUSION(**method, memory="0.1MB", threads=1).plan(graph)
except phusion.errors.InputError as error:
    print(f" 0.1MB: {error}")

# %%
# The budget changes how rows are computed, not what they are.

rich, poor = (phusion.embed(graph, method, memory=budget).values for budget in ("1GB", "2MB"))
print(f"largest difference: {np.abs(rich - poor).max():.0e}")

figure, axes = pyplot.subplots(figsize=(6, 3), layout="constrained")
bars = axes.bar([f"{b}\n{p.strategy}" for b, p in zip(budgets, plans, strict=True)], peaks)
axes.bar_label(bars, fmt="%.1f")
axes.axhline(8 * len(graph) ** 2 / 1e6, color="grey", linestyle="dashed")
axes.set(xlabel="budget", ylabel="MB at peak, by the plan", title="dashed: one n × n matrix", ylim=(0, 12))
