"""
Longer and longer walks: NetMF becomes InfiniteWalk
===================================================

NetMF looks at who meets whom in a window of T steps of a random walk. As T grows, all meet all: the matrix becomes
flat, and what is left of it shrinks like 1/T. InfiniteWalk is what remains when that 1/T is taken out, at T = ∞. Here
T times NetMF's matrix (less its flat part) moves towards InfiniteWalk's, on the karate club.
"""

import numpy as np
from matplotlib import pyplot

import phusion
from phusion.proximities import Ppmi, PpmiLimit

karate = phusion.datasets.load("karate")
limit = PpmiLimit().dense(karate)

windows = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
apart = []
for window in windows:
    finite = window * (Ppmi(window=window).dense(karate) - 1)  # 1 is what chance gives
    apart.append(np.corrcoef(finite.ravel(), limit.ravel())[0, 1])
    print(f"T = {window:4}: correlation of the entries {apart[-1]:.6f}")

# %%
# A window of 10, NetMF's usual one, is already near the limit on a graph this small.

figure, axes = pyplot.subplots(figsize=(6, 3.2), layout="constrained")
axes.loglog(windows, 1 - np.array(apart), "o-")
axes.set(
    xlabel="window T", ylabel="1 − correlation with the limit", title="NetMF's matrix on its way to InfiniteWalk's"
)
