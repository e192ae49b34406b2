# SPDX-License-Identifier: GPL-3.0-or-later
"""Attackers that hold connections: slow readers, bodies without a token, silent sockets, unknown tokens, idle requests.

Each attacker is a coroutine that runs until it is cancelled and counts into a ``Counter``.

- ``not_reading(port, path, counts)``: keep one connection open that asked for ``path`` and never reads; connect again
  when the server has closed it. Counts ``asked`` and ``cut off``.
- ``dripping(port, path, counts, rate)``: the same, reading ``rate`` bytes a second.
- ``not_reading_socket(port, counts, messages)``: the same on the spectators' socket, after some messages.
- ``posting(port, path, counts, body, headers)``: post a body again and again. Counts answers by status.
- ``attack(port, paths, each)``: an async context that runs ``each`` non-readers on every path at once.

Silent peers count ``opened``, and ends: ``closed`` with a WebSocket's code, ``reset``, or ``refused`` with a status.

- ``silent_sockets(port, path, counts, most)``: keep so many sockets open and say nothing on them.
- ``unknown_tokens(port, counts, most)``: say hello with unknown tokens, so many at a time.
- ``reconnecting(port, token, counts, most)``: connect with one token again and again, so many at a time.
- ``idle_requests(port, counts, most, said)``: keep so many connections open that said ``HALF`` a request, or one and no
  other (``WHOLE``), or nothing (``NOTHING``).

``address`` is the attackers' own: any of 127.0.0.0/8 counts as another client where the system lets programs use it.

``big_match(store)`` writes a finished match of 100 MB into a database, ``gzipped(size)`` makes a body that inflates to
1,000 times its length, and ``Peak`` measures the most memory that a process had.
"""

import asyncio
import gzip
import itertools
import json
import select
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from itertools import count
from random import Random

import chess

from arena.connections.admission import hash_token
from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.store import Store
from arena.store.rows import NewMatch
from engine.match.ending import Ending, Termination
from engine.match.events import Ended, Expected, Info, Moved, encode_event
from lab.processes import usage_of
from lab.proofs.attacks.bad_connections import CLOSE, TEXT, RawSocket, frame, handshake

LOOPBACK = "127.0.0.1"

WINDOW = 4096
"""Bytes that an attacker's system takes for it, about."""

LOOK = 0.1
"""Seconds between two looks whether the server has hung up."""

_GONE = select.POLLERR | select.POLLHUP | getattr(select, "POLLRDHUP", 0)


async def asked(port: int, request: bytes, address: str = LOOPBACK) -> socket.socket:
    """Return a connection on which a request was sent, with the smallest receive buffer."""
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
        connection.setblocking(False)
        connection.bind((address, 0))
        loop = asyncio.get_running_loop()
        await loop.sock_connect(connection, ("127.0.0.1", port))
        await loop.sock_sendall(connection, request)
    except BaseException:
        connection.close()
        raise
    return connection


def hung_up(connection: socket.socket) -> bool:
    """Tell whether the server has ended a connection, without reading from it."""
    poll = select.poll()
    poll.register(connection, _GONE)
    return bool(poll.poll(0))


async def not_reading(port: int, path: str, counts: Counter[str], address: str = LOOPBACK) -> None:
    """Ask for ``path``, read nothing, and connect again when cut off, until cancelled."""
    await _holding(port, get(port, path), counts, address)


async def dripping(port: int, path: str, counts: Counter[str], rate: int, address: str = LOOPBACK) -> None:
    """Ask for ``path`` and read ``rate`` bytes a second of it; connect again when cut off, until cancelled."""
    await _holding(port, get(port, path), counts, address, rate)


async def not_reading_socket(
    port: int, counts: Counter[str], messages: Sequence[Mapping[str, object]], address: str = LOOPBACK
) -> None:
    """Open the spectators' socket, say ``messages``, read nothing, and connect again when cut off, until cancelled."""
    said = b"".join(frame(TEXT, json.dumps(message).encode()) for message in messages)
    await _holding(port, handshake(port, WATCH_PATH) + said, counts, address)


