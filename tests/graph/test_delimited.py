"""Words that parsers take for integers and that are names: found in whole blocks, without many false alarms."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phusion.graph import delimited
from phusion.graph.delimited import noncanonical_integers


@pytest.mark.parametrize("word", ["007", "00", "-0", "-07", "+07", "0x1f", "-0X1"])
@pytest.mark.parametrize("text", ["{},2,5", "1,{},5\n3,4,5\n", '1,"{}"', "1,{}", "1,2\r\n{},4\r\n"])
def test_integers_that_are_names_are_found_anywhere(word, text):
    assert noncanonical_integers(text.format(word).encode(), ",")


@pytest.mark.parametrize("word", ["0", "10", "0.5", "-0.5", "+0.5", "5e-05", "1E+05", "2026-01-05", "10:05", "v-0"])
@pytest.mark.parametrize("delimiter", [",", "\t", " ", ";", "|"])
def test_usual_words_beside_ids_give_no_alarm(word, delimiter):
    line = delimiter.join(["1", "20", word, "7"])
    assert not noncanonical_integers(f"{line}\n{line}\n".encode(), delimiter)


@given(st.lists(st.text("0+-x1.", min_size=1, max_size=5), min_size=1, max_size=6), st.integers(1, 9))
def test_none_is_missed_wherever_pieces_are_cut(words, piece):
    names = [word for word in words if re.fullmatch(r"[+-]?0[0-9]+|-0|[+-]?0x[0-9]+", word)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_CACHED", piece)
        assert noncanonical_integers(",".join(words).encode(), ",") or not names
