# SPDX-License-Identifier: GPL-3.0-or-later
"""Pawn structure and passed pawns."""

from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount
from engine.games.chess.attacks import ahead, behind, beside
from engine.games.chess.board import C3, C8, ONE, Chess
from engine.games.chess.evaluation.sinks import count
from engine.games.chess.evaluation.tuned.attacks import Attacks
from engine.games.chess.evaluation.tuned.terms import at
from engine.kernel import compiled, inlined

DOUBLED, ISOLATED, BACKWARD = at("doubled pawn"), at("isolated pawn"), at("backward pawn")
EXPOSED = at("isolated pawn on a half-open file")
SUPPORTED, BESIDE = at("supported pawn"), at("pawn beside a pawn")
FAR_SUPPORTED, FAR_BESIDE = at("supported pawn beyond the middle"), at("pawn beside a pawn beyond the middle")
PASSED, STEPS, FREE = at("passed pawn"), at("passed pawn that can step"), at("passed pawn with a free way")
OWN_KING, OTHER_KING = (
    at("own king's distance from a passed pawn"),
    at("other king's distance from a passed pawn"),
)
PASSED_SUPPORTED, ROOK_BEHIND = at("supported passed pawn"), at("rook behind a passed pawn")

BEYOND = Bits(0xFFFFFFFF00000000)


@inlined
def structure(state: Chess, mine: Attacks, bites: Bits, sink: Any) -> int:
    """Count the pawn structure; ``bites``: squares that enemy pawns attack."""
    pawns, theirs = state.own & state.pawns, state.enemy & state.pawns
    files = ahead(behind(pawns))
    isolated = pawns & ~beside(files)
    supported, level = pawns & mine.pawns, pawns & beside(pawns)
    behind_others = (pawns << C8 & bites & ~ahead(mine.pawns)) >> C8 & ~isolated
    sum_ = count(sink, DOUBLED, popcount(pawns & behind(pawns) >> C8))
    sum_ += count(sink, ISOLATED, popcount(isolated))
    sum_ += count(sink, EXPOSED, popcount(isolated & ~behind(theirs)))
    sum_ += count(sink, BACKWARD, popcount(behind_others))
    sum_ += count(sink, SUPPORTED, popcount(supported))
    sum_ += count(sink, BESIDE, popcount(level))
    sum_ += count(sink, FAR_SUPPORTED, popcount(supported & BEYOND))
    return sum_ + count(sink, FAR_BESIDE, popcount(level & BEYOND))


@inlined
def distance(one: Bits, other: Bits) -> np.int64:
    """Return the number of king moves between two squares."""
    files = np.int64(one & Bits(7)) - np.int64(other & Bits(7))
    ranks = np.int64(one >> C3) - np.int64(other >> C3)
    return max(abs(files), abs(ranks))


@compiled
def runners(state: Chess, mine: Attacks, runners: Bits, defended: Bits, sink: Any) -> int:
    """Count passed pawns one by one; ``defended``: squares that the other side attacks."""
    kings = state.kings
    own_king, other_king = lowest(state.own & kings), lowest(state.enemy & kings)
    occupied = state.own | state.enemy
    rooks = state.own & state.straight & ~state.diagonal
    sum_ = count(sink, PASSED_SUPPORTED, popcount(runners & mine.pawns))
    while runners:
        square = lowest(runners)
        pawn = ONE << square
        rank = np.int64(square >> C3)
        stop = pawn << C8
        way = ahead(stop)
        sum_ += count(sink, PASSED + rank, 1)
        sum_ += count(sink, STEPS + rank, 0 if stop & (occupied | defended) else 1)
        sum_ += count(sink, FREE + rank, 0 if way & (occupied | defended) else 1)
        sum_ += count(sink, OWN_KING + rank, distance(own_king, square + C8))
        sum_ += count(sink, OTHER_KING + rank, distance(other_king, square + C8))
        sum_ += count(sink, ROOK_BEHIND, 1 if behind(pawn) & rooks else 0)
        runners &= runners - ONE
    return sum_
