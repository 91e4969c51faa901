"""Studies are read strictly: every mistake is an error of phusion that names its line."""

from __future__ import annotations

import copy
import random
import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from tests.experiments.small import STUDY, write_study

from phusion.errors import FileError, PhusionError, UnreadableFileError
from phusion.experiments.ledger import Ledger
from phusion.experiments.mistakes import line_of
from phusion.experiments.reading import paper_studies, read_study
from phusion.experiments.runner import all_work, cell_of, run_studies
from phusion.experiments.study import PROFILES, each_cell, study_of
from phusion.experiments.tables import _places, table_of
from phusion.experiments.tasks import TASKS, task_of

GRAPHS = """
task = "graph_classification"
datasets = ["mutag"]
pooling = "mean"

[designs.first]
spec = "netlsd"

[designs.HK.published.spec]
proximity = "published_heat"
embedding = "characteristic"

[designs.HK.corrected.spec]
proximity = "heat"
embedding = "characteristic"
"""


def line(text, part):
    """The number of the line that begins with this."""
    return next(k for k, one in enumerate(text.split("\n"), 1) if one.strip().startswith(part))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        # keys
        ("seeds = [0, 1]", "sedes = [0, 1]", "no key 'sedes'. Did you mean 'seeds'"),
        ("splits = 4", "split = 4", "no key 'split'. Did you mean 'splits'"),
        ('planted = { shape = "house"', 'planted = { shpe = "house"', "no argument 'shpe'. Did you mean 'shape'"),
        ('{ name = "houses", planted', '{ name = "houses", plantd', "no key 'plantd'. Did you mean 'planted'"),
        ('[quick]\ndatasets = ["karate"]', '[quick]\ndataset = ["karate"]', "quick has no key 'dataset'"),
        ("scale = 1.0", "scal = 1.0", "no parameter 'scal'. Did you mean 'scale'"),
        # names
        ('"node_classification"', '"node_clasification"', "Did you mean 'node_classification'"),
        ('datasets = ["karate", {', 'datasets = ["karat", {', "no data set is called 'karat'. Did you mean 'karate'"),
        ('["karate"]', '["usaa"]', "quick: no data set is called 'usaa'. Did you mean 'usa'"),
        ('name = "katz"', 'name = "kats"', "the proximity 'katz': no proximity Ψ is called 'kats'"),
        ('log = "log"', 'log = "lgo"', "no nonlinearity σ is called 'lgo'"),
        ('"characteristic"', '"charcteristic"', "Did you mean 'characteristic'"),
        ('"liblinear"', '"libsvm"', "'batched' or 'liblinear'; got 'libsvm'"),
        ("seeds = [0, 1]", 'seeds = [0, 1]\ntable = "rank"', "'designs' or 'ranks'; got 'rank'"),
        ("seeds = [0, 1]", 'seeds = [0, 1]\nfigure = "bar"', "got 'bar'"),
        ("seeds = [0, 1]", 'seeds = [0, 1]\nprecision = "half"', "'double' or 'single'; got 'half'"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nfirst_rank = 2", "first_rank is 0 or 1; got 2"),
        ('shape = "house"', 'shape = "hose"', "Did you mean 'house'"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nto_reach = { witin = 1 }", "to_reach has no key 'witin'"),
        # values and types
        ("seeds = [0, 1]", "seeds = [0, 1]\nto_reach = 0.1", "to_reach is a table; got 0.1"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nto_reach = { rows = [] }", "within is a number ≥ 0, or a table"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nto_reach = { within = {} }", "within is a number ≥ 0, or a table"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nto_reach = { within = { karate = -1 } }", "within is a number ≥ 0"),
        ("seeds = [0, 1]", 'seeds = [0, 1]\nto_reach = { within = 1, rows = "heat" }', "rows is a list of names"),
        ("seeds = [0, 1]", 'seeds = ["a"]', "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = 3", "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = []", "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = [4294967296]", "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = [1, 1]", "a number twice"),
        ("seeds = [0, 1]", "seeds = [0, 1]\ntitle = 3", "title is text; got 3"),
        ("protocol = {", "protocol = [] #", "protocol is a table; got []"),
        ("splits = 4", "splits = 4.5", "splits = a whole number; got 4.5"),
        ("splits = 4", "splits = 0", "splits ≥ 1"),
        ("splits = 4", "C = nan", "C = a number; got nan"),
        ("splits = 4", "scaled = 1", "scaled = true or false; got 1"),
        ("count = 5", "count = 500", "count is a number between"),
        ("count = 5", 'count = "x"', "count is a whole number; got 'x'"),
        ("count = 5 }", "count = 5 }, draws = 0", "draws of a data set"),
        ('planted = { shape = "house", count = 5 }', "planted = 5", "planted of a data set is a table"),
        ("scale = 1.0", 'scale = "x"', "'x'"),
        ("scale = 1.0", "scale = -1", "-1"),
        ('["karate"]', "3", "datasets is a list"),
        ('datasets = ["karate"]', 'protocol = { splits = "x" }', "quick: the protocol"),
        ('datasets = ["karate"]', "seeds = [-1]", "quick: seeds"),
        ('datasets = ["karate"]', "protocol = 3", "protocol is a table"),
        (
            'heat = { name = "heat", scale = 1.0 }',
            'heat.published = "heat"',
            "'heat' has published but not corrected; give",
        ),
        (
            'heat = { name = "heat", scale = 1.0 }',
            'heat = { published = "heat", correctd = "heat" }',
            "the proximity 'heat' has no key 'correctd'. Did you mean 'corrected'",
        ),
        ('log = "log"', 'log = { published = "log", corrected = "log", floor = 1 }', "within them belongs 'floor'"),
        (
            'embedding = { name = "characteristic", landmarks = 5 }',
            "embedding = { name = 'characteristic', landmarks = { corrected = 5 } }",
            "embedding has corrected but not published; give both",
        ),
        ("seeds = [0, 1]", "seeds = [0, 1]\nexceptions = 3", "exceptions is a list of tables"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nexceptions = [{ sedes = [3] }]", "an exception has no key 'sedes'"),
        (
            "seeds = [0, 1]",
            "seeds = [0, 1]\nexceptions = [{ rows = ['heat'] }]",
            "has seeds, precision or a proximity of its own",
        ),
        ("seeds = [0, 1]", "seeds = [0, 1]\nexceptions = [{ seeds = 3 }]", "an exception: seeds is a list"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nexceptions = [{ proximity = 'haet' }]", "an exception: no proximity"),
        ("seeds = [0, 1]", "seeds = [0, 1]\nexceptions = [{ precision = 'half' }]", "or 'single'; got 'half'"),
        (
            "seeds = [0, 1]",
            "seeds = [0, 1]\nexceptions = [{ rows = ['haet'], seeds = [3] }]",
            "no 'haet' is among rows. Did you mean 'heat'",
        ),
        (
            "seeds = [0, 1]",
            "seeds = [0, 1]\nexceptions = [{ datasets = 'karate', seeds = [3] }]",
            "datasets of an exception is a list of names; got 'karate'",
        ),
        # what does not go together
        ('datasets = ["karate", {', 'datasets = ["karate", "karate", {', "two data sets are called 'karate'"),
        ('datasets = ["karate", {', 'datasets = ["mutag", {', "node_classification is for one graph"),
        ("seeds = [0, 1]", 'seeds = [0, 1]\npooling = "mean"', "a pooling, which is for graphs"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, old, new, says):
    assert STUDY.count(old) == 1 or old in ('["karate"]', "splits = 4", 'name = "katz"')
    text = STUDY.replace(old, new)
    wanted = (new.split("\n")[1] if "\n" in new else new).split(" #")[0]
    if new == "[1, 1]":
        wanted = "seeds"
    number = next(k for k, one in enumerate(text.split("\n"), 1) if wanted in one)
    with pytest.raises(FileError) as error:
        read_study(write_study(tmp_path, text))
    assert says in str(error.value)
    assert error.value.line == number and f"small.toml, line {number}: " in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "says", "where"),
    [
        ('"netlsd"', '"netlds"', "Did you mean 'netlsd'", 'spec = "netlds"'),
        ('"netlsd"', "3", "the name of a preset or a table", "spec = 3"),
        ('spec = "netlsd"', 'specc = "netlsd"', "the design 'first' has no key 'specc'", "specc"),
        ('spec = "netlsd"', 'spec = "netlsd"\nprotocol = { fold = 3 }', "no key 'fold'", "protocol"),
        ('spec = "netlsd"', 'spec = "netlsd"\nprotocol = 3', "a protocol, a table", "protocol = 3"),
        ('spec = "netlsd"', "protocol = { folds = 3 }", "needs a spec", "[designs.first]"),
        ('"published_heat"', '"published_heta"', "the design 'HK': no proximity", 'proximity = "published_heta"'),
        ('pooling = "mean"', "", "has no pooling", "[designs.HK.published.spec]"),
        ('pooling = "mean"', 'pooling = "men"', "Did you mean 'mean'", "pooling"),
        ('["mutag"]', '["karate"]', "graph_classification is for many graphs", "datasets"),
        ('["mutag"]', "[]", "a study needs datasets", "datasets"),
        ('["mutag"]', '[{ name = "a", labels = "x" }]', "labels only with file", "datasets"),
        ('["mutag"]', '[{ name = "a", file = "x", batch = "yes" }]', "batch of a data set is true", "datasets"),
        ('["mutag"]', '[{ name = "mutag", order = "size" }]', "order is 'text'", "datasets"),
        ('["mutag"]', '[{ file = "x" }]', "a table with a name", "datasets"),
        ('["mutag"]', "[[1]]", "a table with a name", "datasets"),
        ('["mutag"]', '["mutag"]\nprinted = { mutag = 3 }', "a table for each data set", "printed"),
        ('["mutag"]', '["mutag"]\nprinted = { mutag = { HK = "x" } }', "1 numbers or more for 'HK'", "printed"),
    ],
)
def test_a_mistake_in_designs_is_named_with_its_line(tmp_path, old, new, says, where):
    text = GRAPHS.replace(old, new, 1)
    with pytest.raises(FileError) as error:
        read_study(write_study(tmp_path, text))
    assert says in str(error.value) and error.value.line == line(text, where)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"seeds = [0, 1", "not TOML"),
        (b"seeds = [0]\nseeds = [1]\n", "not TOML"),
        (b"x = " + b"[" * 5000 + b"]" * 5000, "not TOML"),
        (b"x = " + b"1" * 5000, "not TOML"),
        (b"\xff\xfe", "cannot be read"),
        (b"", "no task is called None"),
        (b"task = 'node_classification'\ndatasets = ['karate']\n", "needs proximities or designs"),
        (b"task = 'node_classification'\nproximities.a = 'heat'\n", "needs datasets"),
    ],
)
def test_files_that_are_no_studies_are_refused(tmp_path, content, says):
    path = tmp_path / "s.toml"
    path.write_bytes(content)
    with pytest.raises(FileError, match=says):
        read_study(path)


