"""Studies that are drawn: their figures, their quick form, and what they compute."""

from __future__ import annotations

import numpy as np
import pytest

from phusion.errors import FileError
from phusion.experiments.ledger import Ledger
from phusion.experiments.published import PublishedBinarize
from phusion.experiments.reading import paper_studies, read_study
from phusion.experiments.runner import cell_of
from phusion.experiments.study import each_cell
from phusion.experiments.tables import table_of
from phusion.experiments.tasks import RowDistributions
from phusion.proximities.matrix import DenseMatrix

STUDIES = paper_studies()
PLAIN = 'task = "node_classification"\ndatasets = ["karate"]\n[designs.a]\nspec = "netmf"\n'


def test_powers_up_to_k_stand_side_by_side():
    for name, most in (("order_positional", 4), ("order_structural", 5), ("order_graphs", 5)):
        study = STUDIES[name]
        assert study.figure == "order"
        labels = [design.label for design in study.designs("published")]
        assert labels == [f"{family} {k}" for family in ("Aᵏ", "Rᵏ") for k in range(1, most + 1)]
        for profile, walk in (("published", "published_walk_power"), ("corrected", "walk_power")):
            last = study.designs(profile)[-1].spec.as_dict()["proximity"]
            assert last["name"] == walk
            assert list(last["order"]) == list(range(1, most + 1))


@pytest.mark.parametrize(("rows", "scored"), [("rows_positional", "rank_prox"), ("rows_structural", "rank_struc")])
def test_rows_are_coloured_by_designs_of_the_same_name(rows, scored):
    study = STUDIES[rows]
    assert study.coloured_by == scored
    known = {design.label for design in STUDIES[scored].designs("published")}
    assert {design.label for design in study.designs("published")} <= known
    assert {source.name for source in study.sources} <= {source.name for source in STUDIES[scored].sources}
    quick = {source.name for source in study.quick().sources}
    assert quick <= {source.name for source in STUDIES[scored].quick().sources}


def test_a_quick_study_may_have_a_data_set_of_its_own_and_keeps_the_order_of_nodes():
    assert [source.name for source in STUDIES["order_positional"].quick().sources] == ["brazil"]
    assert [source.order for source in STUDIES["rank_struc"].quick().sources] == ["text", "text"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('figure = "pie"\n', "'none' or 'bars' or 'order' or 'distributions'; got 'pie'"),
        ('table = "metrics"\n', "'designs' or 'ranks'; got 'metrics'"),
        ('figure = "order"\n', "labels that end in the order, as 'A 2'; got 'a'"),
        ("title = 3\n", "title is text; got 3"),
        ("quick = { seeds = [-1] }\n", "seeds is a list of whole numbers"),
        ("quick = { protocl = {} }\n", "no key 'protocl'"),
    ],
)
def test_what_is_wrong_with_a_study_is_found_when_it_is_read(write, change, words):
    with pytest.raises(FileError) as raised:
        read_study(write(change + PLAIN, "study.toml"))
    assert words in str(raised.value)


def test_rows_that_differ_by_rounding_only_are_neither_bell_nor_tail():
    random = np.random.default_rng(0)
    walk = 1.0 + 1e-12 * random.normal(size=500)
    found = RowDistributions().score(
        np.column_stack([walk, random.normal(size=500), random.exponential(size=500)]), None, 0
    )
    assert found["sum"]["bell_over_tail"] == 0.0
    assert sum(found["sum"]["counts"]) == 500
    assert found["variance"]["bell_over_tail"] > 0 > found["entropy"]["bell_over_tail"]


def test_published_threshold_is_the_entry_at_its_place():
    values = np.random.default_rng(1).normal(size=(7, 7))
    found = PublishedBinarize(percentile=50).apply(DenseMatrix(values, symmetric=False)).toarray()
    assert np.array_equal(found, values > np.sort(values.ravel())[24])


def test_a_mean_waits_for_all_seeds_and_a_spread_for_several(tmp_path, write):
    study = read_study(write("seeds = [0, 1]\n" + PLAIN, "study.toml"))
    cells = [cell_of(study, *one) for one in each_cell(study, study.profiles)]
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        ledger.record(cells[0], {"micro_f1": [50.0, 70.0]}, None, 1.0)
        assert table_of(study, ledger).entries[0].found == {"own": None}
        ledger.record(cells[1], {"micro_f1": [62.0]}, None, 1.0)
        entry = table_of(study, ledger).entries[0]
        assert (entry.found, entry.spread) == ({"own": 61.0}, {"own": 1.0})
        ((machine, count),) = ledger.machines(cell.key for cell in cells)
    assert count == 2
    assert "Python" in machine
