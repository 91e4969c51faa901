"""`phusion.advise`: which design suits a graph, without labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from phusion.advice.candidates import KINDS, Candidate, candidates_for, dim_for
from phusion.advice.measures import Measures, measured
from phusion.advice.sample import part_of
from phusion.advice.words import FEW, FRAGILE, STEADY, degrees_of, headline, reasons_for, table_of, told_small
from phusion.errors import InputError
from phusion.execution.resources import Resources
from phusion.graph.graph import Graph
from phusion.inputs import one_graph
from phusion.notebook import card, grid, notes, part
from phusion.spec import Spec

__all__ = ["Advice", "Recommendation", "advise"]

_SHOWN = 6  # designs in a notebook
_TIE = 0.5  # points within which the more stable design is taken
_CLOSE = 1.0  # points within which a stable design is taken in place of one that is not


@dataclass(frozen=True)
class Tried:
    """A candidate with what was measured of it."""

    candidate: Candidate
    measures: Measures


@dataclass(frozen=True)
class Recommendation:
    """The design for one kind of embedding, and why.

    Attributes
    ----------
    kind : ``"positional"`` or ``"structural"``.
    spec : the method, for `phusion.embed`.
    reasons : sentences.
    tried : all designs that were tried, the best first.
    failed : designs that could not be tried, and why.
    """

    kind: str
    spec: Spec
    reasons: tuple[str, ...]
    tried: tuple[Tried, ...] = field(repr=False)
    failed: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def headline(self) -> str:
        """The design in words; and, where it is not stable, which one is."""
        return headline(self.kind, [(one.candidate, one.measures) for one in self.tried])


@dataclass(frozen=True)
class Advice:
    """A recommendation for each kind of embedding.

    Attributes
    ----------
    positional, structural : the recommendations; None if it was not asked for.
    notes : what was measured on.
    """

    positional: Recommendation | None
    structural: Recommendation | None
    notes: tuple[str, ...] = ()

    @property
    def recommendations(self) -> tuple[Recommendation, ...]:
        """Those that there are."""
        return tuple(each for each in (self.positional, self.structural) if each is not None)

    def __str__(self) -> str:
        parts = [*self.notes]
        for each in self.recommendations:
            parts += ["", each.headline, *(f"- {reason}" for reason in each.reasons)]
        return "\n".join(parts).strip()

    def _repr_html_(self) -> str:
        head = ("design", "told", "fewer edges", "noise", "effective rank")
        cards = []
        for each in self.recommendations:
            rows = [
                (one.candidate.words, f"{one.measures.told:.1f} %", f"{one.measures.stability:.2f}",
                 f"{one.measures.under_noise:.2f}", f"{one.measures.rank:.0f}") for one in each.tried[:_SHOWN]
            ]  # fmt: skip
            cards.append(card(each.headline, notes([*each.reasons], len(each.reasons)), grid(head, rows)))
        return "".join(cards) + "".join(part(note, faint=True) for note in self.notes)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        found: dict[str, Any] = {"notes": list(self.notes)}
        for each in self.recommendations:
            found[each.kind] = {
                "spec": each.spec.as_dict(),
                "reasons": list(each.reasons),
                "designs": table_of([(one.candidate, one.measures) for one in each.tried]),
                "failed": each.failed,
            }
        return found


def advise(
    graph: Any,
    kind: str = "both",
    *,
    dim: int = 128,
    sample: int = 2_000,
    seed: int = 0,
    memory: Any = None,
    threads: int | None = None,
) -> Advice:
    """Recommend a positional and a structural design for a graph, from what can be measured without labels.

    Every design is asked for what any graph has: structural ones for the quarter of degree, neighbours' degree, core
    number and clustering that each node is in, positional ones for made-up classes that neighbours mostly share. The
    design from which a linear model finds most of them is recommended; of those within half a point, the one that
    changes least when a tenth of the edges is taken away; if that is not stable, one within a point that is. How good
    that is on graphs with labels stands in the documentation's chapter "Advise".

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name.
    kind : ``"positional"``, ``"structural"`` or ``"both"``.
    dim : columns of positional embeddings.
    sample : nodes to try designs on; of larger graphs a part is taken that random walks visit.
    seed : of the part, the made-up classes and the edges that are taken away.
    memory, threads : what computing may use, as in `phusion.PhUSION`.

    Examples
    --------
    >>> import phusion
    >>> phusion.advise("karate", "structural").structural.kind
    'structural'
    """
    from phusion.shortcuts import loaded

    if kind not in (*KINDS, "both"):
        raise InputError(f"kind is 'positional', 'structural' or 'both'; got {kind!r}")
    for name, value, least in (("dim", dim, 1), ("sample", sample, 10), ("seed", seed, 0)):
        if type(value) is not int or value < least:
            raise InputError(f"{name} is a whole number ≥ {least}; got {value!r}")
    whole = one_graph(loaded(graph))
    some = part_of(whole, sample, seed)
    resources = Resources(memory, threads)
    found = {each: _recommended(whole, some, each, dim, seed, resources) for each in KINDS if kind in (each, "both")}
    return Advice(found.get("positional"), found.get("structural"), tuple(_notes(whole, some, dim)))


def chosen(tried: Sequence[Tried]) -> list[Tried]:
    """The best first: of those within half a point of what the best tells, the most stable one.

    Where that is not stable, the best of those that are takes its place, if it is within a point.
    """
    order = sorted(tried, key=lambda one: -one.measures.told)
    most = order[0].measures.told
    best = max((one for one in order if one.measures.told >= most - _TIE), key=lambda one: one.measures.stability)
    if best.measures.stability < FRAGILE:
        steady = (one for one in order if one.measures.stability > STEADY and one.measures.told >= most - _CLOSE)
        best = next(steady, best)
    return [best, *(one for one in order if one is not best)]


def _recommended(whole: Graph, some: Graph, kind: str, dim: int, seed: int, resources: Resources) -> Recommendation:
    candidates = candidates_for(some, kind, dim)
    results = measured(some, candidates, resources, seed)
    tried, failed = [], {}
    for candidate, result in zip(candidates, results, strict=True):
        if isinstance(result, str):
            failed[candidate.words] = result
        else:
            tried.append(Tried(candidate, result))
    if not tried:
        raise InputError(f"no {kind} design takes this graph: {' '.join(dict.fromkeys(failed.values()))}")
    order = chosen(tried)
    spec = order[0].candidate.spec
    if kind == "positional":
        spec = spec.replace(embedding__dim=dim_for(whole, dim))
    reasons = reasons_for(kind, [(one.candidate, one.measures) for one in order], len(some))
    return Recommendation(kind, spec, tuple(reasons), tuple(order), failed)


def _notes(whole: Graph, some: Graph, dim: int) -> list[str]:
    small = [told_small(some, dim_for(some, dim))] if len(some) < FEW else []
    if some is whole:
        return [f"measured on all {len(whole):,} nodes", degrees_of(whole), *small]
    return [
        f"measured on {len(some):,} of {len(whole):,} nodes, a part that random walks visit, since trying 35 designs "
        "takes time that grows with the square of the nodes; sample= (--sample) takes more",
        degrees_of(whole),
        *small,
    ]
