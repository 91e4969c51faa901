"""Powers of a sparse matrix, each from the one before, and the proximities that are made of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.products import ProductsStream
from phusion.proximities.base import Proximity
from phusion.proximities.matrix import ProximityMatrix
from phusion.proximities.stacked import StackedMatrix

__all__ = ["PowerProximity", "in_sequence", "powers"]

_FEW = 3  # steps of walks that tell everything

_MANY = 10_000_000  # entries of powers from which on loading a compiled loop pays


def in_sequence(orders: Sequence[int], ascending: Callable[[Sequence[int]], Iterator[Array]]) -> Iterator[Array]:
    """What `ascending` gives for sorted orders, in the sequence asked for; sorted ones are not kept."""
    if all(one <= another for one, another in pairwise(orders)):
        yield from ascending(orders)
    else:
        found = dict(zip(sorted(orders), ascending(sorted(orders)), strict=True))
        yield from (found[order] for order in orders)


def powers(matrix: Any, orders: Sequence[int], size: int | None = None) -> Iterator[Array]:
    """The dense power M^k for each order k; its blocks one below the other, if M has diagonal blocks of this size."""
    return in_sequence(orders, lambda ascending: _ascending(matrix, ascending, size or matrix.shape[0]))


def _ascending(matrix: Any, orders: Sequence[int], size: int) -> Iterator[Array]:
    power, done = np.tile(np.eye(size), (matrix.shape[0] // max(1, size), 1)), 0
    for order in orders:
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is named where the values are used
            for _ in range(order - done):
                power = matrix @ power
        done = order
        yield power


class _Compiled:
    """A sparse matrix whose products are those of a compiled loop, which lets other threads run."""

    def __init__(self, matrix: Any) -> None:
        self.shape = matrix.shape
        self._arrays = Sparse.of(matrix).arrays

    def __matmul__(self, x: Array) -> Array:
        from phusion.linalg.kernels.recurrences import multiply

        image = np.empty_like(x)
        multiply(*self._arrays, x, image, 0, len(x))
        return image


class PowerProximity(Proximity):
    """S made of the power M^k of a sparse matrix, k being its parameter `order`; all orders from one sequence."""

    order: Any
    dense_work = 0.0  # sparse products, as in a stream

    @property
    def by_few_steps(self) -> bool:
        """No more than three."""
        return self.settled and bool(max(one.order for one in self.at_each_scale()) <= _FEW)

    def step(self, graph: Graph) -> Any:
        """The matrix M of one step."""
        raise NotImplementedError

    def of_power(self, power: Array) -> Array:
        """S from M^k; here M^k itself."""
        return power

    def dense(self, graph: Graph) -> Array:
        """S at one order."""
        return self.of_power(next(powers(self.step(graph), (self.order,))))

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each order."""
        each = self.at_each_scale()
        for one, power in zip(each, powers(self.step(graph), [p.order for p in each]), strict=True):
            yield one.matrix_of(graph, one.of_power(power))

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix] | None:
        """The same sparse products, for all graphs of the stack together."""
        if type(self).of_power is not PowerProximity.of_power:
            return None  # it may look at more than an entry
        return self._stacked(stack)

    def _stacked(self, stack: Stack) -> Iterator[StackedMatrix]:
        each, shape = self.at_each_scale(), (len(stack), stack.width, stack.width)
        step = self.step(stack.union)
        if stack.total * max(one.order for one in each) > _MANY:
            step = _Compiled(step)
        found = powers(step, [p.order for p in each], stack.width)
        for one, power in zip(each, found, strict=True):
            yield one.stack_of(stack, power.reshape(shape), by_edges=True)

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """One product after another."""
        step = self.step(graph)
        step = step.T.tocsr() if transposed else step
        orders = tuple(int(one.order) for one in self.at_each_scale())
        return ProductsStream.of((step,) * max(orders), orders, kind)
