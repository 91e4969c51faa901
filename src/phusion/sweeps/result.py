"""`SweepResult`: the winner, how good choosing it is, and all that was compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from phusion.errors import OutputError
from phusion.execution.resources import Resources
from phusion.graph.arrow import has_pyarrow
from phusion.graph_estimator import model_of
from phusion.output import check_folder, check_target, whole_files
from phusion.results.embedding import Embedding
from phusion.results.files import write
from phusion.spec import Spec
from phusion.sweeps.found import Found, Honest, Row
from phusion.sweeps.graphs import GraphProblem
from phusion.sweeps.problem import Problem

__all__ = ["SweepResult", "check_files"]


def _embedding_file() -> str:
    """The winner's embedding, in a format that tells how it was made: Parquet, where it can be written."""
    return "winner.parquet" if has_pyarrow() else "winner.npz"


def check_files(folder: Path, overwrite: bool) -> list[Path]:
    """All of them by path; refused before the work if they cannot be written after it."""
    check_folder(folder)
    targets = [folder / name for name in ("winner.toml", _embedding_file(), "sweep.html", "leaderboard.csv")]
    for target in targets if folder.exists() else ():
        check_target(target, overwrite)
    return targets


@dataclass(frozen=True)
class SweepResult:
    """What a sweep found.

    Attributes
    ----------
    honest : mean and spread of the test scores of what each split chose without seeing its test examples.
    baseline : what naming the most frequent labels for all gets on the same splits.
    optimistic : the same of the winner, which was chosen with all labels: its own score on splits it has seen.
    optimism : how much the second is above the first, in points.
    winner : the `phusion.Spec` chosen with all labels; `label` is what it is called.
    wins : design → splits that chose it.
    leaderboard : a row for each design, best first, as plain mappings.
    embedding : the winner's, computed when it is first asked for.
    notes : what was sampled, left out or changed, in words.
    """

    problem: Problem = field(repr=False)
    found: Found = field(repr=False)
    resources: Resources = field(repr=False)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    name: str = ""

    @property
    def metric(self) -> str:
        """What was compared."""
        return self.problem.rule.metric

    @property
    def honest(self) -> Honest:
        """The score to tell others."""
        return self.found.honest(self.metric)

    @property
    def baseline(self) -> float:
        """The score that needs no embedding."""
        return self.problem.baseline

    @property
    def optimistic(self) -> Honest:
        """The score not to."""
        return self.found.optimistic(self.metric)

    @property
    def optimism(self) -> float:
        """Points between them."""
        return self.found.optimism(self.metric)

    @property
    def winner(self) -> Spec:
        """The design chosen with all labels."""
        return self.found.winner.spec

    @property
    def label(self) -> str:
        """Its name."""
        return self.found.winner.label

    @property
    def wins(self) -> dict[str, int]:
        """How often each design was chosen, most often first."""
        chosen = sorted(self.found.rows, key=lambda row: -row.wins)
        return {row.design.label: row.wins for row in chosen if row.wins}

    @property
    def leaderboard(self) -> list[dict[str, Any]]:
        """Plain rows: design, racing, folds, screening, wins, seconds, parts; ``pandas.DataFrame`` takes them."""
        return [_plain(row) for row in self.found.rows]

    def to_frame(self) -> Any:
        """The leaderboard as a pandas frame."""
        import pandas

        return pandas.DataFrame(self.leaderboard).set_index("design")

    @cached_property
    def embedding(self) -> Embedding:
        """The winner's embedding of all nodes, or graphs."""
        how = self.resources
        model = model_of(
            self.winner, memory=how.memory, threads=how.threads, precision=how.precision, executor=how.executor
        )
        problem: Any = self.problem
        given = list(problem.batch) if isinstance(problem, GraphProblem) else problem.graph
        return model.fit(given).result_  # type: ignore[no-any-return]

    def save(self, folder: str | Path, *, overwrite: bool = False) -> list[Path]:
        """Write the winner's spec and embedding, the page and the leaderboard into a folder; their paths."""
        from phusion.sweeps.page import page_of

        folder = Path(folder)
        targets = check_files(folder, overwrite)
        texts = {"winner.toml": self.winner.to_toml(), "sweep.html": page_of(self), "leaderboard.csv": self._csv()}
        embedding = self.embedding
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot make the folder {folder.parent}: {error.strerror or error}") from error
        with whole_files(*targets, overwrite=overwrite) as unfinished:
            for name, text in texts.items():
                (unfinished / name).write_text(text, encoding="utf-8")
            write(embedding, unfinished / _embedding_file())
        return targets

    def _csv(self) -> str:
        import csv
        import io

        text = io.StringIO()
        rows = self.leaderboard
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def __repr__(self) -> str:
        return f"SweepResult({self.label!r}, {self.metric} {self.honest}, {len(self.found.rows)} designs)"

    def _repr_html_(self) -> str:
        best = "".join(
            f"<tr><td>{escape(row.design.label)}</td><td>{_number(row.racing)}</td><td>{row.wins}</td></tr>"
            for row in self.found.rows[:5]
        )
        return (
            f"<p><b>{escape(self.label)}</b>: {escape(self.metric)} {self.honest} (optimism "
            f"{self.optimism:+.2f})</p><table><tr><th>design</th><th>inner folds</th><th>chosen</th></tr>{best}</table>"
        )


def _plain(row: Row) -> dict[str, Any]:
    spec = row.design.spec
    scale = spec.proximity.scale_value
    return {
        "design": row.design.label,
        "racing": row.racing,
        "folds": row.folds,
        "screening": row.screening,
        "wins": row.wins,
        "seconds": row.seconds,
        "proximity": spec.proximity.name,
        "scale": None if scale is None else _scale(scale),
        "nonlinearity": spec.nonlinearity.name,
        "embedding": spec.embedding.name,
        "spec": spec.to_json().replace("\n", " "),
    }


def _scale(value: Any) -> str:
    several: Sequence[Any] = value if isinstance(value, tuple) else (value,)
    return ", ".join(f"{each:g}" if isinstance(each, float) else str(each) for each in several)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
