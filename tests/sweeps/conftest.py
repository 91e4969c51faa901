"""Shared by the tests of sweeps."""

from __future__ import annotations

import pytest
from tests.sweeps.few_designs import FEW

import phusion
from phusion.sweeps.designs import Design, designs_of
from phusion.sweeps.nodes import NodeProblem
from phusion.sweeps.rule import Rule


@pytest.fixture(scope="session")
def few() -> list[Design]:
    return designs_of(FEW)


@pytest.fixture
def karate() -> phusion.Graph:
    return phusion.datasets.load("karate")


@pytest.fixture
def small(karate) -> NodeProblem:
    return NodeProblem(karate, Rule(seeds=(0, 1), splits=3, folds=4))
