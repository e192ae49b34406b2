# SPDX-License-Identifier: GPL-3.0-or-later
"""Attack boards of one side by kind of piece, and mobility counts, in eight directions at once."""

from typing import NamedTuple

import numpy as np

from engine.bitboards.bits import Bits, lowest
from engine.bitboards.lanes import opposite, packed, popcounts, rotated, spread, total, union, weave
from engine.games.chess.attacks import pawns_attack, pawns_bite, rays
from engine.games.chess.board import JUMP, JUMP_INTO, KING, Boards, Chess
from engine.kernel import inlined

FIELD = Bits(10)
FIELD_MASK = Bits(1023)


class Attacks(NamedTuple):
    """Boards of the squares that the side to move attacks, and counts."""

    pawns: Bits
    knights: Bits
    bishops: Bits
    rooks: Bits
    queens: Bits
    king: Bits
    straight: Bits
    """Squares from which a rook attacks the enemy king."""
    diagonal: Bits
    """Squares from which a bishop attacks the enemy king."""
    blockers: Bits
    """Pieces of either side that alone stand between a slider and the enemy king."""
    attacked: Bits
    """All attacked squares."""
    doubly: Bits
    """Squares attacked by two kinds of pieces."""
    counts: Bits
    """Mobility in fields of ten bits: number of squares that rooks, bishops, queens and knights attack, without squares
    that enemy pawns attack and squares of own pawns and king."""


def _share(even: int, odd: int) -> Boards:
    return tuple(Bits(odd if lane % 2 else even) for lane in range(8))


_ROOK, _BISHOP, _QUEEN, _KNIGHT = (1 << 10 * field for field in range(4))

NEAR, FAR, HOPS = _share(_ROOK, _BISHOP), _share(_QUEEN, _QUEEN), _share(_KNIGHT, _KNIGHT)
EVEN, ODD = _share(-1 % 2**64, 0), _share(0, -1 % 2**64)


@inlined
def attacks_of(state: Chess) -> Attacks:
    """Return the attacks of the side to move. Rooks attack through own rooks and queens, bishops through own queens."""
    own, straight = state.own, state.straight & state.own
    free = ~(own | state.enemy)
    empty = spread(free)
    king = state.enemy & state.kings
    queens = straight & state.diagonal
    near = rays(weave(straight & ~queens, state.diagonal & own & ~queens), weave(free | straight, free | queens))
    far = rays(spread(queens), empty)
    hops = rotated(spread(own & state.knights), packed(JUMP)) & packed(JUMP_INTO)
    towards = rays(spread(king), empty)
    blockers = union((near | far) & opposite(towards)) & ~free
    area = spread(~(pawns_bite(state.pawns & state.enemy) | own & (state.pawns | state.kings)))
    counts = popcounts(near & area) * packed(NEAR) + popcounts(far & area) * packed(FAR)
    counts = counts + popcounts(hops & area) * packed(HOPS)
    pawns, knights = pawns_attack(state.pawns & own), union(hops)
    bishops, rooks = union(near & packed(ODD)), union(near & packed(EVEN))
    queen, kings = union(far), KING[lowest(own & state.kings)]
    attacked, doubly = pawns | knights, pawns & knights
    for kind in (bishops, rooks, queen, kings):
        doubly |= attacked & kind
        attacked |= kind
    lines, diagonals = union(towards & packed(EVEN)), union(towards & packed(ODD))
    return Attacks(
        pawns, knights, bishops, rooks, queen, kings, lines, diagonals, blockers, attacked, doubly, total(counts)
    )


@inlined
def field(counts: Bits, number: Bits) -> np.int64:
    """Return one of the counts."""
    return np.int64(counts >> FIELD * number & FIELD_MASK)


@inlined
def total_mobility(attacks: Attacks) -> np.int64:
    """Return the mobility of all pieces."""
    counts = attacks.counts
    return field(counts, Bits(0)) + field(counts, Bits(1)) + field(counts, Bits(2)) + field(counts, Bits(3))
