# SPDX-License-Identifier: GPL-3.0-or-later
"""Wide bitboards for compiled code: boards of more than 64 squares as one SIMD vector of 64-bit words.

Wide boards are numba types of two, four or eight words. The operators ``&``, ``|``, ``^`` and ``~`` work on all bits.
They exist only in compiled code: they cannot be passed from Python or returned to it; states store their words.
"""

import inspect
import operator
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from engine.bitboards.bits import lowest, popcount
from engine.kernel import inlined

Wide: TypeAlias = Any
"""A wide board; in compiled code only."""

BITS = 64
"""Bits of a word."""

_WORD, _INDEX = ir.IntType(BITS), ir.IntType(32)
_primitive: Any = intrinsic
"""Untyped: the type of ``intrinsic`` counts the context as an argument of a call."""


class WideType(types.Type):  # type: ignore[misc]  # numba has no types
    """The numba type of wide boards with this many words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"Wide{words}")

    @property
    def vector(self) -> Any:
        """The LLVM type."""
        return ir.VectorType(_WORD, self.words)


@register_model(WideType)
class _WideModel(models.PrimitiveModel):  # type: ignore[misc]  # numba has no types
    """Wide boards are a vector in registers, in memory and as arguments."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.vector)


def wide_type(words: int) -> WideType:
    """Return the type for boards of this many words: the next power of two. Raises ValueError beyond eight words."""
    for size in (2, 4, 8):
        if words <= size:
            return WideType(size)
    raise ValueError(f"a wide board has at most 8 words (got {words})")


# ---------------------------------------------------------------- definition of instructions


def _operator(sign: Callable[..., Any], arity: int, name: str) -> None:
    """Define a Python operator of wide boards as LLVM's instruction ``name``."""

    def resolve(*given: Any) -> Any:
        same = len(given) == arity and isinstance(given[0], WideType) and all(kind == given[0] for kind in given)
        return given[0] if same else None

    type_callable(sign)(lambda context: resolve)
    lower_builtin(sign, *(WideType,) * arity)(
        lambda context, builder, signature, values: getattr(builder, name)(*values)
    )


_operator(operator.and_, 2, "and_")
_operator(operator.or_, 2, "or_")
_operator(operator.xor, 2, "xor")
_operator(operator.invert, 1, "not_")


