"""`phusion report` as a user types it."""

from __future__ import annotations

import pytest

from phusion.cli import main
from phusion.experiments.ledger import Ledger

STUDY = 'task = "node_classification"\ndatasets = ["karate"]\n[designs.mine]\nspec = "netmf"\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Ledger("phusion-ledger.sqlite"):
        return tmp_path


def run(capsys, *words):
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_three_files_are_written_and_named(here, capsys):
    code, out, _ = run(capsys, "report", "rank_struc", "--quick")
    assert code == 0
    for name in ("report.html", "report.md", "report.csv"):
        assert name in out
        assert (here / name).stat().st_size > 500
    assert "phusion reproduce rank_struc --quick" in (here / "report.md").read_text(encoding="utf-8")
    assert not list(here.glob(".*.part"))


def test_existing_files_are_not_replaced_unasked(here, capsys):
    (here / "mine.md").write_text("precious")
    code, _, err = run(capsys, "report", "order_graphs", "--out", "mine.html")
    assert code == 4
    assert "--force" in err
    assert not (here / "mine.html").exists()
    assert run(capsys, "report", "order_graphs", "--out", "mine.html", "--force")[0] == 0
    assert (here / "mine.md").read_text(encoding="utf-8") != "precious"


def test_only_known_suffixes_are_taken_for_such(here, capsys):
    assert run(capsys, "report", "order_graphs", "--out", "report.v1")[0] == 0
    assert (here / "report.v1.html").exists()


def test_a_missing_ledger_names_the_command_that_makes_one(here, capsys):
    code, _, err = run(capsys, "report", "rank_prox", "--ledger", "other.sqlite")
    assert code == 3
    assert "there is no ledger other.sqlite" in err
    assert "phusion reproduce rank_prox --ledger other.sqlite" in err
    assert not (here / "other.sqlite").exists()


def test_a_file_that_is_no_ledger_is_refused(here, capsys):
    (here / "notes.txt").write_text("no database, only words" * 50)
    code, _, err = run(capsys, "report", "rank_prox", "--ledger", "notes.txt")
    assert code == 4
    assert "cannot be used as a ledger" in err


def test_an_unknown_study_is_a_usage_error(here, capsys):
    code, _, err = run(capsys, "report", "rank_proxy")
    assert code == 2
    assert "Did you mean 'rank_prox'?" in err


def test_an_own_study_is_read_from_its_file(here, capsys):
    (here / "my study.toml").write_text(STUDY)
    assert run(capsys, "report", "my study.toml", "--out", "mine")[0] == 0
    assert "phusion study 'my study.toml'" in (here / "mine.md").read_text(encoding="utf-8")
    (here / "wrong.toml").write_text(STUDY.replace("netmf", "netmff"))
    code, _, err = run(capsys, "report", "wrong.toml", "--out", "wrong")
    assert code == 3
    assert "wrong.toml" in err
