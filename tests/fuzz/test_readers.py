"""Every reader, on damaged files: a sound result or a phusion error, nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.fuzz.mutations import damaged
from tests.fuzz.readers import READERS, outcome

from phusion.errors import PhusionError
from phusion.graph.files import all_formats
from phusion.results.files import all_result_formats

SEEDS = Path(__file__).parent / "seeds"
KEPT = sorted(path for path in SEEDS.rglob("*") if path.is_file())
TIMES = {"study": 15, "result_zarr": 15, "ledger": 15}  # slow ones


@cache
def seeds(name: str) -> list[bytes]:
    return READERS[name].seeds()


def test_no_format_is_left_out():
    files = {reader.file for reader in READERS.values()}
    for one in (*all_formats().values(), *all_result_formats().values()):
        if one.name != "tudataset":  # folders and zips, which have readers of their own above
            assert any(file.endswith(one.suffixes) for file in files), one.name


@pytest.mark.parametrize("name", READERS)
def test_the_files_we_start_from_are_read(name):
    assert seeds(name)
    for data in seeds(name):
        found = outcome(READERS[name], data)
        assert found is not None and not isinstance(found, Exception), found


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_gives_a_sound_result_or_a_phusion_error(name):
    @settings(max_examples=TIMES.get(name, 60), database=None, derandomize=True)
    @given(st.integers(0, 2**64))
    def check(number):
        outcome(READERS[name], damaged(seeds(name), Random(number)))

    check()


@pytest.mark.parametrize("name", READERS)
def test_any_bytes_give_a_sound_result_or_a_phusion_error(name):
    @settings(max_examples=TIMES.get(name, 30), database=None, derandomize=True)
    @given(st.binary(max_size=300))
    @example(b"")
    @example(b"\n")
    @example(b"\x00")
    def check(data):
        outcome(READERS[name], data)

    check()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_that_once_broke_its_reader_is_read_or_refused_in_words(path):
    """`seeds/READER/what_it_did`: every input that ever broke a reader."""
    found = outcome(READERS[path.parent.name], path.read_bytes())
    assert not isinstance(found, PhusionError) or len(str(found)) > 10
