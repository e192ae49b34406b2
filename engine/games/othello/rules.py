# SPDX-License-Identifier: GPL-3.0-or-later
"""Othello rules as kernels. A side that can flip nothing passes; the game ends when neither side can move."""

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount, rotate
from engine.game import (
    Moves,
    State,
    continuations,
    count_moves,
    ended,
    irreversible,
    key,
    legal_moves,
    outcome,
    pick,
    step,
    to_move,
)
from engine.games.othello.board import ONE, PASS, ZERO, Othello, SmallOthello, area, flips, targets
from engine.hints.alphabeta import aim, slot
from engine.kernel import implements, inlined

HALF, FOLD = Bits(32), Bits(29)


@inlined
def moves_of(state: State) -> Bits:
    """Return the squares on which the side to move can place a disc."""
    return targets(state.own, state.enemy, area(state))


@inlined
def can_reply(state: State) -> bool:
    """Return whether the other side could move now."""
    return targets(state.enemy, state.own, area(state)) != ZERO


@implements(to_move, Othello, SmallOthello)
def _to_move(state: State) -> np.int64:
    return np.int64(state.turn)


@implements(legal_moves, Othello, SmallOthello)
def _legal_moves(state: State, out: Moves) -> int:
    """The squares in the order of their bits; a pass if there is none; nothing if the game is over."""
    left = moves_of(state)
    count = 0
    while left:
        out[count] = np.int64(lowest(left))
        count += 1
        left &= left - ONE
    if count == 0 and can_reply(state):
        out[0] = PASS
        count = 1
    return count


@implements(continuations, Othello, SmallOthello)
def _continuations(state: State, out: Moves) -> int:
    return popcount(moves_of(state)) or (1 if can_reply(state) else 0)


@implements(count_moves, Othello, SmallOthello)
def _count_moves(state: State, out: Moves) -> int:
    return popcount(moves_of(state)) or 1


@inlined
def placed(state: State, move: int) -> tuple[Bits, Bits, Bits]:
    """Return the fields of the state after a move."""
    if move == PASS:
        return state.enemy, state.own, state.turn ^ ONE
    square = np.uint64(move)
    turned = flips(state.own, state.enemy, square)
    return state.enemy ^ turned, state.own | turned | ONE << square, state.turn ^ ONE


@implements(step, Othello)
def _step(state: State, move: int) -> Othello:
    return Othello(*placed(state, move))


@implements(step, SmallOthello)
def _step_small(state: State, move: int) -> SmallOthello:
    return SmallOthello(*placed(state, move))


@implements(outcome, Othello, SmallOthello)
def _outcome(state: State) -> tuple[bool, float, float]:
    """The side with more discs wins."""
    if moves_of(state) or can_reply(state):
        return False, 0.0, 0.0
    lead = popcount(state.own) - popcount(state.enemy)
    first = -lead if state.turn else lead
    payoff = 1.0 if first > 0 else -1.0 if first < 0 else 0.0
    return True, payoff, -payoff


@implements(ended, Othello, SmallOthello)
def _ended(state: State) -> bool:
    """Always False: callers detect the end by the empty list of moves."""
    return False


@implements(pick, Othello, SmallOthello)
def _pick(state: State, chance: Bits, out: Moves) -> np.int64:
    left = moves_of(state)
    if not left:
        return np.int64(PASS if can_reply(state) else -1)
    skipped = chance * np.uint64(popcount(left)) >> HALF
    while skipped:
        left &= left - ONE
        skipped -= ONE
    return np.int64(lowest(left))


@implements(irreversible, Othello, SmallOthello)
def _irreversible(state: State, move: int) -> bool:
    """Discs stay on the board, and after a pass the same side cannot be to move with the same discs."""
    return True


@implements(key, Othello, SmallOthello)
def _key(state: State) -> Bits:
    """A hash of discs and side to move: multiplications and folds, like the output function of splitmix64."""
    mixed = (state.own ^ (ZERO - state.turn)) * Bits(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> HALF) + rotate(state.enemy, HALF)
    mixed *= Bits(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> FOLD) * Bits(0x94D049BB133111EB)
    return mixed ^ mixed >> HALF


@implements(slot, Othello, SmallOthello)
def _slot(state: State, move: int) -> int:
    return move


@implements(aim, Othello, SmallOthello)
def _aim(state: State, move: int) -> int:
    return move + 1
