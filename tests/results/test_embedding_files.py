"""Embeddings are saved whole and load back with their ids."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import phusion
from phusion.errors import FileError, InputError, InputTypeError, OutputError, UnreadableFileError
from phusion.results.files import all_result_formats

FORMATS = list(all_result_formats().values())
KEEP_ALL = [one for one in FORMATS if {"ids", "features", "spec"} <= one.keeps]

words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6)
ids = st.one_of(
    st.lists(st.integers(-(2**62), 2**62), unique=True, min_size=1, max_size=6),
    st.lists(words | st.sampled_from(["007", "7", "²", "-0", "٣"]), unique=True, min_size=1, max_size=6),
)


@pytest.fixture
def embedding():
    return phusion.embed([("ada", "bob"), ("bob", "cleo")], "netmf", dim=2)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@given(nodes=ids, data=st.data())
def test_values_and_ids_come_back_exactly(tmp_path_factory, form, nodes, data):
    values = data.draw(
        hnp.arrays(np.float64, (len(nodes), 3), elements=st.floats(allow_nan=False, allow_infinity=False))
    )
    made = phusion.Embedding(values, np.array(nodes, dtype=object), ("a", "b,", 'c"'))
    path = tmp_path_factory.mktemp("e") / f"e{form.suffixes[0]}"
    made.save(path)
    found = phusion.Embedding.load(path)
    assert np.array_equal(found.values, values)
    expected = nodes if "ids" in form.keeps else list(range(len(nodes)))
    if form.plain_text and isinstance(nodes[0], str) and all(re.fullmatch("0|-?[1-9][0-9]*", node) for node in nodes):
        expected = [int(node) for node in nodes]
        assert any("looks like whole numbers" in note for note in made.save(path, overwrite=True))
    assert found.nodes.tolist() == expected
    assert found.features == made.features or "features" not in form.keeps


@pytest.mark.parametrize("form", KEEP_ALL, ids=lambda form: form.name)
def test_the_spec_and_provenance_come_back(tmp_path, embedding, form):
    assert embedding.save(tmp_path / f"e{form.suffixes[0]}") == ()
    found = phusion.Embedding.load(tmp_path / f"e{form.suffixes[0]}")
    assert found.spec == embedding.spec and dict(found.provenance) == dict(embedding.provenance)
    assert repr(found) == repr(embedding)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_what_a_file_does_not_keep_is_said(tmp_path, embedding, form):
    said = " ".join(embedding.save(tmp_path / f"e{form.suffixes[0]}"))
    assert ("keeps no ids" in said) == ("ids" not in form.keeps)
    assert ("how it was made" in said) == ("spec" not in form.keeps)


def test_graphs_are_saved_with_their_numbers(tmp_path):
    found = phusion.embed([[(0, 1)], [(0, 1), (1, 2)]], "netlsd")
    for suffix in (".csv", ".parquet"):
        found.save(tmp_path / f"g{suffix}")
        again = phusion.Embedding.load(tmp_path / f"g{suffix}")
        assert again.kind == "graphs" and again.nodes.tolist() == [0, 1]
    assert (tmp_path / "g.csv").read_text().startswith("graph,trace_heat_s0.01_diagonal,")


def test_a_csv_reads_in_pandas_and_polars(tmp_path, embedding):
    import pandas as pd
    import polars as pl

    embedding.save(tmp_path / "e.csv")
    frame = pd.read_csv(tmp_path / "e.csv", index_col="node")
    assert frame.index.tolist() == ["ada", "bob", "cleo"] and np.allclose(
        frame.to_numpy(), embedding.values, rtol=1e-15
    )
    embedding.save(tmp_path / "e.parquet")
    assert pl.read_parquet(tmp_path / "e.parquet")["node"].to_list() == ["ada", "bob", "cleo"]


def test_word2vec_text_has_the_header_that_gensim_expects(tmp_path, embedding):
    embedding.save(tmp_path / "e.w2v.txt")
    head, first, *_ = (tmp_path / "e.w2v.txt").read_text().splitlines()
    assert head == "3 2" and first.split()[0] == "ada" and len(first.split()) == 3


def test_the_projector_pair_has_a_line_for_each_node(tmp_path, embedding):
    embedding.save(tmp_path / "e.tensors.tsv")
    assert (tmp_path / "e.metadata.tsv").read_text() == "ada\nbob\ncleo\n"
    assert len((tmp_path / "e.tensors.tsv").read_text().splitlines()) == 3


def test_neither_file_of_the_projector_pair_is_replaced_unasked(tmp_path, embedding):
    (tmp_path / "e.metadata.tsv").write_text("mine")
    with pytest.raises(OutputError, match=r"metadata\.tsv exists"):
        embedding.save(tmp_path / "e.tensors.tsv")
    assert (tmp_path / "e.metadata.tsv").read_text() == "mine" and not (tmp_path / "e.tensors.tsv").exists()


def test_frames_of_mixed_ids_hold_them_as_text(embedding):
    mixed = phusion.Embedding(np.zeros((2, 1)), np.array([1, "a"], dtype=object), ("x",))
    assert mixed.to_frame("polars")["node"].to_list() == ["1", "a"] == mixed.to_frame("pyarrow")["node"].to_pylist()
    assert mixed.to_frame("pandas").index.tolist() == [1, "a"]


def test_the_nearest_are_told_apart_at_any_size():
    tiny = phusion.Embedding(np.array([[0.0], [3e-10], [1e-10]]), np.array(["a", "b", "c"]), ("x",))
    assert [node for node, _ in tiny.nearest("a", 2)] == ["c", "b"]


def test_h5ad_follows_the_published_layout(tmp_path, embedding):
    h5py = pytest.importorskip("h5py")
    embedding.save(tmp_path / "e.h5ad")
    with h5py.File(tmp_path / "e.h5ad") as file:
        assert file.attrs["encoding-type"] == "anndata"
        assert file["obs"].attrs["_index"] == "_index" and file["obs"].attrs["encoding-type"] == "dataframe"
        assert [name.decode() for name in file["obs/_index"]] == ["ada", "bob", "cleo"]
        assert np.array_equal(file["obsm/X_phusion"], embedding.values)


def test_anndata_reads_the_h5ad_file(tmp_path, embedding):
    anndata = pytest.importorskip("anndata")
    embedding.save(tmp_path / "e.h5ad")
    found = anndata.read_h5ad(tmp_path / "e.h5ad")
    assert found.obs_names.tolist() == ["ada", "bob", "cleo"]
    assert found.var_names.tolist() == list(embedding.features)
    assert np.array_equal(found.obsm["X_phusion"], embedding.values)
    assert json.loads(found.uns["phusion"])["spec"]["proximity"]["name"] == "ppmi"


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_ids_of_other_types_come_back_or_are_said_to_be_text(tmp_path, form):
    nodes = np.empty(4, dtype=object)
    nodes[:] = [(1, "a"), 2.5, True, 2**70]
    made = phusion.Embedding(np.zeros((4, 1)), nodes, ("a",))
    if form.name == "word2vec":
        with pytest.raises(InputError, match="cannot hold the id"):
            made.save(tmp_path / f"e{form.suffixes[0]}")
        return
    said = " ".join(made.save(tmp_path / f"e{form.suffixes[0]}"))
    found = phusion.Embedding.load(tmp_path / f"e{form.suffixes[0]}").nodes.tolist()
    if form in KEEP_ALL:
        assert found == nodes.tolist() and said == ""
    elif "ids" in form.keeps:
        assert found == [str(node) for node in nodes] and "written as text" in said


def test_ids_that_cannot_be_told_apart_are_refused(tmp_path):
    clash = phusion.Embedding(np.zeros((2, 1)), np.array([1, "1"], dtype=object), ("a",))
    with pytest.raises(InputError, match="are the same then; rename one of them"):
        clash.save(tmp_path / "f.npz")
    spaced = phusion.Embedding(np.zeros((1, 1)), np.array(["a b"], dtype=object), ("a",))
    with pytest.raises(InputError, match="cannot hold the id 'a b'"):
        spaced.save(tmp_path / "f.w2v.txt")
    assert not list(tmp_path.glob("f*")) and not list(tmp_path.glob(".f*"))


def test_files_appear_whole_or_not_at_all_and_are_not_replaced_unasked(tmp_path, embedding):
    path = tmp_path / "e.csv"
    embedding.save(path)
    with pytest.raises(OutputError, match="exists"):
        embedding.save(path)
    embedding.save(path, overwrite=True)
    with pytest.raises(OutputError, match="does not exist"):
        embedding.save(tmp_path / "no" / "e.csv")
    with pytest.raises(InputError, match="names no format"):
        embedding.save(tmp_path / "e.xlsx")
    with pytest.raises(InputError, match=r"format='cvs' is not known. Did you mean 'csv'\?"):
        embedding.save(tmp_path / "e", format="cvs")
    with pytest.raises(OutputError, match="not a file that can be replaced"):
        embedding.save(Path(os.devnull), format="csv", overwrite=True)


def test_a_full_disk_leaves_what_was_there(tmp_path, embedding, monkeypatch):
    path = tmp_path / "e.csv"
    embedding.save(path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(type(all_result_formats()["csv"]), "write", full)
    with pytest.raises(OutputError, match="No space left"):
        embedding.save(path, overwrite=True)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["e.csv"]


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_damaged_files_are_refused_with_their_name(tmp_path, embedding, form):
    path = tmp_path / f"e{form.suffixes[0]}"
    embedding.save(path)
    for file in [path] if path.is_file() else [part for part in path.rglob("*") if part.is_file()]:
        whole = file.read_bytes()
        for damaged in (b"", b"\x00\xff" * 9, whole[: len(whole) // 2]):
            file.write_bytes(damaged)
            try:
                found = phusion.Embedding.load(path)
            except FileError as error:
                assert path.name in str(error)
            else:  # half of a text file may be a smaller text file
                assert len(found) <= len(embedding)
        file.write_bytes(whole)
    with pytest.raises(UnreadableFileError, match="no such file"):
        phusion.Embedding.load(tmp_path / f"none{form.suffixes[0]}")


def test_rows_are_found_by_id_and_neighbours_by_distance():
    made = phusion.Embedding(np.array([[0.0], [1.0], [5.0]]), np.array(["a", "b", "c"], dtype=object), ("x",))
    assert made["c"].tolist() == [5.0] and made.nearest("a", 2) == [("b", 1.0), ("c", 5.0)]
    assert np.asarray(made).shape == (3, 1) and made.to_frame("polars").columns == ["node", "x"]
    assert made.to_frame("pyarrow").num_rows == 3
    with pytest.raises(InputError, match="'d' is not among the nodes"):
        made["d"]
    with pytest.raises(ValueError, match="read-only"):
        made.values[0] = 1
    with pytest.raises(InputError, match="need values of that shape"):
        phusion.Embedding(np.zeros((2, 2)), np.array([1, 2]), ("a",))


@pytest.mark.parametrize("suffix", ["csv", "tsv", "npz", "parquet", "w2v.txt", "tensors.tsv"])
def test_ids_of_64_bits_without_sign_come_back_as_numbers(tmp_path, suffix):
    ids = np.array([2**64 - 1, 1, 2**63], dtype=np.uint64)
    made = phusion.Embedding(np.arange(6.0).reshape(3, 2), ids, ("x", "y"))
    said = made.save(tmp_path / f"e.{suffix}")
    assert phusion.Embedding.load(tmp_path / f"e.{suffix}").nodes.tolist() == ids.tolist()
    assert not any("as text" in words for words in said)


@pytest.mark.parametrize("form", KEEP_ALL, ids=lambda form: form.name)
@pytest.mark.parametrize("nodes", [["a\0", "a"], ["a" * 30_000, *map(str, range(3_000))]], ids=["zero", "long"])
def test_ids_that_arrays_of_text_would_cut_or_blow_up_come_back(tmp_path, form, nodes):
    """NumPy drops zero characters at the end of text, and gives each word the room of the longest: 360 MB here."""
    made = phusion.Embedding(np.ones((len(nodes), 1)), nodes, ("one",))
    path = tmp_path / f"e{form.suffixes[0]}"
    try:
        made.save(path)
    except InputError as error:
        assert "\0" in nodes[0] and ("cannot hold" in str(error) or "zero" in str(error))
        return
    assert phusion.Embedding.load(path).nodes.tolist() == nodes
    assert path.is_dir() or path.stat().st_size < 10**6


def test_feature_names_that_npz_would_cut_are_refused(tmp_path):
    with pytest.raises(InputError, match="zero character"):
        phusion.Embedding(np.ones((1, 1)), ["a"], ("f\0",)).save(tmp_path / "e.npz")


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_an_embedding_without_rows_comes_back(tmp_path, form):
    path = tmp_path / f"e{form.suffixes[0]}"
    phusion.Embedding(np.empty((0, 2)), [], ("a", "b")).save(path)
    assert len(phusion.Embedding.load(path)) == 0


@pytest.mark.parametrize("name", ["x" * 300, "x\0y"], ids=["long", "zero"])
def test_names_that_no_file_can_have_are_refused_in_words(tmp_path, embedding, name):
    path = tmp_path / f"{name}.npz"
    why = "File name too long|zero character"
    with pytest.raises(OutputError, match=why):
        embedding.save(path)
    with pytest.raises(OutputError, match=why):
        phusion.embed_to(path.with_suffix(".parquet"), "karate", "graphwave")
    with pytest.raises(UnreadableFileError, match=why):
        phusion.Embedding.load(path)
    with pytest.raises(UnreadableFileError, match=why):
        phusion.embed(str(path))
    with pytest.raises(InputError, match="neither a file nor a node attribute"):
        phusion.as_graph([(0, 1)], labels=name)


@pytest.mark.parametrize("asked", [["ada"], ["ada", "bob"], np.array(["ada"])], ids=["one", "two", "array"])
def test_several_ids_in_place_of_one_are_refused_in_words(embedding, asked):
    for ask in (embedding.__getitem__, embedding.nearest):
        with pytest.raises(InputError, match="several ids, where one is asked for"):
            ask(asked)


def test_numbers_of_neighbours_are_whole_numbers_of_any_kind(embedding):
    assert len(embedding.nearest("ada", np.int64(2))) == 2
    with pytest.raises(InputError, match="whole number"):
        embedding.nearest("ada", True)


@pytest.mark.parametrize("values", [np.ones((1, 1)) * 1j, np.array([["a"]]), np.array([[None]])], ids=str)
def test_values_that_are_no_real_numbers_are_refused(values):
    with pytest.raises(InputTypeError, match="values are real numbers"):
        phusion.Embedding(values, ["a"], ("one",))


@pytest.mark.parametrize("features", [("node", "x"), ("x", "x")])
@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_frames_that_would_lose_a_column_are_refused(features, library):
    made = phusion.Embedding(np.ones((1, 2)), ["a"], features)
    assert made.to_frame("pandas").shape == (1, 2)
    with pytest.raises(InputError, match="two columns would be called"):
        made.to_frame(library)


def test_feature_names_with_line_ends_are_refused_by_csv(tmp_path):
    with pytest.raises(InputError, match="line end"):
        phusion.Embedding(np.ones((1, 1)), [7], ('x"\n',)).save(tmp_path / "e.csv")
