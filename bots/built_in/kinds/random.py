# SPDX-License-Identifier: GPL-3.0-or-later
"""The bot that plays any legal move."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot, Turn
from bots.built_in.kinds import BuiltInBot, Enters, seed
from engine.game import Game, State


class RandomBot(Bot):
    """Chooses among the legal moves at random, by seed."""

    name = "random"
    description = "Plays random legal moves."
    capacity = 16

    def move(self, turn: Turn) -> str:
        """Return one of the legal moves; the same one when asked again."""
        if not turn.legal_moves:
            raise ValueError("the turn lists no legal moves")
        return random.Random(seed(turn.match, self.name, turn.ply)).choice(turn.legal_moves)


@dataclass(frozen=True, slots=True)
class Random(BuiltInBot):
    """A bot without settings; it compiles nothing."""

    enters: ClassVar[Enters] = Enters.AT_ONCE

    def make(self) -> Bot:
        """Return a new player."""
        return RandomBot()

    def tells(self, game: str) -> bool:
        """Return True."""
        return True

    def probabilities(self, game: Game, state: State) -> Mapping[str, float]:
        """Return equal probabilities."""
        texts = game.move_texts(game.look(state))
        return dict.fromkeys(texts, 1 / len(texts))


BOTS = (Random(RandomBot.name, RandomBot.description),)
