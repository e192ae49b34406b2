# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in bot that plays by a stored strategy, in games with hidden information: ``engine.regret``."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine import games
from engine.game import Game, State
from engine.regret.strategy import path_of, shipped
from engine.regret.tree import key_of


class EquilibriumBot(Bot):
    """Chooses each move with the probability that the strategy gives it. It does not learn from its opponent."""

    name = "cfr"
    description = "Plays a stored strategy close to an equilibrium, found by CFR+; in Kuhn and Leduc poker."
    capacity = 16

    def prepare(self, names: Sequence[str]) -> None:
        """Read the strategies of games, and compile or load what looks positions up."""
        for name in names:
            game = games.find(name)
            shipped(game)
            key_of(game, game.start(), 0)

    def move(self, turn: Turn) -> str:
        """Return one of the legal moves; the same one when asked again."""
        game = games.find(turn.game)
        chance = random.Random(seed(turn.match, self.name, turn.ply))
        chances = shipped(game).chances(game.possible(turn.position, turn.seat, chance), turn.seat)
        return chance.choices(list(chances), list(chances.values()))[0]


@dataclass(frozen=True, slots=True)
class Equilibrium(BuiltInBot):
    """The bot plays the games for which the arena has a strategy."""

    enters: ClassVar[Enters] = Enters.LAST

    def make(self) -> Bot:
        """Return a new player."""
        bot = EquilibriumBot()
        bot.games = tuple(filter(self.plays, games.catalogue()))
        return bot

    def plays(self, game: str) -> bool:
        """Return whether the arena has a strategy for a game."""
        return path_of(games.find(game)).exists()

    def tells(self, game: str) -> bool:
        """Return whether the arena has a strategy for a game."""
        return self.plays(game)

    def probabilities(self, game: Game, state: State) -> Mapping[str, float]:
        """Return what the strategy says."""
        return shipped(game).chances(state, game.look(state).to_move)


BOTS = (Equilibrium(EquilibriumBot.name, EquilibriumBot.description),)
