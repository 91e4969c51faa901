"""Graphs that are hard to show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import phusion

DANGER = [
    "<script>alert(1)</script>",
    "\"quoted\" & 'so'",
    "שלום",
    "名前",
    "two\nlines, a comma",
    "</script><img>",
]
CLASSES = ["<b>bold</b>", 'say "x" & y', "مرحبا"]


def dangerous() -> phusion.Graph:
    """Two cliques of six, joined by a path, with a star and two lonely nodes; the first ids are dangerous."""
    names = [*DANGER, *(f"n{i}" for i in range(len(DANGER), 30))]
    pairs = [(a, b) for start in (0, 6) for a in range(start, start + 6) for b in range(a + 1, start + 6)]
    pairs += [(5, 12), (12, 13), (13, 6), *((14, leaf) for leaf in range(15, 28)), (14, 0)]
    graph = phusion.as_graph(
        [(names[a], names[b]) for a, b in pairs],
        nodes=names,
        labels={name: CLASSES[i % 3] for i, name in enumerate(names) if i < 26},  # the last four have none
    )
    age = np.array([np.nan, *np.linspace(1, 1000, 29)])
    town = np.array([None, *("<i>Oslo</i>" if i % 2 else "Łódź" for i in range(29))], dtype=object)
    return replace(graph, name="<danger> & co", attributes={"age": age, "town <x>": town})


def odd() -> phusion.Graph:
    """Names with commas, two of them at one place and of two classes; a self-loop; and a node without edges."""
    aquaporin, protein, kinase, ligase = "Aquaporin-1", "Protein, putative", "Kinase, putative", "Ligase 3"
    myosin, actin, tubulin, dynein = "Myosin-9", "Actin, cytoplasmic 1", "Tubulin beta", "Dynein, heavy chain"
    pairs = [(aquaporin, kinase), (aquaporin, ligase), (protein, kinase), (protein, ligase), (kinase, ligase)]
    pairs += [(ligase, ligase), (ligase, myosin), (myosin, actin), (actin, tubulin), (tubulin, myosin)]
    labels = {aquaporin: "membrane", protein: "unknown", kinase: "enzyme", ligase: "enzyme", myosin: "motor"}
    graph = phusion.as_graph(
        [*pairs, (tubulin, dynein)],
        nodes=[aquaporin, protein, kinase, ligase, myosin, actin, tubulin, dynein, "Lonely"],
        labels=labels,
    )
    return replace(graph, name="odd")


def components() -> phusion.Graph:
    """Paths of three, four and two nodes, and three nodes without edges."""
    pairs = ["ab", "bc", "de", "ef", "fg", "xy"]
    return phusion.as_graph([tuple(pair) for pair in pairs], nodes=list("abcdefgxypqr"))
