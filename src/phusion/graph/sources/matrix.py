"""numpy square arrays; scipy sparse matrices and sparse arrays of every format."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.graph.draft import Draft, Options
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.origin import comes_from

TITLE = "scipy sparse matrix or array (every format), numpy square array"


def matches(thing: Any) -> bool:
    """Arrays of any shape: those that are not square are refused in words."""
    return isinstance(thing, np.ndarray) or (comes_from(thing, "scipy") and hasattr(thing, "tocoo"))


def read(thing: Any, options: Options) -> Draft:
    """Every entry that is not zero is an edge; symmetric matrices are undirected graphs."""
    name = "numpy array" if isinstance(thing, np.ndarray) else f"scipy {type(thing).__name__}"
    draft = draft_from_matrix(thing, name)
    if isinstance(thing, np.ndarray) and thing.shape == (2, 2) and thing.dtype.kind in "iu":
        draft.notes.append("2 × 2 numbers were read as a matrix, not as two edges; a list of edges is a list of tuples")
    return draft
