# SPDX-License-Identifier: GPL-3.0-or-later
"""An honest ladder: bots in a process of their own that the arena's ladder pairs, and what happens to them.

``python -m lab.proofs.honest`` reads a Job as one JSON line and plays. Each further line of its standard input makes
it print what it has seen since the last one; it ends with its standard input. Both sides of every match live in that
process, so one clock tells how long a move took from one bot to the other.
"""

import asyncio
import contextlib
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from random import Random

import msgspec
from aiohttp import ClientError, ClientSession, TCPConnector, WSMsgType
from msgspec import Struct, field

from arena.protocol import messages as m
from arena.protocol.codec import encode, from_arena
from arena.protocol.version import PROTOCOL
from engine import child
from lab.load.jobs import Latencies
from tests.end_to_end.server import Server

PATIENCE = 120.0
"""Seconds that the process may take for an answer."""

PAUSE = 0.2
"""Seconds before a lost connection is opened again."""

FAULTS = ("void", "time", "disconnect", "bad message", "crash", "illegal move")
"""Ends of matches that an honest bot of this kind never causes."""


class Job(Struct, frozen=True):
    """Who plays what, and where."""

    url: str
    tokens: dict[str, str]
    """By name of the bot."""
    games: list[str]
    pace: float = 0.0
    """Seconds that a bot thinks."""
    capacity: int = 1


class Seen(Struct):
    """What the bots saw since they were asked last."""

    seconds: float = 0.0
    matches: int = 0
    """Matches that ended."""
    endings: dict[str, int] = field(default_factory=dict)
    """How many of them, by termination."""
    faults: dict[str, int] = field(default_factory=dict)
    """How many of them were void or lost by an honest bot for one of FAULTS, by termination."""
    moves: int = 0
    relay: Latencies = field(default_factory=Latencies)
    """From a move sent until the opponent, one of these bots too, was asked."""
    errors: dict[str, int] = field(default_factory=dict)
    """Refusals, by code."""
    lost: int = 0
    """Connections that were lost or refused."""

    @property
    def rate(self) -> float:
        """Matches a second."""
        return self.matches / self.seconds if self.seconds else 0.0

    def count(self, counts: dict[str, int], what: str) -> None:
        """Count one more of something."""
        counts[what] = counts.get(what, 0) + 1


class Ladder:
    """The process as its starter sees it."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def seen(self) -> Seen:
        """Return what was seen since this was asked last."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"next\n")
        async with asyncio.timeout(PATIENCE):
            return msgspec.json.decode(await self._process.stdout.readline(), type=Seen)

    async def play(self, seconds: float) -> Seen:
        """Let the bots play for a while and return what they saw meanwhile."""
        await self.seen()
        await asyncio.sleep(seconds)
        return await self.seen()


@contextlib.asynccontextmanager
async def honest_ladder(
    server: Server, tokens: Mapping[str, str], games: list[str], pace: float = 0.0, capacity: int = 1
) -> AsyncIterator[Ladder]:
    """Run the process; bots connect at once and play from then on."""
    process = await asyncio.create_subprocess_exec(
        *child.command("lab.proofs.honest"), stdin=PIPE, stdout=PIPE, limit=1 << 24, pass_fds=child.pass_fds()
    )
    assert process.stdin is not None
    try:
        job = Job(server.play_url, dict(tokens), games, pace, capacity)
        process.stdin.write(msgspec.json.encode(job) + b"\n")
        ladder = Ladder(process)
        await ladder.seen()
        yield ladder
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class _Bots:
    """All bots of the process."""

    def __init__(self, job: Job, http: ClientSession) -> None:
        self._job = job
        self._http = http
        self._random = Random(1)
        self._since = time.monotonic()
        self._seen = Seen()
        self._sent: dict[tuple[int, int], float] = {}
        """When a move was sent, by match and ply."""
        self._ended: set[int] = set()
        """Matches that one side has heard the end of; the other is to come."""

    def take(self) -> Seen:
        """Return what was seen, and begin anew."""
        now = time.monotonic()
        seen, self._seen = self._seen, Seen()
        seen.seconds, self._since = now - self._since, now
        return seen

    async def play(self, token: str) -> None:
        """Play as one bot for ever, whatever becomes of its connection."""
        hello = m.Hello(
            protocol=PROTOCOL, token=token, games=self._job.games, capacity=self._job.capacity, challenges=False
        )
        while True:
            with contextlib.suppress(ClientError, OSError):
                shown = {"Authorization": f"Bearer {token}"}
                async with self._http.ws_connect(self._job.url, max_msg_size=0, headers=shown) as socket:
                    await socket.send_str(encode(hello))
                    async for frame in socket:
                        if frame.type is not WSMsgType.TEXT:
                            break
                        answer = self._answer(from_arena(frame.data))
                        if answer is not None:
                            if self._job.pace:
                                await asyncio.sleep(self._job.pace)
                            self._sent[answer.match, answer.ply] = time.monotonic()
                            await socket.send_str(encode(answer))
            self._seen.lost += 1
            await asyncio.sleep(PAUSE)

    def _answer(self, message: m.ArenaMessage) -> m.Move | None:
        seen = self._seen
        match message:
            case m.Turn():
                sent = self._sent.pop((message.match, message.ply - 1), None)
                if sent is not None:
                    seen.relay.record(time.monotonic() - sent)
                return m.Move(match=message.match, ply=message.ply, move=self._random.choice(message.legal_moves or []))
            case m.Accepted():
                seen.moves += 1
            case m.Over():
                self._over(message)
            case m.Error():
                seen.count(seen.errors, message.code)
        return None

    def _over(self, over: m.Over) -> None:
        if over.termination in FAULTS and over.score in (None, 0):
            self._seen.count(self._seen.faults, over.termination)
        if over.match in self._ended:
            self._ended.discard(over.match)
            return
        self._ended.add(over.match)
        self._seen.matches += 1
        self._seen.count(self._seen.endings, over.termination)


async def _work(job: Job) -> None:
    async with ClientSession(connector=TCPConnector(limit=0)) as http, asyncio.TaskGroup() as group:
        bots = _Bots(job, http)
        playing = [group.create_task(bots.play(token)) for token in job.tokens.values()]
        while await asyncio.to_thread(sys.stdin.readline):
            print(msgspec.json.encode(bots.take()).decode(), flush=True)
        for each in playing:
            each.cancel()


if __name__ == "__main__":
    asyncio.run(_work(msgspec.json.decode(sys.stdin.readline(), type=Job)))
