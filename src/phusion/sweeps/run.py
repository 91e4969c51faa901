"""Computing what a ledger lacks of a sweep: every design is screened, each part chooses, the last choice is tested."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from phusion.errors import InputError, MethodWarning
from phusion.evaluation.directions import directions
from phusion.execution.resources import Resources
from phusion.execution.threads import Threads
from phusion.experiments.ledger import Cell, Ledger
from phusion.graph.ids import Array
from phusion.spec import Spec
from phusion.sweeps.cells import PRECISION, choice_cell, embedding_cell, judgement_cell, screen_cell, test_cell
from phusion.sweeps.designs import Design, label_of
from phusion.sweeps.found import failed_in, screens_in, winner_in
from phusion.sweeps.problem import Problem
from phusion.sweeps.race import passed, raced
from phusion.sweeps.rule import Part
from phusion.sweeps.shelf import Shelf

__all__ = ["run_sweep"]

_POLL = 0.3  # seconds between looks at what other processes do
_SHARE = 0.25  # of the memory, for rows that are at hand


@dataclass(frozen=True)
class _Batch:
    """Cells that are computed together, by a function of the keys that are this process's."""

    what: str
    cells: tuple[Cell, ...]
    compute: Callable[[set[str]], None]


def run_sweep(
    problem: Problem,
    designs: Sequence[Design],
    ledger: Ledger,
    *,
    resources: Resources,
    room: int,
    said: Callable[[str], None] | None = None,
) -> None:
    """Compute all that is not recorded; what another process computes is waited for.

    `room` is what embeddings may take on disk, beside the ledger; `said` is told after each cell what is under way.
    """
    folder = ledger.path.with_name(ledger.path.name + ".embeddings")
    shelf = Shelf(folder, room, int(_SHARE * resources.budget))
    run = _Run(problem, designs, ledger, replace(resources, precision=PRECISION), shelf, said)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MethodWarning)  # of a hundred designs; the winner's are said when it is made
        warnings.simplefilter("ignore", ConvergenceWarning)  # a machine's iterations end at 1,000, as published
        run.complete(run.screening())
        run.complete(run.choices())
        run.complete(run.tests())


