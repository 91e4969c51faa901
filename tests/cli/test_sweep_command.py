"""`phusion sweep` as a user types it."""

from __future__ import annotations

from io import StringIO

import networkx as nx
import pytest

from phusion.cli import main
from phusion.cli.leaderboard import leaderboard
from phusion.sweeps.standing import Leader, Standing

DESIGNS = """
embedding = { name = "svd", dim = 4 }
[proximities]
heat = "heat"
walk = { name = "walk_power", order = 2 }
[designs.roles]
spec = "graphwave"
"""
QUICK = ("--designs", "designs.toml", "--seeds", "1", "--splits", "3", "--folds", "3")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a graph whose nodes have names, and its labels."""
    graph = nx.karate_club_graph()
    edges = "".join(f"Ms {u},Ms {v}\n" for u, v in graph.edges)
    (tmp_path / "friends.csv").write_text("source,target\n" + edges)
    (tmp_path / "clubs.csv").write_text("node,club\n" + "".join(f"Ms {u},{c}\n" for u, c in graph.nodes(data="club")))
    (tmp_path / "designs.toml").write_text(DESIGNS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return code, out, err


def test_a_sweep_of_files_says_the_honest_score_and_writes_the_winner(capsys, folder):
    code, out, _ = run(capsys, "sweep", "friends.csv", "--labels", "clubs.csv", *QUICK, "-o", "best")
    assert code == 0 and "honest      micro_f1" in out and "optimism" in out and "over 3 splits" in out
    assert sorted(path.name for path in (folder / "best").iterdir()) == [
        "leaderboard.csv", "sweep.html", "winner.parquet", "winner.toml",
    ]  # fmt: skip
    code, _, err = run(capsys, "sweep", "friends.csv", "--labels", "clubs.csv", *QUICK, "-o", "best")
    assert code == 4 and "exists" in err
    code, out, _ = run(capsys, "embed", "friends.csv", "--spec", "best/winner.toml", "-o", "again.npz")
    assert code == 0 and "34 nodes" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("friends.csv",), 2, "needs labels"),
        (("friends.csv", "--labels", "nobody.csv"), 3, "nobody.csv"),
        (("friends.csv", "--labels", "one.csv"), 2, "two classes"),
        (("friends.csv", "--labels", "few.csv"), 2, "inner folds"),
        (("friends.csv", "--labels", "others.csv"), 3, "Mr 1"),
        (("friends.csv", "--labels", "clubs.csv", "--batch"), 2, "leave --batch out"),
        (("friends.csv", "--labels", "clubs.csv", "--seeds", "0"), 2, "--seeds"),
        (("friends.csv", "--labels", "clubs.csv", "--metric", "auc"), 2, "metric"),
        (("friends.csv", "--labels", "clubs.csv", "--dask", "local"), 2, "--jobs"),
        (("friends.csv", "--labels", "clubs.csv", "--designs", "bad.toml"), 3, "line 2"),
    ],
)
def test_what_cannot_be_swept_is_refused_in_one_line(capsys, folder, words, code, said):
    (folder / "one.csv").write_text("node,club\n" + "".join(f"Ms {k},a\n" for k in range(34)))
    (folder / "few.csv").write_text("node,club\nMs 1,a\nMs 2,b\nMs 3,a\n")
    (folder / "others.csv").write_text("node,club\nMr 1,a\nMr 2,b\n")
    (folder / "bad.toml").write_text('[proximities]\nheat = "haet"\n')
    found, out, err = run(capsys, "sweep", *words)
    assert found == code and said in err and not out


def test_the_leaderboard_is_lines_where_there_is_no_terminal(capsys, monkeypatch):
    standing = Standing("racing", 3, 5, 1, 4, (Leader("netmf", 81.5, 1),), 80.25, 65.0)
    monkeypatch.setattr("phusion.cli.leaderboard._SELDOM", -1.0)
    with leaderboard() as said:
        said(standing)
    err = capsys.readouterr().err
    assert "3 of 5 designs screened, 1 of 4 splits chosen, honest score so far 80.25, about 1 min 5 s left" in err
    assert "netmf leads" in err


def test_the_leaderboard_is_a_table_on_a_terminal():
    from rich.console import Console

    from phusion.cli.leaderboard import _table

    console = Console(width=80, file=StringIO())
    console.print(_table(Standing("racing", 3, 5, 1, 4, (Leader("[bold]netmf", 81.5, 1),), None, None)))
    shown = console.file.getvalue()
    assert "[bold]netmf" in shown and "81.50" in shown and "racing" in shown
