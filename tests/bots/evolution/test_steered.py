# SPDX-License-Identifier: GPL-3.0-or-later
"""The evolved search searches the tree that a program defines, within its limit of nodes."""

from dataclasses import replace

import pytest

from bots.evolution.steered.player import CAP, Player
from bots.evolution.steered.steering import (
    ORDERING,
    PARAMETERS,
    Steering,
    alpha_beta,
    default_evaluation,
    negascout,
)
from engine.games import find
from engine.search.programs.program import Program
from tests.bots.evolution.steered_oracle import PROGRAMS, value
from tests.engine.search.oracle import random_position
from tests.engine.search.programs.cases import RUNAWAY

GAMES = ("chess", "checkers", pytest.param("tictactoe", marks=pytest.mark.long))
PRUNING = {
    "reverse_futility_margin": 0.7,
    "futility_base": 0.5,
    "futility_margin": 0.5,
    "late_move_count": 4.0,
    "see_margin": 0.7,
    "quiescence_see_margin": 0.5,
    "delta_margin": 0.5,
    "lmr_slope": 0.7,
    "lmr_move_count": 2.0,
    "null_move_reduction": 2.0,
    "aspiration_window": 0.4,
    "lmr_history": 0.3,
    "lmr_cut_node": 0.5,
    "lmr_open_window": 0.3,
    "lmr_not_improving": 0.4,
    "history_margin": 0.5,
    "internal_iterative_reduction": 0.8,
    "null_move_score_reduction": 0.3,
    "history_rate": 0.05,
    "reverse_futility_improving": 0.5,
    "pruning_lmr_share": 0.5,
    "evasion_history_weight": 0.5,
}
"""All margins on."""


NAMES = [PARAMETERS[place].name.replace(" ", "_") for place in ORDERING]
OTHER_ORDERING = dict(zip(NAMES, (7.0, 300.0, 1.0, 80.0, 50.0, 60.0, 20.0, 40.0, 90.0, 5.0), strict=True))


def ordering(steering: Steering) -> dict[str, float]:
    """Return the weights of a player's move ordering."""
    return dict(zip(NAMES, (steering.parameters[place] for place in ORDERING), strict=True))


def steered(name: str, program: Program, **changes: float) -> Steering:
    """Return a player that searches by a program, with changed parameters."""
    steering = replace(negascout(find(name), 1), program=program, depth=None)
    return steering.changed(**changes)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_without_order_and_windows_it_is_the_value_of_the_tree(name: str, program: Program) -> None:
    game = find(name)
    steering = replace(alpha_beta(game, 1), program=program)
    for seed in range(3):
        position = random_position(game, seed)
        for depth in (1, 2):
            found = Player(game, replace(steering, depth=depth)).choose(position)
            assert found.value == value(game, steering, position, depth), (seed, depth)
            assert found.move in position.moves


@pytest.mark.parametrize("name", GAMES)
def test_order_and_windows_change_no_value_where_depth_is_the_same_everywhere(name: str) -> None:
    game = find(name)
    for seed in range(6):
        position = random_position(game, seed)
        plain = Player(game, alpha_beta(game, 3)).choose(position)
        for weights in (ordering(negascout(game, 3)), ordering(alpha_beta(game, 3)), OTHER_ORDERING):
            for window in (0.0, 1.0):
                steering = alpha_beta(game, 3).changed(**weights, null_window=window)
                assert Player(game, steering).choose(position).value == plain.value


@pytest.mark.parametrize("name", ["chess", "checkers"])
@pytest.mark.parametrize("program", [*PROGRAMS, *RUNAWAY])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"full_depth_re_search": 1.0, "null_move": 1.0, "iteration_share": 0.9},
        {
            "null_move": 1.0,
            "principal_variation_first": 1.0,
            "keep_killers": 1.0,
            "search_tree_memory": 1.0,
            "stable_move_share": 0.1,
            **PRUNING,
        },
    ],
)
def test_no_program_exceeds_its_nodes(name: str, program: Program, changes: dict[str, float]) -> None:
    game = find(name)
    nodes = 200
    player = Player(game, steered(name, program, **changes), nodes)
    position, most = game.look(game.start()), 0
    for ply in range(30):
        if position.over:
            break
        thought = player.choose(position)
        assert thought.move in position.moves
        most = max(most, thought.nodes)
        assert player.nodes <= nodes * (ply + 1)
        position = game.play(position, thought.move)
    assert most <= CAP * nodes


def test_branches_that_are_left_out_cost_no_node() -> None:
    game = find("chess")
    position = game.look(game.start())
    plain, narrow = (
        Player(game, replace(steered("chess", program), depth=3)).choose(position)
        for program in (("horizon",), ("if", "<", "level", 1.0, "horizon", -1.0))
    )
    # the root loses no branch, and every other position keeps its first
    assert 2 * len(position.moves) < narrow.nodes < plain.nodes / 3


def test_omitted_branches_cause_no_mate() -> None:
    game = find("chess")
    # after most of Black's moves White mates on the eighth rank
    position = game.look(game.parse_position("6k1/r4ppp/8/8/7R/8/5PPP/6K1 w - - 0 1"))
    program: Program = ("if", "<", "level", 1.0, "horizon", "if", "<", "level", 2.0, -1.0, "horizon")
    for depth in (3, 4):
        thought = Player(game, replace(steered("chess", program), depth=depth)).choose(position)
        assert abs(thought.value) < default_evaluation(game).win // 2


def test_a_forced_mate_is_found_and_the_soonest_preferred() -> None:
    game = find("chess")
    position = game.look(game.parse_position("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"))
    thought = Player(game, steered("chess", ("horizon",)), 200_000).choose(position)
    assert thought.value == default_evaluation(game).win - 3
    for move in thought.line:
        position = game.play(position, move)
    assert len(thought.line) == 3
    assert position.over
    mate = game.look(game.parse_position("7k/R7/8/8/8/8/8/1R4K1 w - - 0 1"))
    thought = Player(game, steered("chess", ("horizon",)), 1_000).choose(mate)
    assert game.format_move(mate.state, thought.move) == "b1b8"
