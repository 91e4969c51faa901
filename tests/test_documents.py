"""What the documents show is true: their examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import phusion
from phusion import as_graph, component
from phusion.errors import FileError
from phusion.graph import files, formats

ROOT = Path(__file__).parents[1]


def blocks(document, language="python"):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL)


def test_the_reader_of_contributing_is_found_by_itself_and_reads(tmp_path, monkeypatch):
    (tmp_path / "dimacs.py").write_text(blocks("CONTRIBUTING.md")[1], encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    files.all_formats.cache_clear()
    try:
        (tmp_path / "g.col").write_text("c four nodes\np edge 4 2\ne 1 2\ne 2 3\n")
        graph = as_graph(tmp_path / "g.col")
        assert graph.nodes.tolist() == [1, 2, 3, 4] and graph.n_edges == 2
        (tmp_path / "bad.col").write_text("p edge 4 2\nx\n")
        with pytest.raises(FileError, match="line 2"):
            as_graph(tmp_path / "bad.col")
    finally:
        files.all_formats.cache_clear()


def test_the_proximity_of_contributing_is_found_by_itself_and_keeps_every_contract(tmp_path, monkeypatch):
    from tests.contracts import test_components as contracts

    (tmp_path / "jaccard.py").write_text(blocks("CONTRIBUTING.md")[0], encoding="utf-8")
    monkeypatch.setattr(phusion.proximities, "__path__", [*phusion.proximities.__path__, str(tmp_path)])
    monkeypatch.setitem(component._REGISTRY, "proximities", dict(component._REGISTRY["proximities"]))
    component._discover.cache_clear()
    try:
        one = phusion.proximities.Jaccard(power=[1, 2])
        made = type(one)
        example = doctest.DocTestFinder(recurse=False).find(made, "Jaccard", globs={})[0]
        assert doctest.DocTestRunner().run(example) == doctest.TestResults(0, 2)
        contracts.test_a_component_documents_its_formula_parameters_source_and_an_example("proximities", made)
        contracts.test_every_number_has_bounds_that_hold_and_unknown_parameters_are_named("proximities", made)
        for contract in (
            contracts.test_a_component_clones_pickles_and_round_trips_through_plain_values,
            contracts.test_a_component_round_trips_through_every_form_of_a_spec,
            contracts.test_refused_kinds_are_refused_with_their_reason_and_all_others_are_computed,
            contracts.test_blocks_of_scales_and_fast_paths_equal_the_dense_formula,
            contracts.test_proximities_follow_a_permutation_of_the_nodes,
            contracts.test_nodes_of_different_components_have_proximity_exactly_zero,
            contracts.test_every_nonlinearity_gives_finite_values_on_every_proximity_and_keeps_symmetry,
            contracts.test_structural_rows_are_equal_for_equal_roles_with_every_choice,
        ):
            contract(one)
    finally:
        component._discover.cache_clear()


def test_the_lines_of_the_readme_print_what_they_say(capsys):
    code = blocks("README.md")[0]
    exec(compile(code, "README.md", "exec"), {})
    said = [line.partition("# ")[2] for line in code.splitlines() if line.startswith("print(")]
    printed = capsys.readouterr().out.splitlines()
    assert len(said) == len(printed)
    assert all(promise.startswith(line) for promise, line in zip(said, printed, strict=True))


def test_the_examples_of_the_guide_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(blocks("docs/embedding.md"))
    exec(compile(code, "docs/embedding.md", "exec"), {})
    assert "['heat_s0.1_log_cos_t0' 'heat_s0.1_log_cos_t4.17']" in capsys.readouterr().out
    assert (tmp_path / "near.parquet").exists()


def test_the_examples_of_plots_run(tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks("docs/plot.md")), "docs/plot.md", "exec"), {})
    assert (tmp_path / "karate.png").exists() and (tmp_path / "map.svg").exists()


def test_every_picture_is_small_and_shown_and_every_shown_one_is_there():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {
        (page.parent / name).resolve()
        for page in pages
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    there = set((ROOT / "docs" / "pictures").iterdir())
    assert shown == there
    assert all(path.stat().st_size < 250_000 for path in there)


def test_the_readme_names_every_component_and_preset():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = [name for family in component.FAMILIES for name in component.known(family)]
    assert all(f"`{name}`" in text for name in (*names, *phusion.presets.names()))


def test_the_table_of_duplicates_in_the_docs_is_true():
    rows = re.findall(r"^\| (`.*) \| (.*) \|$", (ROOT / "docs" / "graphs.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 6
    for given, promised in rows:
        lines = [line.split() for line in re.findall(r"`([ab].*?)`", given)]
        edges = [(*line[:2], *map(float, line[2:])) for line in lines]
        graph = as_graph(edges, directed=False if "directed=False" in given else None)
        if promised.startswith("two arcs"):
            assert graph.directed and graph.n_edges == 2
        else:
            assert graph.adjacency.toarray()[0, 1] == float(promised.split()[-1]) and not graph.directed


def test_commands_in_the_docs_are_all_there_are(capsys):
    from phusion.cli import main
    from phusion.cli.app import app

    shown = {
        line.split()[1]
        for page in ("README.md", "docs/commands.md", "docs/embedding.md", "docs/scale.md")
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.startswith("phusion ")
    }
    assert shown == {name for name in app if not name.startswith("-")}
    for command in shown:
        assert main([command, "--help"]) == 0
