"""Text that cuts into columns but is no list of edges: arrows, tuples, matrices, triples, tables of numbers."""

from __future__ import annotations

from pathlib import Path

from phusion.errors import FileError, InputError
from phusion.graph.columns import Roles, refuse_coordinates
from phusion.graph.dialect import Dialect
from phusion.graph.draft import Options
from phusion.graph.numerals import is_number, may_be_thousands, with_point
from phusion.graph.streams import plain_suffix

__all__ = ["ARROWS", "refuse_what_is_no_list"]

ARROWS = frozenset(("->", "--", "<-", "=>", "→"))
_LEAST, _MOST = 4, 20  # columns of numbers: with fewer a matrix may be edges, with more edges are a matrix


def refuse_what_is_no_list(dialect: Dialect, roles: Roles, options: Options, path: Path, line: int) -> None:
    """Refuse with what it is and what to do; who names source and target knows what the columns are."""
    for why in (
        _tuples(dialect),
        _arrows(dialect, roles),
        _thousands(dialect, roles),
        *((_matrix(dialect), _triples(dialect, path)) if options.source is options.target is None else ()),
    ):
        if why:
            raise FileError(why, path=path, line=line)
    if options.target is None:
        try:
            refuse_coordinates(dialect.column(roles.target), dialect.names, roles.target)
        except InputError as error:
            raise FileError(str(error), path=path, line=line) from error


def _tuples(dialect: Dialect) -> str:
    """As networkx prints them."""
    if all(row[0].startswith("(") and not row[0].endswith(")") for row in dialect.sample):
        return "ids that are tuples cannot be told apart in text; rename the nodes, or pass the graph object"
    return ""


def _arrows(dialect: Dialect, roles: Roles) -> str:
    if ARROWS.issuperset(dialect.column(roles.target)):
        return (
            f"{dialect.sample[0][roles.target]!r} stands where the second node is expected; "
            "say which columns hold nodes: source=0, target=2"
        )
    return ""


def _thousands(dialect: Dialect, roles: Roles) -> str:
    weights = [] if roles.weight is None or not dialect.has_commas(roles.weight) else dialect.column(roles.weight)
    if odd := may_be_thousands(weights):
        return (
            f"the weight {odd!r} may be {with_point(odd)} or {odd.replace(',', '')}; write decimal points, and nothing "
            "between thousands"
        )
    return ""


def _matrix(dialect: Dialect) -> str:
    """Lines of nothing but numbers: as many as columns and symmetric or of 0 and 1, or far too long for edges."""
    rows, size = dialect.sample, dialect.n_columns
    if dialect.names or size < _LEAST or any(len(row) != size for row in rows):
        return ""
    words = [[dialect.plain(word) for word in row] for row in rows]
    if not all(is_number(word) for row in words for word in row):
        return ""
    numbers = [[float(word) for word in row] for row in words]
    square = len(numbers) == size and (
        numbers == [list(column) for column in zip(*numbers, strict=True)]
        or all(number in (0, 1) for row in numbers for number in row)
    )
    if not square and size <= _MOST:
        return ""
    delimiter = "" if dialect.delimiter == " " else f", delimiter={dialect.delimiter!r}"
    return (
        f"lines of {size:,} numbers look like a matrix, not like edges; pass an adjacency matrix as an array, "
        f"numpy.loadtxt(file{delimiter}), or name its rows and columns. If these are edges, say so: source=0, target=1"
    )


def _triples(dialect: Dialect, path: Path) -> str:
    """``a pp b``, as Cytoscape's SIF and knowledge graphs have it: the word between two nodes is none."""
    if dialect.names or dialect.n_columns != 3:
        return ""
    first, middle, last = (set(dialect.column(place)) for place in range(3))
    if any(map(is_number, middle)):
        return ""
    apart = middle.isdisjoint(first | last) and not first.isdisjoint(last)
    if plain_suffix(path) != ".sif" and (not apart or any(map(is_number, first | last))):
        return ""
    return (
        f"{dialect.sample[0][1]!r} seems to say how two nodes are related, and to be none itself; say which columns "
        "hold nodes: source=0, target=2 (--source 0 --target 2); source=0, target=1 reads it as a node"
    )
