"""Files made to do harm: entities, bombs, names that leave their folder, code that wants to run."""

from __future__ import annotations

import ast
import bz2
import gzip
import hashlib
import io
import lzma
import pickle
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import phusion
from phusion import as_batch, as_graph, datasets
from phusion.datasets import store
from phusion.datasets.registry import Dataset, RemoteFile
from phusion.errors import DatasetError, FileError, InputError
from phusion.graph import limits
from phusion.results.embedding import Embedding

SOURCES = sorted(Path(phusion.__file__).parent.rglob("*.py"))
GRAPH = '<graphml><graph><node id="{0}"/><node id="b"/><edge source="{0}" target="b"/></graph></graphml>'
LAUGHS = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
ENTITIES = {
    "a billion laughs": f'<!DOCTYPE g [<!ENTITY l0 "ha">{LAUGHS}]>' + GRAPH.format("&l9;"),
    "quadratic": f'<!DOCTYPE g [<!ENTITY a "{"x" * 50_000}">]>' + GRAPH.format("&a;" * 50_000),
    "a file": '<!DOCTYPE g [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + GRAPH.format("&a;"),
    "an address": '<!DOCTYPE g [<!ENTITY a SYSTEM "http://127.0.0.1:9/x">]>' + GRAPH.format("&a;"),
    "an external DTD": '<!DOCTYPE g SYSTEM "http://127.0.0.1:9/x.dtd">' + GRAPH.format("a"),
    "parameters": '<!DOCTYPE g [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>' + GRAPH.format("a"),
}


@pytest.mark.parametrize("what", ENTITIES)
def test_xml_expands_no_entity_and_fetches_nothing(write, what):
    with pytest.raises(FileError, match="declares XML entities, which are not accepted"):
        as_graph(write(ENTITIES[what], "g.graphml"))


def test_an_entity_nobody_declared_is_no_text(write):
    with pytest.raises(FileError, match="undefined entity"):
        as_graph(write(GRAPH.format("&a;"), "g.graphml"))
    assert as_graph(write(GRAPH.format("&lt;&#65;"), "g.graphml")).nodes.tolist() == ["<A", "b"]


NAMES = ["../out.csv", "../../out.csv", "/phusion-out.csv", "..\\out.csv", "C:\\out.csv", "a/../../out.csv"]


def zipped(path: Path, members: dict[str, bytes], mode: int = 0o644) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_members_of_a_zip_never_leave_their_folder(tmp_path, name):
    inner = tmp_path / "deep" / "deeper"
    inner.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    graph = as_graph(zipped(inner / "g.zip", {name: b"a,b\nb,c\n"}))
    assert graph.nodes.tolist() == ["a", "b", "c"]
    parts = {f"{name}_A.txt": b"1, 2\n", f"{name}_graph_indicator.txt": b"1\n1\n"}
    assert len(as_batch(zipped(inner / "t.zip", parts))) == 1
    assert sorted(tmp_path.rglob("*")) == sorted([*before, inner / "g.zip", inner / "t.zip"])
    assert not Path("/phusion-out.csv").exists()


def test_a_link_in_a_zip_is_not_followed(tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("x,y\ny,z\n")
    path = zipped(tmp_path / "g.zip", {"link.csv": str(secret).encode()}, mode=0o120777)
    with suppress(FileError):
        assert "x" not in as_graph(path).nodes.tolist()


def test_a_zip_in_a_zip_is_refused_even_if_it_holds_itself(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"g.csv": b"a,b\n"})
    with pytest.raises(FileError, match="zip archive in a zip archive"):
        as_graph(zipped(tmp_path / "outer.zip", {"inner.zip": inner.read_bytes()}))


@pytest.fixture
def small_limits(monkeypatch):
    """The same limits, so much smaller that bombs are made in no time."""
    monkeypatch.setattr(limits, "_ALWAYS", 1 << 20)
    monkeypatch.setattr(limits, "_TIMES", 20)


def zstd(data: bytes) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def saved(save, *given, **named) -> bytes:
    buffer = io.BytesIO()
    save(buffer, *given, **named)
    return buffer.getvalue()


