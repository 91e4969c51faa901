"""Everything that reads a file somebody else made: one table for hypothesis, for atheris and for the kept seeds.

A `Reader` knows valid contents to start from, how bytes become a file (or a folder), and what reading it gives.
Containers that check themselves (zip, gz) have a second entry, ``…_inside``: its bytes are what is *in* the container,
so that a changed byte reaches the code behind the checksum.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import phusion
from phusion.errors import MissingLibraryError, PhusionError
from phusion.experiments.ledger import Cell, Ledger
from phusion.experiments.reading import read_study
from phusion.graph.graph import Graph
from phusion.results.embedding import Embedding
from phusion.spec import Spec
from phusion.sweeps.designs import designs_of
from phusion.sweeps.shelf import Shelf, _name

__all__ = ["READERS", "Reader", "joined", "outcome", "parted"]

_CUT = b"\n--8<-- "  # between the members of a container: name, line end, content


def joined(members: dict[str, bytes]) -> bytes:
    """Several files as one string of bytes, which a fuzzer can change anywhere."""
    return b"".join(_CUT + name.encode() + b"\n" + data for name, data in members.items())


def parted(data: bytes) -> dict[str, bytes]:
    """What `joined` put together."""
    pieces = (piece.partition(b"\n") for piece in data.split(_CUT)[1:])
    return {name.decode(errors="replace"): content for name, _, content in pieces}


@dataclass(frozen=True)
class Reader:
    """One way in.

    Parameters
    ----------
    file : name of the file the bytes are written to.
    seeds : valid contents.
    read : from the path to what it holds; raises `PhusionError` and nothing else.
    place : writes the bytes, if they are not simply the content of the file.
    """

    file: str
    seeds: Callable[[], list[bytes]]
    read: Callable[[Path], Any]
    place: Callable[[bytes, Path], None] = lambda data, path: (path.write_bytes(data), None)[1]


def outcome(reader: Reader, data: bytes) -> Any:
    """What was read and is sound, or the `PhusionError`; any other exception is a bug and is let out."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning of numpy or scipy is a case nobody thought of
        warnings.simplefilter("ignore", phusion.errors.GraphNotice)
        path = Path(folder) / reader.file
        try:
            reader.place(data, path)
        except (OSError, ValueError, IndexError):  # a member's name that no file can have
            return None
        try:
            found = reader.read(path)
        except PhusionError as error:
            if not str(error).strip():
                raise AssertionError("an error must say something") from error
            return error
        check(found)
        return found


def check(found: Any) -> None:
    """Whether what was read is what its type promises."""
    if isinstance(found, Graph):
        _check_graph(found)
    elif isinstance(found, phusion.GraphBatch):
        for graph in found:
            _check_graph(graph)
        assert found.labels is None or len(found.labels) == len(found)
    elif isinstance(found, Embedding):
        assert found.values.shape == (len(found.nodes), len(found.features))
        assert np.isfinite(found.values).all()
        assert len(set(found.nodes.tolist())) == len(found.nodes)
        assert found.kind in ("nodes", "graphs") and repr(found)
    elif isinstance(found, Spec):
        assert Spec.from_dict(found.as_dict()) == found


def _check_graph(graph: Graph) -> None:
    matrix = graph.adjacency
    n = len(graph)
    assert matrix.shape == (n, n) and len(set(graph.nodes.tolist())) == n
    assert matrix.data.dtype == np.float64 and np.isfinite(matrix.data).all() and matrix.data.all()
    rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
    assert matrix.indices.size == 0 or (matrix.indices.min() >= 0 and matrix.indices.max() < n)
    keys = rows.astype(np.int64) * n + matrix.indices
    assert (keys[1:] > keys[:-1]).all(), "entries are sorted, each once"
    if not graph.directed and n < 2_000:
        assert np.array_equal(matrix.toarray(), matrix.toarray().T)
    assert all(len(values) == n for values in graph.attributes.values())
    assert all(len(values) == matrix.nnz for values in graph.edge_attributes.values())
    assert graph.labels is None or len(graph.labels) == n
    assert repr(graph) and np.isfinite(graph.degrees).all()


# graphs


def _graphs() -> list[Graph]:
    return [
        phusion.as_graph([(0, 1, 1.5), (1, 2, 2.0), (2, 0, 0.5), (2, 3, 1.0)]),
        phusion.as_graph([(0, 1), (1, 2)], nodes=4, directed=True),
        phusion.as_graph([("ada", "bob", -1.0), ("bob", "cleo", 2.0)]),
    ]


