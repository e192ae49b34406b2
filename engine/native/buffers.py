# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays without reference counts, and pointers to tuples of arrays, for compiled code.

Compiled code counts references to arrays atomically in each call, which can cost more than a move. An array that
outlives the call needs no count: ``borrowed``.

A tuple of many arrays has about a hundred words, and compiled code copies them in each call. Recursive functions
therefore pass a pointer: ``lent`` once before the first call, ``borrowed`` in each function.
"""

from typing import Any, TypeVar

from llvmlite import ir
from numba import types
from numba.core import cgutils
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

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = arguments[0]
        return disown(context, builder, kind, _loaded(builder, value) if kind is not buffers else value)

    kind = buffers.dtype if isinstance(buffers, types.CPointer) else buffers
    return kind(buffers), build


def _loaded(builder: Any, place: Any) -> Any:
    """Load a tuple behind a pointer word by word, so that unused words are not loaded."""
    kind = place.type.pointee
    if not isinstance(kind, ir.Aggregate):
        return builder.load(place)
    value = ir.Constant(kind, ir.Undefined)
    for index in range(len(kind)):
        part = _loaded(builder, builder.gep(place, [ir.IntType(32)(0), ir.IntType(32)(index)], inbounds=True))
        value = builder.insert_value(value, part, index)
    return value


@_primitive
def lent(typing: Any, buffers: Any) -> Any:
    """Return a pointer to a tuple of arrays, for ``borrowed`` in called functions."""

    # an intrinsic, not an overload: the stack of an overload is gone when it returns
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once_value(builder, arguments[0])

    return types.CPointer(buffers)(buffers), build


@_primitive
def prefetch(typing: Any, rows: Any, index: Any) -> Any:
    """Prefetch a row of a two-dimensional array into the processor's cache."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(rows)(context, builder, value=arguments[0])
        stride = builder.extract_value(view.strides, 0)
        data = builder.bitcast(view.data, cgutils.voidptr_t)
        place = builder.gep(data, [builder.mul(arguments[1], stride)])
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", (cgutils.voidptr_t,), kind)
        builder.call(function, [place, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(rows, types.intp), build


def borrowed(buffers: Buffers) -> Buffers:
    """Return an array, or a tuple of arrays, without reference counts; ``buffers`` may be a pointer from ``lent``.

    A caller must hold the arrays meanwhile, and they must not be returned to Python.
    """
    return buffers


overload(borrowed, jit_options={"forceinline": True, "no_cfunc_wrapper": True})(
    lambda buffers: lambda buffers: _borrowed(buffers)
)
