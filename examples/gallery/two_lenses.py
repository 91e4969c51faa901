"""
Two lenses on one club
======================

Zachary watched a karate club for two years, until its instructor (1) and its president (34) fell out and it split in
two. Who is *near* the president? The members who stayed with him. Who is *like* him? The instructor, on the other
side: both are the hub of their half. The same graph, two embeddings, two right answers.
"""

import phusion
from phusion import plots

karate = phusion.datasets.load("karate")
near = phusion.embed(karate, "netmf", dim=16)
alike = phusion.embed(karate, "graphwave")

sides = dict(zip(karate.nodes.tolist(), karate.labels.values.tolist(), strict=True))
for name, embedding in (("near", near), ("alike", alike)):
    found = [f"{node} ({sides[node]})" for node, _ in embedding.nearest(34, 5)]
    print(f"{name} 34 ({sides[34]}): {', '.join(found)}")

# %%
# On the left the two sides lie apart, each around its leader. On the right the leaders lie side by side, far from all
# others, and the colours are mixed: a role says nothing about the side.

figure = plots.map(karate, annotate=[1, 33, 34])
