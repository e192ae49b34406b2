# SPDX-License-Identifier: GPL-3.0-or-later
"""What every bot promises, over every bot of the catalogue and every game there is."""

import random
from functools import cache

import pytest
from msgspec.structs import replace

from arena.protocol.messages import Turn
from bots.bot import Bot, Reply
from bots.built_in.kinds import solving, tree
from bots.built_in.kinds.searching import BOTS
from bots.catalogue import descriptions, make, maker_of, names
from bots.testing import TicTacToe, check_bot
from engine.game import CHANCE, Game, Position
from engine.games import catalogue
from engine.match.dice import roll
from tests.compiling import FRAME_OF_PLAY, marks

GAMES = [game for game in catalogue().values() if game.playable]
TIMED = {bot.name for bot in (*BOTS, *solving.BOTS, *tree.BOTS) if bot.seconds is not None}
"""How deep they see depends on the machine's mood."""

PAIRS = [(name, game) for name in names() for game in GAMES if game.name in (make(name).games or [game.name])]

SELECTIVE = {"adaptive"} | {bot.name for bot in BOTS if bot.algorithm == FRAME_OF_PLAY}
LONG_TO_COMPILE = SELECTIVE | {bot.name for bot in tree.BOTS}

over_all = pytest.mark.parametrize(
    ("name", "game"),
    [
        pytest.param(
            name,
            game,
            id=f"{name}-{game.name}",
            marks=marks(game.name) if name in LONG_TO_COMPILE else [],
        )
        for name, game in PAIRS
    ],
)


@cache
def turns(name: str) -> list[Turn]:
    """Questions from random games: early, in the middle, near the end."""
    game, rng = catalogue()[name], random.Random(name)
    asked: list[Turn] = []
    for match in range(1, 4):
        position, ply = game.look(game.start()), 0
        line: list[Turn] = []
        while not position.over and ply < 120:
            if position.to_move != CHANCE:
                line.append(turn(game, position, match, ply))
            position, ply = game.play(position, rng.choice(position.moves)), ply + 1
        asked += [line[0], line[len(line) // 2], *line[-2:]]
    return asked


def turn(game: Game, position: Position, match: int, ply: int) -> Turn:
    """The question for a move."""
    return Turn(
        match=match,
        game=game.name,
        ply=ply,
        position=game.format_position(position.state),
        seat=position.to_move,
        legal_moves=list(game.move_texts(position)),
    )


def answer(bot: Bot, asked: Turn) -> Reply:
    """What the bot replies; built-in bots have plain ones."""
    found = bot.move(asked)
    assert isinstance(found, str | Reply)
    return Reply(found) if isinstance(found, str) else found


@over_all
def test_every_answer_is_legal_and_follows_from_match_and_ply(name: str, game: Game) -> None:
    for question in turns(game.name):
        asked = replace(question, clocks=(1000, 1000)) if name in TIMED else question
        reply = answer(make(name), asked)
        assert asked.legal_moves is not None
        assert reply.move in asked.legal_moves
        assert not reply.pv or reply.pv[0] == reply.move
        if name not in TIMED:
            assert answer(make(name), asked) == reply


@over_all
def test_a_whole_game_is_played_by_the_rules(name: str, game: Game) -> None:
    bots = (make(name), make("random"))
    position, ply = game.look(game.start()), 0
    while not position.over and ply < 40:
        if position.to_move == CHANCE:
            position = game.play(position, roll(game, position, 1, ply))
        else:
            asked = replace(turn(game, position, 1, ply), clocks=(1000, 1000))
            text = answer(bots[position.to_move], asked).move
            position = game.play(position, game.parse_move(position, text))
        ply += 1


@pytest.mark.parametrize("name", [name for name, game in PAIRS if game.name == TicTacToe.name])
def test_everybody_has_manners_and_a_description(name: str) -> None:
    assert descriptions()[name]
    check_bot(maker_of(name), seconds=300)
