# SPDX-License-Identifier: GPL-3.0-or-later
"""The evolved bots: they play the champions of evolution that ship, and publish their genomes."""

from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot
from bots.built_in.kinds import BuiltInBot, Enters
from bots.evolution.evochess import CHAMPIONS
from bots.evolution.evochess.bot import ChampionBot
from bots.evolution.evochess.genome import champion_games
from bots.evolution.evochess.genome_view import introduce


@dataclass(frozen=True, slots=True)
class Evolved(BuiltInBot):
    """A bot with a champion's genome for each of its games."""

    enters: ClassVar[Enters] = Enters.LAST

    def make(self) -> Bot:
        """Return a new player."""
        return ChampionBot(self.name)

    def plays(self, game: str) -> bool:
        """Return whether a game has a champion."""
        return game in champion_games(self.name)

    def introduce(self, url: str, token: str) -> None:
        """Publish the genome."""
        introduce(self.name, self.make(), url, token)


BOTS = tuple(Evolved(name, about) for name, about in CHAMPIONS.items())
