"""What differs from the paper has the reasons that are known, and is said to have none where none is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_up import STUDIES, asked, printed_values

from phusion.report.content import Asked, report_of
from phusion.report.markdown import markdown_of
from phusion.report.page import page_of


def ranks_off(study, off):
    """A rank table that is printed as it is computed, but for some rows: (data set, row) → column → how far off."""
    printed = {
        source.name: {row: [0.0, 0.0, 0.0] for row in (*study.given["proximities"], *study.given["nonlinearities"])}
        for source in study.sources
    }
    for (dataset, row), columns in off.items():
        for column, value in columns.items():
            printed[dataset][row][("rank", "mean", "max").index(column)] -= value
    return replace(study, printed=printed)


def rows_of(differences):
    return {one.row: one for one in differences.rows}


def test_differences_name_the_reasons_that_are_known(ledger, fill):
    fill(STUDIES["graph_classification"], printed_values)
    published, corrected = report_of([asked("graph_classification")], ledger).parts[0].differences
    assert [one.row for one in published.rows] == ["HK", "L⁺"]
    assert published.rows[1].cells == published.rows[1].of == 3
    assert published.rows[1].reasons == ()
    assert published.shared == ()
    assert any("Chebyshev" in reason for reason in corrected.rows[0].reasons)
    assert not any("Chebyshev" in reason for reason in corrected.rows[1].reasons)


def test_a_difference_without_a_reason_is_said_to_have_none(ledger, fill):
    def off(profile, dataset, label, seed):
        value = {"Aᵏ": 72.36 + 1.0, "Rᵏ": 71.52}[label] if label in ("Aᵏ", "Rᵏ") and dataset == "proteins" else None
        return value and {"accuracy": [value]}

    fill(STUDIES["graph_classification"], off)
    found = report_of([asked("graph_classification")], ledger)
    assert [one.row for one in found.parts[0].differences[0].rows] == ["Aᵏ"]
    assert "<em>No reason known.</em>" in page_of(found)
    assert "accuracy, % on proteins: 73.36 against 72.36 (+1.00) | No reason known. |" in markdown_of(found)


@pytest.mark.parametrize("dataset", ["imdb-multi", "proteins", "ptc-mr"])
def test_no_data_set_is_a_reason_by_itself(ledger, fill, dataset):
    """Such as IMDB-MULTI, which lists arcs twice: PPMI, HK, L⁺ and NetLSD are the same for A and 2A."""

    def off(profile, name, label, seed):
        return {"accuracy": [STUDIES["graph_classification"].printed[name][label][0] + 3.0 * (name == dataset)]}

    fill(STUDIES["graph_classification"], off)
    published = report_of([asked("graph_classification")], ledger).parts[0].differences[0]
    assert published.shared == ()
    for row in ("FaBP", "HK", "PPR", "Aᵏ", "Rᵏ", "L⁺"):
        assert rows_of(published)[row].unexplained == (dataset,)


@pytest.mark.parametrize("study", ["clustering_noise", "clustering_noiseless", "graph_classification"])
@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_that_ppmi_is_not_matched_is_said(ledger, fill, study, profile):
    metrics = ("accuracy", "homogeneity", "completeness", "ami", "silhouette")
    fill(STUDIES[study], lambda *_: {metric: [0.1] for metric in metrics})
    (found,) = (one for one in report_of([asked(study)], ledger).parts[0].differences if one.profile == profile)
    assert any("PPMI is not matched" in reason for reason in rows_of(found)["PPMI"].reasons)
    assert not any("PPMI" in reason for reason in rows_of(found)["L⁺"].reasons)


def test_a_reason_of_all_rows_does_not_hide_that_one_has_none(ledger, fill):
    fill(STUDIES["clustering_noise"], lambda *_: {key: [0.1] for key in ("homogeneity", "completeness", "silhouette")})
    found = report_of([asked("clustering_noise")], ledger)
    published = found.parts[0].differences[0]
    assert any("10 random edges" in reason for reason in published.shared)
    assert rows_of(published)["L⁺"].lacking(True) == "No reason known beyond that of all rows."
    assert rows_of(published)["PPMI"].lacking(True) == ""
    text = page_of(found).partition("<h4>published</h4>")[2].partition("<h4>")[0]
    assert text.count("<em>No reason known beyond that of all rows.</em>") == len(published.rows) - 1
    words = markdown_of(found).partition("clustering\\_noise, published")[2].partition("###")[0]
    assert words.count("No reason known beyond that of all rows.") == len(published.rows) - 1


def test_a_reason_that_one_row_alone_has_stays_with_it(ledger, fill):
    def off(profile, dataset, label, seed):
        return {"accuracy": [STUDIES["graph_classification"].printed[dataset][label][0] + (label == "HK")]}

    fill(STUDIES["graph_classification"], off)
    corrected = report_of([asked("graph_classification")], ledger).parts[0].differences[1]
    assert corrected.shared == ()
    assert "Chebyshev" in corrected.rows[0].reasons[0]
    assert corrected.rows[0].unexplained == ()


def test_reasons_of_one_data_set_leave_the_others_unexplained(ledger, fill):
    study = ranks_off(
        STUDIES["rank_prox"],
        {("ppi", "R²"): {"mean": 1.0}, ("wikipedia", "R²"): {"mean": 1.0}, ("wikipedia", "HK"): {"rank": 1.0}},
    )
    fill(study, lambda *_: {"micro_f1": [0.0]})
    published = report_of([Asked(study, "", True)], ledger).parts[0].differences[0]
    walks, heat = (rows_of(published)[row] for row in ("R²", "HK"))
    assert [reason[:32] for reason in walks.reasons] == ["On wikipedia: liblinear stops be"]
    assert walks.unexplained == ("ppi",)
    assert walks.lacking(True) == "No reason known for ppi beyond that of all rows."
    assert heat.reasons == ("Ranks are among all 35 designs: one that moves moves others.",)
