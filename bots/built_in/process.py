# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of the built-in bots: each is an ordinary client of the arena. The adaptive bots have another such
process.

The process reads one line of JSON from standard input with the arena's address and the bots' tokens, and writes its
progress as lines of JSON to standard output. A thread beside the event loop compiles, small games first; games with
waiting opponents, listed by further input lines, come before them. ``Enters`` of ``bots.built_in.entry`` says when a
kind of bot connects. The process ends when its standard input closes, and at once when the arena is killed
(``engine.child``).

The adaptive bots' process has a lower priority. Learning holds Python's lock, which must not delay other bots' clocks.
"""

import asyncio
import contextlib
import importlib
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

import msgspec

from arena.protocol.messages import ArenaMessage, Welcome
from arena.protocol.terminal import log_to_terminal
from bots.built_in import kinds
from bots.built_in.entry import BuiltInBot, Enters
from bots.client import ArenaError, Client
from bots.client.address import games_played, play_address
from bots.client.worker import Worker
from bots.precedence import stand_back
from engine.child import exit_after
from engine.compile_times import Pace, in_order

log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds that the bots have to leave once the standard input has ended."""

TELL = 5.0
"""Seconds between two times that it tells how long compiling takes."""

_NICENESS = 5
"""The niceness of the searches relative to the arena, after the start phase."""

_FAR = 7
"""The niceness of the adaptive bots' process, from its start on."""

_SWITCHES = 0.001
"""Seconds after which a thread that compiles or learns gives Python's lock to one that is to move."""


class Place(msgspec.Struct, frozen=True):
    """A built-in bot and its token."""

    kind: str
    """The module of ``bots.built_in.kinds``."""
    name: str
    token: str


class Orders(msgspec.Struct, frozen=True):
    """The process's orders. Without ``games``, all games of the arena are played."""

    url: str
    bots: list[Place]
    games: list[str] | None = None
    guests: bool = False
    """Whether to run with lower priority than the other built-in bots."""
    waiting: dict[str, int] = msgspec.field(default_factory=dict)
    """How many kinds of people and programs wait for a game."""


class Waiting(msgspec.Struct, frozen=True):
    """A later input line: the games with waiting players."""

    waiting: dict[str, int]


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """A progress report: the compilation under way, or its end."""

    warming: str = ""
    ready: bool = False
    """Whether what people wait for is prepared."""
    settled: bool = False
    """Whether all is: every bot plays all its games."""
    left: str = ""
    """A bot that the arena turned away."""
    game: str = ""
    """The game that is being compiled."""
    until: dict[str, float] = msgspec.field(default_factory=dict)
    """In about how many seconds all bots play each game that they do not play yet."""
    again: bool = False
    """Whether the compilation is the same as in the last report."""


