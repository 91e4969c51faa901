"""GML: nested ``key value`` lists in brackets."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import IO, Any

from phusion.errors import FileError
from phusion.graph.dialect import is_integer
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, integers, object_array
from phusion.graph.lines import whole_text
from phusion.graph.numerals import is_number
from phusion.graph.records import draft_from_records

__all__ = ["FORMAT"]

_TOKEN = re.compile(r'"([^"]*)"|(\[)|(\])|#[^\n]*|([^\s\[\]"#]+)|(\n)')
_ENTITY = re.compile(r"&(?:#(\d+)|(quot|amp|lt|gt|apos));")
_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}
_LINE = ""  # under this key every list knows where it starts
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]*")


class GML(Format):
    """Nodes are called by their ``label`` where all have one and all differ, else by their ``id``."""

    name = "gml"
    title = "GML"
    suffixes = (".gml",)
    holds = Holds(ids=frozenset({"int", "str"}), attributes=True)

    def recognises(self, head: bytes, path: Path) -> bool:
        """By ``graph [`` near the start."""
        return re.search(rb"(?m)^\s*graph\s*\[", head[:4096]) is not None

    def read(self, path: Path, options: Options) -> Draft:
        """Parse the tokens into nested lists."""
        tree = _parse(whole_text(path, options), path)
        graphs = [value for key, value in tree if key == "graph" and isinstance(value, list)]
        if len(graphs) != 1:
            raise FileError(f"needs one 'graph [ … ]'; found {len(graphs)}", path=path)
        repeated: set[str] = set()
        nodes, edges = (
            [
                _record(value, options, repeated, path)
                for key, value in graphs[0]
                if key == kind and isinstance(value, list)
            ]
            for kind in ("node", "edge")
        )
        lines = [edge.pop(_LINE) for edge in edges]
        for record in (*nodes, *edges):
            for key in [key for key, value in record.items() if key == _LINE or isinstance(value, list)]:
                del record[key]  # nested lists, such as graphics, are for drawing
        for what, records, needed in (("node", nodes, ("id",)), ("edge", edges, ("source", "target"))):
            for number, record in enumerate(records, 1):
                missing = [key for key in needed if key not in record]
                if missing:
                    raise FileError(f"{what} number {number} has no {missing[0]!r}", path=path)
        numbers = [node.pop("id") for node in nodes]
        labels = [node.get("label") for node in nodes]
        use_labels = bool(labels) and None not in labels and len(set(labels)) == len(labels)
        if use_labels:
            for node in nodes:
                del node["label"]
        ids = object_array(labels) if use_labels else object_array(numbers)
        if not use_labels and all(isinstance(number, int) for number in numbers):
            ids = integers(numbers)
        draft = draft_from_records(
            ids,
            nodes,
            [(edge.pop("source"), edge.pop("target")) for edge in edges],
            edges,
            directed=_is_directed(graphs[0], path),
            names=numbers,
            lines=lines,
            options=options,
            path=path,
        )
        draft.source = f"GML file {path}"
        if repeated:
            draft.notes.append(
                f"given more than once in one node or edge, the last counts: {', '.join(sorted(repeated))}"
            )
        if any(label is not None for label in labels) and not use_labels:
            draft.notes.append("labels are missing or repeated, so nodes are called by their id")
        return draft

    def also_lost(self, graph: Graph) -> list[str]:
        """Attributes whose name GML does not allow, and those with several values per node."""
        lost = [name for name, values in graph.attributes.items() if not _is_written(name, values)]
        return [f"node attributes are not written: {', '.join(lost)}"] if lost else []

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write integer ids as ``id``, others as ``label``."""

        def write(line: str) -> None:
            stream.write((line + "\n").encode())

        write(f"graph [\n  directed {int(graph.directed)}")
        own = graph.nodes.dtype.kind in "iu"
        numbers = graph.nodes.tolist() if own else list(range(len(graph)))
        columns = {name: values.tolist() for name, values in graph.attributes.items() if _is_written(name, values)}
        for position, number in enumerate(numbers):
            write(f"  node [\n    id {number}")
            if not own:
                write(f"    label {_quoted(str(graph.nodes[position]))}")
            for name, values in columns.items():
                value = values[position]
                if value is not None and value == value:
                    write(f"    {name} {_value(value)}")
            write("  ]")
        weighted = graph.weighted or graph.signed
        rows, cols, weights = graph.edge_list()
        for row, col, weight in zip(rows.tolist(), cols.tolist(), weights.tolist(), strict=True):
            ends = f"  edge [\n    source {numbers[row]}\n    target {numbers[col]}"
            write(ends + (f"\n    weight {weight!r}\n  ]" if weighted else "\n  ]"))
        write("]")


def _is_directed(items: list[tuple[str, Any]], path: Path) -> bool:
    said = {"[…]" if isinstance(value, list) else value for key, value in items if key == "directed"}
    if not said <= {0, 1} or len(said) > 1:
        raise FileError(f"'directed' is 0 or 1; got {' and '.join(sorted(map(repr, said)))}", path=path)
    return said == {1}


def _record(items: list[tuple[str, Any]], options: Options, repeated: set[str], path: Path) -> dict[str, Any]:
    """A node or an edge; what makes the graph stands in it once, other keys may come again, which is told."""
    record = dict(items)
    if len(record) < len(items):
        counts = Counter(key for key, value in items if not isinstance(value, list))  # lists are for drawing
        again = {key for key, times in counts.items() if times > 1}
        wanted = "weight" if options.weight == "auto" else options.weight
        if odd := sorted(again & {"id", "label", "source", "target", wanted}):
            raise FileError(f"gives {odd[0]!r} twice in one node or edge; keep one", path=path, line=record[_LINE])
        repeated |= {repr(key) for key in again}
    return record


def _is_written(name: str, values: Array) -> bool:
    return values.ndim == 1 and _KEY.fullmatch(name) is not None and name not in ("id", "label")


def _parse(text: str, path: Path) -> list[tuple[str, Any]]:
    root: list[tuple[str, Any]] = []
    open_lists = [root]
    key: str | None = None
    line = 1

    def broken(what: str) -> FileError:
        return FileError(f"is not valid GML: {what}", path=path, line=line)

    position = 0
    for match in _TOKEN.finditer(text):
        if text[position : match.start()].strip():
            raise broken(f"cannot read {text[position : match.start()].strip()[:40]!r}")
        position = match.end()
        string, opening, closing, word, newline = match.groups()
        if newline is not None:
            line += 1
            continue
        if opening is not None:
            if key is None:
                raise broken("'[' without a key before it")
            inner: list[tuple[str, Any]] = [(_LINE, line)]
            open_lists[-1].append((key, inner))
            open_lists.append(inner)
            key = None
        elif closing is not None:
            if key is not None or len(open_lists) == 1:
                raise broken("']' where a value is expected" if key else "']' without '['")
            open_lists.pop()
        elif string is not None or word is not None:
            if key is None:
                if word is None or not word[:1].isalpha():
                    raise broken(f"{word or string!r} where a key is expected")
                key = word
            else:
                value = _unquoted(string) if string is not None else _number(word)
                open_lists[-1].append((key, value))
                key = None
            line += (string or "").count("\n")
    if text[position:].strip():
        raise broken(f"cannot read {text[position:].strip()[:40]!r}")
    if len(open_lists) > 1 or key is not None:
        raise broken("it ends inside a list; is the file cut off?")
    return root


def _number(word: str) -> Any:
    if is_integer(word):
        return int(word)
    return float(word) if is_number(word) else word


def _unquoted(text: str) -> str:
    return _ENTITY.sub(_character, text)


def _character(entity: re.Match[str]) -> str:
    number, name = entity.groups()
    if name:
        return _NAMED[name]
    code = int(number) if len(number) < 8 else 0x110000
    is_character = code < 0x110000 and not 0xD800 <= code < 0xE000  # half of a pair is none
    return chr(code) if is_character else entity.group(0)


def _quoted(text: str) -> str:
    """GML is ASCII: everything else is written by number."""
    safe = "".join(c if " " <= c <= "~" and c not in '&"' else f"&#{ord(c)};" for c in text)
    return f'"{safe}"'


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return repr(value) if isinstance(value, (int, float)) else _quoted(str(value))


FORMAT = GML()
