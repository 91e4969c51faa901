"""What numbers were computed on and with is kept beside them, down to the commit."""

from __future__ import annotations

import subprocess

import pytest

from phusion.experiments import machine as module


def git(folder, *words):
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A checkout in which the module seems to lie."""
    path = tmp_path / "src" / "phusion" / "experiments" / "machine.py"
    path.parent.mkdir(parents=True)
    path.write_text("")
    monkeypatch.setattr(module, "__file__", str(path))
    return path


def test_the_commit_of_a_checkout_is_told_and_whether_files_were_changed(tmp_path, source):
    assert module._commit() == ""  # as an installed package
    git(tmp_path, "init")
    assert module._commit() == ""  # no commit yet
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    git(tmp_path, "tag", "v1")
    head = git(tmp_path, "rev-parse", "HEAD")
    assert module._commit() == head[:12]
    source.write_text("changed")
    assert module._commit() == f"{head[:12]}-dirty"


def test_without_git_nothing_is_told(tmp_path, source, monkeypatch):
    git(tmp_path, "init")
    monkeypatch.setenv("PATH", "")
    assert module._commit() == "" and "commit" not in module.machine.__wrapped__()
