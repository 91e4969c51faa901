"""The CSV file: one number a line, the tables first, then every metric of each design."""

from __future__ import annotations

import csv
import io

import pytest
from made_up import STUDIES, accurate, asked, classified, clustered, distributed, printed_values

from phusion.report.content import report_of
from phusion.report.csv import csv_of


@pytest.fixture
def lines(ledger, fill):
    """Of one study, filled with made-up results: study, kind → lines."""

    def reader(name, score, kind):
        fill(STUDIES[name].quick() if name.startswith("r") else STUDIES[name], score)
        found = report_of([asked(name, quick=name.startswith("r"))], ledger)
        return [line for line in csv.DictReader(io.StringIO(csv_of(found))) if line["kind"] == kind]

    return reader


def test_tables_have_a_line_for_each_cell_and_profile_with_all_digits(lines):
    found = lines("graph_classification", printed_values, "table")
    assert len(found) == 2 * 27
    one = next(line for line in found if line["dataset"] == "ptc-mr" and line["row"] == "L⁺")
    assert (one["profile"], one["column"], one["verdict"]) == ("published", "accuracy", "differs")
    assert float(one["paper"]) == 58.44
    assert float(one["paper_spread"]) == 0.59
    assert float(one["value"]) == pytest.approx(60.44)
    assert float(one["difference"]) == pytest.approx(2.0)
    limits = {(line["profile"], line["dataset"]): line["to_reach"] for line in found if line["row"] == "L⁺"}
    assert limits["published", "imdb-multi"] == "0.3"
    assert limits["corrected", "imdb-multi"] == ""


def test_a_rank_table_has_every_design_with_every_metric(lines):
    found = lines("rank_struc", classified, "design")
    assert len(found) == 2 * 2 * 35 * 2  # profiles, data sets, designs, metrics
    one = next(line for line in found if line["row"] == "HK Log" and line["column"] == "micro_f1")
    expected = sum(classified("", "brazil", "HK Log", 0)["micro_f1"]) / 2
    assert (one["study"], one["profile"], one["dataset"]) == ("rank_struc", "published", "brazil")
    assert float(one["value"]) == pytest.approx(expected, abs=1e-12)
    assert (one["seeds"], one["splits"], one["spread"], one["error"]) == ("1", "2", "", "")
    assert {line["value"] for line in found if line["column"] == "macro_f1"} == {"1.5"}


def test_designs_have_the_spread_of_seeds_and_the_number_of_splits(lines):
    found = lines("graph_classification", lambda *cell: {"accuracy": [10.0 * cell[3], 10.0 * cell[3] + 2.0]}, "design")
    assert len(found) == 2 * 27
    for line in found:
        assert float(line["value"]) == 21.0
        assert float(line["spread"]) == pytest.approx(10 * 2**0.5)
        assert (line["seeds"], line["splits"]) == ("5", "10")


def test_clusters_have_all_four_metrics_of_each_data_set(lines):
    found = lines("clustering_noiseless", clustered, "design")
    assert len(found) == 2 * 3 * 7 * 4
    assert {line["column"] for line in found} == {"homogeneity", "completeness", "ami", "silhouette"}
    assert {line["dataset"] for line in found} == {"house", "fan", "star"}


def test_rows_have_what_describes_their_statistics(lines):
    found = lines("rows_structural", distributed, "design")
    here = {line["column"]: float(line["value"]) for line in found if line["row"] == "HK Identity"}
    assert here["sum skewness"] == 0.1
    assert here["entropy kurtosis"] == 0.2
    assert here["sum vuong_z"] * here["sum bell_over_tail"] > 0
    assert len(here) == 3 * 4


def test_what_failed_and_what_is_missing_have_a_line_too(lines):
    def some(profile, dataset, label, seed):
        if label == "PPR":
            return "InputError: singular" if seed == 3 else accurate(profile, dataset, label, seed)
        return None if label == "HK" else accurate(profile, dataset, label, seed)

    found = lines("graph_classification", some, "design")
    failed = [line for line in found if line["row"] == "PPR"]
    assert len(failed) == 6
    assert {(one["column"], one["value"], one["seeds"], one["error"]) for one in failed} == {
        ("accuracy", "", "4", "InputError: singular")
    }
    missing = [line for line in found if line["row"] == "HK"]
    assert {(one["value"], one["seeds"], one["error"]) for one in missing} == {("", "0", "")}
