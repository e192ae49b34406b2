# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.built_in.process``: the process of the built-in bots. Each is an ordinary client of the arena. The
adaptive bot has another such process.

The process reads one line of JSON from standard input with the arena's address and the bots' tokens, and writes its
progress as lines of JSON to standard output. A thread beside the event loop compiles, small games first; games with
waiting opponents, listed by further input lines, come before them. ``Enters`` of ``bots.built_in.kinds`` says when a
kind of bot connects. Bots without a token are compiled too, and connect as soon as a further line has a token for them:
they play on another machine, and come here if that fails. The process ends when its standard input closes, and at once
when the arena is killed (``engine.native.child``).

The adaptive bots' process has a lower priority. Learning holds Python's lock, which must not delay other bots' clocks.
"""

import asyncio
import contextlib
import importlib
import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.protocol.messages import ArenaMessage, Welcome
from arena.protocol.orders import FurtherOrders, HostedBot, HostOrders, HostProgress
from bots.built_in import kinds
from bots.built_in.kinds import BuiltInBot, Enters
from bots.child_process import leave, lower_priority, obey, report
from bots.client import ArenaError, Client
from bots.client.address import play_address
from bots.client.playing import Worker
from bots.client.rest import games_played
from engine.native.compile_times import Pace, in_order

log = logging.getLogger(__name__)

TELL = 5.0
"""Seconds between two reports of the remaining compile time."""

_NICENESS = 5
"""The niceness of the searches relative to the arena, after the start phase."""

_FAR = 7
"""The niceness of the adaptive bots' process, from its start on."""

_SWITCHES = 0.001
"""Seconds after which a thread that compiles or learns gives Python's lock to one that is to move."""


