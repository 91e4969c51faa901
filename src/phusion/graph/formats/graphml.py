"""GraphML: XML with typed attributes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from phusion.errors import FileError
from phusion.graph.dialect import is_integer
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, integers, object_array
from phusion.graph.records import draft_from_records, typed
from phusion.graph.streams import decompressed

__all__ = ["FORMAT"]

_FIRST_PIECE, _LONGEST_PIECE = 1 << 16, 1 << 24  # bytes
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
_TEXT_IDS = "phusion.ids"  # marks ids that are text though they look like numbers


@dataclass
class _Content:
    """What the parser has seen so far."""

    directed: bool | None = None
    keys: dict[str, tuple[str, str, str]] = field(default_factory=dict)  # id → (for, name, type)
    defaults: dict[str, str] = field(default_factory=dict)
    nodes: list[str] = field(default_factory=list)
    node_data: list[dict[str, Any]] = field(default_factory=list)
    edges: list[tuple[str, str]] = field(default_factory=list)
    edge_data: list[dict[str, Any]] = field(default_factory=list)
    edge_lines: list[int] = field(default_factory=list)
    own_direction: set[bool] = field(default_factory=set)
    n_graphs: int = 0
    root: str | None = None
    text_ids: bool = False
    ignored: set[str] = field(default_factory=set)
    repeated: set[str] = field(default_factory=set)
    undeclared: list[tuple[dict[str, Any], str, str]] = field(default_factory=list)  # keys may be declared further down


class GraphML(Format):
    """Ids are integers if all of them are, else text. The edge attribute ``weight`` is the weight."""

    name = "graphml"
    title = "GraphML"
    suffixes = (".graphml", ".xml")
    holds = Holds(ids=frozenset({"int", "str"}), attributes=True)

    def recognises(self, head: bytes, path: Path) -> bool:
        """By its root element."""
        return b"<graphml" in head[:4096]

    def read(self, path: Path, options: Options) -> Draft:
        """Parse as a stream; entities are refused, so nothing can be expanded or fetched."""
        content = _Content()
        parser = _parser(content, path)
        with decompressed(path, options.progress) as stream:
            try:
                _feed(parser, stream)
            except expat.ExpatError as error:
                raise FileError(f"is not well-formed XML: {error}", path=path, line=error.lineno) from error
            except (LookupError, ValueError) as error:
                if isinstance(error, FileError):
                    raise
                raise FileError(f"is not readable XML: {error}", path=path) from error
        if content.n_graphs == 0:
            raise FileError("has no <graph> element", path=path)
        unknown = _settle_keys(content)
        _refuse_two_weights(content, options, path)
        if len(content.own_direction) > 1:
            raise FileError("mixes directed and undirected edges, which phusion cannot keep apart", path=path)
        directed = next(iter(content.own_direction), content.directed)
        draft = draft_from_records(
            _ids(content.nodes, content.text_ids),
            content.node_data,
            content.edges,
            content.edge_data,
            directed=bool(directed),
            names=content.nodes,
            lines=content.edge_lines,
            options=options,
            path=path,
        )
        draft.source = f"GraphML file {path}"
        if unknown:
            draft.notes.append(f"data not used, as no <key> declares them: {', '.join(unknown)}")
        if content.repeated:
            given = ", ".join(sorted(content.repeated))
            draft.notes.append(f"given more than once in one node or edge, the last counts: {given}")
        if content.ignored:
            draft.notes.append(f"elements not used: {', '.join(sorted(content.ignored))}")
        return draft

    def keeps_text(self, ids: list[str], path: Path) -> bool:
        """XML has no control characters but tab and line ends."""
        return not any(_NOT_XML.search(word) for word in ids)

    def also_lost(self, graph: Graph) -> list[str]:
        """Attributes with several values per node, or with characters XML does not have."""
        lost = [name for name, values in graph.attributes.items() if not _is_written(values)]
        return [f"node attributes are not written: {', '.join(lost)}"] if lost else []

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write ids, weights, direction and every attribute of text or numbers."""

        def write(line: str) -> None:
            stream.write((line + "\n").encode())

        write('<?xml version="1.0" encoding="UTF-8"?>')
        write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">')
        weighted = graph.weighted or graph.signed
        if weighted:
            write('<key id="w" for="edge" attr.name="weight" attr.type="double"/>')
        columns = {name: values for name, values in graph.attributes.items() if _is_written(values)}
        for i, (name, values) in enumerate(columns.items()):
            kind = {"i": "long", "u": "long", "f": "double", "b": "boolean"}.get(values.dtype.kind, "string")
            write(f'<key id="a{i}" for="node" attr.name={quoteattr(name)} attr.type="{kind}"/>')
        if graph.nodes.dtype.kind not in "iu":
            write(f'<key id="{_TEXT_IDS}" for="graph" attr.name="{_TEXT_IDS}" attr.type="string"/>')
        write(f'<graph edgedefault="{"directed" if graph.directed else "undirected"}">')
        if graph.nodes.dtype.kind not in "iu":
            write(f'<data key="{_TEXT_IDS}">text</data>')
        names = [_attribute(str(node)) for node in graph.nodes.tolist()]
        rows_of = [values.tolist() for values in columns.values()]
        for position, name in enumerate(names):
            data = "".join(
                f'<data key="a{i}">{_content(values[position])}</data>'
                for i, values in enumerate(rows_of)
                if values[position] is not None and values[position] == values[position]
            )
            write(f"<node id={name}>{data}</node>" if data else f"<node id={name}/>")
        rows, cols, weights = graph.edge_list()
        for row, col, weight in zip(rows.tolist(), cols.tolist(), weights.tolist(), strict=True):
            ends = f"<edge source={names[row]} target={names[col]}"
            write(f'{ends}><data key="w">{weight!r}</data></edge>' if weighted else f"{ends}/>")
        write("</graph>\n</graphml>")


