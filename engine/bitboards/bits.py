# SPDX-License-Identifier: GPL-3.0-or-later
"""Bitboards: operations on 64 bits that take one processor instruction.

Boards are uint64. Do not mix uint64 and int64 in compiled code: numba converts a mixed sum to a float.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

Bits = np.uint64
"""A board: one bit for each square."""

_WORD = ir.IntType(64)

_primitive: Any = intrinsic
"""Untyped: the type of ``intrinsic`` counts the context as an argument of a call."""

_inlined: Any = {"error_model": "numpy", "forceinline": True, "no_cfunc_wrapper": True}


def _instruction(name: str, result: types.Type, *more: ir.Constant) -> Callable[..., Any]:
    """Return a function that emits LLVM's intrinsic ``name`` with the caller's arguments and ``more``."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arguments = (*arguments, *more)
        kind = ir.FunctionType(_WORD, [argument.type for argument in arguments])
        return builder.call(builder.module.declare_intrinsic(name, (), kind), arguments)

    return lambda *arguments: (result(*arguments), emit)


_ctpop = _instruction("llvm.ctpop.i64", types.int64)
_cttz = _instruction("llvm.cttz.i64", types.uint64, ir.IntType(1)(1))
_ctlz = _instruction("llvm.ctlz.i64", types.uint64, ir.IntType(1)(1))
_bswap = _instruction("llvm.bswap.i64", types.uint64)
_fshl = _instruction("llvm.fshl.i64", types.uint64)
_bitreverse = _instruction("llvm.bitreverse.i64", types.uint64)


@_primitive
def _popcount(typing: Any, board: Any) -> Any:
    return _ctpop(types.uint64)


@_primitive
def _lowest(typing: Any, board: Any) -> Any:
    return _cttz(types.uint64)


@_primitive
def _leading_zeros(typing: Any, board: Any) -> Any:
    return _ctlz(types.uint64)


@_primitive
def _swapped(typing: Any, board: Any) -> Any:
    return _bswap(types.uint64)


@_primitive
def _funnel(typing: Any, high: Any, low: Any, count: Any) -> Any:
    return _fshl(types.uint64, types.uint64, types.uint64)


@_primitive
def _backwards(typing: Any, board: Any) -> Any:
    return _bitreverse(types.uint64)


def popcount(board: Bits) -> int:
    """Return the number of set bits."""
    return int(board).bit_count()


def lowest(board: Bits) -> Bits:
    """Return the index of the lowest set bit; the board must not be empty."""
    return Bits((int(board) & -int(board)).bit_length() - 1)


def highest(board: Bits) -> Bits:
    """Return the index of the highest set bit; the board must not be empty."""
    return Bits(int(board).bit_length() - 1)


def upside_down(board: Bits) -> Bits:
    """Return the board with its last row first."""
    return Bits(int.from_bytes(int(board).to_bytes(8, "little"), "big"))


def backwards(board: Bits) -> Bits:
    """Return the board with its bits in reverse order."""
    return Bits(int(f"{int(board):064b}"[::-1], 2))


def rotate(board: Bits, count: Bits) -> Bits:
    """Return the board rotated left by ``count`` modulo 64."""
    places = int(count) % 64
    return Bits((int(board) << places | int(board) >> 64 - places) % 2**64)


overload(popcount, jit_options=_inlined)(lambda board: lambda board: _popcount(board))
overload(lowest, jit_options=_inlined)(lambda board: lambda board: _lowest(board))
overload(highest, jit_options=_inlined)(lambda board: lambda board: _leading_zeros(board) ^ Bits(63))
overload(upside_down, jit_options=_inlined)(lambda board: lambda board: _swapped(board))
overload(backwards, jit_options=_inlined)(lambda board: lambda board: _backwards(board))
overload(rotate, jit_options=_inlined)(lambda board, count: lambda board, count: _funnel(board, board, count))