async def _holding(port: int, request: bytes, counts: Counter[str], address: str, rate: int = 0) -> None:
    loop = asyncio.get_running_loop()
    while True:
        try:
            connection = await asked(port, request, address)
        except OSError:
            counts["refused"] += 1
            await asyncio.sleep(LOOK)
            continue
        counts["asked"] += 1
        try:
            while not hung_up(connection):
                await asyncio.sleep(LOOK)
                if rate:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(loop.sock_recv(connection, max(1, int(rate * LOOK))), LOOK)
            counts["cut off"] += 1
        except OSError:
            counts["cut off"] += 1
        finally:
            connection.close()


@asynccontextmanager
async def attack(port: int, paths: Sequence[str], each: int, address: str = LOOPBACK) -> AsyncIterator[Counter[str]]:
    """Run ``each`` attackers that do not read on every path."""
    counts = Counter[str]()
    tasks = [asyncio.create_task(not_reading(port, path, counts, address)) for path in paths for _ in range(each)]
    try:
        yield counts
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def get(port: int, path: str) -> bytes:
    """Return a request that wants nothing compressed."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


# ---------------------------------------------------------------- bodies


def gzipped(size: int) -> bytes:
    """Return ``size`` bytes, about, that inflate to 1,000 times as many."""
    return gzip.compress(b" " * (size * 1_000), 6)


async def posting(
    port: int, path: str, counts: Counter[str], body: bytes, headers: Mapping[str, str], rounds: int = 0
) -> None:
    """Post a body again and again, or so many times, and count the answers by status."""
    number = 0
    while not rounds or number < rounds:
        number += 1
        counts[await post(port, path, body, headers)] += 1


async def post(port: int, path: str, body: bytes, headers: Mapping[str, str]) -> str:
    """Post a body, however little of it is taken, and return the status of the answer, "reset" where none came.

    The connection stays open for as long as the server leaves it so.
    """
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n"
    head += "Connection: close\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head.encode() + b"\r\n")
        writer.write(body)
        line = await reader.readline()
        status = line.decode("latin-1").split(" ")[1] if line else "reset"
        with suppress(ConnectionError):
            while await reader.read(65_536):
                pass
        return status
    except ConnectionError:
        return "reset"
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


# ---------------------------------------------------------------- a match of 100 MB

GAME = "chess"
FIFTY_MOVES = 100
"""Plies without a capture or a pawn's move after which a game of chess is drawn."""
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
"""Moves that chess allows without end, if no player claims a draw."""


def legal_moves(count: int) -> list[str]:
    """Return the moves of a random game of chess that no rule ends before so many."""
    for seed in itertools.count():
        random, board = Random(seed), chess.Board()
        while len(board.move_stack) < count:
            board.push(random.choice(list(board.legal_moves)))
            if board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= FIFTY_MOVES:
                break
        else:
            return [move.uci() for move in board.move_stack]
    raise AssertionError


