"""The paper's observations as statements that a ledger proves or disproves, in each profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from phusion.errors import InputError
from phusion.evaluation.ranks import ranks
from phusion.experiments.study import PROFILES
from phusion.experiments.tables import Score, Table
from phusion.experiments.tasks import RowDistributions

__all__ = ["Finding", "Statement", "statements"]

_LEVEL = 0.05  # of all tests
_ENOUGH = 1.0  # points that a higher order must add to count as better
Tables = Mapping[str, Table]
_Decide = Callable[[Tables, str], tuple[bool, str]]


@dataclass(frozen=True)
class Finding:
    """Whether a statement holds in one profile, and why; None where cells are missing."""

    holds: bool | None
    evidence: str


@dataclass(frozen=True)
class Statement:
    """What the paper says, and what is found.

    Attributes
    ----------
    claim : in the paper's sense.
    test : when it counts as true.
    studies : whose scores decide.
    findings : profile → finding.
    """

    claim: str
    test: str
    studies: tuple[str, ...]
    findings: Mapping[str, Finding]

    @property
    def outcome(self) -> str:
        """What becomes of a published conclusion when the computation is corrected."""
        published, corrected = (self.findings[profile].holds for profile in PROFILES)
        if published is None or corrected is None:
            return "not computed"
        if published:
            return "survives" if corrected else "does not survive"
        return "true only when corrected" if corrected else "not confirmed"


class _MissingError(InputError):
    """Scores that a statement needs are not recorded."""


def statements(tables: Tables) -> list[Statement]:
    """All statements whose first study is among the tables."""
    found = []
    for claim, test, studies, decide in _STATEMENTS:
        if studies[0] in tables:
            findings = {profile: _decided(decide, tables, profile, studies) for profile in PROFILES}
            found.append(Statement(claim, test, studies, findings))
    return found


def _decided(decide: _Decide, tables: Tables, profile: str, studies: Iterable[str]) -> Finding:
    absent = [name for name in studies if name not in tables]
    if absent:
        return Finding(None, f"{', '.join(absent)} is not part of this report")
    try:
        return Finding(*decide(tables, profile))
    except _MissingError as error:
        return Finding(None, str(error))


def _score(table: Table, profile: str, dataset: str, proximity: str, nonlinearity: str = "") -> float:
    value = table.score(profile, dataset, proximity, nonlinearity)
    if value is None:
        label = f"{proximity} {nonlinearity}".strip()
        raise _MissingError(f"not computed: {label} on {dataset} in {table.study.name}, and perhaps more")
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


def _nonlinearity_helps(study: str) -> _Decide:
    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        every, medians = _gains(tables[study], profile)
        better, untied = sum(gain > 0 for gain in medians), sum(gain != 0 for gain in medians)
        chance = float(stats.binomtest(better, untied, alternative="greater").pvalue) if untied else 1.0
        evidence = (
            f"{sum(gain > 0 for gain in every)} of {len(every)} designs with a nonlinearity beat the same without; "
            f"the median one helps {better} of {len(medians)} pairs of Ψ and data set (sign test, p = {chance:.2g})"
        )
        return chance < _LEVEL, evidence

    return decide


def _nonlinearity_may_not_help(tables: Tables, profile: str) -> tuple[bool, str]:
    helps, evidence = _nonlinearity_helps("rank_struc")(tables, profile)
    return not helps, evidence


def _graphwave_is_beaten(tables: Tables, profile: str) -> tuple[bool, str]:
    table, beaten, words = tables["rank_struc"], [], []
    for dataset in _datasets(table):
        ours = _score(table, profile, dataset, "HK", "Identity")
        designs = [one.design for one in _of_dataset(table, profile, dataset)]
        best = max(designs, key=lambda d: _score(table, profile, dataset, d.proximity, d.nonlinearity))
        highest = _score(table, profile, dataset, best.proximity, best.nonlinearity)
        beaten.append(highest > ours)
        words.append(f"{dataset}: HK {ours:.2f}, best {best.label} {highest:.2f}")
    return all(beaten), "; ".join(words)


def _best_positional(tables: Tables, profile: str) -> tuple[bool, str]:
    table, places = tables["rank_prox"], {}
    for dataset in _datasets(table):
        designs = [one.design for one in _of_dataset(table, profile, dataset)]
        here = ranks([_score(table, profile, dataset, d.proximity, d.nonlinearity) for d in designs])
        for design, place in zip(designs, here, strict=True):
            places.setdefault(design.proximity, []).append(place)
    order = sorted(places, key=lambda proximity: float(np.mean(places[proximity])))
    words = ", ".join(f"{proximity} {np.mean(places[proximity]):.1f}" for proximity in order)
    return set(order[:2]) == {"PPMI", "L⁺"}, f"average ranks: {words}"


_ORDERS = ("order_positional", "order_structural", "order_graphs")


def _curves(tables: Tables, profile: str) -> dict[str, dict[int, float]]:
    """Family and data set → order → score."""
    found: dict[str, dict[int, float]] = {}
    for name in _ORDERS:
        for one in tables[name].scores[profile]:
            family, _, order = one.design.label.rpartition(" ")
            score = _score(tables[name], profile, one.dataset, one.design.proximity, one.design.nonlinearity)
            found.setdefault(f"{family} {one.dataset} ({name.removeprefix('order_')})", {})[int(order)] = score
    return found


def _low_orders_suffice(tables: Tables, profile: str) -> tuple[bool, str]:
    words, gains = [], []
    for name, curve in _curves(tables, profile).items():
        best = max(curve, key=lambda order: curve[order])
        gains.append(max(score for order, score in curve.items() if order > 2) - curve[2])
        words.append(f"{name}: best k = {best}, k > 2 adds {gains[-1]:+.2f}")
    few = sum(gain < _ENOUGH for gain in gains)
    return 2 * few > len(gains), f"in {few} of {len(gains)} curves; " + "; ".join(words)


def _second_order_helps(tables: Tables, profile: str) -> tuple[bool, str]:
    gains = {name: curve[2] - curve[1] for name, curve in _curves(tables, profile).items()}
    more = sum(gain > 0 for gain in gains.values())
    words = "; ".join(f"{name} {gain:+.2f}" for name, gain in gains.items())
    return 2 * more > len(gains), f"in {more} of {len(gains)} curves; {words}"


def _shapes(tables: Tables, profile: str, rows: str, scored: str) -> tuple[list[float], dict[str, list[float]]]:
    """Scores of the designs, and how bell-shaped each statistic of their rows is."""
    scores: list[float] = []
    bells: dict[str, list[float]] = {statistic: [] for statistic in RowDistributions.metrics}
    for one in tables[rows].scores[profile]:
        if not one.raw:
            raise _MissingError(f"not computed: {one.design.label} on {one.dataset} in {rows}, and perhaps more")
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


def _bells_are_good(tables: Tables, profile: str) -> tuple[bool, str]:
    scores, bells = _shapes(tables, profile, "rows_positional", "rank_prox")
    link, chance = _correlated(scores, bells["sum"])
    bell = sum(value > 0 for value in bells["sum"])
    words = f"{bell} of {len(scores)} designs have bell-shaped row sums; rank correlation with the score {link:+.2f}"
    return link > 0 and chance < _LEVEL, f"{words} (p = {chance:.2g})"


def _tails_are_good(tables: Tables, profile: str) -> tuple[bool, str]:
    scores, bells = _shapes(tables, profile, "rows_structural", "rank_struc")
    links = {statistic: _correlated(scores, values) for statistic, values in bells.items()}
    words = (f"{statistic} {link:+.2f} (p = {chance:.2g})" for statistic, (link, chance) in links.items())
    holds = any(link < 0 and chance < _LEVEL / len(links) for link, chance in links.values())
    return holds, f"rank correlation of bell shape with the score over {len(scores)} Ψ: {', '.join(words)}"


def _best_have_tails(tables: Tables, profile: str) -> tuple[bool, str]:
    scores, bells = _shapes(tables, profile, "rows_structural", "rank_struc")
    best = np.argsort(scores)[::-1][:3]
    heavy = {statistic: sum(values[k] < 0 for k in best) for statistic, values in bells.items()}
    words = ", ".join(f"{statistic} {count} of {len(best)}" for statistic, count in heavy.items())
    return 2 * sum(heavy.values()) > len(best) * len(heavy), f"heavy tails among the three best Ψ: {words}"


def _beats(ours: str, theirs: str, claimed: tuple[str, ...]) -> _Decide:
    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        table, words, better = tables["graph_classification"], [], []
        for dataset in _datasets(table):
            mine, other = (_score(table, profile, dataset, label) for label in (ours, theirs))
            words.append(f"{dataset}: {mine:.2f} against {other:.2f}")
            if dataset in claimed:
                better.append(mine > other)
        if not better:
            raise _MissingError(f"not computed: {' and '.join(claimed)} are not part of this study")
        return all(better), "; ".join(words)

    return decide


def _heat_is_outperformed(study: str, every_metric: bool) -> _Decide:
    def decide(tables: Tables, profile: str) -> tuple[bool, str]:
        found: dict[str, dict[str, float]] = {}
        for entry in tables[study].entries:
            value = entry.found.get(profile)
            if value is None:
                raise _MissingError(f"not computed: {entry.row} in {study}, and perhaps more")
            found.setdefault(entry.column, {})[entry.row] = value
        words, beaten = [], []
        for metric, values in found.items():
            best = max(values, key=lambda row: values[row])
            beaten.append(values[best] > values["HK"])
            words.append(f"{metric}: HK {values['HK']:.4f}, best {best} {values[best]:.4f}")
        return all(beaten) if every_metric else any(beaten), "; ".join(words)

    return decide


_SIGN = f"the median nonlinearity helps more pairs of Ψ and data set than chance (sign test, p < {_LEVEL})"
_GRAPHS = ("imdb-multi", "proteins", "ptc-mr")
_STATEMENTS: tuple[tuple[str, str, tuple[str, ...], _Decide], ...] = (
    ("Nonlinearity is almost always beneficial for positional embedding.",
     _SIGN, ("rank_prox",), _nonlinearity_helps("rank_prox")),
    ("Nonlinearity is only sometimes helpful for structural embedding.",
     f"not so that {_SIGN}", ("rank_struc",), _nonlinearity_may_not_help),
    ("PPMI and L⁺ are the best proximities for positional embedding.",
     "they have the two best average ranks", ("rank_prox",), _best_positional),
    ("On all data sets another proximity or nonlinearity improves on GraphWave (HK without nonlinearity).",
     "a design scores higher on every data set", ("rank_struc",), _graphwave_is_beaten),
    ("HK, as in GraphWave, is outperformed on all metrics on noiseless planted roles.",
     "another Ψ scores higher in each metric", ("clustering_noiseless",),
     _heat_is_outperformed("clustering_noiseless", True)),
    ("Some proximities cluster noisy planted roles better than HK.",
     "another Ψ scores higher in some metric", ("clustering_noise",), _heat_is_outperformed("clustering_noise", False)),
    ("Embedding Rᵏ beats RetGK on IMDB-M and PTC-MR.",
     "it scores higher on both", ("graph_classification",), _beats("Rᵏ", "RetGK", ("imdb-multi", "ptc-mr"))),
    ("Embedding HK beats NetLSD on all three data sets.",
     "it scores higher on each", ("graph_classification",), _beats("HK", "NetLSD", _GRAPHS)),
    ("Low orders of proximity suffice.",
     f"orders above 2 add less than {_ENOUGH:g} point to order 2 in most curves", _ORDERS, _low_orders_suffice),
    ("Direct edges alone do not suffice.",
     "order 2 scores higher than order 1 in most curves", _ORDERS, _second_order_helps),
    ("Matrices of good positional embeddings have bell-shaped row sums.",
     f"bell shape and score are positively rank-correlated (p < {_LEVEL})",
     ("rows_positional", "rank_prox"), _bells_are_good),
    ("The best structural embeddings come from matrices with heavy-tailed row statistics.",
     "most statistics of the three best Ψ have heavy tails", ("rows_structural", "rank_struc"), _best_have_tails),
    ("Heavier tails go with better structural embeddings.",
     f"bell shape and score are negatively rank-correlated for some statistic (p < {_LEVEL} / 3)",
     ("rows_structural", "rank_struc"), _tails_are_good),
)  # fmt: skip
