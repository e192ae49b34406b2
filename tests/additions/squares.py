# SPDX-License-Identifier: GPL-3.0-or-later
"""A kind of genomes as one file of ``bots/evolution/kinds``: how much each square of tic-tac-toe is worth."""

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from bots.evolution.family import Family
from bots.evolution.genome import Gene, Genotype, Kind, Values
from engine.games import find
from engine.match.machine import Match
from engine.opening import random_opening

NAME = "tictactoe/squares"


class Played(NamedTuple):
    """A game: the first player's score, and the moves and nodes of both."""

    score: float
    counts: tuple[tuple[int, int], tuple[int, int]]


class Squares(Kind):
    """Genomes with a number for each square; a player takes the free square with the largest."""

    name, version, game = NAME, 1, "tictactoe"
    genes = tuple(Gene(f"square {number}", 0.0, 1.0, (0.0, 1.0), 0.5) for number in range(1, 10))

    @property
    def tables(self) -> Callable[[], "Squares"]:
        """What makes tables."""
        return lambda: self

    def player(self, genotype: Genotype) -> Values:
        """Return the numbers."""
        return genotype.values

    def file(self, genotype: Genotype, lineage: Mapping[str, object], level: int = 0) -> str:
        """Return a genome as a file."""
        return json.dumps([genotype.values, lineage])

    def play(self, first: Values, second: Values, seed: int, seat: int = 0) -> Played:
        """Play a game from the opening of a seed."""
        game = find(self.game)
        match = Match(game, opening=random_opening(game, seed))
        opening = match.ply
        while (turn := match.to_move) is not None:
            worth, state = (first if turn == seat else second), match.position.state
            moves = {game.format_move(state, move): worth[move] for move in match.position.moves}
            match.play(turn, max(moves, key=lambda move: moves[move]))
        assert match.ending is not None
        assert match.ending.scores is not None
        return Played(match.ending.scores[seat], ((match.ply - opening, 0), (0, 0)))


FAMILY = Family(
    NAME, "an order of the squares", lambda game: [NAME] if game == "tictactoe" else [], lambda _: Squares()
)
