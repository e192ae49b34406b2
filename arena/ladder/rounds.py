# SPDX-License-Identifier: GPL-3.0-or-later
"""Rounds of the ladder: pairs connected bots (``arena.pairing.ladder``) and starts their matches."""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import structlog

from arena.connections.sessions import Entrant, Roster
from arena.ladder.fits import FitCache, LadderFit
from arena.ladder.shares import BotAndOwner, OwnPairings, held_on_ladder, same_owners
from arena.matches.conductor import Conductor, Unavailable
from arena.pairing.ladder import PairingRules, Seeker, draw, hungriest, patience_of
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.store.errors import StoreError
from engine.time_control import TimeControl

log = structlog.get_logger("arena.ladder.rounds")

START = 1500.0
"""Rating of bots without games."""


CROWD = 500
"""Maximum number of bots in a round; the covariance of their ratings takes the square of it in memory."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The bots that the ladder pairs with each other: those of a game, with its clock or by instructions."""

    game: str
    control: TimeControl

    @property
    def name(self) -> str:
        """The name of the pool."""
        return self.game if self.control.timed else f"{self.game} by instructions"


class Ladder:
    """Pairs connected bots with free capacity, in all games; WebAssembly bots that this server hosts also by
    instructions, where the settings say so.
    """

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
        self._league = settings.league()
        self._begun: defaultdict[Pool, list[tuple[float, frozenset[int]]]] = defaultdict(list)
        """Started pairs of bots with their start times, by pool, since the ratings were computed."""
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
        pools = {pool.name: pool for pool in self._pools()}
        for name in hungriest({name: self._waiting(pool) for name, pool in pools.items()}):
            pool = pools[name]
            left = self._settings.ladder_pairs - started
            if left <= 0:
                break
            for one, other in await self._drawn(pool, left):
                # either bot may disconnect while the opening is being selected
                with contextlib.suppress(Unavailable):
                    if self._may_meet(one, other, pool):
                        await self._conductor.meet(
                            self._registry.games[pool.game],
                            (one, other),
                            kind="ladder",
                            rated=True,
                            time_control=pool.control,
                        )
                        self._own_pairings.begun(pool.name, BotAndOwner.of_bot(one.bot), BotAndOwner.of_bot(other.bot))
                        self._begun[pool].append((time.monotonic(), frozenset({one.bot.id, other.bot.id})))
                        started += 1
        return started

    def _pools(self) -> Iterator[Pool]:
        """Yield the pools of the games that are ready."""
        for name, game in self._registry.games.items():
            if self._registry.is_ready(name):
                yield Pool(name, self._registry.time_control(game))
                if self._league is not None:
                    yield Pool(name, self._league)

    async def _drawn(self, pool: Pool, most: int) -> list[tuple[Entrant, Entrant]]:
        """Return the pairings of a pool."""
        known = await self._fits.get(pool.game, pool.control.time_class)
        here = self._here(pool)
        places = {each.bot.id: place for place, each in enumerate(here)}
        live = [pair for pair in self._live(pool) if pair <= places.keys()]
        told = [*live, *(pair for pair in self._untold(pool, known, live) if pair <= places.keys())]
        otherwise = [each.ratings.get(pool.game, START) if pool.control.timed else START for each in here]
        ratings, covariance = known.of([each.version.id for each in here], otherwise)
        settings = self._settings
        barred = self._barred(here, pool)
        drawn = await asyncio.to_thread(
            draw,
            [self._seeker(each, pool) for each in here],
            ratings,
            covariance,
            PairingRules(settings.ladder_misordered, settings.ladder_patience, settings.ladder_busy, known.draw_rate),
            going_on=[(places[one], places[other]) for one, other in told],
            playing=_disjoint(live),
            most=most,
            built_in=settings.built_in_matches - self._conductor.built_in_matches(),
            barred=[(places[one], places[other]) for one, other in barred],
        )
        pairs = [(here[one], here[other]) for one, other in drawn]
        return [pair if self._random.random() < 0.5 else pair[::-1] for pair in pairs]

    def _live(self, pool: Pool) -> list[frozenset[int]]:
        """Return the pairs of bots that play rated matches of a pool."""
        return self._conductor.pairs(pool.game, pool.control.time_class)

    def _barred(self, here: Sequence[Entrant], pool: Pool) -> set[tuple[int, int]]:
        """Return the pairs of bot ids that may not play because one of them has reached a limit of matches, or because
        they have one owner in a game with hidden information.
        """
        places = self._conductor.shares.barred(here)
        sides = [BotAndOwner.of_bot(each.bot) for each in here]
        held = held_on_ladder(sides, self._live(pool), self._settings)
        game = self._registry.games[pool.game]
        own = same_owners(sides) if game.secrets is not None else ()
        return {*places, *held, *own, *self._own_pairings.barred(pool.name, sides)}

    def _here(self, pool: Pool) -> list[Entrant]:
        """Return the bots of a pool; if there are too many, a random sample of the free ones."""
        here = [each for each in self._roster if self._takes_part(each, pool)]
        if len(here) <= CROWD:
            return here
        free = [each for each in here if self._seeks(each, pool)]
        return self._random.sample(free, min(CROWD, len(free)))

    def _untold(self, pool: Pool, known: LadderFit, live: list[frozenset[int]]) -> list[frozenset[int]]:
        """Return the pairs of bots that have played since the ratings were computed."""
        self._begun[pool] = [each for each in self._begun[pool] if each[0] >= known.at]
        return [pair for _, pair in self._begun[pool] if pair not in live]

    def _waiting(self, pool: Pool) -> list[float]:
        """Return the waiting times of all bots that can play in a pool now."""
        return [self._waited(each, pool) for each in self._roster if self._seeks(each, pool)]

    def _last_played(self, entrant: Entrant, pool: Pool) -> float:
        return self._conductor.rests.last_played(entrant.bot.id, pool.game, pool.control.time_class)

    def _waited(self, entrant: Entrant, pool: Pool) -> float:
        return asyncio.get_running_loop().time() - self._last_played(entrant, pool)

    def _seeker(self, entrant: Entrant, pool: Pool) -> Seeker:
        patience = patience_of(entrant.bot.id, self._last_played(entrant, pool))
        return Seeker(
            self._waited(entrant, pool) / patience, self._seeks(entrant, pool), entrant.bot.kind == "built-in"
        )

    def _takes_part(self, entrant: Entrant, pool: Pool) -> bool:
        able = pool.control.timed or entrant.module is not None
        here = pool.game in entrant.games and entrant.ladder and entrant.connection.open
        return able and here and not self._conductor.excluded(entrant.bot.id)

    def _seeks(self, entrant: Entrant, pool: Pool) -> bool:
        rested = self._conductor.rests.over_at(entrant.bot.id) <= asyncio.get_running_loop().time()
        may = self._conductor.shares.may_play(entrant)
        return self._takes_part(entrant, pool) and rested and self._conductor.free(entrant) > 0 and may

    def _may_meet(self, one: Entrant, other: Entrant, pool: Pool) -> bool:
        """Whether two paired bots may still play: they may have disconnected or left the ladder meanwhile."""
        if not all(self._roster.get(each.bot.id) is each and self._seeks(each, pool) for each in (one, other)):
            return False
        here = [each for each in self._roster if self._takes_part(each, pool)]
        if {(one.bot.id, other.bot.id), (other.bot.id, one.bot.id)} & self._barred(here, pool):
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
