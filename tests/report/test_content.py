"""What a report says, in numbers: tables, verdicts, reasons, what is missing and what failed."""

from __future__ import annotations

import pytest
from made_up import STUDIES, accurate, asked, classified, clustered, distributed, printed_values

from phusion.experiments.ledger import Ledger
from phusion.experiments.reading import read_study
from phusion.report.content import Asked, report_of
from phusion.report.markdown import markdown_of
from phusion.report.page import page_of


def test_verdicts_count_what_agrees_is_close_and_differs(ledger, fill):
    study = STUDIES["graph_classification"]
    fill(study, printed_values)
    part = report_of([asked("graph_classification")], ledger).parts[0]
    assert part.verdicts("published") == {"agrees": 21, "close": 3, "differs": 3, "not computed": 0}
    assert part.missing == 0
    row = {field.label: [one.words for one in field.fields] for field in part.grids[0].rows}
    assert part.grids[0].parts == ("paper", "published", "difference", "verdict", "corrected")
    assert row["HK"] == ["48.18 ± 0.19", "48.48 ± 0.00", "+0.30", "close", "48.48 ± 0.00"]
    assert row["PPMI"][2:4] == ["0.00", "agrees"]


def test_cells_within_the_figure_to_reach_are_counted(ledger, fill):
    """HK is 0.3 off everywhere, which IMDB-MULTI allows and the others do not; L⁺ is 2 off."""
    fill(STUDIES["graph_classification"], lambda *cell: None if cell[2] == "PPR" else printed_values(*cell))
    found = report_of([asked("graph_classification")], ledger)
    part = found.parts[0]
    assert part.reached == (18 - 2 - 3 - 3, 18)  # six rows; HK, L⁺ and what is not computed
    words = "imdb-multi 0.3, proteins 0.1, ptc-mr 0.1 (FaBP, HK, PPR, Aᵏ, Rᵏ, L⁺)"
    assert part.to_reach == words
    for text in (page_of(found), markdown_of(found)):
        assert f"Figures to reach, published: 10 of 18 cells are within {words}." in text
    assert markdown_of(found).count("| 10 of 18 |") == page_of(found).count("<td>10 of 18</td>") == 1


def test_figures_to_reach_are_of_averages_and_maxima_of_rank_tables(ledger):
    part = report_of([asked("rank_struc")], ledger).parts[0]
    assert part.reached == (0, 3 * 12 * 2)
    assert part.to_reach == "brazil 0.1, europe 0.1, usa 0.3 (average score, highest score)"
    assert {entry.column for entry in part.table.entries if entry.to_reach is not None} == {"mean", "max"}


def test_studies_without_figures_to_reach_say_nothing_of_them(ledger):
    found = report_of([asked("clustering_noise")], ledger)
    assert found.parts[0].reached is None
    assert "to reach" not in page_of(found)


def test_a_rank_table_has_proximities_then_nonlinearities(ledger, fill):
    study = STUDIES["rank_struc"].quick()
    fill(study, classified)
    part = report_of([asked("rank_struc", quick=True)], ledger, quick=True).parts[0]
    assert [grid.caption for grid in part.grids] == ["brazil", "europe"]
    grid = part.grids[0]
    assert grid.groups == ("average rank", "average score", "highest score")
    assert [row.section for row in grid.rows] == ["Ψ"] * 7 + ["σ"] * 5
    assert all(len(row.fields) == 15 for row in grid.rows)
    assert len(part.figures) == 2
    assert part.figures[0].svg.count('class="fill-') == 35 + 5  # bars and the legend
    assert {figure.title for figure in part.comparisons} == {
        "Ψ, published", "σ, published", "Ψ, corrected", "σ, corrected",
    }  # fmt: skip


def test_a_rank_table_has_the_score_of_each_design_too(ledger, fill):
    def graded(profile, dataset, label, seed):
        if label == "PPR Bin 50":
            return None
        return {"micro_f1": [50.0 if profile == "published" else 60.0] if label == "HK Log" else [20.0, 30.0]}

    fill(STUDIES["rank_struc"].quick(), graded)
    found = report_of([asked("rank_struc", quick=True)], ledger, quick=True)
    part = found.parts[0]
    assert [grid.caption for grid in part.designs] == [
        f"{dataset}, {profile}: micro-F1, %"
        for dataset in ("brazil", "europe")
        for profile in ("published", "corrected")
    ]
    for grid, heat in zip(part.designs, ("50.00", "60.00") * 2, strict=True):
        assert grid.groups == ("Identity", "Log", "Bin 5", "Bin 50", "Bin 95")
        rows = {row.label: [field.words for field in row.fields] for row in grid.rows}
        assert len(rows) == 7
        assert rows["HK"] == ["25.00", heat, "25.00", "25.00", "25.00"]
        assert rows["PPR"][3] == "–"
    assert "| HK | 25.00 | 60.00 | 25.00 | 25.00 | 25.00 |" in markdown_of(found)
    assert page_of(found).partition("<details>")[2].partition("</details>")[0].count("<table>") == 4


