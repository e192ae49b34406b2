# SPDX-License-Identifier: GPL-3.0-or-later
"""Piece-square tables as bit planes: the sum over all pieces of a kind takes constant time.

Entries have eight bits, so a table is eight boards, one for each bit. The number of pieces on a board times the value
of its bit is its part of the sum; eight boards are counted at once.
"""

from collections.abc import Sequence

import numpy as np

from engine.bitboards.bits import Bits, lowest
from engine.bitboards.lanes import WIDTH, Lanes, packed, popcounts, row, spread, total, unpacked, upside_down
from engine.evaluation import Words
from engine.games.chess.board import Boards, Chess
from engine.games.chess.notation import NAMES
from engine.kernel import compiled, inlined

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
FOLDED = ("knight", "bishop", "rook", "queen")
"""Kinds with symmetric tables: mirrored files have equal entries."""

LEAST, MOST = -128, 127
"""Bounds of the entries."""

_DIGITS: Boards = tuple(Bits(digit % 2**64) for digit in (1, 2, 4, 8, 16, 32, 64, LEAST))
"""Value of each plane: bits of a signed number of eight bits."""


def _number() -> tuple[tuple[str, ...], list[list[int]]]:
    """Return the names of all entries, and the entry of each square for each kind."""
    names: list[str] = []
    places: list[list[int]] = []
    for kind in KINDS:
        entries: list[int] = []
        for square in range(64):
            if kind == "pawn" and not 8 <= square < 56:
                entries.append(-1)
            elif kind in FOLDED and square % 8 > 3:
                entries.append(entries[square ^ 7])
            else:
                entries.append(len(names))
                names.append(f"{kind} on {NAMES[square]}" + (f" or {NAMES[square ^ 7]}" if kind in FOLDED else ""))
        places.append(entries)
    return tuple(names), places


ENTRIES, _PLACES = _number()
"""Names of the entries."""

PLACES = np.array(_PLACES, np.int64)
"""(kind, square): number of the entry; -1 for impossible squares."""

ROWS = 2 * len(KINDS)
"""Number of rows of eight planes: middle game and endgame for each kind."""


def planes(middle: Sequence[int], end: Sequence[int]) -> Words:
    """Convert entries to ROWS × 8 planes. Raises ValueError for an entry that does not fit into eight bits."""
    for name, entry in zip(ENTRIES * 2, (*middle, *end), strict=True):
        if not LEAST <= entry <= MOST:
            raise ValueError(f"the weight of {name!r} must be {LEAST} to {MOST} (got {entry})")
    rows = []
    for places in _PLACES:
        for entries in (middle, end):
            values = [entries[place] & 0xFF if place >= 0 else 0 for place in places]
            rows.append(
                [sum((value >> bit & 1) << square for square, value in enumerate(values)) for bit in range(WIDTH)]
            )
    return np.array(rows, np.uint64).view(np.int64).ravel()


@inlined
def _stood(sum_: Lanes, own: Bits, enemy: Bits, words: Words, index: Bits) -> Lanes:
    plane = row(words, index)
    return sum_ + popcounts(spread(own) & plane) - popcounts(spread(enemy) & plane)


@inlined
def split(state: Chess) -> tuple[Bits, Bits, Bits, Bits, Bits, Bits]:
    """Return the pieces of both sides by kind."""
    queens = state.diagonal & state.straight
    return (
        state.pawns,
        state.knights,
        state.diagonal ^ queens,
        state.straight ^ queens,
        queens,
        state.kings,
    )


@compiled
def stand(state: Chess, words: Words, first: Bits) -> tuple[np.int64, np.int64]:
    """Return the sums of the piece-square tables (middle game, endgame), own minus other's.

    ``first``: the first row of ``words`` with planes.
    """
    turned = Chess(*unpacked(upside_down(packed(state))))
    middle = end = spread(Bits(0))
    index = first
    for own, enemy in zip(split(state), split(turned)):  # noqa: B905  # compiled code knows no strict
        own &= state.own
        enemy &= turned.enemy
        middle = _stood(middle, own, enemy, words, index)
        end = _stood(end, own, enemy, words, index + Bits(1))
        index += Bits(2)
    return np.int64(total(middle * packed(_DIGITS))), np.int64(total(end * packed(_DIGITS)))


@compiled
def note(state: Chess, out: Words, first: int, sign: int) -> None:
    """Add the entries of the mover's pieces, times ``sign``, to a vector whose entries begin at ``first``."""
    for kind, men in enumerate(split(state)):
        men &= state.own
        while men:
            place = first + 2 * PLACES[kind, lowest(men)]
            out[place] += sign
            out[place + 1] += sign
            men &= men - Bits(1)
