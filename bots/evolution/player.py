# SPDX-License-Identifier: GPL-3.0-or-later
"""A genome of weights as a bot: plain alpha-beta of a fixed depth, as in breeding."""

from hashlib import sha256

from bots.built_in.kinds.searching import Searching, SearchingBot
from bots.evolution import genome
from bots.evolution.genome import Schema, Values
from engine.game import Game
from engine.search import Searcher

DEPTH = 3
"""Search depth of breeding, in plies."""

LABEL = 12
"""Characters of a version."""


class GenomeBot(SearchingBot):
    """Plays the game of its genome. Its version depends on the genome alone, so ratings belong to genomes."""

    def __init__(self, schema: Schema, values: Values, name: str) -> None:
        """Raises ValueError for values out of bounds."""
        self._evaluation = schema.express(values)
        super().__init__(Searching(name, f"A genome of {schema.name}, {DEPTH} plies deep.", "alphabeta", depth=DEPTH))
        self.games = (schema.game,)
        self.version = label(schema, values)

    def _new_searcher(self, game: Game) -> Searcher:
        return Searcher(game, "alphabeta", self._evaluation, table_bits=2)


def label(schema: Schema, values: Values) -> str:
    """Return the version of a genome, a function of schema and values."""
    return "g" + sha256(genome.write(schema, schema.check(values)).encode()).hexdigest()[: LABEL - 1]
