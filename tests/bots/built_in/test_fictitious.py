# SPDX-License-Identifier: GPL-3.0-or-later
"""Fictitious play: the best reply to what was seen, in either seat, and what it approaches against itself."""

from collections import Counter

import pytest

from arena.protocol.messages import Turn
from bots.built_in.kinds import catalogue
from bots.catalogue import make
from engine.game import Game, Position
from engine.games import find

NAME = "fictitious-play"


def answer(game: Game, position: Position, seat: int, match: int = 1) -> str:
    """Return the bot's choice in a round, which begins in the position."""
    text = game.format_position(position.state)
    legal = [game.format_move(position.state, move) for move in position.moves]
    return str(make(NAME).move(Turn(match, game.name, 2, text, seat, legal_moves=legal)))


def after(game: Game, *choices: str) -> Position:
    """Return the position after choices of both seats in turn."""
    position = game.look(game.start())
    for choice in choices:
        [move] = [each for each in position.moves if game.format_move(position.state, each) == choice]
        position = game.play(position, move)
    return position


def test_it_plays_all_matrix_games_on_request() -> None:
    bot = catalogue()[NAME]
    assert make(NAME).games == ("dilemma", "matrix", "rock-paper-scissors")
    assert bot.plays("matrix/chicken")
    assert not bot.plays("nim")
    assert not bot.usual


@pytest.mark.parametrize(
    ("name", "choices", "replies"),
    [
        # seat 0 wants the side that the other shows, seat 1 the other side
        ("matrix/matching-pennies", "a b", ("b", "b")),
        # the payoffs of the two seats differ: seat 0 likes (a, a), seat 1 (b, b)
        ("matrix/battle-of-the-sexes", "a b", ("b", "a")),
        ("dilemma", "C C", ("D", "D")),
        ("rock-paper-scissors", "rock paper", ("scissors", "paper")),
    ],
)
def test_it_plays_the_best_reply_to_what_it_saw(name: str, choices: str, replies: tuple[str, str]) -> None:
    game = find(name)
    position = after(game, *choices.split())
    assert (answer(game, position, 0), answer(game, position, 1)) == replies


def test_equally_good_actions_are_chosen_at_random() -> None:
    game = find("matrix/matching-pennies")
    position = after(game, "b", "a", "a", "a")
    assert answer(game, position, 0) == "a"
    # seat 0 showed each side once
    assert {answer(game, position, 1, match) for match in range(40)} == {"a", "b"}


def test_the_shares_of_both_approach_the_equilibrium_of_a_zero_sum_game() -> None:
    # J. Robinson, 1951
    game = find("rock-paper-scissors")
    position, seen = game.look(game.start()), Counter[str]()
    while not position.over:
        choices = [answer(game, position, seat) for seat in (0, 1)]
        seen.update(choices)
        for choice in choices:
            [move] = [each for each in position.moves if game.format_move(position.state, each) == choice]
            position = game.play(position, move)
    assert max(abs(count / seen.total() - 1 / 3) for count in seen.values()) < 0.1
