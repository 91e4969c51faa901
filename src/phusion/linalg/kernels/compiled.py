"""One way to compile: machine code that lets other threads run, kept on disk where that is possible.

Without numba, a public kernel is its twin in `linalg.plain`: the module and the function of the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast

import numpy as np

from phusion.errors import MissingLibraryError

__all__ = ["compiled", "compiler"]

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def compiler() -> Any:
    """Numba; None where it is not installed, or not for this NumPy."""
    try:
        return import_module("numba")
    except ImportError:
        return None


def compiled(*, reorder: bool = False) -> Callable[[Function], Function]:
    """Compile a function when it is first called, for each kind of argument.

    The result is kept for later processes beside the module or in the user's cache, or not at all where neither can be
    written. Products and sums may be fused; with `reorder` sums may also be regrouped, which vectorises them.
    """
    options: Any = {"nogil": True, "error_model": "numpy", "fastmath": True if reorder else {"contract", "nsz"}}

    def compile_lazily(function: Function) -> Function:
        numba = compiler()
        if numba is None:
            return _twin(function)
        made: Any
        try:
            made = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no place to keep it: a read-only home
            made = numba.njit(**options)(function)
        return cast(Function, made)

    return compile_lazily


def _twin(function: Function) -> Function:
    """The function that stands for this one where nothing is compiled; silent about overflow, as machine code is."""
    if function.__name__.startswith("_"):  # part of kernels alone
        return function
    place = function.__module__.replace(".kernels.", ".plain.")
    try:
        module = import_module(place)
    except ModuleNotFoundError as error:
        raise MissingLibraryError(f"what {function.__name__} computes", "numba", "fast") from error
    return cast(Function, np.errstate(all="ignore")(getattr(module, function.__name__)))
