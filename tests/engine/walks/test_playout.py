# SPDX-License-Identifier: GPL-3.0-or-later
"""Random playouts end where the referee ends the same games."""

from collections import Counter

import pytest

from engine.game import CHANCE, Game
from engine.games import catalogue, find
from engine.match.ending import Termination
from engine.match.events import Moved
from engine.match.machine import Match
from engine.rules import FORBIDDEN, Draws
from engine.walks.playout import playout, playouts

GAMES = 40


def refereed(game: Game, moves: list[int]) -> Match:
    """Play the moves through the referee."""
    match = Match(game)
    for move in moves:
        assert match.to_move is not None
        text = game.format_move(match.position.state, move)
        if game.draws.repetition == FORBIDDEN and move not in match.position.moves:
            break  # playouts do not check repetition
        if match.to_move == CHANCE:
            match.apply(Moved(match.ply + 1, CHANCE, text))
        else:
            match.play(match.to_move, text)
    # in poker the last card may end the match; a referee without a seed does not roll, and the end follows the card
    return match if match.ending else Match.replay(game, events=match.events)


@pytest.mark.parametrize("name", catalogue())
def test_the_referee_and_the_playout_end_games_at_the_same_ply(name: str) -> None:
    game = find(name)
    endings: Counter[Termination] = Counter()
    plies = first = second = 0
    for number in range(GAMES):
        moves, payoffs = playout(game, 5, number)
        match = refereed(game, moves)
        one, other = payoffs
        if game.draws.repetition != FORBIDDEN or match.ply == len(moves):
            assert match.ending is not None
            assert match.ply == len(moves)
            assert match.ending.winner == (None if one == other else 0 if one > other else 1)
            endings[match.ending.termination] += 1
        plies, first, second = plies + len(moves), first + (one > other), second + (other > one)
    assert endings
    assert playouts(game, GAMES, 5) == (GAMES, plies, first, GAMES - first - second, second)


def test_checkers_is_drawn_by_history_too() -> None:
    game = find("checkers")
    state = game.parse_position("W:WK32:BK1,K5")
    ends = set()
    for number in range(60):
        moves, _ = playout(game, 1, number, state=state)
        match = Match(game, start=game.format_position(state))
        for move in moves:
            match.play(match.position.to_move, game.format_move(match.position.state, move))
        assert match.ending is not None
        ends.add(match.ending.termination)
    assert ends >= {Termination.REPETITION}


@pytest.mark.parametrize("name", ["tictactoe", "checkers"])
def test_seed_and_state_determine_a_playout(name: str) -> None:
    game = find(name)
    assert playouts(game, 200, 1) == playouts(game, 200, 1)
    assert playouts(game, 200, 1) != playouts(game, 200, 2)
    assert playout(game, 1, 0) != playout(game, 1, 1)
    assert playouts(game, 0) == (0, 0, 0, 0, 0)


def test_first_moves_are_equally_likely() -> None:
    game = find("tictactoe")
    firsts = Counter(playout(game, 3, number)[0][0] for number in range(9000))
    assert all(900 < firsts[square] < 1100 for square in range(9))


def test_a_game_without_an_end_needs_a_ply_limit() -> None:
    game = find("checkers")
    endless = Game(
        **{name: getattr(game, name) for name in Game.__dataclass_fields__ if name != "_pack"}
        | {"draws": Draws(repetition=3)}
    )
    with pytest.raises(ValueError, match="limit"):
        playouts(endless, 1)
