# SPDX-License-Identifier: GPL-3.0-or-later
"""The evolved bot: plays the champions of evolution that ship, and publishes their genomes."""

from dataclasses import dataclass
from typing import ClassVar

from bots.bot import Bot
from bots.built_in.kinds import BuiltInBot, Enters
from bots.evolution.evochess import ABOUT, CHAMPION
from bots.evolution.evochess.bot import ChampionBot
from bots.evolution.evochess.genome import champion_games
from bots.evolution.evochess.genome_view import introduce


@dataclass(frozen=True, slots=True)
class Evolved(BuiltInBot):
    """A bot with a champion's genome for each of its games."""

    enters: ClassVar[Enters] = Enters.LAST

    def make(self) -> Bot:
        """Return a new player."""
        return ChampionBot()

    def games(self) -> tuple[str, ...]:
        """Return the games that have a champion."""
        return champion_games()

    def introduce(self, url: str, token: str) -> None:
        """Publish the genome."""
        introduce(self.name, self.make(), url, token)


BOTS = (Evolved(CHAMPION, ABOUT),)
