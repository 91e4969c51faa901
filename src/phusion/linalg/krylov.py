"""Leading singular vectors of a matrix that is only there to be multiplied with: block Krylov spaces, restarted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import linalg

from phusion.linalg.orthogonal import Orthogonal

__all__ = ["Operator", "block_krylov", "krylov_columns"]

_MORE = 32  # columns of a block beyond a share of what is wanted
_SPACE = 9  # times what is wanted: the columns of a space before it is restarted
_SMALL = 2_048  # columns that it may have in any case where the matrix has at most four times as many: no restart then
_MOST = 400  # blocks
_FEWER = 40  # of them at least where there is another way
_FIRST_LOOK, _NEXT_LOOK = 6, 6  # steps before the first look at what was found, and at most between two
_EQUAL = 1e-8  # of the largest: values that differ by less may be copies of one
_LOOKS = 4  # blocks from new random vectors before these may be said to have found nothing


class Operator(Protocol):
    """A square matrix M."""

    n: int
    symmetric: bool
    kind: Any

    def times(self, block: Any) -> Any:
        """M X."""

    def transposed_times(self, block: Any) -> Any:
        """Mᵀ X."""

    def each(self, function: Callable[[int], Any], count: int) -> list[Any]:
        """The function of 0 to count − 1, in threads."""


def krylov_columns(n: int, wanted: int, room: int | None = None) -> tuple[int, int]:
    """Columns of one block, and of the whole space: as many as there is room for, within what is of use."""
    block = min(n, max(wanted * 3 // 4, wanted // 2 + _MORE))
    least = wanted + 3 * block
    of_use = max(_SPACE * wanted, _SMALL if n <= 4 * _SMALL else 0)
    return block, min(n, max(least, of_use if room is None else min(of_use, room)))


def block_krylov(
    operator: Operator, wanted: int, tolerance: float, room: int | None = None, *, patient: bool = True
) -> tuple[Any, Any, Any, Any, float, int]:
    """(left, values, right, signs, rest, applications): at least `wanted` leading singular values, descending.

    Golub and Kahan's two-sided recurrence in blocks (of a symmetric matrix Lanczos's, whose eigenvalues have `signs`),
    orthogonalised in full, restarted with the best vectors found when the space is full. It ends when every wanted
    vector leaves less than tolerance · (largest value), or the space is all there is. Where leading values are all but
    equal that may be never: it ends after 400 blocks, too, or, if it is not `patient`, after as many columns as the
    matrix has. `rest` is the most that a vector leaves, as a share of the largest value.

    A space grown from one block holds at most as many copies of a repeated value as the block has columns. Where that
    many are found, new random vectors look for more.
    """
    width, most = krylov_columns(operator.n, wanted, room)
    method = _lanczos if operator.symmetric else _golub_kahan
    blocks = _MOST if patient else min(_MOST, max(_FEWER, operator.n // width))
    return method(operator, wanted, tolerance, width, most, blocks)


def _crowd(values: Any, tolerance: float, most: int) -> float | None:
    """The smallest size of a value that is there `most` times or more and not the last of all; None if there is none.

    `values` are signed and descend in size.
    """
    near = max(_EQUAL, tolerance**2) * abs(float(values[0]))
    in_order = np.sort(values)
    groups = np.split(in_order, np.flatnonzero(np.diff(in_order) > near) + 1)
    sizes = [float(np.abs(group).min()) for group in groups if len(group) >= most]
    return min((size for size in sizes if size - abs(float(values[-1])) > near), default=None)


@dataclass
class _Search:
    """Whether enough was found, and whether copies of repeated values may have been missed."""

    wanted: int
    tolerance: float
    width: int
    looks: int = 0
    begun: int = 0
    crowd: float | None = None
    due: int = _FIRST_LOOK
    before: tuple[int, float] = (0, np.inf)

    @property
    def rest(self) -> float:
        """What the last look saw left over."""
        return self.before[1]

    def plan_look(self, applied: int, left_over: float) -> None:
        """When to look next, as a look costs as much as a few steps: what is left mostly shrinks by the same factor."""
        earlier, was = self.before
        more = 2
        if np.isfinite(was) and 0 < left_over < was:
            rate = np.log(was / left_over) / (applied - earlier)
            more = int(np.log(left_over / self.tolerance) / rate) if left_over > self.tolerance else 1
        self.before = (applied, left_over)
        self.due = applied + min(max(more, 1), _NEXT_LOOK)

    def enough(self, values: Any, left_over: Any, applied: int) -> bool:
        """Whether all wanted vectors have settled, and what new random vectors brought is below the crowd."""
        largest = float(np.abs(values[:1]).max(initial=0.0))
        limit = self.tolerance * largest
        self.plan_look(applied, float(left_over[: self.wanted].max(initial=0.0)) / (largest or 1.0))
        if len(values) < self.wanted or not (left_over[: self.wanted] <= limit).all():
            return False
        if self.crowd is None or len(values) == self.wanted:
            return True
        following = abs(float(values[self.wanted])) + float(left_over[self.wanted])
        return applied - self.begun >= _LOOKS and following < self.crowd

    def look_again(self, values: Any, applied: int) -> bool:
        """Whether to look for more copies from new random vectors."""
        self.crowd = _crowd(values[: self.wanted], self.tolerance, self.width * (self.looks + 1))
        self.looks, self.begun = self.looks + 1, applied
        return self.crowd is not None


def _lanczos(
    operator: Operator, wanted: int, tolerance: float, width: int, most: int, blocks: int
) -> tuple[Any, Any, Any, Any, float, int]:
    n, kind = operator.n, operator.kind
    tall, random = Orthogonal(operator.each, n), np.random.default_rng(0)
    basis = np.empty((n, most), kind)
    small = np.zeros((most, most))
    block, _ = tall.orthonormal(random.uniform(-1.0, 1.0, (n, width)).astype(kind), basis[:, :0], random)
    size, search = 0, _Search(wanted, tolerance, width)
    for applied in range(1, blocks + 1):
        stop = size + block.shape[1]
        basis[:, size:stop] = block
        image = operator.times(block)
        scale = float(np.abs(image).max(initial=0.0))
        weights = tall.cleaned(image, basis[:, :stop]).astype(np.float64)
        small[:stop, size:stop] = weights
        small[size:stop, :stop] = weights.T
        own = small[size:stop, size:stop]
        small[size:stop, size:stop] = (own + own.T) / 2
        following, coupling = tall.orthonormal(image, basis[:, :stop], random, scale)
        full, again = stop + min(width, n - stop) > most, False
        if full or stop == n or applied == blocks or (stop >= wanted and applied >= search.due):
            values, turns = linalg.eigh(small[:stop, :stop], driver="evd", check_finite=False)
            order = np.argsort(-np.abs(values), kind="stable")
            values, turns = values[order], turns[:, order]
            left_over = np.linalg.norm(coupling.astype(np.float64) @ turns[size:stop], axis=0)
            enough = search.enough(values, left_over, applied)
            again = enough and stop < n and applied < blocks and search.look_again(values, applied)
            if stop == n or applied == blocks or (enough and not again):
                keep = min(stop, wanted)
                vectors = tall.product(basis[:, :stop], turns[:, :keep].astype(kind))
                signs = np.where(values[:keep] < 0, -1.0, 1.0)
                return vectors, np.abs(values[:keep]), vectors * signs.astype(kind), signs, search.rest, applied
        size = stop
        block = following[:, : min(width, n - stop)]
        if again or full:  # restart with the best, and what is next
            keep = wanted if again else min(wanted + width // 2, most - width)
            basis[:, :keep] = tall.product(basis[:, :stop], turns[:, :keep].astype(kind))
            small[:] = 0.0
            small[np.arange(keep), np.arange(keep)] = values[:keep]
            size = keep
        if again:
            fresh = random.uniform(-1.0, 1.0, (n, min(width, n - size))).astype(kind)
            block, _ = tall.orthonormal(fresh, basis[:, :size], random)
    raise AssertionError  # pragma: no cover - the loop returns


def _golub_kahan(
    operator: Operator, wanted: int, tolerance: float, width: int, most: int, blocks: int
) -> tuple[Any, Any, Any, Any, float, int]:
    n, kind = operator.n, operator.kind
    tall, random = Orthogonal(operator.each, n), np.random.default_rng(0)
    lefts, rights = np.empty((n, most), kind), np.empty((n, most), kind)
    small = np.zeros((most, most))
    block, _ = tall.orthonormal(random.uniform(-1.0, 1.0, (n, width)).astype(kind), rights[:, :0], random)
    size, search = 0, _Search(wanted, tolerance, width)
    for applied in range(1, blocks + 1):
        stop = size + block.shape[1]
        rights[:, size:stop] = block
        image = operator.times(block)
        scale = float(np.abs(image).max(initial=0.0))
        small[:size, size:stop] = tall.cleaned(image, lefts[:, :size])
        lefts[:, size:stop], small[size:stop, size:stop] = tall.orthonormal(image, lefts[:, :size], random, scale)
        back = operator.transposed_times(np.ascontiguousarray(lefts[:, size:stop]))
        scale = float(np.abs(back).max(initial=0.0))
        tall.cleaned(back, rights[:, :stop])
        following, coupling = tall.orthonormal(back, rights[:, :stop], random, scale)
        full, again = stop + min(width, n - stop) > most, False
        if full or stop == n or applied == blocks or (stop >= wanted and applied >= search.due):
            u, values, vt = linalg.svd(small[:stop, :stop], check_finite=False)
            # Mᵀ U = V Bᵀ + next · coupling, so what a left vector leaves is in its last entries
            left_over = np.linalg.norm(coupling.astype(np.float64) @ u[size:stop], axis=0)
            enough = search.enough(values, left_over, applied)
            again = enough and stop < n and applied < blocks and search.look_again(values, applied)
            if stop == n or applied == blocks or (enough and not again):
                keep = min(stop, wanted)
                left = tall.product(lefts[:, :stop], u[:, :keep].astype(kind))
                right = tall.product(rights[:, :stop], vt[:keep].T.astype(kind))
                return left, values[:keep], right, np.ones(keep), search.rest, 2 * applied
        size = stop
        block = following[:, : min(width, n - stop)]
        if again or full:
            keep = wanted if again else min(wanted + width // 2, most - width)
            lefts[:, :keep] = tall.product(lefts[:, :stop], u[:, :keep].astype(kind))
            rights[:, :keep] = tall.product(rights[:, :stop], vt[:keep].T.astype(kind))
            small[:] = 0.0
            small[np.arange(keep), np.arange(keep)] = values[:keep]
            size = keep
        if again:
            fresh = random.uniform(-1.0, 1.0, (n, min(width, n - size))).astype(kind)
            block, _ = tall.orthonormal(fresh, rights[:, :size], random)
    raise AssertionError  # pragma: no cover - the loop returns