def big_events(moves: int, size: int, played: Sequence[str] = SHUFFLE) -> Iterator[tuple[int, bytes]]:
    """Yield so many moves, repeating those ``played``, each with about ``size`` bytes of search info."""
    text = "\N{MUSICAL SYMBOL G CLEF}" * max(1, min(100, size // (4 * 80)))  # four bytes each
    info = Info(score=0.1, depth=30, nodes=10**9, pv=(text,) * 64, expected=(Expected(text, 0.01),) * 16)
    for number in range(moves):
        yield number, encode_event(Moved(number + 1, number % 2, played[number % len(played)], 10, 60_000, info=info))


async def big_match(
    store: Store, moves: int = 3_300, size: int = 31_000, name: str = "big", played: Sequence[str] = SHUFFLE
) -> int:
    """Write a finished match of ``moves`` moves, repeating those ``played``, with ``size`` bytes of search info each;
    return its number.
    """
    versions = []
    for number in (1, 2):
        bot = await store.bots.add(f"{name}-{number}", hash_token(f"{name} {number}"))
        versions.append(await store.bots.version(bot.id, "1"))
    new = replace(NEW, players=(versions[0].id, versions[1].id))
    match = await store.matches.start(new)
    part: list[tuple[int, bytes]] = []
    for event in big_events(moves, size, played):
        part.append(event)
        if len(part) == 100:
            await store.matches.append(match, part)
            part = []
    ending = Ending("1-0", Termination.RESIGNATION)
    part.append((moves, encode_event(Ended(ending))))
    await store.matches.finish(match, result=ending.result, termination=ending.termination, plies=moves, events=part)
    return match


NEW = NewMatch(
    game=GAME,
    time_class="bullet",
    time_control="60+0",
    rated=False,
    seed=1,
    start=None,
    opening=(),
    players=(0, 0),
)


# ---------------------------------------------------------------- memory


class Peak:
    """The most memory that a process had while this was open (``async with``), over what it had at first, in bytes."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._task: asyncio.Task[None] | None = None
        self.first = self.most = 0
        self.cpu = 0.0
        """Seconds of processors that it used meanwhile."""

    @property
    def growth(self) -> int:
        """Bytes by which the most exceeds the first."""
        return self.most - self.first

    async def __aenter__(self) -> "Peak":
        self.first = self.most = self._now()[0]
        self._cpu_before = self._now()[1]
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        memory, cpu = self._now()
        self.most = max(self.most, memory)
        self.cpu = cpu - self._cpu_before

    def _now(self) -> tuple[int, float]:
        usage = usage_of(self._pid)
        return (usage.bytes, usage.cpu) if usage else (self.most, 0.0)

    async def _watch(self) -> None:
        while True:
            self.most = max(self.most, self._now()[0])
            await asyncio.sleep(0.02)


# ---------------------------------------------------------------- silent peers

PAUSE = 0.01
"""Seconds before a connection that ended is opened again."""

NOTHING = b""
HALF = b"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n"
WHOLE = HALF + b"\r\n"

Counts = Counter[str]

_guesses = count(1)


async def silent_sockets(port: int, path: str, counts: Counts, most: int, address: str = LOOPBACK) -> None:
    """Keep ``most`` sockets open and say nothing on them, until cancelled."""

    async def wait() -> None:
        await _to_its_end(await RawSocket.open(port, path, address), counts)

    await _keep(wait, counts, most)


async def unknown_tokens(port: int, counts: Counts, most: int = 10, address: str = LOOPBACK) -> None:
    """Say hello with one made-up token after another, until cancelled."""

    async def guess() -> None:
        socket = await RawSocket.open(port, PLAY_PATH, address)
        socket.writer.write(hello(f"guess {next(_guesses)}"))
        await _to_its_end(socket, counts)

    await _keep(guess, counts, most)


async def reconnecting(port: int, token: str, counts: Counts, most: int = 10, address: str = LOOPBACK) -> None:
    """Connect with a token again and again, until cancelled."""

    async def come() -> None:
        socket = await RawSocket.open(port, PLAY_PATH, address)
        try:
            socket.writer.write(hello(token))
            while (answer := await socket.read()).opcode not in (TEXT, CLOSE):
                pass
            counts["welcomed" if b'"welcome"' in answer.payload else "turned away"] += 1
        finally:
            socket.abort()

    await _keep(come, counts, most)


async def idle_requests(port: int, counts: Counts, most: int, said: bytes = HALF, address: str = LOOPBACK) -> None:
    """Keep ``most`` connections open that said so much of a request, until cancelled."""

    async def idle() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        try:
            writer.write(said)
            while await reader.read(65_536):
                pass
            counts["closed"] += 1
        finally:
            writer.transport.abort()

    await _keep(idle, counts, most)


def hello(token: str) -> bytes:
    """Return a bot's first message as a frame."""
    return frame(TEXT, json.dumps({"type": "hello", "protocol": 1, "token": token, "games": ["nim"]}).encode())


async def _keep(attack: Callable[[], Awaitable[None]], counts: Counts, most: int) -> None:
    """Do something ``most`` times at once, each again as soon as it ended."""

    async def again() -> None:
        while True:
            try:
                counts["opened"] += 1
                await attack()
            except AssertionError:  # the handshake was refused
                counts["refused"] += 1
            except (OSError, asyncio.IncompleteReadError):
                counts["reset"] += 1
            await asyncio.sleep(PAUSE)

    async with asyncio.TaskGroup() as group:
        for _ in range(most):
            group.create_task(again())


async def _to_its_end(socket: RawSocket, counts: Counts) -> None:
    """Read until the arena closes the socket, and close it without a word."""
    try:
        while (heard := await socket.read()).opcode != CLOSE:
            pass
        counts[f"closed with {heard.code}"] += 1
    finally:
        socket.abort()
