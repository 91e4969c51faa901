"""One description for Python, TOML, JSON and the command line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phusion
from phusion.embeddings import SVD, Characteristic
from phusion.errors import FileError, InputError, InputTypeError, UnreadableFileError
from phusion.nonlinearities import Log
from phusion.proximities import Fabp, Heat, Katz
from phusion.spec import Spec

positive = st.floats(min_value=1e-300, max_value=1e300)
specs = st.builds(
    Spec,
    proximity=st.one_of(
        st.builds(
            Heat, scale=st.one_of(positive, st.lists(positive, min_size=1, max_size=5, unique=True), st.just("auto"))
        ),
        st.builds(Katz, beta=st.one_of(positive, st.just("0.5/λmax"), st.just(["0.1/λmax", 0.2]))),
        st.builds(Fabp, a=st.one_of(st.just("auto"), st.just("10*auto"), positive)),
    ),
    nonlinearity=st.one_of(
        st.just("identity"), st.builds(Log, floor=st.sampled_from(["one", "minimum", 0.25])), st.just("binarize")
    ),
    embedding=st.one_of(
        st.builds(SVD, dim=st.integers(1, 999), sides=st.sampled_from(["left", "both"])),
        st.builds(
            Characteristic,
            landmarks=st.lists(positive, min_size=1, max_size=3, unique=True),
            include_zero=st.booleans(),
        ),
    ),
    pooling=st.sampled_from([None, "mean", "kernel"]),
    normalize=st.sampled_from([None, "l2"]),
    random_state=st.one_of(st.none(), st.integers(0, 2**31)),
)


def from_command_line(spec: Spec) -> Spec:
    """Through the real parser of the command line."""
    import contextlib
    import io

    from phusion.cli import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = main(["embed" if spec.pooling is None else "graphs", "karate", "--dry-run", *spec.arguments()])
    assert code == 0
    return Spec.from_toml(said.getvalue())


@given(specs)
def test_a_spec_round_trips_exactly_through_every_form(spec):
    assert Spec.from_dict(spec.as_dict()) == spec
    assert Spec.from_toml(spec.to_toml()) == spec
    assert Spec.from_json(spec.to_json()) == spec


@given(specs)
def test_a_spec_round_trips_through_the_command_line(spec):
    assert from_command_line(spec) == spec


@pytest.mark.parametrize("name", phusion.presets.names())
def test_presets_round_trip_through_every_form(name):
    spec = phusion.presets.find(name).spec
    assert Spec.from_toml(spec.to_toml()) == Spec.from_json(spec.to_json()) == spec
    assert from_command_line(spec) == spec
    assert phusion.preset(name).spec == spec


def test_a_name_alone_means_the_defaults_and_log_beside_ppmi_and_svd_means_floor_one():
    assert Spec("ppmi", "log", "svd").nonlinearity == Log(floor="one")
    assert Spec("ppmi", "log", "characteristic").nonlinearity == Log(floor="minimum")
    assert Spec("ppmi", Log(), "svd").nonlinearity == Log(floor="minimum")
    assert Spec("ppmi", {"name": "log"}, "svd").nonlinearity == Log(floor="minimum")


def test_parameters_change_by_full_or_bare_name():
    spec = Spec("heat", "identity", "svd")
    assert spec.replace(dim=3, proximity__scale=[1, 2]).embedding == SVD(dim=3)
    assert spec.with_settings(["scale=0.1,1", "embedding.dim=5"]).proximity == Heat(scale=[0.1, 1])
    with pytest.raises(InputError, match=r"no part has a parameter 'dmi'"):
        spec.replace(dmi=3)
    with pytest.raises(InputError, match=r"is a parameter of embedding and pooling; say which, as embedding\.bins"):
        Spec("heat", "identity", "histogram", pooling="histogram").replace(bins=3)
    with pytest.raises(InputError, match=r"PART.PARAMETER=VALUE"):
        spec.with_settings(["scale"])
    with pytest.raises(InputError, match="there is no part 'pooling' here"):
        spec.with_settings(["pooling.bins=3"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[proximity]\nname = "heat"\nscale = -1', "Heat needs scale to be"),
        ('[proximty]\nname = "heat"', r"no key 'proximty'. Did you mean 'proximity'\?"),
        ("[proximity\n", "not TOML"),
        ('normalize = "l1"', "normalize is"),
        ("random_state = 1.5", "random_state is"),
        ('attributes = ["labels"]', "need one"),
    ],
)
def test_a_bad_file_is_refused_with_its_name(write, text, message):
    path = write(text, "method.toml")
    with pytest.raises(FileError, match=message) as error:
        Spec.read(path)
    assert str(path) in str(error.value)


def test_a_missing_or_odd_file_is_named(tmp_path):
    with pytest.raises(UnreadableFileError, match="cannot be read"):
        Spec.read(tmp_path / "nowhere.toml")
    with pytest.raises(InputError, match=r"a .toml or .json file"):
        Spec.read(tmp_path / "method.yaml")
    with pytest.raises(InputTypeError, match="mapping"):
        Spec.from_dict(["heat"])


def test_embed_takes_a_preset_a_file_a_mapping_a_spec_or_an_estimator(tmp_path):
    graph = phusion.datasets.load("karate")
    spec = Spec("katz", "identity", SVD(dim=2))
    path = tmp_path / "method.toml"
    path.write_text(spec.to_toml())
    model = phusion.PhUSION("katz", "identity", SVD(dim=2))
    found = [phusion.embed(graph, method) for method in (spec, spec.as_dict(), path, str(path), model)]
    assert all((one.values == found[0].values).all() for one in found)
    assert phusion.embed(graph, "netlsd").values.shape == (1, 250)
    with pytest.raises(InputTypeError, match="a method is"):
        phusion.embed(graph, 3)
    with pytest.raises(InputError, match="Did you mean 'netmf'"):
        phusion.embed(graph, "netfm")
