# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena: composes its parts, starts and stops them. The web server and the tests use this interface."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import TypeVar

import structlog

from arena.connections.admission import hash_token, make_token
from arena.connections.challenges import Challenges, RatedChallenges
from arena.connections.gateway import Gateway
from arena.connections.limits import RateLimits
from arena.connections.sessions import Connection, Roster
from arena.feature import Features, Part, check_needs
from arena.hosting.places import Places
from arena.hosting.processor_time import ProcessorTime
from arena.hosting.readiness import Compiling, Hosting
from arena.ladder.fits import ladder_fits, leaderboard_fits
from arena.ladder.rounds import Ladder
from arena.ladder.shares import BotAndOwner, owner_of
from arena.matches.conductor import Conductor
from arena.matches.replay import recall
from arena.monitoring import Health, Metrics, assess
from arena.peers import Peers
from arena.protocol.codec import examine_classes
from arena.protocol.orders import HostProgress
from arena.protocol.watching import Lobby, Seen
from arena.registry import GameRegistry
from arena.seconds import until_next_second
from arena.settings import Settings
from arena.store import Store
from arena.store.errors import StoreError, keep_trying
from arena.store.rows import BotRow, StoredMatch
from arena.suspension import PlayClock
from arena.tournaments.manager import TournamentManager
from arena.tournaments.runner import Surroundings
from arena.watching.broadcast import Broadcast, Spectator
from arena.watching.opening_tree import GameTrees, OpeningTrees
from engine.game import Game

P = TypeVar("P", bound=Part)

log = structlog.get_logger("arena")

COMPILE_AGAIN, COMPILE_AGAIN_AT_LEAST = 2.0, 120.0
"""Seconds before the rules of games that failed are compiled again, twice as long each time; and the longest wait."""

PRUNE_INTERVAL = 3600.0
"""Seconds between two looks for matches whose moves are too old to keep."""


