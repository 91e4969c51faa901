"""What decides the paper's observations about the best designs: of each kind, of each data set, and on average."""

from __future__ import annotations

import numpy as np
from scipy import stats

from phusion.evaluation.ranks import ranks
from phusion.experiments.known_scores import Decide, Tables, datasets_of, designs_on, score_of, signed
from phusion.experiments.tables import Table

__all__ = [
    "BEST",
    "best_are_binarised",
    "best_designs_differ",
    "best_positional",
    "graphwave_is_beaten",
    "log_is_best",
    "middle_threshold_is_best",
]

BEST = 5
"""Designs that count as the best of a kind."""


def _scores(table: Table, profile: str, dataset: str) -> dict[tuple[str, str], float]:
    """(Ψ, σ) → its score."""
    pairs = [(one.proximity, one.nonlinearity) for one in designs_on(table, profile, dataset)]
    return {pair: score_of(table, profile, dataset, *pair) for pair in pairs}


def _average_ranks(table: Table, profile: str) -> dict[tuple[str, str], float]:
    """(Ψ, σ) → its rank among all designs, averaged over the data sets."""
    places: dict[tuple[str, str], list[float]] = {}
    for dataset in datasets_of(table):
        scores = _scores(table, profile, dataset)
        for pair, place in zip(scores, ranks(list(scores.values())), strict=True):
            places.setdefault(pair, []).append(place)
    return {pair: float(np.mean(some)) for pair, some in places.items()}


def _averages(table: Table, profile: str) -> dict[str, dict[str, float]]:
    """Data set → σ → its score, averaged over Ψ."""
    found = {}
    for dataset in datasets_of(table):
        scores = _scores(table, profile, dataset)
        found[dataset] = {
            name: float(np.mean([score for (_, other), score in scores.items() if other == name]))
            for name in dict.fromkeys(name for _, name in scores)
        }
    return found


def _over_datasets(averages: dict[str, dict[str, float]]) -> dict[str, float]:
    names = next(iter(averages.values()))
    return {name: float(np.mean([some[name] for some in averages.values()])) for name in names}


def best_positional(tables: Tables, profile: str) -> tuple[bool, str]:
    """Average ranks of Ψ over all data sets and σ."""
    places: dict[str, list[float]] = {}
    for (proximity, _), place in _average_ranks(tables["rank_prox"], profile).items():
        places.setdefault(proximity, []).append(place)
    order = sorted(places, key=lambda proximity: float(np.mean(places[proximity])))
    words = ", ".join(f"{proximity} {np.mean(places[proximity]):.1f}" for proximity in order)
    return set(order[:2]) == {"PPMI", "L⁺"}, f"average ranks: {words}"


def best_designs_differ(tables: Tables, profile: str) -> tuple[bool, str]:
    """The best positional and the best structural designs, and the rank correlation of all."""
    positional, structural = (_average_ranks(tables[name], profile) for name in ("rank_prox", "rank_struc"))
    both = [pair for pair in positional if pair in structural]
    link = stats.spearmanr([positional[pair] for pair in both], [structural[pair] for pair in both])
    best = [sorted(both, key=lambda pair: found[pair])[:BEST] for found in (positional, structural)]
    shared = [pair for pair in best[0] if pair in best[1]]
    lists = [", ".join(" ".join(pair) for pair in some) for some in best]
    named = f" ({', '.join(' '.join(pair) for pair in shared)})" if shared else ""
    evidence = (
        f"{len(shared)} of the best {BEST} are the same{named}; rank correlation of the average ranks of {len(both)} "
        f"designs {signed(float(link.statistic))} (Spearman, p = {link.pvalue:.2g}); best positional ones: {lists[0]}; "
        f"best structural ones: {lists[1]}"
    )
    return 2 * len(shared) < BEST, evidence


def log_is_best(tables: Tables, profile: str) -> tuple[bool, str]:
    """Averages of σ over Ψ, on each positional data set and over all of them."""
    averages = _averages(tables["rank_prox"], profile)
    overall = _over_datasets(averages)
    order = sorted(overall, key=lambda name: -overall[name])
    words = "; ".join(f"{dataset}: {_best(some)}" for dataset, some in averages.items())
    means = ", ".join(f"{name} {overall[name]:.2f}" for name in order)
    return order[0] == "Log", f"averages over Ψ and data sets: {means}; the best on {words}"


def middle_threshold_is_best(tables: Tables, profile: str) -> tuple[bool, str]:
    """Averages of the three binarisations, over Ψ and positional data sets."""
    averages = _averages(tables["rank_prox"], profile)
    overall = _over_datasets(averages)
    words = [
        f"{where}: {', '.join(f'{name} {some[name]:.2f}' for name in ('Bin 5', 'Bin 50', 'Bin 95'))}"
        for where, some in {"all data sets": overall, **averages}.items()
    ]
    return overall["Bin 50"] > max(overall["Bin 5"], overall["Bin 95"]), f"averages over Ψ on {'; '.join(words)}"


def best_are_binarised(study: str) -> Decide:
    """Whether the best design of each data set is a binarisation."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        table, words, binarised = tables[study], [], 0
        for dataset in datasets_of(table):
            scores = _scores(table, profile, dataset)
            best = max(scores, key=lambda pair: scores[pair])
            binarised += best[1].startswith("Bin ")
            words.append(f"{dataset}: {' '.join(best)} {scores[best]:.2f}")
        return 2 * binarised > len(words), f"on {binarised} of {len(words)} data sets; {'; '.join(words)}"

    return decide


def graphwave_is_beaten(tables: Tables, profile: str) -> tuple[bool, str]:
    """The best design of each data set against HK without nonlinearity."""
    table, beaten, words = tables["rank_struc"], [], []
    for dataset in datasets_of(table):
        scores = _scores(table, profile, dataset)
        best = max(scores, key=lambda pair: scores[pair])
        ours = scores["HK", "Identity"]
        beaten.append(scores[best] > ours)
        words.append(f"{dataset}: HK {ours:.2f}, best {' '.join(best)} {scores[best]:.2f}")
    return all(beaten), "; ".join(words)


def _best(averages: dict[str, float]) -> str:
    name = max(averages, key=lambda each: averages[each])
    return f"{name} {averages[name]:.2f}"
