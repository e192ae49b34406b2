# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSpiel's random rollouts in C++; runs in the peers' Python: ``openspiel_rollouts.py GAME``.

A search of one simulation with an evaluator of many rollouts makes just these, from the root, without a step in Python.
"""

import importlib.metadata
import json
import random
import statistics
import sys
import time

import pyspiel

SECONDS = 0.5
REPEATS = 5
SAMPLE = 500


def plies(game: pyspiel.Game) -> float:
    """Return how many plies a random game has on average."""
    total = 0
    for _ in range(SAMPLE):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            total += 1
    return total / SAMPLE


def rollouts_per_second(game: pyspiel.Game, count: int) -> float:
    """Make rollouts and return how many for a second of CPU."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, random.randrange(2**31))
    searcher = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, 1, False)
    began = time.process_time()
    root = searcher.mcts_search(game.new_initial_state())
    spent = time.process_time() - began
    assert root.explore_count == 1
    return count / spent


def main() -> None:
    """Measure the game that is named."""
    game = pyspiel.load_game(sys.argv[1])
    count = max(1, round(rollouts_per_second(game, 300) * SECONDS))
    rate = statistics.median(rollouts_per_second(game, count) for _ in range(REPEATS))
    figures = {"plies_per_second": rate * plies(game), "version": importlib.metadata.version("open_spiel")}
    print(json.dumps(figures))


main()
