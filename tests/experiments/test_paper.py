"""The paper's numbers, from raw files, by the code path that printed them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phusion.experiments.ledger import Ledger
from phusion.experiments.runner import run_studies
from phusion.experiments.study import PROFILES, paper_studies
from phusion.experiments.tables import table_of


def computed(name, dataset, folder, labels=None):
    """The published profile of one table on one data set."""
    study = paper_studies()[name]
    given = study.given
    if labels is not None:
        given = {**given, "designs": {label: given["designs"][label] for label in labels}}
    study = replace(study, sources=tuple(s for s in study.sources if s.name == dataset), given=given)
    with Ledger(folder / "ledger.sqlite") as ledger:
        outcome = run_studies([study], ledger, profiles=["published"])
        assert not outcome.failed and not outcome.missing
        return table_of(study, ledger).entries


def test_every_paper_study_can_be_read_and_has_a_quick_form():
    studies = paper_studies()
    assert len(studies) >= 5
    for study in studies.values():
        assert study.profiles == PROFILES and study.paper
        quick = study.quick()
        assert len(quick.seeds) == 1 and len(quick.sources) <= len(study.sources)


def test_every_printed_number_belongs_to_an_entry_of_its_table(tmp_path):
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        for study in paper_studies().values():
            shown = [entry.printed for entry in table_of(study, ledger).entries if entry.printed is not None]
            rows = [
                row
                for entry in study.printed.values()
                for row in (entry.values() if study.table != "metrics" else [entry])
            ]
            per_row = 1 if study.table == "designs" else 3
            assert len(shown) == per_row * len(rows)


@pytest.mark.slow
def test_brazils_structural_table_is_the_papers(data, tmp_path):
    entries = [one for one in computed("rank_struc", "brazil", tmp_path) if one.column in ("mean", "max")]
    assert len(entries) == 2 * (7 + 5)
    for entry in entries:
        assert abs(entry.difference()) <= 0.1, entry


@pytest.mark.slow
@pytest.mark.parametrize(("dataset", "spread"), [("ptc-mr", 0.05)])
def test_the_graph_table_is_the_papers(data, tmp_path, dataset, spread):
    entries = computed("graph_classification", dataset, tmp_path, ["FaBP", "HK", "PPR", "Aᵏ", "Rᵏ", "L⁺"])
    assert len(entries) == 6
    for entry in entries:
        assert abs(entry.difference()) <= 0.1, entry
    heat = next(entry for entry in entries if entry.row == "HK")
    assert abs(heat.spread["published"] - 0.97) <= spread


@pytest.mark.slow
@pytest.mark.parametrize("dataset", ["proteins", "imdb-multi"])
def test_the_graph_table_of_larger_sets_is_the_papers(data, tmp_path, dataset):
    for entry in computed("graph_classification", dataset, tmp_path, ["FaBP", "PPR", "Aᵏ"]):
        assert abs(entry.difference()) <= 0.1, entry
