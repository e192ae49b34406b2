# SPDX-License-Identifier: GPL-3.0-or-later
"""What a side sees: squares that its men attack, by kind, and how many; looked up eight directions at once."""

from typing import NamedTuple

import numpy as np

from engine.bits import Bits, lowest
from engine.games.chess.board import JUMP, JUMP_INTO, KING, Boards, Chess
from engine.games.chess.evaluation.spans import pawns_attack, pawns_bite
from engine.games.chess.sight import rays
from engine.kernel import inlined
from engine.lanes import opposite, packed, popcounts, rotated, spread, total, union, weave

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
    blockers: Bits
    """The men, of either side, that alone stand between one of the mover's pieces and the other's king."""
    attacked: Bits
    """All squares that are attacked."""
    doubly: Bits
    """Those that men of two kinds attack."""
    counts: Bits
    """Fields of ten bits: how many squares rooks, bishops, queens and knights see, each counted for every man, that
    the other's pawns do not attack and no own pawn or king holds."""


def _share(even: int, odd: int) -> Boards:
    return tuple(Bits(odd if lane % 2 else even) for lane in range(8))


_ROOK, _BISHOP, _QUEEN, _KNIGHT = (1 << 10 * field for field in range(4))

NEAR, FAR, HOPS = _share(_ROOK, _BISHOP), _share(_QUEEN, _QUEEN), _share(_KNIGHT, _KNIGHT)
EVEN, ODD = _share(-1 % 2**64, 0), _share(0, -1 % 2**64)


@inlined
def look(state: Chess) -> Sight:
    """Return what the mover sees. Rooks see through own rooks and queens, bishops through own queens."""
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
    return Sight(
        pawns, knights, bishops, rooks, queen, kings, lines, diagonals, blockers, attacked, doubly, total(counts)
    )


@inlined
def field(counts: Bits, number: Bits) -> np.int64:
    """Return one of the counts."""
    return np.int64(counts >> FIELD * number & FIELD_MASK)


@inlined
def seen(sight: Sight) -> np.int64:
    """Return how many squares all pieces see."""
    counts = sight.counts
    return field(counts, Bits(0)) + field(counts, Bits(1)) + field(counts, Bits(2)) + field(counts, Bits(3))
