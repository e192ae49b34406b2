# SPDX-License-Identifier: MIT
"""One match as the SDK plays it for a bot, and the thread that runs the bot's methods."""

import asyncio
import inspect
import logging
import queue
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeAlias, TypeVar

import msgspec

from arena.protocol import codec
from arena.protocol import messages as wire
from arena.protocol.errors import ErrorCode
from bots.bot import Bot, Reply, Resign
from bots.failure import reason_of
from bots.thinking import telling

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


log = logging.getLogger(__name__)

Argument = TypeVar("Argument")

_CLOSED_WITHIN = 3.0
"""Seconds."""

Send: TypeAlias = Callable[[wire.BotMessage], Awaitable[object]]
"""Sends a message, or drops it when there is no connection: the arena asks again after the next."""


class Worker:
    """Runs one bot's methods: coroutines on the event loop, plain functions one after another in a thread of the bot's
    own.

    The thread is a daemon, so that a bot that never stops thinking cannot keep the process alive.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def call(
        self,
        method: Callable[Arguments, Result | Awaitable[Result]],
        *arguments: Arguments.args,
        **keywords: Arguments.kwargs,
    ) -> Result:
        """Return the method's result; raises its exceptions. A cancelled call that has not started is skipped."""
        if inspect.iscoroutinefunction(method):
            answer: Result | Awaitable[Result] = method(*arguments, **keywords)
        else:
            answer = await asyncio.wrap_future(self._submit(method, *arguments, **keywords))
        if inspect.isawaitable(answer):
            return await answer
        return answer

    def close(self) -> None:
        """End the thread after its current work."""
        self._calls.put(None)

    def _submit(
        self, method: Callable[Arguments, Result], *arguments: Arguments.args, **keywords: Arguments.kwargs
    ) -> Future[Result]:
        future: Future[Result] = Future()

        def call() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    result = method(*arguments, **keywords)
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)

        self._calls.put(call)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        return future

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()


