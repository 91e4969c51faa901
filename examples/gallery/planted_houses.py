"""
Roles planted on a cycle
========================

Ten houses stand around a ring. Each has a roof, two shoulders and two feet. The roofs are far from each other, but
they are all roofs: a structural embedding gives them the same row, to the last digits that rounding leaves. That is a
theorem, and here it is to be seen.
"""

import numpy as np

import phusion
from phusion import plots

town = phusion.datasets.planted("house", count=10, length=60)
alike = phusion.embed(town, "graphwave", scale=[1, 10])
roles = np.array(town.labels.values)

print(f"{'role':18} nodes  largest distance between two of them")
for role in dict.fromkeys(roles.tolist()):
    rows = alike.values[roles == role]
    spread = np.linalg.norm(rows[:, None] - rows, axis=2).max()
    print(f"{role:18} {len(rows):5}  {spread:.0e}")

# %%
# The nodes of the ring between two houses differ from each other, by how far the next house is, and their label does
# not say so.

figure = plots.roles(town, seed=0)
