"""What decides the paper's observations: each function says whether one holds in a profile, and why."""

from __future__ import annotations

import numpy as np
from scipy import stats

from phusion.experiments.known_scores import (
    Decide,
    MissingScoresError,
    Tables,
    datasets_of,
    designs_on,
    score_of,
    signed,
)
from phusion.experiments.tables import Table
from phusion.experiments.tasks import RowDistributions, vuong

__all__ = [
    "ENOUGH",
    "LEVEL",
    "SURE",
    "beats",
    "bells_are_good",
    "best_have_tails",
    "heat_is_outperformed",
    "low_orders_suffice",
    "nonlinearity_helps",
    "nonlinearity_may_not_help",
    "second_order_helps",
    "tails_are_good",
]

LEVEL = 0.05
"""Of all tests."""
SURE = 1.96
"""What Vuong's z is beyond, either way, by chance in 1 of 20 cases."""
ENOUGH = 1.0
"""Points that a higher order must add to count as better."""


def _gains(table: Table, profile: str) -> tuple[list[float], list[float]]:
    """What each nonlinearity adds to none, and the median of that for each Ψ and data set."""
    every, medians = [], []
    for dataset in datasets_of(table):
        designs = designs_on(table, profile, dataset)
        for proximity in dict.fromkeys(design.proximity for design in designs):
            none = score_of(table, profile, dataset, proximity, "Identity")
            others = [d.nonlinearity for d in designs if d.proximity == proximity and d.nonlinearity != "Identity"]
            gains = [score_of(table, profile, dataset, proximity, other) - none for other in others]
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


def _curves(table: Table, profile: str) -> dict[str, dict[int, float]]:
    """Family and data set → order → score."""
    found: dict[str, dict[int, float]] = {}
    for one in table.scores[profile]:
        family, _, order = one.design.label.rpartition(" ")
        score = score_of(table, profile, one.dataset, one.design.proximity, one.design.nonlinearity)
        found.setdefault(f"{family} on {one.dataset}", {})[int(order)] = score
    return found


def low_orders_suffice(study: str) -> Decide:
    """What orders above 2 add to order 2, curve by curve."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        words, gains = [], []
        for name, curve in _curves(tables[study], profile).items():
            best = max(curve, key=lambda order: curve[order])
            gains.append(max(score for order, score in curve.items() if order > 2) - curve[2])
            words.append(f"{name}: best k = {best}, k > 2 adds {signed(gains[-1])}")
        few = sum(gain < ENOUGH for gain in gains)
        return 2 * few > len(gains), f"in {few} of {len(gains)} curves; {'; '.join(words)}"

    return decide


def second_order_helps(study: str) -> Decide:
    """What order 2 adds to order 1, curve by curve."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        gains = {name: curve[2] - curve[1] for name, curve in _curves(tables[study], profile).items()}
        more = sum(gain > 0 for gain in gains.values())
        words = "; ".join(f"{name} {signed(gain)}" for name, gain in gains.items())
        return 2 * more > len(gains), f"in {more} of {len(gains)} curves; {words}"

    return decide


Shapes = dict[str, list[tuple[float, float]]]
"""Statistic → of each design how bell-shaped it is, and Vuong's z of that."""


def _shapes(tables: Tables, profile: str, rows: str, scored: str) -> tuple[list[float], Shapes]:
    """Scores of the designs, and the shapes of their rows' statistics."""
    scores: list[float] = []
    shapes: Shapes = {statistic: [] for statistic in RowDistributions.metrics}
    for one in tables[rows].scores[profile]:
        if not one.raw:
            raise MissingScoresError(f"not computed: {one.design.label} on {one.dataset} in {rows}, and perhaps more")
        design = one.design
        scores.append(score_of(tables[scored], profile, one.dataset, design.proximity, design.nonlinearity))
        for statistic, values in shapes.items():
            found = one.raw[0][statistic]
            values.append((found["bell_over_tail"], vuong(found)))
    return scores, shapes


def _correlated(scores: list[float], shapes: list[tuple[float, float]]) -> tuple[float, float]:
    bells = [bell for bell, _ in shapes]
    if len(set(scores)) < 2 or len(set(bells)) < 2:
        return 0.0, 1.0
    found = stats.spearmanr(bells, scores)
    return float(found.statistic), float(found.pvalue)


def bells_are_good(tables: Tables, profile: str) -> tuple[bool, str]:
    """Rank correlation of bell shape and score over positional designs."""
    scores, shapes = _shapes(tables, profile, "rows_positional", "rank_prox")
    link, chance = _correlated(scores, shapes["sum"])
    words = (
        f"{sum(bell > 0 for bell, _ in shapes['sum'])} of {len(scores)} designs have row sums that are likelier normal "
        f"than exponential, {sum(z > SURE for _, z in shapes['sum'])} significantly (Vuong's z > {SURE}), and "
        f"{sum(z < -SURE for _, z in shapes['sum'])} significantly the reverse; "
        f"rank correlation with the score {signed(link)}"
    )
    return link > 0 and chance < LEVEL, f"{words} (p = {chance:.2g})"


def tails_are_good(tables: Tables, profile: str) -> tuple[bool, str]:
    """The same for each statistic over structural designs; the level is shared among them."""
    scores, shapes = _shapes(tables, profile, "rows_structural", "rank_struc")
    links = {statistic: _correlated(scores, values) for statistic, values in shapes.items()}
    words = (f"{statistic} {signed(link)} (p = {chance:.2g})" for statistic, (link, chance) in links.items())
    holds = any(link < 0 and chance < LEVEL / len(links) for link, chance in links.values())
    return holds, f"rank correlation of bell shape with the score over {len(scores)} Ψ: {', '.join(words)}"


def best_have_tails(tables: Tables, profile: str) -> tuple[bool, str]:
    """How many of the best three Ψ have heavy tails."""
    scores, shapes = _shapes(tables, profile, "rows_structural", "rank_struc")
    best = np.argsort(scores)[::-1][:3]
    heavy = {statistic: sum(values[k][0] < 0 for k in best) for statistic, values in shapes.items()}
    sure = {statistic: sum(values[k][1] < -SURE for k in best) for statistic, values in shapes.items()}
    words = ", ".join(f"{name} {count} of {len(best)} ({sure[name]} significantly)" for name, count in heavy.items())
    evidence = f"likelier exponential than normal among the three best Ψ: {words}; significant: Vuong's z < −{SURE}"
    return 2 * sum(heavy.values()) > len(best) * len(heavy), evidence


def beats(ours: str, theirs: str, claimed: tuple[str, ...]) -> Decide:
    """Two designs of the graph table, on the data sets for which the paper claims it."""

    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        table, words, better = tables["graph_classification"], [], []
        for dataset in datasets_of(table):
            mine, other = (score_of(table, profile, dataset, label) for label in (ours, theirs))
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
