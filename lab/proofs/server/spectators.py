# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectators' sockets that check what they receive, in a process of their own.

``python -m lab.proofs.server.spectators`` reads a SocketsJob as one JSON line. Each socket follows a live match to its
end, then another, and reconnects after each loss of the connection, in a cluster to the next node: then it asks only
for the moves that it lacks. For each further line of its standard input the process prints a SocketsReport; it ends
with its standard input. ``sockets_watch`` starts it, and ``compare`` holds what it received against the records.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from hashlib import blake2b
from itertools import count

import msgspec
from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector, WSMsgType
from msgspec import Struct, field

from arena.protocol.codec import encode
from arena.protocol.errors import ErrorCode
from arena.protocol.watching import Follow, LiveThinking, MatchOver, MoveMade, Refused, SeenMove, Snapshot, WatchMessage
from lab.processes import Child, started
from tests.end_to_end.server import Server

LOOK = 1.0
"""Seconds between two looks at the list of live matches, and before a lost connection is opened again."""

SILENT = 10.0
"""Seconds after which a server that answers nothing counts as lost."""

AT_ONCE = 32
"""Connections that are opened at the same time."""

MOST_FAULTS = 20
"""Maximum number of faults that a report describes."""


class SocketsJob(Struct, frozen=True):
    """The sockets, and the servers of the arena."""

    urls: list[str]
    """Of the servers' watch sockets."""
    live: list[str]
    """URLs of their lists of live matches."""
    sockets: int


class Watched(Struct, frozen=True, order=True):
    """The moves of a match that some sockets received."""

    match: int
    plies: int
    digest: str
    """Of the moves, as ``digest`` returns it."""
    whole: bool
    """Whether the sockets saw the end of the match."""


class SocketsReport(Struct):
    """What the sockets received since the start."""

    moves: int = 0
    snapshots: int = 0
    ends: int = 0
    lost: int = 0
    """Lost or refused connections."""
    resumed: int = 0
    """Matches that a socket followed further after a lost connection."""
    faults: list[str] = field(default_factory=list)
    """Moves that were missing, came twice or differed, and refusals."""
    watched: list[Watched] = field(default_factory=list)


def digest(moves: list[str]) -> str:
    """Return a digest of a list of moves."""
    return blake2b("\n".join(moves).encode(), digest_size=12).hexdigest()


class _Live(Struct):
    id: int


class _Page(Struct):
    items: list[_Live]


_messages = msgspec.json.Decoder(WatchMessage)
_pages = msgspec.json.Decoder(_Page)


class Watch:
    """The moves of one match as one socket received them: each exactly once, in order."""

    def __init__(self, match: int) -> None:
        self.match = match
        self.moves: list[str] = []
        self.over = False

    def take(self, message: Snapshot | MoveMade | MatchOver) -> str:
        """Take a message about the match; returns the fault in it, or ""."""
        match message:
            case MoveMade():
                return self._add(message.made)
            case Snapshot():
                fault = self._take_snapshot(message)
                self.over = message.seen.ending is not None and message.seen.ply == len(self.moves)
                return fault
            case MatchOver():
                self.over = True
        return ""

    def _take_snapshot(self, snapshot: Snapshot) -> str:
        if snapshot.after != len(self.moves):
            return f"a snapshot begins after ply {snapshot.after}, and the socket has {len(self.moves)}"
        if snapshot.seen.ply < len(self.moves):
            return f"a snapshot has {snapshot.seen.ply} plies, and the socket {len(self.moves)}"
        return next(filter(None, map(self._add, snapshot.moves)), "")

    def _add(self, move: SeenMove) -> str:
        if move.ply != len(self.moves) + 1:
            return f"ply {move.ply} follows ply {len(self.moves)}"
        self.moves.append(move.move)
        return ""


