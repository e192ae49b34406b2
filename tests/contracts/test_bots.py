# SPDX-License-Identifier: GPL-3.0-or-later
"""What every bot promises, over every bot of the catalogue and every game there is."""

import dataclasses
import random
from functools import cache

import pytest
from msgspec.structs import replace

from arena.protocol.messages import Turn
from bots.bot import Bot, Reply
from bots.built_in import kinds
from bots.built_in.kinds import hidden, solving, tree
from bots.built_in.kinds.adaptive import Adaptive
from bots.built_in.kinds.searching import BOTS
from bots.catalogue import descriptions, make, maker_of, names
from bots.testing import TicTacToe, check_bot
from engine.game import Game
from engine.games import catalogue
from engine.match.ending import Termination
from engine.match.machine import Match
from tests.compiling import FRAME_OF_PLAY, marks

GAMES = [game for game in catalogue().values() if game.playable]
TIMED = {bot.name for bot in (*BOTS, *hidden.BOTS, *solving.BOTS, *tree.BOTS) if bot.seconds is not None}
"""How deep they see depends on the machine's mood."""

BUILT_IN = kinds.catalogue()
PAIRS = [(name, game) for name in names() for game in GAMES if name not in BUILT_IN or BUILT_IN[name].plays(game.name)]

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
    for number in range(1, 4):
        match = Match(game, seed=number)
        line: list[Turn] = []
        while match.to_move is not None and match.ply < 120:
            seat = match.to_move
            line.append(turn(match, number, seat))
            match.play(seat, rng.choice(match.legal_of(seat)))
        asked += [line[0], line[len(line) // 2], *line[-2:]]
    return asked


def turn(match: Match, number: int, seat: int) -> Turn:
    """The question for a move."""
    return Turn(
        match=number,
        game=match.game.name,
        ply=match.ply_of(seat),
        position=match.observe(seat).position,
        seat=seat,
        last_move=match.last_seen_by(seat),
        legal_moves=match.legal_of(seat),
    )


def answer(bot: Bot, asked: Turn) -> Reply:
    """What the bot replies; built-in bots have plain ones."""
    found = bot.move(asked)
    assert isinstance(found, str | Reply)
    return Reply(found) if isinstance(found, str) else found


def made(name: str) -> Bot:
    """Return a new bot; one that stops at a number of nodes, or earlier on a slow machine, gets the time for them."""
    kind = BUILT_IN.get(name)
    return dataclasses.replace(kind, seconds=None).make() if isinstance(kind, Adaptive) else make(name)


@over_all
def test_every_answer_is_legal_and_follows_from_match_and_ply(name: str, game: Game) -> None:
    for question in turns(game.name):
        asked = replace(question, clocks=(1000, 1000)) if name in TIMED else question
        reply = answer(made(name), asked)
        assert asked.legal_moves is not None
        assert reply.move in asked.legal_moves
        assert not reply.pv or reply.pv[0] == reply.move
        if name not in TIMED:
            assert answer(made(name), asked) == reply


@over_all
def test_a_whole_game_is_played_by_the_rules(name: str, game: Game) -> None:
    bots = (make(name), make("random"))
    match = Match(game, seed=1)
    while match.to_move is not None and match.ply < 40:
        seat = match.to_move
        asked = replace(turn(match, 1, seat), clocks=(1000, 1000))
        match.play(seat, answer(bots[seat], asked).move)
    assert match.ending is None or match.ending.termination is not Termination.ILLEGAL_MOVE


@pytest.mark.parametrize("name", [name for name, game in PAIRS if game.name == TicTacToe.name])
def test_everybody_has_manners_and_a_description(name: str) -> None:
    assert descriptions()[name]
    check_bot(maker_of(name), seconds=300)
