"""Designs that Optuna proposes from the training examples of one part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from phusion.spec import Spec
from phusion.sweeps.problem import Problem
from phusion.sweeps.rule import Part

__all__ = ["proposals"]

_SCALES = [round(10 ** (k / 4), 4) for k in range(-8, 9)]  # four for each factor of ten
_SHARES = ["0.1", "0.25", "0.5", "0.75", "0.9"]
_PERCENTILES = [5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0]
_UPPERS = [0.3, 1.0, 3.0, 10.0, 30.0, 100.0]
_DIMS = [32, 64, 128]


def proposals(problem: Problem, part: Part, screen: Callable[[Spec], Sequence[float] | None]) -> None:
    """Have so many designs screened, each where those before it were good.

    `screen` gives the scores of a design's inner folds in this part, or None if it cannot be computed. What is proposed
    depends on them alone, and so on no test example; another part looks for itself. Values are of a grid, so that parts
    meet in the same designs and share their embeddings.
    """
    import optuna

    def objective(trial: Any) -> float:
        scores = screen(_proposed(trial, problem))
        if scores is None:
            raise optuna.TrialPruned
        return fmean(scores)

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        seed = (1_000_003 * part.seed + part.split + 1) % 2**32
        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
        study.optimize(objective, n_trials=problem.rule.trials)
    finally:
        optuna.logging.set_verbosity(before)


def _proposed(trial: Any, problem: Problem) -> Spec:
    """One point of the space: Ψ with its scale, σ with its percentile, ζ with its length or landmarks."""
    pooling = trial.suggest_categorical("pooling", ["mean", "sum"]) if problem.graphs else None
    kind = "structural" if problem.graphs else problem.rule.kind
    kind = kind or trial.suggest_categorical("kind", ["structural", "positional"])
    structural = kind == "structural"
    normalize = None if structural else trial.suggest_categorical("normalize", ["none", "l2"])
    return Spec(
        _proximity(trial),
        _nonlinearity(trial),
        _characteristic(trial) if structural else _svd(trial, problem.size),
        pooling,
        normalize="l2" if normalize == "l2" else None,
        random_state=0,
    )


def _proximity(trial: Any) -> dict[str, Any]:
    names = ["ppmi", "heat", "katz", "fabp", "laplacian_pinv", "adjacency_power", "walk_power", "pagerank"]
    name = trial.suggest_categorical("proximity", names)
    scale: dict[str, Any] = {}
    if name == "ppmi":
        scale["window"] = trial.suggest_int("window", 1, 20)
    elif name == "heat":
        scale["scale"] = trial.suggest_categorical("scale", _SCALES)
    elif name == "katz":
        scale["beta"] = f"{trial.suggest_categorical('beta', _SHARES)}/λmax"
    elif name in ("adjacency_power", "walk_power"):
        order = trial.suggest_int("order", 1, 5)
        together = trial.suggest_categorical("orders", ["alone", "together"]) == "together"
        scale["order"] = list(range(1, order + 1)) if together and order > 1 else order
    elif name == "pagerank":
        scale["alpha"] = trial.suggest_categorical("alpha", [0.5, 0.7, 0.85, 0.95])
    return {"name": name, **scale}


def _nonlinearity(trial: Any) -> Any:
    name = trial.suggest_categorical("nonlinearity", ["identity", "log", "binarize"])
    if name == "binarize":
        return {"name": name, "percentile": trial.suggest_categorical("percentile", _PERCENTILES)}
    return name


def _characteristic(trial: Any) -> dict[str, Any]:
    return {
        "name": "characteristic",
        "landmarks": trial.suggest_categorical("landmarks", [10, 25, 50]),
        "upper": trial.suggest_categorical("upper", _UPPERS),
        "centered": trial.suggest_categorical("centered", [False, True]),
    }


def _svd(trial: Any, size: int) -> dict[str, Any]:
    return {"name": "svd", "dim": min(size, trial.suggest_categorical("dim", _DIMS))}
