# SPDX-License-Identifier: GPL-3.0-or-later
"""SIMD vectors of eight bitboards ("lanes") for compiled code.

Games on 64 squares often compute the same in eight directions. Lanes are a numba type: one register of 512 bits, or
several smaller ones. The operators ``&``, ``|``, ``^``, ``+``, ``-``, ``*`` and ``~`` work lane by lane. Lanes exist
only in compiled code: they cannot be passed from Python or returned to it.
"""

import inspect
import operator
from collections.abc import Callable
from typing import Any, TypeAlias

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

Lanes: TypeAlias = Any
"""Eight boards; in compiled code only."""

WIDTH = 8

_WORD, _INDEX, _MASK = ir.IntType(64), ir.IntType(32), ir.IntType(WIDTH)
_VECTOR = ir.VectorType(_WORD, WIDTH)


class LanesType(types.Type):  # type: ignore[misc]  # numba has no types
    """The numba type of lanes."""


LANES = LanesType(name="Lanes")
BOARD = types.uint64


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]  # numba has no types
    """Lanes are a vector in registers, in memory and as arguments."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


# ---------------------------------------------------------------- definition of instructions


def _operator(sign: Callable[..., Any], arity: int, name: str) -> None:
    """Define a Python operator of lanes as LLVM's instruction ``name``."""
    kinds = (LANES,) * arity
    type_callable(sign)(lambda context: lambda *given: LANES if given == kinds else None)
    lower_builtin(sign, *kinds)(lambda context, builder, signature, values: getattr(builder, name)(*values))


_operator(operator.and_, 2, "and_")
_operator(operator.or_, 2, "or_")
_operator(operator.xor, 2, "xor")
_operator(operator.add, 2, "add")
_operator(operator.sub, 2, "sub")
_operator(operator.mul, 2, "mul")
_operator(operator.invert, 1, "not_")


def _instruction(result: Any, *arguments: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Define a function of compiled code by one that builds its LLVM value from the arguments' values."""

    def decorate(build: Callable[..., Any]) -> Callable[..., Any]:
        def typed(context: Any, *given: Any) -> Any:
            return result(*arguments), lambda context, builder, signature, values: build(builder, *values)

        # numba takes the names of the arguments from the signature; the first is numba's own
        typed.__signature__ = inspect.signature(build)  # type: ignore[attr-defined]  # a function takes any attribute
        typed.__name__, typed.__doc__ = build.__name__, build.__doc__
        made: Callable[..., Any] = intrinsic(typed)
        return made

    return decorate


def _call(builder: Any, name: str, kind: Any, *values: Any) -> Any:
    function = ir.FunctionType(kind, [value.type for value in values])
    return builder.call(builder.module.declare_intrinsic(name, (), function), values)


def _shuffled(builder: Any, first: Any, second: Any, order: list[int]) -> Any:
    return builder.shuffle_vector(first, second, ir.Constant(ir.VectorType(_INDEX, WIDTH), order))


def _spread(builder: Any, board: Any) -> Any:
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    return _shuffled(builder, builder.insert_element(undefined, board, _INDEX(0)), undefined, [0] * WIDTH)


def _nonzero(builder: Any, lanes: Any) -> Any:
    return builder.icmp_unsigned("!=", lanes, ir.Constant(_VECTOR, [0] * WIDTH))


# ---------------------------------------------------------------- boards to lanes


@_instruction(LANES, BOARD)
def spread(builder: Any, board: Any) -> Any:
    """Return a board in every lane."""
    return _spread(builder, board)


@_instruction(LANES, BOARD, BOARD)
def weave(builder: Any, even: Any, odd: Any) -> Any:
    """Return one board in the lanes 0, 2, 4 and 6, another in 1, 3, 5 and 7."""
    return _shuffled(builder, _spread(builder, even), _spread(builder, odd), [0, 9, 2, 11, 4, 13, 6, 15])


@intrinsic
def packed(context: Any, boards: Any) -> Any:
    """Return the items of a tuple of eight boards, a state or a global constant, as lanes."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        lanes = ir.Constant(_VECTOR, ir.Undefined)
        for i in range(WIDTH):
            lanes = builder.insert_element(lanes, builder.extract_value(values[0], i), _INDEX(i))
        return lanes

    return LANES(boards), build


@intrinsic
def unpacked(context: Any, lanes: Any) -> Any:
    """Return lanes as a tuple of eight boards."""
    boards = types.UniTuple(BOARD, WIDTH)

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.make_tuple(
            builder, boards, [builder.extract_element(values[0], _INDEX(i)) for i in range(WIDTH)]
        )

    return boards(LANES), build


@intrinsic
def row(context: Any, table: Any, index: Any) -> Any:
    """Return the row ``index`` of a flat array of boards, read as rows of eight."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        place = builder.gep(data, [builder.shl(values[1], _WORD(3))])
        return builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=8)

    return LANES(table, BOARD), build


