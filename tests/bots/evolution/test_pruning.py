# SPDX-License-Identifier: GPL-3.0-or-later
"""Pruning and reductions save nodes, change values little, and are off by default."""

from dataclasses import replace

import pytest

from bots.evolution.evochess.genome import SEARCH, express, schema_for, standard
from bots.evolution.steered import player
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import (
    DEFAULTS,
    GENES,
    PLAIN,
    Steering,
    default_evaluation,
)
from engine.game import Game, Position
from engine.games import find
from tests.bots.evolution.test_steered import PRUNING
from tests.engine.search.oracle import random_position

CHESS = find("chess")
RULES: dict[str, dict[str, float]] = {
    "reverse futility": {"reverse_futility_margin": 0.5},
    "futility": {"futility_base": 0.5, "futility_margin": 0.5},
    "late move count": {"late_move_count": 3.0},
    "SEE": {"see_margin": 0.5},
    "SEE in quiescence": {"quiescence_see_margin": 0.5},
    "delta": {"delta_margin": 0.5},
    "LMR": {"lmr_slope": 0.7, "lmr_move_count": 2.0},
}


def positions(count: int = 8) -> list[Position]:
    """Return positions of chess in which not much is over."""
    found = (random_position(CHESS, seed) for seed in range(100))
    return [position for position in found if len(position.moves) > 5][:count]


def plain(game: Game, depth: int | None, **changes: float) -> Steering:
    """Return a player with the default search parameters but for some changes."""
    return Steering(PLAIN, DEFAULTS, default_evaluation(game), depth=depth).changed(**changes)


def test_nothing_is_pruned_by_default() -> None:
    for name in ("chess", "checkers"):
        schema = schema_for(name)
        steering = express(schema, standard(schema))
        assert steering == replace(plain(find(name), None), evaluation=steering.evaluation)
        assert steering.parameters == DEFAULTS
        assert not steering.prunes
    assert [gene.name for gene in SEARCH.genes] == [row.name for row in GENES]


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_saves_nodes_and_changes_values_little(rule: str) -> None:
    without, pruned, apart = 0, 0, []
    for position in positions():
        one = Player(CHESS, plain(CHESS, 4)).choose(position)
        other = Player(CHESS, plain(CHESS, 4, **RULES[rule])).choose(position)
        without, pruned = without + one.nodes, pruned + other.nodes
        apart.append(abs(one.value - other.value))
    assert pruned < 0.97 * without
    assert sorted(apart)[len(apart) // 2] <= 100  # a pawn unit, the median


def test_the_null_move_reduction_saves_nodes() -> None:
    nodes = [
        sum(
            Player(CHESS, plain(CHESS, 4, null_move=1, null_move_reduction=reduction)).choose(position).nodes
            for position in positions()
        )
        for reduction in (0.0, 2.0)
    ]
    assert nodes[1] < nodes[0]


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_order_killers_and_aspiration_windows_change_no_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    game = find(name)
    for seed in range(6):
        position = random_position(game, seed)
        one = Player(game, plain(game, None), 10**7).choose(position)
        for changes in (
            {"principal_variation_first": 1.0},
            {"keep_killers": 1.0},
            {"aspiration_window": 0.1},
            {"principal_variation_first": 1.0, "keep_killers": 1.0, "aspiration_window": 0.3},
        ):
            other = Player(game, plain(game, None, **changes), 10**7).choose(position)
            assert (other.value, other.depth) == (one.value, one.depth), (seed, changes)


def test_the_principal_variation_first_saves_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "DEEPEST", 4)
    nodes = [
        sum(
            Player(CHESS, plain(CHESS, None, principal_variation_first=first), 10**7).choose(position).nodes
            for position in positions()
        )
        for first in (0.0, 1.0)
    ]
    assert nodes[1] < nodes[0]


def test_pruning_overlooks_no_mate() -> None:
    bold = plain(CHESS, None, null_move=1, principal_variation_first=1, keep_killers=1, **PRUNING)
    win = default_evaluation(CHESS).win
    mate = CHESS.look(CHESS.parse_position("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"))
    assert Player(CHESS, bold, 200_000).choose(mate).value == win - 3
    # after most of Black's moves White mates on the eighth rank
    held = CHESS.look(CHESS.parse_position("6k1/r4ppp/8/8/7R/8/5PPP/6K1 w - - 0 1"))
    assert abs(Player(CHESS, bold, 5_000).choose(held).value) < win // 2


def test_shortfall_is_the_distance_of_score_and_gain_from_the_window() -> None:
    short = ("if", "<", 0.0, "shortfall", -1.0, "horizon")
    long = ("if", "<", 0.0, "-", "alpha", "+", "score", "gain", -1.0, "horizon")
    for position in positions():
        one, other = (
            Player(CHESS, replace(plain(CHESS, 3), program=program)).choose(position) for program in (short, long)
        )
        assert (one.value, one.move) == (other.value, other.move)
        assert abs(one.nodes - other.nodes) <= 0.01 * one.nodes  # rounded differently


def test_unused_nodes_of_one_move_are_spent_on_later_ones() -> None:
    """What one move saves a later one spends, so that little is left at the end of a game."""
    one = Player(CHESS, plain(CHESS, None), 1_000)
    position = CHESS.look(CHESS.start())
    for _ in range(30):
        position = CHESS.play(position, one.choose(position).move)
    assert 0.9 * 1_000 * one.moves <= one.nodes <= 1_000 * one.moves