LINES = b"1 2\n" * 2_000_000
BOMBS = {
    "g.txt.gz": lambda: gzip.compress(LINES),
    "g.txt.bz2": lambda: bz2.compress(LINES),
    "g.txt.xz": lambda: lzma.compress(LINES),
    "g.txt.zst": lambda: zstd(LINES),
    "g.gml.gz": lambda: gzip.compress(b"graph [ ]" + b" " * 8_000_000),
    "g.npz": lambda: saved(np.savez_compressed, A=np.zeros((1500, 1500))),
    "g.mat": lambda: saved(_matlab, {"network": np.zeros((1500, 1500))}),
    "g.parquet": lambda: saved(_parquet, 2_000_000),
}


def _matlab(buffer, values):
    from scipy.io import savemat

    savemat(buffer, values, do_compression=True)


def _parquet(buffer, rows):
    import pyarrow as pa
    from pyarrow import parquet

    column = pa.array(np.zeros(rows, dtype=np.int64))
    parquet.write_table(pa.table({"source": column, "target": column}), buffer)


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_its_limit_and_how_to_lift_it(write, name, small_limits, monkeypatch):
    path = write(BOMBS[name](), name)
    with pytest.raises(FileError, match=r"unpack to more than [0-9,]+ .*PHUSION_TRUST_FILES=1"):
        as_graph(path)
    monkeypatch.setenv("PHUSION_TRUST_FILES", "1")
    if name.endswith((".gml.gz", ".mat", ".npz")):
        return  # nothing is in these
    assert len(as_graph(path)) in (1, 2)


def test_zips_that_unpack_to_a_lot_are_refused(tmp_path, small_limits):
    with pytest.raises(FileError, match="unpack to more than"):
        as_graph(zipped(tmp_path / "g.zip", {"g.csv": LINES}))
    parts = {"T_A.txt": b"1, 2\n" * 1_000_000, "T_graph_indicator.txt": b"1\n1\n"}
    with pytest.raises(FileError, match="unpack to more than"):
        as_batch(zipped(tmp_path / "t.zip", parts))


def test_results_that_unpack_to_a_lot_are_refused(tmp_path, small_limits):
    import h5py

    found = Embedding(np.zeros((200_000, 2)), np.arange(200_000), ("x", "y"))
    many = np.zeros((400_000, 2))
    np.savez_compressed(tmp_path / "y.npz", values=many, nodes=many[:, 0], features=["x", "y"], phusion="{}")
    found.save(tmp_path / "y.parquet")
    found.save(tmp_path / "y.zarr")
    Embedding(np.zeros((2, 2)), np.arange(2), ("x", "y")).save(tmp_path / "y.h5ad")
    with h5py.File(tmp_path / "y.h5ad", "a") as file:
        del file["obsm/X_phusion"]
        file["obsm"].create_dataset("X_phusion", shape=(10**9, 2), dtype="f8", chunks=(1000, 2))
    for name in ("y.npz", "y.h5ad"):
        with pytest.raises(FileError, match="unpack to more than"):
            Embedding.load(tmp_path / name)
    for name in ("y.parquet", "y.zarr"):  # numbers from 0 on do not pack that well
        assert len(Embedding.load(tmp_path / name)) == 200_000


def test_zarr_folders_that_announce_a_lot_or_name_other_programs_are_refused(tmp_path, small_limits):
    import json

    import zarr

    Embedding(np.zeros((2, 2)), np.arange(2), ("x", "y")).save(tmp_path / "y.zarr")
    about = tmp_path / "y.zarr" / "values" / "zarr.json"
    said = json.loads(about.read_text())
    about.write_text(json.dumps({**said, "shape": [10**9, 2]}))
    with pytest.raises(FileError, match="unpack to more than"):
        Embedding.load(tmp_path / "y.zarr")
    old = zarr.create_group(str(tmp_path / "old.zarr"), zarr_format=2)  # whose chunks may be pickles
    old.create_array("values", shape=(2, 2), dtype="f8")
    with pytest.raises(FileError):
        Embedding.load(tmp_path / "old.zarr")


