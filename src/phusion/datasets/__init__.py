"""Data sets by name: where each comes from, its checksum, its licence, and what it must contain. And planted roles.

>>> from phusion import datasets
>>> datasets.load("karate")
Graph('karate': 34 nodes, 78 edges, undirected, unweighted, 2 classes)
"""

from phusion.datasets.generated import barbell, mirrored_karate, planted
from phusion.datasets.registry import Dataset, find, names
from phusion.datasets.store import is_here, load

__all__ = ["Dataset", "barbell", "find", "is_here", "load", "mirrored_karate", "names", "planted"]