def _instruction(result: Any, *more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Define a function of a wide board and ``more`` by one that builds its LLVM value.

    ``result`` and ``more``: numba types; None stands for the type of the board.
    """

    def decorate(build: Callable[..., Any]) -> Callable[..., Any]:
        def typed(context: Any, *given: Any) -> Any:
            board = given[0]
            if not isinstance(board, WideType):
                return None
            kinds = [board if kind is None else kind for kind in (result, None, *more)]
            return kinds[0](*kinds[1:]), lambda context, builder, signature, values: build(builder, *values)

        # numba takes the names of the arguments from the signature; the first is numba's own
        typed.__signature__ = inspect.signature(build)  # type: ignore[attr-defined]  # a function takes any attribute
        typed.__name__, typed.__doc__ = build.__name__, build.__doc__
        made: Callable[..., Any] = _primitive(typed)
        return made

    return decorate


def _spread(builder: Any, kind: Any, word: Any) -> Any:
    """Return a vector with a word in every place."""
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, word, _INDEX(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_INDEX, kind.count), [0] * kind.count))


def _moved(builder: Any, board: Any, far: int) -> Any:
    """Return the words moved by one place, up or down; zero comes in."""
    count = board.type.count
    order = [count, *range(count - 1)] if far > 0 else [*range(1, count), count]
    nothing = ir.Constant(board.type, [0] * count)
    return builder.shuffle_vector(board, nothing, ir.Constant(ir.VectorType(_INDEX, count), order))


def _up(builder: Any, board: Any, count: Any) -> Any:
    near = builder.shl(board, _spread(builder, board.type, count))
    rest = _spread(builder, board.type, builder.sub(_WORD(BITS), count))
    return builder.or_(near, builder.lshr(_moved(builder, board, 1), rest))


def _down(builder: Any, board: Any, count: Any) -> Any:
    near = builder.lshr(board, _spread(builder, board.type, count))
    rest = _spread(builder, board.type, builder.sub(_WORD(BITS), count))
    return builder.or_(near, builder.shl(_moved(builder, board, -1), rest))


def _call(builder: Any, name: str, kind: Any, *values: Any) -> Any:
    function = ir.FunctionType(kind, [value.type for value in values])
    return builder.call(builder.module.declare_intrinsic(name, (), function), values)


# ---------------------------------------------------------------- boards from words


def from_words(builder: Any, kind: WideType, words: Any) -> Any:
    """Build the LLVM value of a board from those of its words, the lowest first; missing words are zero.

    For intrinsics that read the boards of a state.
    """
    board = ir.Constant(kind.vector, [0] * kind.words)
    for index, word in enumerate(words):
        board = builder.insert_element(board, word, _INDEX(index))
    return board


def to_words(builder: Any, board: Any, count: int) -> list[Any]:
    """Build the LLVM values of the ``count`` lowest words of a board. For intrinsics that write a state."""
    return [builder.extract_element(board, _INDEX(index)) for index in range(count)]


def constant(kind: WideType, bits: int) -> Any:
    """Return the LLVM constant of a board with these bits. For intrinsics."""
    return ir.Constant(kind.vector, [bits >> BITS * index & (1 << BITS) - 1 for index in range(kind.words)])


# ---------------------------------------------------------------- operations


@_instruction(None, types.uint64)
def up(builder: Any, board: Any, count: Any) -> Any:
    """Return the board with each bit ``count`` places higher, 1 to 63."""
    return _up(builder, board, count)


@_instruction(None, types.uint64)
def down(builder: Any, board: Any, count: Any) -> Any:
    """Return the board with each bit ``count`` places lower, 1 to 63."""
    return _down(builder, board, count)


@_instruction(None, types.uint64)
def neighbours(builder: Any, board: Any, stride: Any) -> Any:
    """Return all bits 1 or ``stride`` (2 to 63) places above or below a bit of the board."""
    one = _WORD(1)
    beside = builder.or_(_up(builder, board, one), _down(builder, board, one))
    return builder.or_(beside, builder.or_(_up(builder, board, stride), _down(builder, board, stride)))


@_instruction(None, types.uint64)
def single(builder: Any, board: Any, index: Any) -> Any:
    """Return the board with one bit, as wide as ``board``."""
    kind = board.type
    places = ir.Constant(kind, list(range(kind.count)))
    bit = builder.shl(_WORD(1), builder.and_(index, _WORD(BITS - 1)))
    place = _spread(builder, kind, builder.lshr(index, _WORD(6)))
    nothing = ir.Constant(kind, [0] * kind.count)
    return builder.select(builder.icmp_unsigned("==", places, place), _spread(builder, kind, bit), nothing)


@_instruction(types.boolean)
def some(builder: Any, board: Any) -> Any:
    """Return whether any bit is set."""
    union = _call(builder, f"llvm.vector.reduce.or.v{board.type.count}i64", _WORD, board)
    return builder.icmp_unsigned("!=", union, _WORD(0))


@_instruction(types.int64)
def count_bits(builder: Any, board: Any) -> Any:
    """Return the number of set bits."""
    total = _WORD(0)
    for index in range(board.type.count):
        total = builder.add(
            total, _call(builder, "llvm.ctpop.i64", _WORD, builder.extract_element(board, _INDEX(index)))
        )
    return total


@_instruction(types.uint64, types.int64)
def word(builder: Any, board: Any, index: Any) -> Any:
    """Return a word, the lowest for index 0."""
    return builder.extract_element(board, index)


@_primitive
def words(typing: Any, board: Any) -> Any:
    """Return the number of words."""
    return types.int64(board), lambda context, builder, signature, values: _WORD(board.words)


@inlined
def first_bit(board: Wide) -> np.uint64:
    """Return the index of the lowest bit of a board that is not empty."""
    index = 0
    while not word(board, index):
        index += 1
    return np.uint64(index * BITS) + lowest(word(board, index))


_ONES, _HIGHS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)


@inlined
def nth_bit(board: Wide, rank: np.uint64) -> np.uint64:
    """Return the index of the set bit with this rank, 0 for the lowest; there must be more bits than ``rank``.

    In a word by byte sums: S. Vigna, Broadword implementation of rank/select queries, 2008.
    """
    index = 0
    while True:
        held = word(board, index)
        count = np.uint64(popcount(held))
        if rank < count:
            break
        rank -= count
        index += 1
    pairs = held - (held >> np.uint64(1) & np.uint64(0x5555555555555555))
    fours = (pairs & np.uint64(0x3333333333333333)) + (pairs >> np.uint64(2) & np.uint64(0x3333333333333333))
    sums = (fours + (fours >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)) * _ONES
    passed = (rank * _ONES | _HIGHS) - sums & _HIGHS
    place = np.uint64(8 * popcount(passed))
    rank -= (sums << np.uint64(8)) >> place & np.uint64(255)
    held = held >> place
    while rank:
        held &= held - np.uint64(1)
        rank -= np.uint64(1)
    return np.uint64(index * BITS) + place + lowest(held)
