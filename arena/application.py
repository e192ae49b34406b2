# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena: composes its parts, starts and stops them. The door (web) and the tests talk to this."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random

import structlog

from arena.beliefs import Beliefs
from arena.broadcast import Broadcast, Spectator
from arena.challenges import Challenges
from arena.conductor import Conductor
from arena.connections import Connection, Roster
from arena.events.hall import Hall
from arena.events.surroundings import Surroundings
from arena.exchange.exchange import Exchange
from arena.exchange.genomes import Genomes
from arena.insistence import insist
from arena.ladder import Ladder
from arena.metrics import Metrics
from arena.programme import Programme
from arena.protocol.watching import Lobby, Seen
from arena.reception import Reception
from arena.recollection import recall
from arena.settings import Settings
from arena.standings import Standings
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.rows import StoredMatch
from engine.game import Game

log = structlog.get_logger("arena")

PRUNE_INTERVAL = 3600.0
"""Seconds between two looks for matches whose moves are too old to keep."""


class Arena:
    """A running arena. ``start`` and ``stop`` once each; the store stays the caller's to close."""

    def __init__(self, settings: Settings, store: Store, genomes: Genomes | None = None) -> None:
        """``genomes``: what demes on volunteers' machines may breed; None: there are none.

        Raises ValueError when the settings name games that do not exist.
        """
        self.settings = settings
        self.store = store
        self.metrics = Metrics()
        self.metrics.backlog.set_function(lambda: store.backlog)
        self.programme = Programme(settings)
        self.roster = Roster()
        self.prepared = asyncio.Event()
        """Set once all games are ready and the matches that a restart left were taken up."""
        self._house_warming = ""
        self.standings = Standings(store)
        self.broadcast = Broadcast(settings, self.metrics, lambda: len(self.roster), lambda: self.warming)
        random = Random()
        self.conductor = Conductor(store, settings, self.roster, self.programme, self.broadcast, self.metrics)
        self.challenges = Challenges(settings, self.roster, self.programme, self.conductor, random)
        self.ladder = Ladder(settings, Beliefs(store), self.roster, self.programme, self.conductor, random)
        self.tournaments = Hall(
            Surroundings(
                store,
                self.roster,
                self.programme,
                self.conductor,
                lambda: bool(self.warming),
                self.broadcast.tournaments.changed,
            )
        )
        self.exchange = Exchange(settings, store, self.programme, self.metrics, genomes)
        self.roster.on_enter = self.programme.on_ready = self._wake
        self.conductor.on_over = self.tournaments.wake
        self._reception = Reception(
            store, settings, self.roster, self.programme, self.conductor, self.challenges, self.metrics
        )
        self._tasks: list[asyncio.Task[None]] = []

    # ---------------------------------------------------------------- the door

    def accept(self, remote: str) -> Connection:
        """Take on a bot's socket."""
        return self._reception.accept(remote)

    def watch(self, remote: str) -> Spectator:
        """Take on a spectator's socket."""
        return self.broadcast.watch()

    # ---------------------------------------------------------------- what is going on

    @property
    def ready(self) -> bool:
        """Whether matches of every offered game can start, and those that a restart left were taken up."""
        return self.prepared.is_set() and self.programme.ready

    @property
    def warming(self) -> str:
        """What is still being prepared, for people; "" when nothing is."""
        return ", ".join(filter(None, (self.programme.warming, self._house_warming)))

    def house_reports(self, warming: str) -> None:
        """Note what the house bots are still preparing ("" when they are ready)."""
        self._house_warming = warming
        self.broadcast.touch()

    @property
    def live(self) -> dict[int, Seen]:
        """Matches going on, by number."""
        return self.broadcast.live()

    def lobby(self, game: str | None = None, boards: int = 12) -> Lobby:
        """What is going on, as spectators see it."""
        return self.broadcast.lobby(game, boards)

    def connected(self, bot_id: int) -> bool:
        """Whether a bot is connected."""
        return self.roster.get(bot_id) is not None

    def abort(self, match: int, reason: str = "aborted by the operator") -> bool:
        """Void a match that is going on; False when there is none of that number."""
        return self.conductor.abort(match, reason)

    async def prune(self) -> None:
        """Drop the moves of old matches, if the settings say so; done every hour."""
        if self.settings.retention_days:
            pruned = await self.store.prune(time.time() - self.settings.retention_days * 86_400)
            log.info("moves of old matches dropped", matches=pruned)

    # ---------------------------------------------------------------- life

    async def start(self) -> None:
        """Begin; returns at once, while the rules are still being compiled elsewhere."""
        self._spawn("preparation", self._prepare)
        self._spawn("lobby", self.broadcast.run)
        self._spawn("housekeeping", self._keep_house)
        self._spawn("demes", self.exchange.demes.run)
        self._spawn("tournaments", self._hold_tournaments)
        if self.settings.ladder:
            self._spawn("ladder", self.ladder.run)

    async def stop(self) -> None:
        """Stop gracefully: pair no more, suspend all matches, say goodbye to everybody."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._reception.close()
        self.challenges.stop()
        await self.conductor.stop()
        self._reception.stop()
        await self.exchange.demes.stop()
        self.broadcast.dismiss_all("the arena stops")

    def _spawn(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        async def guarded() -> None:
            try:
                await work()
            except Exception:
                log.exception("a part of the arena broke", part=name)

        self._tasks.append(asyncio.create_task(guarded(), name=name))

    def _wake(self) -> None:
        """Let everybody who starts matches look again."""
        self.tournaments.wake()
        self.ladder.wake()

    async def _hold_tournaments(self) -> None:
        await self.prepared.wait()
        await self.tournaments.run()

    async def _prepare(self) -> None:
        """Get the rules ready, game by game, and take up the matches a restart left; then show what ended before."""
        waiting: dict[str, list[StoredMatch]] = {}
        try:
            for stored in await insist(self.store.matches.unfinished):
                waiting.setdefault(stored.row.game, []).append(stored)
                self.conductor.expect(stored.row)
        finally:
            self.conductor.expected.set()
        async for game in self.programme.prepare(waiting):
            for stored in waiting.pop(game.name, []):
                await self._resume(stored, game)
            self.broadcast.touch()
        for stored in (match for matches in waiting.values() for match in matches):
            await self._resume(stored, None)
        self.prepared.set()
        self.broadcast.touch()
        log.info("ready", games=list(self.programme.games))
        if self.settings.recent_matches:
            await recall(self.store, self.programme, self.broadcast, self.settings.recent_matches)

    async def _resume(self, stored: StoredMatch, game: Game | None) -> None:
        """Take a match up; one that breaks at that keeps no other from going on."""
        try:
            await self.conductor.resume(stored, game)
        except Exception:
            log.exception("a match could not be taken up", match=stored.row.id, game=stored.row.game)

    async def _keep_house(self) -> None:
        """What is done every second, and now and then."""
        prune_at = 0.0
        while True:
            await asyncio.sleep(1.0)
            try:
                await self._reception.drop_revoked()
                await self.conductor.notice_ended()
                if time.monotonic() >= prune_at:
                    prune_at = time.monotonic() + PRUNE_INTERVAL
                    await self.prune()
            except StoreError as error:
                log.warning("housekeeping failed", why=str(error))
