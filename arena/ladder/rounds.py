# SPDX-License-Identifier: GPL-3.0-or-later
"""Rounds of the ladder: pairs connected bots (``arena.pairing.ladder``) and starts their matches."""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random

import structlog

from arena.connections.sessions import Entrant, Roster
from arena.ladder.fits import FitCache, LadderFit
from arena.ladder.shares import BotAndOwner, OwnPairings, held_on_ladder
from arena.matches.conductor import Conductor, Unavailable
from arena.pairing.ladder import PairingRules, Seeker, draw, hungriest, patience_of
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.store.errors import StoreError

log = structlog.get_logger("arena.ladder.rounds")

START = 1500.0
"""Rating of bots without games."""


CROWD = 500
"""Maximum number of bots in a round; the covariance of their ratings takes the square of it in memory."""


class Ladder:
    """Pairs connected bots with free capacity, in all games."""

    def __init__(
        self,
        settings: Settings,
        fits: FitCache[LadderFit],
        roster: Roster,
        registry: GameRegistry,
        conductor: Conductor,
        random: Random,
    ) -> None:
        """``random``: selects the first player, and the bots of a round if there are too many."""
        self._settings = settings
        self._fits = fits
        self._roster = roster
        self._registry = registry
        self._conductor = conductor
        self._random = random
        self._begun: defaultdict[str, list[tuple[float, frozenset[int]]]] = defaultdict(list)
        """Started pairs of bots with their start times, by game, since the ratings were computed."""
        self._own_pairings = OwnPairings(settings.own_share)
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Start a round soon: a bot has connected or a game is ready."""
        self._news.set()

    async def run(self) -> None:
        """Run rounds for ever: one each interval; after a round without pairs also at once after ``wake``."""
        while True:
            started = 0
            self._news.clear()
            try:
                started = await self.round()
            except StoreError as error:
                log.warning("failed to start a match", why=str(error))
            except Exception:
                log.exception("a round of the ladder failed")
            if started:
                await asyncio.sleep(self._settings.ladder_interval)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.ladder_interval):
                    await self._news.wait()

    async def round(self) -> int:
        """Run one round; return the number of started pairs."""
        started = 0
        waiting = {name: self._waiting(name) for name in self._registry.games if self._registry.is_ready(name)}
        for name in hungriest(waiting):
            left = self._settings.ladder_pairs - started
            if left <= 0:
                break
            for one, other in await self._drawn(name, left):
                # either bot may disconnect while the opening is being selected
                with contextlib.suppress(Unavailable):
                    if self._may_meet(one, other, name):
                        await self._conductor.meet(self._registry.games[name], (one, other), kind="ladder", rated=True)
                        self._own_pairings.begun(name, BotAndOwner.of_bot(one.bot), BotAndOwner.of_bot(other.bot))
                        self._begun[name].append((time.monotonic(), frozenset({one.bot.id, other.bot.id})))
                        started += 1
        return started

    async def _drawn(self, name: str, most: int) -> list[tuple[Entrant, Entrant]]:
        """Return the pairings of a game."""
        known = await self._fits.get(name, self._registry.time_class(self._registry.games[name]))
        here = self._here(name)
        places = {each.bot.id: place for place, each in enumerate(here)}
        live = [pair for pair in self._conductor.pairs(name) if pair <= places.keys()]
        told = [*live, *(pair for pair in self._untold(name, known, live) if pair <= places.keys())]
        otherwise = [each.ratings.get(name, START) for each in here]
        ratings, covariance = known.of([each.version.id for each in here], otherwise)
        settings = self._settings
        barred = self._barred(here, name)
        drawn = await asyncio.to_thread(
            draw,
            [self._seeker(each, name) for each in here],
            ratings,
            covariance,
            PairingRules(settings.ladder_wrong, settings.ladder_patience, settings.ladder_busy, known.draw_rate),
            going_on=[(places[one], places[other]) for one, other in told],
            playing=_disjoint(live),
            most=most,
            built_in=settings.built_in_matches - self._conductor.built_in_matches(),
            barred=[(places[one], places[other]) for one, other in barred],
        )
        pairs = [(here[one], here[other]) for one, other in drawn]
        return [pair if self._random.random() < 0.5 else pair[::-1] for pair in pairs]

    def _barred(self, here: Sequence[Entrant], name: str) -> set[tuple[int, int]]:
        """Return the pairs of bot ids that may not play because one of them has reached a limit of matches."""
        places = self._conductor.shares.barred(here)
        sides = [BotAndOwner.of_bot(each.bot) for each in here]
        held = held_on_ladder(sides, self._conductor.pairs(name), self._settings)
        return {*places, *held, *self._own_pairings.barred(name, sides)}

    def _here(self, name: str) -> list[Entrant]:
        """Return the bots in a game's ladder; if there are too many, a random sample of the free ones."""
        here = [each for each in self._roster if self._takes_part(each, name)]
        if len(here) <= CROWD:
            return here
        free = [each for each in here if self._seeks(each, name)]
        return self._random.sample(free, min(CROWD, len(free)))

    def _untold(self, name: str, known: LadderFit, live: list[frozenset[int]]) -> list[frozenset[int]]:
        """Return the pairs of bots that have played since the ratings were computed."""
        self._begun[name] = [each for each in self._begun[name] if each[0] >= known.at]
        return [pair for _, pair in self._begun[name] if pair not in live]

    def _waiting(self, name: str) -> list[float]:
        """Return the waiting times of all bots that can play a game now."""
        return [self._waited(each, name) for each in self._roster if self._seeks(each, name)]

    def _waited(self, entrant: Entrant, name: str) -> float:
        return asyncio.get_running_loop().time() - self._conductor.last_played(entrant.bot.id, name)

    def _seeker(self, entrant: Entrant, name: str) -> Seeker:
        patience = patience_of(entrant.bot.id, self._conductor.last_played(entrant.bot.id, name))
        return Seeker(
            self._waited(entrant, name) / patience, self._seeks(entrant, name), entrant.bot.kind == "built-in"
        )

    def _takes_part(self, entrant: Entrant, name: str) -> bool:
        here = name in entrant.games and entrant.ladder and entrant.connection.open
        return here and not self._conductor.excluded(entrant.bot.id)

    def _seeks(self, entrant: Entrant, name: str) -> bool:
        rested = self._conductor.rested_at(entrant.bot.id) <= asyncio.get_running_loop().time()
        may = self._conductor.shares.may_play(entrant)
        return self._takes_part(entrant, name) and rested and self._conductor.free(entrant) > 0 and may

    def _may_meet(self, one: Entrant, other: Entrant, name: str) -> bool:
        """Whether two paired bots may still play: they may have disconnected or left the ladder meanwhile."""
        if not all(self._roster.get(each.bot.id) is each and self._seeks(each, name) for each in (one, other)):
            return False
        here = [each for each in self._roster if self._takes_part(each, name)]
        if {(one.bot.id, other.bot.id), (other.bot.id, one.bot.id)} & self._barred(here, name):
            return False
        built_in = one.bot.kind == "built-in" and other.bot.kind == "built-in"
        return not built_in or self._conductor.built_in_matches() < self._settings.built_in_matches


def _disjoint(live: Iterable[frozenset[int]]) -> int:
    """Return the number of matches without common bots, so that a bot in many matches does not block the ladder."""
    met: set[int] = set()
    count = 0
    for pair in live:
        if not pair & met:
            met |= pair
            count += 1
    return count
