"""`phusion.sweep`: the best design for a graph and its labels, with an honest score."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from phusion.errors import InputError, MissingLibraryError
from phusion.execution.memory import as_bytes
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Ledger
from phusion.experiments.processes import working
from phusion.graph.accept import as_batch, as_graph
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph
from phusion.inputs import are_graphs
from phusion.linalg.blas import blas_threads
from phusion.output import scratch_folder
from phusion.shortcuts import loaded
from phusion.sweeps.cells import choice_cell, screen_cell
from phusion.sweeps.designs import Design, Kind, designs_of, fitted_to
from phusion.sweeps.found import found_in
from phusion.sweeps.graphs import GraphProblem
from phusion.sweeps.nodes import NodeProblem
from phusion.sweeps.problem import Problem
from phusion.sweeps.result import SweepResult
from phusion.sweeps.rule import Rule
from phusion.sweeps.run import run_sweep, shelf_of
from phusion.sweeps.sampling import sampled
from phusion.sweeps.standing import Standing, standing_in

__all__ = ["sweep"]

_OFTEN = 0.5  # seconds between words


def sweep(
    graph: Any,
    labels: Any = None,
    *,
    designs: Any = None,
    kind: Kind = "both",
    metric: str | None = None,
    seeds: int | Sequence[int] = (0, 1, 2, 3, 4),
    splits: int = 10,
    folds: int = 5,
    keep: int = 8,
    trials: int = 0,
    ledger: str | Path | None = None,
    room: Any = "2GB",
    jobs: int = 1,
    retry: bool = False,
    minutes: float = 60.0,
    full: bool = False,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    said: Callable[[Standing], None] | None = None,
    noted: Callable[[str], None] | None = None,
) -> SweepResult:
    """Choose a design for a graph and its labels, and say honestly how good the choice is.

    For each random split of the labelled nodes a design is chosen with the training part alone: all designs are
    screened on its inner folds by the first step of the classifier, the best are raced fold by fold, and the winner is
    trained on the whole training part and tested once on the rest. The mean of these tests is the honest score. The
    design that is given back is chosen in the same way with all labels. Embeddings are computed from the whole graph,
    without labels.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name; or many graphs, as `phusion.as_batch` accepts
        them, with a class for each.
    labels : classes of the nodes as in `phusion.as_graph`, or of the graphs; None if the graph has them.
    designs : methods as a list or a mapping, or a file in the grammar of ``phusion study``; None for the paper's 70 and
        51 more (of graphs: 31).
    kind : ``"positional"``, ``"structural"`` or ``"both"``: which of them.
    metric : ``"micro_f1"``, ``"macro_f1"`` or ``"accuracy"``; None is micro-F1 for nodes, accuracy for graphs.
    seeds, splits : so many random splits from each seed, 80 % to train on (of graphs: folds of one order); the number
        of seeds, or which.
    folds, keep : inner folds, and designs that pass the screening.
    trials : designs that Optuna proposes in each split beside the others (extra: optuna).
    ledger : a file in which every step is kept, so that a sweep that was ended goes on; None for none.
    room : what embeddings may take on disk beside the ledger.
    jobs : processes that share the work.
    retry : try designs again that could not be computed before.
    minutes, full : a sweep that would take longer is sampled, and says so; `full` insists on all of it.
    memory, precision, threads : what computing may use, as in `phusion.PhUSION`; precision is that of the winner.
    said, noted : told how far it is, and what is sampled or left out, as it happens.

    Examples
    --------
    >>> import phusion
    >>> found = phusion.sweep("karate", designs=["netmf", "graphwave"], seeds=[0], splits=3)
    >>> found.label, found.honest.splits
    ('netmf', 3)
    """
    started = time.monotonic()
    _check(jobs, minutes, trials)
    resources = Resources(memory, threads, precision)  # type: ignore[arg-type]
    data = _data(graph, labels)
    many = isinstance(data, GraphBatch)
    rule = Rule(
        metric or ("accuracy" if many else "micro_f1"),
        tuple(range(seeds) if isinstance(seeds, int) else seeds),
        splits, 0.8, folds, keep,
        trials=trials,
        kind=kind if trials and kind != "both" else None,
    )  # fmt: skip
    problem = _problem(data, rule)
    chosen, notes = fitted_to(designs_of(designs, kind=kind, graphs=many), problem.size)
    if isinstance(problem, NodeProblem) and not problem.known.all():
        without = int((~problem.known).sum())
        notes.append(
            f"{without:,} of {problem.size:,} nodes have no label: embedded, but neither trained on nor tested"
        )
    notes += _rare(problem)
    if not full:
        sample = sampled(problem, chosen, resources, minutes)
        chosen, notes = sample.designs, notes + sample.notes
        if sample.rule != rule:
            problem = _problem(data, sample.rule)
    if noted is not None:
        for note in notes:
            noted(note)
    with _kept(ledger) as path, Ledger(path) as kept:
        if retry:
            every = (*problem.rule.seeds, None)
            kept.forget_errors(screen_cell(problem, one.spec, seed).key for one in chosen for seed in every)
        _run(problem, chosen, kept, resources, as_bytes(room), jobs, said)
        found = found_in(problem, chosen, kept)
    reasons = [f"{label} is left out: {reason}" for label, reason in found.failed.items()]
    seconds = time.monotonic() - started
    return SweepResult(problem, found, resources, (*notes, *reasons), seconds, getattr(data, "name", ""))


def _problem(data: Graph | GraphBatch, rule: Rule) -> Problem:
    return GraphProblem(data, rule) if isinstance(data, GraphBatch) else NodeProblem(data, rule)


def _rare(problem: Problem) -> list[str]:
    """Whether classes are so small that inner folds are without them."""
    sizes = problem.truth.sum(axis=0)
    rare = int(((sizes > 0) & (sizes < problem.rule.folds)).sum())
    if not rare:
        return []
    what = "graphs" if problem.graphs else "nodes"
    return [
        f"{rare:,} of {int((sizes > 0).sum()):,} classes have fewer than {problem.rule.folds} {what}, one for each "
        "inner fold: little can be learned about them, and nothing in splits that test all of a class"
    ]


def _check(jobs: int, minutes: float, trials: int) -> None:
    if type(jobs) is not int or jobs < 1:
        raise InputError(f"jobs is a whole number ≥ 1; got {jobs!r}")
    if not minutes > 0:
        raise InputError(f"minutes is a number above 0; got {minutes!r}")
    if trials:
        try:
            import optuna  # noqa: F401
        except ImportError as error:
            raise MissingLibraryError("proposing designs (trials)", "optuna", "optuna") from error


def _data(graph: Any, labels: Any) -> Graph | GraphBatch:
    found = loaded(graph)
    if are_graphs(found) or isinstance(found, GraphBatch):
        return as_batch(found) if labels is None else as_batch(found, labels=labels)
    return as_graph(found) if labels is None else as_graph(found, labels=labels)


@contextmanager
def _kept(ledger: str | Path | None) -> Iterator[Path]:
    """The ledger's path; of none, one that is gone in the end."""
    if ledger is not None:
        yield Path(ledger)
        return
    with scratch_folder("sweep") as folder:
        yield folder / "ledger.sqlite"