def test_only_rank_tables_need_the_score_of_each_design(ledger, fill):
    fill(STUDIES["graph_classification"], accurate)
    found = report_of([asked("graph_classification")], ledger)
    assert found.parts[0].designs == []
    assert "<details>" not in page_of(found)


def test_clustering_is_shown_by_metric(ledger, fill):
    fill(STUDIES["clustering_noiseless"], clustered)
    part = report_of([asked("clustering_noiseless")], ledger).parts[0]
    assert part.grids[0].groups == ("homogeneity", "completeness", "silhouette")
    assert len(part.grids[0].rows) == 7


def test_draws_of_one_shape_are_one_data_set_in_critical_differences(ledger, fill):
    def score(profile, dataset, label, seed):
        better = label == "HK" if dataset.endswith(" 0") else label == "PPR"  # in one draw, and in the nine others
        return {**clustered(profile, dataset, label, seed), "ami": [0.5 + 0.4 * better]}

    fill(STUDIES["clustering_noise"], score)
    part = report_of([asked("clustering_noise")], ledger).parts[0]
    assert [figure.title for figure in part.comparisons] == ["designs, published", "designs, corrected"]
    for figure in part.comparisons:
        assert figure.about.startswith("average ranks by adjusted mutual information over 3 data sets")
        assert "PPR 1.00, HK 2.00" in figure.svg


def test_a_shape_with_an_unfinished_draw_is_not_compared(ledger, fill):
    unfinished = ("fan 3", "PPMI")
    fill(
        STUDIES["clustering_noise"],
        lambda p, d, label, s: None if (d, label) == unfinished else clustered(p, d, label, s),
    )
    for figure in report_of([asked("clustering_noise")], ledger).parts[0].comparisons:
        assert "over 2 data sets" in figure.about


def test_critical_differences_name_the_metric(ledger, fill):
    fill(STUDIES["rank_struc"].quick(), classified)
    part = report_of([asked("rank_struc", quick=True)], ledger, quick=True).parts[0]
    assert all("average ranks by micro-F1 over 2 data sets" in figure.about for figure in part.comparisons)


@pytest.mark.parametrize(
    ("name", "score", "figures"),
    [
        ("order_structural", classified, 2),
        ("order_graphs", accurate, 2),
        ("rows_positional", distributed, 2),
        ("rows_structural", distributed, 2),
    ],
)
def test_figures_of_the_appendix_are_drawn(ledger, fill, name, score, figures):
    fill(STUDIES[name].quick(), score)
    part = report_of([asked(name, quick=True)], ledger, quick=True).parts[0]
    assert len(part.figures) == figures
    assert all(figure.svg.startswith("<svg") for figure in part.figures)
    assert part.comparisons == []


def test_distributions_are_coloured_by_the_scores_of_another_study(ledger, fill):
    fill(STUDIES["rows_structural"].quick(), distributed)
    plain = report_of([asked("rows_structural", quick=True)], ledger, quick=True).parts[0].figures[0]
    assert "not scored" in plain.about
    fill(STUDIES["rank_struc"].quick(), classified)
    scored = report_of([asked("rows_structural", quick=True)], ledger, quick=True).parts[0].figures[0]
    assert "better score" in scored.about
    assert 'fill-opacity="1"' in scored.svg
    assert 'fill-opacity="0.2"' in scored.svg


def test_an_empty_ledger_says_what_is_missing_and_how_to_compute_it(ledger):
    found = report_of([asked(name) for name in STUDIES], ledger)
    assert found.missing == found.cells > 1000
    assert found.period is None
    for text in (page_of(found), markdown_of(found)):
        assert "phusion reproduce rank_prox" in text
        assert "not computed" in text
    assert all(part.figures == part.comparisons == part.differences == [] for part in found.parts)
    assert all(one.outcome == "not computed" for one in found.statements)


