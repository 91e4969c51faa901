"""The paper's observations: decided by scores, in each profile, or said to be undecided."""

from __future__ import annotations

import pytest

from phusion.experiments.ledger import Ledger
from phusion.experiments.observations import statements
from phusion.experiments.runner import cell_of
from phusion.experiments.study import each_cell, paper_studies
from phusion.experiments.tables import table_of

STUDIES = paper_studies()


@pytest.fixture
def decided(tmp_path):
    """Statements about made-up scores: study name → function of profile, data set, Ψ and σ."""

    def decider(**scores):
        with Ledger(tmp_path / "ledger.sqlite") as ledger:
            tables = {}
            for name, score in scores.items():
                study = STUDIES[name]
                for profile, source, design, seed in each_cell(study, study.profiles):
                    result = score(profile, source.name, design.proximity, design.nonlinearity)
                    if result is not None:
                        ledger.record(cell_of(study, profile, source, design, seed), result, None, 0.0)
                tables[name] = table_of(study, ledger)
            return {one.claim: one for one in statements(tables)}

    return decider


def test_nonlinearities_that_always_help_are_found_to(decided):
    def score(profile, dataset, proximity, nonlinearity):
        return {"micro_f1": [50.0 + (nonlinearity != "Identity") + len(proximity)]}

    found = decided(rank_prox=score, rank_struc=score)
    always = found["Nonlinearity is almost always beneficial for positional embedding."]
    assert always.outcome == "survives"
    assert always.findings["published"].evidence.startswith("84 of 84 designs")
    assert "21 of 21 pairs" in always.findings["published"].evidence
    assert found["Nonlinearity is only sometimes helpful for structural embedding."].outcome == "not confirmed"


def test_equal_scores_help_nobody(decided):
    found = decided(rank_struc=lambda *_: {"micro_f1": [50.0]})
    assert found["Nonlinearity is only sometimes helpful for structural embedding."].outcome == "survives"
    beaten = next(one for claim, one in found.items() if "improves on GraphWave" in claim)
    assert beaten.outcome == "not confirmed"


def test_a_conclusion_that_rests_on_a_mistake_does_not_survive(decided):
    def score(profile, dataset, label, _):
        return {"accuracy": [60.0 if label == "Rᵏ" and profile == "published" else 55.0 if label == "Rᵏ" else 57.0]}

    found = decided(graph_classification=score)
    assert found["Embedding Rᵏ beats RetGK on IMDB-M and PTC-MR."].outcome == "does not survive"
    assert found["Embedding HK beats NetLSD on all three data sets."].outcome == "not confirmed"


def test_heat_is_outperformed_only_if_something_is_better(decided):
    def score(profile, dataset, label, _):
        value = 0.9 if profile == "published" and label == "HK" else 1.0
        return {metric: [value] for metric in ("homogeneity", "completeness", "ami", "silhouette")}

    one = decided(clustering_noiseless=score)[
        "HK, as in GraphWave, is outperformed on all metrics on noiseless planted roles."
    ]
    assert one.outcome == "does not survive"
    assert "homogeneity: HK 0.9000, best PPMI 1.0000" in one.findings["published"].evidence


def test_low_orders_suffice_if_higher_ones_add_little(decided):
    def flat(profile, dataset, label, _):
        family, order = label.split()
        more = 3.0 if profile == "corrected" and family == "Rᵏ" else 0.5
        return {"micro_f1": [50.0 + 10.0 * (int(order) >= 2) + more * (int(order) > 2)]}

    found = decided(order_structural=flat)
    low = found["Low orders of proximity suffice for structural embedding."]
    assert low.outcome == "does not survive"
    assert low.findings["published"].evidence.startswith("in 6 of 6 curves; Aᵏ on brazil: best k = 3, k > 2 adds +0.50")
    assert low.findings["corrected"].evidence.startswith("in 3 of 6 curves")
    assert found["Direct edges alone do not suffice for structural embedding."].outcome == "survives"


@pytest.mark.parametrize(("sign", "outcome", "link"), [(1, "survives", "+1.00"), (-1, "not confirmed", "−1.00")])
def test_bells_are_correlated_with_the_scores_of_another_study(decided, sign, outcome, link):
    places = {}

    def place(*design):
        return places.setdefault(design, len(places))

    def rows(profile, dataset, *design):
        shape = {"counts": [1], "edges": [0.0, 1.0], "skewness": 0.0, "kurtosis": 0.0}
        return {name: {**shape, "bell_over_tail": place(*design) - 10.0} for name in ("sum", "variance", "entropy")}

    def score(profile, dataset, *design):
        return {"micro_f1": [50.0 + sign * place(*design)]}

    found = decided(rows_positional=rows, rank_prox=score)
    one = found["Matrices of good positional embeddings have bell-shaped row sums."]
    assert one.outcome == outcome
    assert f"24 of 35 designs have bell-shaped row sums; rank correlation with the score {link}" in (
        one.findings["corrected"].evidence
    )


def test_missing_scores_and_studies_are_said(decided):
    def some(profile, dataset, label, _):
        return None if label == "RetGK" and dataset == "proteins" else {"accuracy": [50.0]}

    found = decided(graph_classification=some, rows_structural=lambda *_: None)
    one = found["Embedding Rᵏ beats RetGK on IMDB-M and PTC-MR."]
    assert one.outcome == "not computed"
    assert "RetGK on proteins in graph_classification" in one.findings["published"].evidence
    rows = found["Heavier tails go with better structural embeddings."]
    assert rows.findings["corrected"].holds is None
    assert "rank_struc is not part of this report" in rows.findings["corrected"].evidence