class _Sockets:
    """All sockets of the process."""

    def __init__(self, job: SocketsJob, http: ClientSession) -> None:
        self.report = SocketsReport()
        self._job = job
        self._http = http
        self._live: list[int] = []
        self._turns = list(range(job.sockets))
        """The next server of each socket."""
        self._looked = asyncio.Condition()
        """Notified when the list of live matches is new."""
        self._opening = asyncio.Semaphore(AT_ONCE)
        self._watches: list[Watch | None] = [None] * job.sockets
        self._seen: set[Watched] = set()

    def told(self) -> SocketsReport:
        """Return the report, with the matches that are being watched."""
        going = {_watched(watch) for watch in self._watches if watch is not None}
        self.report.watched = sorted(self._seen | going)
        return self.report

    async def look(self) -> None:
        """Renew the list of live matches."""
        for number in count():
            try:
                async with self._http.get(_chosen(self._job.live, number), timeout=ClientTimeout(SILENT)) as response:
                    self._live = [match.id for match in _pages.decode(await response.read()).items]
            except (ClientError, OSError, msgspec.DecodeError):
                pass  # the server is down; the sockets notice it as well
            else:
                async with self._looked:
                    self._looked.notify_all()
            await asyncio.sleep(LOOK)

    async def keep(self, number: int) -> None:
        """Watch with one socket until cancelled."""
        while True:
            try:
                await self._watch(number)
            except (ClientError, OSError):
                await asyncio.sleep(LOOK)
            self.report.lost += 1
            self._turns[number] += 1

    async def _watch(self, number: int) -> None:
        async with self._opening:
            url = _chosen(self._job.urls, self._turns[number])
            async with asyncio.timeout(SILENT):
                socket = await self._http.ws_connect(url, compress=0, max_msg_size=0, heartbeat=SILENT)
        async with socket:
            watch = self._watches[number]
            if watch is not None:
                self.report.resumed += 1
            while True:
                watch = watch or await self._choose(number)
                self._watches[number] = watch
                await socket.send_str(encode(Follow(match=watch.match, after=len(watch.moves))))
                while not watch.over:
                    frame = await socket.receive()
                    if frame.type is not WSMsgType.TEXT:
                        return
                    if not self._take(watch, _messages.decode(frame.data)):
                        break
                self._seen.add(_watched(watch))
                self._watches[number] = watch = None

    def _take(self, watch: Watch, message: WatchMessage) -> bool:
        """Take a message; returns whether to go on with the match."""
        match message:
            case Refused() if message.code == ErrorCode.UNKNOWN_MATCH:
                return False  # it ended while the socket was not connected
            case Snapshot(seen=seen) if seen.match == watch.match:
                self.report.snapshots += 1
            case MoveMade(match=number) if number == watch.match:
                self.report.moves += 1
            case MatchOver(match=number) if number == watch.match:
                self.report.ends += 1
            case LiveThinking():
                return True
            case _:
                self._fault(watch, f"unexpected: {message}")
                return True
        if fault := watch.take(message):
            self._fault(watch, fault)
        return True

    def _fault(self, watch: Watch, fault: str) -> None:
        if len(self.report.faults) < MOST_FAULTS:
            self.report.faults.append(f"match {watch.match}: {fault}")

    async def _choose(self, number: int) -> Watch:
        """Return a live match of the next list that has any."""
        async with self._looked:
            await self._looked.wait()
            while not self._live:
                await self._looked.wait()
            return Watch(self._live[number % len(self._live)])


def _watched(watch: Watch) -> Watched:
    return Watched(watch.match, len(watch.moves), digest(watch.moves), watch.over)


def _chosen(urls: Sequence[str], number: int) -> str:
    return urls[number % len(urls)]


async def _work(job: SocketsJob) -> None:
    async with ClientSession(connector=TCPConnector(limit=0)) as http, asyncio.TaskGroup() as group:
        sockets = _Sockets(job, http)
        tasks = [group.create_task(sockets.look())]
        tasks += [group.create_task(sockets.keep(number)) for number in range(job.sockets)]
        while await asyncio.to_thread(sys.stdin.readline):
            print(msgspec.json.encode(sockets.told()).decode(), flush=True)
        for task in tasks:
            task.cancel()


# ---------------------------------------------------------------- of the proof that starts it


@contextlib.asynccontextmanager
async def sockets_watch(servers: Sequence[Server], sockets: int) -> AsyncIterator[Child]:
    """Let so many sockets watch at each server of an arena in turn; ``told`` asks for their report."""
    live = [f"{server.url}/api/v1/matches?status=live&limit=500" for server in servers]
    async with started("lab.proofs.server.spectators") as process:
        process.say(msgspec.json.encode(SocketsJob([server.watch_url for server in servers], live, sockets)))
        yield process


async def told(process: Child) -> SocketsReport:
    """Return what the sockets have received so far."""
    process.say(b"next")
    return msgspec.json.decode(await process.hear(), type=SocketsReport)


async def compare(server: Server, watched: Sequence[Watched]) -> None:
    """Hold the moves that sockets received against the records."""
    records: dict[int, list[str]] = {}
    for each in watched:
        if each.match not in records:
            records[each.match] = [move["move"] for move in (await server.match(each.match))["moves"]]
        record = records[each.match]
        assert digest(record[: each.plies]) == each.digest, each
        assert not each.whole or each.plies == len(record), (each, len(record))


if __name__ == "__main__":
    asyncio.run(_work(msgspec.json.decode(sys.stdin.readline(), type=SocketsJob)))
