# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers without a network: they speak JSON text to an arena in this process, as a bot in any language would."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.connections.sessions import Connection
from arena.store.rows import NewMatch, StoredMatch
from arena.watching.broadcast import Spectator
from engine.time_control import TimeControl

PATIENCE = 300.0
"""Seconds until a test gives up, on a machine that is busy with other things."""

Message = dict[str, Any]
Chooser = Callable[[Message], str]


def first_move(turn: Message) -> str:
    """Choose the first legal move."""
    move: str = turn["legal_moves"][0]
    return move


class Carrier:
    """What the door is to a line of the arena's: takes its frames, as soon as there are some or only when asked to."""

    def __init__(self, line: Connection | Spectator) -> None:
        self._line = line
        self._stirred = asyncio.Event()
        line.stir = self._stirred.set

    async def frames(self) -> AsyncIterator[str]:
        """Give out frames in order; ends when the socket is to be closed."""
        while True:
            while (frame := self._line.next_frame()) is not None:
                yield frame
            if self._line.over:
                return
            self._stirred.clear()
            await self._stirred.wait()


class Peer:
    """A bot's end of a connection: raw frames out, decoded messages in."""

    def __init__(self, arena: Arena, address: str = "test") -> None:
        self.token = ""
        self.connection: Connection = arena.accept(address)
        self.messages: asyncio.Queue[Message] = asyncio.Queue()
        self.log: list[Message] = []
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in Carrier(self.connection).frames():
            message = json.loads(frame)
            self.log.append(message)
            self.messages.put_nowait(message)
        self.messages.put_nowait({"type": "closed", "code": self.connection.close_code})

    def send(self, **message: Any) -> None:
        self.connection.receive(json.dumps(message))

    async def next(self, *types: str) -> Message:
        """Return the next message of one of these types, passing over others."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.messages.get()
                if not types or message["type"] in types:
                    return message

    async def hello(self, token: str, games: list[str], **more: Any) -> Message:
        self.send(type="hello", protocol=1, token=token, games=games, **more)
        return await self.next("welcome", "error", "closed")

    async def play(self, choose: Chooser = first_move, matches: int = 1) -> list[Message]:
        """Play until so many matches are over; returns their ends."""
        overs: list[Message] = []
        while len(overs) < matches:
            message = await self.next("turn", "over", "closed")
            assert message["type"] != "closed", message
            if message["type"] == "turn":
                self.send(type="move", match=message["match"], ply=message["ply"], move=choose(message))
            else:
                overs.append(message)
        return overs

    def drop(self) -> None:
        """Lose the connection."""
        self.connection.lost()


@dataclass
class Duel:
    """A match between two peers, by seat."""

    arena: Arena
    match: int
    first: Peer
    second: Peer

    async def move(self, peer: Peer, text: str) -> Message:
        """Wait for the peer's turn, move, and return the answer."""
        turn = await peer.next("turn")
        peer.send(type="move", match=self.match, ply=turn["ply"], move=text)
        return await peer.next("accepted", "error")

    async def over(self) -> tuple[Message, Message]:
        """Return the end of the match, as each bot received it."""
        return await self.first.next("over"), await self.second.next("over")

    async def stored(self) -> StoredMatch:
        """Return the match as the store has it."""
        stored = await self.arena.store.matches.get(self.match)
        assert stored is not None
        return stored


async def register(arena: Arena, name: str, kind: str = "own") -> str:
    """Register a bot and return its token."""
    token = make_token()
    if kind == "built-in":
        await arena.store.bots.admit_built_in(name, hash_token(token))
    else:
        await arena.store.bots.add(name, hash_token(token))
    return token


async def seat(arena: Arena, name: str, games: list[str], address: str = "test", **more: Any) -> Peer:
    """Register a bot, connect it and say hello."""
    peer = Peer(arena, address)
    peer.token = await register(arena, name)
    welcome = await peer.hello(peer.token, games, **more)
    assert welcome["type"] == "welcome", welcome
    return peer


async def left_by_a_restart(arena: Arena, peers: list[str]) -> StoredMatch:
    """Leave a match of tic-tac-toe between new bots in the store, which the arena expects."""
    versions = []
    for name in peers:
        bot = await arena.store.bots.add(name, hash_token(name))
        versions.append((await arena.store.bots.version(bot.id, "1")).id)
    new = NewMatch("tictactoe", "bullet", "170+0", False, 1, None, (), (versions[0], versions[1]))
    stored = await arena.store.matches.get(await arena.store.matches.start(new))
    assert stored is not None
    arena.conductor.expect(stored.row)
    return stored


async def ready(arena: Arena) -> None:
    """Wait until every game may be played."""
    await until(lambda: arena.ready)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that nobody tells."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.01)


async def duel(
    arena: Arena,
    game: str = "tictactoe",
    *,
    rated: bool = False,
    control: str | None = None,
    trip: float | None = None,
) -> Duel:
    """Seat two new bots and start a match between them; ``trip``: measured seconds of the way to them and back."""
    number = len(arena.roster)
    players = [await seat(arena, f"{name}-{number}", [game]) for name in ("first", "second")]
    for player in players:
        if trip is not None:
            player.connection.trips.add(trip)
    sides = [arena.roster.named(f"{name}-{number}") for name in ("first", "second")]
    assert sides[0] is not None
    assert sides[1] is not None
    match = await arena.conductor.meet(
        arena.registry.games[game],
        (sides[0], sides[1]),
        kind="challenge",
        rated=rated,
        time_control=None if control is None else TimeControl.parse(control),
    )
    return Duel(arena, match, players[0], players[1])
