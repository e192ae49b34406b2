# SPDX-License-Identifier: GPL-3.0-or-later
"""The strategies of the iterated Prisoner's Dilemma as bots: the same compiled functions as in bulk tournaments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from bots.strategies.bulk import DILEMMA, choice
from bots.strategies.catalogue import GAME, STRATEGIES, Strategy
from engine.games import find
from engine.games.dilemma import ACTIONS
from engine.games.matrix.notation import rounds_of


class StrategyBot(Bot):
    """Plays a strategy. The position has all that a strategy needs, so the bot remembers nothing between moves."""

    capacity = 16
    games = (GAME,)

    def __init__(self, strategy: Strategy) -> None:
        self.name = strategy.name
        self.description = strategy.description
        self._strategy = strategy

    def prepare(self, games: Sequence[str]) -> None:
        """Compile the strategies, or load them from the cache."""
        choice(self._strategy, [], [], rounds=None, seed=0, payoffs=DILEMMA)

    def move(self, turn: Turn) -> str:
        """Return the strategy's choice; the same one when asked again."""
        state = find(turn.game).parse_position(turn.position)
        rounds = rounds_of(state)
        own = [actions[turn.seat] for actions in rounds]
        other = [actions[1 - turn.seat] for actions in rounds]
        # one seed for the whole match: the strategies draw by round
        drawn = seed(turn.match, self.name, turn.seat)
        chosen = choice(self._strategy, own, other, rounds=state.rounds, seed=drawn, payoffs=DILEMMA)
        return ACTIONS.words[chosen]


@dataclass(frozen=True, slots=True)
class Strategist(BuiltInBot):
    """A bot that plays a strategy of the Prisoner's Dilemma, with noise too."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    strategy: Strategy

    def make(self) -> Bot:
        """Return a new player."""
        return StrategyBot(self.strategy)

    def plays(self, game: str) -> bool:
        """Return whether a game is the dilemma, with noise or without."""
        return game.partition("/")[0] == GAME


BOTS = tuple(Strategist(strategy.name, strategy.description, strategy) for strategy in STRATEGIES)
