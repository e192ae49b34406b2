# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels: compiled functions with one implementation for each class of states.

A kernel is a name such as ``step`` that each game implements for its own state class. Compiled code resolves a call at
compile time from the type of the state, so one search is compiled to native code for each game. numba caches the code
on disk.
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.extending import overload

from engine.native import parts

parts.install()

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS = {"error_model": "numpy", "forceinline": True, "no_cfunc_wrapper": True}
"""Options of ``overload``, whose wrappers are not inlined by default."""

compiled = parts.decorator(cache=True, error_model="numpy", nogil=True, forceinline=False)
"""Decorator of compiled functions that Python calls: cached on disk, without the GIL, with numpy's division.

``forceinline=False``: otherwise the functions that an inlined function calls would be inlined too, at each call, and a
search would outgrow the instruction cache.
"""

brief = parts.decorator(cache=True, error_model="numpy", forceinline=False)
"""Decorator of functions of a few microseconds: they keep the GIL, because getting it back would take far longer."""

inlined = parts.decorator(error_model="numpy", forceinline=True)
"""Decorator of small inlined functions; cached with their callers."""

part = parts.decorator(error_model="numpy", forceinline=False)
"""Decorator of functions that are not inlined; cached with their callers."""

_implementations: dict[Callable[..., Any], dict[type, Callable[..., Any]]] = {}


def kernel(name: Function) -> Function:
    """Make a function a kernel; its body is the default implementation.

    If the body only raises NotImplementedError, an implementation is required, and compilation without one fails. The
    first argument is the state. Implementations must have the same argument names.
    """
    registered: dict[type, Callable[..., Any]] = {}
    _implementations[name] = registered
    required = "raise NotImplementedError" in inspect.getsource(name)

    def resolve(*arguments: types.Type) -> Callable[..., Any] | None:
        state = arguments[0]
        # a NamedTuple whose fields share one type is a NamedUniTuple: test the base class of both
        if not isinstance(state, types.BaseNamedTuple):
            return None
        implementation = registered.get(state.instance_class)
        return implementation or (None if required else name)

    resolve.__signature__ = inspect.signature(name)  # type: ignore[attr-defined]  # numba compares it with the implementation's
    overload(name, jit_options=OPTIONS, strict=False)(resolve)
    return name


def implements(name: Callable[..., Any], *states: type) -> Callable[[Function], Function]:
    """Register a function as the implementation of a kernel for these state classes.

    Raises KeyError if ``name`` is not a kernel, and ValueError if a state has an implementation already.
    """

    def register(function: Function) -> Function:
        registered = _implementations[name]
        for state in states:
            if state in registered:
                raise ValueError(f"{name.__name__} is implemented for {state.__qualname__} already")
            registered[state] = function
        return function

    return register


def implemented(name: Callable[..., Any], state: type) -> bool:
    """Return whether a state class has its own implementation of a kernel."""
    return state in _implementations[name]
