# SPDX-License-Identifier: GPL-3.0-or-later
"""A drill for the newborn: positions of which it is known what each move is worth, so that most of those who would only
lose games need not play them.

A brood is born where there is one place, and who errs least in the drill takes it (W. A. Tackett and A. Carmi, "The
unique implications of brood selection for genetic programming", 1994). The positions are of the rival's games against
itself from breeding's openings, moves by lot among them. What moves are worth the rival says as well, JUDGE plies deep.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bots.evolution.evochess.contests import bred_openings
from bots.evolution.operators import Chance, chance_for
from bots.evolution.steered.player import Player
from bots.evolution.steered.steering import negascout
from engine.game import Game, Position
from engine.games import find

POSITIONS = 150
SEED = 1994
JUDGE = 5
"""How deep the rival looks at what a move is worth."""
RIVAL = 2
"""How deep those look whose games the positions are of."""
LONGEST = 60
"""Plies from the opening to the position, at most."""
BY_LOT = 12
"""One move of so many is drawn by lot."""
OPEN = 6.0
"""The game is still open: no side is so many men ahead."""
TENFOLD = 4.0
"""So many men ahead one wins ten times as often as one loses."""
FAR = 100.0
"""Who is so many men ahead has won."""


class Task(NamedTuple):
    """A position, and how much of a game is lost by each of its moves as against the best."""

    position: Position
    lost: Mapping[int, float]


@functools.cache
def task(name: str, number: int) -> Task:
    """Return one of the positions of a game, by its number; it is a function of both."""
    game, chance = find(name), chance_for(SEED, "drill", name, number)
    judge = Player(game, negascout(game, JUDGE - 1))
    while True:
        position = _drawn(game, chance)
        if position.over or len(position.moves) < 2:
            continue
        worth = [_worth(judge, position, move) for move in position.moves]
        if abs(max(worth)) < OPEN:
            hopes = [1 / (1 + 10 ** (-max(-FAR, min(FAR, men)) / TENFOLD)) for men in worth]
            return Task(position, {move: max(hopes) - hope for move, hope in zip(position.moves, hopes, strict=True)})


def drawn(chance: Chance, count: int) -> list[int]:
    """Draw so many positions, by their numbers; all that there are where these are fewer."""
    return chance.sample(range(POSITIONS), min(count, POSITIONS))


def errors(player: Player, numbers: Sequence[int]) -> float:
    """Return how much of a game a player loses by its move, on average over the positions of these numbers."""
    lost = 0.0
    for number in numbers:
        position, losses = task(player.game.name, number)
        player.begin()
        lost += losses[player.choose(position).move]
    return lost / len(numbers)


def _drawn(game: Game, chance: Chance) -> Position:
    player, position = Player(game, negascout(game, RIVAL)), game.look(game.start())
    for text in chance.choice(bred_openings(game)):
        position = game.play(position, game.parse_move(position, text))
    for _ in range(chance.randrange(LONGEST)):
        if position.over:
            break
        by_lot = chance.randrange(BY_LOT) == 0
        position = game.play(position, chance.choice(position.moves) if by_lot else player.choose(position).move)
    return position


def _worth(judge: Player, position: Position, move: int) -> float:
    """Return what a move is worth to who makes it, in men."""
    after = judge.game.play(position, move)
    evaluation = judge.steering.evaluation
    if after.over:
        return evaluation.in_men(round(after.payoffs[position.to_move] * evaluation.win))
    judge.begin()
    value = evaluation.in_men(judge.choose(after).value)
    return value if after.to_move == position.to_move else -value
