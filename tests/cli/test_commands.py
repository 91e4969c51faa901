"""The command line as a user types it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from phusion import as_graph, datasets
from phusion.cli import main

PROGRAM = "import sys; from phusion.cli import main; sys.exit(main())"


def phusion(*words, **more):
    """The installed command, in a process of its own."""
    command = [
        sys.executable,
        "-c",
        "import sys; from phusion.cli import main; sys.exit(main())",
        *map(str, words),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **more)


def run(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_help_lists_every_command_and_the_exit_codes(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for word in ("inspect", "convert", "datasets", "formats", "Exit codes"):
        assert word in out
    assert run(capsys)[0] == 0
    assert run(capsys, "--version")[1].strip().count(".") == 2


def test_inspect_prints_the_facts(capsys):
    code, out, _ = run(capsys, "inspect", "karate")
    assert code == 0
    for words in ("34 nodes, 78 edges", "components", "6.7257", "0.132272", "2 classes"):
        assert words in out


def test_inspect_as_json(capsys, write):
    file = write("a b 2\na b 3\nb c 1\nd d -1\n", "g.txt")
    code, out, err = run(capsys, "inspect", file, "--json")
    facts = json.loads(out)
    assert code == 0
    expected = {
        "nodes": 4, "edges": 2, "self_loops": 1, "components": 2, "isolated": 1, "isolated_with_self_loop": 1,
        "duplicates": 1, "directed": False, "weighted": True, "signed": True,
    }  # fmt: skip
    assert {key: facts[key] for key in expected} == expected
    assert facts["weights"]["max"] == 5.0 and facts["lambda_max"] == pytest.approx(26**0.5)
    assert "note: " in err and "1 repeated entry combined" in err


def test_inspect_reads_as_told(capsys, write):
    file = write("x;y;w\n1;2;5\n2;1;6\n", "g.csv")
    options = ("--no-directed", "--weight", "w", "--duplicates", "max")
    facts = json.loads(run(capsys, "inspect", file, "--json", *options)[1])
    assert not facts["directed"] and facts["weights"]["max"] == 6.0
    plain = ("--weight", "none", "--source", "1", "--target", "0", "--nodes", write("1\n2\n3\n", "n.txt"))
    facts = json.loads(run(capsys, "inspect", file, "--json", *plain)[1])
    assert not facts["weighted"] and facts["nodes"] == 3 and facts["isolated"] == 1
    labelled = json.loads(run(capsys, "inspect", file, "--json", "--labels", write("1 a\n2 b\n", "l.txt"))[1])
    assert labelled["labels"]["classes"] == 2


def test_inspect_of_real_data(capsys, data):
    facts = json.loads(run(capsys, "inspect", data / "paper" / "tu" / "PROTEINS.zip", "--json")[1])
    assert (facts["graphs"], facts["disconnected_graphs"], facts["isolated"]) == (1113, 46, 5)
    code, out, _ = run(capsys, "inspect", "usa")
    assert code == 0 and "1,190 nodes" in out


def test_convert_there_and_back(capsys, tmp_path):
    there, back = tmp_path / "k.graphml.gz", tmp_path / "k.csv"
    assert run(capsys, "convert", "karate", there)[0] == 0
    assert run(capsys, "convert", there, back)[0] == 0
    assert as_graph(back).n_edges == 78
    code, _, err = run(capsys, "convert", there, back)
    assert code == 4 and "--force" in err
    assert run(capsys, "convert", there, back, "--force")[0] == 0
    code, _, err = run(capsys, "convert", "karate", tmp_path / "k.mtx")
    assert code == 4 and "--lossy" in err and not (tmp_path / "k.mtx").exists()
    code, _, err = run(capsys, "convert", "karate", tmp_path / "k.mtx", "--lossy")
    assert code == 0 and "note: these node ids" in err
    assert run(capsys, "convert", "karate", tmp_path / "k", "--to", "npz")[0] == 0


def test_datasets_and_formats_are_listed(capsys, no_data):
    code, out, _ = run(capsys, "datasets")
    assert code == 0 and all(name in out for name in datasets.names())
    rows = json.loads(run(capsys, "datasets", "--json")[1])
    assert {row["name"]: row["here"] for row in rows}["karate"] is True
    assert "raw.githubusercontent.com" in run(capsys, "datasets", "usa")[1]
    code, _, err = run(capsys, "datasets", "usa", "--fetch")
    assert code == 3 and "PHUSION_DATA" in err
    assert run(capsys, "datasets", "karate", "--fetch")[0] == 0
    code, out, _ = run(capsys, "formats")
    assert code == 0 and "graphml" in out
    assert any(row["name"] == "metis" for row in json.loads(run(capsys, "formats", "--json")[1]))


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["inspect"], 2, "GRAPH"),
        (["inspct", "karate"], 2, "inspect"),
        (["inspect", "karate", "--jsn"], 2, "--jsn"),
        (["inspect", "karate", "--duplicates", "drop"], 2, "drop"),
        (["inspect", "no-such-file.csv"], 3, "no such file"),
        (["inspect", "."], 3, "folder"),
        (["convert", "karate", "out.foo"], 3, "names no format"),
        (["convert", "karate", "no/such/folder/g.csv"], 4, "cannot write no/such"),
        (["datasets", "brasil"], 3, "Did you mean 'brazil'"),
    ],
)
def test_exit_codes_that_scripts_can_trust(words, code, says):
    done = phusion(*words)
    assert done.returncode == code
    assert says in done.stderr and "Traceback" not in done.stderr and done.stdout == ""


def test_the_installed_command_and_a_reader_that_goes_away():
    pipeline = f"{Path(sys.executable).parent / 'phusion'} formats | head -1"
    done = subprocess.run(pipeline, shell=True, capture_output=True, text=True, check=True)
    assert "suffixes" in done.stdout and "Traceback" not in done.stderr


def _opened_once_somebody_reads(pipe):
    for _ in range(600):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.1)
    pytest.fail("nobody reads")


def test_ctrl_c_leaves_quietly_with_its_code(tmp_path):
    pipe = tmp_path / "slow.txt"
    os.mkfifo(pipe)  # nobody writes to it: reading waits
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "convert", str(pipe), str(tmp_path / "out.csv")],
        stderr=subprocess.PIPE,
        text=True,
    )
    writer = _opened_once_somebody_reads(pipe)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    os.close(writer)
    assert process.returncode == 130 and "interrupted" in err and "Traceback" not in err
    assert [file.name for file in tmp_path.iterdir()] == ["slow.txt"]


def test_a_reader_that_goes_away_is_no_failure(tmp_path):
    """Rich ended with 1, which scripts with pipefail take for a failure; here the reader is gone before a word."""
    (tmp_path / "g.csv").write_text("source,target\na,b\n")
    gone, writing = os.pipe()
    os.close(gone)
    done = subprocess.run([sys.executable, "-c", PROGRAM, "inspect", tmp_path / "g.csv"], stdout=writing, check=False)
    os.close(writing)
    assert done.returncode == 0


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("words", ["formats", "components katz", "presets netmf", "embed --help"])
def test_letters_that_an_old_terminal_has_not_are_question_marks(encoding, words):
    found = phusion(*words.split(), env=os.environ | {"PYTHONIOENCODING": encoding}, encoding=encoding)
    assert found.returncode == 0 and "?" in found.stdout and not found.stderr


def test_help_is_a_command_too(capsys):
    assert main(["help", "embed"]) == main(["embed", "--help"]) == 0
    assert main(["help"]) == 0 and "Usage: phusion COMMAND" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["inspect", "-"], ["embed", "karate", "-o", "-"]])
def test_a_dash_is_told_what_to_take(words, capsys):
    assert main(words) == 2
    assert "/dev/stdin is what comes through a pipe" in " ".join(capsys.readouterr().err.split())
