"""The walk-through of docs/large.md on a real graph, as it is typed: embed both ways, read back, explore a sample."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import phusion

pytestmark = pytest.mark.slow

HEAT = ["--proximity", "heat", "--set", "scale=0.1,1,10", "--embedding", "characteristic", "--accuracy", "0.01"]


def typed(folder, *words):
    """What a command says, which must go well."""
    done = subprocess.run(
        [sys.executable, "-m", "phusion", *map(str, words)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout


def test_a_large_graph_is_embedded_both_ways_and_explored(data, browser, tmp_path):
    if not (data / "more" / "large" / "dblp-2010.edgelist.gz").exists():
        pytest.skip("dblp-2010 is not here")
    graph = phusion.datasets.load("dblp-2010")

    said = typed(tmp_path, "plan", "dblp-2010", *HEAT)
    assert "push-pull" in said and "peak memory" in said

    said = typed(tmp_path, "embed", "dblp-2010", *HEAT, "-o", "roles.parquet", "--partitioned")
    assert "certificate: met" in said
    roles = phusion.Embedding.load(tmp_path / "roles.parquet")
    assert np.array_equal(roles.nodes, graph.nodes) and roles.dim == 150
    assert roles.certificate.met and roles.certificate.target == 0.01
    assert [each.scale for each in roles.certificate.scales] == ["heat_s0.1", "heat_s1", "heat_s10"]
    assert all(each.worst <= 0.01 for each in roles.certificate.scales)
    del roles

    said = typed(tmp_path, "embed", "dblp-2010", "--preset", "edge-pmi", "-o", "near.parquet")
    assert "fidelity: 128 singular vectors by 4 applications" in said
    near = phusion.Embedding.load(tmp_path / "near.parquet")
    assert np.array_equal(near.nodes, graph.nodes) and near.dim == 128
    assert len(near.fidelity) == 1 and near.fidelity[0].checked == 16
    del near

    given = ["--embedding", "near.parquet", "--embedding", "roles.parquet", "--map", "pca"]
    said = typed(tmp_path, "explore", "dblp-2010", *given, "--sample", "4000", "-o", "page.html")
    assert "roles: certificate: met" in said and "near: fidelity" in said
    browser.open(tmp_path / "page.html")
    assert browser.value("document.title") == "dblp-2010: explore"
    assert browser.value("explorer.ids.length") == 4_000
    told = "document.querySelector({!r}).textContent"
    assert browser.value(told.format(".lens.structural .sure summary")).startswith("Certificate met")
    assert browser.value(told.format(".lens.positional .sure summary")).startswith("Fidelity")
    assert "4,000 of 326,186 nodes are shown" in browser.value(told.format("details.note"))
    browser.value("explorer.choose(7)")
    assert browser.complaints() == []
