# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that play and watch while a stress test disturbs the arena, each kind in a process of its own.

``playing`` and ``watching`` run the load clients of ``lab.load`` at a steady pace. ``honest_ladder`` runs bots that the
arena's ladder pairs: ``python -m lab.proofs.clients`` reads a LadderJob as one JSON line and plays. For each further
line of its standard input it prints the bots' counts since the last one; it ends with its standard input. Both sides
of every match are in one process, so one clock measures the time of a move from one bot to the other.

``witnesses_play`` runs bots in this process that remember every message, to compare them with the records.
"""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from itertools import count
from random import Random

import msgspec
from aiohttp import ClientError, ClientSession, TCPConnector, WSMsgType
from msgspec import Struct, field

from arena.protocol import messages as m
from arena.protocol.codec import PROTOCOL, encode, from_arena
from lab.load.jobs import Job, Latencies, LoadBot, LoadCounts, PlayersJob, WatchersJob
from lab.processes import Child, started
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness

# ---------------------------------------------------------------- matches at a steady pace

SLOW = 0.2
"""Seconds: if half of the moves took longer to the opponent, a bot of five moves a second would lose its pace."""

FORFEITS = {"time", "disconnect", "illegal move", "bad message", "crash", "void", "resignation"}

_numbers = count(1)


@contextlib.asynccontextmanager
async def playing(
    server: Server, tables: int, game: str = "tictactoe", rate: float = 5.0, *, stamped: bool = False
) -> AsyncIterator[LoadCounts]:
    """Let new bots play ``matches`` concurrent matches, ``rate`` moves a second in each; the report is filled at the
    end.

    ``stamped``: moves carry the time at which they were sent, as in PlayersJob.
    """
    number = next(_numbers)
    tokens = await server.register(*(f"beside-{number}-{table}-{side}" for table in range(tables) for side in "ab"))
    sides = [LoadBot(name, token) for name, token in tokens.items()]
    async with _clients(
        PlayersJob([server.play_url], game, rate, list(zip(sides[::2], sides[1::2], strict=True)), stamped=stamped)
    ) as report:
        yield report


@contextlib.asynccontextmanager
async def watching(server: Server, spectators: int, game: str, watched: int) -> AsyncIterator[LoadCounts]:
    """Follow live matches, of which there must be some, until the end; the report is filled then."""
    listed = f"{server.url}/api/v1/matches?status=live&game={game}&limit={watched}"
    async with _clients(WatchersJob([server.watch_url], listed, spectators, watched)) as report:
        yield report


@contextlib.asynccontextmanager
async def _clients(job: Job) -> AsyncIterator[LoadCounts]:
    async with started("lab.load") as process:
        process.say(msgspec.json.encode(job))
        assert (await process.hear()).strip() == b"ready"
        process.say(b"next")
        report = LoadCounts()
        yield report
        process.say(b"next")
        report.add(msgspec.json.decode(await process.hear(), type=LoadCounts))


def undisturbed(report: LoadCounts) -> None:
    """Fail unless the matches continued at their pace, without a forfeit, an error or a lost connection."""
    assert report.moves, "nothing was played"
    assert not FORFEITS & set(report.endings), report.endings
    assert not report.errors, report.errors
    assert not report.reconnects + report.stalls, report
    median = report.relay.percentile(50)
    assert median is not None
    assert median < SLOW, f"half of the moves took longer than {median:.3f} s to reach the opponent"


# ---------------------------------------------------------------- bots that remember


@contextlib.asynccontextmanager
async def witnesses_play(
    witnesses: Sequence[Witness], url: Callable[[], str]
) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Let witnesses play, connecting to ``url()`` again whenever they lose the connection; yield their tasks."""
    players = [asyncio.create_task(witness.play(url)) for witness in witnesses]
    try:
        yield players
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)


# ---------------------------------------------------------------- an honest ladder

PAUSE = 0.2
"""Seconds before a lost connection is opened again."""

FAULTS = ("void", "time", "disconnect", "bad message", "crash", "illegal move")
"""Terminations that an honest bot never causes."""


class LadderJob(Struct, frozen=True):
    """The bots, their games, and the arena."""

    url: str
    tokens: dict[str, str]
    """By name of the bot."""
    games: list[str]
    pace: float = 0.0
    """Seconds that a bot thinks."""
    capacity: int = 1


class ClientCounts(Struct):
    """What the bots saw since the last question."""

    seconds: float = 0.0
    matches: int = 0
    """Matches that ended."""
    endings: dict[str, int] = field(default_factory=dict)
    """How many of them, by termination."""
    faults: dict[str, int] = field(default_factory=dict)
    """How many of them were void or lost by an honest bot for one of FAULTS, by termination."""
    moves: int = 0
    relay: Latencies = field(default_factory=Latencies)
    """From a move sent until the turn of the opponent, which is one of these bots too."""
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


class LadderClients:
    """The process as its starter sees it."""

    def __init__(self, process: Child) -> None:
        self._process = process

    async def seen(self) -> ClientCounts:
        """Return the bots' counts since the last call."""
        self._process.say(b"next")
        return msgspec.json.decode(await self._process.hear(), type=ClientCounts)

    async def play(self, seconds: float) -> ClientCounts:
        """Let the bots play for a while and return their report."""
        await self.seen()
        await asyncio.sleep(seconds)
        return await self.seen()


@contextlib.asynccontextmanager
async def honest_ladder(
    server: Server, tokens: Mapping[str, str], games: list[str], pace: float = 0.0, capacity: int = 1
) -> AsyncIterator[LadderClients]:
    """Run the process; the bots connect at once and play until the end."""
    async with started("lab.proofs.clients") as process:
        process.say(msgspec.json.encode(LadderJob(server.play_url, dict(tokens), games, pace, capacity)))
        ladder = LadderClients(process)
        await ladder.seen()
        yield ladder


class _Bots:
    """All bots of the process."""

    def __init__(self, job: LadderJob, http: ClientSession) -> None:
        self._job = job
        self._http = http
        self._random = Random(1)
        self._since = time.monotonic()
        self._seen = ClientCounts()
        self._sent: dict[tuple[int, int], float] = {}
        """When a move was sent, by match and ply."""
        self._ended: set[int] = set()
        """Matches whose end one side has heard, and the other not yet."""

    def take(self) -> ClientCounts:
        """Return the counts, and start new ones."""
        now = time.monotonic()
        seen, self._seen = self._seen, ClientCounts()
        seen.seconds, self._since = now - self._since, now
        return seen

    async def play(self, token: str) -> None:
        """Play as one bot until cancelled, and reconnect after each loss of the connection."""
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


async def _work(job: LadderJob) -> None:
    async with ClientSession(connector=TCPConnector(limit=0)) as http, asyncio.TaskGroup() as group:
        bots = _Bots(job, http)
        playing = [group.create_task(bots.play(token)) for token in job.tokens.values()]
        while await asyncio.to_thread(sys.stdin.readline):
            print(msgspec.json.encode(bots.take()).decode(), flush=True)
        for each in playing:
            each.cancel()


if __name__ == "__main__":
    asyncio.run(_work(msgspec.json.decode(sys.stdin.readline(), type=LadderJob)))