@pytest.mark.parametrize(
    ("more", "says", "where"),
    [
        ("[printed.karat]\n'heat plain' = [1.0]", "no data set 'karat'. Did you mean 'karate'", "[printed.karat]"),
        ("printed.karate.'heat plain' = [1.0]\nprinted.karate.'heeat plain' = [1.0]", "Did you mean 'heat plain'",
         "printed.karate.'heeat"),
        ("printed.karate.heat = [1.0]", "the table has no row 'heat'", "printed"),
        ("table = 'ranks'\nprinted.karate.'heat plain' = [1, 2, 3]", "no row 'heat plain'", "printed"),
        ("coloured_by = 'rank_porx'", "called 'rank_porx'. Did you mean 'rank_prox'", "coloured_by"),
    ],
)  # fmt: skip
def test_names_of_what_a_study_does_not_have_are_named_with_their_line(tmp_path, more, says, where):
    text = STUDY + "\n" + more if more.startswith("[") else more + STUDY
    with pytest.raises(FileError) as error:
        read_study(write_study(tmp_path, text))
    assert says in str(error.value) and error.value.line == line(text, where)


def test_what_a_study_has_may_be_printed_and_its_quick_form_may_lack_it(tmp_path):
    text = "printed.houses.'heat plain' = [1.0]\ncoloured_by = 'rank_prox'\n" + STUDY
    study = read_study(write_study(tmp_path, text))
    assert [source.name for source in study.quick().sources] == ["karate"] and study.quick().printed == study.printed
    ranks = "table = 'ranks'\nprinted.karate = { heat = [1, 2, 3], log = [1, 2, 3] }\n" + STUDY
    assert read_study(write_study(tmp_path, ranks)).table == "ranks"


