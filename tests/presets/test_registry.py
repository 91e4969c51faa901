"""What every preset says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import phusion
from phusion.datasets import find as find_dataset
from phusion.datasets import load
from phusion.datasets import names as dataset_names
from phusion.presets import find, names

SYSTEMS = {
    "DNGR",
    "Edge PMI",
    "GraphWave",
    "GraRep",
    "HOPE",
    "InfiniteWalk",
    "NetLSD",
    "NetMF",
    "ProNE",
    "RetGK",
    "sRDE",
}


def test_the_eleven_systems_are_all_there() -> None:
    assert {find(name).title for name in names()} == SYSTEMS


@pytest.mark.parametrize("name", names())
class TestEveryPreset:
    def test_says_what_it_is_who_published_it_and_where_it_deviates(self, name: str) -> None:
        preset = find(name)
        assert preset.name == name
        assert all(text.strip() for text in (preset.title, preset.summary, preset.citation, preset.paper_note))
        assert any(str(year) in preset.citation for year in range(2015, 2022))
        assert preset.url.startswith("https://")

    def test_has_a_spec_that_survives_toml_and_json(self, name: str) -> None:
        spec = find(name).spec
        assert phusion.Spec.from_toml(spec.to_toml()) == spec
        assert phusion.Spec.from_json(spec.to_json()) == spec
        assert phusion.Spec.from_dict(spec.as_dict()) == spec

    def test_comes_as_an_unfitted_estimator_with_that_spec(self, name: str) -> None:
        model = phusion.preset(name)
        assert model.spec == find(name).spec
        assert not hasattr(model, "embedding_")

    def test_has_an_example_of_its_kind(self, name: str) -> None:
        preset = find(name)
        assert preset.example in dataset_names()
        assert find_dataset(preset.example).batch == (preset.kind == "graphs")
        assert (preset.kind == "graphs") == (preset.title in {"NetLSD", "RetGK"})


def test_an_unknown_preset_suggests_the_nearest() -> None:
    with pytest.raises(phusion.errors.InputError, match="graphwave"):
        phusion.preset("grafwave")


def test_the_example_of_srde_is_signed(data: Path) -> None:
    assert load(find("srde").example).signed
