"""Computing what a ledger lacks of some studies, a batch of designs with one proximity at a time."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from phusion.errors import InputError, MethodWarning
from phusion.evaluation.node_classification import NodeClassification
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Cell, Ledger
from phusion.experiments.pace import Pace, Progress
from phusion.experiments.sources import Source
from phusion.experiments.study import PROFILES, Design, Study, each_cell
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph
from phusion.graph_estimator import model_of
from phusion.spec import Spec
from phusion.together import embed_together

__all__ = ["Outcome", "Work", "all_work", "cell_of", "run_studies"]

_POLL = 0.5  # seconds between looks at what other processes do


@dataclass
class Outcome:
    """What a run did: cells computed, cells that failed, data sets that cannot be used, and warnings, in words."""

    computed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    warned: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Work:
    """One cell and what it takes to compute it."""

    cell: Cell
    study: Study
    source: Source
    design: Design

    @property
    def label(self) -> str:
        """In words."""
        return f"{self.what} seed {self.cell.seed}"

    @property
    def what(self) -> str:
        """The same without the seed."""
        profile = f"{self.cell.profile} " if self.cell.profile in PROFILES else ""
        return f"{profile}{self.source.name} {self.design.label}"

    @property
    def method(self) -> str:
        """Cells with this in common share an embedding."""
        return json.dumps(self.cell.spec, sort_keys=True)

    @property
    def kind(self) -> tuple[str, str]:
        """Cells with this in common take about equally long."""
        return self.study.name, self.source.group

    @property
    def batch(self) -> str:
        """Cells with this in common share a proximity matrix."""
        parts = {"proximity": self.cell.spec["proximity"], "pooling": self.cell.spec.get("pooling")}
        return json.dumps([self.cell.dataset, self.cell.task, self.cell.precision, parts], sort_keys=True)


def cell_of(study: Study, profile: str, source: Source, design: Design, seed: int) -> Cell:
    """The cell of a study's table."""
    protocol = asdict(study.task_for(design))
    spec = design.spec.as_dict()
    return Cell(
        profile, source.as_dict(), spec, study.task, protocol, seed, study.precision_of(profile, source, design)
    )


def all_work(studies: Iterable[Study], profiles: Sequence[str]) -> dict[str, Work]:
    """Every cell of the studies, by its key; cells that studies share are there once."""
    found: dict[str, Work] = {}
    for study in studies:
        own = tuple(each for each in study.profiles if each in profiles or each not in PROFILES)
        for profile, source, design, seed in each_cell(study, own):
            cell = cell_of(study, profile, source, design, seed)
            found.setdefault(cell.key, Work(cell, study, source, design))
    return found


def run_studies(
    studies: Iterable[Study],
    ledger: Ledger,
    *,
    profiles: Sequence[str],
    resources: Resources | None = None,
    retry: bool = False,
    said: Callable[[Progress], None] | None = None,
    noted: Callable[[str, str, str], None] | None = None,
) -> Outcome:
    """Compute all cells that are not recorded; what another process computes is waited for.

    A cell that cannot be computed is recorded with its error, and so is one with which its process died twice. A data
    set that cannot be loaded is left out, and the rest goes on. What the outcome will say is `noted` as it comes up:
    ``"warned"`` or ``"missing"``, the message or the data set, and where or why.
    """
    work = all_work(studies, profiles)
    if retry:
        ledger.forget_errors(work)
    run = _Run(work, ledger, resources or Resources(), Pace(work, said), noted)
    while True:
        run.pace.update(ledger.recorded(work))
        left = run.left()
        if not left:
            break
        if not sum(run.take(batch) for batch in left):
            run.pace.say("waiting for what other processes compute")
            time.sleep(_POLL)
    run.outcome.failed = {
        work[key].label: found.error for key, found in ledger.done(work).items() if found.error is not None
    }
    return run.outcome


