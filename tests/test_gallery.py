"""Every example of the gallery runs, without a warning, and makes the picture that its page shows."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest

from phusion import component
from phusion.datasets import find

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples" / "gallery").glob("*.py"))
SLOW = {"airports_by_role", "missing_flights", "molecules", "trust"}


def data_sets(path: Path) -> list[str]:
    names = re.findall(r'datasets\.load\("([^"]+)"\)', path.read_text(encoding="utf-8"))
    return [name for name in names if find(name).files]


@pytest.mark.parametrize(
    "path", [pytest.param(one, id=one.stem, marks=[pytest.mark.slow] * (one.stem in SLOW)) for one in EXAMPLES]
)
def test_an_example_runs_and_draws(path, tmp_path, monkeypatch, capsys, request):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.figure import Figure

    if data_sets(path):
        request.getfixturevalue("data")
    monkeypatch.chdir(tmp_path)
    component.known("proximities")  # all are there before one of an example comes, and goes again
    monkeypatch.setitem(component._REGISTRY, "proximities", dict(component._REGISTRY["proximities"]))
    try:
        made = runpy.run_path(str(path), run_name="__main__")
        assert isinstance(made["figure"], Figure) and made["figure"].axes
    finally:
        pyplot.close("all")
    assert capsys.readouterr().out.strip()
    assert not list(tmp_path.iterdir())  # an example leaves nothing behind


def test_every_example_has_a_place_in_the_gallery():
    order = re.search(
        r"ORDER = \((.*?)\n\)", (ROOT / "docs" / "gallery_pages.py").read_text(encoding="utf-8"), re.DOTALL
    )
    assert sorted(re.findall(r'"(\w+)"', order[1])) == [path.stem for path in EXAMPLES]


def test_ten_examples_at_least_are_on_real_graphs_and_most_need_no_data():
    assert sum("datasets.load(" in path.read_text(encoding="utf-8") for path in EXAMPLES) >= 10
    assert sum(not data_sets(path) for path in EXAMPLES) >= len(EXAMPLES) / 2


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_tells_a_story_and_names_the_data_it_needs(path):
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    story = ast.get_docstring(tree)
    title, line, *rest = story.splitlines()
    assert set(line) == {"="} and len(line) == len(title)
    assert len(" ".join(rest).split()) >= 25
    code = [line for line in text.splitlines()[len(story.splitlines()) + 2 :] if line and not line.startswith("#")]
    assert len(code) <= 55
    for name in data_sets(path):
        assert f"``{name}``" in story
