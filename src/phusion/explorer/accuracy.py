"""How near an approximate design is to the exact one, as a sentence and a table for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from phusion.explorer.rows import Rows
from phusion.features import scale_names
from phusion.linalg.fidelity import Fidelity
from phusion.results.certificate import Certificate

__all__ = ["accuracy_of"]


def accuracy_of(rows: Rows) -> dict[str, Any] | None:
    """Plain values: a sentence, a table if there is one, and whether a target was missed. None for exact designs."""
    if rows.certificate is not None:
        return _certified(rows.certificate)
    if rows.fidelity:
        each = rows.spec.proximity.at_each_scale() if rows.spec else ()
        return _faithful(rows.fidelity, scale_names(each) if each else [])
    return None


def _certified(certificate: Certificate) -> dict[str, Any]:
    if not certificate.scales:
        return _told("Certificate: exact", missed=False)
    names = ", ".join(each.scale for each in certificate.missed)
    verdict = f"Certificate MISSED at {names}" if names else "Certificate met"
    lines = [
        [
            each.scale,
            *(f"{100 * error:.3f}" for error in (each.median, each.p95, each.max, each.uniform_p95, each.edges_p95)),
            "missed" if each in certificate.missed else "met",
        ]
        for each in certificate.scales
    ]
    return _told(
        f"{verdict}: error {certificate.worst:.2%}, target {certificate.target:.2%}",
        missed=bool(names),
        head=["error in %", "median", "p95", "max", "uniform", "edges", "target"],
        lines=lines,
        foot=f"Of n(φ − 1), against exact columns of {certificate.n_uniform} nodes drawn evenly and "
        f"{certificate.n_edges} by their degree. The p95 of either kind, uniform and edges, may not exceed the target.",
    )


def _faithful(fidelity: Sequence[Fidelity], names: Sequence[str]) -> dict[str, Any]:
    largest = max(one.residual_largest for one in fidelity)
    median = max(one.residual_median for one in fidelity)
    names = names if len(names) == len(fidelity) else [str(number + 1) for number in range(len(fidelity))]
    lines = [
        [
            name,
            *(f"{100 * share:.2f}" for share in (one.residual_median, one.residual_largest, one.rise)),
            f"{one.missed:.2f}",
        ]
        for name, one in zip(names, fidelity, strict=True)
    ]
    checked = sum(one.checked for one in fidelity)
    return _told(
        f"Fidelity: approximate singular vectors, residuals {median:.1%} (median), {largest:.1%} (largest)",
        missed=False,
        head=["residual in %", "median", "largest", "still to rise", "largest outside"],
        lines=lines,
        foot=f"Measured on {checked} of the vectors. The last column is the largest singular value that probes found "
        "outside, as a share of the smallest kept: above 1, something larger was left out.",
    )


def _told(
    sentence: str, *, missed: bool, head: Sequence[str] = (), lines: Sequence[Sequence[str]] = (), foot: str = ""
) -> dict[str, Any]:
    return {"sentence": sentence, "missed": missed, "head": list(head), "lines": list(lines), "foot": foot}
