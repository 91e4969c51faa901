"""Embeddings on disk: no more than fit, and what is damaged is as good as gone."""

from __future__ import annotations

import os

import numpy as np
import pytest

from phusion.sweeps.shelf import Shelf


def test_what_was_not_asked_for_longest_makes_room(tmp_path):
    shelf = Shelf(tmp_path / "shelf", room=3_000, held=1)
    for k in range(3):
        shelf.put({"number": k}, np.full((250, 1), k, dtype=np.float32))  # 1,000 bytes and a head
        for path in (tmp_path / "shelf").iterdir():
            os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns - 10**9))
    fresh = Shelf(tmp_path / "shelf", room=3_000, held=1)
    assert fresh.get({"number": 0}) is None
    assert (fresh.get({"number": 2}) == 2).all() and (fresh.get({"number": 1}) == 1).all()


def test_a_damaged_file_is_as_good_as_none(tmp_path):
    shelf = Shelf(tmp_path / "shelf", room=10**6, held=1)
    shelf.put({"a": 1}, np.arange(3.0)[:, None])
    (path,) = (tmp_path / "shelf").iterdir()
    path.write_bytes(path.read_bytes()[:20])
    assert Shelf(tmp_path / "shelf", room=10**6, held=1).get({"a": 1}) is None


def test_few_arrays_are_held_and_the_last_one_always(tmp_path):
    shelf = Shelf(tmp_path / "shelf", room=1, held=10)
    shelf.put({"a": 1}, np.arange(100.0)[:, None])
    shelf.put({"a": 2}, np.arange(100.0)[:, None])
    assert shelf.get({"a": 2}) is not None and len(shelf._near) == 1


@pytest.mark.parametrize("values", [np.arange(3.0), np.arange(4).reshape(2, 2), np.array([[1.0, np.nan]])])
def test_what_cannot_be_rows_is_as_good_as_none(tmp_path, values):
    shelf = Shelf(tmp_path / "shelf", room=10**6, held=1)
    shelf.put({"a": 1}, np.ones((2, 2)))
    (path,) = (tmp_path / "shelf").iterdir()
    assert Shelf(tmp_path / "shelf", room=10**6, held=1).get({"a": 1}) is not None
    np.save(path, values)
    assert Shelf(tmp_path / "shelf", room=10**6, held=1).get({"a": 1}) is None


def test_what_is_larger_than_the_room_is_held_in_memory_alone_and_drives_nothing_out(tmp_path):
    shelf = Shelf(tmp_path / "shelf", room=3_000, held=10**6)
    shelf.put({"a": 1}, np.ones((100, 1)))
    shelf.put({"a": 2}, np.ones((100, 100)))
    assert len(list((tmp_path / "shelf").iterdir())) == 1
    fresh = Shelf(tmp_path / "shelf", room=3_000, held=10**6)
    assert shelf.get({"a": 2}) is not None and fresh.get({"a": 1}) is not None and fresh.get({"a": 2}) is None