# ---------------------------------------------------------------- lanes to lanes


@_instruction(LANES, LANES, LANES)
def rotated(builder: Any, lanes: Any, counts: Any) -> Any:
    """Return each lane rotated left by its own count modulo 64."""
    return _call(builder, "llvm.fshl.v8i64", _VECTOR, lanes, lanes, counts)


@_instruction(LANES, LANES, BOARD)
def left(builder: Any, lanes: Any, count: Any) -> Any:
    """Return all lanes shifted left by the same count below 64."""
    return builder.shl(lanes, _spread(builder, count))


@_instruction(LANES, LANES, BOARD)
def right(builder: Any, lanes: Any, count: Any) -> Any:
    """Return all lanes shifted right by the same count below 64."""
    return builder.lshr(lanes, _spread(builder, count))


@_instruction(LANES, LANES)
def opposite(builder: Any, lanes: Any) -> Any:
    """Return the lanes rotated by four: each direction becomes its opposite."""
    return _shuffled(builder, lanes, lanes, [4, 5, 6, 7, 0, 1, 2, 3])


@_instruction(LANES, LANES)
def exchanged(builder: Any, lanes: Any) -> Any:
    """Return the lanes with the first two exchanged: own and the other side's."""
    return _shuffled(builder, lanes, lanes, [1, 0, 2, 3, 4, 5, 6, 7])


@_instruction(LANES, LANES)
def upside_down(builder: Any, lanes: Any) -> Any:
    """Return each board with its last row first."""
    return _call(builder, "llvm.bswap.v8i64", _VECTOR, lanes)


@_instruction(LANES, LANES)
def popcounts(builder: Any, lanes: Any) -> Any:
    """Return the number of set bits of each lane."""
    return _call(builder, "llvm.ctpop.v8i64", _VECTOR, lanes)


@_instruction(LANES, LANES)
def sums(builder: Any, lanes: Any) -> Any:
    """Return prefix sums: in each lane the sum of the lanes up to it, modulo 2 ** 64."""
    nothing = ir.Constant(_VECTOR, [0] * WIDTH)
    for far in (1, 2, 4):
        order = [WIDTH] * far + list(range(WIDTH - far))
        lanes = builder.add(lanes, _shuffled(builder, lanes, nothing, order))
    return lanes


@_instruction(LANES, LANES, LANES, LANES)
def where(builder: Any, test: Any, chosen: Any, otherwise: Any) -> Any:
    """Return ``chosen`` in the lanes where ``test`` is not empty, ``otherwise`` elsewhere."""
    return builder.select(_nonzero(builder, test), chosen, otherwise)


# ---------------------------------------------------------------- lanes to one value


@_instruction(BOARD, LANES)
def total(builder: Any, lanes: Any) -> Any:
    """Return the sum of the lanes modulo 2 ** 64."""
    return _call(builder, "llvm.vector.reduce.add.v8i64", _WORD, lanes)


@_instruction(BOARD, LANES)
def union(builder: Any, lanes: Any) -> Any:
    """Return the bits that are set in any lane."""
    return _call(builder, "llvm.vector.reduce.or.v8i64", _WORD, lanes)


@_instruction(BOARD, LANES)
def common(builder: Any, lanes: Any) -> Any:
    """Return the bits that are set in every lane."""
    return _call(builder, "llvm.vector.reduce.and.v8i64", _WORD, lanes)


@_instruction(types.boolean, LANES)
def some(builder: Any, lanes: Any) -> Any:
    """Return whether any bit is set."""
    return builder.icmp_unsigned("!=", builder.bitcast(_nonzero(builder, lanes), _MASK), _MASK(0))


@_instruction(BOARD, LANES, BOARD)
def reached(builder: Any, lanes: Any, bound: Any) -> Any:
    """Return the number of lanes that do not exceed the bound."""
    within = builder.bitcast(builder.icmp_unsigned("<=", lanes, _spread(builder, bound)), _MASK)
    return _call(builder, "llvm.ctpop.i64", _WORD, builder.zext(within, _WORD))


@_instruction(BOARD, LANES, BOARD)
def lane(builder: Any, lanes: Any, index: Any) -> Any:
    """Return one lane."""
    return builder.extract_element(lanes, index)
