# SPDX-License-Identifier: GPL-3.0-or-later
"""Buffers without reference counts, for compiled code only.

Compiled code counts references to arrays atomically, row by row and call by call, which can cost more than the moves of a
game. A buffer that outlives the call it is passed to needs no count.
"""

from typing import Any, TypeVar

from numba.extending import intrinsic, overload

Buffer = TypeVar("Buffer")

_primitive: Any = intrinsic


@_primitive
def _borrowed(typing: Any, array: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(array)(context, builder, value=arguments[0])
        view.meminfo = view.meminfo.type(None)
        view.parent = view.parent.type(None)
        return view._getvalue()

    return array(array), emit


def borrowed(array: Buffer) -> Buffer:
    """Return the array without ownership: someone up the stack must hold it, and it must not be returned to Python."""
    return array


overload(borrowed, jit_options={"forceinline": True})(lambda array: lambda array: _borrowed(array))
