"""What decides the paper's observations: each function says whether one holds in a profile, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy import stats

from phusion.errors import InputError
from phusion.evaluation.ranks import ranks
from phusion.experiments.tables import Score, Table
from phusion.experiments.tasks import RowDistributions

__all__ = [
    "ENOUGH",
    "LEVEL",
    "Decide",
    "MissingScoresError",
    "Tables",
    "beats",
    "bells_are_good",
    "best_have_tails",
    "best_positional",
    "graphwave_is_beaten",
    "heat_is_outperformed",
    "low_orders_suffice",
    "nonlinearity_helps",
    "nonlinearity_may_not_help",
    "second_order_helps",
    "tails_are_good",
]

LEVEL = 0.05
"""Of all tests."""
ENOUGH = 1.0
"""Points that a higher order must add to count as better."""
Tables = Mapping[str, Table]
Decide = Callable[[Tables, str], tuple[bool, str]]


class MissingScoresError(InputError):
    """Scores that a statement needs are not recorded."""


def _score(table: Table, profile: str, dataset: str, proximity: str, nonlinearity: str = "") -> float:
    value = table.score(profile, dataset, proximity, nonlinearity)
    if value is None:
        label = f"{proximity} {nonlinearity}".strip()
        raise MissingScoresError(f"not computed: {label} on {dataset} in {table.study.name}, and perhaps more")
    return value


def _of_dataset(table: Table, profile: str, dataset: str) -> list[Score]:
    return [one for one in table.scores[profile] if one.dataset == dataset]


def _datasets(table: Table) -> list[str]:
    return [source.name for source in table.study.sources]


def _gains(table: Table, profile: str) -> tuple[list[float], list[float]]:
    """What each nonlinearity adds to none, and the median of that for each Ψ and data set."""
    every, medians = [], []
    for dataset in _datasets(table):
        designs = [one.design for one in _of_dataset(table, profile, dataset)]
        for proximity in dict.fromkeys(design.proximity for design in designs):
            none = _score(table, profile, dataset, proximity, "Identity")
            others = [d.nonlinearity for d in designs if d.proximity == proximity and d.nonlinearity != "Identity"]
            gains = [_score(table, profile, dataset, proximity, other) - none for other in others]
            every += gains
            medians.append(float(np.median(gains)))
    return every, medians


def nonlinearity_helps(study: str) -> Decide:
    """Sign test of what the median nonlinearity adds to none, over Ψ and data sets."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        every, medians = _gains(tables[study], profile)
        better, untied = sum(gain > 0 for gain in medians), sum(gain != 0 for gain in medians)
        chance = float(stats.binomtest(better, untied, alternative="greater").pvalue) if untied else 1.0
        evidence = (
            f"{sum(gain > 0 for gain in every)} of {len(every)} designs with a nonlinearity beat the same without; "
            f"the median one helps {better} of {len(medians)} pairs of Ψ and data set (sign test, p = {chance:.2g})"
        )
        return chance < LEVEL, evidence

    return decide


def nonlinearity_may_not_help(tables: Tables, profile: str) -> tuple[bool, str]:
    """The opposite, of structural embeddings."""
    helps, evidence = nonlinearity_helps("rank_struc")(tables, profile)
    return not helps, evidence


def graphwave_is_beaten(tables: Tables, profile: str) -> tuple[bool, str]:
    """The best design of each data set against HK without nonlinearity."""
    table, beaten, words = tables["rank_struc"], [], []
    for dataset in _datasets(table):
        ours = _score(table, profile, dataset, "HK", "Identity")
        designs = [one.design for one in _of_dataset(table, profile, dataset)]
        best = max(designs, key=lambda d: _score(table, profile, dataset, d.proximity, d.nonlinearity))
        highest = _score(table, profile, dataset, best.proximity, best.nonlinearity)
        beaten.append(highest > ours)
        words.append(f"{dataset}: HK {ours:.2f}, best {best.label} {highest:.2f}")
    return all(beaten), "; ".join(words)


def best_positional(tables: Tables, profile: str) -> tuple[bool, str]:
    """Average ranks of Ψ over all data sets and σ."""
    table = tables["rank_prox"]
    places: dict[str, list[float]] = {}
    for dataset in _datasets(table):
        designs = [one.design for one in _of_dataset(table, profile, dataset)]
        here = ranks([_score(table, profile, dataset, d.proximity, d.nonlinearity) for d in designs])
        for design, place in zip(designs, here, strict=True):
            places.setdefault(design.proximity, []).append(place)
    order = sorted(places, key=lambda proximity: float(np.mean(places[proximity])))
    words = ", ".join(f"{proximity} {np.mean(places[proximity]):.1f}" for proximity in order)
    return set(order[:2]) == {"PPMI", "L⁺"}, f"average ranks: {words}"


def _curves(table: Table, profile: str) -> dict[str, dict[int, float]]:
    """Family and data set → order → score."""
    found: dict[str, dict[int, float]] = {}
    for one in table.scores[profile]:
        family, _, order = one.design.label.rpartition(" ")
        score = _score(table, profile, one.dataset, one.design.proximity, one.design.nonlinearity)
        found.setdefault(f"{family} on {one.dataset}", {})[int(order)] = score
    return found


