"""Computing what a ledger lacks of some studies, a batch of designs with one proximity at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from phusion.errors import DatasetError, InputError, PhusionError
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Cell, Ledger
from phusion.experiments.sources import Source
from phusion.experiments.study import Design, Study, each_cell
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph
from phusion.graph_estimator import model_of
from phusion.spec import Spec
from phusion.together import embed_together

__all__ = ["Outcome", "cell_of", "run_studies"]

_POLL = 1.0  # seconds between looks at what other processes do


@dataclass
class Outcome:
    """What a run did: cells computed, cells that failed, and data sets that were missing, with the reason."""

    computed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Work:
    """One cell and what it takes to compute it."""

    cell: Cell
    study: Study
    source: Source
    design: Design

    @property
    def label(self) -> str:
        return f"{self.cell.profile} {self.source.name} {self.design.label} seed {self.cell.seed}"

    @property
    def batch(self) -> str:
        """Cells with this in common share a proximity matrix."""
        parts = {"proximity": self.cell.spec["proximity"], "pooling": self.cell.spec.get("pooling")}
        return json.dumps([self.cell.dataset, self.cell.task, self.cell.precision, parts], sort_keys=True)


def cell_of(study: Study, profile: str, source: Source, design: Design, seed: int) -> Cell:
    """The cell of a study's table."""
    protocol = asdict(study.task_for(design))
    spec = design.spec.as_dict()
    return Cell(profile, source.as_dict(), spec, study.task, protocol, seed, study.precision)


def _nothing_said(done: int, total: int, what: str) -> None:
    """Nobody listens."""


def run_studies(
    studies: Iterable[Study],
    ledger: Ledger,
    *,
    profiles: Sequence[str],
    resources: Resources | None = None,
    retry: bool = False,
    said: Callable[[int, int, str], None] = _nothing_said,
) -> Outcome:
    """Compute all cells that are not recorded; what another process computes is waited for."""
    work = _all_work(studies, profiles)
    if retry:
        ledger.forget_errors(work)
    outcome = Outcome()
    batches: dict[str, list[_Work]] = {}
    for one in work.values():
        batches.setdefault(one.batch, []).append(one)
    while True:
        recorded = ledger.done(work)
        left = [key for key in work if key not in recorded and work[key].source.name not in outcome.missing]
        said(len(work) - len(left), len(work), "")
        if not left:
            break
        taken = False
        for batch in batches.values():
            mine = ledger.claim([one.cell.key for one in batch if one.source.name not in outcome.missing])
            if mine:
                taken = True
                todo = [one for one in batch if one.cell.key in mine]
                try:
                    _compute(todo, ledger, resources or Resources(), outcome, said)
                except DatasetError as error:
                    outcome.missing[todo[0].source.name] = str(error)
                finally:
                    ledger.release(mine)
        if not taken:
            time.sleep(_POLL)
    for key, found in ledger.done(work).items():
        if found.error is not None:
            outcome.failed[work[key].label] = found.error
    return outcome


def _all_work(studies: Iterable[Study], profiles: Sequence[str]) -> dict[str, _Work]:
    found: dict[str, _Work] = {}
    for study in studies:
        own = tuple(each for each in study.profiles if each in profiles or each not in ("published", "corrected"))
        for profile, source, design, seed in each_cell(study, own):
            cell = cell_of(study, profile, source, design, seed)
            found.setdefault(cell.key, _Work(cell, study, source, design))
    return found


def _compute(
    todo: list[_Work], ledger: Ledger, resources: Resources, outcome: Outcome, said: Callable[[int, int, str], None]
) -> None:
    """Cells that share a proximity matrix: embeddings together, then each is scored and recorded at once."""
    data = _loaded(todo[0].source)
    said(-1, 0, f"{todo[0].cell.profile} {todo[0].source.name} {todo[0].design.proximity}")
    resources = Resources(
        memory=resources.memory, threads=resources.threads, executor=resources.executor,
        precision=todo[0].study.precision,  # type: ignore[arg-type]
    )  # fmt: skip
    started = time.perf_counter()
    by_spec: dict[str, Any] = {}
    if todo[0].study.task != "link_prediction":
        specs = {json.dumps(one.cell.spec, sort_keys=True): one.design.spec for one in todo}
        by_spec = dict(zip(specs, _embedded(data, list(specs.values()), resources), strict=True))
    share = (time.perf_counter() - started) / len(todo)  # of the embeddings' time
    for one in todo:
        started = time.perf_counter()
        result, error = None, None
        try:
            embedding = by_spec.get(json.dumps(one.cell.spec, sort_keys=True))
            if isinstance(embedding, Exception):
                raise embedding
            result = _scored(one, data, embedding, resources)
        except (PhusionError, ValueError, ArithmeticError, MemoryError, np.linalg.LinAlgError) as problem:
            error = f"{type(problem).__name__}: {problem}"
        ledger.record(one.cell, result, error, share + time.perf_counter() - started)
        outcome.computed += 1
        said(-1, 1, "")


@lru_cache(maxsize=2)
def _loaded(source: Source) -> Any:
    return source.load()


def _embedded(data: Graph | GraphBatch, specs: list[Spec], resources: Resources) -> list[Any]:
    """Rows of each spec, or why there are none."""
    try:
        if isinstance(data, Graph):
            return [found.values for found in embed_together(data, specs, resources)]
        return [_rows_of_graphs(data, spec, resources) for spec in specs]
    except (PhusionError, ValueError, ArithmeticError, MemoryError, np.linalg.LinAlgError) as error:
        if len(specs) == 1:
            return [error]
        return [_embedded(data, [spec], resources)[0] for spec in specs]


def _rows_of_graphs(data: GraphBatch, spec: Spec, resources: Resources) -> Any:
    if spec.pooling is None:
        raise InputError("graphs need a pooling, such as pooling = 'mean'")
    how = {"memory": resources.memory, "threads": resources.threads, "precision": resources.precision}
    return model_of(spec, **how).fit_transform(list(data))


def _scored(one: _Work, data: Any, embedding: Any, resources: Resources) -> Any:
    task, seed = one.study.task_for(one.design), one.cell.seed
    if one.study.task == "link_prediction":
        return task.score(data, lambda graph: embed_together(graph, [one.design.spec], resources)[0].values, seed)
    if isinstance(data, Graph):
        if data.labels is None and one.study.task != "row_distributions":
            raise InputError(f"{one.source.name} has no labels; {one.study.task} needs them")
        return task.score(embedding, data.labels, seed)
    if data.labels is None:
        raise InputError(f"the graphs of {one.source.name} have no classes; {one.study.task} needs them")
    return task.score(embedding, np.asarray(data.labels), seed)
