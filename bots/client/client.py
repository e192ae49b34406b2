# SPDX-License-Identifier: MIT
"""The SDK's client: a bot in an arena."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal, Self, TypeAlias

from arena.protocol import messages as wire
from arena.protocol.codec import PROTOCOL
from arena.protocol.messages import LONGEST_TEXT
from arena.protocol.terminal import plain_line
from bots.bot import Bot
from bots.client.address import play_address
from bots.client.challenges import Challenges
from bots.client.errors import ArenaError, NotReady
from bots.client.link import Link
from bots.client.playing import Playing, Worker, close
from bots.client.rest import games_played

log = logging.getLogger(__name__)

_LAST_MOMENT = 1.0
"""Seconds for the bots' running work when the client ends."""

BotMaker: TypeAlias = Callable[[], Bot]
"""A class or another factory of bots."""


class Client:
    """Plays a bot in an arena: ``await client.run()``, or ``async with client`` beside other work.

    ``bot`` is a Bot, which plays all matches, or a class or another factory of bots: then each match has its own bot,
    and they think concurrently. ``games``, ``capacity`` (concurrent matches) and ``open_info`` override the bot's own;
    a bot without a list of games plays all games of the arena. ``ladder`` and ``challenges``: whether the ladder may
    pair it and players may challenge it. A bot whose ``move`` raises forfeits that match, unless ``on_crash`` is
    "raise": then ``run`` raises the error. ``patience``: seconds without a connection after which ``run`` raises
    Unreachable; None: never. ``heard`` is called with every message of the arena, before the bot. ``people``: whether
    people may play against it at the board. ``module`` is for the arena's own process that hosts WebAssembly bots.
    """

    def __init__(
        self,
        bot: Bot | BotMaker,
        *,
        url: str,
        token: str,
        games: Sequence[str] | None = None,
        capacity: int | None = None,
        open_info: bool | None = None,
        ladder: bool = True,
        challenges: bool = True,
        people: bool = False,
        legal_moves: bool = True,
        on_crash: Literal["resign", "raise"] = "resign",
        patience: float | None = None,
        heard: Callable[[wire.ArenaMessage], None] | None = None,
        module: wire.Module | None = None,
    ) -> None:
        """Raises ValueError for a URL that is no address of an arena, and for an empty token."""
        self.url = play_address(url)
        if not token:
            raise ValueError("the token of the bot is empty; the page My bots and `arena bots add NAME` give one")
        self._token = token
        make: BotMaker = (lambda: bot) if isinstance(bot, Bot) else bot

        def maker() -> Bot:
            made = make()
            made.arena, made.token = self.url, token
            return made

        self._maker = maker
        self._bot = self._maker()
        self._worker = Worker(f"bot {self._bot.name}")
        self._chooser = Worker(f"bot {self._bot.name}, challenges")
        self._shares = isinstance(bot, Bot)
        self._games = games if games is not None else self._bot.games
        self._prepared: set[str] = set()
        self._capacity = self._bot.capacity if capacity is None else capacity
        self._open_info = self._bot.open_info if open_info is None else open_info
        self._available = wire.Availability(ladder, challenges)
        self._people = people
        self._legal_moves = legal_moves
        self._resign_on_crash = on_crash == "resign"
        self._module = module
        self._link = Link(self.url, hello=self._hello, receive=self._receive, lost=self._lost, patience=patience)
        self._challenges = Challenges(self._link.send)
        self._choosing: dict[int, asyncio.Task[None]] = {}
        self._heard = heard
        self._welcome: wire.Welcome | None = None
        self._connected = asyncio.Event()
        self._ended = asyncio.Event()
        self._matches: dict[int, Playing] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._group: asyncio.TaskGroup | None = None
        self._running: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ for authors

    @property
    def name(self) -> str:
        """The arena's name for the bot; before ``welcome``, the bot's own."""
        return self._welcome.bot if self._welcome else self._bot.name

    @property
    def connected(self) -> bool:
        """Whether the arena has welcomed the bot and the connection is open."""
        return self._connected.is_set()

    @property
    def matches(self) -> list[int]:
        """The matches being played, by number."""
        return list(self._matches)

    async def run(self) -> None:
        """Play until ``close``. Raises Rejected when the arena does not want the bot, Unreachable when patience is at
        an end.
        """
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                await self._link.run()
                await self._finish()
        except BaseExceptionGroup as failures:
            # raise the first error itself, not the group, so that the author sees it
            raise failures.exceptions[0] from failures.exceptions[0].__cause__
        finally:
            for playing in self._matches.values():
                playing.abandon()
            self._matches.clear()
            await close(self._bot, self._worker)
            self._worker.close()
            self._chooser.close()
            self._ended.set()

    async def close(self) -> None:
        """Leave the arena. Matches going on are lost by disconnection unless the bot comes back within the arena's
        grace.
        """
        await self._link.close()

    async def challenge(
        self, opponent: str, game: str, *, rated: bool = False, time_control: str | None = None
    ) -> list[int]:
        """Ask a named bot for a match and return the matches that start, which are played as any other; the return
        match of a rated one follows by itself.

        ``time_control``: "base+increment" in seconds; None: the game's own. Raises ChallengeRefused when there will be
        none, ArenaError when the connection is lost before the answer, or the client ends. Cancelling withdraws the
        challenge.
        """
        await self._in_arena()
        return await self._challenges.make(wire.Challenge(opponent, game, rated, time_control))

    async def be_available(self, *, ladder: bool, challenges: bool) -> None:
        """Change the permission to pair the bot; running matches continue."""
        self._available = wire.Availability(ladder, challenges)
        await self._link.send(self._available)

    async def play_games(self, games: Sequence[str]) -> None:
        """Change the list of games: reconnects, and running matches continue. A connected bot prepares first, so that
        it is absent for a moment only. Raises NotReady.
        """
        if self.connected:
            await self._get_ready(games)
        self._games = games
        await self._link.reconnect()

    async def resign(self, match: int) -> None:
        """Give a match up."""
        await self._link.send(wire.Resign(match))

    async def offer_draw(self, match: int) -> None:
        """Offer the opponent a draw."""
        await self._link.send(wire.OfferDraw(match))

    async def __aenter__(self) -> Self:
        """Run in the background; returns once the arena has welcomed the bot. Raises what ``run`` raises."""
        self._running = asyncio.create_task(self.run())
        welcome = asyncio.create_task(self._connected.wait())
        await asyncio.wait({self._running, welcome}, return_when=asyncio.FIRST_COMPLETED)
        if not welcome.done():
            welcome.cancel()
            await self._running
        return self

    async def __aexit__(self, _kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        """Leave the arena; raises what ended ``run`` before that, unless the block itself failed."""
        await self.close()
        if self._running is not None:
            with contextlib.suppress(Exception) if error is not None else contextlib.nullcontext():
                await self._running

    # ------------------------------------------------------------ between the link and the matches

    async def _in_arena(self) -> None:
        """Wait until the bot is in the arena. Raises ArenaError when it is not and will not be."""
        either = [asyncio.create_task(event.wait()) for event in (self._connected, self._ended)]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in either:
                task.cancel()
        if self._ended.is_set():
            raise ArenaError("the client has ended")

    async def _get_ready(self, games: Sequence[str]) -> None:
        """Let the bot prepare for games that it has not prepared for. Raises NotReady."""
        if set(games) - self._prepared:
            log.info("getting ready for %s", ", ".join(games))
            try:
                await self._worker.call(self._bot.prepare, list(games))
            except Exception as error:
                raise NotReady(f"the bot could not get ready: {type(error).__name__}: {error}") from error
            self._prepared |= set(games)

    async def _hello(self) -> wire.Hello:
        games = self._games
        if games is None:
            games = await asyncio.to_thread(games_played, self.url)
        await self._get_ready(games)
        return wire.Hello(
            protocol=PROTOCOL,
            token=self._token,
            games=list(games),
            version=self._bot.version,
            software=_software(),
            description=plain_line(self._bot.description)[:LONGEST_TEXT],
            capacity=self._capacity,
            legal_moves=self._legal_moves,
            ladder=self._available.ladder,
            challenges=self._available.challenges,
            open_info=self._open_info,
            people=self._people,
            module=self._module,
        )

    def _receive(self, message: wire.ArenaMessage) -> None:
        if self._heard is not None:
            self._heard(message)
        match message:
            case wire.Welcome():
                self._begin(message)
            case wire.Match(match=number):
                if number not in self._matches:
                    self._start(message)
                self._matches[number].receive(message)
            case wire.Turn(match=number) | wire.Accepted(match=number) | wire.DrawOffered(match=number):
                if number in self._matches:
                    self._matches[number].receive(message)
            case wire.Over(match=number):
                why = f"{message.termination} {message.detail}".rstrip()
                log.info("match %d: %s, %s", number, message.result, why)
                if number in self._matches:
                    self._matches.pop(number).receive(message)
            case wire.Challenged(challenge=number):
                choosing = self._choosing[number] = self._spawn(self._answer_challenge(message))
                choosing.add_done_callback(lambda _: self._choosing.pop(number, None))
            case wire.ChallengeClosed(challenge=number) if number in self._choosing:
                self._choosing[number].cancel()
            case wire.ChallengeOpened() | wire.ChallengeClosed():
                self._challenges.receive(message)
            case wire.Error(match=None):
                self._challenges.receive(message)
            case wire.Error(match=int(number)) if number in self._matches:
                self._matches[number].receive(message)

    def _begin(self, welcome: wire.Welcome) -> None:
        log.info("connected to %s as %s %s for %s", self.url, welcome.bot, welcome.version, ", ".join(welcome.games))
        if not welcome.games:
            log.warning("the arena plays none of the games that %s asks for: no match will come", welcome.bot)
        self._welcome = welcome
        self._connected.set()
        for number in set(self._matches) - set(welcome.matches):
            log.info("match %d ended while the bot was away", number)
            self._matches.pop(number).abandon()

    def _lost(self) -> None:
        self._connected.clear()
        self._challenges.connection_lost()
        for choosing in self._choosing.values():
            choosing.cancel()

    def _start(self, match: wire.Match) -> None:
        number, (first, second) = match.match, match.players
        log.info("match %d: %s, %s against %s", number, match.game, first.name, second.name)
        worker = self._worker if self._shares else Worker(f"bot {self._bot.name}, match {number}")
        playing = Playing(number, self._maker, worker, self._link.send, resign_on_crash=self._resign_on_crash)
        self._matches[number] = playing
        self._spawn(self._play(playing, worker))

    async def _play(self, playing: Playing, worker: Worker) -> None:
        try:
            await playing.run()
        finally:
            if self._matches.get(playing.match) is playing:
                del self._matches[playing.match]
            if worker is not self._worker:
                await playing.close()
                worker.close()

    async def _finish(self) -> None:
        """Stop all searches, and give the bots a moment to finish."""
        for playing in self._matches.values():
            playing.abandon()
        if self._tasks:
            _, busy = await asyncio.wait(self._tasks, timeout=_LAST_MOMENT)
            for task in busy:
                task.cancel()

    async def _answer_challenge(self, challenge: wire.Challenged) -> None:
        """Ask the bot whether it accepts a challenge, in another thread than its searches. Cancelled when the challenge
        is closed.
        """
        try:
            accept = bool(await self._chooser.call(self._bot.challenged, challenge))
        except Exception:
            log.exception("challenged() failed")
            accept = False
        await self._link.send(wire.AnswerChallenge(challenge.challenge, accept))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        assert self._group is not None, "messages come while run() runs"
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _software() -> str:
    with contextlib.suppress(PackageNotFoundError):
        return f"bot-arena-sdk {version('bot-arena-sdk')}"
    return "bot-arena-sdk"
