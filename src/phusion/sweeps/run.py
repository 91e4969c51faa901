"""Computing what a ledger lacks of a sweep: every design is screened, each part chooses, the last choice is tested."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from phusion.errors import InputError, MethodWarning
from phusion.execution.resources import Resources
from phusion.execution.threads import Threads
from phusion.experiments.ledger import Cell, Ledger
from phusion.graph.ids import Array
from phusion.spec import Spec
from phusion.sweeps.cells import PRECISION, choice_cell, embedding_cell, judgement_cell, screen_cell, test_cell
from phusion.sweeps.designs import Design, label_of
from phusion.sweeps.found import failed_in, screens_in, winner_in
from phusion.sweeps.problem import Problem
from phusion.sweeps.race import Asked, passed, race, raced
from phusion.sweeps.rule import Part
from phusion.sweeps.shelf import Shelf

__all__ = ["run_sweep", "shelf_of"]

_POLL = 0.1  # seconds between looks at what other processes do
_SHARE = 0.25  # of the memory, for rows that are at hand
_PARTS = 5  # that choose together: few, so that processes share them, and enough for wide products


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
    shelf = shelf_of(ledger, room, int(_SHARE * resources.budget))
    shelf.tidy()
    run = _Run(problem, designs, ledger, replace(resources, precision=PRECISION), shelf, said)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MethodWarning)  # of a hundred designs; the winner's are said when it is made
        warnings.simplefilter("ignore", ConvergenceWarning)  # a machine's iterations end at 1,000, as published
        run.complete(run.screening())
        run.complete(run.choices())
        run.complete(run.tests())


def shelf_of(ledger: Ledger, room: int, held: int = 0) -> Shelf:
    """Where embeddings are kept, beside the ledger."""
    return Shelf(ledger.path.with_name(ledger.path.name + ".embeddings"), room, held)


@dataclass
class _Choice:
    """A part that chooses: its designs by key with their scores, and those that were proposed for it."""

    cell: Cell
    part: Part
    specs: dict[str, Spec] = field(default_factory=dict)
    screened: dict[str, list[float]] = field(default_factory=dict)
    proposed: list[Design] = field(default_factory=list)


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
        rows = self._rows_or_errors([design.spec for design in wanted])
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
        parts = self.problem.parts
        for first in range(0, len(parts), _PARTS):
            some = [_Choice(choice_cell(self.problem, self.designs, part), part) for part in parts[first:][:_PARTS]]
            what = f"choosing on {_where(some[0].part)}" + (f" and {len(some) - 1} more" if len(some) > 1 else "")
            yield _Batch(what, tuple(choice.cell for choice in some), partial(self._choose, some))

    def _choose(self, each: Sequence[_Choice], mine: set[str]) -> None:
        """Races of several parts at once, so that a design's regressions are made side by side."""
        started = time.perf_counter()
        some = [choice for choice in each if choice.cell.key in mine]
        for choice in some:
            self._screened_in(choice)
        keep, rule = self.problem.rule.keep, self.problem.rule
        races = [race(passed(choice.screened, keep), rule) for choice in some]
        for choice, found in zip(some, raced(races, partial(self._judged, some)), strict=True):
            result: dict[str, Any] = {"winner": found.winner, "raced": found.scores, "test": None}
            if not choice.part.whole:
                rows = self._rows([choice.specs[found.winner]])[0]
                result["test"] = self.problem.tested(rows, choice.part)
            result["proposed"] = {one.key: [one.spec.as_dict(), choice.screened[one.key]] for one in choice.proposed}
            self.ledger.record(choice.cell, result, None, (time.perf_counter() - started) / len(some))
            self.said(f"choosing on {_where(choice.part)}")

    def _screened_in(self, choice: _Choice) -> None:
        """What was screened in this part, and what is proposed for it."""
        place = (choice.part.seed, choice.part.split)
        for design in self.designs:
            if place in self.screens.get(design.key, {}):
                choice.specs[design.key], choice.screened[design.key] = design.spec, self.screens[design.key][place]
        choice.proposed = self._proposed(choice.part, choice.screened)
        choice.specs |= {design.key: design.spec for design in choice.proposed}

    def _proposed(self, part: Part, screened: dict[str, list[float]]) -> list[Design]:
        """Designs that Optuna looks for with this part's training examples; their scores go beside the others'."""
        if not self.problem.rule.trials:
            return []
        from phusion.sweeps.trials import proposals

        found: dict[str, Design] = {}

        def screen(spec: Spec) -> list[float] | None:
            design = Design(label_of(spec), spec)
            if design.key not in screened:
                rows = self._rows_or_errors([spec])[0]
                if isinstance(rows, Exception):
                    return None
                screened[design.key] = self.problem.screened(rows, part)
                found[design.key] = design
            return screened[design.key]

        proposals(self.problem, part, screen)
        return list(found.values())

    def _judged(self, some: Sequence[_Choice], asked: Sequence[Sequence[Asked]]) -> list[list[float]]:
        """What each race asks for: from the ledger, or computed, for each design together."""
        cells = {
            (place, *each): judgement_cell(self.problem, some[place].specs[each[0]], some[place].part, each[1])
            for place, wanted in enumerate(asked)
            for each in wanted
        }
        known = self.ledger.done(cell.key for cell in cells.values())
        scores = {each: float(known[cell.key].result) for each, cell in cells.items() if cell.key in known}
        left: dict[str, list[tuple[int, str, int]]] = {}
        for each in cells:
            if each not in scores:
                left.setdefault(each[1], []).append(each)
        specs = [some[wanted[0][0]].specs[name] for name, wanted in left.items()]
        arguments = [
            (rows, [(some[place].part, fold) for place, _, fold in wanted])
            for rows, wanted in zip(self._rows(specs), left.values(), strict=True)
        ]
        started = time.perf_counter()
        judged = self._threads(lambda rows, folds: list(self.problem.judged(rows, folds)), arguments)
        for wanted, found in zip(left.values(), judged, strict=True):
            seconds = (time.perf_counter() - started) / len(wanted)
            scores |= zip(wanted, found, strict=True)
            self.ledger.record_all(
                (cells[each], score, None, seconds) for each, score in zip(wanted, found, strict=True)
            )
            started = time.perf_counter()
        return [[scores[place, *each] for each in wanted] for place, wanted in enumerate(asked)]

    # the last choice, as if it had been made beforehand

    def tests(self) -> Iterator[_Batch]:
        """What the design chosen on all examples gets in each split: optimistic, as it has seen the test examples."""
        winner = winner_in(self.problem, self.designs, self.ledger)
        for seed in self.problem.rule.seeds:
            cell = test_cell(self.problem, winner.spec, seed)
            yield _Batch(f"testing {winner.label}", (cell,), partial(self._test, winner, cell, seed))

    def _test(self, winner: Design, cell: Cell, seed: int, _: set[str]) -> None:
        started = time.perf_counter()
        parts = [part for part in self.problem.parts if part.seed == seed and not part.whole]
        keys = [choice_cell(self.problem, self.designs, part).key for part in parts]
        choices = self.ledger.done(keys)
        # where a split has chosen the same design, that is the test it was given
        found = [
            each["test"] if each["winner"] == winner.key else None for each in (choices[key].result for key in keys)
        ]
        others = [place for place, test in enumerate(found) if test is None]
        rows = self._rows([winner.spec])[0] if others else None
        tests = self._threads(self.problem.tested, [(rows, parts[place]) for place in others])
        for place, test in zip(others, tests, strict=True):
            found[place] = test
        self.ledger.record(cell, found, None, time.perf_counter() - started)

    # rows and threads

    def _rows(self, specs: Sequence[Spec]) -> list[Array]:
        """Rows of designs that could be computed before, and are not to be done without."""
        found = self._rows_or_errors(specs)
        for values in found:
            if isinstance(values, Exception):  # there was more memory when they were screened
                raise values
        return found

    def _rows_or_errors(self, specs: Sequence[Spec]) -> list[Any]:
        """Rows in their directions that matter: from the shelf, or computed together and put there."""
        same = {**self.problem.embedded_identity, "precision": PRECISION, "C": self.problem.rule.C}
        same |= {} if self.problem.graphs else {"intercept": "turned with the rest"}
        about = [{**same, "spec": spec.as_dict()} for spec in specs]
        found: list[Any] = [self.shelf.get(each) for each in about]
        missing = [place for place, values in enumerate(found) if values is None]
        started = time.perf_counter()
        computed = self.problem.embedded([specs[place] for place in missing], self.resources) if missing else []
        share = (time.perf_counter() - started) / max(1, len(missing))
        for place, values in zip(missing, computed, strict=True):
            found[place] = values
            if not isinstance(values, Exception):
                found[place] = self.problem.turned(values)
                self.shelf.put(about[place], found[place])
                self.ledger.record(embedding_cell(self.problem, specs[place]), share, None, share)
        return found

    def _threads(self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        return Threads(self.resources.n_threads).map(function, arguments)


def _where(part: Part) -> str:
    return "all examples" if part.whole else f"seed {part.seed}, split {part.split + 1}"
