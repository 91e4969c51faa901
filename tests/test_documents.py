"""What the documents show is true: their examples run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from types import ModuleType

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


PAGES = [
    "README.md",
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs" / "guide").glob("[!i]*.md")),
    "docs/advise.md",
    "docs/coming-from.md",
    "docs/embedding.md",
    "docs/explore.md",
    "docs/graphs.md",
    "docs/index.md",
    "docs/million-positional.md",
    "docs/million.md",
    "docs/plot.md",
    "docs/scale-plan.md",
    "docs/scale.md",
    "docs/sweep.md",
]
FAR = "tcp://"  # a cluster that is not here


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with the files that documents speak of: a graph large enough to be approximated."""
    monkeypatch.chdir(tmp_path)
    for name in ("friends.csv", "large.csv"):
        phusion.write_graph(phusion.datasets.planted("house", count=60, length=300), name, lossy=True)
    (tmp_path / "measured.csv").write_text("height,weight,pulse\n1.7,70,60\n1.8,80,71\n1.6,58,66\n1.9,88,62\n")
    return tmp_path


@pytest.fixture
def embedded(folder):
    """What the page on the explorer has from the page before."""
    for name, method in (("near.parquet", "prone"), ("roles.parquet", "graphwave")):
        phusion.embed("large.csv", method).save(folder / name)


SLOW = tuple(
    f"docs/{name}.md"
    for name in (
        "advise",
        "explore",
        "guide/choosing",
        "guide/cluster",
        "guide/memory",
        "million",
        "scale",
        "scale-plan",
        "sweep",
    )
)


@pytest.mark.parametrize("page", [pytest.param(page, marks=[pytest.mark.slow] * (page in SLOW)) for page in PAGES])
def test_the_examples_of_a_page_run_and_print_what_they_say(page, folder, capsys, request):
    if page == "docs/explore.md":
        request.getfixturevalue("embedded")
    code = "\n".join(block for block in blocks(page) if FAR not in block)
    exec(compile(code, page, "exec"), {"__name__": "__main__"})
    said = [line.partition("  # ")[2] for line in code.splitlines() if re.match(r" *print\(.*\)  # ", line)]
    printed = capsys.readouterr().out.splitlines()
    assert bool(printed) == ("print(" in code)
    if page.startswith(("README", "docs/guide", "docs/index", "docs/coming")):  # there every print says what it prints
        assert len(said) == code.count("print(") == len(printed)
        assert all(promise.startswith(line) for promise, line in zip(said, printed, strict=True))
    if page == "docs/embedding.md":
        assert "['heat_s0.1_log_cos_t0' 'heat_s0.1_log_cos_t4.17']" in printed
        assert (folder / "near.npz").exists()


def test_every_page_of_the_guide_has_code_and_leads_on():
    pages = sorted((ROOT / "docs" / "guide").glob("*.md"))
    listed = re.findall(
        r"^([a-z-]+)$", (ROOT / "docs" / "guide" / "index.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(f"{name}.md" for name in listed) == [page.name for page in pages if page.name != "index.md"]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "](../" in text, f"{page.name} leads to no chapter"
        assert page.name == "index.md" or "```python" in text, f"{page.name} shows no code"


def test_every_public_name_is_in_the_reference_or_the_catalogue():
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"auto(?:function|class):: (?:phusion\.)?(\S+)", text))
    folders = [name for name in phusion.__all__ if isinstance(getattr(phusion, name), ModuleType)]
    public = set(phusion.__all__) - set(folders)
    for name in ("datasets", "plots", "presets"):
        public |= {f"{name}.{each}" for each in getattr(phusion, name).__all__}
    assert public <= listed, f"not in docs/reference.md: {sorted(public - listed)}"
    assert "automodule:: phusion.errors" in text
    catalogue = (ROOT / "docs" / "components.md").read_text(encoding="utf-8")
    assert set(re.findall(r"component-catalogue:: (\w+)", catalogue)) == set(component.FAMILIES)
    assert set(folders) == {"datasets", "plots", "presets", "errors", *component.FAMILIES}


def test_the_start_page_has_a_picture_and_five_lines():
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    first = blocks("docs/index.md")[0]
    assert len([line for line in first.splitlines() if line]) == 5
    assert 0 < text.index("![") < text.index("```python")


def test_the_commands_of_the_start_page_run_and_show_what_it_says(tmp_path, monkeypatch, capsys):
    from phusion.cli import main

    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    (tmp_path / "friends.csv").write_text(re.search(r"```text\n(source,target.*?)```", text, re.DOTALL).group(1))
    commands = re.findall(r"^phusion ((?:inspect|embed|explore) friends\.csv.*)$", text, re.MULTILINE)
    assert len(commands) == 4
    assert [main(shlex.split(command)) for command in commands] == [0] * 4
    near, alike = (phusion.Embedding.load(name) for name in ("near.csv", "alike.csv"))
    assert {node for node, _ in near.nearest("Ada", 4)} == {"Ben", "Cleo", "Dan", "Eva"}
    fay, distance = alike.nearest("Ada", 1)[0]
    assert fay == "Fay" and distance < 1e-9
    assert (tmp_path / "friends.html").stat().st_size > 10_000


def test_the_examples_of_plots_run(tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks("docs/plot.md")), "docs/plot.md", "exec"), {})
    assert (tmp_path / "karate.png").exists() and (tmp_path / "map.svg").exists()


def test_every_picture_is_small_and_shown_and_every_shown_one_is_there():
    written = [page for page in (ROOT / "docs").rglob("*.md") if not {"_build", "gallery"} & set(page.parts)]
    pages = [ROOT / "README.md", *written]
    shown = {
        (page.parent / name).resolve()
        for page in pages
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    there = set((ROOT / "docs" / "pictures").iterdir())
    assert shown == there
    assert all(path.stat().st_size < 250_000 for path in there)


def test_the_chapter_on_embedding_names_every_component_and_preset():
    text = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    names = [name for family in component.FAMILIES for name in component.known(family)]
    assert all(f"`{name}`" in text for name in (*names, *phusion.presets.names()))


def test_the_table_of_duplicates_in_the_docs_is_true():
    rows = re.findall(r"^\| (`.*) \| (.*) \|$", (ROOT / "docs" / "graphs.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 7
    for given, promised in rows:
        lines = [line.split() for line in re.findall(r"`([abc] .*?)`", given)]
        edges = [(*line[:2], *map(float, line[2:])) for line in lines]
        graph = as_graph(edges, directed=False if "directed=False" in given else None)
        if promised.startswith("two arcs"):
            assert graph.directed and graph.n_edges == 2
        else:
            assert sorted(graph.edge_list()[2]) == [float(word) for word in re.findall(r"\d+", promised)]
            assert not graph.directed


def test_commands_in_the_docs_are_all_there_are(capsys):
    from phusion.cli import main
    from phusion.cli.app import app

    shown = {
        line.split()[1]
        for page in ("README.md", "docs/index.md", "docs/commands.md", "docs/embedding.md", "docs/scale.md")
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.startswith("phusion ")
    }
    assert shown == {name for name in app if not name.startswith("-")}
    for command in shown:
        assert main([command, "--help"]) == 0
