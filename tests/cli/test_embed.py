"""Embedding from the command line, as a user types it."""

from __future__ import annotations

import importlib.util
import json

import numpy as np
import pytest

import phusion
from phusion.cli import main
from phusion.component import FAMILIES, known
from phusion.errors import InputError

PRESETS = phusion.presets.names()


def run(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_preset_embeds_a_graph_and_names_the_file(capsys, tmp_path):
    out = tmp_path / "karate.csv"
    code, said, notes = run(capsys, "embed", "karate", "-o", out, "--preset", "graphwave")
    assert code == 0 and said.strip() == f"{out}: Embedding(34 nodes × 100, heat → identity → characteristic)"
    assert "measured error) is not written" in notes
    found = phusion.Embedding.load(out)
    assert found.nodes.tolist() == phusion.datasets.load("karate").nodes.tolist()
    assert np.array_equal(found.values, phusion.embed(phusion.datasets.load("karate"), "graphwave").values)


def test_parts_and_settings_say_a_method(capsys, tmp_path):
    words = ["--proximity", "heat", "--set", "proximity.scale=0.1,1,10", "--nonlinearity", "log", "--embedding", "svd",
             "--set", "embedding.dim=4", "--normalize", "l2", "--seed", "7"]  # fmt: skip
    code, *_ = run(capsys, "embed", "karate", "-o", tmp_path / "k.npz", *words)
    found = phusion.Embedding.load(tmp_path / "k.npz")
    heat, svd = phusion.proximities.Heat(scale=[0.1, 1, 10]), phusion.embeddings.SVD(dim=4)
    assert code == 0 and found.spec == phusion.Spec(heat, "log", svd, normalize="l2", random_state=7)
    assert found.values.shape == (34, 12)


def test_a_dry_run_prints_a_spec_file_that_does_the_same(capsys, tmp_path):
    code, toml, _ = run(capsys, "embed", "karate", "--dry-run", "--preset", "netmf", "--set", "dim=5")
    path = tmp_path / "method.toml"
    path.write_text(toml, encoding="utf-8")
    assert code == 0
    assert run(capsys, "embed", "karate", "-o", tmp_path / "a.npy", "--spec", path)[0] == 0
    assert run(capsys, "embed", "karate", "-o", tmp_path / "b.npy", "--preset", "netmf", "--set", "dim=5")[0] == 0
    assert np.array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


def test_graphs_get_a_row_each(capsys, tmp_path, write):
    graph = write("a b\nb c\n", "path.txt")
    code, said, _ = run(capsys, "graphs", graph, "-o", tmp_path / "g.csv", "--preset", "netlsd")
    assert code == 0 and "1 graph × 250" in said
    words = ["--proximity", "heat", "--embedding", "diagonal", "--pooling", "histogram", "--set", "pooling.bins=3"]
    assert run(capsys, "graphs", graph, "-o", tmp_path / "h.npz", *words)[0] == 0
    assert phusion.Embedding.load(tmp_path / "h.npz").values.shape == (1, 3)


def test_attributes_enter_from_the_command_line(capsys, tmp_path, data):
    words = ["--proximity", "heat", "--embedding", "diagonal", "--attributes", "labels"]
    code, said, _ = run(capsys, "graphs", "mutag", "-o", tmp_path / "m.csv", *words)
    assert code == 0 and "188 graphs × 7" in said


def test_warnings_of_the_method_go_to_stderr(capsys, tmp_path):
    words = ["--proximity", "katz", "--set", "beta=0.9", "--embedding", "diagonal"]
    code, _, err = run(capsys, "embed", "karate", "-o", tmp_path / "k.npy", *words)
    assert code == 0 and "warning: Katz with βλmax" in err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["-o", "x.csv"], 2, "choose a method"),
        (["-o", "x.csv", "--preset", "netfm"], 2, "Did you mean 'netmf'"),
        (["-o", "x.csv", "--preset", "netlsd"], 2, "use phusion graphs"),
        (["-o", "x.csv", "--proximity", "heta"], 2, "Did you mean 'heat'"),
        (["-o", "x.csv", "--proximity", "heat", "--set", "scael=1"], 2, "no part has a parameter 'scael'"),
        (["-o", "x.csv", "--proximity", "heat", "--set", "scale=0"], 2, "a number > 0"),
        (["-o", "x.csv", "--proximity", "heat", "--set", "scale"], 2, "PART.PARAMETER=VALUE"),
        (["--preset", "netmf"], 2, "-o FILE"),
        (["-o", "x.xlsx", "--preset", "graphwave"], 2, "names no format"),
        (["-o", "no/x.csv", "--preset", "graphwave"], 4, "does not exist"),
        (["-o", "x.csv", "--preset", "netmf"], 3, "dim=128 for 34 nodes"),
        (["-o", "x.csv", "--preset", "netmf", "--spec", "m.toml"], 2, "not both"),
        (["-o", "x.csv", "--spec", "m.toml"], 3, "m.toml"),
        (["-o", "x.csv", "--preset", "graphwave", "--normalize", "l1"], 2, "l1"),
    ],
)
def test_mistakes_are_explained_and_nothing_is_written(capsys, tmp_path, monkeypatch, words, code, message):
    monkeypatch.chdir(tmp_path)
    found, _, err = run(capsys, "embed", "karate", *words)
    assert found == code and message in err and "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_graphs_that_the_proximity_refuses_are_bad_input(capsys, tmp_path, write):
    arcs = write("source,target,weight\na,b,1\nb,a,2\n", "arcs.csv")
    code, _, err = run(capsys, "embed", arcs, "-o", tmp_path / "x.csv", "--proximity", "heat")
    assert code == 3 and "Heat does not take directed graphs" in err