def test_ordinary_files_that_pack_well_are_read(write, monkeypatch):
    monkeypatch.setattr(limits, "_ALWAYS", 0)
    edges = "".join(f"{i} {i + 1}\n" for i in range(30_000)).encode()
    for name, pack in (("g.txt.xz", lzma.compress), ("g.txt.gz", gzip.compress)):
        assert as_graph(write(pack(edges), name)).n_edges == 30_000


ANNOUNCED = {
    "g.mtx": b"%%MatrixMarket matrix coordinate pattern general\n1000000000000 1000000000000 1\n1 2\n",
    "g.konect": b"% sym unweighted\n% 1 1000000000000 1000000000000\n1 2\n",
    "b.konect": b"% bip unweighted\n% 1 1000000000 1000000000\n1 2\n",
    "g.npz": saved(sparse.save_npz, sparse.coo_array(([1.0], ([0], [1])), shape=(10**9, 10**9))),
}


@pytest.mark.parametrize("name", ANNOUNCED)
def test_a_hundred_bytes_that_announce_a_trillion_nodes_are_refused(write, name):
    with pytest.raises(FileError, match=r"announces [0-9,]+ nodes but lists 1 entries.*PHUSION_TRUST_FILES=1"):
        as_graph(write(ANNOUNCED[name], name))


class Wicked:
    """Pickled, it would make a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_no_pickle_is_ever_loaded(tmp_path):
    made = tmp_path / "made"
    arrays = np.empty(1, dtype=object)
    arrays[0] = Wicked(made)
    np.save(tmp_path / "g.npy", arrays, allow_pickle=True)
    np.savez(tmp_path / "g.npz", A=arrays)
    (tmp_path / "p.npy").write_bytes(pickle.dumps(Wicked(made)))
    for path in tmp_path.glob("*.np?"):
        for read in (as_graph, Embedding.load):
            with pytest.raises(InputError):
                read(path)
    assert not made.exists()


def calls(tree: ast.AST):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func)


RUNS = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "run_path",
    "run_module",
    "popen",
    "read_pickle",
    "Unpickler",
}
NEVER = {"pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml", "lxml", "runpy", "tarfile"}
XML = {"xml.parsers.expat", "xml.parsers", "xml.sax.saxutils"}  # of which none fetches or expands unless it is told to
READS = ("np.load", "numpy.load", "read_array", "np.save", "numpy.save")


def dangers(text: str) -> list[str]:
    """What a source would have to do to run what it reads, or to unpack it where it likes."""
    tree, found = ast.parse(text), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            origin = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                whole = f"{origin}.{alias.name}" if origin else alias.name
                ours = whole.partition(".")[0] == "phusion"
                if whole.partition(".")[0] in NEVER or (
                    not ours and alias.name in RUNS | {"load", "read_array", "system"}
                ):
                    found.append(f"imports {whole}")
                if whole.startswith("xml") and not any(whole == known or origin == known for known in XML):
                    found.append(f"imports {whole}")
    for node, name in calls(tree):
        last = name.rpartition(".")[2]
        if (
            (last in RUNS and name != "re.compile")
            or name == "os.system"
            or last in ("extract", "extractall", "unpack_archive")
        ):
            found.append(f"calls {name}")
        given = {word.arg: word.value for word in node.keywords}
        allowed = given.get("allow_pickle")
        if allowed is not None and not (isinstance(allowed, ast.Constant) and allowed.value is False):
            found.append(f"allows pickles in {name}")
        if name.endswith(READS) and allowed is None:
            found.append(f"{name} does not say allow_pickle=False")
        if name.endswith("torch.load") or (name.startswith("subprocess.") and "shell" in given):
            found.append(f"calls {name}")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(SOURCES[0].parent)))
def test_no_source_runs_text_or_loads_pickles(path):
    assert not dangers(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        *("from xml.etree import ElementTree", "from xml import sax", "import xml.dom.minidom", "import lxml.etree"),
        *("import pickle", "from pickle import loads", "import _pickle", "pickle.Unpickler(f).load()", "import yaml"),
        *("from numpy import load", "np.load(f)", "np.load(f, None, True)", "np.load(f, allow_pickle=x)"),
        *(
            "np.load(f, allow_pickle=True)",
            "np.lib.format.read_array(f, True)",
            "pandas.read_pickle(f)",
            "torch.load(x)",
        ),
        *(
            "pandas.read_pickle(f)",
            "builtins.eval(x)",
            "eval(x)",
            "os.system(x)",
            "from os import system",
            "from joblib import load",
        ),
        *("runpy.run_path(x)", "from runpy import run_path", "subprocess.run(x, shell=True)", "import tarfile"),
        *("archive.extractall(x)", "archive.extract(x)", "shutil.unpack_archive(x)"),
    ],
)
def test_what_would_run_or_load_them_is_found(text):
    assert dangers(text)


def test_a_tampered_download_is_not_used_and_not_kept(no_data, monkeypatch, tmp_path):
    source = tmp_path / "toy.txt"
    source.write_bytes(b"1 2\n2 3\n")
    due = hashlib.sha256(source.read_bytes()).hexdigest()
    source.write_bytes(b"1 2\n2 4\n")  # somebody on the way

    def fetched(url, output_file, pooch, **_):
        Path(output_file).write_bytes(source.read_bytes())

    import pooch

    monkeypatch.setattr(pooch.downloaders, "HTTPDownloader", lambda **_: fetched)
    monkeypatch.setattr("pooch.core.choose_downloader", lambda *_, **__: fetched)
    file = RemoteFile("toy.txt", due, "https://example.org/toy.txt")
    entry = Dataset("toy", "", "", "", False, {"nodes": 3, "edges": 2}, {"graph": file})
    monkeypatch.setattr(store, "find", lambda _: entry)
    for _ in range(2):
        with pytest.raises(DatasetError, match="could not be fetched"):
            datasets.load("toy")
        assert not [path for path in store.cache_folder().rglob("*") if path.is_file()]
    source.write_bytes(b"1 2\n2 3\n")
    assert datasets.load("toy").n_edges == 2


def test_a_matlab_file_that_lies_about_its_sizes_does_not_end_the_process(write):
    """scipy's reader follows such sizes out of its memory."""
    whole = saved(_matlab_plain)
    for place in range(128, len(whole) - 4, 8):
        for number in (0, 1, 0x7FFFFFFF, 0xFFFFFFFF):
            data = bytearray(whole)
            struct.pack_into("<I", data, place, number)
            try:
                as_graph(write(bytes(data), "g.mat"))
            except InputError:
                continue


