# SPDX-License-Identifier: GPL-3.0-or-later
"""Othello against OpenSpiel, and on both boards against a slow implementation."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bitboards.bits import popcount
from engine.game import Game, Position
from engine.games import find
from engine.games.othello.board import area
from engine.games.othello.stability import stable
from engine.hints.alphabeta import gain, tactical_moves
from engine.kernel import compiled
from tests.engine.games.othello_oracle import Oracle
from tests.openspiel import play_in_lockstep

NAMES = ("othello", "othello/6x6")
both = pytest.mark.parametrize("name", NAMES)
seeds = st.integers(0, 2**32)


def playout(game: Game, seed: int, plies: int = 200) -> list[Position]:
    """The positions of a random game."""
    chance = random.Random(seed)
    positions = [game.look(game.start())]
    while not positions[-1].over and len(positions) <= plies:
        positions.append(game.play(positions[-1], chance.choice(positions[-1].moves)))
    return positions


# ---------------------------------------------------------------- rules


def test_random_games_agree_with_openspiel() -> None:
    assert sum(play_in_lockstep("othello", seed) for seed in range(60)) > 3000


@pytest.mark.long
def test_many_random_games_agree_with_openspiel() -> None:
    assert sum(play_in_lockstep("othello", seed) for seed in range(20_000)) > 1_000_000


@both
@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_random_games_agree_with_slow_rules(name: str, seed: int) -> None:
    game, chance = find(name), random.Random(seed)
    position = game.look(game.start())
    oracle = Oracle.read(game.format_position(position.state))
    while not position.over:
        assert game.format_position(position.state) == oracle.write()
        assert position.to_move == "XO".index(oracle.mover)
        following = oracle.moves()
        texts = game.move_texts(position)
        assert set(texts) == set(following)
        text = chance.choice(list(texts))
        position, oracle = game.play(position, texts[text]), following[text]
    assert not oracle.moves()
    first = float(np.sign(oracle.lead()))
    assert position.payoffs == (first, -first)


def test_the_shortest_game_leaves_no_white_disc() -> None:
    game = find("othello")
    position = game.look(game.start())
    for text in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        position = game.play(position, game.parse_move(position, text))
    assert position.over
    assert position.payoffs == (1.0, -1.0)
    assert "O" not in game.diagram(position.state)


# ---------------------------------------------------------------- texts


def test_a_side_that_can_flip_nothing_passes() -> None:
    game = find("othello")
    position = game.look(game.parse_position("XO" + "-" * 53 + "X-XXXXXXO X"))
    assert list(game.move_texts(position)) == ["c1"]
    position = game.look(game.parse_position("XXO" + "-" * 61 + " O"))
    assert list(game.move_texts(position)) == ["pass"]
    assert game.squares(position.state, position.moves[0]) == ()
    for text in ("pass", "PASS", "pa", "--"):
        assert game.parse_move(position, text) == position.moves[0]
    assert game.format_position(game.play(position, position.moves[0]).state) == "XXO" + "-" * 61 + " X"


def test_capital_letters_are_read() -> None:
    game = find("othello")
    start = game.look(game.start())
    assert game.parse_move(start, " F5 ") == game.parse_move(start, "f5")


@pytest.mark.parametrize(
    "text",
    [
        "...........................ox......xo........................... x; f5:+0;",
        "---------------------------O*------*O--------------------------- *",
        "-------- -------- -------- ---OX--- ---XO--- -------- -------- -------- X;",
    ],
)
def test_other_spellings_of_positions_are_read(text: str) -> None:
    game = find("othello")
    assert game.parse_position(text) == game.start()


@pytest.mark.parametrize("text", ["", "X", "-" * 64, "-" * 65 + "X", "-" * 63 + "Z X", "O" * 1_000_000])
def test_other_texts_are_no_positions(text: str) -> None:
    with pytest.raises(ValueError, match="64 squares"):
        find("othello").parse_position(text)


# ---------------------------------------------------------------- evaluation


@compiled
def stable_discs(state: Any) -> Any:
    return stable(state.own, state.enemy, area(state)), stable(state.enemy, state.own, area(state))


@compiled
def tactical(state: Any, out: Any) -> Any:
    return tactical_moves(state, out), gain(state, out[0])


@both
@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_stable_discs_are_never_flipped(name: str, seed: int) -> None:
    positions = playout(find(name), seed)
    held = [0, 0]
    for position in positions:
        found = stable_discs(position.state)
        for seat, (stable_now, discs) in enumerate(zip(found, (position.state.own, position.state.enemy), strict=True)):
            owner = position.to_move ^ seat
            assert held[owner] & ~int(discs) == 0
            assert int(stable_now) & ~int(discs) == 0
            held[owner] |= int(stable_now)
    last = positions[-1].state
    if popcount(last.own | last.enemy) == find(name).width:
        assert stable_discs(last) == (last.own, last.enemy)


@both
def test_features_are_negated_with_the_colours(name: str) -> None:
    game = find(name)
    evaluation = game.evaluations["positional"]
    for position in playout(game, 7)[:-1]:
        swapped = position.state._replace(own=position.state.enemy, enemy=position.state.own)
        ours, theirs = (game.vector(state, evaluation) for state in (position.state, swapped))
        parity = {7, 15}
        for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert one == (other if place in parity else -other)


@both
def test_features_do_not_depend_on_how_the_board_is_turned(name: str) -> None:
    game = find(name)
    size = game.board.rows
    evaluation = game.evaluations["positional"]
    for position in playout(game, 3):
        board, side = game.format_position(position.state).split()
        rows = [board[place : place + size] for place in range(0, len(board), size)]
        turned = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        for other in (rows[::-1], [row[::-1] for row in rows], turned):
            state = game.parse_position(f"{''.join(other)} {side}")
            assert game.vector(state, evaluation) == game.vector(position.state, evaluation)


def test_corners_are_tactical_moves() -> None:
    game = find("othello")
    out = np.empty(game.width, np.int64)
    position = game.look(game.parse_position("-OX---------X-----------------------------------OX------OX------ X"))
    assert set(game.move_texts(position)) >= {"a1"}
    count, won = tactical(position.state, out)
    assert (count, out[0]) == (1, game.parse_move(position, "a1"))
    assert won > 0
