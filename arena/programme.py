# SPDX-License-Identifier: GPL-3.0-or-later
"""The games an arena offers: which, at what time control, whether their rules are compiled, and their openings."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog

from arena.processes import start_process
from arena.settings import Settings
from engine import runtime, warm
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
        self._reasons: dict[str, str] = {}
        """Why a game is not ready, where that is known."""

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

    def reason(self, name: str) -> str:
        """Return why matches of a game cannot start, for people; "" when they can."""
        return "" if name in self._ready else self._reasons.get(name, "its rules are being loaded or compiled")

    def failed(self, name: str) -> bool:
        """Tell whether the rules of a game could not be compiled or loaded when that was tried last."""
        return name in self._reasons and name not in self._ready

    async def prepare(self, others: Iterable[str]) -> AsyncIterator[Game]:
        """Load the rules of all games that are not ready, compiled in another process, and yield each game.

        It is ready when the next is asked for, so that matches which waited for it are taken up first.
        ``others`` are games that running matches need though they may not be offered; those that exist are yielded
        too. A game whose rules fail is not yielded, and ``reason`` says why; asking again tries it again.
        """
        wanted = {name: game for name, game in self.games.items() if name not in self._ready}
        for name in filter(self.exists, others):
            wanted.setdefault(name, find(name))
        done = 0
        self.warming = f"rules 0/{len(wanted)}"
        quick = await asyncio.to_thread(lambda: [name for name, game in wanted.items() if warm.quick(game)])
        async for name, failed in compiled_first(quick, [name for name in wanted if name not in quick]):
            game = wanted[name]
            done += 1
            self.warming = f"rules {done}/{len(wanted)}"
            failed = failed or await _loaded(game)
            if failed:
                log.error("the rules of a game fail", game=name, why=failed)
                self._reasons[name] = f"its rules cannot be compiled: {failed}"
                continue
            yield game
            if name in self.games:
                self._ready[name] = game
                self.on_ready()
        self.warming = ""


async def _loaded(game: Game) -> str:
    """Load the rules of a game in a thread; return why that failed, "" if it did not."""
    try:
        await asyncio.to_thread(warm.rules, game)
    except Exception as error:
        log.exception("the rules of a game cannot be loaded", game=game.name)
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    return ""


class Compiled(NamedTuple):
    """A game whose code is in the cache, or why it is not."""

    name: str
    failed: str = ""


class _Line(msgspec.Struct, frozen=True):
    """What the compiling process prints of a game."""

    name: str
    cache: str
    failed: str


async def compiled_first(ready: list[str], others: list[str]) -> AsyncIterator[Compiled]:
    """Yield the games whose code is in the cache, then the others, each once another process compiled it."""
    for name in ready:
        yield Compiled(name)
    if others:
        async for compiled in compiled_elsewhere(others):
            yield compiled


async def compiled_elsewhere(names: list[str]) -> AsyncIterator[Compiled]:
    """Compile games in a child process and yield each when it is in the cache, or when it failed."""
    left = list(names)
    try:
        process = await start_process(
            *warm.command(names),
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the arena alone
        )
    except OSError as error:
        for name in left:
            yield Compiled(name, f"the process that compiles cannot be started ({error})")
        return
    assert process.stdout is not None
    try:
        async for line in process.stdout:
            try:
                told = msgspec.json.decode(line, type=_Line)
            except msgspec.DecodeError:
                log.info("the process that compiles says", line=line.decode(errors="replace").rstrip())
                continue
            if told.name in left:
                left.remove(told.name)
                runtime.use_directory(Path(told.cache))
                yield Compiled(told.name, told.failed)
        status = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    for name in left:
        yield Compiled(name, f"the process that compiles ended with status {status}")
