"""Leading singular vectors of a matrix that is only there to be multiplied with: block Krylov spaces, restarted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import linalg

__all__ = ["Operator", "block_krylov", "krylov_columns"]

_CHUNK = 4_096  # rows at a time, the same whatever else is chosen, so that sums are the same
_MORE = 32  # columns of a block beyond a share of what is wanted
_SPACE = 14  # times what is wanted: the columns of a space before it is restarted
_MOST = 400  # blocks
_FIRST_LOOK, _NEXT_LOOK = 6, 6  # steps before the first look at what was found, and at most between two


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
    return block, min(n, max(least, _SPACE * wanted if room is None else min(_SPACE * wanted, room)))


@dataclass
class _Tall:
    """Arithmetic with tall arrays, a fixed number of rows at a time: results do not depend on threads."""

    each: Callable[[Callable[[int], Any], int], list[Any]]
    n: int

    @property
    def _count(self) -> int:
        return -(-self.n // _CHUNK)

    def gram(self, one: Any, other: Any) -> Any:
        """Oneᵀ other."""
        parts = self.each(lambda c: one[_rows(c)].T @ other[_rows(c)], self._count)
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def subtract(self, block: Any, basis: Any, weights: Any) -> None:
        """Block −= basis · weights, in place."""

        def one(c: int) -> None:
            block[_rows(c)] -= basis[_rows(c)] @ weights

        self.each(one, self._count)

    def product(self, basis: Any, weights: Any) -> Any:
        """Basis · weights."""
        out = np.empty((self.n, weights.shape[1]), basis.dtype)

        def one(c: int) -> None:
            np.matmul(basis[_rows(c)], weights, out=out[_rows(c)])

        self.each(one, self._count)
        return out

    def cleaned(self, block: Any, basis: Any) -> Any:
        """The coefficients of a block along a basis, which is taken out of it."""
        weights = self.gram(basis, block)
        self.subtract(block, basis, weights)
        return weights

    def orthonormal(self, block: Any, basis: Any, random: np.random.Generator, scale: float = 0.0) -> tuple[Any, Any]:
        """(Q, R) with block = Q R and Q orthogonal to the basis too.

        What the block lacks, compared with the `scale` of numbers it was made of, is filled up at random.
        """
        q, r = linalg.qr(block, mode="economic", check_finite=False)
        sizes = np.abs(np.diag(r))
        weak = sizes <= np.finfo(block.dtype).eps * 1e3 * max(scale, float(np.abs(r).max(initial=0.0)), 1e-300)
        if weak.any():
            r[weak] = 0.0
            fresh = random.uniform(-1.0, 1.0, (self.n, int(weak.sum()))).astype(block.dtype)
            good = q[:, ~weak]
            for _ in range(2):
                self.cleaned(fresh, basis)
                fresh -= good @ (good.T @ fresh)
            q[:, weak] = linalg.qr(fresh, mode="economic", check_finite=False)[0]
        self.cleaned(q, basis)  # a second time, as rounding of a block near the basis grew when it was made longer
        q, turn = linalg.qr(q, mode="economic", check_finite=False)
        return np.ascontiguousarray(q), turn @ r


def _rows(chunk: int) -> slice:
    return slice(chunk * _CHUNK, (chunk + 1) * _CHUNK)


def block_krylov(
    operator: Operator, wanted: int, tolerance: float, room: int | None = None
) -> tuple[Any, Any, Any, Any, int]:
    """(left, values, right, signs, applications): at least `wanted` leading singular values, descending.

    Golub and Kahan's two-sided recurrence in blocks (of a symmetric matrix Lanczos's, whose eigenvalues have `signs`),
    orthogonalised in full, restarted with the best vectors found when the space is full. It ends when every wanted
    vector leaves less than tolerance · (largest value), or the space is all there is.
    """
    width, most = krylov_columns(operator.n, wanted, room)
    method = _lanczos if operator.symmetric else _golub_kahan
    return method(operator, wanted, tolerance, width, most)


class _Looks:
    """When to look whether a search is at its end: looking costs as much as a few steps do."""

    def __init__(self, tolerance: float) -> None:
        self._tolerance = tolerance
        self._next, self._before = _FIRST_LOOK, (0, np.inf)

    def due(self, step: int) -> bool:
        """Whether this is the step for it."""
        return step >= self._next

    def seen(self, step: int, left_over: float) -> None:
        """Guess from what is left over, which mostly shrinks by a constant factor, when to look again."""
        earlier, was = self._before
        more = 2
        if np.isfinite(was) and 0 < left_over < was:
            rate = np.log(was / left_over) / (step - earlier)
            more = int(np.log(left_over / self._tolerance) / rate) if left_over > self._tolerance else 1
        self._before = (step, left_over)
        self._next = step + min(max(more, 1), _NEXT_LOOK)


def _lanczos(
    operator: Operator, wanted: int, tolerance: float, width: int, most: int
) -> tuple[Any, Any, Any, Any, int]:
    n, kind = operator.n, operator.kind
    tall, random = _Tall(operator.each, n), np.random.default_rng(0)
    basis = np.empty((n, most), kind)
    small = np.zeros((most, most))
    block, _ = tall.orthonormal(random.uniform(-1.0, 1.0, (n, width)).astype(kind), basis[:, :0], random)
    size, looks = 0, _Looks(tolerance)
    for applied in range(1, _MOST + 1):
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
        full = stop + min(width, n - stop) > most
        if full or stop == n or applied == _MOST or (stop >= wanted and looks.due(applied)):
            values, turns = linalg.eigh(small[:stop, :stop], check_finite=False)
            order = np.argsort(-np.abs(values), kind="stable")
            values, turns = values[order], turns[:, order]
            left_over = np.linalg.norm(coupling.astype(np.float64) @ turns[size:stop], axis=0)[:wanted].max()
            largest = float(np.abs(values[:1]).max(initial=0.0))
            looks.seen(applied, left_over / (largest or 1.0))
            if left_over <= tolerance * largest or stop == n or applied == _MOST:
                keep = min(stop, wanted)
                vectors = tall.product(basis[:, :stop], turns[:, :keep].astype(kind))
                signs = np.where(values[:keep] < 0, -1.0, 1.0)
                return vectors, np.abs(values[:keep]), vectors * signs.astype(kind), signs, applied
        size = stop
        block = following[:, : min(width, n - stop)]
        if full:  # restart with the best, and what is next
            keep = min(wanted + width // 2, most - width)
            basis[:, :keep] = tall.product(basis[:, :stop], turns[:, :keep].astype(kind))
            small[:] = 0.0
            small[np.arange(keep), np.arange(keep)] = values[:keep]
            size = keep
    raise AssertionError  # pragma: no cover - the loop returns


def _golub_kahan(
    operator: Operator, wanted: int, tolerance: float, width: int, most: int
) -> tuple[Any, Any, Any, Any, int]:
    n, kind = operator.n, operator.kind
    tall, random = _Tall(operator.each, n), np.random.default_rng(0)
    lefts, rights = np.empty((n, most), kind), np.empty((n, most), kind)
    small = np.zeros((most, most))
    block, _ = tall.orthonormal(random.uniform(-1.0, 1.0, (n, width)).astype(kind), rights[:, :0], random)
    size, looks = 0, _Looks(tolerance)
    for applied in range(1, _MOST + 1):
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
        full = stop + min(width, n - stop) > most
        if full or stop == n or applied == _MOST or (stop >= wanted and looks.due(applied)):
            u, values, vt = linalg.svd(small[:stop, :stop], check_finite=False)
            # Mᵀ U = V Bᵀ + next · coupling, so what a left vector leaves is in its last entries
            left_over = np.linalg.norm(coupling.astype(np.float64) @ u[size:stop], axis=0)[:wanted].max()
            largest = float(values[:1].max(initial=0.0))
            looks.seen(applied, left_over / (largest or 1.0))
            if left_over <= tolerance * largest or stop == n or applied == _MOST:
                keep = min(stop, wanted)
                left = tall.product(lefts[:, :stop], u[:, :keep].astype(kind))
                right = tall.product(rights[:, :stop], vt[:keep].T.astype(kind))
                return left, values[:keep], right, np.ones(keep), 2 * applied
        size = stop
        block = following[:, : min(width, n - stop)]
        if full:
            keep = min(wanted + width // 2, most - width)
            lefts[:, :keep] = tall.product(lefts[:, :stop], u[:, :keep].astype(kind))
            rights[:, :keep] = tall.product(rights[:, :stop], vt[:keep].T.astype(kind))
            small[:] = 0.0
            small[np.arange(keep), np.arange(keep)] = values[:keep]
            size = keep
    raise AssertionError  # pragma: no cover - the loop returns
