"""What the columns of edge lists are called, and which two of them are the ends of an edge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

__all__ = [
    "NODE_ID",
    "ROW_NUMBERS",
    "WEIGHTS",
    "are_column_names",
    "are_pairs",
    "counts_rows",
    "ends_by_name",
    "is_end",
    "is_index",
    "is_time",
    "name_labels",
    "plain_name",
    "usual_ends",
]

SOURCES = ("source", "src", "from", "fromnode", "fromnodeid", "sourceid", "sourcenode", "node1", "nodeid1",
           "id1", "u", "proteina", "protein1", "vertex1", "v1", "i", "sender", "follower", "citing", "caller",
           "parent", "genea", "gene1", "interactora", "nodea", "persona", "person1", "origin", "donor",
           "start", "startnode", "startid")  # fmt: skip
TARGETS = ("target", "dst", "dest", "destination", "to", "tonode", "tonodeid", "targetid", "targetnode", "node2",
           "nodeid2", "id2", "v", "proteinb", "protein2", "vertex2", "v2", "j", "recipient", "receiver", "followee",
           "followed", "cited", "callee", "child", "geneb", "gene2", "interactorb", "nodeb", "personb", "person2",
           "end", "endnode", "endid")  # fmt: skip
_TWO_KINDS = (  # of nodes, whose ids may be the same and mean others
    ("user", "customer", "author", "actor", "student", "person", "drug", "gene", "reviewer", "buyer"),
    ("item", "movie", "product", "paper", "book", "song", "course", "group", "event", "disease", "business"),
)
_KINDS = tuple((*kind, *(f"{name}id" for name in kind)) for kind in _TWO_KINDS)
_PAIRS = ((SOURCES, TARGETS), _KINDS)
_MATES = (  # names that say little alone, the source first
    ("payer", "payee"), ("exporter", "importer"), ("lender", "borrower"), ("head", "tail"), ("subject", "object"),
    ("ego", "alter"), ("person", "friend"),
)  # fmt: skip
_TRADERS = {"seller", "buyer"}  # who comes first: goods go one way, money the other
_FAMILIES = (  # usual names that belong together; those that also tell times, or are short, last
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("from", "to"), ("fromnode", "tonode"),
    ("fromnodeid", "tonodeid"), ("sourceid", "targetid"), ("sourcenode", "targetnode"), ("node1", "node2"),
    ("nodeid1", "nodeid2"), ("proteina", "proteinb"), ("protein1", "protein2"), ("vertex1", "vertex2"),
    ("sender", "recipient"), ("sender", "receiver"), ("follower", "followee"), ("follower", "followed"),
    ("citing", "cited"), ("caller", "callee"), ("parent", "child"), ("genea", "geneb"), ("gene1", "gene2"),
    ("interactora", "interactorb"), ("nodea", "nodeb"), ("persona", "personb"), ("person1", "person2"),
    ("origin", "destination"), ("origin", "dest"), ("donor", "recipient"), ("source", "destination"),
    ("source", "dest"), ("id1", "id2"), ("v1", "v2"), ("u", "v"), ("i", "j"),
)  # fmt: skip
_BEGINNINGS = (("from", "to"), ("source", "target"), ("src", "dst"), ("start", "end"), ("origin", "destination"),
               ("origin", "dest"), ("orig", "dest"), ("sender", "receiver"))  # fmt: skip
WEIGHTS = ("weight", "weights", "w", "wgt", "value", "rating", "score", "combinedscore", "strength",
           "confidence", "sign", "similarity", "count")  # fmt: skip
NODE_ID = ("id", "node", "nodeid", "name", "vertex")
_CLASSES = ("label", "labels", "class", "classes", "group", "community", "category")
_TIMES = ("time", "date", "year", "epoch", "since", "until")  # anywhere in a name
_TIMES_ALONE = ("hour", "minute", "second", "day", "month", "week", "weekday", "timestamp", "ts")
ROW_NUMBERS = ("id", "no", "nr", "num", "number", "index", "key", "row", "line", "rowid")  # of the row, not of a node
_STEM = re.compile(r"([^\W\d_]{2,})([12ab])")


def plain_name(name: str) -> str:
    """Column names compared without case, spaces and punctuation."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def are_column_names(words: Sequence[str], id_columns: int = 2) -> bool:
    """Whether a line names the columns of an edge list, or (1) of a table of nodes.

    Single letters do not count: they may well be node ids.
    """
    plain = {plain_name(word) for word in words if len(word) > 1}
    if id_columns == 1:
        return bool(plain & set(NODE_ID))
    return any(plain & set(one) and plain & set(other) for one, other in _PAIRS) or name_labels(words)


