# SPDX-License-Identifier: GPL-3.0-or-later
"""The bot ``sampling``: it plays by its observation alone, takes what it sees, and beats random moves."""

from random import Random

import pytest

from bots.bot import Reply, Turn
from bots.built_in.kinds.sampling import BOTS
from engine.games import catalogue, find
from engine.match.machine import Match

GAMES = [name for name in catalogue() if BOTS[0].plays(name)]


def answer(match: Match, seat: int) -> Reply:
    """Return the bot's move in a match."""
    bot = BOTS[0].make()
    seen = match.observe(seat)
    turn = Turn(
        match=1,
        game=match.game.name,
        seat=seat,
        ply=match.ply,
        position=seen.position,
        legal_moves=match.legal_of(seat),
        last_move=match.last_seen_by(seat),
    )
    reply = bot.move(turn)
    assert isinstance(reply, Reply)
    assert reply.move in match.legal_of(seat)
    assert bot.move(turn) == reply
    return reply


def test_it_plays_the_board_games_with_hidden_men() -> None:
    assert {"dark-chess", "phantom-go/9x9"} <= set(GAMES)
    assert not {"chess", "kuhn", "battleship"} & set(GAMES)
    assert tuple(BOTS[0].make().games or ()) == tuple(GAMES)


def test_it_captures_a_king_that_it_sees() -> None:
    match = Match(find("dark-chess"), start="4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    assert answer(match, 0).move == "e2e8"


@pytest.mark.parametrize("name", ["dark-chess", "phantom-go/9x9"])
def test_it_beats_random_moves(name: str) -> None:
    """Of the few games that time allows, it wins each."""
    match, chance = Match(find(name)), Random(1)
    while match.ending is None:
        (seat,) = match.asked
        match.play(seat, answer(match, 0).move if seat == 0 else chance.choice(match.legal_of(1)))
    assert match.ending.result == "1-0"
