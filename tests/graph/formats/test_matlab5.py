"""Our reader of MATLAB 5 files against scipy's, which writes and reads them too."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.io import loadmat, savemat

from phusion import as_graph
from phusion.errors import FileError
from phusion.graph.matlab5 import read_variables

VALUES = {
    **{
        kind: np.arange(6).reshape(2, 3).astype(kind) for kind in ("f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8")
    },
    "large": np.array([[1e300, -5e-324], [np.nan, np.inf]]),
    "truth": np.array([[True, False]]),
    "complex": np.array([[1 + 2j, 3.0]]),
    "none": np.zeros((0, 3)),
    "cube": np.arange(24.0).reshape(2, 3, 4),
    "sparse": sparse.csc_array(np.array([[0, 1.5, 0], [0, 0, 0], [2, 0, 0]])),
    "empty": sparse.csc_array((4, 4)),
    "text": np.array(["words"]),
}


def as_array(value):
    return value.toarray() if sparse.issparse(value) else value


@pytest.mark.parametrize("packed", [False, True])
def test_what_scipy_writes_is_read_as_scipy_reads_it(packed):
    buffer = io.BytesIO()
    savemat(buffer, VALUES, do_compression=packed)
    found = read_variables(buffer.getvalue(), Path("x.mat"))
    expected = loadmat(io.BytesIO(buffer.getvalue()), spmatrix=False)
    assert set(found) == set(VALUES)
    for name, value in found.items():
        assert as_array(value).shape == as_array(expected[name]).shape, name
        assert np.array_equal(as_array(value), as_array(expected[name]), equal_nan=name == "large"), name


def test_cells_of_words_are_labels_and_structs_are_named_but_not_used(tmp_path):
    classes = np.array([["red"], ["blue"], ["red"]], dtype=object)
    savemat(tmp_path / "g.mat", {"network": np.ones((3, 3)), "group": classes, "about": {"year": 2001}})
    with pytest.warns(UserWarning, match="variables not used: 'about'"):
        graph = as_graph(tmp_path / "g.mat")
    assert graph.labels.values.tolist() == ["red", "blue", "red"]


def test_a_small_file_that_unpacks_to_a_lot_is_refused(tmp_path):
    savemat(tmp_path / "g.mat", {"network": np.zeros((6000, 6000))}, do_compression=True)
    assert (tmp_path / "g.mat").stat().st_size < 1_000_000
    with pytest.raises(FileError, match=r"unpack to more than 268,435,456 .*PHUSION_TRUST_FILES=1"):
        as_graph(tmp_path / "g.mat")


def test_sizes_that_lie_are_refused():
    buffer = io.BytesIO()
    savemat(buffer, {"network": sparse.csc_array(np.eye(3))})
    whole = buffer.getvalue()
    for place in range(128, len(whole) - 4, 4):
        data = bytearray(whole)
        struct.pack_into("<I", data, place, 0x7FFFFFFF)
        try:
            found = read_variables(bytes(data), Path("x.mat"))
        except FileError:
            continue
        assert all(value is None or getattr(value, "nnz", 0) <= 3 for value in found.values())
