"""`Rule`: how a design is chosen, and on what the choice is tested; `Part`: one place where it is chosen."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from phusion.errors import InputError
from phusion.evaluation.top_labels import METRICS
from phusion.graph.ids import Array

__all__ = ["Part", "Rule"]


@dataclass(frozen=True)
class Rule:
    """The outer protocol is the paper's; choices are made by folds inside each training part.

    Parameters
    ----------
    metric : what is compared: ``"micro_f1"``, ``"macro_f1"`` or ``"accuracy"``.
    seeds, splits, train_size : so many random splits from each seed, with this share to train on. Of graphs, each seed
        draws an order that is cut into so many parts, each the test once, and train_size does not count.
    folds : parts into which a training part is cut to choose.
    keep : designs that pass the screening of all.
    C : weight of the examples against the penalty.
    trials : designs that Optuna proposes in each part, beside those given.
    kind : what Optuna proposes, ``"structural"`` or ``"positional"``; None for both.
    examples : most examples that an inner fold trains on; None for all.
    """

    metric: str = "micro_f1"
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    splits: int = 10
    train_size: float = 0.8
    folds: int = 5
    keep: int = 8
    C: float = 1.0
    trials: int = 0
    kind: str | None = None
    examples: int | None = None

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise InputError(f"metric is one of {', '.join(METRICS)}; got {self.metric!r}")
        for name, least in (("splits", 1), ("folds", 3), ("keep", 1), ("trials", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise InputError(f"{name} is a whole number ≥ {least}; got {value!r}")
        if not self.seeds or not all(type(seed) is int and 0 <= seed < 2**32 for seed in self.seeds):
            raise InputError(f"seeds are whole numbers from 0 to 2³² − 1, one at least; got {self.seeds!r}")
        if len(set(self.seeds)) < len(self.seeds):
            raise InputError(f"seeds has a number twice: {self.seeds!r}")
        if not 0 < self.train_size < 1 or not self.C > 0:
            raise InputError(f"train_size is between 0 and 1 and C above 0; got {self.train_size!r} and {self.C!r}")

    def about(self, *names: str) -> dict[str, Any]:
        """Plain values of these, for the ledger."""
        plain = asdict(self)
        return {name: plain[name] for name in names if plain[name] is not None}

    @property
    def rungs(self) -> tuple[tuple[int, ...], ...]:
        """The inner folds that all kept designs see, then those that the better half sees, then the better half's."""
        return (0, 1), (2,), tuple(range(3, self.folds))

    @property
    def n_splits(self) -> int:
        """Over all seeds."""
        return len(self.seeds) * self.splits


@dataclass(frozen=True)
class Part:
    """Examples that may be looked at to choose, and those that test the choice; none, where all are looked at.

    Parameters
    ----------
    seed, split : which it is; the whole has the number −1.
    train, test : places of the examples.
    folds : the inner folds, places within `train`.
    """

    seed: int
    split: int
    train: Array
    test: Array
    folds: tuple[Array, ...]

    @property
    def whole(self) -> bool:
        """Whether it is all examples, for the final choice."""
        return self.split < 0
