"""Embeddings for a page: exact ones together, as they share columns; approximate and large ones one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phusion.execution.resources import Resources
from phusion.explorer.designs import Design
from phusion.explorer.profiles import ProximityProfile
from phusion.explorer.rows import Rows
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.spec import Spec
from phusion.together import embed_together

__all__ = ["PROFILED", "computed"]

PROFILED = 20_000
"""Nodes up to which proximity profiles are computed: all entries of an n × n matrix are looked at."""


def computed(
    graph: Graph, designs: Sequence[Design], shown: Array, resources: Resources
) -> tuple[dict[str, Rows], dict[str, Rows]]:
    """Rows of each design, and its proximity profiles where there are some, by name. Given ones are left as they are.

    Where profiles are computed, so are all columns: ``accuracy="auto"`` is exact there. Beyond, only the rows of one
    design are held at a time.
    """
    made = {design.name: design.given for design in designs if design.given is not None}
    wanted = [design for design in designs if design.given is None]
    profiled = wanted if len(graph) <= PROFILED else []
    exact = replace(resources, accuracy="exact")
    asked = exact if profiled and resources.accuracy == "auto" else resources
    together = [design for design in profiled if not _approximate(design, asked)]
    for design in wanted:
        if design not in together:
            own = asked if design.lens == "structural" else exact
            made[design.name] = Rows.of(embed_together(graph, [design.spec], own)[0], shown)
    specs = [design.spec for design in together] + [_profile_spec(design) for design in profiled]
    found = [Rows.of(embedding, shown) for embedding in embed_together(graph, specs, exact)]
    made |= {design.name: rows for design, rows in zip(together, found[: len(together)], strict=True)}
    profiles = {design.name: rows for design, rows in zip(profiled, found[len(together) :], strict=True)}
    return made, profiles


def _approximate(design: Design, resources: Resources) -> bool:
    """Whether it may be computed without all columns, which sharing them with others would spoil."""
    if design.lens == "structural":
        return resources.target is not None
    return getattr(design.spec.embedding, "applications", None) is not None


def _profile_spec(design: Design) -> Spec:
    spec = design.spec
    return Spec(spec.proximity, spec.nonlinearity, ProximityProfile(axis=spec.embedding.axis), random_state=0)