def low_orders_suffice(study: str) -> Decide:
    """What orders above 2 add to order 2, curve by curve."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        words, gains = [], []
        for name, curve in _curves(tables[study], profile).items():
            best = max(curve, key=lambda order: curve[order])
            gains.append(max(score for order, score in curve.items() if order > 2) - curve[2])
            words.append(f"{name}: best k = {best}, k > 2 adds {_signed(gains[-1])}")
        few = sum(gain < ENOUGH for gain in gains)
        return 2 * few > len(gains), f"in {few} of {len(gains)} curves; {'; '.join(words)}"

    return decide


def second_order_helps(study: str) -> Decide:
    """What order 2 adds to order 1, curve by curve."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        gains = {name: curve[2] - curve[1] for name, curve in _curves(tables[study], profile).items()}
        more = sum(gain > 0 for gain in gains.values())
        words = "; ".join(f"{name} {_signed(gain)}" for name, gain in gains.items())
        return 2 * more > len(gains), f"in {more} of {len(gains)} curves; {words}"

    return decide


def _shapes(tables: Tables, profile: str, rows: str, scored: str) -> tuple[list[float], dict[str, list[float]]]:
    """Scores of the designs, and how bell-shaped each statistic of their rows is."""
    scores: list[float] = []
    bells: dict[str, list[float]] = {statistic: [] for statistic in RowDistributions.metrics}
    for one in tables[rows].scores[profile]:
        if not one.raw:
            raise MissingScoresError(f"not computed: {one.design.label} on {one.dataset} in {rows}, and perhaps more")
        design = one.design
        scores.append(_score(tables[scored], profile, one.dataset, design.proximity, design.nonlinearity))
        for statistic, values in bells.items():
            values.append(one.raw[0][statistic]["bell_over_tail"])
    return scores, bells


def _correlated(scores: list[float], bells: list[float]) -> tuple[float, float]:
    if len(set(scores)) < 2 or len(set(bells)) < 2:
        return 0.0, 1.0
    found = stats.spearmanr(bells, scores)
    return float(found.statistic), float(found.pvalue)


def bells_are_good(tables: Tables, profile: str) -> tuple[bool, str]:
    """Rank correlation of bell shape and score over positional designs."""
    scores, bells = _shapes(tables, profile, "rows_positional", "rank_prox")
    link, chance = _correlated(scores, bells["sum"])
    bell = sum(value > 0 for value in bells["sum"])
    words = (
        f"{bell} of {len(scores)} designs have bell-shaped row sums; rank correlation with the score {_signed(link)}"
    )
    return link > 0 and chance < LEVEL, f"{words} (p = {chance:.2g})"


def tails_are_good(tables: Tables, profile: str) -> tuple[bool, str]:
    """The same for each statistic over structural designs; the level is shared among them."""
    scores, bells = _shapes(tables, profile, "rows_structural", "rank_struc")
    links = {statistic: _correlated(scores, values) for statistic, values in bells.items()}
    words = (f"{statistic} {_signed(link)} (p = {chance:.2g})" for statistic, (link, chance) in links.items())
    holds = any(link < 0 and chance < LEVEL / len(links) for link, chance in links.values())
    return holds, f"rank correlation of bell shape with the score over {len(scores)} Ψ: {', '.join(words)}"


def best_have_tails(tables: Tables, profile: str) -> tuple[bool, str]:
    """How many of the best three Ψ have heavy tails."""
    scores, bells = _shapes(tables, profile, "rows_structural", "rank_struc")
    best = np.argsort(scores)[::-1][:3]
    heavy = {statistic: sum(values[k] < 0 for k in best) for statistic, values in bells.items()}
    words = ", ".join(f"{statistic} {count} of {len(best)}" for statistic, count in heavy.items())
    return 2 * sum(heavy.values()) > len(best) * len(heavy), f"heavy tails among the three best Ψ: {words}"


def beats(ours: str, theirs: str, claimed: tuple[str, ...]) -> Decide:
    """Two designs of the graph table, on the data sets for which the paper claims it."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        table, words, better = tables["graph_classification"], [], []
        for dataset in _datasets(table):
            mine, other = (_score(table, profile, dataset, label) for label in (ours, theirs))
            words.append(f"{dataset}: {mine:.2f} against {other:.2f}")
            if dataset in claimed:
                better.append(mine > other)
        if not better:
            raise MissingScoresError(f"not computed: {' and '.join(claimed)} are not part of this study")
        return all(better), "; ".join(words)

    return decide


def heat_is_outperformed(study: str, every_metric: bool) -> Decide:
    """HK against the best Ψ of each metric."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        found: dict[str, dict[str, float]] = {}
        for entry in tables[study].entries:
            value = entry.found.get(profile)
            if value is None:
                raise MissingScoresError(f"not computed: {entry.row} in {study}, and perhaps more")
            found.setdefault(entry.column, {})[entry.row] = value
        words, beaten = [], []
        for metric, values in found.items():
            best = max(values, key=lambda row: values[row])
            beaten.append(values[best] > values["HK"])
            words.append(f"{metric}: HK {values['HK']:.4f}, best {best} {values[best]:.4f}")
        return all(beaten) if every_metric else any(beaten), "; ".join(words)

    return decide


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