class _Run:
    """The state of one run."""

    def __init__(
        self, problem: Problem, designs: Sequence[Design], ledger: Ledger, resources: Resources, shelf: Shelf,
        said: Callable[[str], None] | None,
    ) -> None:  # fmt: skip
        self.problem, self.designs, self.ledger, self.resources = problem, list(designs), ledger, resources
        self.shelf, self._said = shelf, said
        self.screens: dict[str, dict[tuple[int, int], list[float]]] = {}

    def said(self, what: str) -> None:
        """What is under way."""
        if self._said is not None:
            self._said(what)

    def complete(self, batches: Iterable[_Batch]) -> None:
        """Every cell of the batches, by this process or another."""
        waiting = list(batches)
        while waiting:
            known = self.ledger.recorded(cell.key for batch in waiting for cell in batch.cells)
            waiting = [batch for batch in waiting if any(cell.key not in known for cell in batch.cells)]
            if not [batch for batch in waiting if self._take(batch)] and waiting:
                self.said("waiting for what other processes compute")
                time.sleep(_POLL)

    def _take(self, batch: _Batch) -> bool:
        mine = self.ledger.claim(cell.key for cell in batch.cells)
        try:
            if mine:
                self.said(batch.what)
                batch.compute(mine)
        finally:
            self.ledger.release(mine)
        return bool(mine)

    # all designs, by the first step

    def screening(self) -> Iterator[_Batch]:
        """Designs with one proximity share it."""
        groups: dict[Any, list[Design]] = {}
        for design in self.designs:
            groups.setdefault((design.spec.proximity, design.spec.pooling), []).append(design)
        for some in groups.values():
            cells = {design: self._screen_cells(design) for design in some}
            what = f"screening {some[0].label}" + (f" and {len(some) - 1} more" if len(some) > 1 else "")
            every = tuple(cell for each in cells.values() for cell in each.values())
            yield _Batch(what, every, partial(self._screen, cells))

    def _screen_cells(self, design: Design) -> dict[int | None, Cell]:
        return {seed: screen_cell(self.problem, design.spec, seed) for seed in (*self.problem.rule.seeds, None)}

    def _screen(self, cells: dict[Design, dict[int | None, Cell]], mine: set[str]) -> None:
        wanted = [design for design, each in cells.items() if any(cell.key in mine for cell in each.values())]
        rows = self._rows([design.spec for design in wanted])
        for design, values in zip(wanted, rows, strict=True):
            for seed, cell in cells[design].items():
                if cell.key not in mine:
                    continue
                started = time.perf_counter()
                result, error = None, None
                if isinstance(values, Exception):
                    error = f"{type(values).__name__}: {values}"
                else:
                    result = self._screened(values, seed)
                self.ledger.record(cell, result, error, time.perf_counter() - started)
            self.said(f"screening {design.label}")

    def _screened(self, values: Array, seed: int | None) -> list[list[float]]:
        wanted = [part for part in self.problem.parts if (None if part.whole else part.seed) == seed]
        return list(self._threads(self.problem.screened, [(values, part) for part in wanted]))

    # the choice of each part

    def choices(self) -> Iterator[_Batch]:
        """One part after another."""
        self.screens = screens_in(self.problem, self.designs, self.ledger)
        if not self.screens:
            name, reason = next(iter(failed_in(self.problem, self.designs, self.ledger).items()))
            raise InputError(f"none of the designs can be computed here; {name}: {reason}")
        for part in self.problem.parts:
            where = "all examples" if part.whole else f"seed {part.seed}, split {part.split + 1}"
            cell = choice_cell(self.problem, self.designs, part)
            yield _Batch(f"choosing on {where}", (cell,), partial(self._choose, part, cell))

    def _choose(self, part: Part, cell: Cell, _: set[str]) -> None:
        started = time.perf_counter()
        place = (part.seed, part.split)
        specs = {design.key: design.spec for design in self.designs if place in self.screens.get(design.key, {})}
        screened = {key: self.screens[key][place] for key in specs}
        proposed = self._proposed(part, screened)
        specs |= {design.key: design.spec for design in proposed}
        order = passed(screened, self.problem.rule.keep)
        found = raced(order, self.problem.rule, lambda asked: self._judged(part, specs, asked))
        result: dict[str, Any] = {"winner": found.winner, "raced": found.scores, "test": None}
        if not part.whole:
            result["test"] = self.problem.tested(self._rows([specs[found.winner]])[0], part)
        result["proposed"] = {each.key: [each.spec.as_dict(), screened[each.key]] for each in proposed}
        self.ledger.record(cell, result, None, time.perf_counter() - started)

    def _proposed(self, part: Part, screened: dict[str, list[float]]) -> list[Design]:
        """Designs that Optuna looks for with this part's training examples; their scores go beside the others'."""
        if not self.problem.rule.trials:
            return []
        from phusion.sweeps.trials import proposals

        found: dict[str, Design] = {}

        def screen(spec: Spec) -> list[float] | None:
            design = Design(label_of(spec), spec)
            if design.key not in screened:
                rows = self._rows([spec])[0]
                if isinstance(rows, Exception):
                    return None
                screened[design.key] = self.problem.screened(rows, part)
                found[design.key] = design
            return screened[design.key]

        proposals(self.problem, part, screen)
        return list(found.values())

    def _judged(self, part: Part, specs: dict[str, Spec], asked: Sequence[tuple[str, int]]) -> list[float]:
        cells = {each: judgement_cell(self.problem, specs[each[0]], part, each[1]) for each in asked}
        known = self.ledger.done(cell.key for cell in cells.values())
        left = [each for each in asked if cells[each].key not in known]
        names = list(dict.fromkeys(name for name, _ in left))
        rows = dict(zip(names, self._rows([specs[name] for name in names]), strict=True))
        scores = {each: float(known[cells[each].key].result) for each in asked if cells[each].key in known}
        arguments = [(rows[name], part, fold) for name, fold in left]
        started = time.perf_counter()
        for each, score in zip(left, self._threads(self.problem.judged, arguments), strict=True):
            self.ledger.record(cells[each], score, None, time.perf_counter() - started)
            started, scores[each] = time.perf_counter(), score
        return [scores[each] for each in asked]

    # the last choice, as if it had been made beforehand

    def tests(self) -> Iterator[_Batch]:
        """What the design chosen on all examples gets in each split: optimistic, as it has seen the test examples."""
        winner = winner_in(self.problem, self.designs, self.ledger)
        for seed in self.problem.rule.seeds:
            cell = test_cell(self.problem, winner.spec, seed)
            yield _Batch(f"testing {winner.label}", (cell,), partial(self._test, winner, cell, seed))

    def _test(self, winner: Design, cell: Cell, seed: int, _: set[str]) -> None:
        started = time.perf_counter()
        rows = self._rows([winner.spec])[0]
        parts = [part for part in self.problem.parts if part.seed == seed and not part.whole]
        found = list(self._threads(self.problem.tested, [(rows, part) for part in parts]))
        self.ledger.record(cell, found, None, time.perf_counter() - started)

    # rows and threads

    def _rows(self, specs: Sequence[Spec]) -> list[Any]:
        """Rows in their directions that matter: from the shelf, or computed together and put there."""
        same = {**self.problem.embedded_identity, "precision": PRECISION, "C": self.problem.rule.C}
        about = [{**same, "spec": spec.as_dict()} for spec in specs]
        found: list[Any] = [self.shelf.get(each) for each in about]
        missing = [place for place, values in enumerate(found) if values is None]
        started = time.perf_counter()
        computed = self.problem.embedded([specs[place] for place in missing], self.resources) if missing else []
        share = (time.perf_counter() - started) / max(1, len(missing))
        for place, values in zip(missing, computed, strict=True):
            found[place] = values
            if not isinstance(values, Exception):
                found[place] = directions(values, self.problem.rule.C).astype(np.float32)
                self.shelf.put(about[place], found[place])
                self.ledger.record(embedding_cell(self.problem, specs[place]), share, None, share)
        return found

    def _threads(self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        return Threads(self.resources.n_threads).map(function, arguments)
