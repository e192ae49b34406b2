# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled functions that dispatch on the type of a game's state.

A *kernel* is a name such as ``step`` that every game implements for its own state class. Inside compiled code a call
to the name is resolved while compiling, from the state's type, so a search written once runs at native speed for each
game and is loaded from numba's disk cache afterwards.
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.extending import overload

from engine import parts

parts.install()

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS = {"error_model": "numpy", "forceinline": True, "no_cfunc_wrapper": True}
"""Wrappers made by ``overload`` are not inlined unless told so."""

compiled = parts.decorator(cache=True, error_model="numpy", nogil=True, forceinline=False)
"""How every compiled function that Python calls is made: cached on disk, without the GIL, division as numpy has it.

What an inlined function calls first is compiled as it is, inlined too, unless told not to be. Whatever kernels are made
of would then stand in a search as often as it is called there, and the search outgrow the instruction cache.
"""

brief = parts.decorator(cache=True, error_model="numpy", forceinline=False)
"""For functions of a few microseconds: to give the GIL away and get it back from a busy thread takes far longer."""

inlined = parts.decorator(error_model="numpy", forceinline=True)
"""A small part of compiled functions, inlined where it is used; caching is the caller's."""

part = parts.decorator(error_model="numpy", forceinline=False)
"""A part of compiled functions that is not inlined; caching is the caller's."""

_implementations: dict[Callable[..., Any], dict[type, Callable[..., Any]]] = {}


def kernel(name: Function) -> Function:
    """Make ``name`` a kernel.

    Its body, compilable for any state, is what a game without an implementation of its own gets.
    A body that only raises NotImplementedError makes an implementation compulsory: compiling a call to it fails by
    name. The first argument is the state; implementations have the same argument names.
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
    """Register the decorated function as the implementation of the kernel ``name`` for these state classes.

    Raises KeyError when ``name`` is no kernel and ValueError when a state has an implementation already.
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
    """Return whether a state class has an implementation of its own of the kernel ``name``."""
    return state in _implementations[name]
