# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic operations on items of one-dimensional integer arrays, for compiled code that several threads run at once.

Threads that share arrays without a lock need them for counters and flags: two ordinary additions at the same time can
lose one of them. Each operation orders all memory accesses before and after it.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

_ORDER = "seq_cst"

_primitive: Any = intrinsic


def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Return the address of an item of an array of one dimension."""
    kind = signature.args[0]
    data = context.make_array(kind)(context, builder, value=values[0]).data
    return builder.gep(data, [context.cast(builder, values[1], signature.args[1], types.intp)])


def _item(context: Any, builder: Any, signature: Any, values: Any, index: int) -> Any:
    """Return an argument, converted to the type of the array's items."""
    return context.cast(builder, values[index], signature.args[index], signature.args[0].dtype)


def _updating(operation: str) -> Any:
    """Return the intrinsic function of an atomic operation of LLVM; it returns the item's value before."""

    def update(typing: Any, array: Any, index: Any, value: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            value = _item(context, builder, signature, values, 2)
            return builder.atomic_rmw(operation, _place(context, builder, signature, values), value, _ORDER)

        return array.dtype(array, index, value), build

    return _primitive(update)


atomic_add = _updating("add")
"""Add to an item; return its value before."""

atomic_swap = _updating("xchg")
"""Replace an item; return its value before."""


@_primitive
def swapped_if(typing: Any, array: Any, index: Any, expected: Any, value: Any) -> Any:
    """Replace an item if it has the expected value (compare and swap); return whether it had."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        expected, value = (_item(context, builder, signature, values, number) for number in (2, 3))
        place = _place(context, builder, signature, values)
        return builder.extract_value(builder.cmpxchg(place, expected, value, _ORDER), 1)

    return types.boolean(array, index, expected, value), build
