"""A plan in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phusion import notebook
from phusion.execution.approximation import drawn_each
from phusion.execution.edges import is_approximate
from phusion.execution.memory import in_words
from phusion.execution.plan import GroupPlan, Plan
from phusion.execution.stripes import COLUMNS

if TYPE_CHECKING:
    from phusion.execution.projection import Projection

__all__ = ["explained", "explained_projection", "plan_card", "time_in_words"]

_MANY_DAYS = 10  # from which on hours are not counted
_STRATEGIES = {
    "dense": "dense: the n × n matrix is written out",
    "blocked": "blocked: columns are computed on the fly, a block at a time",
    "push-pull": "push-pull: columns are followed as far as entries matter, two moments stand for the rest",
    "sparse": "sparse: columns are sparse, and computed a block at a time",
    "edges": "edges: the matrix is as sparse as the graph, and only multiplied with",
}


_GROWTH = {
    "dense": "time grows as n³",
    "blocked": "time grows as n × entries, so as n² at the same degree",
    "sparse": "time grows as n, and as n² where clearing a column's room takes longer than its entries",
    "push-pull": "time grows as entries, so as n at the same degree",
    "edges": "time grows as entries, so as n at the same degree",
}


def explained(plan: Plan) -> str:
    """Lines of a name and what it is."""
    lines = [*_lines(plan), ("time", f"about {time_in_words(plan.seconds)}")]
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:<{width}}  {words}" for name, words in lines)


def explained_projection(found: Projection) -> str:
    """Lines of the plan, and what is to be known of a graph that is not there."""
    plan, sample = found.plan, found.plan.graph
    probed, degree = found.probed, found.entries / found.n
    own = f"{found.n:,} nodes, {found.entries:,} stored entries, {degree:.3g} a node"
    own += f"; it takes {in_words(found.graph_bytes)} itself"
    lines = [("projection", "for a graph that is not there"), ("graph", own)]
    for part in plan.parts:
        lines += [line for line in _part(part) if line[0] != "workers"]
    workers = plan.resources.workers
    if workers is not None:
        room = f"each with up to {in_words(found.there)}" if found.there else "which have nothing to do"
        lines.append(("workers", f"{workers.count:,} on Dask, {room}"))
    lines += [("precision", plan.resources.precision), ("peak memory", _against(plan, found))]
    lines += _not_sharded(found)
    if any(getattr(part.stream, "may_be_sparse", False) for part in plan.parts):
        lines.append(
            ("at most", "columns fill the generated graph; in the larger one they may stay sparse, and be cheap")
        )
    shares = [share for _, each in plan.shares for share in each]
    several = ": " + ", ".join(f"{share.what} {time_in_words(share.cpu_seconds)}" for share in shares)
    lines.append(("work", f"{time_in_words(plan.cpu_seconds)} of one core{several if len(shares) > 1 else ''}"))
    lines.append(("time", f"about {time_in_words(plan.seconds)} with {_with(plan)}"))
    size = f"{len(sample):,} nodes and {len(sample.arrays[1]):,} entries"
    lines.append(("measured", f"speeds in {probed:.1f} s, on a graph of {size} grown by preferential attachment"))
    if found.n > len(sample):
        lines.append(("scaled", f"{found.n / len(sample):,.6g} times as many nodes; {_GROWTH[plan.parts[0].strategy]}"))
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:<{width}}  {words}" for name, words in lines)


def _against(plan: Plan, found: Projection) -> str:
    budget = f"of a budget of {in_words(found.budget)}"
    if plan.resources.budget <= found.budget:
        return f"{in_words(plan.peak)} in this process, {budget}"
    return f"{in_words(plan.peak)} in this process, which does not fit: the budget is {in_words(found.budget)}"


def _not_sharded(found: Projection) -> list[tuple[str, str]]:
    """What stands against more machines."""
    lines, limit = [], found.worker_budget
    if limit is not None and found.there > limit:
        needs = f"each worker needs {in_words(found.there)} and has {in_words(limit)} for blocks"
        lines.append(("does not fit", f"{needs}, of which the sparse matrix is {in_words(found.held_bytes)}"))
    if found.plan.strategy == "edges":
        lines.append(("not sharded", "blocks are in one process, and workers that multiply hold the whole matrix"))
    elif found.held_bytes and found.plan.resources.remote:
        lines.append(("not sharded", f"the sparse matrix, {in_words(found.held_bytes)}, is in every worker"))
    elif found.held_bytes:
        lines.append(("not sharded", f"the sparse matrix, {in_words(found.held_bytes)}, would be in every worker"))
    return lines


def _with(plan: Plan) -> str:
    workers = plan.resources.workers
    if workers is None or plan.strategy == "edges":
        threads = max(part.threads for part in plan.parts)
        return f"{threads} thread{'s' if threads > 1 else ''} of one machine like this"
    return f"{workers.count:,} workers like this machine, {workers.threads:,} threads in all"


def plan_card(plan: Plan) -> str:
    """The same for a notebook; the time only where it was asked for, as measuring it takes a moment."""
    known = f"about {time_in_words(plan.seconds)}" if "seconds" in vars(plan) else "explain() measures it"
    return notebook.card("Plan", notebook.facts([*_lines(plan), ("time", known)]))


def _lines(plan: Plan) -> list[tuple[str, str]]:
    lines = [("graph", f"{plan.n:,} nodes, {plan.parts[0].group.entries:,} stored entries")]
    for part in plan.parts:
        lines += _part(part)
    peak = f"{in_words(plan.peak)} of a budget of {in_words(plan.resources.budget)}"
    return [*lines, ("precision", plan.resources.precision), ("peak memory", peak)]


def _part(part: GroupPlan) -> list[tuple[str, str]]:
    methods = ", ".join(f"{job.spec.nonlinearity.name} → {job.spec.embedding.name}" for job in part.group.jobs[:3])
    more = f" and {len(part.group.jobs) - 3} more" if len(part.group.jobs) > 3 else ""
    lines = [("method", f"{part.group.proximity!r} → {methods}{more}"), ("strategy", _STRATEGIES[part.strategy])]
    lines += [("then", repr(job.spec.propagate)) for job in part.group.jobs[:3] if job.spec.propagate is not None]
    if part.walks is not None:
        return [*lines, *_approximate(part)]
    if part.strategy == "edges":
        return [*lines, *_vectors(part)]
    if part.stream is None:
        return lines
    kept = ", kept between them" if part.keep else ""
    blocks = -(-part.group.n // part.width)
    about = "about " if part.group.by_matrix else ""
    return [
        *lines,
        ("blocks", f"{blocks:,} of {part.width} columns, {part.threads} at a time"),
        ("passes", f"{about}{part.passes} over the matrix{kept}"),
        ("products", f"{part.products:,} of the sparse matrix with each block"),
        *_workers(part),
    ]


def _approximate(part: GroupPlan) -> list[tuple[str, str]]:
    products = 0 if part.walks is None else part.walks.degree()
    each = 0 if part.walks is None else drawn_each(part.walks, part.group.n)
    return [
        ("accuracy", f"{part.resources.target:g} of n(φ − 1) for 95 of 100 nodes, measured on {2 * each} of them"),
        ("products", f"{products:,} of the sparse matrix with 16 columns for moments and {4 * each} to measure with"),
        ("nodes", f"followed {part.threads} at a time"),
        *_workers(part),
    ]


def _vectors(part: GroupPlan) -> list[tuple[str, str]]:
    n, lines = part.group.n, []
    for job in part.group.jobs[:3]:
        embedding = job.spec.embedding
        how = f"exact to {part.tolerance:g}, {part.resources.precision} precision"
        if is_approximate(job, n):
            how = f"{embedding.applications} applications of SSᵀ in single precision, their error measured"
        lines.append(("vectors", f"{embedding.dim}, {how}"))
    where = " in this process: no Dask worker has room for the matrix" if part.resources.remote else ""
    where = f", {COLUMNS} columns at a time on Dask workers" if part.there else where
    return [*lines, ("products", f"about {part.products:,} of the sparse matrix with a block{where}")]


def _workers(part: GroupPlan) -> list[tuple[str, str]]:
    workers = part.resources.workers
    if workers is None:
        return []
    limit = "" if workers.memory is None else f" of {in_words(workers.memory)} that are free"
    return [("workers", f"{workers.count:,} on Dask, each with up to {in_words(part.there)}{limit}")]


def time_in_words(seconds: float) -> str:
    """As a person would say it.

    >>> time_in_words(0.2), time_in_words(90), time_in_words(10_000)
    ('0.2 s', '1 min 30 s', '2 h 46 min')
    >>> time_in_words(5e6), time_in_words(1e12)
    ('58 days', '31,700 years')
    """
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 24 * _MANY_DAYS:
        return f"{hours:,} h {minutes} min"
    days = hours / 24
    return f"{days:,.0f} days" if days < 10 * 365 else f"{float(f'{days / 365:.3g}'):,.0f} years"
