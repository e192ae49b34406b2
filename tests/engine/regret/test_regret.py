# SPDX-License-Identifier: GPL-3.0-or-later
"""Regret minimisation beside OpenSpiel: equal average strategies, and the exploitability that it computes for ours."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from msgspec import json

from engine.games import find
from engine.games.tree import Dice, from_lists
from engine.regret import ALGORITHMS, CFR_PLUS, MCCFR, RegretSolver, build, evaluate
from engine.regret.strategy import Strategy, path_of, read, rounded, shipped, write

PEERS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
COPIES = {"kuhn": 1, "leduc": 2}
ITERATIONS = 25


def played(name: str, solver: RegretSolver) -> Strategy:
    """Return a strategy by the texts of positions."""
    game = find(name)
    return Strategy(game, read(game, write(game, solver.tree, solver.strategy(), "test", 0.0, 0.0)))


def their_sets(name: str) -> Iterator[tuple[Any, str]]:
    """Yield a state of each information set of OpenSpiel's game with our text of it: seat 0 begins."""
    seen = set[str]()

    def walk(state: Any, cards: str, line: str) -> Iterator[tuple[Any, str]]:
        if state.is_terminal():
            return
        if not state.is_chance_node():
            text = state.information_state_string()
            if text not in seen:
                seen.add(text)
                yield state, f"1/1 0 {cards.ljust(COPIES[name] + 1, '-')} {line or '-'} -"
        for action in state.legal_actions():
            if state.is_chance_node():
                slash = "/" if len(cards) == 2 else ""
                yield from walk(state.child(action), cards + "JQK"[action // COPIES[name]], line + slash)
            else:
                letter = "fcr"[action] if COPIES[name] > 1 else "fc"[action] if "r" in line else "cr"[action]
                yield from walk(state.child(action), cards, line + letter)

    yield from walk(pyspiel.load_game(PEERS[name]).new_initial_state(), "", "")


def our_chances(name: str, strategy: Strategy, text: str) -> Mapping[str, float]:
    """Return the probabilities of the moves in a position."""
    game = find(name)
    position = game.look(game.parse_position(text))
    chances = strategy.chances(position.state, position.to_move)
    assert list(chances) == list(game.move_texts(position))
    return chances


@pytest.mark.parametrize("name", PEERS)
def test_average_strategies_of_cfr_plus_are_those_of_openspiel(name: str) -> None:
    peer = pyspiel.CFRPlusSolver(pyspiel.load_game(PEERS[name]))
    for _ in range(ITERATIONS):
        peer.evaluate_and_update_policy()
    solver = RegretSolver(find(name))
    solver.run(10)
    solver.run(ITERATIONS - 10)
    strategy, policy = played(name, solver), peer.average_policy()
    sets = 0
    for state, text in their_sets(name):
        chances = policy.action_probabilities(state)
        theirs = [chances[action] for action in state.legal_actions()]
        assert list(our_chances(name, strategy, text).values()) == pytest.approx(theirs, abs=1e-9)
        sets += 1
    assert sets == {"kuhn": 12, "leduc": 936}[name]
    game = pyspiel.load_game(PEERS[name])
    found = solver.evaluate()
    assert found.exploitability == pytest.approx(pyspiel.nash_conv(game, policy) / 2, abs=1e-9)
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)[0]
    assert found.value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("name", "value", "within"), [("kuhn", -1 / 18, 1e-4), ("leduc", -0.085606, 1e-3)])
def test_openspiel_finds_shipped_strategies_as_good_as_they_say(name: str, value: float, within: float) -> None:
    strategy = shipped(find(name))
    table = {
        state.information_state_string(): list(
            zip(state.legal_actions(), our_chances(name, strategy, text).values(), strict=True)
        )
        for state, text in their_sets(name)
    }
    game, policy = pyspiel.load_game(PEERS[name]), pyspiel.TabularPolicy(table)
    exploitability = pyspiel.nash_conv(game, policy) / 2
    assert exploitability < 1e-4
    file = read(find(name), path_of(find(name)).read_bytes())
    assert file.exploitability == pytest.approx(exploitability, abs=1e-6)
    assert file.value == pytest.approx(value, abs=within)
    assert evaluate(build(find(name)), strategy.slots(build(find(name)))).value == pytest.approx(file.value, abs=1e-9)


