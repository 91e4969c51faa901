"""Without numba all is computed, with the same numbers; but for what nothing else can compute in time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

MISSING = "import sys; sys.modules['numba'] = None\n"  # importing it fails, as where it is not installed
START = f"""
import json, sys, warnings
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
warnings.simplefilter("ignore")
import phusion
from phusion.errors import MissingLibraryError
from tests.execution.ways import preferential
graph, found = preferential(400), {{}}
"""


def said(program):
    """What a program finds."""
    done = subprocess.run(
        [sys.executable, "-c", program + "\nprint(json.dumps(found))"],
        capture_output=True,
        text=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


_EMBED = """
from phusion.execution.resources import Resources
from phusion.together import embed_together
for how in ({}, {"memory": "50MB", "strategy": "blocked", "width": 64}):
    for name in ("graphwave", "netmf", "infinitewalk-binary"):
        spec = phusion.preset(name).spec.replace(random_state=0)
        values = embed_together(graph, [spec], Resources(threads=2, **how))[0].values
        found[f"{name} {how}"] = (values @ values[:20].T).tolist()  # which has no signs to choose
found["numba"] = sys.modules.get("numba") is not None
"""


def test_embeddings_are_the_same_without_numba():
    pytest.importorskip("numba", reason="there is nothing to compare with")
    plain, compiled = said(MISSING + START + _EMBED), said(START + _EMBED)
    assert compiled.pop("numba") and not plain.pop("numba")
    assert plain.keys() == compiled.keys() and len(plain) == 6
    for name, values in compiled.items():
        assert np.abs(np.subtract(plain[name], values)).max() <= 1e-9 * np.abs(values).max(), name


_ASK = """
from phusion.execution import planning

def strategy(accuracy, proximity="heat"):
    return phusion.PhUSION(proximity, "identity", "characteristic", accuracy=accuracy).plan(graph).strategy

def refused(asked):
    try:
        asked()
    except MissingLibraryError as error:
        return str(error)

found["planned"] = refused(lambda: strategy(0.01))
found["embedded"] = refused(lambda: phusion.embed(graph, "graphwave", accuracy=0.01))
found["auto"] = strategy("auto")
found["few steps"] = strategy(0.01, phusion.proximities.WalkPower(2))
planning._AFFORDABLE = 0.0
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    found["certificate"] = phusion.embed(preferential(1_050), "graphwave", accuracy="auto").certificate.words
found["warned"] = [str(one.message) for one in caught]
"""


def test_following_walks_is_refused_in_words_before_the_work_and_auto_is_exact():
    found = said(MISSING + START + _ASK)
    assert found["planned"] == found["embedded"]
    assert "accuracy=0.01 follows walks by compiled code, which needs numba" in found["planned"]
    assert "'phusion-embed[fast]'; or accuracy='exact', which needs nothing" in found["planned"]
    assert found["auto"] == "dense" and found["few steps"] in ("dense", "sparse")  # as exact as with numba
    assert found["certificate"] == "exact"
    assert any("accuracy='auto' is exact" in one and "phusion-embed[fast]" in one for one in found["warned"])


_ABSENT = """
from importlib import metadata
def version(name, own=metadata.version):
    if name == "numba":
        raise metadata.PackageNotFoundError(name)
    return own(name)
metadata.version = version
"""
_LOOK = """
from phusion.cli import main
from phusion.experiments.machine import machine
found = {"doctor": main(["doctor"]), "numba": machine()["numba"]}
"""


def test_the_doctor_and_the_ledger_do_without_numba():
    assert said(MISSING + _ABSENT + START + _LOOK) == {"doctor": 0, "numba": "not installed"}


@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_a_numba_that_is_installed_but_cannot_be_imported_is_to_be_mended():
    assert said(MISSING + START + _LOOK)["doctor"] == 7
