# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in bot that plays by proof, in games with a solver: ``engine.search.solver``, or the game's own."""

from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot
from bots.built_in.kinds import Enters
from bots.built_in.kinds.searching import BEST, Searching, SearchingBot
from engine import games
from engine.search import SOLVE, solvable


@dataclass(frozen=True, slots=True)
class Solving(Searching):
    """A bot that searches in the games that have a solver."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    def make(self) -> Bot:
        """Return a new player."""
        bot = SearchingBot(self)
        bot.games = tuple(filter(self.plays, games.catalogue()))
        return bot

    def plays(self, game: str) -> bool:
        """Return whether a game has a solver, and hides nothing from it."""
        found = games.find(game)
        return found.perfect_information and solvable(found)


BOTS = (
    Solving(
        "solve",
        "Proves wins to the end of the game, up to 1 second per move, with a stored strategy for the first plies; in "
        "games with a solver (Connect Four, bridge double dummy).",
        SOLVE,
        seconds=1.0,
        evaluations=BEST,
        table_bits=20,
    ),
)
