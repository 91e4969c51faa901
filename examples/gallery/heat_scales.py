"""
How far a node looks: choosing heat's scale
===========================================

Light a fire at a node and wait. After a short time only the node and its neighbours are warm: small scales tell
degrees apart. Later the whole neighbourhood is: large scales see what is around the neighbours. On a barbell, two
cliques with a long bridge between them, small scales take all nodes of the bridge for the same; larger ones know how
far each is from the cliques. ``scale="auto"`` takes three scales, from near to far.
"""

import numpy as np
from matplotlib import pyplot

import phusion

barbell = phusion.datasets.barbell(clique=8, bridge=15)
bridge = [place for place, role in enumerate(barbell.labels.values) if role.startswith("bridge")]

figure, axes = pyplot.subplots(1, 3, figsize=(9, 3), sharex=True, layout="constrained")
for panel, scale in zip(axes, (0.1, 3, 100), strict=True):
    rows = phusion.embed(barbell, "graphwave", scale=scale).values
    middle = rows[bridge[len(bridge) // 2]]
    panel.bar(range(len(rows)), np.linalg.norm(rows - middle, axis=1))
    panel.set(title=f"scale {scale}", xlabel="node, along the barbell")
axes[0].set_ylabel("distance of its row from\nthat of the middle of the bridge")

# %%
# Which scales does the rule take here?

model = phusion.PhUSION(phusion.proximities.Heat(scale="auto"), "identity", "characteristic").fit(barbell)
print([round(scale, 3) for scale in model.spec_.proximity.scale])