class _Run:
    """The state of one run."""

    def __init__(
        self, work: dict[str, Work], ledger: Ledger, resources: Resources, pace: Pace,
        noted: Callable[[str, str, str], None] | None,
    ) -> None:  # fmt: skip
        self.ledger, self.resources, self.pace, self.noted = ledger, resources, pace, noted
        self.outcome = Outcome()
        self.unusable: set[Source] = set()
        batches: dict[str, list[Work]] = {}
        for one in work.values():
            batches.setdefault(one.batch, []).append(one)
        self.batches = _one_of_each_kind_first(batches.values())

    def left(self) -> list[list[Work]]:
        """What is not recorded and can be computed, by batch."""
        known = self.pace.seconds
        found = (
            [one for one in batch if one.cell.key not in known and one.source not in self.unusable]
            for batch in self.batches
        )
        return [batch for batch in found if batch]

    def take(self, batch: list[Work]) -> bool:
        """Compute those cells of the batch that nobody else does; whether there were any."""
        if batch[0].source in self.unusable:
            return True
        mine = self.ledger.claim([one.cell.key for one in batch])
        try:
            if mine:
                self._compute([one for one in batch if one.cell.key in mine])
        finally:
            self.ledger.release(mine)
        return bool(mine)

    def _compute(self, todo: list[Work]) -> None:
        """Cells that share a proximity matrix."""
        first = todo[0]
        self.pace.say(first.what)
        self.ledger.mark("loading its data", (one.cell for one in todo))
        try:
            data = _loaded(first.source)
        except Exception as error:
            self.unusable.add(first.source)
            self._note("missing", self.outcome.missing, first.source.name, _words(error))
            self.pace.leave_out(one.cell.key for batch in self.batches for one in batch if one.source == first.source)
            return
        for some in _apart(todo, self.ledger.died(one.cell.key for one in todo)):
            with self._kept_warnings(f"{first.source.name} {some[0].design.proximity}"):
                self._embed_and_score(some, data)

    def _embed_and_score(self, todo: list[Work], data: Any) -> None:
        """Embeddings together, then each is scored and recorded at once."""
        resources = replace(self.resources, precision=todo[0].cell.precision)  # type: ignore[arg-type]
        started = time.perf_counter()
        by_method: dict[str, Any] = {}
        if todo[0].study.task != "link_prediction":
            self.ledger.mark("embedding", (one.cell for one in todo))
            specs = {one.method: one.design.spec for one in todo}
            by_method = dict(zip(specs, _embedded(data, list(specs.values()), resources), strict=True))
        share = (time.perf_counter() - started) / len(todo)  # of the embeddings' time
        for one in todo:
            self._score(one, data, by_method.get(one.method), resources, share)

    def _score(self, one: Work, data: Any, embedding: Any, resources: Resources, share: float) -> None:
        started = time.perf_counter()
        result, error = None, None
        self.ledger.mark("scoring", [one.cell])
        try:
            if isinstance(embedding, Exception):
                raise embedding
            result = _scored(one, data, embedding, resources)
        except Exception as problem:  # one bad cell must not cost the others
            error = _words(problem)
        seconds = share + time.perf_counter() - started
        self.ledger.record(one.cell, result, error, seconds)
        self.outcome.computed += 1
        self.pace.add(one.cell.key, seconds)

    @contextmanager
    def _kept_warnings(self, where: str) -> Iterator[None]:
        """What phusion warns is kept in words, once, with where it came up first; libraries' own is not for readers."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", MethodWarning)
            try:
                yield
            finally:
                for one in caught:
                    self._note("warned", self.outcome.warned, str(one.message), where)

    def _note(self, kind: str, kept: dict[str, str], what: str, words: str) -> None:
        if what not in kept:
            kept[what] = words
            if self.noted is not None:
                self.noted(kind, what, words)


def _apart(todo: list[Work], died: set[str]) -> list[list[Work]]:
    """What was under way when a process died comes first, each method by itself, so that the right one is blamed."""
    alone: dict[str, list[Work]] = {}
    together: list[Work] = []
    for one in todo:
        (alone.setdefault(one.method, []) if one.cell.key in died else together).append(one)
    return [*alone.values(), *([together] if together else [])]


def _one_of_each_kind_first(batches: Iterable[list[Work]]) -> list[list[Work]]:
    """So that the time all of it takes is known early; the others keep their order."""
    seen: set[tuple[str, str]] = set()
    first: list[list[Work]] = []
    others: list[list[Work]] = []
    for batch in batches:
        (others if batch[0].kind in seen else first).append(batch)
        seen.add(batch[0].kind)
    return first + others


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@lru_cache(maxsize=2)
def _loaded(source: Source) -> Any:
    return source.load()


def _embedded(data: Graph | GraphBatch, specs: list[Spec], resources: Resources) -> list[Any]:
    """Rows of each spec, or why there are none."""
    try:
        if isinstance(data, Graph):
            return [found.values for found in embed_together(data, specs, resources)]
        return [_rows_of_graphs(data, spec, resources) for spec in specs]
    except Exception as error:
        if len(specs) == 1:
            return [error]
        return [_embedded(data, [spec], resources)[0] for spec in specs]


def _rows_of_graphs(data: GraphBatch, spec: Spec, resources: Resources) -> Any:
    if spec.pooling is None:
        raise InputError("graphs need a pooling, such as pooling = 'mean'")
    how = {"memory": resources.memory, "threads": resources.threads, "precision": resources.precision}
    return model_of(spec, **how).fit_transform(list(data))


def _scored(one: Work, data: Any, embedding: Any, resources: Resources) -> Any:
    task, seed = one.study.task_for(one.design), one.cell.seed
    if one.study.task == "link_prediction":
        return task.score(data, lambda graph: embed_together(graph, [one.design.spec], resources)[0].values, seed)
    if isinstance(data, Graph):
        if data.labels is None and one.study.task != "row_distributions":
            raise InputError(f"{one.source.name} has no labels; {one.study.task} needs them")
        labels: Any = data.labels
        if isinstance(task, NodeClassification):  # the one that takes long
            return task.score(embedding, labels, seed, resources.n_threads)
        return task.score(embedding, labels, seed)
    if data.labels is None:
        raise InputError(f"the graphs of {one.source.name} have no classes; {one.study.task} needs them")
    return task.score(embedding, np.asarray(data.labels), seed)
