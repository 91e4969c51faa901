"""What the documents show is true: their examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phusion import as_graph
from phusion.errors import FileError
from phusion.graph import files, formats

ROOT = Path(__file__).parents[1]


def blocks(document, language="python"):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL)


def test_the_reader_of_contributing_is_found_by_itself_and_reads(tmp_path, monkeypatch):
    (tmp_path / "dimacs.py").write_text(blocks("CONTRIBUTING.md")[0], encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    files.all_formats.cache_clear()
    try:
        (tmp_path / "g.col").write_text("c four nodes\np edge 4 2\ne 1 2\ne 2 3\n")
        graph = as_graph(tmp_path / "g.col")
        assert graph.nodes.tolist() == [1, 2, 3, 4] and graph.n_edges == 2
        (tmp_path / "bad.col").write_text("p edge 4 2\nx\n")
        with pytest.raises(FileError, match="line 2"):
            as_graph(tmp_path / "bad.col")
    finally:
        files.all_formats.cache_clear()


def test_the_five_lines_of_the_readme_print_what_they_say(capsys):
    code = blocks("README.md")[0]
    exec(compile(code, "README.md", "exec"), {})
    said = re.findall(r"# (.*?)(?:: your ids.*)?$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == said


def test_the_table_of_duplicates_in_the_docs_is_true():
    rows = re.findall(r"^\| (`.*) \| (.*) \|$", (ROOT / "docs" / "graphs.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 6
    for given, promised in rows:
        lines = [line.split() for line in re.findall(r"`([ab].*?)`", given)]
        edges = [(*line[:2], *map(float, line[2:])) for line in lines]
        graph = as_graph(edges, directed=False if "directed=False" in given else None)
        if promised.startswith("two arcs"):
            assert graph.directed and graph.n_edges == 2
        else:
            assert graph.adjacency.toarray()[0, 1] == float(promised.split()[-1]) and not graph.directed


def test_commands_in_the_docs_exist(capsys):
    from phusion.cli import main

    shown = {
        line.split()[1]
        for page in ("README.md", "docs/commands.md")
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if line.startswith("phusion ")
    }
    assert shown == {"inspect", "convert", "datasets", "formats"}
    for command in shown:
        assert main([command, "--help"]) == 0