def test_files_are_not_replaced_unasked(capsys, tmp_path):
    out = tmp_path / "k.csv"
    out.write_text("mine")
    code, _, err = run(capsys, "embed", "karate", "-o", out, "--preset", "graphwave")
    assert code == 4 and "exists" in err and out.read_text() == "mine"
    assert run(capsys, "embed", "karate", "-o", out, "--preset", "graphwave", "--force")[0] == 0


def test_presets_are_listed_and_shown(capsys):
    code, out, _ = run(capsys, "presets")
    assert code == 0 and all(name in out for name in PRESETS)
    rows = json.loads(run(capsys, "presets", "--json")[1])
    assert [row["name"] for row in rows] == PRESETS and all(row["paper_note"] and row["citation"] for row in rows)
    code, out, _ = run(capsys, "presets", "netmf")
    assert code == 0 and "WSDM 2018" in out and "--preset netmf" in out and "window = 10" in out
    code, _, err = run(capsys, "presets", "netfm")
    assert code == 2 and "Did you mean 'netmf'" in err


@pytest.mark.parametrize("family", FAMILIES)
def test_every_component_is_listed_and_shown_with_formula_parameters_source_and_example(capsys, family):
    everything = run(capsys, "components")[1]
    for name, made in known(family).items():
        assert name in everything
        code, out, _ = run(capsys, "components", name)
        assert code == 0 and made.formula() in out and "Source: " in out and ">>> " in out
        assert all(parameter.name in out for parameter in made.parameters())


def test_the_commands_that_components_show_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for row in json.loads(run(capsys, "components", "--json")[1]):
        if row["name"] == "autoencoder" and not importlib.util.find_spec("torch"):
            continue
        words = row["command"].replace("graphs mutag", "graphs karate").split()[1:]
        code, _, err = run(capsys, *words, "--force", *(["--set", "epochs=1"] if row["name"] == "autoencoder" else []))
        assert code == 0, (row["command"], err)


def test_dngr_runs_from_the_command_line_with_torch(capsys, tmp_path, data):
    pytest.importorskip("torch")
    code, said, _ = run(capsys, "embed", "brazil", "-o", tmp_path / "b.npz", "--preset", "dngr", "--set", "epochs=5")
    assert code == 0 and "131 nodes × 128" in said
    assert "torch" in phusion.Embedding.load(tmp_path / "b.npz").provenance


def test_components_json_is_complete_and_unknown_names_suggest(capsys):
    rows = json.loads(run(capsys, "components", "heat", "--json")[1])
    assert rows[0]["scale"] == "scale" and rows[0]["graphs"]["directed"] and "directed" in rows[0]["refuses"]
    code, _, err = run(capsys, "components", "heta")
    assert code == 2 and "Did you mean 'heat'" in err


def test_every_preset_runs_on_data_of_its_kind(capsys, tmp_path, data):
    small = {"ppi": "brazil", "wikipedia": "brazil", "proteins": "ptc-mr", "mutag": "ptc-mr"}
    for name in PRESETS:
        preset = phusion.presets.find(name)
        if name in ("srde", "dngr"):
            continue  # the signed networks are large, and dngr needs torch: see the slow test
        words = ["embed" if preset.kind == "nodes" else "graphs", small.get(preset.example, preset.example)]
        words += ["--set", "rank=100"] if name == "netmf-large" else []
        words += ["--set", "dim=32"] if hasattr(preset.spec.embedding, "dim") else []
        code, _, err = run(capsys, *words, "-o", tmp_path / f"{name}.npz", "--preset", name)
        assert code == 0, (name, err)
        assert np.isfinite(phusion.Embedding.load(tmp_path / f"{name}.npz").values).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_runs_with_its_defaults_on_its_own_example(capsys, tmp_path, data, name):
    preset = phusion.presets.find(name)
    if name == "dngr":
        pytest.importorskip("torch")
    command = "embed" if preset.kind == "nodes" else "graphs"
    code, _, err = run(capsys, command, preset.example, "-o", tmp_path / "e.npz", "--preset", name)
    assert code == 0, err
    found = phusion.Embedding.load(tmp_path / "e.npz")
    settled = found.spec.replace(proximity=preset.spec.proximity)
    assert np.isfinite(found.values).all() and settled == preset.spec


def test_a_preset_needs_its_own_kind_of_data():
    with pytest.raises(InputError, match="positional"):
        phusion.PhUSION("katz", "identity", "svd").fit(phusion.as_batch([[(0, 1)], [(0, 1)]]))
