# SPDX-License-Identifier: GPL-3.0-or-later
"""The bots ``pimc`` and ``ismcts`` play by their observation alone, in every game that offers states that fit."""

from random import Random

import pytest

from bots.bot import Reply, Turn
from bots.built_in.kinds.hidden import BOTS, Hidden
from engine.game import Game, Position
from engine.games import catalogue, find
from engine.hidden import HiddenSearcher
from engine.search import Limits


def test_they_play_all_games_with_states_that_fit_an_observation() -> None:
    played = {name for name in catalogue() if BOTS[0].plays(name)}
    assert {"kuhn", "leduc", "holdem/limit", "dark-chess", "phantom-go/9x9", "german-whist"} <= played
    assert not {"chess", "backgammon", "dilemma", "bridge/double-dummy"} & played


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_the_answer_depends_on_the_observation_alone(bot: Hidden) -> None:
    """The text that a seat sees is all that the search gets, and equal questions have equal answers."""
    game = find("german-whist")
    assert game.secrets is not None
    position, chance = game.look(game.start()), Random(2)
    while position.to_move < 0 or int(position.state.played).bit_count() < 9:
        position = game.play(position, chance.choice(position.moves))
    seat = position.to_move
    seen = game.secrets.observe(position.state, seat)
    legal = list(game.move_texts(position))
    turn = Turn(match=1, game=game.name, seat=seat, ply=40, position=seen.position, legal_moves=legal, last_move=None)
    reply = bot.make().move(turn)
    assert isinstance(reply, Reply)
    assert reply.move in legal
    assert "?" in turn.position


@pytest.mark.parametrize("algorithm", ["pimc", "ismcts"])
def test_the_last_tricks_are_played_as_a_full_search_of_them_says(algorithm: str) -> None:
    """In the second half nothing is unknown: both searches find the value that plain minimax finds."""
    game = find("german-whist")
    assert game.secrets is not None
    searcher = HiddenSearcher(game, algorithm)
    for seed in range(6):
        position, chance = game.look(game.start()), Random(seed)
        while sum(map(int.bit_count, map(int, position.state[:2]))) > 7 or int(position.state.played).bit_count() < 26:
            position = game.play(position, chance.choice(position.moves))
        seat = position.to_move
        seen = game.secrets.observe(position.state, seat).position
        report = searcher.search(seen, seat, Limits(playouts=4000), seed=seed)
        values = {move: minimax(game, game.play(position, move), seat) for move in position.moves}
        assert report.move is not None
        assert values[report.move] == max(values.values())
        if algorithm == "pimc":
            assert {each.move: each.value / 1000 for each in report.moves} == values


def minimax(game: Game, position: Position, seat: int) -> float:
    """Return the payoff of a seat with best play."""
    if position.over:
        return float(position.payoffs[seat])
    values = [minimax(game, game.play(position, move), seat) for move in position.moves]
    return max(values) if position.to_move == seat else min(values)


def test_an_observation_of_the_other_seat_is_refused() -> None:
    game = find("german-whist")
    with pytest.raises(ValueError, match="is not an observation"):
        HiddenSearcher(game).search("nothing", None, Limits())
