# SPDX-License-Identifier: GPL-3.0-or-later
"""What a side sees: squares that its men attack, by kind, and how many; looked up eight directions at once."""

from typing import NamedTuple

import numpy as np

from engine.bits import Bits, lowest
from engine.games.chess.board import C8, JUMP, JUMP_INTO, KING, Boards, Chess
from engine.games.chess.evaluation.spans import pawns_attack, pawns_bite
from engine.games.chess.sight import rays
from engine.kernel import compiled, inlined
from engine.lanes import packed, popcounts, rotated, spread, total, union, weave

FIELD = Bits(10)
FIELD_MASK = Bits(1023)


class Sight(NamedTuple):
    """Boards of what the mover's men attack, and counts."""

    pawns: Bits
    knights: Bits
    bishops: Bits
    rooks: Bits
    queens: Bits
    king: Bits
    straight: Bits
    """The squares from which a rook would attack the other's king."""
    diagonal: Bits
    """The squares from which a bishop would."""
    counts: Bits
    """Fields of ten bits: how many squares rooks, bishops, queens and knights see, each counted for every man, that
    the other's pawns do not attack and no own pawn or king holds; on top, the pressure on the other's king."""


def _share(even: int, odd: int) -> Boards:
    return tuple(Bits(odd if lane % 2 else even) for lane in range(8))


_ROOK, _BISHOP, _QUEEN, _KNIGHT, _TOP = (1 << 10 * field for field in range(5))

NEAR, FAR, HOPS = _share(_ROOK, _BISHOP), _share(_QUEEN, _QUEEN), _share(_KNIGHT, _KNIGHT)
NEAR_PRESSURE, FAR_PRESSURE, HOPS_PRESSURE = (
    _share(3 * _TOP, 2 * _TOP),
    _share(4 * _TOP, 4 * _TOP),
    _share(3 * _TOP, 3 * _TOP),
)
"""What a square of the other king's zone counts for that is attacked by a rook or a bishop, a queen, a knight."""

EVEN, ODD = _share(-1 % 2**64, 0), _share(0, -1 % 2**64)


@inlined
def zone_of(king: Bits) -> Bits:
    """Return the other's king, the squares around it, and those one rank further towards the mover."""
    around = KING[lowest(king)] | king
    return around | around >> C8


@compiled
def look(state: Chess) -> Sight:
    """Return what the mover sees."""
    own = state.own
    empty = spread(~(own | state.enemy))
    king = state.enemy & state.kings
    queens = state.diagonal & state.straight & own
    near = rays(weave(state.straight & own & ~queens, state.diagonal & own & ~queens), empty)
    far = rays(spread(queens), empty)
    hops = rotated(spread(own & state.knights), packed(JUMP)) & packed(JUMP_INTO)
    towards = rays(spread(king), empty)
    area = spread(~(pawns_bite(state.pawns & state.enemy) | own & (state.pawns | state.kings)))
    zone = spread(zone_of(king))
    counts = popcounts(near & area) * packed(NEAR) + popcounts(far & area) * packed(FAR)
    counts = counts + popcounts(hops & area) * packed(HOPS) + popcounts(near & zone) * packed(NEAR_PRESSURE)
    counts = counts + popcounts(far & zone) * packed(FAR_PRESSURE) + popcounts(hops & zone) * packed(HOPS_PRESSURE)
    return Sight(
        pawns_attack(state.pawns & own),
        union(hops),
        union(near & packed(ODD)),
        union(near & packed(EVEN)),
        union(far),
        KING[lowest(own & state.kings)],
        union(towards & packed(EVEN)),
        union(towards & packed(ODD)),
        total(counts),
    )


@inlined
def field(counts: Bits, number: Bits) -> np.int64:
    """Return one of the counts."""
    return np.int64(counts >> FIELD * number & FIELD_MASK)


@inlined
def all_of(sight: Sight) -> Bits:
    """Return every square that is attacked."""
    return sight.pawns | sight.knights | sight.bishops | sight.rooks | sight.queens | sight.king
