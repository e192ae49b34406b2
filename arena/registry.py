# SPDX-License-Identifier: GPL-3.0-or-later
"""The games that an arena offers, with their time controls, openings, and the state of compilation of their rules."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog

from arena.hosting.supervisor import start_process
from arena.settings import Settings
from engine import warm
from engine.game import Game
from engine.games import catalogue, find
from engine.native import runtime
from engine.native.compile_times import LOADING, RULES, Pace, about, expected, in_order
from engine.opening import random_opening
from engine.time_control import TimeControl

log = structlog.get_logger("arena.registry")


class Unready(StrEnum):
    """Why matches of a game cannot start, for people; pages translate these texts."""

    COMPILING = "its rules are being compiled: {0}"
    LOADING = "its rules are being loaded or compiled"
    FAILED = "its rules cannot be compiled: {0}"


MOMENT = 10.0
"""Seconds that a request waits for rules that are being loaded; nothing is compiled meanwhile."""


class GameRegistry:
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
        self.waiting: Mapping[str, int] = {}
        """Compilation priority by game: the number of kinds of clients that wait for it; set by the application."""
        self._compiling = ""
        """The game whose rules are being compiled."""
        self._began = 0.0
        self._left: dict[str, float] = {}
        """The games whose rules are not ready, with the seconds of processor time that they take."""
        self._pace = Pace()
        self.on_ready: Callable[[], None] = lambda: None
        """Called when a game has become ready."""
        self._drawing = ThreadPoolExecutor(1, "openings")
        """One at a time: each takes some megabytes, and matches that go on need the processors more."""
        self._own = own
        self._ready: dict[str, Game] = {}
        self._reasons: dict[str, str] = {}
        """Why a game is not ready, where that is known."""
        self._news = asyncio.Event()
        """Set, and replaced, when more is known of a game."""

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
    def warming(self) -> str:
        """The games that are being prepared, for people; "" when all are ready."""
        if not self._left and len(self._ready) >= len(self.games):
            return ""
        if not self._compiling:
            return "rules"
        further = len(self._left) - 1
        rest = f", then those of {further} more" if further else ""
        return f"the rules of {self._compiling} ({about(self.seconds(self._compiling))}){rest}"

    def seconds(self, name: str) -> float:
        """Return in about how many seconds matches of a game can start, as far as its rules go."""
        if name not in self._left:
            return 0.0
        order = in_order(self._left, self.waiting)
        if self._compiling in order:
            order.remove(self._compiling)
            order.insert(0, self._compiling)
        work = sum(self._left[each] for each in order[: order.index(name) + 1])
        spent = time.monotonic() - self._began if self._compiling else 0.0
        return max(0.0, self._pace.clock(work) - spent)

    @property
    def ready(self) -> bool:
        """Whether all games are ready."""
        return len(self._ready) >= len(self.games)

    def is_ready(self, name: str) -> bool:
        """Tell whether matches of a game may start."""
        return name in self._ready

    async def until_loaded(self, name: str) -> None:
        """Wait while the rules of a game are loaded and its matches resumed, but not while they are compiled."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MOMENT):
                while self._is_loading(name):
                    await self._news.wait()

    async def until_ready(self, name: str) -> None:
        """Wait until matches of an offered game may start."""
        while name not in self._ready:
            await self._news.wait()

    def _is_loading(self, name: str) -> bool:
        return name not in self._ready and name not in self._reasons and self._left.get(name, LOADING) <= LOADING

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def time_control(self, game: Game) -> TimeControl:
        """Return the time control of rated matches of a game."""
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
        if name in self._ready:
            return ""
        waits = Unready.COMPILING.format(about(self.seconds(name)))
        return self._reasons.get(name, waits if name in self._left else Unready.LOADING)

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
        quick = await asyncio.to_thread(lambda: [name for name, game in wanted.items() if warm.quick(game)])
        self._left = {name: LOADING if name in quick else expected(name, RULES) for name in wanted}
        self._tell()
        try:
            async with aclosing(self._compiled(quick)) as found:
                async for name, failed in found:
                    game = wanted[name]
                    failed = failed or await _loaded(game)
                    self._left.pop(name, None)
                    if failed:
                        log.error("failed to compile the rules of a game", game=name, why=failed)
                        self._reasons[name] = Unready.FAILED.format(failed)
                        self._tell()
                        continue
                    yield game
                    if name in self.games:
                        self._ready[name] = game
                        self._tell()
                        self.on_ready()
        finally:
            self._left.clear()

    async def _compiled(self, quick: list[str]) -> AsyncGenerator[tuple[str, str], None]:
        """Yield each game when its code is in the cache, or with the error of its compilation; first the games whose
        code is in the cache already.
        """
        for name in in_order(dict.fromkeys(quick, LOADING), self.waiting):
            yield name, ""
        others = [name for name in self._left if name not in quick]
        if not others:
            return
        async with aclosing(compiled_elsewhere(others, self._next)) as found:
            async for compiled in found:
                self._pace.note(compiled.clock, compiled.took)
                yield compiled.name, compiled.failed
        self._compiling = ""

    def _next(self, names: list[str]) -> str:
        """Choose the game to compile next."""
        self._began = time.monotonic()
        self._compiling = in_order({name: self._left.get(name, 0.0) for name in names}, self.waiting)[0]
        return self._compiling


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
    took: float = 0.0
    """Seconds of processor time."""
    clock: float = 0.0
    """Seconds that passed meanwhile."""


class _CompilerLine(msgspec.Struct, frozen=True):
    """A line about a game from the compiling process."""

    name: str
    cache: str
    failed: str
    took: float


async def compiled_elsewhere(
    names: list[str], choose: Callable[[list[str]], str] = lambda left: left[0]
) -> AsyncGenerator[Compiled, None]:
    """Compile games in a child process and yield each when it is in the cache, or when it failed.

    ``choose`` is asked each time which of those that are left is next.
    """
    left = list(names)
    try:
        process = await start_process(
            *warm.command([]),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the arena alone
        )
    except OSError as error:
        for name in left:
            yield Compiled(name, f"the process that compiles cannot be started ({error})")
        return
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(f"{choose(left)}\n".encode())
        began = time.monotonic()
        async for line in process.stdout:
            try:
                told = msgspec.json.decode(line, type=_CompilerLine)
            except msgspec.DecodeError:
                log.info("unexpected output of the compiler process", line=line.decode(errors="replace").rstrip())
                continue
            if told.name not in left:
                continue
            left.remove(told.name)
            compiled = Compiled(told.name, told.failed, told.took, time.monotonic() - began)
            if left:  # it compiles while the last one is loaded here
                process.stdin.write(f"{choose(left)}\n".encode())
                began = time.monotonic()
            else:
                process.stdin.close()
            runtime.use_directory(Path(told.cache))
            yield compiled
        status = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    for name in left:
        yield Compiled(name, f"the process that compiles ended with status {status}")