class BuiltInBots:
    """The players of one arena. ``tell`` is called from the event loop with each step."""

    def __init__(self, orders: HostOrders, tell: Callable[[HostProgress], None]) -> None:
        self._url = orders.url
        self._tell = tell
        self._orders = orders
        self._games = orders.games
        self._background = orders.background
        self._clients: dict[str, Client] = {}
        self._tokens = {bot.name: bot.token for bot in orders.bots}
        """By bot; "" for one that plays elsewhere, or that the arena refused."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._group: asyncio.TaskGroup | None = None
        self._waits = not any(self._tokens.values())
        """Whether the process began without a token: then it stays when the arena refuses all its bots."""
        self._unwanted = asyncio.Event()
        """Set once the arena refused the last bot that had a token."""
        self.waiting: Mapping[str, int] = orders.waiting
        """The games with waiting players; may change at any time."""
        self._played: dict[str, list[str]] = {}
        """By bot, the games that were compiled for it."""
        self._able: dict[str, tuple[BuiltInBot, list[str] | None]] = {}
        """By bot: what it may connect with, itself and its games; None: all games of the arena."""
        self._pace = Pace()
        self._come: dict[str, asyncio.Event] = {}
        """By bot: set once the arena let it in with all its games, or turned it away."""

    def update(self, line: str) -> None:
        """Take a further line of the orders. May be called from another thread."""
        with contextlib.suppress(msgspec.DecodeError, RuntimeError):
            further = msgspec.json.decode(line, type=FurtherOrders)
            if further.waiting is not None:
                self.waiting = further.waiting
            if self._loop is None:
                self._follow(further)
            else:
                self._loop.call_soon_threadsafe(self._follow, further)

    def _follow(self, further: FurtherOrders) -> None:
        """Let bots come that have tokens now, and let those go that run elsewhere."""
        for name in further.leave:
            self._tokens[name] = ""
            self._close(name)
        for bot in further.enter:
            self._close(bot.name)
            self._tokens[bot.name] = bot.token
            if bot.name in self._able and self._group is not None:
                self._connect(self._group, bot)

    def _close(self, name: str) -> None:
        client = self._clients.pop(name, None)
        if client is not None and self._group is not None:
            self._group.create_task(client.close())

    def _connect(self, group: asyncio.TaskGroup, order: HostedBot) -> None:
        """Let a bot come back that was prepared before."""
        bot, games = self._able[order.name]
        self._enter(group, bot, games)
        group.create_task(_introduce(bot, self._url, order.token))

    async def run(self) -> None:
        """Play until cancelled, or until the arena wants none of the bots any more."""
        self._loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            self._group = group
            worker = Worker("compiler")
            bots = await self._load(group)
            names = await worker.call(_games, self._games, self._url)
            await self._warm_up(group, worker, names, bots[Enters.BY_GAME])
            for bot in bots[Enters.WITH_ALL_GAMES]:
                await self._compile_and_enter(group, worker, names, bot)
            if not self._background:
                _let_the_arena_go_first()
            self._tell(HostProgress(ready=True))
            for bot in bots[Enters.LAST]:
                await self._compile_and_enter(group, worker, names, bot)
            worker.close()
            await asyncio.gather(*(come.wait() for come in self._come.values()))
            self._tell(HostProgress(settled=True))
            await self._unwanted.wait()

    async def _load(self, group: asyncio.TaskGroup) -> Mapping[Enters, list[BuiltInBot]]:
        """Import the kinds of the bots one by one, and let bots enter that compile nothing; return all bots."""
        bots: dict[Enters, list[BuiltInBot]] = {when: [] for when in Enters}
        for kind in dict.fromkeys(place.kind for place in self._orders.bots):
            named = {place.name for place in self._orders.bots if place.kind == kind}
            for bot in await asyncio.to_thread(kinds.load, kind):
                if bot.name in named:
                    bots[bot.enters].append(bot)
                    if bot.enters is Enters.AT_ONCE:
                        self._enter(group, bot, self._games)
        return bots

    async def _warm_up(
        self, group: asyncio.TaskGroup, worker: Worker, names: Sequence[str], bots: Sequence[BuiltInBot]
    ) -> None:
        """Compile each bot's code for each game, and let it play the compiled games."""
        named = {bot.name: bot for bot in bots}
        left = {
            game: await worker.call(_seconds, game, [bot.name for bot in bots if bot.plays(game)]) for game in names
        }
        while left := {game: jobs for game, jobs in left.items() if jobs}:
            game = in_order(_sums(left), self.waiting)[0]
            name = next(iter(left[game]))
            bot = named[name]
            await self._compile(worker, game, bot, left)
            del left[game][name]
            played = self._played.setdefault(name, [])
            played.append(game)
            if name not in self._able:
                self._enter(group, bot, list(played))
            if not left[game]:
                # a bot that has one game entered with it
                several = [each for each in named if len(self._played.get(each, ())) > 1]
                await asyncio.gather(*(self._play_games(each, list(self._played[each])) for each in several))

    async def _compile(
        self, worker: Worker, game: str, bot: BuiltInBot, left: Mapping[str, Mapping[str, float]]
    ) -> None:
        """Compile a bot's code for a game, and report the remaining time of it and of the rest."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        work = asyncio.ensure_future(worker.call(_prepare, bot, game))
        what = f"{bot.name} for {game}"
        again = False
        try:
            while not work.done():
                until = self._forecast(game, left, loop.time() - began)
                self._tell(HostProgress(warming=what, game=game, until=until, again=again))
                await asyncio.wait({work}, timeout=TELL)
                again = True
        finally:
            work.cancel()
        self._pace.note(loop.time() - began, await work)

    def _forecast(self, now: str, left: Mapping[str, Mapping[str, float]], spent: float) -> dict[str, float]:
        """Return in about how many seconds each game is compiled for all bots."""
        sums = _sums(left)
        order = [now, *(game for game in in_order(sums, self.waiting) if game != now)]
        until = {}
        work = 0.0
        for game in order:
            work += sums[game]
            until[game] = round(max(0.0, self._pace.clock(work) - spent), 1)
        return until

    async def _compile_and_enter(
        self, group: asyncio.TaskGroup, worker: Worker, names: Sequence[str], bot: BuiltInBot
    ) -> None:
        """Let a bot play once all its games are compiled."""
        if games := list(filter(bot.plays, names)):
            for game in games:
                await worker.call(_prepare, bot, game)
            self._enter(group, bot, games)
            if token := self._tokens[bot.name]:
                await worker.call(bot.introduce, self._url, token)

    def _enter(self, group: asyncio.TaskGroup, bot: BuiltInBot, games: list[str] | None) -> None:
        """Note that a bot may play games, and connect it if it has a token."""
        self._able[bot.name] = bot, games
        token = self._tokens[bot.name]
        if not token:
            return
        come = self._come[bot.name] = asyncio.Event()

        def heard(message: ArenaMessage) -> None:
            if isinstance(message, Welcome):
                come.set()

        client = Client(bot.make, url=self._url, token=token, games=games, heard=heard)
        self._clients[bot.name] = client
        group.create_task(self._play(bot.name, client, come))

    async def _play(self, name: str, client: Client, come: asyncio.Event) -> None:
        try:
            await client.run()
        except ArenaError as error:
            if self._clients.get(name) is client:
                log.warning("%s leaves: %s", name, error)
                del self._clients[name]
                self._tokens[name] = ""
                self._tell(HostProgress(left=name))
                if not self._waits and not any(self._tokens.values()):
                    self._unwanted.set()
        finally:
            come.set()

    async def _play_games(self, name: str, games: list[str]) -> None:
        """Let a bot play these games, now or when it comes."""
        bot, _ = self._able[name]
        self._able[name] = bot, games
        client = self._clients.get(name)
        if client is not None:
            self._come[name].clear()
            await client.play_games(games)


async def _introduce(bot: BuiltInBot, url: str, token: str) -> None:
    """Publish what pages show of a bot, as it did when it came first; an error leaves what is there."""
    try:
        await asyncio.to_thread(bot.introduce, url, token)
    except Exception:
        log.exception("%s cannot publish what pages show of it", bot.name)


def _load_engine() -> None:
    """Import slow modules while the orders are awaited and the first bots connect."""
    importlib.import_module("engine.search")
    importlib.import_module("engine.games").catalogue()


def _let_the_arena_go_first() -> None:
    lower_priority(_NICENESS)


def _games(wanted: Sequence[str] | None, url: str) -> list[str]:
    """Return the games to play, the first one first: those of the orders, else the arena's."""
    from engine import games

    try:
        names = games_played(play_address(url)) if wanted is None else list(wanted)
    except (ArenaError, OSError) as error:
        log.warning("the arena does not say which games it has: %s", error)
        names = [name for name, game in games.catalogue().items() if game.playable]
    return names


