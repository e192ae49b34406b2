# SPDX-License-Identifier: GPL-3.0-or-later
"""States of Go, and their boards in compiled code.

Point (row, column) of a board of side N, from A1 at the lower left, is bit (N + 1) * row + column. The bit after each
row stays empty, so that a row's end is no neighbour of the next row's beginning. A state stores the words of the black
stones, those of the white stones, and one word with the rest.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic

from engine.bitboards import wide
from engine.bitboards.bits import Bits

_primitive: Any = intrinsic
"""Untyped: the type of ``intrinsic`` counts the context as an argument of a call."""

SEAT, PASSES, KO = 0, 1, 3
"""Shifts of the parts of ``info``: the seat to move, passes in a row (0 to 2), and the ko.

The ko is one more than the bit of the point where the seat to move may not capture back, 0 for none."""


class Go9(NamedTuple):
    """A position on 9×9."""

    black_0: Bits
    black_1: Bits
    white_0: Bits
    white_1: Bits
    info: Bits


class Go13(NamedTuple):
    """A position on 13×13."""

    black_0: Bits
    black_1: Bits
    black_2: Bits
    white_0: Bits
    white_1: Bits
    white_2: Bits
    info: Bits


class Go19(NamedTuple):
    """A position on 19×19."""

    black_0: Bits
    black_1: Bits
    black_2: Bits
    black_3: Bits
    black_4: Bits
    black_5: Bits
    white_0: Bits
    white_1: Bits
    white_2: Bits
    white_3: Bits
    white_4: Bits
    white_5: Bits
    info: Bits


SIDES: dict[type, int] = {Go9: 9, Go13: 13, Go19: 19}

OVER = 2
"""Passes in a row that end the game."""

KOMI = {9: 14, 13: 15, 19: 15}
"""White's compensation by side, in half points."""


def words_of(state: type) -> int:
    """Return the number of words of a colour."""
    return (len(state._fields) - 1) // 2  # type: ignore[attr-defined]  # a NamedTuple


def every_bit(side: int) -> int:
    """Return the bits of all points."""
    return sum((1 << side) - 1 << (side + 1) * row for row in range(side))


# ---------------------------------------------------------------- boards of a state, in compiled code


def _side(state: types.Type) -> int:
    return SIDES[state.instance_class]


def _board_type(state: types.Type) -> wide.WideType:
    return wide.wide_type(words_of(state.instance_class))


def _constant(kind: types.Type, of_side: Callable[[int], int], meaning: str) -> Any:
    """Return a function of a state that is a constant in compiled code."""

    def constant(typing: Any, state: Any) -> Any:
        value = of_side(_side(state))
        return kind(state), lambda context, builder, signature, values: context.get_constant(kind, value)

    constant.__doc__ = meaning
    return _primitive(constant)


side_of = _constant(types.int64, lambda side: side, "Return the side of the board.")
stride_of = _constant(types.uint64, lambda side: side + 1, "Return the distance of the bits of neighbours in a column.")
pass_of = _constant(types.int64, lambda side: side * (side + 1), "Return the move that is a pass.")
komi_of = _constant(types.int64, lambda side: KOMI[side], "Return the komi, in half points.")


@_primitive
def every(typing: Any, state: Any) -> Any:
    """Return a board with all points."""
    kind = _board_type(state)
    return kind(state), lambda context, builder, signature, values: wide.constant(kind, every_bit(_side(state)))


@_primitive
def none(typing: Any, state: Any) -> Any:
    """Return a board without points."""
    kind = _board_type(state)
    return kind(state), lambda context, builder, signature, values: wide.constant(kind, 0)


@_primitive
def stones(typing: Any, state: Any, seat: Any) -> Any:
    """Return the stones of a seat, an integer: 0 is Black."""
    kind, count = _board_type(state), words_of(state.instance_class)

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        held = [builder.extract_value(values[0], index) for index in range(2 * count)]
        black, white = (wide.from_words(builder, kind, held[begin : begin + count]) for begin in (0, count))
        chosen = builder.icmp_unsigned("==", values[1], values[1].type(0))
        return builder.select(chosen, black, white)

    return kind(state, seat), build


@_primitive
def with_stones(typing: Any, state: Any, seat: Any, own: Any, other: Any, info: Any) -> Any:
    """Return a state of the class of ``state`` from the stones of a seat and of the other seat, and the info."""
    count = words_of(state.instance_class)

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        _, seat, own, other, info = values
        black = builder.icmp_unsigned("==", seat, seat.type(0))
        boards = builder.select(black, own, other), builder.select(black, other, own)
        held = [each for board in boards for each in wide.to_words(builder, board, count)]
        return context.make_tuple(builder, signature.return_type, [*held, info])

    return state(state, seat, own, other, types.uint64), build


# ---------------------------------------------------------------- in Python


def unpack(state: Any) -> tuple[int, int, int, int, int]:
    """Return the bits of the black and the white stones, the seat to move, passes in a row, and the ko."""
    count = words_of(type(state))
    black, white = (
        sum(int(word) << wide.BITS * index for index, word in enumerate(state[begin : begin + count]))
        for begin in (0, count)
    )
    info = int(state[-1])
    return black, white, info & 1, info >> PASSES & 3, info >> KO


def pack(state: type, black: int, white: int, seat: int, passes: int = 0, ko: int = 0) -> Any:
    """Return the state of this class with these bits; see ``unpack``."""
    mask = (1 << wide.BITS) - 1
    words = [bits >> wide.BITS * index & mask for bits in (black, white) for index in range(words_of(state))]
    return state(*map(np.uint64, [*words, seat | passes << PASSES | ko << KO]))