class BuiltInBots:
    """The players of one arena. ``tell`` is called from the event loop with each step."""

    def __init__(self, orders: Orders, tell: Callable[[Progress], None]) -> None:
        self._url = orders.url
        self._tell = tell
        self._orders = orders
        self._games = orders.games
        self._guests = orders.guests
        self._clients: dict[str, Client] = {}
        self.waiting: Mapping[str, int] = orders.waiting
        """The games with waiting players; may change at any time."""
        self._played: dict[str, list[str]] = {}
        """By bot, the games that were compiled for it."""
        self._pace = Pace()
        self._come: dict[str, asyncio.Event] = {}
        """By bot: set once the arena let it in with all its games, or turned it away."""
        self._left: set[str] = set()
        """The bots that play no more."""

    async def run(self) -> None:
        """Play until cancelled, or until the arena wants none of the bots any more."""
        async with asyncio.TaskGroup() as group:
            worker = Worker("compiler")
            bots = await self._load(group)
            names = await worker.call(_games, self._games, self._url)
            await self._warm_up(group, worker, names, bots[Enters.BY_GAME])
            for bot, token in bots[Enters.WITH_ALL_GAMES]:
                await self._compile_and_enter(group, worker, names, bot, token)
            if not self._guests:
                _let_the_arena_go_first()
            self._tell(Progress(ready=True))
            for bot, token in bots[Enters.LAST]:
                await self._compile_and_enter(group, worker, names, bot, token)
            worker.close()
            await asyncio.gather(*(come.wait() for come in self._come.values()))
            self._tell(Progress(settled=True))

    async def _load(self, group: asyncio.TaskGroup) -> Mapping[Enters, list[tuple[BuiltInBot, str]]]:
        """Import the kinds of the bots one by one, and let bots enter that compile nothing; return all bots."""
        bots: dict[Enters, list[tuple[BuiltInBot, str]]] = {when: [] for when in Enters}
        for kind in dict.fromkeys(place.kind for place in self._orders.bots):
            tokens = {place.name: place.token for place in self._orders.bots if place.kind == kind}
            for bot in await asyncio.to_thread(kinds.load, kind):
                if bot.name in tokens:
                    bots[bot.enters].append((bot, tokens[bot.name]))
                    if bot.enters is Enters.AT_ONCE:
                        self._enter(group, bot, tokens[bot.name], self._games)
        return bots

    async def _warm_up(
        self, group: asyncio.TaskGroup, worker: Worker, names: Sequence[str], bots: Sequence[tuple[BuiltInBot, str]]
    ) -> None:
        """Compile each bot's code for each game, and let it play the compiled games."""
        tokens = {bot.name: (bot, token) for bot, token in bots}
        left = {game: await worker.call(_seconds, game, list(tokens)) for game in names}
        while left := {game: jobs for game, jobs in left.items() if jobs}:
            game = in_order(_sums(left), self.waiting)[0]
            name = next(iter(left[game]))
            bot, token = tokens[name]
            await self._compile(worker, game, bot, left)
            del left[game][name]
            played = self._played.setdefault(name, [])
            played.append(game)
            if name not in self._clients:
                self._enter(group, bot, token, list(played))
            if not left[game]:
                # a bot that has one game entered with it
                several = [each for each in tokens if len(self._played[each]) > 1]
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
                self._tell(Progress(warming=what, game=game, until=until, again=again))
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
        self, group: asyncio.TaskGroup, worker: Worker, names: Sequence[str], bot: BuiltInBot, token: str
    ) -> None:
        """Let a bot play once all its games are compiled."""
        own = bot.games()
        if games := [name for name in names if own is None or name in own]:
            for game in games:
                await worker.call(_prepare, bot, game)
            self._enter(group, bot, token, games)
            await worker.call(bot.introduce, self._url, token)

    def _enter(self, group: asyncio.TaskGroup, bot: BuiltInBot, token: str, games: Sequence[str] | None) -> None:
        come = self._come[bot.name] = asyncio.Event()

        def heard(message: ArenaMessage) -> None:
            if isinstance(message, Welcome):
                come.set()

        client = Client(bot.make, url=self._url, token=token, games=games, heard=heard)
        self._clients[bot.name] = client
        group.create_task(self._play(bot.name, client))

    async def _play(self, name: str, client: Client) -> None:
        try:
            await client.run()
        except ArenaError as error:
            log.warning("%s leaves: %s", name, error)
            self._tell(Progress(left=name))
        finally:
            self._left.add(name)
            self._come[name].set()

    async def _play_games(self, name: str, games: Sequence[str]) -> None:
        """Let a bot play these games, unless it has left."""
        if name not in self._left:
            self._come[name].clear()
            await self._clients[name].play_games(games)


def _load_engine() -> None:
    """Import slow modules while the orders are awaited and the first bots connect."""
    importlib.import_module("engine.search")
    importlib.import_module("engine.games").catalogue()


def _let_the_arena_go_first() -> None:
    stand_back(_NICENESS)


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
    from engine import compile_times, runtime

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
    from engine import cached_code, compile_times, runtime

    began, before = time.thread_time(), len(cached_code.compiled)
    bot.make().prepare([game])
    took = time.thread_time() - began
    if len(cached_code.compiled) > before:
        compile_times.note(game, bot.name, took)
    with contextlib.suppress(OSError):
        runtime.note_warm(_mark(game, bot.name), cached_code.used)
    return took


def main(orders: TextIO = sys.stdin, progress: TextIO = sys.stdout) -> int:
    """Read the orders and play; returns the exit code."""
    log_to_terminal(logging.WARNING, "built-in bots: %(message)s")
    threading.Thread(target=_load_engine, name="loading", daemon=True).start()
    line = orders.readline()
    if not line:
        return 0  # called off
    try:
        told = msgspec.json.decode(line, type=Orders)
    except msgspec.DecodeError as error:
        print(
            f'built-in bots: the first line is no {{"url": …, "bots": [{{"name", "token"}}]}}: {error}', file=sys.stderr
        )
        return 2

    if told.guests:
        stand_back(_FAR)
    sys.setswitchinterval(_SWITCHES)

    def tell(step: Progress) -> None:
        with contextlib.suppress(BrokenPipeError):
            print(msgspec.json.encode(step).decode(), file=progress, flush=True)

    asyncio.run(_run_until_told(BuiltInBots(told, tell), orders))
    return 0


async def _run_until_told(bots: BuiltInBots, orders: TextIO) -> None:
    """Run until the standard input ends or SIGTERM comes."""
    loop = asyncio.get_running_loop()
    told = asyncio.Event()

    def watch() -> None:
        while line := orders.readline():
            with contextlib.suppress(msgspec.DecodeError):
                bots.waiting = msgspec.json.decode(line, type=Waiting).waiting
        exit_after(GRACE)
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(told.set)

    threading.Thread(target=watch, name="standard input", daemon=True).start()
    # Ctrl-C in a terminal reaches this process as well as the arena, which ends it by its standard input
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGTERM, told.set)
    running = asyncio.create_task(bots.run())
    waiting = asyncio.create_task(told.wait())
    await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    for task in (running, waiting):
        task.cancel()
    await asyncio.wait({running, waiting})
    if not running.cancelled() and (error := running.exception()) is not None:
        raise error
