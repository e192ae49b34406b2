# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots in pairs: one challenges the other again and again, and both play random moves at a steady pace.

Both sides of a match are in one process, so one clock measures the delay of a move.
"""

import asyncio
import time
from itertools import cycle
from random import Random

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

from arena.protocol import messages as m
from arena.protocol.codec import PROTOCOL, encode, from_arena
from lab.load.jobs import LoadBot, LoadCounts, PlayersJob

PATIENCE = 20.0
"""Seconds without a turn after which a table asks for a new match."""

AT_ONCE = 32
"""Connections that are opened at the same time."""

PAUSE = 1.0
"""Seconds before a lost connection is opened again."""


class Players:
    """All tables of a process."""

    def __init__(self, job: PlayersJob, http: ClientSession) -> None:
        self.report = LoadCounts()
        self._job = job
        self._http = http
        self._tables = [Table(self, job, one, other) for one, other in job.tables]
        self._tasks: list[asyncio.Task[None]] = []
        self._opening = asyncio.Semaphore(AT_ONCE)

    async def start(self) -> None:
        """Connect all bots and start every table, spread over the time of a move and a few seconds more."""
        players = [player for table in self._tables for player in table.players]
        for player, url in zip(players, cycle(self._job.urls)):
            self._tasks.append(asyncio.create_task(self._keep_connected(player, url)))
        await asyncio.gather(*(player.welcomed.wait() for player in players))
        self._tasks.append(asyncio.create_task(self._watch_tables()))
        for table in self._tables:
            table.challenge()
            await asyncio.sleep(0.02)
        await asyncio.gather(*(table.begun.wait() for table in self._tables))

    async def stop(self) -> None:
        """Leave."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep_connected(self, player: "LoadPlayer", url: str) -> None:
        while True:
            try:
                async with self._opening:
                    socket = await self._http.ws_connect(url, compress=0, max_msg_size=0)
                    await player.greet(socket)
                await player.listen(socket)
            except (ClientError, OSError) as error:
                self.report.error(type(error).__name__)
            self.report.reconnects += 1
            await asyncio.sleep(PAUSE)

    async def _watch_tables(self) -> None:
        while True:
            await asyncio.sleep(PATIENCE / 4)
            for table in self._tables:
                if time.monotonic() - table.last_heard > PATIENCE:
                    self.report.stalls += 1
                    table.challenge()


class Table:
    """Two bots that play each other."""

    def __init__(self, players: Players, job: PlayersJob, one: LoadBot, other: LoadBot) -> None:
        self.players = (LoadPlayer(self, one), LoadPlayer(self, other))
        self.game = job.game
        self.last_heard = time.monotonic()
        self.begun = asyncio.Event()
        """Set by the first turn."""
        self._all = players
        self._job = job
        self._random = Random()
        self._interval = 1 / job.rate
        self._due = time.monotonic() + self._random.random() * self._interval
        self._unasked: dict[tuple[int, int], float] = {}
        self._unaccepted: dict[tuple[int, int], float] = {}
        """When moves were sent after which no turn, and no acknowledgement, has come yet, by match and ply. Either may
        come first where the bots are connected to different servers.
        """
        self._left = 0
        """Matches of the current challenge that have not ended."""

    def challenge(self) -> None:
        """Send the next challenge: two matches if rated, else one."""
        self.last_heard = time.monotonic()
        self._unasked.clear()
        self._unaccepted.clear()
        self._left = 2 if self._job.rated else 1
        one, other = self.players
        one.send(m.Challenge(opponent=other.name, game=self._job.game, rated=self._job.rated))

    def heard(self, player: "LoadPlayer", message: m.ArenaMessage, at: float) -> None:
        """Process a message that a player of this table received at a time."""
        report = self._all.report
        report.frames += 1
        match message:
            case m.Turn():
                self._turn(player, message, at)
            case m.Accepted():
                sent = self._unaccepted.pop((message.match, message.ply), None)
                if sent is not None:
                    report.moves += 1
                    report.accepted.record(at - sent)
            case m.Over():
                if player is self.players[0]:
                    self._over(message)
            case m.Challenged():
                player.send(m.AnswerChallenge(challenge=message.challenge, accept=True))
            case m.ChallengeClosed():
                if message.outcome != "accepted" and player is self.players[0]:
                    report.error(f"challenge {message.outcome}")
            case m.Error():
                report.error(message.code)
            case m.Welcome():
                player.welcomed.set()

    def _turn(self, player: "LoadPlayer", turn: m.Turn, at: float) -> None:
        sent = self._unasked.pop((turn.match, turn.ply - 1), None)
        if sent is not None:
            self._all.report.relay.record(at - sent)
        self.last_heard = at
        self.begun.set()
        self._due = max(self._due + self._interval, at)
        if self._due > at + self._interval:
            self._due = at + self._interval
        choice = self._random.choice(turn.legal_moves or [""])
        asyncio.get_running_loop().call_later(self._due - at, self._move, player, turn.match, turn.ply, choice)

    def _move(self, player: "LoadPlayer", match: int, ply: int, choice: str) -> None:
        now = time.monotonic()
        info = m.Info(nodes=int(now * 1e6)) if self._job.stamped else None
        self._unasked[match, ply] = self._unaccepted[match, ply] = now
        player.send(m.Move(match=match, ply=ply, move=choice, info=info))

    def _over(self, over: m.Over) -> None:
        endings = self._all.report.endings
        endings[over.termination] = endings.get(over.termination, 0) + 1
        self.last_heard = time.monotonic()
        self._left -= 1
        if self._left <= 0:
            self.challenge()


class LoadPlayer:
    """One side of a table and its socket."""

    def __init__(self, table: Table, side: LoadBot) -> None:
        self.name = side.name
        self.welcomed = asyncio.Event()
        self._table = table
        self._token = side.token
        self._socket: ClientWebSocketResponse | None = None
        self._sending: set[asyncio.Task[None]] = set()

    async def greet(self, socket: ClientWebSocketResponse) -> None:
        """Send ``hello`` with a capacity of two matches, so that the next challenge can start while the last match
        ends.
        """
        self._socket = socket
        hello = m.Hello(
            protocol=PROTOCOL, token=self._token, games=[self._table.game], capacity=2, ladder=False, version="load"
        )
        await socket.send_str(encode(hello))

    async def listen(self, socket: ClientWebSocketResponse) -> None:
        """Process messages until the arena closes the socket."""
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                self._table.heard(self, from_arena(frame.data), time.monotonic())

    def send(self, message: m.BotMessage) -> None:
        """Send without waiting; what cannot be sent is lost with the connection."""
        if self._socket is not None and not self._socket.closed:
            task = asyncio.ensure_future(self._send(self._socket, encode(message)))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _send(self, socket: ClientWebSocketResponse, frame: str) -> None:
        try:
            await socket.send_str(frame)
        except (ClientError, OSError):
            return  # the reading side notices as well, and connects again
