"""How long a run will take is known early, and from cells of the same kind."""

from __future__ import annotations

from dataclasses import dataclass

from phusion.experiments.pace import Pace
from phusion.experiments.reading import paper_studies
from phusion.experiments.runner import _one_of_each_kind_first, all_work
from phusion.experiments.study import PROFILES


@dataclass(frozen=True)
class Cell:
    kind: str


def test_cells_are_taken_to_last_as_long_as_others_of_their_kind():
    work = {f"{kind}{k}": Cell(kind) for kind in ("short", "long", "new") for k in range(10)}
    said = []
    pace = Pace(work, said.append, processes=2)
    pace.update({})
    assert said[-1].remaining is None
    pace.add("short0", 1.0)
    pace.add("long0", 100.0)
    usual = 50.5  # of all, for those of which none is known
    assert said[-1].remaining == (9 * 1.0 + 9 * 100.0 + 10 * usual) / 2
    assert (said[-1].done, said[-1].total) == (2, 30)


def test_cells_that_cannot_be_computed_take_no_time():
    work = {f"{kind}{k}": Cell(kind) for kind in ("here", "missing") for k in range(3)}
    said = []
    pace = Pace(work, said.append)
    pace.update({"here0": 1.0, "here1": 3.0, "missing0": 5.0}, "the third")
    assert said[-1].remaining == 12.0 and said[-1].what == "the third"
    pace.leave_out(key for key in work if key.startswith("missing"))
    assert (said[-1].done, said[-1].total, said[-1].remaining) == (3, 4, 2.0)
    pace.add("here2", 1.0)
    assert (said[-1].done, said[-1].total, said[-1].remaining) == (4, 4, 0.0)
    pace.add("missing1", 1.0)  # another process has the data
    assert (said[-1].done, said[-1].total, said[-1].remaining) == (5, 5, 0.0)


def test_one_batch_of_each_table_and_data_set_comes_first():
    batches: dict[str, list] = {}
    for one in all_work(paper_studies().values(), PROFILES).values():
        batches.setdefault(one.batch, []).append(one)
    given = list(batches.values())
    ordered = _one_of_each_kind_first(given)
    kinds = [batch[0].kind for batch in ordered]
    n_kinds = len(set(kinds))
    assert len(set(kinds[:n_kinds])) == n_kinds
    assert ("rank_prox", "blogcatalog") in kinds[:n_kinds]
    rest = [batch for batch in given if batch in ordered[n_kinds:]]
    assert rest == ordered[n_kinds:]  # the others as they were
    assert sum(map(len, ordered)) == sum(map(len, given))
