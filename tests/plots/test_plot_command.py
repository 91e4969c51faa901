"""`phusion plot` as a user types it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from phusion import datasets
from phusion.cli import main
from phusion.experiments.ledger import Ledger


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, words):
    code = main(words.split())
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def friends(write):
    """A file of edges and one of labels."""
    graph = datasets.planted("star", 3, length=9)
    rows, columns, _ = graph.edge_list()
    write("".join(f"n{u},n{v}\n" for u, v in zip(rows, columns, strict=True)), "friends.csv")
    write("".join(f"n{i},{role.split(',')[0]}\n" for i, role in enumerate(graph.labels.values)), "roles.csv")


def test_bars_of_a_file_with_labels_go_on_from_the_ledger(capsys, inside, friends):
    words = "plot bars friends.csv --labels roles.csv --splits 1 -o bars.svg"
    code, out, _ = run(capsys, words)
    assert code == 0 and out.startswith("bars.svg: ")
    first = (inside / "bars.svg").read_bytes()
    assert b"<svg" in first and b"<dc:date>" not in first
    with Ledger("phusion-ledger.sqlite") as ledger:
        cells = ledger._base.execute("SELECT key, finished FROM cells").fetchall()
    assert len(cells) == 35
    assert run(capsys, f"{words} --force")[0] == 0
    with Ledger("phusion-ledger.sqlite") as ledger:
        assert ledger._base.execute("SELECT key, finished FROM cells").fetchall() == cells
    assert (inside / "bars.svg").read_bytes() == first


def test_rows_of_a_file_as_pdf_and_positional_bars_of_a_data_set_as_png(capsys, inside, friends):
    assert run(capsys, "plot rows friends.csv -o rows.pdf --statistic variance --bins 12")[0] == 0
    assert (inside / "rows.pdf").read_bytes().startswith(b"%PDF")
    assert run(capsys, "plot bars karate -o bars.png --kind positional --splits 1 --dim 4")[0] == 0
    assert (inside / "bars.png").read_bytes().startswith(b"\x89PNG")


def test_roles_planted_or_of_a_file_and_maps(capsys, inside, friends):
    assert run(capsys, "plot roles --shape fan --count 3 --length 12 --noise 2 -o fans.svg")[0] == 0
    assert run(capsys, "plot roles friends.csv --labels roles.csv -o own.svg --structural graphwave")[0] == 0
    assert run(capsys, "plot map friends.csv --color degree --annotate n0 n3 --map pca -o map.svg")[0] == 0
    assert {path.name for path in inside.glob("*.svg")} == {"fans.svg", "own.svg", "map.svg"}


def test_a_design_that_fails_is_said_and_the_rest_is_drawn(capsys, inside, monkeypatch):
    from phusion.evaluation.node_classification import NodeClassification

    sound = NodeClassification.score

    def failing(self, rows, labels, seed, threads=1):
        if rows.max() == 1.0:
            raise ValueError("made to fail")
        return sound(self, rows, labels, seed, threads)

    monkeypatch.setattr(NodeClassification, "score", failing)
    code, out, err = run(capsys, "plot bars karate -o bars.svg --splits 1")
    assert code == 5 and "bars.svg: " in out and "failed: ValueError: made to fail" in err
    monkeypatch.undo()
    monkeypatch.chdir(inside)
    assert run(capsys, "plot bars karate -o bars.svg --splits 1 --force")[0] == 5
    assert run(capsys, "plot bars karate -o bars.svg --splits 1 --force --retry")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("plot bars friends.csv", 2, "give some: labels=… (--labels FILE)"),
        ("plot bars karate -o a.gif", 2, "a picture ends in .svg, .pdf, .png; got '.gif'"),
        ("plot bars karate -o bars", 2, "this name has no ending. Name it bars.svg"),
        ("plot bars karate --limit 10", 2, "--limit 34"),
        ("plot bars karate --kind both", 2, "structural"),
        ("plot rows karate -o none/rows.svg", 4, "does not exist"),
        ("plot rows karate -o there.svg", 4, "--force"),
        ("plot rows nothing.csv", 3, "no such file"),
        ("plot roles friends.csv", 2, "which are its roles"),
        ("plot roles karate --shape fan", 2, "not both"),
        ("plot roles --labels roles.csv", 2, "no GRAPH to read"),
        ("plot roles --shape hut", 2, "house"),
        ("plot roles --count 99", 2, "between 1 and the 30 nodes"),
        ("plot map karate --annotate 99", 2, "such as '99'; its ids look like 1"),
        ("plot map karate --color nothing", 2, "attribute; got 'nothing'"),
        ("plot map karate --positional graphwave", 2, "give it as structural"),
        ("plot map karate --memory much", 2, "memory is"),
        ("plot pies karate", 2, "bars, rows, roles, map"),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(capsys, inside, friends, words, code, said):
    (inside / "there.svg").write_text("mine")
    before = sorted(path.name for path in inside.iterdir() if "ledger" not in path.name)
    found, out, err = run(capsys, words)
    assert (found, out) == (code, "") and said in " ".join(err.split()) and "Traceback" not in err
    assert sorted(path.name for path in inside.iterdir() if "ledger" not in path.name) == before
    assert (inside / "there.svg").read_text() == "mine"


def test_plot_without_a_figure_lists_them_and_loads_nothing_heavy(capsys):
    code, out, _ = run(capsys, "plot")
    assert code == 0 and all(f"│ {name}" in out for name in ("bars", "rows", "roles", "map"))
    program = (
        "import sys; from phusion.cli import main; assert main(['plot', 'bars', '--help']) == 0; "
        "print(sorted({'numpy', 'matplotlib', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