class Playing:
    """Passes the arena's messages about one match to its bot, in order, and sends the bot's answers.

    ``receive`` never blocks; ``run`` calls the bot. An answer is kept until the arena has accepted it, so that it can
    be sent again when the arena asks for the same ply after the connection was lost.
    """

    def __init__(
        self, match: int, maker: Callable[[], Bot], worker: Worker, send: Send, *, resign_on_crash: bool = True
    ) -> None:
        self.match = match
        self._maker = maker
        self._bot: Bot | None = None
        self._worker = worker
        self._send = send
        self._resign_on_crash = resign_on_crash
        self._inbox: asyncio.Queue[wire.ArenaMessage | None] = asyncio.Queue()
        self._asked: int | None = None
        """The ply that the arena waits for and the bot thinks about."""
        self._owed: wire.Turn | None = None
        """The turn that the bot answered by accepting a draw; if the offer is not valid any more, the bot must move."""
        self._answer: wire.Move | None = None
        """The newest answer, until it is accepted."""
        self._offer_answered = False
        self._over = False
        self._telling: set[asyncio.Future[object]] = set()
        """Search info on its way to the arena."""

    def receive(self, message: wire.ArenaMessage) -> None:
        """Take a message that concerns this match."""
        match message:
            case wire.Match():
                self._offer_answered = False
                if self._asked is not None and self._asked != message.ply:
                    self._stop()
                if self._answer is not None and self._answer.ply < message.ply:
                    self._answer = None
            case wire.Turn() if message.ply == self._asked:
                return
            case wire.Turn():
                self._owed = None
                if self._answer is None or self._answer.ply != message.ply:
                    self._answer = None
                    self._asked = message.ply
            case wire.Accepted():
                if self._answer is not None and self._answer.ply == message.ply:
                    self._answer = None
                return
            case wire.DrawOffered():
                self._offer_answered = False
            case wire.Error(code=ErrorCode.NO_OFFER) if self._owed is not None:
                message, self._owed = msgspec.structs.replace(self._owed, draw_offered=False), None
                self._asked = message.ply
            case wire.Over():
                self._over = True
                self._stop()
        self._inbox.put_nowait(message)

    def abandon(self) -> None:
        """End ``run`` without a result: the match ended while the client was offline, or the client ends."""
        self._over = True
        self._stop()
        self._inbox.put_nowait(None)

    async def run(self) -> None:
        """Play until the match is over. Raises the exceptions of the bot's ``move``, unless a crash resigns the
        match.
        """
        try:
            bot = self._bot = await self._worker.call(self._maker)
        except Exception as error:
            await self._crashed(error)
            return
        while True:
            message = await self._inbox.get()
            if message is None:
                return
            if isinstance(message, wire.Over):
                await self._tell(bot.match_over, message)
                return
            if self._over:
                continue
            match message:
                case wire.Match():
                    await self._tell(bot.match_started, message)
                    if message.draw_offered and message.to_move != message.seat:
                        # else it comes again with the turn
                        await self._consider_draw(bot)
                case wire.Turn():
                    await self._take_turn(bot, message)
                case wire.DrawOffered():
                    await self._consider_draw(bot)

    async def close(self) -> None:
        """Let the bot close, now that ``run`` has ended; one that cannot is left alone."""
        if self._bot is not None:
            await close(self._bot, self._worker)

    async def _take_turn(self, bot: Bot, turn: wire.Turn) -> None:
        if self._answer is not None and self._answer.ply == turn.ply:
            await self._send(self._answer)
            return
        if turn.ply != self._asked:
            return
        if turn.draw_offered and await self._consider_draw(bot):
            self._asked, self._owed = None, turn
            return
        try:
            with telling(turn, self._tell_search):
                answer = await self._worker.call(bot.move, turn)
            answers = self._messages(turn.ply, answer)
            for message in answers:
                # report a move that the arena would refuse here, as the bot's error, before it costs clock time
                codec.from_bot(codec.encode(message))
        except Exception as error:
            if turn.ply == self._asked:
                self._asked = None
                await self._crashed(error)
            return
        if turn.ply != self._asked:
            return
        self._asked = None
        for message in answers:
            if isinstance(message, wire.Move):
                self._answer = message
            await self._send(message)

    def _tell_search(self, thinking: wire.Thinking) -> None:
        if thinking.ply == self._asked:
            sending = asyncio.ensure_future(self._send(thinking))
            self._telling.add(sending)
            sending.add_done_callback(self._told_search)

    def _told_search(self, sending: asyncio.Future[object]) -> None:
        self._telling.discard(sending)
        if not sending.cancelled() and (error := sending.exception()) is not None:
            log.debug("match %d: search info was lost: %s", self.match, error)

    async def _crashed(self, error: Exception) -> None:
        await self._send(wire.Resign(self.match, failure=_told(error)))
        if not self._resign_on_crash:
            raise error
        log.error("match %d: given up, because the bot failed", self.match, exc_info=error)

    def _messages(self, ply: int, answer: object) -> list[wire.OfferDraw | wire.Move | wire.Resign]:
        match answer:
            case str():
                return [wire.Move(self.match, ply, answer)]
            case Reply():
                offer = [wire.OfferDraw(self.match)] if answer.offer_draw else []
                return [*offer, wire.Move(self.match, ply, answer.move, answer.info, answer.instructions)]
            case Resign():
                return [wire.Resign(self.match)]
        raise TypeError(f"move() returned {answer!r}, which is neither a move's text nor Reply nor Resign")

    async def _consider_draw(self, bot: Bot) -> bool:
        """Ask the bot, once an offer, and answer; returns whether it accepted now."""
        if self._offer_answered:
            return False
        self._offer_answered = True
        accept = bool(await self._tell(bot.draw_offered, self.match))
        await self._send(wire.AnswerDraw(self.match, accept))
        return accept

    async def _tell(self, method: Callable[[Argument], object], argument: Argument) -> object:
        try:
            return await self._worker.call(method, argument)
        except Exception:
            log.exception("match %d: %s failed", self.match, method.__name__)
            return None

    def _stop(self) -> None:
        if self._asked is None:
            return
        self._asked = None
        if self._bot is None:
            return
        try:
            self._bot.stop(self.match)
        except Exception:
            log.exception("match %d: stop failed", self.match)


async def close(bot: Bot, worker: Worker) -> None:
    """Let a bot close that has something to close, unless it still thinks or fails."""
    if type(bot).close is Bot.close:
        return
    try:
        async with asyncio.timeout(_CLOSED_WITHIN):
            await worker.call(bot.close)
    except Exception:
        log.exception("%s could not be closed", bot.name)


def _told(error: Exception) -> str:
    """Return the error report for the arena: one line."""
    text = reason_of(error).partition("\n")[0]
    return text.encode(errors="replace").decode()[:200]
