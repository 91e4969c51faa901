"""Every graph gets a page, and every mistake a sentence."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from shown_graphs import CLASSES, DANGER, dangerous

import phusion
from phusion.cli import main
from phusion.errors import InputError, OutputError
from phusion.explorer.designs import LENSES, chosen
from phusion.explorer.neighbours import nearest


def words_of(path):
    """What the page's script reads."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="words">(.*?)</script>', text, re.DOTALL)[1])


def shown(graph, tmp_path, **options):
    return words_of(phusion.explore(graph, tmp_path / "page.html", **options))


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_labels_are_given_with_the_graph_or_beside_it(tmp_path):
    edges = [("ada", "bob"), ("bob", "cleo"), ("cleo", "dan")]
    words = shown(edges, tmp_path, labels={"ada": "close by", "dan": "far"})
    assert {"close by", "far"} <= {name for field in words["fields"] for name in field.get("classes", ())}
    without = shown(edges, tmp_path, overwrite=True)
    assert "close by" not in json.dumps(without)


@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")
@pytest.mark.parametrize(
    ("graph", "names"),
    [
        (phusion.as_graph([(1, 2), (2, 3), (3, 4), (4, 5)]), ["netmf", "graphwave"]),
        (phusion.as_graph([(1, 2)]), ["netmf", "graphwave"]),
        (phusion.as_graph([], nodes=["only"]), ["netmf", "graphwave"]),
        (phusion.as_graph([], nodes=4), ["netmf", "graphwave"]),
        (phusion.as_graph([(1, 2), (2, 3)], nodes=range(1, 9)), ["netmf", "graphwave"]),
        (phusion.as_graph([(1, 2, 0.5), (2, 3, 7.0), (3, 1, 2.0), (3, 3, 1.0)]), ["netmf", "graphwave"]),
        (phusion.as_graph([(1, 2), (2, 3), (3, 1), (3, 4)], directed=True), ["hope", "pagerank"]),
        (phusion.as_graph([(1, 2), (2, 3)], directed=True), ["hope-pagerank", "pagerank"]),
        (phusion.as_graph([(1, 2, -1.0), (2, 3, 1.0), (3, 4, -2.0)]), ["hope", "srde"]),
        (phusion.as_graph([(1, 2, -1.0), (2, 3, 1.0), (2, 1, 4.0)], directed=True), ["hope", "srde"]),
        (phusion.as_graph([(i, (i + 1) % 60) for i in range(60)]), ["netmf", "graphwave"]),  # all alike
    ],
    ids=["5", "2", "1", "no edges", "isolated", "weighted", "directed", "acyclic", "signed", "both", "cycle"],
)
def test_every_kind_of_graph_has_a_page(graph, names, tmp_path):
    words = shown(graph, tmp_path)
    assert words["nodes"] == len(words["ids"]) == len(graph)
    assert [lens["designs"][0]["name"] for lens in words["lenses"]] == names


def test_what_is_taken_by_default_may_be_asked_for_by_its_name(tmp_path):
    graph = phusion.as_graph([(1, 2), (2, 3), (3, 1), (3, 4)], directed=True)
    words = shown(graph, tmp_path, positional="hope", structural=["pagerank", "walk_power"])
    assert [design["name"] for design in words["lenses"][1]["designs"]] == ["pagerank", "walk_power"]
    assert words["lenses"][1]["designs"][0]["named"]


def test_groups_of_a_directed_graph_are_told_by_the_positional_map_alone():
    random, groups = np.random.default_rng(0), np.arange(200) % 4
    chance = np.where(groups[:, None] == groups, 0.12, 0.01)
    arcs = (random.random((200, 200)) < chance) * random.integers(1, 9, (200, 200)) * (1 - np.eye(200))
    graph = phusion.as_graph(arcs)
    same = {}
    for lens in LENSES:
        near, _ = nearest(phusion.embed(graph, chosen(graph, lens)[0].spec).values, 5)
        same[lens] = (groups[near] == groups[:, None]).mean()
    assert same["structural"] < 0.35 < same["positional"]  # a quarter is chance


def test_labels_of_one_class_of_no_class_and_of_several_are_shown(tmp_path):
    pairs = [(i, (i * 7 + 1) % 12) for i in range(12)]
    one = shown(phusion.as_graph(pairs, labels=dict.fromkeys(range(12), "same")), tmp_path)
    assert one["fields"][0]["classes"] == ["same"]
    some = shown(
        phusion.as_graph(pairs, labels={i: ["x", "y"][: 1 + i % 2] for i in range(8)}), tmp_path, overwrite=True
    )
    assert some["fields"][0]["classes"] == ["x", "y", "several labels"]
    assert some["fields"][0]["all"]["names"] == ["x", "y"]
    none = shown(phusion.as_graph(pairs), tmp_path, overwrite=True)
    assert [field["name"] for field in none["fields"]] == [
        "degree",
        "component",
        "cluster: netmf",
        "cluster: graphwave",
    ]


def test_labels_of_other_ids_are_refused(tmp_path, write, capsys):
    edges, labels = write("a b\nb c\n", "edges.txt"), write("x red\ny blue\n", "labels.txt")
    out = tmp_path / "page.html"
    assert main(["explore", str(edges), "--labels", str(labels), "-o", str(out)]) == 3
    assert "x" in capsys.readouterr().err
    assert not out.exists()