def _matlab_plain(buffer):
    from scipy.io import savemat

    savemat(buffer, {"network": sparse.csc_array(np.ones((3, 3)))})


@pytest.mark.parametrize("packed", [{}, {"chunks": (2,)}, {"chunks": (2,), "compression": "gzip"}], ids=str)
def test_texts_of_hdf5_are_counted_before_they_are_read(tmp_path, packed):
    h5py = pytest.importorskip("h5py")
    from phusion.results.heaps import announced_text

    path = tmp_path / "e.h5ad"
    phusion.embed([("ada", "bob"), ("bob", "cleo")], {"proximity": "heat", "embedding": "diagonal"}).save(path)
    with h5py.File(path, "r+") as file:
        words = file["obs/node"][()]
        del file["obs/node"]
        file.create_dataset("obs/node", data=words, dtype=h5py.string_dtype(), **packed)
    with h5py.File(path, "r") as file:
        assert announced_text(file["obs/node"], path) == len("adabobcleo")
        assert announced_text(file["obsm/X_phusion"], path) == 0
    assert phusion.Embedding.load(path).nodes.tolist() == ["ada", "bob", "cleo"]
    with h5py.File(path, "r+") as file:
        del file["obs/node"]
        file.create_dataset("obs/node", data=words, dtype=h5py.string_dtype(), chunks=(2,), compression="lzf")
    with pytest.raises(FileError, match="packed in a way phusion does not read; save it without compression"):
        phusion.Embedding.load(path)