def test_sampling_converges_and_depends_on_its_seed_alone() -> None:
    game = find("kuhn")
    solvers = [RegretSolver(game, MCCFR, seed=seed) for seed in (1, 1, 2)]
    found = []
    for solver in solvers:
        solver.run(20_000)
        found.append(solver.strategy())
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()
    assert solvers[0].evaluate().exploitability < 0.02
    assert solvers[0].evaluate().value == pytest.approx(-1 / 18, abs=0.02)


def test_more_iterations_of_cfr_plus_are_less_exploitable() -> None:
    solver, found = RegretSolver(find("leduc")), []
    for iterations in (1, 9, 90, 900):
        solver.run(iterations)
        found.append(solver.evaluate())
    assert all(one.exploitability > other.exploitability for one, other in pairwise(found))
    assert found[-1].exploitability < 5e-3
    assert found[-1].value == pytest.approx(-0.0856, abs=1e-3)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_game_without_secrets_is_solved_too(algorithm: str) -> None:
    game = from_lists([[3, 12, 8], Dice(((1, 2), (3, 6))), [14, 5, 2]])
    solver = RegretSolver(game, algorithm)
    solver.run(2000)
    assert solver.evaluate().value == pytest.approx(5, abs=0.1)
    assert solver.evaluate().exploitability == pytest.approx(0, abs=0.1)


def test_a_best_response_to_a_uniform_strategy() -> None:
    tree = build(from_lists([[3, 12, 9], [2, 4, 6], [14, 5, 2]]))
    found = evaluate(tree, RegretSolver(from_lists([[3, 12, 9], [2, 4, 6], [14, 5, 2]])).strategy())
    assert found.value == pytest.approx(57 / 9)
    # against uniform answers the first move is worth 8; the other seat finds 3, 2 and 2
    assert found.responses == pytest.approx((8, -7 / 3))


def test_games_that_are_too_large_or_too_long_are_refused() -> None:
    assert len(build(find("leduc"), most=1936).seats) == 1936
    with pytest.raises(ValueError, match="more than 1,935 nodes"):
        build(find("leduc"), most=1935)
    with pytest.raises(ValueError, match="more than 200 plies"):
        build(find("kuhn"), find("kuhn").start())
    with pytest.raises(KeyError, match="cfr"):
        RegretSolver(find("kuhn"), "magic")


def test_a_strategy_is_written_and_read() -> None:
    game = find("kuhn")
    solver = RegretSolver(game, CFR_PLUS)
    solver.run(7)
    strategy = rounded(solver.tree, solver.strategy())
    file = read(game, write(game, solver.tree, strategy, "arena solve kuhn", -0.05, 0.01))
    assert (Strategy(game, file).slots(solver.tree) == strategy).all()
    assert np.add.reduceat(strategy, solver.tree.set_slots) == pytest.approx(1.0)
    assert len(file.sets) == 12
    assert file.sets[0].position == "1/1 0 J? - -"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, "version 2"),
        ({"game": "leduc"}, "for 'leduc', not for kuhn"),
        ({"checksum": "0"}, "damaged"),
        ({"sets": []}, "damaged"),
        ({"further": 1}, "no strategy"),
        ({"value": "much"}, "no strategy"),
    ],
)
def test_damaged_and_foreign_files_are_refused(change: dict[str, Any], reason: str) -> None:
    game = find("kuhn")
    content = json.decode(Path(path_of(game)).read_bytes())
    with pytest.raises(ValueError, match=reason):
        read(game, json.encode(content | change))


def test_a_game_without_a_strategy_says_so() -> None:
    with pytest.raises(KeyError, match="no strategy for Nim"):
        shipped(find("nim"))