def test_ids_labels_and_attributes_cannot_become_tags(tmp_path):
    path = phusion.explore(dangerous(), tmp_path / "page.html")
    text = path.read_text(encoding="utf-8")
    for danger in ("<script>alert", "</script><img", "<b>", "<i>", "<danger>"):
        assert danger not in text
    tags = Tags(text).found
    assert [one for one in tags if one[0] in ("img", "link", "iframe", "object", "embed", "base")] == []
    for _, attributes in tags:
        assert not set(attributes) & {"src", "href", "srcset", "data", "action", "poster", "style"}
        assert not [name for name in attributes if name.startswith("on")]
    words = words_of(path)
    assert words["ids"][: len(DANGER)] == DANGER
    assert words["fields"][0]["classes"] == sorted(CLASSES)
    assert {field["name"] for field in words["fields"]} >= {"age", "town <x>"}


def test_the_policy_allows_this_script_and_no_other(tmp_path):
    text = phusion.explore(dangerous(), tmp_path / "page.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src &#39;none&#39;" in policy
    assert "unsafe" not in policy
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_a_sample_says_so_and_names_nodes_it_does_not_show(tmp_path):
    words = shown("karate", tmp_path, sample=10)
    assert (words["nodes"], words["total"]) == (10, 34)
    assert "10 of 34 nodes" in words["notes"][-1]
    assert 10 < len(words["ids"]) <= 34


def test_the_page_is_the_same_every_time(tmp_path):
    first = phusion.explore("karate", tmp_path / "a.html", map="tsne").read_bytes()
    assert first == phusion.explore("karate", tmp_path / "b.html", map="tsne").read_bytes()


def test_several_designs_of_a_lens_by_name_file_and_mapping(tmp_path, write):
    spec = write(phusion.Spec("katz", "identity", {"name": "svd", "dim": 4}).to_toml(), "mine.toml")
    words = shown("karate", tmp_path, positional=["netmf", f"my katz={spec}", spec], structural={"a": "graphwave"})
    assert [design["name"] for design in words["lenses"][0]["designs"]] == ["netmf", "my katz", "mine"]
    assert words["lenses"][0]["designs"][1]["words"] == "katz → identity → svd"
    assert words["lenses"][1]["designs"][0]["name"] == "a"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"positional": "graphwave"}, "graphwave is structural .* give it as structural"),
        ({"structural": ["netmf"]}, "netmf is positional"),
        ({"structural": "netlsd"}, "embeds whole graphs"),
        ({"positional": "netfm"}, "Did you mean 'netmf'"),
        ({"positional": []}, "the positional map needs a method"),
        ({"positional": ["netmf", "netmf"]}, "two designs are called 'netmf'"),
        ({"map": "pac"}, "Did you mean 'pca'"),
        ({"sample": 0}, "sample is a whole number ≥ 1; got 0"),
        ({"neighbours": 2.5}, "neighbours is a whole number"),
    ],
    ids=str,
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(options, sentence, tmp_path):
    with pytest.raises(InputError, match=sentence):
        phusion.explore("karate", tmp_path / "page.html", **options)
    assert not list(tmp_path.iterdir())


def test_a_preset_that_refuses_the_graph_says_why(tmp_path):
    graph = phusion.as_graph([(1, 2), (2, 3)], directed=True)
    with pytest.raises(InputError, match="Ppmi does not take directed graphs"):
        phusion.explore(graph, tmp_path / "page.html", positional="netmf")


def test_nothing_is_replaced_unasked(tmp_path, capsys):
    out = tmp_path / "page.html"
    out.write_text("precious")
    with pytest.raises(OutputError, match="--force"):
        phusion.explore("karate", out)
    assert main(["explore", "karate", "-o", str(out)]) == 4
    assert out.read_text() == "precious"
    assert main(["explore", "karate", "-o", str(out), "--force", "--positional", "netmf", "--positional", "hope"]) == 0
    assert "34 nodes" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("name", ["page.pdf", "page.png", "page", "page.html.gz"])
def test_a_page_is_written_under_no_other_suffix_and_that_is_said_before_the_graph_is_read(name, tmp_path, capsys):
    with pytest.raises(InputError, match=r"a page ends in \.html or \.htm; (got '|this name).* draws pictures"):
        phusion.explore(tmp_path / "absent.csv", tmp_path / name)
    assert main(["explore", str(tmp_path / "absent.csv"), "-o", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert "a page ends in .html or .htm" in said and "absent" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "better"), [("page", "page.html"), ("", "explore.html")])
def test_a_name_without_an_ending_is_told_which_to_take(name, better):
    with pytest.raises(InputError, match=f"this name has no ending. Name it {better};"):
        phusion.explore("karate", name)


@pytest.mark.parametrize("name", ["page.htm", "PAGE.HTML"])
def test_either_suffix_of_a_page_will_do(name, tmp_path):
    assert phusion.explore("karate", tmp_path / name, map="pca").stat().st_size > 1000


def test_the_command_names_mistakes(capsys, tmp_path):
    out = str(tmp_path / "page.html")
    assert main(["explore", "karate", "-o", out, "--positional", "netfm"]) == 2
    assert "netmf" in capsys.readouterr().err
    assert main(["explore", "karate", "-o", out, "--map", "tnse"]) == 2
    assert main(["explore", "karate", "-o", out, "--sample", "5"]) == 0
    assert "5 of 34 nodes are shown" in capsys.readouterr().err


def test_attributes_of_several_numbers_are_left_out_and_named(tmp_path):
    from dataclasses import replace

    graph = replace(phusion.datasets.load("karate"), attributes={"where": np.zeros((34, 3)), "age": np.arange(34)})
    words = shown(graph, tmp_path)
    assert "where" in words["notes"][-1]
    assert "age" in [field["name"] for field in words["fields"]]
