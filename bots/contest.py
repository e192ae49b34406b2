# SPDX-License-Identifier: GPL-3.0-or-later
"""A match of two bots written down, so that another process can play it, and a later one go on with it."""

from collections.abc import Callable
from dataclasses import replace

from msgspec import Struct

from bots.bot import Bot
from bots.bridges.player import EngineMaker
from bots.bridges.process import EngineFailed
from bots.catalogue import UnknownBot, maker_of
from bots.house.roster import ROSTER
from bots.local import Entrant
from bots.series import Setting
from engine.adjudication import Adjudication
from engine.formats.suite import Opening
from engine.game import Game
from engine.games import find
from engine.time_control import TimeControl


class NoEntrant(Exception):
    """A bot cannot be made, or does not play the game; the message says why, for people."""


class Contest(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Two bots, as ``bots.catalogue`` reads them, and what they play under."""

    game: str
    first: str
    second: str
    seed: int = 0
    time_control: str | None = None
    depth: int | None = None
    """Plies that house bots search, in place of their own limits."""
    nodes: int | None = None
    """Positions that house bots visit, likewise."""
    adjudication: Adjudication | None = None
    openings: tuple[Opening, ...] = ()

    def setting(self) -> Setting:
        """Return it ready to be played. Raises KeyError for an unknown game, ValueError for a bad time control."""
        time_control = None if self.time_control is None else TimeControl.parse(self.time_control)
        return Setting(find(self.game), self.seed, time_control, self.openings, self.adjudication)

    async def entrants(self) -> tuple[Entrant, Entrant]:
        """Return what makes its bots; outside engines are started once, to see that they are there.

        Raises NoEntrant.
        """
        game = find(self.game)
        return await self._entrant(self.first, game), await self._entrant(self.second, game)

    async def _entrant(self, spec: str, game: Game) -> Entrant:
        try:
            maker = self._limited(spec) or maker_of(spec)
            bot = maker()
            if bot.games is not None and game.name not in bot.games:
                raise NoEntrant(f"{spec} does not play {game.name}, but {', '.join(bot.games)}")
            if isinstance(maker, EngineMaker):
                await maker.try_out()
        except (UnknownBot, EngineFailed, ValueError) as error:
            raise NoEntrant(str(error)) from None
        return Entrant(bot.name or spec, maker)

    def _limited(self, spec: str) -> Callable[[], Bot] | None:
        """Return what makes a house bot with other limits than its own; None where there is nothing to limit."""
        if self.depth is None and self.nodes is None:
            return None
        for resident in ROSTER:
            if resident.name == spec and resident.algorithm is not None:
                return replace(resident, depth=self.depth, nodes=self.nodes, seconds=None).make
        return None
