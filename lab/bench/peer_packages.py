# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures other projects' Python packages, and prints JSON; runs in a Python that has them installed.

``peer_packages.py choix PLAYERS`` estimates strengths from pairwise comparisons, read from standard input as a JSON
list of [winner, loser]. ``peer_packages.py openspiel GAME`` counts the plies of OpenSpiel's random rollouts in C++: a
search of one simulation, with an evaluator of many rollouts, makes just these, from the root, without a step in Python.
``peer_packages.py axelrod REPETITIONS`` plays Axelrod's first tournament with the Axelrod library.
``peer_packages.py pokerkit-hands COUNT`` plays random hands of no-limit hold'em with pokerkit, and
``pokerkit-values COUNT`` values random hands of seven cards.
"""

import importlib.metadata
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

CHOIX_REPEATS = 3

SECONDS = 0.5
"""Of rollouts in one measurement."""
ROLLOUT_REPEATS = 5
SAMPLE = 500
"""Games that are played to count their plies."""


def choix_estimates(players: int) -> dict[str, Any]:
    """Return the strengths by two of choix's estimators, and the seconds that they took.

    ``opt_pairwise`` uses Newton's method on the likelihood, as the arena does. ``ilsr_pairwise`` is the fastest, and
    has no intervals.
    """
    import choix

    games = [(winner, loser) for winner, loser in json.load(sys.stdin)]

    def seconds(estimate: Callable[..., Any]) -> float:
        began = time.perf_counter()
        estimate(players, games)
        return time.perf_counter() - began

    figures = {
        estimate.__name__: {
            "seconds": statistics.median(seconds(estimate) for _ in range(CHOIX_REPEATS)),
            "strengths": list(estimate(players, games)),
        }
        for estimate in (choix.opt_pairwise, choix.ilsr_pairwise)
    }
    return {"version": importlib.metadata.version("choix"), "estimators": figures}


def openspiel_rollouts(name: str) -> dict[str, Any]:
    """Return the plies of random rollouts for a second of processor time."""
    import pyspiel

    game = pyspiel.load_game(name)

    def begun() -> Any:
        # the search crashes at a chance node
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        return state

    def rollouts_per_second(count: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(count, random.randrange(2**31))
        searcher = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, 1, False)
        began = time.process_time()
        root = searcher.mcts_search(begun())
        spent = time.process_time() - began
        assert root.explore_count == 1
        return count / spent

    def plies() -> int:
        state, count = begun(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            count += 1
        return count

    count = max(1, round(rollouts_per_second(300) * SECONDS))
    rate = statistics.median(rollouts_per_second(count) for _ in range(ROLLOUT_REPEATS))
    mean = sum(plies() for _ in range(SAMPLE)) / SAMPLE
    return {"plies_per_second": rate * mean, "version": importlib.metadata.version("open_spiel")}


def axelrod_turns(repetitions: int) -> dict[str, Any]:
    """Return the turns a second of processor time of a tournament of Axelrod's first field, by the Axelrod library."""
    import axelrod

    players = [make() for make in axelrod.axelrod_first_strategies]
    tournament = axelrod.Tournament(players, turns=200, repetitions=repetitions, seed=1)
    began = time.process_time()
    # without the analysis of the results
    tournament.play(progress_bar=False, build_results=False)
    spent = time.process_time() - began
    turns = repetitions * len(players) * (len(players) + 1) // 2 * 200
    return {"turns_per_second": turns / spent, "version": axelrod.__version__}


def pokerkit_hands(count: int) -> dict[str, Any]:
    """Return the random hands a second of processor time of no-limit hold'em with 20 big blinds, by pokerkit."""
    from pokerkit import Automation, NoLimitTexasHoldem

    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (1, 2), 2)
    began = time.process_time()
    for _ in range(count):
        state = game(40, 2)
        while state.status:
            moves: list[Callable[[], Any]] = [state.fold] if state.can_fold() else []
            moves.append(state.check_or_call)
            low, raises = 0, 0
            if state.can_complete_bet_or_raise_to():
                low = state.min_completion_betting_or_raising_to_amount or 0
                raises = (state.max_completion_betting_or_raising_to_amount or 0) - low + 1
            # each whole number of chips is a move, as in our game
            chosen = random.randrange(len(moves) + raises)
            if chosen < len(moves):
                moves[chosen]()
            else:
                state.complete_bet_or_raise_to(low + chosen - len(moves))
    return {"per_second": count / (time.process_time() - began), "version": importlib.metadata.version("pokerkit")}


def pokerkit_values(count: int) -> dict[str, Any]:
    """Return the values of seven random cards a second of processor time, by pokerkit."""
    from pokerkit import Deck, StandardHighHand

    hands = [random.sample(Deck.STANDARD, 7) for _ in range(count)]
    began = time.process_time()
    for cards in hands:
        StandardHighHand.from_game(cards[:2], cards[2:])
    return {"per_second": count / (time.process_time() - began), "version": importlib.metadata.version("pokerkit")}


MEASURES: dict[str, Callable[[str], dict[str, Any]]] = {
    "choix": lambda argument: choix_estimates(int(argument)),
    "openspiel": openspiel_rollouts,
    "axelrod": lambda argument: axelrod_turns(int(argument)),
    "pokerkit-hands": lambda argument: pokerkit_hands(int(argument)),
    "pokerkit-values": lambda argument: pokerkit_values(int(argument)),
}

if __name__ == "__main__":
    package, argument = sys.argv[1:]
    print(json.dumps(MEASURES[package](argument)))
