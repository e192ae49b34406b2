# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of repeated matrix games: in each round both seats choose an action at the same time, and get payoffs.

Noise is a chance node for each seat: with its probability another action than the chosen one is played.
"""

from typing import NamedTuple

import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem

from engine.game import (
    CHANCE,
    Moves,
    State,
    features,
    information_key,
    irreversible,
    legal_moves,
    odds,
    outcome,
    simultaneous,
    step,
    to_move,
)
from engine.hints.alphabeta import slot
from engine.kernel import implements, inlined

MOST_ACTIONS = 8
"""Maximum number of actions of a seat."""
MOST_ROUNDS = 500
"""Maximum number of rounds of games with two actions; games with more actions have fewer: see ``most_rounds``."""
UNIT = 100
"""Payoffs are stored in hundredths."""
MOST_PAYOFF = 100
"""Maximum absolute payoff of a round."""
MOST_NOISE = 50
"""Maximum noise, in percent."""

HISTORY, HISTORY_WORDS, WORD_BITS = 8, 20, 60
"""Place of the first word of the history in the state, number of these words, and their bits in use."""
PAYOFFS, PAYOFF_BITS, IN_A_WORD = HISTORY + HISTORY_WORDS, 15, 4
"""Place of the first word of payoffs, bits of a payoff, and payoffs of a word."""
PAYOFF_MASK, SHIFT = (1 << PAYOFF_BITS) - 1, 1 << PAYOFF_BITS - 1
"""A payoff is stored with SHIFT added."""
CELL_BITS = 3
"""Bits of an action in the place of a payoff, and of a choice."""
CHOICE_BITS, CHOICE = 4, 15


class Repeated(NamedTuple):
    """A repeated matrix game: the rounds so far and the payoffs of a round, packed into words."""

    rounds: int
    """Number of rounds of the match."""
    rows: int
    """Number of actions of seat 0."""
    columns: int
    """Number of actions of seat 1."""
    noise: int
    """Probability that another action than the chosen one is played, in percent."""
    round: int
    """Number of rounds that were played."""
    pending: int
    """Choices of the present round: of seat 0, of seat 1, then the action that noise left to seat 0; each plus 1."""
    first: int
    """Payoffs of seat 0 so far, in hundredths."""
    second: int
    h0: int
    """Actions of the rounds, the first round lowest; h1 to h19 are the next words."""
    h1: int
    h2: int
    h3: int
    h4: int
    h5: int
    h6: int
    h7: int
    h8: int
    h9: int
    h10: int
    h11: int
    h12: int
    h13: int
    h14: int
    h15: int
    h16: int
    h17: int
    h18: int
    h19: int
    p0: int
    """Payoffs of seat 0 by row and column, eight columns to a row; those of seat 1 begin with p16."""
    p1: int
    p2: int
    p3: int
    p4: int
    p5: int
    p6: int
    p7: int
    p8: int
    p9: int
    p10: int
    p11: int
    p12: int
    p13: int
    p14: int
    p15: int
    p16: int
    p17: int
    p18: int
    p19: int
    p20: int
    p21: int
    p22: int
    p23: int
    p24: int
    p25: int
    p26: int
    p27: int
    p28: int
    p29: int
    p30: int
    p31: int


def choice_bits(actions: int) -> int:
    """Return the bits of an action in the history, by the larger number of actions of the seats."""
    return max(1, (actions - 1).bit_length())


def most_rounds(rows: int, columns: int) -> int:
    """Return the maximum number of rounds, which follows from the size of the history."""
    in_a_word = WORD_BITS // (2 * choice_bits(max(rows, columns)))
    return min(MOST_ROUNDS, in_a_word * HISTORY_WORDS)


@inlined
def payoff(state: State, seat: int, row: int, column: int) -> int:
    """Return a payoff of a round, in hundredths."""
    place = (seat << 2 * CELL_BITS) + (row << CELL_BITS) + column
    word = state[PAYOFFS + place // IN_A_WORD]
    return (word >> place % IN_A_WORD * PAYOFF_BITS & PAYOFF_MASK) - SHIFT


@inlined
def _bits(state: State) -> int:
    """Return the bits of an action in the history."""
    most = max(state.rows, state.columns)
    return 1 if most <= 2 else 2 if most <= 4 else 3


@implements(to_move, Repeated)
def _to_move(state: State) -> int:
    if state.pending > CHOICE:
        return CHANCE
    return 1 if state.pending else 0


@implements(simultaneous, Repeated)
def _simultaneous(state: State) -> bool:
    return state.pending == 0


@implements(legal_moves, Repeated)
def _legal_moves(state: State, out: Moves) -> int:
    row = state.pending > CHOICE << CHOICE_BITS
    if state.pending > CHOICE:
        count = state.columns if row else state.rows
    else:
        count = state.columns if state.pending else state.rows
    for action in range(count):
        out[action] = action
    return count


@implements(odds, Repeated)
def _odds(state: State, move: int) -> int:
    """The chosen action is played but for the noise, which is shared by all others."""
    second = state.pending > CHOICE << CHOICE_BITS
    chosen = (state.pending >> (CHOICE_BITS if second else 0) & CHOICE) - 1
    others = (state.columns if second else state.rows) - 1
    return (100 - state.noise) * others if move == chosen else state.noise


@inlined
def _played(state: State, row: int, column: int) -> Repeated:
    """Return the state after a round."""
    bits = _bits(state)
    in_a_word = WORD_BITS // (2 * bits)
    place, within = state.round // in_a_word, state.round % in_a_word
    added = (row | column << bits) << within * 2 * bits
    first, second = state.first + payoff(state, 0, row, column), state.second + payoff(state, 1, row, column)
    state = tuple_setitem(state, HISTORY + place, state[HISTORY + place] | added)
    state = tuple_setitem(state, 4, state.round + 1)
    state = tuple_setitem(state, 5, 0)
    state = tuple_setitem(state, 6, first)
    return tuple_setitem(state, 7, second)


@implements(step, Repeated)
def _step(state: State, move: int) -> Repeated:
    if state.pending == 0:
        return tuple_setitem(state, 5, move + 1)
    if state.pending <= CHOICE and state.noise == 0:
        return _played(state, state.pending - 1, move)
    if state.pending <= CHOICE:
        pending = state.pending | move + 1 << CHOICE_BITS
        # a seat with one action is never disturbed
        return tuple_setitem(state, 5, pending)
    if state.pending <= CHOICE << CHOICE_BITS | CHOICE:
        pending = state.pending | move + 1 << 2 * CHOICE_BITS
        return tuple_setitem(state, 5, pending)
    return _played(state, (state.pending >> 2 * CHOICE_BITS) - 1, move)


@implements(outcome, Repeated)
def _outcome(state: State) -> tuple[bool, float, float]:
    """The payoffs are the sums over all rounds."""
    return state.round >= state.rounds, state.first / UNIT, state.second / UNIT


@implements(information_key, Repeated)
def _information_key(state: State, seat: int) -> int:
    """The key of a round alone: earlier rounds change no payoff of a later one, and a pending choice is not seen."""
    mixed = np.uint64(state.rows | state.columns << 4 | seat << 8)
    for word in state[PAYOFFS:]:
        mixed = (mixed ^ np.uint64(word)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(31)
    return mixed  # type: ignore[return-value]  # an int of 64 bits


@implements(irreversible, Repeated)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(slot, Repeated)
def _slot(state: State, move: int) -> int:
    return move


@implements(features, Repeated)
def _features(state: State) -> tuple[int]:
    """Difference of the payoffs so far, in hundredths."""
    ahead = state.first - state.second
    return (-ahead if 0 < state.pending <= CHOICE else ahead,)