def test_an_incomplete_ledger_shows_what_is_there(ledger, fill):
    study = STUDIES["rank_struc"].quick()
    fill(study, lambda p, dataset, label, s: None if label == "HK Log" else classified(p, dataset, label, s))
    found = report_of([asked("rank_struc", quick=True)], ledger, quick=True)
    assert 0 < found.missing < found.cells
    rows = {row.label: [field.words for field in row.fields] for row in found.parts[0].grids[0].rows}
    assert rows["HK"][6:9] == ["–", "–", "not computed"]
    assert rows["PPR"][6] != "–"
    assert "HK Log on brazil" in found.statements[0].findings["published"].evidence


def test_failed_cells_are_listed_with_their_errors(ledger, fill):
    study = STUDIES["graph_classification"]
    wrong = "InputError: the <matrix> is | singular"
    fill(study, lambda p, dataset, label, s: wrong if label == "PPR" else printed_values(p, dataset, label, s))
    found = report_of([asked("graph_classification")], ledger)
    assert len(found.failures) == 15  # three data sets, five seeds; both profiles share the cell
    assert "InputError: the &lt;matrix&gt; is | singular" in page_of(found)
    assert "InputError: the &lt;matrix&gt; is \\| singular" in markdown_of(found)


def test_cells_that_studies_share_count_once_in_all(ledger, fill):
    """A² of rank_struc without nonlinearity has the powers 1 to 3, as A 3 of order_structural."""

    def score(profile, dataset, label, seed):
        return "InputError: too hard" if label in ("A² Identity", "Aᵏ 3") else classified(profile, dataset, label, seed)

    names = ("rank_struc", "order_structural")
    for name in names:
        fill(STUDIES[name].quick(), score)
    found = report_of([asked(name, quick=True) for name in names], ledger, quick=True)
    keys = {key for part in found.parts for key in part.keys}
    both = found.parts[0].keys & found.parts[1].keys
    assert len(both) >= 2  # on Brazil and on Europe
    assert found.cells == len(keys) == sum(part.cells for part in found.parts) - len(both)
    assert found.missing == 0
    assert found.shared == len(both)
    assert found.seconds == pytest.approx(0.5 * len(keys))
    assert sum(found.versions.values()) == sum(count for _, count in found.machines) == len(keys)
    assert len(found.failures) == len({one.key for one in found.failures}) == 2
    assert [len(part.failures) for part in found.parts] == [2, 2]
    for text in (page_of(found), markdown_of(found)):
        assert f"{len(keys)} of {len(keys)} cells computed" in text
        assert f"count once here; the studies' own add up to {len(both)} more." in text


def test_an_own_study_needs_no_profiles_and_no_printed_values(ledger, fill, own):
    study = read_study(own)
    assert study.profiles == ("own",)
    fill(study, clustered)
    found = report_of([Asked(study, "phusion study own.toml")], ledger)
    part = found.parts[0]
    assert not found.printed
    assert found.statements == ()
    assert part.grids[0].parts == ("own",)
    assert len(part.figures) == 2
    assert len(part.comparisons) == 1
    page = page_of(found)
    assert "What differs" not in page
    assert "agrees" not in page.partition("</style>")[2]


def test_an_own_study_with_the_name_of_a_paper_study_makes_no_statements(ledger, write):
    text = 'task = "node_classification"\ndatasets = ["karate"]\n[designs.a]\nspec = "netmf"\n'
    study = read_study(write(text, "rank_prox.toml"))
    found = report_of([Asked(study, "phusion study rank_prox.toml"), asked("rank_prox")], ledger)
    assert [part.study.profiles for part in found.parts] == [("own",), ("published", "corrected")]
    assert [one.studies[0] for one in found.statements] == ["rank_prox"] * 6


def test_machine_versions_seeds_and_times_come_from_the_ledger(ledger, fill):
    fill(STUDIES["graph_classification"], printed_values)
    found = report_of([asked("graph_classification")], ledger)
    ((machine, count),) = found.machines
    assert count == found.cells
    assert {"processor", "system", "Python", "numpy"} <= set(machine)
    page = page_of(found)
    assert "seeds 0, 1, 2, 3, 4" in page
    assert machine["numpy"] in page
    assert found.parts[0].seconds == pytest.approx(0.5 * count)


def test_the_same_ledger_gives_the_same_page(ledger, fill, tmp_path):
    fill(STUDIES["clustering_noiseless"], clustered)
    first = page_of(report_of([asked("clustering_noiseless")], ledger))
    with Ledger(tmp_path / "ledger.sqlite") as again:
        assert page_of(report_of([asked("clustering_noiseless")], again)) == first