def _run(
    problem: Problem, designs: Sequence[Design], ledger: Ledger, resources: Resources, room: int, jobs: int,
    said: Callable[[Standing], None] | None,
) -> None:  # fmt: skip
    tell = _Teller(problem, designs, ledger, said)
    share = resources.shared(jobs) if jobs > 1 else resources
    try:
        # this process is one of them: it works while others still import what they need
        with (
            working(jobs - 1, share, _work, problem, list(designs), str(ledger.path), room),
            blas_threads(share.n_threads) if jobs > 1 else nullcontext(),
        ):
            run_sweep(problem, designs, ledger, resources=share, room=room, said=tell)
    finally:
        if jobs > 1:
            shelf_of(ledger, room).tidy()
    tell("", last=True)


def _work(problem: Problem, designs: list[Design], path: str, room: int, resources: Resources) -> None:
    """What each process does."""
    with Ledger(path) as ledger:
        run_sweep(problem, designs, ledger, resources=resources, room=room)


class _Teller:
    """Says how far it is, not too often."""

    def __init__(
        self, problem: Problem, designs: Sequence[Design], ledger: Ledger, said: Callable[[Standing], None] | None
    ) -> None:
        self.problem, self.designs, self.ledger, self.said = problem, designs, ledger, said
        self.started = self.told = time.monotonic()
        screens = [screen_cell(problem, design.spec, None).key for design in designs]
        choices = [choice_cell(problem, designs, part).key for part in problem.parts if not part.whole]
        self.begun = (len(ledger.recorded(screens)), len(ledger.recorded(choices)))

    def __call__(self, what: str, *, last: bool = False) -> None:
        now = time.monotonic()
        if self.said is None or (now - self.told < _OFTEN and not last):
            return
        self.told = now
        elapsed = now - self.started
        self.said(standing_in(self.problem, self.designs, self.ledger, what, elapsed, self.begun))