def _feed(parser: Any, stream: IO[bytes]) -> None:
    """All of a file, in longer and longer pieces: older expats read a name again from its start with each of them."""
    size = _FIRST_PIECE
    while data := stream.read(size):
        parser.Parse(data, False)
        size = min(2 * size, _LONGEST_PIECE)
    parser.Parse(b"", True)


def _parser(content: _Content, path: Path) -> Any:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.ordered_attributes = False
    state: dict[str, Any] = {"key": None, "text": [], "data": None, "into": None}

    def refuse(*_: Any) -> None:
        raise FileError("declares XML entities, which are not accepted", path=path)

    def line() -> int:
        return int(parser.CurrentLineNumber)

    def start(element: str, given: dict[str, str]) -> None:
        tag = element.rpartition(" ")[2]
        if content.root is None:
            content.root = tag
            if tag not in ("graphml", "graph"):
                raise FileError(
                    f"is no GraphML: its first element is <{tag}>; save the graph as GraphML, or read it with another "
                    "library, such as networkx, and pass that graph",
                    path=path,
                    line=line(),
                )
        if tag == "graph":
            content.n_graphs += 1
            if content.n_graphs > 1:
                raise FileError("has more than one <graph>; give one file per graph", path=path, line=line())
            content.directed = given.get("edgedefault", "undirected").strip().lower() == "directed"
            state["into"] = {}
        elif tag == "key":
            if "id" not in given:
                raise FileError("a <key> has no id", path=path, line=line())
            name = given.get("attr.name", given["id"])
            content.keys[given["id"]] = (given.get("for", "all"), name, given.get("attr.type", "string"))
            state["key"] = given["id"]
        elif tag == "node":
            if "id" not in given:
                raise FileError("a <node> has no id", path=path, line=line())
            content.nodes.append(given["id"])
            state["into"] = {}
            content.node_data.append(state["into"])
        elif tag == "edge":
            if "source" not in given or "target" not in given:
                raise FileError("an <edge> has no source or no target", path=path, line=line())
            content.edges.append((given["source"], given["target"]))
            content.edge_lines.append(line())
            own = _TRUTHS.get(given["directed"].strip().lower()) if "directed" in given else bool(content.directed)
            if own is None:
                words = f"directed={given['directed']!r} of an <edge> is neither true nor false"
                raise FileError(words, path=path, line=line())
            content.own_direction.add(own)
            state["into"] = {}
            content.edge_data.append(state["into"])
        elif tag in ("data", "default"):
            state["data"], state["text"] = given.get("key", state["key"]), []
        elif tag not in ("graphml", "desc") and state["data"] is None:
            content.ignored.add(f"<{tag}>")

    def text(words: str) -> None:
        if state["data"] is not None:
            state["text"].append(words)

    def end(element: str) -> None:
        tag = element.rpartition(" ")[2]
        if tag == "data" and state["data"] is not None:
            key, value = state["data"], "".join(state["text"])
            if key == _TEXT_IDS:
                content.text_ids = True
            elif key in content.keys and state["into"] is not None:
                _, name, kind = content.keys[key]
                if name in state["into"]:
                    content.repeated.add(repr(name))
                state["into"][name] = typed(value, kind)
            elif state["into"] is not None:
                content.undeclared.append((state["into"], key, value))
            state["data"] = None
        elif tag == "default" and state["data"] is not None:
            content.defaults[state["data"]] = "".join(state["text"])
            state["data"] = None
        elif tag in ("node", "edge"):
            state["into"] = None

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    parser.StartDoctypeDeclHandler = refuse
    return parser


def _settle_keys(content: _Content) -> list[str]:
    """Data whose keys come after them, and defaults where there are no data; returns the keys that never come."""
    unknown = set()
    for record, key, value in content.undeclared:
        if key in content.keys:
            _, name, kind = content.keys[key]
            record[name] = typed(value, kind)
        else:
            unknown.add(repr(key))
    for key, value in content.defaults.items():
        scope, name, kind = content.keys[key]
        for records in (content.node_data,) * (scope != "edge") + (content.edge_data,) * (scope != "node"):
            for record in records:
                record.setdefault(name, typed(value, kind))
    return sorted(unknown)


def _refuse_two_weights(content: _Content, options: Options, path: Path) -> None:
    wanted = "weight" if options.weight == "auto" else options.weight
    keys = [key for key, (scope, name, _) in content.keys.items() if name == wanted and scope in ("edge", "all")]
    if len(keys) > 1:
        which = ", ".join(map(repr, keys))
        raise FileError(f"several keys of edges are called {wanted!r}: {which}; rename all but one", path=path)


def _is_written(values: Array) -> bool:
    if values.ndim != 1:
        return False
    return values.dtype.kind in "iufb" or not any(_NOT_XML.search(str(value)) for value in values.tolist())


def _ids(names: list[str], text_ids: bool) -> Any:
    if text_ids or not names or not all(map(is_integer, names)):
        return object_array(names)
    numbers = integers([int(name) for name in names])
    return numbers if numbers.dtype != object else object_array(names)


def _attribute(value: str) -> str:
    """An XML attribute value in which every character survives, line ends too."""
    return quoteattr(value, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _content(value: Any) -> str:
    words = str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else repr(value)
    return escape(words, {"\r": "&#13;"})


FORMAT = GraphML()
