"""The paper's observations as statements that a ledger proves or disproves, in each profile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from phusion.experiments import best_designs, evidence
from phusion.experiments.known_scores import Decide, MissingScoresError, Tables
from phusion.experiments.study import PROFILES

__all__ = ["Finding", "Statement", "statements"]


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


def statements(tables: Tables) -> list[Statement]:
    """All statements whose first study is among the tables."""
    found = []
    for claim, test, studies, decide in _STATEMENTS:
        if studies[0] in tables:
            findings = {profile: _decided(decide, tables, profile, studies) for profile in PROFILES}
            found.append(Statement(claim, test, studies, findings))
    return found


def _decided(decide: Decide, tables: Tables, profile: str, studies: Iterable[str]) -> Finding:
    absent = [name for name in studies if name not in tables]
    if absent:
        return Finding(None, f"{', '.join(absent)} is not part of this report")
    try:
        return Finding(*decide(tables, profile))
    except MissingScoresError as error:
        return Finding(None, str(error))


_KINDS = {"order_positional": "positional", "order_structural": "structural", "order_graphs": "graph"}
_HELPS = f"more pairs of Ψ and data set than chance would have (sign test, p < {evidence.LEVEL})"
_BELL = "how much likelier a normal distribution is than a one-sided exponential tail"
_STATEMENTS: tuple[tuple[str, str, tuple[str, ...], Decide], ...] = (
    (
        "Nonlinearity is almost always beneficial for positional embedding.",
        f"the median nonlinearity helps {_HELPS}",
        ("rank_prox",),
        evidence.nonlinearity_helps("rank_prox"),
    ),
    (
        "Nonlinearity is only sometimes helpful for structural embedding.",
        f"the median nonlinearity does not help {_HELPS}",
        ("rank_struc",),
        evidence.nonlinearity_may_not_help,
    ),
    (
        "PPMI and L⁺ are the best proximities for positional embedding.",
        "they have the two best average ranks",
        ("rank_prox",),
        best_designs.best_positional,
    ),
    (
        "Log is the best nonlinearity for positional embedding on average.",
        "it has the highest score, averaged over Ψ and data sets",
        ("rank_prox",),
        best_designs.log_is_best,
    ),
    (
        "Bin 50 does better than Bin 5 and Bin 95 for positional embedding.",
        "it has the highest score of the three, averaged over Ψ and data sets",
        ("rank_prox",),
        best_designs.middle_threshold_is_best,
    ),
    *(
        (
            f"The best {kind} designs binarise, on two of three data sets.",
            "the design with the highest score has a binarisation on most data sets",
            (study,),
            best_designs.best_are_binarised(study),
        )
        for study, kind in (("rank_prox", "positional"), ("rank_struc", "structural"))
    ),
    (
        "The best designs for positional and for structural embedding differ.",
        f"fewer than half of the best {best_designs.BEST} of each, by average rank over data sets, are the same",
        ("rank_prox", "rank_struc"),
        best_designs.best_designs_differ,
    ),
    (
        "On all data sets another proximity or nonlinearity improves on GraphWave (HK without nonlinearity).",
        "a design scores higher on every data set, the best of all being chosen by these very scores",
        ("rank_struc",),
        best_designs.graphwave_is_beaten,
    ),
    (
        "HK, as in GraphWave, is outperformed on all metrics on noiseless planted roles.",
        "another Ψ scores higher in each metric",
        ("clustering_noiseless",),
        evidence.heat_is_outperformed("clustering_noiseless", True),
    ),
    (
        "Some proximities cluster noisy planted roles better than HK.",
        "another Ψ scores higher in some metric",
        ("clustering_noise",),
        evidence.heat_is_outperformed("clustering_noise", False),
    ),
    (
        "Embedding Rᵏ beats RetGK on IMDB-M and PTC-MR.",
        "it scores higher on both",
        ("graph_classification",),
        evidence.beats("Rᵏ", "RetGK", ("imdb-multi", "ptc-mr")),
    ),
    (
        "Embedding HK beats NetLSD on all three data sets.",
        "it scores higher on each",
        ("graph_classification",),
        evidence.beats("HK", "NetLSD", ("imdb-multi", "proteins", "ptc-mr")),
    ),
    *(
        (
            f"Low orders of proximity suffice for {kind} embedding.",
            f"orders above 2 add less than {evidence.ENOUGH:g} point to order 2 in most curves",
            (study,),
            evidence.low_orders_suffice(study),
        )
        for study, kind in _KINDS.items()
    ),
    *(
        (
            f"Direct edges alone do not suffice for {kind} embedding.",
            "order 2 scores higher than order 1 in most curves",
            (study,),
            evidence.second_order_helps(study),
        )
        for study, kind in _KINDS.items()
    ),
    (
        "Matrices of good positional embeddings have bell-shaped row sums.",
        f"bell shape, {_BELL}, and score are positively rank-correlated (p < {evidence.LEVEL})",
        ("rows_positional", "rank_prox"),
        evidence.bells_are_good,
    ),
    (
        "The best structural embeddings come from matrices with heavy-tailed row statistics.",
        "most statistics of the three best Ψ are likelier exponential, from one side, than normal",
        ("rows_structural", "rank_struc"),
        evidence.best_have_tails,
    ),
    (
        "Heavier tails go with better structural embeddings.",
        f"bell shape, {_BELL}, and score are negatively rank-correlated for some statistic (p < {evidence.LEVEL} / 3)",
        ("rows_structural", "rank_struc"),
        evidence.tails_are_good,
    ),
)
