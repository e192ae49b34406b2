# SPDX-License-Identifier: MIT
"""A miniature arena: it plays one bot through a real socket and reports the bot's faults."""

import asyncio
import contextlib
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from arena.protocol import messages as wire
from arena.protocol.codec import PLAY_PATH, PROTOCOL, encode
from arena.protocol.errors import CloseCode
from arena.protocol.session import Close, Session
from bots.testing.rules import Rules

Expected = TypeVar("Expected")

TOKEN = "token-of-the-contract-test"

_START = 10.0
"""Seconds more for saying hello: programs take their time to start."""


@dataclass(eq=False)
class CheckedMatch:
    """One match that goes on."""

    number: int
    rules: Rules
    seat: int
    start: str
    position: str
    moves: list[str] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    offered: bool = False
    asking: bool = False
    inbox: "asyncio.Queue[wire.BotMessage]" = field(default_factory=asyncio.Queue)

    @property
    def ply(self) -> int:
        """Moves made so far."""
        return len(self.opening) + len(self.moves)

    def play(self, move: str) -> None:
        """Make a legal move."""
        self.position = self.rules.play(self.position, move)
        self.moves.append(move)

    def match(self) -> wire.Match:
        """Return the whole state."""
        players = [wire.Player("opponent", "1", 1500.0)] * 2
        players[self.seat] = wire.Player("checked", "1", 1500.0)
        return wire.Match(
            match=self.number,
            game=self.rules.name,
            seat=self.seat,
            players=(players[0], players[1]),
            rated=False,
            time_control="60+0",
            start=self.start,
            opening=list(self.opening),
            moves=[wire.PlayedMove(move, 0, 60_000) for move in self.moves],
            position=self.position,
            ply=self.ply,
            to_move=self.rules.to_move(self.position),
            clocks=(60_000, 60_000),
            draw_offered=self.offered,
        )

    def turn(self, *, legal_moves: bool) -> wire.Turn:
        """Return the question for a move."""
        made = self.opening + self.moves
        return wire.Turn(
            match=self.number,
            game=self.rules.name,
            ply=self.ply,
            position=self.position,
            seat=self.seat,
            last_move=made[-1] if made else None,
            legal_moves=self.rules.legal_moves(self.position) if legal_moves else None,
            clocks=(60_000, 60_000),
            draw_offered=self.offered,
        )


class BotFault(AssertionError):
    """A bot broke the contract; the message says how."""


