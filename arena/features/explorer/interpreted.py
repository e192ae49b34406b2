# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches that run in Python instead of machine code: the same sources, with other functions put in.

A compiled search cannot be observed. Each compiled function keeps its Python code; here that code gets other global
names. A search in Python therefore visits the same positions as the compiled one, and there is no second search that
could differ from the first. It is some hundred times slower.

Compiled integers have 64 bits and wrap; Python's do not. The arguments of functions are therefore made integers of
numpy, and overflows are allowed.
"""

import sys
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from engine.native import buffers
from engine.native.parts import Kernel

Function = Callable[..., Any]
Wrap = Callable[[str, Function], Function]
"""Returns the replacement of a function, given its full name and the function."""


def _same(buffers: Any) -> Any:
    return buffers


def _nothing(*_: object) -> None:
    """A hint for the processor."""


BUFFERS: Mapping[Function, Function] = {buffers.borrowed: _same, buffers.lent: _same, buffers.prefetch: _nothing}


class Interpreter:
    """Makes Python functions of compiled ones."""

    def __init__(self, replacements: Mapping[Function, Function], wrap: Wrap) -> None:
        """``replacements``: functions put in place of others, such as kernels."""
        self._replacements = {id(function): other for function, other in {**BUFFERS, **replacements}.items()}
        self._wrap = wrap
        self._functions: dict[int, Function] = {}
        self._namespaces: dict[str, dict[str, Any]] = {}

    def function(self, compiled: Any) -> Function:
        """Return the Python form of a compiled function."""
        known = self._functions.get(id(compiled))
        if known is None:
            source = compiled.py_func
            known = self._wrap(f"{source.__module__}.{source.__name__}", self.rebound(source))
            self._functions[id(compiled)] = known
        return known

    def rebound(self, source: Any) -> Function:
        """Return a function of Python with the global names of its module replaced."""
        found = FunctionType(source.__code__, self._namespace(source.__module__), source.__name__, source.__defaults__)
        found.__kwdefaults__ = source.__kwdefaults__
        return found

    def _namespace(self, name: str) -> dict[str, Any]:
        """Return the global names of a module, with those of compiled functions replaced."""
        if name not in self._namespaces:
            found = self._namespaces[name] = dict(vars(sys.modules[name]))
            for each, value in list(found.items()):
                if id(value) in self._replacements:
                    found[each] = self._replacements[id(value)]
                elif isinstance(value, Kernel):
                    found[each] = self.function(value)
        return self._namespaces[name]


def as_compiled(value: Any) -> Any:
    """Return an argument of a compiled function as the type that it has there."""
    return np.int64(value) if type(value) is int else value
