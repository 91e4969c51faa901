"""One way to compile: machine code that lets other threads run, kept on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["compiled"]

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(*, reorder: bool = False) -> Callable[[Function], Function]:
    """Compile a function when it is first called, for each kind of argument.

    The result is kept for later processes beside the module or in the user's cache, or not at all where neither can be
    written. Products and sums may be fused; with `reorder` sums may also be regrouped, which vectorises them.
    """
    options: Any = {"nogil": True, "error_model": "numpy", "fastmath": True if reorder else {"contract", "nsz"}}

    def compile_lazily(function: Function) -> Function:
        made: Any
        try:
            made = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no place to keep it: a read-only home
            made = numba.njit(**options)(function)
        return cast(Function, made)

    return compile_lazily
