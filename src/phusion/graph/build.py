"""From a draft to a `Graph`: duplicates, direction, weights, each by a stated rule and said in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal
from warnings import warn

import numpy as np

from phusion.errors import FileError, GraphNotice, WeightError, callers_level
from phusion.graph.combine import Meeting, Rule, collect, resolve, resolve_tellings, settle
from phusion.graph.draft import Draft, Options
from phusion.graph.graph import Graph, Reading
from phusion.graph.ids import Array
from phusion.graph.words import count

__all__ = ["build", "report"]


def build(draft: Draft, options: Options) -> Graph:
    """Settle what the draft leaves open. Nothing is warned here; see `report`."""
    weights = None if draft.weights is None else checked_weights(draft.weights, draft)
    rows, cols, weights, n_zero = _without_zeros(draft.rows, draft.cols, weights)
    if n_zero:
        draft.notes.append(f"{count(n_zero, 'listed weight')} of 0: no edge there (the nodes stay)")
    if _is_known_undirected(draft):  # parallel edges may be stored in either direction; no mirror images
        rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
    with np.errstate(over="ignore"):  # seen below, and said in words
        combined = _combined(rows, cols, weights, draft, options)
    matrix = combined.matrix
    if weights is not None:
        _drop_cancelled(combined, draft)
    return Graph(
        adjacency=matrix,
        nodes=draft.nodes,
        directed=combined.directed,
        attributes=draft.attributes,
        labels=draft.labels,
        edge_attributes=_carried(draft, rows, cols, matrix, combined.directed),
        name=draft.name,
        reading=Reading(
            draft.source,
            tuple(draft.notes),
            combined.n_duplicates,
            combined.n_both_ways,
            n_zero,
        ),
    )


def _drop_cancelled(combined: _Combined, draft: Draft) -> None:
    """Weights that add up to 0 leave no edge; weights that add up to infinity leave no graph."""
    matrix = combined.matrix
    n_cancelled = combined.n_entries - int(np.count_nonzero(matrix.data))
    if n_cancelled:
        matrix.eliminate_zeros()
        draft.notes.append(f"{count(n_cancelled, 'entry')} cancelled to weight 0 when combined: no edge there")
    with np.errstate(over="ignore"):
        total = np.abs(matrix.data).sum()
    if not np.isfinite(total):
        raise FileError("the weights add up to infinity; scale them down", path=draft.path)


@dataclass
class _Combined:
    """The matrix, not yet without the zeros that adding up may leave, and how it came about."""

    matrix: Any
    n_entries: int
    directed: bool
    n_duplicates: int
    n_both_ways: int = 0


def _combined(rows: Array, cols: Array, weights: Array | None, draft: Draft, options: Options) -> _Combined:
    rule, plain = _rule(options.duplicates, weights)
    # "first" is the smallest place in the list: places are combined, and become weights in the end
    by_place = weights if options.duplicates == "first" else None
    values = weights if by_place is None else np.arange(1.0, len(rows) + 1)
    arcs = collect(rows, cols, values, len(draft.nodes), rule)
    n_duplicates = len(rows) - int(arcs.nnz)
    if n_duplicates:
        if options.duplicates == "error":
            raise FileError(_first_duplicate(rows, cols, draft), path=draft.path)
        draft.notes.append(f"{count(n_duplicates, 'repeated entry')} combined: {plain}")
    directed = draft.directed if options.directed is None else bool(options.directed)
    meeting = Meeting(arcs, by_place)
    if _is_known_undirected(draft):
        matrix = settle(meeting, lambda: resolve(meeting, "max"))
        result = _Combined(matrix, meeting.n_either, bool(directed), n_duplicates)
    elif directed or (directed is None and _is_directed(meeting, draft, rows, cols, weights)):
        result = _Combined(arcs, int(arcs.nnz), True, n_duplicates)
    else:
        n_contradicted = _n_contradicted(meeting, draft, rows, cols, weights)
        both = _both_ways(meeting, draft, options, plain, n_contradicted)
        if both == "tellings":
            told = np.ones(len(rows)) if weights is None else weights
            matrix = settle(meeting, lambda: resolve_tellings(meeting, rows, cols, told))
        else:
            matrix = settle(meeting, lambda: resolve(meeting, both if by_place is None else "min"))
        n_both_ways = meeting.n_pairs if draft.given == "list" else 0
        result = _Combined(matrix, meeting.n_either, False, n_duplicates, n_both_ways)
    data = result.matrix.data
    result.matrix.data = data.astype(np.float64) if by_place is None else by_place[data.astype(np.int64) - 1]
    return result


def _is_known_undirected(draft: Draft) -> bool:
    return draft.given == "edges" and draft.directed is False


def report(notes: tuple[str, ...], what: str) -> None:
    """Say once, in words, what was combined, guessed or ignored."""
    if notes:
        lines = [f"{what}:", *(f"  {note}" for note in notes)] if len(notes) > 1 else ()
        warn(GraphNotice(f"{what}: " + "; ".join(notes) + ".", lines), stacklevel=callers_level())


def checked_weights(weights: Array, draft: Draft) -> Array:
    """Weights as float64; NaN, infinity and complex numbers are refused."""
    if weights.dtype.kind in "cMm":
        raise _not_real("complex numbers" if weights.dtype.kind == "c" else "dates or durations", draft)
    try:
        values: Array = weights.astype(np.float64, copy=False)
    except OverflowError as error:
        raise FileError("a weight is too large for a float; scale the weights down", path=draft.path) from error
    except (TypeError, ValueError) as error:
        example = next((w for w in weights if not isinstance(w, (int, float, np.number))), weights[0])
        kind = "complex numbers" if isinstance(example, complex) else f"{example!r}"
        raise _not_real(kind, draft) from error
    bad = ~np.isfinite(values)
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        pair = f"{_name(draft, draft.rows[place])} – {_name(draft, draft.cols[place])}"
        raise FileError(
            f"{int(bad.sum()):,} weights are not finite; the first is {values[place]} on edge {pair}. "
            "Remove these edges or give them a number",
            path=draft.path,
        )
    return values


def _not_real(kind: str, draft: Draft) -> WeightError:
    return WeightError(f"weights must be real numbers; got {kind}. Pass weight=None to ignore them", path=draft.path)


def _name(draft: Draft, position: Any) -> str:
    node = draft.nodes[position]
    return repr(node.item() if isinstance(node, np.generic) else node)


def _without_zeros(rows: Array, cols: Array, weights: Array | None) -> tuple[Array, Array, Array | None, int]:
    if weights is None or weights.all():
        return rows, cols, weights, 0
    keep = weights != 0
    return rows[keep], cols[keep], weights[keep], int((~keep).sum())


def _rule(duplicates: str, weights: Array | None) -> tuple[Rule, str]:
    """How entries of the same edge are combined, and how to say that."""
    if weights is None:
        if duplicates == "sum":
            return "sum", "the weight of an edge is how often it is listed"
        return "once", 'without weights, each edge counts once (duplicates="sum", --duplicates sum, counts them)'
    if duplicates == "max":
        return "max", "the largest weight of each edge counts"
    if duplicates == "first":
        return "min", "the first weight of each edge counts"
    return "sum", "the weights of each edge are summed"


def _first_duplicate(rows: Array, cols: Array, draft: Draft) -> str:
    keys = rows.astype(np.int64) * len(draft.nodes) + cols
    _, first = np.unique(keys, return_index=True)
    repeated = np.ones(len(keys), dtype=bool)
    repeated[first] = False
    place = int(np.flatnonzero(repeated)[0])
    return (
        f"edge {_name(draft, rows[place])} – {_name(draft, cols[place])} is given more than once, "
        f'as are {int(repeated.sum()) - 1:,} other entries, and duplicates="error" was asked for; '
        'accepted instead: "sum", "first", "max"'
    )


def _is_directed(meeting: Meeting, draft: Draft, rows: Array, cols: Array, weights: Array | None) -> bool:
    """Whether a source that does not say so is directed, judged by its arcs."""
    if draft.given == "arcs":
        if meeting.differs_by_rounding():
            return False
        draft.notes.append("read as directed, because the matrix is not symmetric (directed=False makes it undirected)")
        return True
    n_pairs = _n_contradicted(meeting, draft, rows, cols, weights)
    if n_pairs:
        draft.notes.append(
            f"read as directed, because {count(n_pairs, 'pair')} of nodes have different weights in their "
            "two directions (directed=False, --no-directed, combines them)"
        )
    return n_pairs > 0


def _n_contradicted(meeting: Meeting, draft: Draft, rows: Array, cols: Array, weights: Array | None) -> int:
    """Pairs whose two directions have different weights, so that they cannot be two tellings of one entry.

    The largest weight is compared too, as sums also differ where a line is merely repeated; of these pairs alone, as
    there may be few.
    """
    if weights is None or not meeting.n_conflicts:
        return 0
    n_nodes = len(draft.nodes)
    disputed = meeting.disputed()
    theirs = np.zeros(n_nodes, dtype=bool)
    theirs[disputed // n_nodes] = True
    some = theirs[rows] & theirs[cols]
    largest = Meeting(collect(rows[some], cols[some], weights[some], n_nodes, "max"))
    return int(np.isin(largest.disputed(), disputed).sum()) // 2


def _both_ways(
    meeting: Meeting, draft: Draft, options: Options, plain: str, n_contradicted: int
) -> Literal["sum", "max", "mean", "tellings"]:
    """The rule for pairs given in both directions, said in words.

    They are two tellings of one list, unless some of them contradict each other or a sum was asked for: then every
    entry is one of its own.
    """
    n_pairs, n_conflicts = meeting.n_pairs, meeting.n_conflicts
    if n_conflicts and draft.given == "arcs" and meeting.differs_by_rounding():
        draft.notes.append(
            f"{count(n_conflicts, 'pair')} whose directions differ by rounding only: their mean was taken"
        )
        return "mean"
    if n_contradicted and options.duplicates == "error":
        raise FileError(
            f"{count(n_contradicted, 'pair')} with different weights in the two directions, and "
            'duplicates="error" was asked for; accepted instead: directed=True, or duplicates="sum", '
            '"first" or "max"',
            path=draft.path,
        )
    asked = options.duplicates == "sum" and draft.given != "arcs"
    if n_pairs and (asked or n_contradicted):
        why = "" if asked else f", as {n_contradicted:,} of them have different weights in the two"
        draft.notes.append(f"{count(n_pairs, 'pair')} given in both directions: {plain}{why}")
        return "sum" if options.duplicates in ("auto", "sum") else "max"
    if n_pairs and (draft.given == "list" or draft.directed):
        draft.notes.append(f"{count(n_pairs, 'pair')} given in both directions: one edge each")
    if n_conflicts and options.duplicates in ("auto", "sum"):
        draft.notes.append(f"{count(n_conflicts, 'pair')} with more entries in one of the directions: {plain}")
        return "tellings"
    return "max"


def _carried(draft: Draft, rows: Array, cols: Array, matrix: Any, directed: bool) -> dict[str, Array]:
    """Edge attributes in the order of the matrix's entries; of repeated edges, those of the first."""
    if not draft.edge_attributes:
        return {}
    places = collect(rows, cols, np.arange(1.0, len(rows) + 1), len(draft.nodes), "min")
    if not directed:
        meeting = Meeting(places)
        places = settle(meeting, lambda: meeting.there)  # each direction keeps what was said of it
    if places.nnz != matrix.nnz:  # some cancelled to zero: keep the places that still have an edge
        places = places.multiply(matrix != 0).tocsr()
    chosen = places.data.astype(np.int64) - 1
    kept = (
        np.arange(len(draft.rows)) if len(rows) == len(draft.rows) else np.flatnonzero(np.asarray(draft.weights) != 0)
    )
    return {name: values[kept[chosen]] for name, values in draft.edge_attributes.items()}
