# SPDX-License-Identifier: GPL-3.0-or-later
"""Buffers without reference counts, for compiled code only.

Compiled code counts references to arrays atomically, row by row and call by call, which can cost more than the moves
of a game. A buffer that outlives the call it is passed to needs no count.
"""

from typing import Any, TypeVar

from numba import types
from numba.extending import intrinsic, overload

Buffers = TypeVar("Buffers")

_primitive: Any = intrinsic


@_primitive
def _borrowed(typing: Any, buffers: Any) -> Any:
    def disown(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Array):
            view = context.make_array(kind)(context, builder, value=value)
            view.meminfo = view.meminfo.type(None)
            view.parent = view.parent.type(None)
            return view._getvalue()
        if isinstance(kind, types.BaseTuple):
            for index, item in enumerate(kind):
                part = disown(context, builder, item, builder.extract_value(value, index))
                value = builder.insert_value(value, part, index)
        return value

    return buffers(buffers), lambda context, builder, signature, arguments: disown(
        context, builder, buffers, arguments[0]
    )


def borrowed(buffers: Buffers) -> Buffers:
    """Return an array, or a tuple with arrays among its items, without ownership.

    Someone up the stack must hold the arrays meanwhile, and they must not be returned to Python.
    """
    return buffers


overload(borrowed, jit_options={"forceinline": True})(lambda buffers: lambda buffers: _borrowed(buffers))
