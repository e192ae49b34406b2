# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectators of live matches, who follow another match when one ends; and idle sockets."""

import asyncio
import time
from collections import Counter

import msgspec
from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

from arena.protocol.codec import encode
from arena.protocol.watching import Follow
from lab.load.jobs import LoadCounts, WatchersJob

AT_ONCE = 32
"""Connections that are opened at the same time."""

LOOK = 1.0
"""Seconds between two looks at the list of live matches."""


class _Info(msgspec.Struct):
    nodes: int = 0


class _Made(msgspec.Struct):
    info: _Info | None = None


class _Frame(msgspec.Struct):
    """The fields of messages to spectators that are read: decoding must be cheap here."""

    type: str
    made: _Made | None = None
    code: str = ""


class _Live(msgspec.Struct):
    id: int


class _Page(msgspec.Struct):
    items: list[_Live]


_frames = msgspec.json.Decoder(_Frame)
_pages = msgspec.json.Decoder(_Page)


class Watchers:
    """All spectators and idle sockets of a process."""

    def __init__(self, job: WatchersJob, http: ClientSession) -> None:
        self.report = LoadCounts()
        self._job = job
        self._http = http
        self._live: list[int] = []
        self._looked = asyncio.Condition()
        """Notified when the list of live matches is new: matches of small games end before the next look."""
        self._seen: Counter[int] = Counter()
        """How many spectators have seen a move, by its time; only where all follow one match."""
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Open all sockets; spectators follow matches as soon as there are any."""
        self._tasks.append(asyncio.create_task(self._look()))
        opening = [self._open(number) for number in range(self._job.spectators + self._job.idle)]
        for socket in await asyncio.gather(*opening):
            self._tasks.append(asyncio.create_task(self._keep(socket, len(self._tasks) - 1)))

    async def stop(self) -> None:
        """Leave."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _look(self) -> None:
        """Update the list of matches to follow: the oldest live matches."""
        while True:
            try:
                async with self._http.get(self._job.matches_url) as response:
                    listed = _pages.decode(await response.read())
                self._live = [match.id for match in listed.items][-self._job.watched :]
                async with self._looked:
                    self._looked.notify_all()
            except (ClientError, OSError, ValueError) as error:
                self.report.error(type(error).__name__)
            await asyncio.sleep(LOOK)

    async def _open(self, number: int) -> ClientWebSocketResponse:
        urls = self._job.urls
        async with self._slots:
            url = urls[number // self._job.watched % len(urls)]
            return await self._http.ws_connect(url, compress=0, max_msg_size=0)

    async def _keep(self, socket: ClientWebSocketResponse, number: int) -> None:
        """Watch, or sit idle, for as long as the socket is open; then open another."""
        while True:
            try:
                if number < self._job.spectators:
                    await self._follow(socket, number)
                await self._listen(socket, number)
                socket = await self._open(number)
            except (ClientError, OSError) as error:
                self.report.error(type(error).__name__)
                await asyncio.sleep(LOOK)
            self.report.reconnects += 1

    async def _listen(self, socket: ClientWebSocketResponse, number: int) -> None:
        async for frame in socket:
            if frame.type is not WSMsgType.TEXT:
                continue
            now = time.monotonic()
            report = self.report  # measuring begins with a new one
            report.frames += 1
            seen = _frames.decode(frame.data)
            if seen.made is not None:
                if seen.made.info is not None:
                    self._saw(seen.made.info.nodes, now)
            elif seen.type == "match-over" or seen.code == "unknown-match":
                await self._follow(socket, number)
            elif seen.code:
                report.error(seen.code)

    def _saw(self, stamp: int, now: float) -> None:
        """Note that a spectator saw the move that was sent at ``stamp``, in microseconds."""
        self.report.watched.record(now - stamp / 1e6)
        if self._job.watched == 1:
            self._seen[stamp] += 1
            if self._seen[stamp] == self._job.spectators:
                del self._seen[stamp]
                self.report.everybody.record(now - stamp / 1e6)

    async def _follow(self, socket: ClientWebSocketResponse, number: int) -> None:
        """Follow one of the live matches of the next list that has any."""
        async with self._looked:
            await self._looked.wait()
            while not self._live:
                await self._looked.wait()
        await socket.send_str(encode(Follow(match=self._live[number % len(self._live)])))