def _written(suffix: str) -> Callable[[], list[bytes]]:
    """Some graphs in the format of this suffix."""

    def make() -> list[bytes]:
        found = []
        with tempfile.TemporaryDirectory() as folder:
            for number, graph in enumerate(_graphs()):
                path = Path(folder) / f"{number}.{suffix}"
                phusion.write_graph(graph, path, lossy=True)
                found.append(path.read_bytes())
        return found

    return make


def _texts(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zipped(data: bytes, path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that stand there twice are part of the game
        for name, content in parted(data).items():
            archive.writestr(name or "x", content)


def _in_folder(data: bytes, path: Path) -> None:
    for name, content in parted(data).items():
        target = path / name
        if not target.resolve().is_relative_to(path.resolve()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _files_of(folder: Path) -> bytes:
    return joined({str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()})


def _tudataset() -> list[bytes]:
    return [
        joined({"T/T_A.txt": b"1, 2\n2, 1\n3, 4\n", "T/T_graph_indicator.txt": b"1\n1\n2\n2\n",
                "T/T_graph_labels.txt": b"1\n-1\n", "T/T_node_labels.txt": b"0\n1\n0\n2\n",
                "T/T_node_attributes.txt": b"0.5, 1\n1, 2\n3, 4\n5, 6e3\n", "T/T_edge_labels.txt": b"1\n1\n2\n"}),
        joined({"T_A.txt": b"1,2\n", "T_graph_indicator.txt": b"1\n1\n", "T_graph_attributes.txt": b"0.1,2\n"}),
    ]  # fmt: skip


def _tudataset_files() -> list[bytes]:
    return [seed.replace(b"T/T_", b"T_") for seed in _tudataset()]


def _repacked(place: Callable[[bytes, Path], None], seeds: Callable[[], list[bytes]]) -> Callable[[], list[bytes]]:
    """What a container looks like from outside."""

    def make() -> list[bytes]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "container"
            return [(place(seed, path), path.read_bytes())[1] for seed in seeds()]

    return make


def _packed(compress: Callable[[bytes], bytes]) -> Callable[[bytes, Path], None]:
    return lambda data, path: (path.write_bytes(compress(data)), None)[1]


def _zstd(data: bytes) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    stream = pa.CompressedOutputStream(sink, "zstd")
    stream.write(data)
    stream.close()
    return sink.getvalue().to_pybytes()


_LISTS = _texts(
    "0 1\n1 2\n2 3\n", "a b 1.5\nb c 2\n", "# Directed graph\n1\t2\n2\t3\n", "1 2 {'weight': 3.0}\n3 4 {}\n",
    "% comment\n1,2,3\n2,3,4\n", '"a b" "c"\nc d\n', "18446744073709551615 5\n5 -3\n",
)  # fmt: skip
_TABLES = _texts(
    "source,target,weight\n1,2,0.5\n2,3,1\n", "id;from;to\n1;a;b\n2;b;c\n", "source,target,type\na,b,Directed\n",
    ",u,v\n0,ann,bob\n1,bob,cy\n", ",a,b,c\na,0,2,0\nb,2,0,1\nc,0,1,0\n", "Source\tTarget\tSince\n1\t2\t2001\n",
)  # fmt: skip
_DENSE = "%%MatrixMarket matrix array real general\n2 2\n0\n1.5\n1.5\n0\n"


def _npy() -> list[bytes]:
    found = []
    for array in (np.ones((3, 3)), np.eye(2, dtype=np.int32), np.ones((2, 2), dtype=bool, order="F")):
        buffer = io.BytesIO()
        np.save(buffer, array)
        found.append(buffer.getvalue())
    return found


def _other_npz() -> list[bytes]:
    from scipy import sparse

    found = []
    for kind in ("coo", "csc", "dia", "bsr"):
        buffer = io.BytesIO()
        sparse.save_npz(buffer, sparse.csr_array(np.eye(4) + np.eye(4, k=1)).asformat(kind))
        found.append(buffer.getvalue())
    return found


def _mat() -> list[bytes]:
    from scipy.io import savemat

    found = _written("mat")()
    for version in ("4", "5"):
        buffer = io.BytesIO()
        savemat(buffer, {"A": np.ones((3, 3)), "labels": np.array([1, 2, 1])}, format=version)
        found.append(buffer.getvalue())
    return found


def _as_labels(path: Path) -> Any:
    return phusion.as_graph([("a", "b"), ("b", "c"), ("c", "7")], labels=path)


def _as_nodes(path: Path) -> Any:
    return phusion.as_graph([(1, 2), (2, 3)], nodes=path)


# results


@cache
def _embeddings() -> tuple[Embedding, ...]:
    about = {"versions": {"phusion": "0"}, "warnings": []}
    values = np.array([[1.0, -2.5], [0.25, 1e-30], [0.0, 3.0]])
    spec = Spec("katz", "identity", {"name": "svd", "dim": 2})
    return (
        Embedding(values, np.array([3, 1, 2]), ("svd_0", "svd_1"), spec, about),
        Embedding(values, np.array(["ada", "bob", "c,d"], dtype=object), ("x", "y"), None, {}, "nodes"),
        Embedding(values[:2], np.arange(2), ("x", "y"), Spec(pooling="mean"), {}, "graphs"),
    )


def _saved(name: str, folder: bool = False) -> Callable[[], list[bytes]]:
    def make() -> list[bytes]:
        found = []
        for number, embedding in enumerate(_embeddings()):
            with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                path = Path(place) / f"{number}" / name
                path.parent.mkdir()
                try:
                    embedding.save(path)
                except MissingLibraryError:
                    raise
                except PhusionError:
                    continue
                found.append(_files_of(path.parent if folder else path) if folder else path.read_bytes())
        return found

    return make


def _pair(data: bytes, path: Path) -> None:
    _in_folder(data, path.parent)


def _ledger() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        with Ledger(path) as ledger:
            ledger.record(_CELL, {"accuracy": 0.5}, None, 1.0)
        return [path.read_bytes()]


def _parts() -> list[bytes]:
    """An embedding in a folder of files."""
    with tempfile.TemporaryDirectory() as folder:
        phusion.embed_to(Path(folder) / "y.parquet", "karate", "graphwave")
        return [_files_of(Path(folder))]


_ABOUT = {"rows": "of something"}
_NAME = _name(_ABOUT)


def _shelf() -> list[bytes]:
    """What a sweep keeps on disk to use again."""
    with tempfile.TemporaryDirectory() as folder:
        Shelf(Path(folder), 10**6, 10**6).put(_ABOUT, np.arange(6.0).reshape(3, 2))
        return [(Path(folder) / _NAME).read_bytes()]


def _on_shelf(data: bytes, path: Path) -> None:
    path.mkdir()
    (path / _NAME).write_bytes(data)


def _from_shelf(path: Path) -> Any:
    found = Shelf(path, 10**6, 10**6).get(_ABOUT)
    assert found is None or (found.ndim == 2 and np.isfinite(found).all())
    return found


def _read_ledger(path: Path) -> Any:
    with Ledger(path) as ledger:
        return ledger.done([_CELL.key]), ledger.recorded([_CELL.key]), ledger.machines([_CELL.key])


_CELL = Cell("corrected", {"name": "karate"}, {}, "node_classification", {}, 0, "double")
_SPECS = (
    Spec("katz", "identity", {"name": "svd", "dim": 2}),
    Spec(pooling="fourier", attributes=("labels",), random_state=3),
    Spec({"name": "heat", "scale": (0.1, 1.0)}, "log", "histogram", normalize="l2"),
)
_STUDY = """
title = "Two designs"
task = "node_classification"
datasets = ["karate"]
seeds = [0, 1]

nonlinearities = { none = "identity", log = "log" }
embedding = { name = "svd", dim = 4 }

[proximities]
HK = { name = "heat", scale = [0.1, 1.0] }
PPR = { published = "katz", corrected = { name = "katz", beta = 0.01 } }
"""

_DESIGNS = """
nonlinearities = { none = "identity", log = "log" }
embedding = { name = "svd", dim = 4 }
proximities = { HK = { name = "heat", scale = [0.1, 1.0] }, PPR = "katz" }
"""
_COMPRESSIONS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": _zstd}

READERS: dict[str, Reader] = {
    "edgelist": Reader("g.edgelist", _LISTS, phusion.as_graph),
    "csv": Reader("g.csv", _TABLES, phusion.as_graph),
    "utf16": Reader("g.txt", lambda: [t.decode().encode("utf-16") for t in _LISTS()],
                    lambda path: phusion.as_graph(path, encoding="utf-16")),
    "any": Reader("g", lambda: [*_LISTS()[:2], *_written("gml")()[:1], *_written("graphml")()[:1]], phusion.as_graph),
    "graphml": Reader("g.graphml", _written("graphml"), phusion.as_graph),
    "gml": Reader("g.gml", _written("gml"), phusion.as_graph),
    "matrix_market": Reader("g.mtx", lambda: [*_written("mtx")(), _DENSE.encode()], phusion.as_graph),
    "matlab": Reader("g.mat", _mat, phusion.as_graph),
    "metis": Reader("g.graph", lambda: [*_written("graph")()[:2], b"2 1 11\n5 2 1.5\n7 1 1.5\n"], phusion.as_graph),
    "konect": Reader("g.konect", lambda: [*_written("konect")()[:2], b"% bip weighted\n% 2 2 1\n1 1 2.5\n2 1 1\n"],
                     phusion.as_graph),
    "parquet": Reader("g.parquet", _written("parquet"), phusion.as_graph),
    "npy": Reader("g.npy", _npy, phusion.as_graph),
    "npz": Reader("g.npz", lambda: [*_written("npz")(), *_other_npz()], phusion.as_graph),
    "npz_inside": Reader("g.npz", lambda: [joined(_members(data)) for data in (*_written("npz")(), *_other_npz())],
                         phusion.as_graph, _zipped),
    "tudataset": Reader("t.zip", _repacked(_zipped, _tudataset), phusion.as_batch),
    "tudataset_inside": Reader("t.zip", _tudataset, phusion.as_batch, _zipped),
    "tudataset_folder": Reader("T", _tudataset_files, phusion.as_batch, _in_folder),
    "zip": Reader("g.zip", _repacked(_zipped, lambda: [joined({"g.csv": _TABLES()[0]})]), phusion.as_graph),
    "zip_inside": Reader("g.zip", lambda: [joined({"g.csv": _TABLES()[0]}), joined({"g.gml": _written("gml")()[0]})],
                         phusion.as_graph, _zipped),
    **{suffix: Reader(f"g.txt.{suffix}", lambda pack=pack: [pack(text) for text in _LISTS()[:2]], phusion.as_graph)
       for suffix, pack in _COMPRESSIONS.items()},
    "gz_inside": Reader("g.csv.gz", _TABLES, phusion.as_graph, _packed(gzip.compress)),
    "labels": Reader("l.csv", _texts("id,label\na,x\nb,y\n", "a 1\nb 2\na 3\n", "b\tx\n7\ty\n"), _as_labels),
    "nodes": Reader("n.csv", _texts("id,age\n1,30\n2,\n9,4.5\n", "3\n2\n1\n"), _as_nodes),
    "graph_labels": Reader("l.txt", _texts("1\n2\n", "x\ny\n"), lambda path: phusion.as_batch(
        [[(0, 1)], [(1, 2)]], labels=path)),
    "spec_toml": Reader("s.toml", lambda: [spec.to_toml().encode() for spec in _SPECS], Spec.read),
    "spec_json": Reader("s.json", lambda: [spec.to_json().encode() for spec in _SPECS], Spec.read),
    "study": Reader("s.toml", _texts(_STUDY), read_study),
    "designs": Reader("d.toml", _texts(_DESIGNS), designs_of),
    "ledger": Reader("l.db", _ledger, _read_ledger),
    "result_npz": Reader("y.npz", _saved("y.npz"), Embedding.load),
    "result_npz_inside": Reader("y.npz", lambda: [joined(_members(data)) for data in _saved("y.npz")()],
                                Embedding.load, _zipped),
    "result_npy": Reader("y.npy", _saved("y.npy"), Embedding.load),
    "result_parquet": Reader("y.parquet", _saved("y.parquet"), Embedding.load),
    "result_csv": Reader("y.csv", _saved("y.csv"), Embedding.load),
    "result_tsv": Reader("y.tsv", _saved("y.tsv"), Embedding.load),
    "result_word2vec": Reader("y.w2v", _saved("y.w2v"), Embedding.load),
    "result_tensorboard": Reader("y.tensors.tsv", _saved("y.tensors.tsv", folder=True), Embedding.load, _pair),
    "result_h5ad": Reader("y.h5ad", _saved("y.h5ad"), Embedding.load),
    "result_zarr": Reader("y.zarr", _saved("y.zarr", folder=True), Embedding.load, _pair),
    "result_parts": Reader("y.parquet", _parts, Embedding.load, _pair),
    "labels_gz": Reader("l.csv.gz", _texts("id,label\na,x\nb,y\n"), _as_labels, _packed(gzip.compress)),
    "asked": Reader("g.csv", _texts("id;who;whom;much\n1;a;b;0,5\n2;b;c;7\n", "no,who,whom,much\nx,1,2,3\ny,2,3,-1\n"),
                    lambda path: phusion.as_graph(path, source="who", target=2, weight="much", directed=True)),
    "shelf": Reader("shelf", _shelf, _from_shelf, _on_shelf),
}  # fmt: skip
