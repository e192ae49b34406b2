# SPDX-License-Identifier: GPL-3.0-or-later
"""Pig, a dice game with published optimal play: its kernels give these values, and a search plays well."""

import random
from typing import Any

import numpy as np

from engine.game import legal_moves, odds, outcome, step
from engine.kernel import compiled
from engine.search import Limits, Searcher
from tests.engine.search.pig import GAME, GOAL, HOLD, ROLL, Pig
from tests.engine.search.test_expectiminimax import check

OPTIMAL = 0.5306
"""What the first player wins when both play their best (Neller and Presser 2004)."""


@compiled
def settled(state: Any, chances: Any) -> float:
    """Return the chance of seat 0 to win where no die rolls; ``chances`` are those of who is to move."""
    over, first, _ = outcome(state)
    if over:
        return 1.0 if first > 0 else 0.0
    if state.seat:
        return 1.0 - chances[state.second, state.first, state.turn]
    return float(chances[state.first, state.second, state.turn])


@compiled
def sweep(chances: Any, moves: Any, rolls: Any) -> float:
    """Improve every chance once by the best move, those near the end first; return the greatest change."""
    change = 0.0
    for own in range(GOAL - 1, -1, -1):
        for other in range(GOAL - 1, -1, -1):
            for turn in range(GOAL - 1 - own, -1, -1):
                state = Pig(own, other, turn, 0, 0)
                best = 0.0
                for index in range(legal_moves(state, moves)):
                    after = step(state, moves[index])
                    chance, total = 0.0, 0.0
                    if after.rolling:
                        for face in range(legal_moves(after, rolls)):
                            often = odds(after, rolls[face])
                            chance += often * settled(step(after, rolls[face]), chances)
                            total += often
                        chance /= total
                    else:
                        chance = settled(after, chances)
                    best = max(best, chance)
                change = max(change, abs(best - chances[own, other, turn]))
                chances[own, other, turn] = best
    return change


def test_optimal_play_agrees_with_the_published_probability() -> None:
    chances = np.zeros((GOAL, GOAL, GOAL))
    moves, rolls = np.empty((2, 6), np.int64)
    sweeps = 0
    while sweep(chances, moves, rolls) > 1e-9:
        sweeps += 1
        assert sweeps < 1000
    assert round(chances[0, 0, 0], 4) == OPTIMAL


def test_a_two_ply_search_holds_at_twenty() -> None:
    searcher = Searcher(GAME, "star2")
    for turn in range(2, 40):
        found = searcher.search(Pig(10, 15, turn, 0, 0), Limits(depth=2))
        # at 20 a roll loses as much as it wins on average
        assert turn == 20 or found.move == (ROLL if turn < 20 else HOLD)


def test_searches_agree_where_the_same_seat_moves_again() -> None:
    evaluation = GAME.evaluations["points"]
    for seed in range(40):
        chance = random.Random(seed)
        points = [chance.randrange(90) for _ in range(2)]
        state = Pig(points[0], points[1], chance.randrange(2, 10), chance.randrange(2), chance.randrange(2))
        check(GAME, evaluation, GAME.look(state), chance.randrange(1, 7))
