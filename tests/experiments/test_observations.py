"""The paper's observations: decided by scores, in each profile, or said to be undecided."""

from __future__ import annotations

import pytest

from phusion.experiments.ledger import Ledger
from phusion.experiments.observations import statements
from phusion.experiments.reading import paper_studies
from phusion.experiments.runner import cell_of
from phusion.experiments.study import each_cell
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
    evidence = one.findings["corrected"].evidence
    assert evidence.startswith("24 of 35 designs have row sums that are likelier normal than exponential")
    assert f"rank correlation with the score {link}" in evidence
    assert "a normal distribution is than a one-sided exponential tail" in one.test


@pytest.mark.parametrize(("count", "bells", "tails"), [(10, 0, 0), (10_000, 15, 20)])
def test_shapes_are_told_apart_only_where_rows_are_many(decided, count, bells, tails):
    """The same small difference of the likelihoods, of ten rows and of 10,000."""

    def rows(profile, dataset, *design):
        shape = {"counts": [count], "edges": [0.0, 1.0], "skewness": 0.5, "kurtosis": 0.0}
        bell = 0.1 if design[0] in ("HK", "PPR", "A²") else -0.1
        return {name: {**shape, "bell_over_tail": bell} for name in ("sum", "variance", "entropy")}

    def score(profile, dataset, *design):
        return {"micro_f1": [60.0 if design[0] in ("L⁺", "R²") else 50.0 if design[0] == "HK" else 40.0]}

    found = decided(rows_positional=rows, rank_prox=score, rows_structural=rows, rank_struc=score)
    sums = found["Matrices of good positional embeddings have bell-shaped row sums."].findings["corrected"].evidence
    assert sums.startswith("15 of 35 designs")
    assert f"{bells} significantly (Vuong's z > 1.96), and {tails} significantly the reverse" in sums
    best = found["The best structural embeddings come from matrices with heavy-tailed row statistics."].findings
    assert f"sum 2 of 3 ({2 if tails else 0} significantly)" in best["published"].evidence


@pytest.mark.parametrize(("sign", "outcome"), [(1, "not confirmed"), (-1, "survives")])
def test_the_best_designs_of_both_kinds_are_compared(decided, sign, outcome):
    """Structural scores have the order of the positional ones, or turn it round."""
    places = {}

    def positional(profile, dataset, *design):
        return {"micro_f1": [50.0 - places.setdefault(design, len(places))]}

    def structural(profile, dataset, *design):
        return {"micro_f1": [50.0 - sign * places[design]]}

    one = decided(rank_prox=positional, rank_struc=structural)[
        "The best designs for positional and for structural embedding differ."
    ]
    assert one.outcome == outcome
    evidence = one.findings["published"].evidence
    if sign > 0:
        assert evidence.startswith(
            "5 of the best 5 are the same (PPMI Identity, PPMI Log, PPMI Bin 5, PPMI Bin 50, PPMI B"
        )
        assert "ranks of 35 designs +1.00 (Spearman" in evidence
    else:
        assert evidence.startswith(
            "0 of the best 5 are the same; rank correlation of the average ranks of 35 designs −1.0"
        )
        assert evidence.endswith("best structural ones: R² Bin 95, R² Bin 50, R² Bin 5, R² Log, R² Identity")


@pytest.mark.parametrize(("common", "outcome"), [(2, "survives"), (3, "not confirmed")])
def test_half_of_the_best_designs_must_differ(decided, common, outcome):
    def score(best):
        def scored(profile, dataset, *design):
            return {"micro_f1": [90.0 - best.index(design) if design in best else 40.0 + len(design[0])]}

        return scored

    shared = [("HK", "Log"), ("L⁺", "Log"), ("A²", "Log")][:common]
    first = [("PPMI", name) for name in ("Identity", "Log", "Bin 5")][: 5 - common]
    second = [("R²", name) for name in ("Identity", "Log", "Bin 5")][: 5 - common]
    found = decided(rank_prox=score(shared + first), rank_struc=score(shared + second))
    one = found["The best designs for positional and for structural embedding differ."]
    assert one.outcome == outcome
    assert one.findings["published"].evidence.startswith(f"{common} of the best 5 are the same (HK Log, L⁺ Log")


def test_averages_of_nonlinearities_are_over_proximities_and_data_sets(decided):
    """Published, Log leads by what it has on BlogCatalog; corrected, Bin 95 leads everywhere."""
    published = {"Identity": 10.0, "Log": 30.0, "Bin 5": 20.0, "Bin 50": 31.0, "Bin 95": 25.0}

    def score(profile, dataset, proximity, nonlinearity):
        value = published[nonlinearity]
        if profile == "published":
            value += 9.0 * (nonlinearity == "Log" and dataset == "blogcatalog")
        else:
            value += 50.0 * (nonlinearity == "Bin 95")
        return {"micro_f1": [value + (3.0 if proximity == "HK" else -0.5)]}

    found = decided(rank_prox=score)
    log = found["Log is the best nonlinearity for positional embedding on average."]
    assert log.outcome == "does not survive"
    assert log.findings["published"].evidence == (
        "averages over Ψ and data sets: Log 33.00, Bin 50 31.00, Bin 95 25.00, Bin 5 20.00, Identity 10.00; "
        "the best on ppi: Bin 50 31.00; wikipedia: Bin 50 31.00; blogcatalog: Log 39.00"
    )
    middle = found["Bin 50 does better than Bin 5 and Bin 95 for positional embedding."]
    assert middle.outcome == "does not survive"
    assert middle.findings["corrected"].evidence.startswith(
        "averages over Ψ on all data sets: Bin 5 20.00, Bin 50 31.00, Bin 95 75.00; ppi: "
    )


@pytest.mark.parametrize(("study", "kind"), [("rank_prox", "positional"), ("rank_struc", "structural")])
def test_the_best_design_of_each_data_set_binarises_or_not(decided, study, kind):
    best = {"published": ("Bin 5", "Bin 95", "Log"), "corrected": ("Identity", "Log", "Bin 50")}
    datasets = [source.name for source in STUDIES[study].sources]

    def score(profile, dataset, proximity, nonlinearity):
        chosen = proximity == "HK" and nonlinearity == best[profile][datasets.index(dataset)]
        return {"micro_f1": [52.0 if chosen else 50.0]}

    one = decided(**{study: score})[f"The best {kind} designs binarise, on two of three data sets."]
    assert one.outcome == "does not survive"
    assert one.findings["published"].evidence.startswith(f"on 2 of 3 data sets; {datasets[0]}: HK Bin 5 52.00; ")
    assert one.findings["corrected"].evidence.startswith(f"on 1 of 3 data sets; {datasets[0]}: HK Identity 52.00; ")


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
