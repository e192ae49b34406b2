# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates of what a hand of hold'em is worth, for control variates: equity of all known cards, times chips at stake.

The estimate of a state is the chips won so far, plus ``(2 e - 1) s``. The equity e of seat 0 is the share of the pot
that it wins on average if nobody folds; cards that are not dealt are random. It is exact once the turn is dealt, and
the mean over a fixed number of random deals before, the same ones whenever a state is asked for. s are the chips that a
seat has in the pot at the end of a hand, by experience: those that it has in the pot now, times a number for the round.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.bitboards.bits import Bits
from engine.game import State, outcome, step
from engine.games.holdem.hands import DECK, bit_of, value_of
from engine.games.holdem.rules import BIG_BLIND, BOARD, CARD_BITS, DONE, HOLE, set_of, street_of
from engine.kernel import brief, compiled, inlined
from engine.splitmix import GOLDEN, scramble

DEALS = 200
"""Random deals for the equity before the turn."""
GROWTH = (3.0, 2.0, 1.5, 1.0)
"""Chips in the pot at the end of a hand, as a multiple of those in the round: before the flop, on it, and so on."""


@inlined
def better(cards: int, board: int) -> int:
    """Return 1 if seat 0 wins with this board, -1 if seat 1 does, 0 if both hands are equal."""
    ours, theirs = value_of(board | set_of(cards, 0, 2)), value_of(board | set_of(cards, 2, HOLE))
    return (ours > theirs) - (ours < theirs)


@inlined
def with_random_cards(cards: int, dealt: int, chance: Bits) -> int:
    """Return the cards of a hand, dealt to the end at random."""
    used = set_of(cards, 0, dealt)
    while dealt < BOARD:
        chance += GOLDEN
        card: Any = np.int64((scramble(chance) >> Bits(32)) * Bits(DECK) >> Bits(32))
        if not used & bit_of(card):
            used |= bit_of(card)
            cards |= card + 1 << CARD_BITS * dealt
            dealt += 1
    return cards


@compiled
def margin(cards: int, dealt: int) -> float:
    """Return ``2 e - 1`` for the equity e of seat 0, from the cards dealt so far; see the head of this file."""
    total = 0
    if dealt == BOARD:
        return float(better(cards, set_of(cards, HOLE, BOARD)))
    if dealt == BOARD - 1:
        used, board, count = set_of(cards, 0, dealt), set_of(cards, HOLE, dealt), 0
        for card in range(DECK):
            if not used & bit_of(card):
                total += better(cards, board | bit_of(card))
                count += 1
        return total / count
    chance = scramble(Bits(cards) + GOLDEN)
    for _ in range(DEALS):
        chance = scramble(chance + GOLDEN)
        drawn = with_random_cards(cards, dealt, chance)
        total += better(drawn, set_of(drawn, HOLE, BOARD))
    return total / DEALS


@inlined
def worth(state: State) -> float:
    """Return the estimate of a state that is not over, for seat 0, in chips."""
    if state.phase == DONE:
        return float(state.score)
    paid = float(max(state.first, state.second, BIG_BLIND))
    # with all chips in the pot, or without a further bet, nothing is added
    stake = min(float(state.stack), paid * GROWTH[street_of(state.dealt)])
    return state.score + stake * margin(state.cards, state.dealt)


@brief
def _worth_after(state: State, moves: Any, out: Any) -> None:
    for index in range(len(moves)):
        child = step(state, moves[index])
        over, first, _ = outcome(child)
        out[index] = first if over else worth(child)


def payoffs_after(state: State, moves: Sequence[int]) -> Sequence[float]:
    """Estimate the payoff of seat 0 after each of some moves or cards: see ``Game.payoffs_after``."""
    out = np.zeros(len(moves))
    _worth_after(state, np.array(moves, np.int64), out)
    return [float(value) for value in out]