def are_pairs(words: Sequence[str]) -> bool:
    """Whether two words of a line go together as names of ends do, though they may be nodes: ``payer,payee``.

    >>> are_pairs(("payer", "payee")), are_pairs(("from_city", "to_city")), are_pairs(("city1", "city2"))
    (True, True, False)
    """
    plain = [plain_name(word) for word in words]
    return _mates(plain) is not None or any(_by_beginning(plain))


def name_labels(words: Sequence[str]) -> bool:
    """Whether a line names the columns of a list of labels: ``node,label``."""
    return len(words) == 2 and plain_name(words[0]) in NODE_ID and plain_name(words[1]) in _CLASSES


def is_index(name: str) -> bool:
    """Whether a column is the row numbers pandas saved along."""
    return not name or name.startswith(("__index_level_", "Unnamed: "))


def is_time(name: str) -> bool:
    """Whether a column is called after times."""
    plain = plain_name(name)
    return plain in _TIMES_ALONE or any(word in plain for word in _TIMES)


def counts_rows(name: str) -> bool:
    """Whether a column is called as numbers of rows are: ``id``, ``no``, ``trade_id``."""
    plain = plain_name(name)
    return plain in ROW_NUMBERS or plain.endswith("id")


def is_end(name: str) -> bool:
    """Whether this is a usual name of one end of an edge, whatever the other is called."""
    plain = plain_name(name)
    mates = {one for pair in _MATES for one in pair} | _TRADERS
    return any(plain in known for known in (SOURCES, TARGETS, *_KINDS, mates))


def usual_ends(names: Sequence[str]) -> tuple[int, int] | None:
    """Places of two columns whose usual names belong together; ``source`` beside ``geneA``, ``geneB`` is no end."""
    plain = [plain_name(name) for name in names]
    found = next(((one, other) for one, other in _FAMILIES if one in plain and other in plain), None)
    return (plain.index(found[0]), plain.index(found[1])) if found else None


def ends_by_name(names: Sequence[str], fit: Callable[[int, int], bool]) -> tuple[int, int, bool] | None:
    """Places of source and target among columns whose names go together, and whether they are of two kinds.

    `fit` says whether what two columns hold can be ends of edges.
    """
    plain = [plain_name(name) for name in names]
    found = [*_by_beginning(plain), *_by_number(plain)]
    found += [pair for pair in [_mates(plain)] if pair]
    pair = next((pair for pair in found if fit(*pair)), None)
    if pair:
        return (*pair, False)
    one, other = ([i for i, name in enumerate(plain) if name in kind] for kind in _KINDS)
    return (one[0], other[0], True) if one and other else None


def _mates(plain: Sequence[str]) -> tuple[int, int] | None:
    bare = [name.removesuffix("id") if name.removesuffix("id") in _IN_PAIRS else name for name in plain]
    for one, other in _MATES:
        if one in bare and other in bare:
            return bare.index(one), bare.index(other)
    if set(bare) >= _TRADERS:
        first, second = sorted(bare.index(name) for name in _TRADERS)
        return first, second
    return None


def _by_beginning(plain: Sequence[str]) -> list[tuple[int, int]]:
    """``fromcity`` and ``tocity``, also ``cityfrom`` and ``cityto``; not dates, which have beginnings and ends too."""
    found = []
    for place, name in enumerate(plain):
        for one, other in _BEGINNINGS:
            for rest, mate in (
                (name.removeprefix(one), other + name.removeprefix(one)),
                (name.removesuffix(one), name.removesuffix(one) + other),
            ):
                if rest not in ("", name, "valid") and not is_time(rest) and mate in plain:
                    found.append((place, plain.index(mate)))
    return found


def _by_number(plain: Sequence[str]) -> list[tuple[int, int]]:
    """``city1`` and ``city2``, ``teama`` and ``teamb``; of three of a kind two are no edge, of measurements none."""
    found = []
    for place, name in enumerate(plain):
        match = _STEM.fullmatch(name)
        if match is None or match[2] in "2b" or match[1] in WEIGHTS or is_time(match[1]):
            continue
        second, third = ("2", "3") if match[2] == "1" else ("b", "c")
        if match[1] + second in plain and match[1] + third not in plain:
            found.append((place, plain.index(match[1] + second)))
    return found


_IN_PAIRS = {one for pair in _MATES for one in pair} | _TRADERS
