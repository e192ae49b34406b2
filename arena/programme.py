# SPDX-License-Identifier: GPL-3.0-or-later
"""The games an arena offers: which, at what time control, whether their rules are compiled, and their openings."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

import structlog

from arena.settings import Settings
from engine import warm
from engine.game import Game
from engine.games import catalogue, find
from engine.opening import random_opening
from engine.time_control import TimeControl

log = structlog.get_logger("arena.programme")


class Programme:
    """The games by name. Rules may only be asked of a game that is ready: compiling would hold up the event loop."""

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError when the settings name a game that does not exist."""
        try:
            named = [find(name) for name in settings.offered()]
            own = settings.own_time_controls()
            for name in own:
                find(name)
        except KeyError as error:
            raise ValueError(str(error.args[0])) from None
        listed = named or [game for game in catalogue().values() if game.playable]
        self.games: dict[str, Game] = {game.name: game for game in listed}
        self.warming = "rules"
        """What is being prepared, for people; "" when all is ready."""
        self.on_ready: Callable[[], None] = lambda: None
        """Called when a game has become ready."""
        self._drawing = ThreadPoolExecutor(1, "openings")
        """One at a time: each takes some megabytes, and matches that go on need the processors more."""
        self._own = own
        self._ready: dict[str, Game] = {}

    def offers(self, name: str) -> bool:
        """Tell whether a game is played here, ready or not."""
        return name in self.games

    def exists(self, name: str) -> bool:
        """Tell whether there is a game of that name, offered or not."""
        try:
            find(name)
        except KeyError:
            return False
        return True

    @property
    def ready(self) -> bool:
        """Whether all games are."""
        return len(self._ready) >= len(self.games)

    def is_ready(self, name: str) -> bool:
        """Tell whether matches of a game may start."""
        return name in self._ready

    def time_control(self, game: Game) -> TimeControl:
        """Return what rated matches of a game are played at."""
        return self._own.get(game.name, game.time_control)

    def time_class(self, game: Game) -> str:
        """Return the class of play that ratings of a game belong to."""
        return self.time_control(game).time_class

    async def opening(self, game: Game, seed: int) -> tuple[str, ...]:
        """Return the first moves that a seed draws; searched for in a thread."""
        if not game.opening.plies:
            return ()
        return await asyncio.get_running_loop().run_in_executor(self._drawing, random_opening, game, seed)

    async def prepare(self, others: Iterable[str]) -> AsyncIterator[Game]:
        """Compile the rules of all games in another process, load them, and yield each game.

        It is ready when the next is asked for, so that matches which waited for it are taken up first.
        ``others`` are games that running matches need though they may not be offered; those that exist are yielded
        too. A game whose rules fail is offered no more.
        """
        wanted = dict(self.games)
        for name in filter(self.exists, others):
            wanted.setdefault(name, find(name))
        done = 0
        self.warming = f"rules 0/{len(wanted)}"
        quick = [name for name, game in wanted.items() if warm.quick(game)]
        async for name in compiled_first(quick, [name for name in wanted if name not in quick]):
            game = wanted[name]
            done += 1
            self.warming = f"rules {done}/{len(wanted)}"
            try:
                await asyncio.to_thread(warm.rules, game)
            except Exception:
                log.exception("the rules of a game fail", game=name)
                self.games.pop(name, None)
                continue
            yield game
            if name in self.games:
                self._ready[name] = game
                self.on_ready()
        self.warming = ""


async def compiled_first(ready: list[str], others: list[str]) -> AsyncIterator[str]:
    """Yield the names of games whose code is in the cache, then the others, each once another process compiled it."""
    for name in ready:
        yield name
    if others:
        async for name in compiled_elsewhere(others):
            yield name


async def compiled_elsewhere(names: list[str]) -> AsyncIterator[str]:
    """Compile games in a child process and yield the name of each when it is in the cache; all the others when the
    process fails.
    """
    left = list(names)
    process = await asyncio.create_subprocess_exec(
        *warm.command(names),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the arena alone
    )
    assert process.stdout is not None
    try:
        async for line in process.stdout:
            name = line.decode().strip()
            if name in left:
                left.remove(name)
                yield name
        status = await process.wait()
        if status:
            log.error("compiling the rules in another process failed; compiling here", status=status)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    for name in left:
        yield name
