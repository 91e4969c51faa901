"""A process in which pyarrow cannot be imported: everything but Parquet and zstd works."""

from __future__ import annotations

import subprocess
import sys

import pytest

import phusion

HIDDEN = "import sys; sys.modules['pyarrow'] = None; import warnings; warnings.simplefilter('ignore'); import phusion\n"
COMMAND = "import sys; sys.modules['pyarrow'] = None; from phusion.cli import main; sys.exit(main(sys.argv[1:]))"
FILES = {
    "friends.csv": 'source,target,weight\nada,bob,1.5\nbob,"cleo, the second",2\nδ,ada,0.1\n',
    "numbers.txt": "# a list\n10 20\n20 99999999999\n-3 10\n",
    "matrix.mtx": "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 2\n",
    "labels.csv": "id,label\nada,x\nbob,y\n",
    "nodes.csv": "id,age\nδ,30\nzoe,4.5\nada,\n",
    "T/T_A.txt": "1, 2\n2, 1\n3, 4\n4, 3\n",
    "T/T_graph_indicator.txt": "1\n1\n2\n2\n",
    "T/T_node_attributes.txt": "0.5, 1\n1, 2\n3, 4\n5, 6e3\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path


def run(folder, *words):
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def test_text_files_are_read_embedded_and_written(folder):
    program = HIDDEN + (
        "g = phusion.as_graph('friends.csv', nodes='nodes.csv', labels='labels.csv')\n"
        "assert g.nodes.tolist() == ['δ', 'zoe', 'ada', 'bob', 'cleo, the second'], g.nodes\n"
        "assert g.adjacency.sum() == 7.2 and g.labels.counts == {'x': 1, 'y': 1}, g.adjacency\n"
        "assert str(g.attributes['age'].tolist()) == '[30.0, 4.5, nan, nan, nan]'\n"
        "assert phusion.as_graph('numbers.txt').nodes.tolist() == [10, 20, 99999999999, -3]\n"
        "assert phusion.as_graph('matrix.mtx').adjacency.sum() == 5\n"
        "assert [len(one) for one in phusion.as_batch('T')] == [2, 2]\n"
        "phusion.write_graph(phusion.as_graph('friends.csv'), 'again.csv')\n"
        "both = [phusion.as_graph(name, nodes=g.nodes) for name in ('friends.csv', 'again.csv')]\n"
        "assert (both[0].adjacency != both[1].adjacency).nnz == 0\n"
        "phusion.embed(g, 'hope', dim=2).save('y.npz')\n"
        "print(phusion.Embedding.load('y.npz'))"
    )
    code, out, err = run(folder, "-c", program)
    assert code == 0, err
    assert out.startswith("Embedding(5 nodes × 4")


@pytest.mark.parametrize("words", ["embed friends.csv --preset graphwave -o", "convert friends.csv"])
def test_parquet_is_refused_in_words_before_the_work(folder, words):
    code, _, err = run(folder, "-c", COMMAND, *words.split(), "x.parquet")
    assert code == 3
    assert "Parquet needs pyarrow, which is not installed: pip install pyarrow, or 'phusion-embed[parquet]'" in err
    assert "Traceback" not in err and "reading" not in err


def test_parquet_and_zstd_that_are_there_are_refused_in_words(folder):
    if sys.version_info >= (3, 14):
        pytest.skip("Python has zstd of its own")
    (folder / "g.txt.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    (folder / "g.parquet").write_bytes(b"PAR1" + bytes(20))
    for words in ("inspect g.txt.zst", "inspect g.parquet", "convert friends.csv friends.csv.zst"):
        code, _, err = run(folder, "-c", COMMAND, *words.split())
        assert code == 3 and "pip install pyarrow, or 'phusion-embed[parquet]'" in err, err


def test_zstd_of_the_standard_library(folder, monkeypatch):
    pytest.importorskip("compression.zstd", reason="Python has zstd from 3.14 on")
    from phusion.errors import FileError
    from phusion.graph import zstd

    monkeypatch.setattr(zstd, "has_pyarrow", lambda: False)
    phusion.write_graph(phusion.as_graph(folder / "friends.csv"), folder / "g.csv.zst")
    assert phusion.as_graph(folder / "g.csv.zst").equals(phusion.as_graph(folder / "friends.csv"))
    (folder / "cut.csv.zst").write_bytes((folder / "g.csv.zst").read_bytes()[:-6])
    with pytest.raises(FileError, match="damaged or cut off"):
        phusion.as_graph(folder / "cut.csv.zst")