class MiniArena:
    """An arena with one place, for the bot that knows ``TOKEN``. Use it as an async context manager; ``url`` is where
    the bot plays.
    """

    def __init__(self, rules: Rules, *, seconds: float = 30.0) -> None:
        """``seconds``: time for each answer of the bot."""
        self.rules = rules
        self.hello: wire.Hello | None = None
        self.url = ""
        self.noise = False
        """Whether messages carry fields, and come between messages, that no version of the protocol knows."""
        self._seconds = seconds
        self._tables: dict[int, CheckedMatch] = {}
        self._said: asyncio.Queue[wire.BotMessage] = asyncio.Queue()
        self._numbers = iter(range(1, 1_000_000))
        self._socket: ServerConnection | None = None
        self._there = asyncio.Event()
        self._fault: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._server: Server | None = None

    async def __aenter__(self) -> "MiniArena":
        """Start to listen on a free port."""
        self._server = await serve(self._receive, "127.0.0.1", 0, process_request=_games(self.rules.name))
        port = next(iter(self._server.sockets)).getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}{PLAY_PATH}"
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop listening."""
        assert self._server is not None
        self._server.close(code=CloseCode.GOING_AWAY)
        await self._server.wait_closed()
        if self._fault.done():
            self._fault.exception()
        self._fault.cancel()

    # ------------------------------------------------------------ helpers of the checks

    async def welcome(self) -> wire.Hello:
        """Wait until the bot has sent ``hello``, and return the message."""
        await self._wait(self._there.wait(), "say hello", extra=_START)
        assert self.hello is not None
        return self.hello

    async def begin(self, seat: int, seed: int = 0, opening: int = 0, moves: int = 0) -> CheckedMatch:
        """Start a match, optionally after random moves; the bot is not asked for a move yet."""
        start = self.rules.start(seed)
        table = CheckedMatch(next(self._numbers), self.rules, seat, start, start)
        rng = random.Random(seed)
        for number in range(opening + moves):
            going_on = [
                move
                for move in self.rules.legal_moves(table.position)
                if self.rules.legal_moves(self.rules.play(table.position, move))
            ]
            if not going_on:
                break
            table.play(rng.choice(going_on))
            if number < opening:
                table.opening.append(table.moves.pop())
        self._tables[table.number] = table
        await self._send(table.match())
        return table

    async def play(self, table: CheckedMatch) -> None:
        """Play a match to its end against random moves."""
        rng = random.Random(table.number)
        while legal := self.rules.legal_moves(table.position):
            if self.rules.to_move(table.position) == table.seat:
                await self.ask(table)
                move = await self.answer(table)
                if move is None:
                    return
                await self.accept(table, move)
            else:
                table.play(rng.choice(legal))
        await self.over(table, self.rules.result(table.position), "decided")

    async def ask(self, table: CheckedMatch) -> None:
        """Ask for a move."""
        table.asking = True
        assert self.hello is not None
        await self._send(table.turn(legal_moves=self.hello.legal_moves))

    async def answer(self, table: CheckedMatch) -> str | None:
        """Return the legal move that answers a turn; None when the bot gave the match up, or both agreed on a draw, and
        it is over.
        """
        while True:
            match await self._wait(table.inbox.get(), f"move at ply {table.ply} of {table.position!r}"):
                case wire.Move(ply=ply, move=move) if ply == table.ply:
                    legal = self.rules.legal_moves(table.position)
                    if move not in legal:
                        raise BotFault(f"{move!r} is not legal in {table.position!r}; legal are {', '.join(legal)}")
                    return move
                case wire.Move(ply=ply):
                    raise BotFault(f"the move is for ply {ply}, but ply {table.ply} was asked for")
                case wire.Resign(failure=failure):
                    termination = "crash" if failure else "resignation"
                    await self.over(table, "01"[table.seat] + "-" + "10"[table.seat], termination)
                    return None
                case wire.AnswerDraw(accept=accept):
                    if not table.offered:
                        raise BotFault("a draw offer was answered that nobody had made")
                    table.offered = False
                    if accept:
                        await self.over(table, "1/2-1/2", "agreement")
                        return None

    async def accept(self, table: CheckedMatch, move: str) -> None:
        """Accept a move."""
        table.asking, table.offered = False, False
        table.play(move)
        await self._send(wire.Accepted(table.number, table.ply - 1, 60_000))

    async def over(self, table: CheckedMatch, result: str, termination: str) -> None:
        """End a match."""
        del self._tables[table.number]
        score = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(result)
        if score is not None and table.seat:
            score = 1.0 - score
        await self._send(wire.Over(table.number, result, score, termination))

    async def offer_draw(self, table: CheckedMatch) -> bool:
        """Offer a draw while the opponent is to move; returns whether the bot accepted, and the match is over."""
        table.offered = True
        await self._send(wire.DrawOffered(table.number))
        message = await self._wait(table.inbox.get(), "answer a draw offer")
        if not isinstance(message, wire.AnswerDraw):
            raise BotFault(f"a draw offer was answered with {message!r}")
        table.offered = False
        if message.accept:
            await self.over(table, "1/2-1/2", "agreement")
        return message.accept

    async def challenge(self) -> None:
        """Challenge the bot, which shall answer; then take the challenge back."""
        await self._send(wire.Challenged(7, wire.Player("rival", "1"), self.rules.name, False, None, 30_000))
        message = await self._wait(self._said.get(), "answer a challenge")
        if message not in (wire.AnswerChallenge(7, True), wire.AnswerChallenge(7, False)):
            raise BotFault(f"a challenge was answered with {message!r}")
        await self._send(wire.ChallengeClosed(7, "withdrawn"))

    async def drop(self) -> None:
        """Drop the connection without a message, and wait for the bot to reconnect."""
        assert self._socket is not None
        self._there.clear()
        self._socket.transport.abort()
        await self._wait(self._there.wait(), "come back after its connection was lost", extra=_START)

    def blame(self, fault: str) -> None:
        """Let the check fail with this fault, unless another came first."""
        if not self._fault.done():
            self._fault.set_exception(BotFault(fault))

    # ------------------------------------------------------------ the socket

    async def _wait(self, what: Awaitable[Expected], doing: str, extra: float = 0.0) -> Expected:
        """Wait for the bot for a limited time."""
        waiting = asyncio.ensure_future(what)
        either: set[asyncio.Future[Any]] = {waiting, self._fault}
        await asyncio.wait(either, timeout=self._seconds + extra, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        waiting.cancel()
        if self._fault.done():
            self._fault.result()
        raise BotFault(f"the bot did not {doing} within {self._seconds + extra:g} s")

    async def _send(self, message: wire.ArenaMessage) -> None:
        if self._socket is None:
            return
        text = encode(message)
        with contextlib.suppress(ConnectionClosed):
            if self.noise:
                await self._socket.send('{"type": "weather", "sunny": true}')
                text = json.dumps({**json.loads(text), "unheard_of": {"deep": [1, None]}})
            await self._socket.send(text)

    async def _receive(self, socket: ServerConnection) -> None:
        session = Session(asyncio.get_running_loop().time())
        with contextlib.suppress(ConnectionClosed):
            async for frame in socket:
                message = session.receive(frame, asyncio.get_running_loop().time())
                if isinstance(message, wire.Error | Close):
                    reason = message.message if isinstance(message, wire.Error) else message.reason
                    self.blame(f"the bot sent a bad message: {reason} ({frame[:200]!r})")
                    return
                if isinstance(message, wire.Hello):
                    await self._let_in(socket, session, message)
                elif message is not None:
                    self._hear(message)

    async def _let_in(self, socket: ServerConnection, session: Session, hello: wire.Hello) -> None:
        if hello.token != TOKEN:
            self.blame("the bot did not say the token it was given")
            await socket.close(CloseCode.UNKNOWN_TOKEN)
            return
        if self.rules.name not in hello.games:
            self.blame(f"the bot does not play {self.rules.name}; give the check rules of a game that it plays")
        self.hello, self._socket = hello, socket
        welcome = wire.Welcome(PROTOCOL, "contract test", "checked", hello.version, [self.rules.name], [*self._tables])
        session.send(welcome)
        await self._send(welcome)
        for table in self._tables.values():
            table.inbox = asyncio.Queue()
            await self._send(table.match())
            if table.asking:
                await self.ask(table)
        self._there.set()

    def _hear(self, message: wire.BotMessage) -> None:
        number = getattr(message, "match", None)
        if isinstance(message, wire.OfferDraw | wire.Availability):
            return
        if number is None:
            self._said.put_nowait(message)
        elif number in self._tables:
            self._tables[number].inbox.put_nowait(message)


def _games(name: str) -> Callable[[ServerConnection, Request], Response | None]:
    """Answer the question which games there are, as the REST API does."""

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        if request.path == PLAY_PATH:
            return None
        return connection.respond(HTTPStatus.OK, json.dumps({"items": [{"name": name}], "next": None}))

    return answer
