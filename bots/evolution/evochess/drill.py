# SPDX-License-Identifier: GPL-3.0-or-later
"""The drill: positions with known values of all moves, which filter children before they play games.

Several children are made for one place, and the one with the least error in the drill takes it (W. A. Tackett and
A. Carmi, "The unique implications of brood selection for genetic programming", 1994). The positions come from
the rival's games against itself from the openings of breeding, with some random moves. The rival also gives the values
of moves, by searches of JUDGE plies.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bots.evolution.evochess.contests import bred_openings
from bots.evolution.evochess.player import Player
from bots.evolution.operators import Chance, chance_for
from bots.evolution.rivals import Rival
from engine.game import Game, Position
from engine.games import find

SEED = 1994
JUDGE = 5
"""Depth of the searches that give the values of moves."""
RIVAL = 2
"""Depth of the players of the games."""
LONGEST = 60
"""Plies from the opening to the position, at most."""
RANDOM = 12
"""One move in this number is random."""
OPEN = 6.0
"""A position is used if no move has an advantage of this size, in pawn units."""
TENFOLD = 4.0
"""The advantage, in pawn units, with which wins are ten times as frequent as losses."""
FAR = 100.0
"""Advantages are cut off here, in pawn units."""


class Task(NamedTuple):
    """A position, and the loss of expected score of each move."""

    position: Position
    lost: Mapping[int, float]


@functools.cache
def task(name: str, number: int) -> Task:
    """Return a position of a game by its number; a function of both."""
    game, chance = find(name), chance_for(SEED, "drill", name, number)
    judge = Rival(game, JUDGE - 1)
    while True:
        position = _drawn(game, chance)
        if position.over or len(position.moves) < 2:
            continue
        worth = [_worth(judge, position, move) for move in position.moves]
        if abs(max(worth)) < OPEN:
            scores = [1 / (1 + 10 ** (-max(-FAR, min(FAR, men)) / TENFOLD)) for men in worth]
            return Task(
                position, {move: max(scores) - score for move, score in zip(position.moves, scores, strict=True)}
            )


def errors(player: Player | Rival, numbers: Sequence[int]) -> float:
    """Return the mean loss of expected score of a player's moves, over positions given by numbers."""
    lost = 0.0
    for number in numbers:
        position, losses = task(player.game.name, number)
        player.begin()
        lost += losses[_chosen(player, position)]
    return lost / len(numbers)


def _drawn(game: Game, chance: Chance) -> Position:
    player, position = Rival(game, RIVAL), game.look(game.start())
    for text in chance.choice(bred_openings(game)):
        position = game.play(position, game.parse_move(position, text))
    for _ in range(chance.randrange(LONGEST)):
        if position.over:
            break
        at_random = chance.randrange(RANDOM) == 0
        position = game.play(position, chance.choice(position.moves) if at_random else _chosen(player, position))
    return position


def _chosen(player: Player | Rival, position: Position) -> int:
    move = player.choose(position).move
    assert move is not None, "the game is not over"
    return move


def _worth(judge: Rival, position: Position, move: int) -> float:
    """Return the value of a move for its player, in pawn units."""
    after = judge.game.play(position, move)
    evaluation = judge.evaluation
    if after.over:
        return evaluation.pawn_units(round(after.payoffs[position.to_move] * evaluation.win))
    judge.begin()
    value = evaluation.pawn_units(judge.choose(after).value)
    return value if after.to_move == position.to_move else -value