ROWS = """
task = "row_distributions"
datasets = ["karate"]
[proximities]
HK = "heat"
[designs.own]
spec = { proximity = "katz" }
"""


def test_row_distributions_take_row_statistics_unasked_and_nothing_else(tmp_path):
    study = read_study(write_study(tmp_path, ROWS))
    named = read_study(write_study(tmp_path, "embedding = 'row_statistics'" + ROWS))
    assert set(all_work([study], ())) == set(all_work([named], ()))
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        assert run_studies([study], ledger, profiles=()).failed == {}
        score = table_of(study, ledger).of_design("own", "karate", "HK")
    edges = score.raw[0]["sum"]["edges"]
    assert edges[0] <= 1.0 <= edges[-1]  # a row of heat sums to 1
    for text, where in (
        ("embedding = { name = 'svd', dim = 3 }" + ROWS, "embedding"),
        (ROWS.replace('"katz" }', '"katz", embedding = "svd" }'), "spec"),
        (ROWS.replace('{ proximity = "katz" }', '"graphwave"'), "[designs.own]"),
    ):
        with pytest.raises(FileError, match="needs the embedding row_statistics") as error:
            read_study(write_study(tmp_path, text))
        assert error.value.line == line(text, where)
    with pytest.raises(FileError, match="printed is for scores"):
        read_study(write_study(tmp_path, "printed.karate.HK = [1, 2, 3]" + ROWS))


