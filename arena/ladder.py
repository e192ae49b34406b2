# SPDX-License-Identifier: GPL-3.0-or-later
"""The ladder's rounds: who of those who are here shall meet (``arena.pairing.ladder``), and the conductor starts it."""

import asyncio
import contextlib
from random import Random

import structlog

from arena.conductor import Conductor, Unavailable
from arena.connections import Entrant, Roster
from arena.pairing.ladder import Seeker, draw, hungriest
from arena.programme import Programme
from arena.settings import Settings
from arena.store.errors import StoreError

log = structlog.get_logger("arena.ladder")

START = 1500.0
"""The rating of who has not played yet."""


class Ladder:
    """Keeps pairing whoever is connected and free, each game in its turn."""

    def __init__(
        self, settings: Settings, roster: Roster, programme: Programme, conductor: Conductor, random: Random
    ) -> None:
        """``random`` decides who meets whom."""
        self._settings = settings
        self._roster = roster
        self._programme = programme
        self._conductor = conductor
        self._random = random
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look again: there is a bot or a game that was not there before."""
        self._news.set()

    async def run(self) -> None:
        """Pair for ever: a round each interval, and one at once when the last found nobody and there is news."""
        while True:
            started = 0
            self._news.clear()
            try:
                started = await self.round()
            except StoreError as error:
                log.warning("no match could be started", why=str(error))
            except Exception:
                log.exception("a round of pairing broke")
            if started:
                await asyncio.sleep(self._settings.ladder_interval)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.ladder_interval):
                    await self._news.wait()

    async def round(self) -> int:
        """Pair once; returns how many pairs of matches were started."""
        started = 0
        waiting = {
            name: [each.waited for each in self._seekers(name)] for name in self._programme.games if self._ready(name)
        }
        for name in hungriest(waiting):
            for first, second in draw(self._seekers(name), self._random, self._settings.ladder_spread):
                if started >= self._settings.ladder_pairs:
                    return started
                one, other = self._roster.get(first), self._roster.get(second)
                if one is None or other is None or not self._may_meet(one, other, name):
                    continue
                # either may leave while the opening is being found
                with contextlib.suppress(Unavailable):
                    await self._conductor.meet(self._programme.games[name], (one, other), kind="ladder", rated=True)
                    started += 1
        return started

    def _ready(self, name: str) -> bool:
        return self._programme.is_ready(name)

    def _seekers(self, name: str) -> list[Seeker]:
        """Return who can play a game now."""
        now = asyncio.get_running_loop().time()
        return [
            Seeker(each.bot.id, each.ratings.get(name, START), now - self._conductor.last_played(each.bot.id, name))
            for each in self._roster
            if self._seeks(each, name, now)
        ]

    def _seeks(self, entrant: Entrant, name: str, now: float) -> bool:
        free = self._conductor.free(entrant) > 0 and self._conductor.rested_at(entrant.bot.id) <= now
        return name in entrant.games and entrant.ladder and entrant.connection.open and free

    def _may_meet(self, one: Entrant, other: Entrant, name: str) -> bool:
        """Whether two bots that were drawn may meet now: meanwhile they may have changed their mind."""
        now = asyncio.get_running_loop().time()
        if not (self._seeks(one, name, now) and self._seeks(other, name, now)):
            return False
        house = one.bot.kind == "house" and other.bot.kind == "house"
        return not house or self._conductor.house_matches() < self._settings.house_matches
