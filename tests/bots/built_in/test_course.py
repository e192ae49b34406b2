# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot that follows a match knows the positions that can come again."""

import random

import pytest

from arena.protocol.messages import Match, PlayedMove, Player, Turn
from bots.built_in.course import FollowedMatch
from engine import games
from engine.game import Game, Position

PLAYERS = (Player("us", "1"), Player("them", "1"))


def turn_at(game: Game, position: Position, ply: int, last_move: str | None) -> Turn:
    """The question for a move in this position."""
    return Turn(1, game.name, ply, game.format_position(position.state), position.to_move, last_move)


def match_at(game: Game, opening: list[str], moves: list[str], position: Position) -> Match:
    """The whole state after these moves."""
    return Match(
        match=1,
        game=game.name,
        seat=0,
        players=PLAYERS,
        rated=False,
        time_control=None,
        start=game.format_position(game.start()),
        opening=opening,
        moves=[PlayedMove(move) for move in moves],
        position=game.format_position(position.state),
        ply=len(opening) + len(moves),
        to_move=position.to_move,
        clocks=None,
    )


def walk(game: Game, plies: int, seed: int) -> tuple[list[str], list[Position]]:
    """Random moves, and the positions from the start to the end."""
    rng = random.Random(seed)
    positions, moves = [game.look(game.start())], []
    for _ in range(plies):
        here = positions[-1]
        if here.over:
            break
        move = rng.choice(here.moves)
        moves.append(game.format_move(here.state, move))
        positions.append(game.play(here, move))
    return moves, positions


def keys_before(positions: list[Position]) -> list[int]:
    """What the history must be at the last of the positions, the obvious way."""
    since = max((index for index, each in enumerate(positions) if each.irreversible), default=0)
    return [each.key for each in positions[since:-1]]


@pytest.mark.parametrize("seed", range(6))
def test_followed_or_sent_whole_the_history_is_the_same(seed: int) -> None:
    game = games.find("checkers")
    moves, positions = walk(game, 90, seed)
    followed = FollowedMatch(game)
    followed.begin(match_at(game, [], [], positions[0]))
    for ply in range(0, len(moves), 2):
        followed.arrive(turn_at(game, positions[ply], ply, moves[ply - 1] if ply else None))
        assert list(followed.history) == keys_before(positions[: ply + 1])
        told = FollowedMatch(game)
        whole = match_at(game, moves[: min(2, ply)], moves[2:ply], positions[ply])
        told.begin(whole)
        assert told.history == followed.history
        followed.follow(moves[ply])


def test_a_turn_that_does_not_follow_begins_anew() -> None:
    game = games.find("checkers")
    moves, positions = walk(game, 40, 1)
    course = FollowedMatch(game)
    course.begin(match_at(game, [], [], positions[0]))
    assert course.arrive(turn_at(game, positions[20], 20, moves[19])).key == positions[20].key
    assert course.history == ()
    course.follow("no move")
    assert course.arrive(turn_at(game, positions[22], 22, moves[21])).key == positions[22].key
