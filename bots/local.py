# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in this process: two bots, the arena's referee, no server.

Plain methods of a bot run directly, so a bot that never answers blocks its thread. Without a time control no time is
measured, and bots that choose by seed play the same games again. ``prepare`` compiles before matches are timed,
``Threads`` plays several matches at once.
"""

import asyncio
import contextlib
import inspect
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeAlias, TypeVar, cast

import msgspec

from arena.protocol import messages as wire
from bots.bot import Bot, Reply, Resign
from bots.failure import reason_of
from engine import warm
from engine.game import Game
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.time_control import TimeControl

Result = TypeVar("Result")


log = logging.getLogger(__name__)

Thought: TypeAlias = Callable[[int, float], None]
"""Called with a seat and the seconds that its answer took."""

_ROUNDING = 0.001
"""Seconds: clocks are read in whole milliseconds."""

_DRAW = object()
"""The answer of a bot that accepts a draw."""

SOON = 2.0
"""Seconds until the first report that code is being compiled."""

EVERY = 30.0
"""Seconds between two further reports."""


class Threads:
    """Runs coroutine functions in threads, each in its own event loop; cancels those that are unfinished at exit."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="bots")
        self._running: dict[asyncio.Task[Any], asyncio.AbstractEventLoop] = {}
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        for task, loop in list(self._running.items()):
            # it may have come to its end just now
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)
        self._pool.shutdown(cancel_futures=True)

    def submit(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Future[Result]:
        """Run a coroutine function as soon as a thread is free."""
        return self._pool.submit(lambda: asyncio.run(self._run(work)))

    async def _run(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        self._running[task] = asyncio.get_running_loop()
        try:
            if self._ended:
                raise asyncio.CancelledError
            return await work()
        finally:
            del self._running[task]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that plays: its name, and the maker of a new object for each match."""

    name: str
    make: Callable[[], Bot]


async def play(
    game: Game,
    entrants: tuple[Entrant, Entrant],
    *,
    number: int = 1,
    seed: int = 0,
    start: str | None = None,
    opening: Sequence[str] = (),
    time_control: TimeControl | None = None,
    thought: Thought = lambda seat, seconds: None,
) -> Match:
    """Play one match to its end, the first entrant on seat 0.

    ``number``: the number of the match that the bots get, the seed of their choices. The match begins at ``start``,
    None being the game's own start, with the moves of ``opening``; dice are rolled by ``seed``. ``thought`` gets the
    time of each answer.

    A bot that raises an exception loses by a crash, one whose ``move`` returns something else than a move by a bad
    message.
    """
    match = Match(game, start=start, opening=opening, time_control=time_control, seed=seed)
    await play_out(match, entrants, number, thought)
    return match


async def play_out(
    match: Match,
    entrants: tuple[Entrant, Entrant],
    number: int,
    thought: Thought = lambda seat, seconds: None,
    *,
    time_margin: int = 0,
    timed: "Timed | None" = None,
) -> tuple[str, str]:
    """Play a match that was set up to its end; return the versions of the bots.

    A clock may be overrun by ``time_margin`` milliseconds; it then stands at 0. ``timed`` measures the turns. For the
    rest see ``play``.
    """
    table = _Table(match, entrants, number, thought, time_margin, timed or by_wall_clock)
    try:
        await table.start()
        while match.to_move is not None:
            await table.turn(match.to_move)
            # lets an interrupt through
            await asyncio.sleep(0)
        await table.end()
    finally:
        await table.close()
    return table.version(0), table.version(1)


class OutOfTime(Exception):
    """A bot has not answered within its time."""


class Timed(Protocol):
    """Measures the turns of bots."""

    async def __call__(
        self, bot: Bot, answer: Coroutine[Any, Any, Result], limit: float | None
    ) -> tuple[Result, float]:
        """Return a bot's answer, and the seconds that it took. Raises OutOfTime after the limit; None: no limit."""


async def by_wall_clock(bot: Bot, answer: Coroutine[Any, Any, Result], limit: float | None) -> tuple[Result, float]:
    """Return a bot's answer, and the seconds that passed. Raises OutOfTime after the limit; None: no limit."""
    before = time.perf_counter()
    flag = asyncio.timeout(limit)
    try:
        async with flag:
            result = await answer
    except TimeoutError:
        # else the bot has raised it
        if flag.expired():
            raise OutOfTime from None
        raise
    return result, time.perf_counter() - before


class _Table:
    """Two bots at a match: sends them the messages of an arena, and their answers to the referee."""

    def __init__(
        self,
        match: Match,
        entrants: tuple[Entrant, Entrant],
        number: int,
        thought: Thought,
        time_margin: int,
        timed: Timed,
    ) -> None:
        self._match = match
        self._entrants = entrants
        self._number = number
        self._thought = thought
        self._time_margin = time_margin
        self._timed = timed
        self._bots: list[Bot] = []

    def version(self, seat: int) -> str:
        return self._bots[seat].version if seat < len(self._bots) else ""

    async def start(self) -> None:
        for seat in (0, 1):
            try:
                bot = self._entrants[seat].make()
                self._bots.append(bot)
                # a clock must not pay for compiling
                await _settled(bot.prepare([self._match.game.name]))
            except Exception as error:
                self._crashed(seat, error)
                return
        players = tuple(
            wire.Player(entrant.name, bot.version) for entrant, bot in zip(self._entrants, self._bots, strict=True)
        )
        for seat, bot in enumerate(self._bots):
            try:
                await _settled(bot.match_started(self._whole(seat, cast(tuple[wire.Player, wire.Player], players))))
            except Exception as error:
                self._crashed(seat, error)
                return

    async def turn(self, seat: int) -> None:
        match, bot = self._match, self._bots[seat]
        try:
            answer, seconds = await self._timed(bot, self._answer(seat), self._left(seat))
        except OutOfTime:
            self._flagged(seat)
            return
        except Exception as error:
            self._crashed(seat, error)
            return
        if answer is _DRAW:
            match.accept_draw(seat)
            return
        self._thought(seat, seconds)
        elapsed = 0 if match.clocks is None else int(1000 * seconds)
        match answer:
            case Resign():
                self._match.resign(seat)
            case str():
                self._match.play(seat, answer, elapsed, free=self._over(seat, elapsed))
            case Reply(move=str()):
                self._reply(seat, answer, elapsed)
            case _:
                self._forfeit(seat, Termination.BAD_MESSAGE, f"move() returned {answer!r}")

    async def _answer(self, seat: int) -> object:
        """Return a bot's answer to its turn; _DRAW if it accepts a draw."""
        match, bot = self._match, self._bots[seat]
        if match.draw_offer == 1 - seat:
            if await _settled(bot.draw_offered(self._number)):
                return _DRAW
            match.decline_draw(seat)
        return await _settled(bot.move(self._turn(seat)))

    def _flagged(self, seat: int) -> None:
        """Let a bot lose on time; without a clock it is stuck, and the match has no result."""
        if self._match.clocks is not None:
            self._match.flag(seat)
        else:
            self._match.void(f"{self._entrants[seat].name} gave no answer within {self._left(seat):g} s")

    def _reply(self, seat: int, reply: Reply, elapsed: int) -> None:
        try:
            info = None if reply.info is None else msgspec.convert(reply.info, Info, from_attributes=True)
        except (TypeError, ValueError) as error:
            self._forfeit(seat, Termination.BAD_MESSAGE, f"what move() tells of its search is none: {error}")
            return
        free = self._over(seat, elapsed)
        self._match.play(seat, reply.move, elapsed, info, free=free, instructions=reply.instructions)
        if reply.offer_draw and self._match.ending is None:
            self._match.offer_draw(seat)

    async def end(self) -> None:
        ending = self._match.ending
        assert ending is not None, "end() is called when the match is over"
        for seat, bot in enumerate(self._bots):
            score = ending.scores[seat] if ending.scores else None
            try:
                await _settled(
                    bot.match_over(
                        wire.Over(
                            self._number,
                            ending.result,
                            score,
                            ending.termination,
                            ending.detail,
                            payoff=ending.payoff,
                            points=ending.points,
                        )
                    )
                )
            except Exception:
                log.exception("%s failed at the message that the match is over", self._entrants[seat].name)

    async def close(self) -> None:
        for bot in self._bots:
            try:
                await _settled(bot.close())
            except Exception:
                log.exception("%s could not be closed", bot.name)

    def _left(self, seat: int) -> float | None:
        """Return the time limit of an asynchronous bot's answer, in seconds."""
        clocks, control = self._match.clocks, self._match.time_control
        if clocks is None:
            return None if control is None else control.guard
        return (clocks[seat] + self._time_margin) / 1000 + _ROUNDING

    def _over(self, seat: int, elapsed: int) -> int:
        """Return the milliseconds by which a move overran its clock, at most the time margin."""
        clocks = self._match.clocks
        return 0 if clocks is None else min(self._time_margin, max(0, elapsed - clocks[seat]))

    def _crashed(self, seat: int, error: Exception) -> None:
        self._forfeit(seat, Termination.CRASH, reason_of(error))

    def _forfeit(self, seat: int, termination: Termination, detail: str) -> None:
        self._match.forfeit(seat, termination, detail.encode(errors="replace").decode()[:200])

    def _whole(self, seat: int, players: tuple[wire.Player, wire.Player]) -> wire.Match:
        match = self._match
        return wire.Match(
            match=self._number,
            game=match.game.name,
            seat=seat,
            players=players,
            rated=False,
            time_control=None if match.time_control is None else str(match.time_control),
            start=match.start,
            opening=list(match.opening),
            moves=[],
            position=match.observe(seat).position,
            ply=match.ply,
            to_move=match.position.to_move,
            clocks=match.clocks,
        )

    def _turn(self, seat: int) -> wire.Turn:
        match = self._match
        return wire.Turn(
            match=self._number,
            game=match.game.name,
            ply=match.ply_of(seat),
            position=match.observe(seat).position,
            seat=seat,
            last_move=match.last_seen_by(seat),
            legal_moves=match.legal_of(seat),
            clocks=match.clocks,
            increment=0 if match.time_control is None else match.time_control.of(seat).increment,
            moves_to_go=match.moves_to_go(seat),
            instructions=match.limit_of(seat),
            draw_offered=match.draw_offer == 1 - seat,
        )


async def _settled(answer: Result | Awaitable[Result]) -> Result:
    if inspect.isawaitable(answer):
        return await answer
    return answer


async def prepare(game: Game, entrants: Iterable[Entrant], tell: Callable[[float], None]) -> None:
    """Load the code of a game's rules and of these bots in a thread; compile it if needed.

    If it takes long, ``tell`` gets the seconds so far, now and then. A bot that fails here is not refused: it fails
    again in its first match, where the referee judges it.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    with Threads(1) as threads:
        work = asyncio.wrap_future(threads.submit(lambda: _load(game, tuple(entrants))))
        wait = SOON
        while not (await asyncio.wait({work}, timeout=wait))[0]:
            tell(loop.time() - began)
            wait = EVERY
        await work


async def _load(game: Game, entrants: Iterable[Entrant]) -> None:
    warm.rules(game)
    for entrant in entrants:
        with contextlib.suppress(Exception):
            bot = entrant.make()
            try:
                await _settled(bot.prepare([game.name]))
            finally:
                await _settled(bot.close())
