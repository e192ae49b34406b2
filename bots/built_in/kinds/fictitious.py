# SPDX-License-Identifier: GPL-3.0-or-later
"""Fictitious play (G. W. Brown, 1951) of repeated matrix games: the best reply to the opponent's actions so far."""

import random
from collections import Counter
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

from bots.bot import Bot, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine.games import catalogue, find
from engine.games.matrix.notation import payoffs_of, rounds_of
from engine.games.matrix.rules import Repeated

NEAR = 1e-9
"""Difference of mean payoffs below which two actions are equally good."""


class FictitiousBot(Bot):
    """Plays by the position alone, which has the payoffs and all rounds."""

    capacity = 16

    def move(self, turn: Turn) -> str:
        """Return the action with the best mean payoff; equal ones, and the first action, at random by seed."""
        game = find(turn.game)
        state = game.parse_position(turn.position)
        actions = [game.format_move(state, action) for action in range(len(turn.legal_moves or ()))]
        seen = Counter(round_[1 - turn.seat] for round_ in rounds_of(state))
        matrix = payoffs_of(state)
        worth = [
            fsum(
                count * (matrix[one][other] if turn.seat == 0 else matrix[other][one])[turn.seat]
                for other, count in seen.items()
            )
            for one in range(len(actions))
        ]
        best = [action for action, value in zip(actions, worth, strict=True) if value > max(worth) - NEAR]
        return random.Random(seed(turn.match, self.name, turn.ply)).choice(best)


@dataclass(frozen=True, slots=True)
class Fictitious(BuiltInBot):
    """The bot plays every repeated matrix game."""

    enters: ClassVar[Enters] = Enters.LAST
    usual: ClassVar[bool] = False

    def make(self) -> Bot:
        """Return a new player."""
        bot = FictitiousBot()
        bot.name, bot.description = self.name, self.description
        bot.games = tuple(filter(self.plays, catalogue()))
        return bot

    def plays(self, game: str) -> bool:
        """Return whether a game is a repeated matrix game."""
        return find(game).state is Repeated


BOTS = (
    Fictitious(
        "fictitious-play", "Plays the best reply to all that the opponent has chosen in the match (Brown, 1951)."
    ),
)