def test_ranks_begin_where_the_study_says_and_equal_designs_have_the_better_one():
    assert _places(np.array([0.5, 0.9, 0.5, 0.1]), 1).tolist() == [2, 1, 2, 4]
    assert _places(np.array([0.5, 0.9, 0.5, 0.1]), 0).tolist() == [1, 0, 1, 3]
    printed = [row[0] for row in paper_studies()["rank_prox"].printed["blogcatalog"].values()]
    assert sum(printed[:7]) / 7 == pytest.approx(17.0), "35 ranks from 0 to 34, without equal ones"
    assert paper_studies()["rank_prox"].first_rank == 0 and paper_studies()["rank_struc"].first_rank == 1


def test_files_that_cannot_be_read_are_named(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere.toml"):
        with pytest.raises(UnreadableFileError, match="cannot be read"):
            read_study(path)


def test_lines_are_found_in_files_of_any_form():
    lines = [
        "# head",
        'title = """',
        "seeds = [1]",
        '"""',
        "",
        "[[datasets]]",
        'name = "a"',
        "[[datasets]]",
        'name = "b"',
    ]
    text = "\r\n".join(lines)
    assert line_of(text, ("datasets", 0), "got 'a'") == 7
    assert line_of(text, ("datasets", 1), "got 3") == 8
    assert line_of(text, ("datasets", 1), "no 'b'. Did you mean 'a'?") == 9
    assert line_of(text, ("seeds",), "") is None
    assert line_of(text, ("title", "x"), "") == 2


def test_the_study_of_the_documentation_runs(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    study = read_study(write_study(tmp_path, text))
    assert [source.name for source in study.sources] == ["karate", "friends"]
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([study.quick()], ledger, profiles=())
    assert (outcome.computed, outcome.failed) == (5, {})
    for task in re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE):
        (row,) = re.findall(rf"^\| `{task}` \|(.*?)\|", page, re.MULTILINE)
        for key, value in re.findall(r"`(\w+) = ([^`]+)`", row):
            assert getattr(task_of(task, {}), key) == tomllib.loads(f"x = {value}")["x"], (task, key)


def test_the_study_of_the_page_about_own_studies_runs(tmp_path, write):
    page = (Path(__file__).parents[2] / "docs" / "paper" / "own.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (planted,) = re.findall(r"`(\{ name = \"houses\".*?\})`", page, re.DOTALL)
    text = text.replace('datasets = ["karate", ', f'datasets = ["karate", {" ".join(planted.split())}, ')
    karate = nx.karate_club_graph()
    write("".join(f"{u},{v}\n" for u, v in karate.edges), "staff.csv")
    write("".join(f"{u},{team}\n" for u, team in karate.nodes(data="club")), "teams.csv")
    study = read_study(write_study(tmp_path, text))
    assert [source.name for source in study.sources] == ["karate", *(f"houses {k}" for k in range(10)), "staff"]
    some = replace(study.quick(), sources=(*study.sources[:2], study.sources[-1]))
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([some], ledger, profiles=())
    assert (outcome.computed, outcome.failed, outcome.missing) == (3 * 5, {}, {})
    (others,) = re.findall(r"^task = .*# (.*)$", text, re.MULTILINE)
    assert {study.task, *others.split(", ")} == set(TASKS)


JUNK = (3, -1, 2.5, float("nan"), True, "x", "", [], [1], ["a"], {}, {"name": 3}, {"published": 3, "corrected": 4},
        [[1]], [{"name": "karate"}], {"x": {"y": 1}}, 10**30)  # fmt: skip


def places(given, keys=()):
    yield keys
    items = given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ()
    for key, value in items:
        yield from places(value, (*keys, key))


@pytest.mark.parametrize("name", ["clustering_noise", "graph_classification", "rank_struc"])
def test_nothing_malformed_raises_anything_but_an_error_of_phusion(name):
    given = tomllib.loads((files("phusion.experiments") / "paper" / f"{name}.toml").read_text(encoding="utf-8"))
    draw, refused = random.Random(name), 0
    everywhere = [keys for keys in places(given) if keys]
    for _ in range(400):
        changed = copy.deepcopy(given)
        keys = draw.choice(everywhere)
        inner = changed
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = draw.choice(JUNK)
        try:
            study_of(name, changed, Path())
        except PhusionError:
            refused += 1
    assert refused > 200


def test_profiles_may_have_seeds_of_their_own():
    study = paper_studies()["rank_prox"]
    cells = list(each_cell(study, PROFILES))
    assert {seed for profile, *_, seed in cells if profile == "corrected"} == {0, 1, 2, 3, 4}
    assert {seed for profile, source, _, seed in cells if (profile, source.name) == ("published", "wikipedia")} == {123}
    assert study.seeds == (0, 1, 2, 3, 4, 123) and study.quick().seeds == (0,)
    assert len([seed for profile, _, _, seed in cells if profile == "published"]) == 3 * 35
    assert len(cells) == 3 * 35 * 6


@pytest.mark.parametrize("given", ["{ published = [0] }", "{ published = [0], corrected = [1, 1] }", "{ own = [0] }"])
def test_seeds_of_profiles_are_checked(tmp_path, given):
    text = write_study(tmp_path).read_text(encoding="utf-8")
    assert "seeds = " in text
    (tmp_path / "mine.toml").write_text(re.sub(r"seeds = .*", f"seeds = {given}", text, count=1), encoding="utf-8")
    with pytest.raises(PhusionError, match="seeds"):
        read_study(tmp_path / "mine.toml")


def test_parts_of_a_study_may_have_seeds_precision_and_a_proximity_of_their_own(tmp_path):
    others = """[[exceptions]]
datasets = ["karate"]
seeds = [7]
precision = "single"

[[exceptions]]
datasets = ["karate"]
rows = ["heat"]
seeds = [8, 9]
proximity = { name = "heat", scale = 0.3 }

"""
    study = read_study(write_study(tmp_path, STUDY.replace("[quick]", others + "[quick]")))
    assert study.seeds == (0, 1, 7, 8, 9)
    found = {}
    for profile, source, design, seed in each_cell(study, study.profiles):
        single = cell_of(study, profile, source, design, seed).precision == "single"
        assert single == (source.name == "karate")
        found.setdefault((source.name, design.proximity), set()).add(seed)
        other = source.name == "karate" and design.proximity == "heat"
        assert (design.spec.proximity.as_dict().get("scale") == 0.3) == other
    assert found["karate", "heat"] == {8, 9}, "the last entry that fits counts"
    assert found["karate", "katz"] == {7}
    assert {frozenset(seeds) for (name, _), seeds in found.items() if name != "karate"} == {frozenset({0, 1})}
    assert {seed for *_, seed in each_cell(study.quick(), study.profiles)} == {0}, "a quick run has seeds of its own"


def test_profiles_may_differ_in_precision(tmp_path):
    text = STUDY.replace("seeds = [0, 1]", 'seeds = [0, 1]\nprecision = { published = "double", corrected = "single" }')
    study = read_study(write_study(tmp_path, text))
    assert study.precisions == ("double", "single")
    source, design = study.sources[0], study.designs("corrected")[0]
    assert cell_of(study, "corrected", source, design, 0).precision == "single"