def _seconds(game: str, names: Sequence[str]) -> dict[str, float]:
    """Return the seconds of processor time that each of these bots needs for a game."""
    from engine.native import compile_times, runtime

    return {
        name: compile_times.LOADING if runtime.is_warm(_mark(game, name)) else compile_times.expected(game, name)
        for name in names
    }


def _mark(game: str, name: str) -> str:
    return f"{game}.{name}"


def _sums(left: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {game: sum(jobs.values()) for game, jobs in left.items()}


def _prepare(bot: BuiltInBot, game: str) -> float:
    """Compile a bot's code for a game; return the seconds of processor time."""
    from engine.native import cached_code, compile_times, runtime

    began, before = time.thread_time(), len(cached_code.compiled)
    bot.make().prepare([game])
    took = time.thread_time() - began
    if len(cached_code.compiled) > before:
        compile_times.note(game, bot.name, took)
    with contextlib.suppress(OSError):
        runtime.note_warm(_mark(game, bot.name), cached_code.used)
    return took


def main() -> int:
    """Read the orders and play; return the exit code."""
    threading.Thread(target=_load_engine, name="loading", daemon=True).start()
    sys.setswitchinterval(_SWITCHES)
    playing: list[BuiltInBots] = []

    async def play(orders: HostOrders) -> None:
        if orders.background:
            lower_priority(_FAR)
        playing.append(BuiltInBots(orders, report))
        await playing[0].run()

    def further(line: str) -> None:
        for bots in playing:
            bots.update(line)

    return obey("built-in bots", HostOrders, play, niceness=0, further=further)


if __name__ == "__main__":
    leave(main())
