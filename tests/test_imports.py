"""Importing phusion and asking for help load nothing heavy; graph libraries only if their object came in."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"numpy", "scipy", "pyarrow", "narwhals", "pandas", "polars", "networkx", "igraph", "torch", "pooch",
         "sklearn", "numba", "matplotlib", "dask"}  # fmt: skip


def loaded_after(program: str) -> set[str]:
    tail = "; import sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program + tail], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


def test_import_phusion_loads_nothing_heavy():
    loaded = loaded_after("import phusion; phusion.__version__; dir(phusion)")
    assert not loaded & HEAVY
    assert not loaded & {"cyclopts", "rich"}


@pytest.mark.parametrize("words", ["--help", "inspect --help", "embed --help", "graphs --help", "--version"])
def test_help_loads_nothing_heavy(words):
    loaded = loaded_after(f"from phusion.cli import main; assert main({words.split()!r}) == 0")
    assert not loaded & HEAVY


def test_libraries_are_not_imported_for_the_objects_of_others():
    loaded = loaded_after("import phusion; phusion.as_graph([(1, 2)])")
    assert not loaded & {"pandas", "polars", "networkx", "igraph", "torch", "narwhals", "pyarrow", "pooch"}
    loaded = loaded_after("import phusion, networkx as nx; phusion.as_graph(nx.path_graph(3))")
    assert not loaded & {"pandas", "polars", "igraph", "torch", "pyarrow"}
    loaded = loaded_after("import phusion; phusion.datasets.load('karate')")
    assert not loaded & {"pandas", "polars", "networkx", "igraph", "torch", "pooch"}


def test_describing_a_method_loads_no_estimators_and_embedding_no_plots_or_networks():
    loaded = loaded_after("import phusion; phusion.Spec('heat', 'log', 'svd').to_json(); phusion.presets.find('netmf')")
    assert not loaded & {"sklearn", "pandas", "polars", "pyarrow", "torch", "matplotlib", "h5py"}
    loaded = loaded_after("import phusion; phusion.embed(phusion.datasets.load('karate'), 'graphwave')")
    assert not loaded & {
        "polars",
        "torch",
        "matplotlib",
        "h5py",
        "networkx",
    }  # scikit-learn itself loads pandas


def test_every_public_name_can_be_had():
    import phusion

    for name in phusion.__all__:
        assert getattr(phusion, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = phusion.nothing