class Arena:
    """A running arena. Call ``start`` and ``stop`` once each; the caller closes the store."""

    def __init__(self, settings: Settings, store: Store, features: Features = (), *, local: bool = True) -> None:
        """``features``: what the arena has beyond its core; each after those that it needs. ``local``: whether clients
        of this machine alone can reach it.

        Raises ValueError when the settings name games that do not exist, or when a feature is missing.
        """
        self.settings = settings
        self.store = store
        self.local = local
        self.metrics = Metrics()
        self.metrics.backlog.set_function(lambda: store.backlog)
        self.registry = GameRegistry(settings)
        self.roster = Roster()
        self.prepared = asyncio.Event()
        """Set once all games are ready and the matches that a restart left were taken up."""
        self.lost = asyncio.Event()
        """Set once another server owns the database, or its file is gone: then this one must stop."""
        self.why_lost = ""
        self._clock = PlayClock()
        self.hosting = Hosting(self._clock.now)
        """Which built-in bots are getting ready, as their processes report it."""
        self.compiling = Compiling(self.registry, self.hosting.getting_ready)
        self.on_waiting: Callable[[Mapping[str, int]], None] = lambda waiting: None
        """Called when the set of games that clients wait for changes. The compiler may then choose another game."""
        self.rating_fits = leaderboard_fits(store)
        self.opening_trees = OpeningTrees(store)
        self.game_trees = GameTrees(store)
        self.broadcast = Broadcast(settings, self.metrics, lambda: self.roster.bots, lambda: self.warming)
        random = Random()
        self.processor_time = ProcessorTime(settings.searches)
        self.places = Places(self.processor_time, self._admit_built_in)
        """The machines of the built-in bots."""
        self.hosted_tokens: set[str] = set()
        """Hashes of the tokens of this server's own processes; their reports about their bots are trusted."""
        self.conductor = Conductor(
            store,
            settings,
            self.roster,
            self.registry,
            self.broadcast,
            self.metrics,
            self._clock.now,
            self.hosting,
            self.processor_time,
        )
        self.hosting.on_change = self.conductor.graces_changed
        self._rated_challenges = RatedChallenges(store, settings.rated_challenges_per_day, time.time)
        self.challenges = Challenges(
            settings, self.roster, self.registry, self.compiling, self.conductor, self._rated_challenges, random
        )
        self.ladder = Ladder(settings, ladder_fits(store), self.roster, self.registry, self.conductor, random)
        self.tournaments = TournamentManager(
            Surroundings(
                store,
                self.roster,
                self.registry,
                self.conductor,
                self.compiling,
                self.broadcast.tournaments.changed,
                self.broadcast.forget,
            )
        )
        self.roster.on_enter = self.registry.on_ready = self._wake
        self.conductor.on_over = self._match_over
        self.broadcast.leaderboards.rated = self._rated
        self.broadcast.leaderboards.offers = self.registry.games.__contains__
        self._gateway = Gateway(
            store,
            settings,
            self.roster,
            self.registry,
            self.conductor,
            self.challenges,
            self.metrics,
            tuple(owner for feature in features for owner in feature.owners),
            self.hosted_tokens,
        )
        self.peers = Peers()
        """The other servers of this arena; a feature may bring some by ``join``."""
        self.refuses_models: list[Callable[[BotRow], Awaitable[bool]]] = []
        """Functions of features: each returns whether a player refuses that the arena stores models of it."""
        self.operators = {name for feature in features for name in feature.operators}
        """Names under which parts of the arena, not people, act as operators."""
        self.limits: dict[str, RateLimits[str]] = {}
        """Limits by address and by account that features count, by name. Of several servers the leading one counts."""
        self._parts: dict[str, Part] = {}
        check_needs(features)
        for feature in features:
            if feature.start is not None:
                self._parts[feature.name] = feature.start(self)
        self._tasks: list[asyncio.Task[None]] = []

    def part(self, kind: type[P]) -> P:
        """Return a feature's part of this arena. Raises LookupError where the arena runs without that feature."""
        for part in self._parts.values():
            if isinstance(part, kind):
                return part
        raise LookupError(f"this arena has no {kind.__name__}")

    def join(self, peers: Peers) -> Gateway:
        """Play together with other servers; a feature calls this before the start.

        Returns the gateway, which their bots enter too.
        """
        self.peers = self._gateway.peers = self.conductor.peers = self.broadcast.peers = peers
        return self._gateway

    # ---------------------------------------------------------------- the door

    def caller(self, address: str, token: str) -> str:
        """Return the key of a bot's new socket for limits: its address, or a known token."""
        return self._gateway.caller(address, token)

    def known(self, token: str) -> str:
        """Return an identifier for a known token, which does not reveal the token; "" for an unknown token."""
        return self._gateway.known(token)

    def takes(self, caller: str) -> bool:
        """Tell whether another socket of a bot's may be opened now, and count it."""
        return self._gateway.takes(caller)

    def accept(self, address: str) -> Connection:
        """Take on a bot's socket."""
        return self._gateway.accept(address)

    def watch(self, address: str) -> Spectator:
        """Take on a spectator's socket."""
        return self.broadcast.watch(address)

    # ---------------------------------------------------------------- running matches

    @property
    def ready(self) -> bool:
        """Whether matches of every offered game can start, and those that a restart left were taken up."""
        return self.prepared.is_set() and self.registry.ready

    async def health(self) -> Health:
        """Return the health of the arena; probes the database at most once a second."""
        registry = self.registry
        return assess(
            {name: (registry.is_ready(name), registry.reason(name), registry.failed(name)) for name in registry.games},
            prepared=self.prepared.is_set(),
            trouble=await self.store.trouble(),
            lost=self.why_lost,
            troubles=[trouble for part in self._parts.values() if (trouble := part.trouble())],
            warming=self.compiling.bots,
        )

    @property
    def warming(self) -> str:
        """The running preparations, for people; "" if there are none."""
        return self.compiling.all

    def built_in_bots_progress(self, progress: HostProgress) -> None:
        """Note what the built-in bots are still preparing."""
        self.compiling.heard(progress)
        self.broadcast.touch()

    async def _admit_built_in(self, name: str, description: str) -> tuple[str, BotRow] | None:
        """Give a built-in bot a fresh token; return it with the bot, or None. Raises NameTaken."""
        token = make_token()
        bot = await self.store.bots.admit_built_in(name, hash_token(token), description=description)
        return None if bot is None else (token, bot)

    def _waiting(self) -> dict[str, int]:
        """Return how many kinds of people and programs wait for a game: bots, tournaments, and people on its page."""
        bots = {game for entrant in self.roster if entrant.bot.kind != "built-in" for game in entrant.games}
        return Counter([*bots, *self.tournaments.games(), *self.broadcast.watched_games()])

    def _look_who_waits(self) -> None:
        waiting = self._waiting()
        if waiting != self.registry.waiting:
            self.registry.waiting = waiting
            self.on_waiting(waiting)

    @property
    def seats_of_people(self) -> set[tuple[str, str]]:
        """The current positions, with their games, of the matches in which a person plays: the arena analyses none of
        them.
        """
        matches = (each.match for each in self.conductor.of_people())
        return {(match.game.name, match.game.format_position(match.position.state)) for match in matches}

    @property
    def live(self) -> dict[int, Seen]:
        """Matches going on, by number."""
        return self.broadcast.live()

    def lobby(self, game: str | None = None, boards: int = 12) -> Lobby:
        """The running matches and latest results, as spectators see them."""
        return self.broadcast.lobby(game, boards)

    def connected(self, bot_id: int) -> bool:
        """Whether a bot is connected."""
        return self.roster.get(bot_id) is not None

    def connections_of(self, owner: str) -> int:
        """Return how many bots of an owner are connected."""
        return sum(BotAndOwner.of_bot(each.bot).owner == owner_of(0, owner) for each in self.roster)

    def matches_today(self, owner: str) -> int:
        """Return how many matches an owner's bots started within 24 hours; 0 where these have no limit."""
        return self.conductor.daily.played(owner_of(0, owner))

    def abort(self, match: int, reason: str = "aborted by the operator") -> bool:
        """Void a match that is going on; False when there is none of that number."""
        return self.conductor.abort(match, reason)

    async def prune(self) -> None:
        """Drop the moves of old matches and old entries of the audit log, if the settings say so; done every hour."""
        if self.settings.retention_days:
            pruned = await self.store.prune(time.time() - self.settings.retention_days * 86_400)
            log.info("moves of old matches dropped", matches=pruned)
        if self.settings.audit_days:
            await self.store.audit_log.prune(time.time() - self.settings.audit_days * 86_400)

    # ---------------------------------------------------------------- life

    async def start(self) -> None:
        """Begin; returns at once, while the rules are still being compiled elsewhere."""
        examine_classes()
        self._clock.start()
        self._spawn("preparation", self._prepare)
        self._spawn("tokens", self._gateway.load)
        self._spawn("lobby", self.broadcast.run)
        self._spawn("housekeeping", self._clean_up)
        self._spawn("claim", self._watch_claim)
        self._spawn("tournaments", self._leading(self._hold_tournaments))
        if self.settings.ladder:
            self._spawn("ladder", self._leading(self.ladder.run))
        for name, part in self._parts.items():
            self._spawn(name, part.run if part.everywhere else self._leading(part.run))

    def expect_stop(self) -> None:
        """Prepare for ``stop``, which follows when the built-in bots have ended: disconnections belong to it."""
        self._gateway.expect_stop()

    async def stop(self) -> None:
        """Stop gracefully: pair no more, suspend all matches, say goodbye to everybody."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._gateway.close()
        self.challenges.stop()
        await self.conductor.stop()
        self._gateway.stop()
        for part in self._parts.values():
            await part.stop()
        self.broadcast.dismiss_all("the arena stops")
        self._clock.stop()
        self.processor_time.close()

    def _spawn(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        async def guarded() -> None:
            try:
                await work()
            except Exception:
                log.exception("a component failed", component=name)

        self._tasks.append(asyncio.create_task(guarded(), name=name))

    def _leading(self, work: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        """Return work that begins once this server leads the arena."""

        async def led() -> None:
            await self.peers.leads.wait()
            await work()

        return led

    def _wake(self) -> None:
        """Wake all parts that start matches."""
        self.tournaments.wake()
        self.ladder.wake()

    def _match_over(self) -> None:
        """Tell the parts that wait for the ends of matches."""
        self.tournaments.wake()
        self.broadcast.leaderboards.match_over()

    async def _rated(self, game: str, time_class: str) -> int:
        """Return the number of rated matches behind the newest ratings of a leaderboard, when they are computed."""
        return (await self.rating_fits.renewed(game, time_class)).games

    async def _hold_tournaments(self) -> None:
        await self.conductor.expected.wait()
        await self.tournaments.run()

    async def _prepare(self) -> None:
        """Get the rules ready, game by game, and take up the matches a restart left; then show what ended before."""
        waiting: dict[str, list[StoredMatch]] = {}
        try:
            left = [] if self.peers.me is not None else await keep_trying(self.store.matches.unfinished)
            for stored in left:
                waiting.setdefault(stored.row.game, []).append(stored)
                self.conductor.expect(stored.row)
            await self.recall_limits()
        finally:
            self.conductor.expected.set()
            self.broadcast.resumable.known()
        await self._load_rules(waiting)
        for name in [name for name in waiting if not self.registry.exists(name)]:
            for stored in waiting.pop(name):
                await self._resume(stored, None)
        self.prepared.set()
        self.broadcast.touch()
        log.info("ready", games=[name for name in self.registry.games if self.registry.is_ready(name)])
        if self.settings.recent_matches:
            try:
                await recall(self.store, self.registry, self.broadcast, self.settings.recent_matches)
            except StoreError as error:
                log.warning("the latest results are not shown", why=str(error))
        await self._insist_on_rules(waiting)

    async def recall_limits(self) -> None:
        """Count from the records the matches of the last day, which have limits: at the start, and when this server
        begins to lead others. Raises StoreError.
        """
        await self._rated_challenges.recall()
        await self.conductor.daily.recall()

    async def _load_rules(self, waiting: dict[str, list[StoredMatch]]) -> None:
        """Get the games ready that are not, one by one, and take up the matches that waited for each."""
        async for game in self.registry.prepare(waiting):
            for stored in waiting.pop(game.name, []):
                await self._resume(stored, game)
            self.broadcast.touch()

    async def _insist_on_rules(self, waiting: dict[str, list[StoredMatch]]) -> None:
        """Try again to compile the games that failed, until none is left; their matches wait meanwhile."""
        wait = COMPILE_AGAIN
        while waiting or not self.registry.ready:
            await asyncio.sleep(wait)
            wait = min(2 * wait, COMPILE_AGAIN_AT_LEAST)
            await self._load_rules(waiting)

    async def take_up(self, stored: StoredMatch) -> None:
        """Referee a match from now on that another server started or refereed, once the rules of its game are ready."""
        self.conductor.expect(stored.row)
        game = self.registry.games.get(stored.row.game)
        if game is not None:
            await self.registry.until_ready(game.name)
        await self._resume(stored, game)

    async def _resume(self, stored: StoredMatch, game: Game | None) -> None:
        """Resume a match; an error in it does not prevent others from being resumed."""
        try:
            await self.conductor.resume(stored, game)
        except Exception:
            log.exception("failed to resume a match", match=stored.row.id, game=stored.row.game)

    async def _watch_claim(self) -> None:
        """Notice when the database is not this server's any more."""
        while not self.lost.is_set():
            await asyncio.sleep(until_next_second())
            self.why_lost = await self.store.lost_claim()
            if self.why_lost:
                log.error("stopping: this server lost its exclusive right to write to the database", why=self.why_lost)
                self.lost.set()

    async def _clean_up(self) -> None:
        """Run the periodic tasks: some every second, others rarely."""
        prune_at = 0.0
        while True:
            await asyncio.sleep(until_next_second())
            if self.warming:
                self._look_who_waits()
                self.broadcast.touch()
            self.processor_time.look()
            try:
                await self._gateway.look_after()
                await self.conductor.notice_ended()
                if time.monotonic() >= prune_at:
                    prune_at = time.monotonic() + PRUNE_INTERVAL
                    await self.prune()
            except StoreError as error:
                log.warning("housekeeping failed", why=str(error))
