"""`make demo`: embed the graph phusion carries with it both ways, look at one node in each space, and draw both."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

import phusion
from phusion.cli import main

OUT = Path("demo")
NODE = 34  # the president of the karate club
POSITIONAL, STRUCTURAL = OUT / "karate-netmf.csv", OUT / "karate-graphwave.npz"
PICTURE = OUT / "karate.png"


def run(*words: str) -> None:
    print(f"\n$ phusion {' '.join(words)}", flush=True)
    code = main(list(words))
    if code:
        sys.exit(code)


def show_nearest(graph: phusion.Graph, embedding: phusion.Embedding, what: str) -> None:
    place = graph.positions([NODE])[0]
    neighbours = set(graph.nodes[graph.adjacency[[place]].indices].tolist())
    print(f"\nNearest to node {NODE} (degree {graph.degrees[place]:.0f}) by {what}:")
    for node, distance in embedding.nearest(NODE, 5):
        degree = graph.degrees[graph.positions([node])[0]]
        link = "a neighbour" if node in neighbours else "not a neighbour"
        print(f"  node {node:>2}  distance {distance:.4f}  degree {degree:2.0f}  {link}")


def draw(graph: phusion.Graph, embeddings: dict[str, phusion.Embedding]) -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from sklearn.decomposition import PCA

    figure, axes = pyplot.subplots(1, 2, figsize=(11, 5), layout="constrained")
    for axis, (title, embedding) in zip(axes, embeddings.items(), strict=True):
        points = PCA(2, random_state=0).fit_transform(embedding.values)
        groups = graph.labels.values.tolist()
        for group in dict.fromkeys(groups):
            chosen = [i for i, other in enumerate(groups) if other == group]
            axis.scatter(*points[chosen].T, s=30 + 25 * graph.degrees[chosen], alpha=0.6, label=str(group))
        for node, point in zip(graph.nodes, points, strict=True):
            axis.annotate(str(node), point, ha="center", va="center", fontsize=7)
        axis.set_title(title)
        axis.set_xticks([])
        axis.set_yticks([])
    axes[0].legend(title="side after the split (size: degree)", fontsize=8)
    figure.savefig(PICTURE, dpi=150)


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    run("inspect", "karate")
    run("embed", "karate", "-o", str(POSITIONAL), "--preset", "netmf", "--set", "dim=16", "--force")
    run("embed", "karate", "-o", str(STRUCTURAL), "--preset", "graphwave", "--force")
    graph = phusion.datasets.load("karate")
    near, alike = phusion.Embedding.load(POSITIONAL), phusion.Embedding.load(STRUCTURAL)
    show_nearest(graph, near, "position (netmf): who is near")
    show_nearest(graph, alike, "role (graphwave): who is alike; node 1 is the instructor on the other side")
    draw(graph, {"positional: NetMF, nodes that are near": near, "structural: GraphWave, nodes that are alike": alike})
    print(f"\nWritten: {POSITIONAL} and {STRUCTURAL} (the embeddings), {PICTURE} (both, side by side).")
    print("Your own graph: .venv/bin/phusion embed YOUR_FILE -o OUT.csv --preset graphwave")
