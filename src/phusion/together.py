"""Many methods on one graph, sharing what they have in common."""

from __future__ import annotations

from collections.abc import Sequence

from phusion.cautions import collected
from phusion.errors import InputError
from phusion.execution.engine import compute
from phusion.execution.jobs import Job
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.graph.graph import Graph
from phusion.pipeline import check_graph, learned
from phusion.provenance import provenance
from phusion.results.embedding import Embedding
from phusion.spec import Spec

__all__ = ["embed_together"]


def embed_together(graph: Graph, specs: Sequence[Spec], resources: Resources) -> list[Embedding]:
    """An embedding for each spec. What is random has the seed 0 where a spec gives none."""
    for spec in specs:
        if spec.pooling is not None:
            raise InputError(f"run embeds nodes; this method has a pooling, {spec.pooling.name}. Use GraphPhUSION")
        check_graph(graph, spec)
    if not specs:
        return []
    jobs = [Job(spec, spec.proximity.fitted([graph])) for spec in specs]
    with collected() as said:
        done = compute(make_plan(graph, jobs, resources), 0)
    found = []
    for job, result in zip(jobs, done, strict=True):
        known = learned(job.spec, job.proximity, result)
        names = tuple(feature.name for feature in known.features)
        spec = job.spec.replace(proximity=job.proximity, random_state=job.spec.random_state or 0)
        origin = provenance([graph], spec, said, resources.precision, known.certificate, known.fidelity)
        found.append(Embedding(result.values, graph.nodes, names, spec, origin))
    return found
