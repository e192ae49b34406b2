# SPDX-License-Identifier: GPL-3.0-or-later
"""Pumps: processes that flood a port of this machine over many connections, as an attacker without a token would.

``async with pumping(port, "pings", sockets=12) as pumped`` starts one pump in a process of its own and ends it with the
block; then ``pumped`` has its bytes and its number of connections. ``sink()`` is a process that takes all
of it and answers nothing, so that the same pump into a sink is the fair figure to compare with: the pump itself takes a
processor. ``PUMPS`` lists them by name. A pump connects again as soon as the arena closes it, reads and drops all
messages, and ends by itself after ``MOST_SECONDS``, even if the process that started it has ended.

By hand: ``python -m lab.proofs.attacks.pumps PORT NAME [SOCKETS] [BYTES_PER_SECOND] [ADDRESS]``; an end of standard
input stops it.
"""

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping

import msgspec

from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from lab.processes import started
from lab.proofs.attacks.bad_connections import CONTINUATION, PING, PONG, TEXT, frame, handshake

MOST_SECONDS = 900.0
"""After which a pump ends by itself."""

PIECE = 65_536
"""Bytes written in one go, about."""

AGAIN = 0.01
"""Seconds until a pump that was refused a connection tries again."""

MESSAGE = b'{"type":"unfollow","match":1}'
"""A valid message of a spectator."""


class Pumped(msgspec.Struct):
    """Counts of a pump, over all connections."""

    sent: int = 0
    """Bytes."""
    heard: int = 0
    """Bytes."""
    connections: int = 0
    refused: int = 0
    """Connections that could not be opened, or whose handshake was refused."""
    seconds: float = 0.0


class Pump(msgspec.Struct, frozen=True):
    """One kind of flood."""

    piece: bytes
    """The bytes to send again and again."""
    upgrade: str = ""
    """The path of the socket that is opened first; empty: plain HTTP, or whatever it is."""
    first: bytes = b""
    """The bytes to send first on each connection."""
    hang_up: bool = False
    """Whether a connection is hung up after one piece."""
    pause: float = 0.0
    """Seconds between two pieces."""
    crowd: int = 1
    """Connections for each one that is asked for."""


def _many(piece: bytes) -> bytes:
    return piece * max(1, PIECE // len(piece))


def _request(method: str, path: str, body: bytes = b"") -> bytes:
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{length}\r\n".encode() + body


def _fragments(text: bytes) -> bytes:
    """Return a message in fragments of a byte each."""
    parts = [frame(TEXT, text[:1], final=False)]
    parts += [frame(CONTINUATION, text[at : at + 1], final=at == len(text) - 1) for at in range(1, len(text))]
    return b"".join(parts)


_BODY = b'{"name": "' + b"x" * 1000 + b'"}'

PUMPS: Mapping[str, Pump] = {
    "pings": Pump(_many(frame(PING)), WATCH_PATH),
    "pings to play": Pump(_many(frame(PING)), PLAY_PATH),
    "pongs": Pump(_many(frame(PONG)), WATCH_PATH),
    "continuations": Pump(_many(frame(CONTINUATION, final=False)), WATCH_PATH, frame(TEXT, b"{", final=False)),
    "fragments": Pump(_many(_fragments(MESSAGE)), WATCH_PATH),
    "messages": Pump(_many(frame(TEXT, MESSAGE)), WATCH_PATH),
    "lobbies": Pump(_many(frame(TEXT, b'{"type":"follow-lobby","boards":50}')), WATCH_PATH),
    "invalid frames": Pump(_many(frame(TEXT, MESSAGE, reserved=7)), WATCH_PATH),
    "unmasked frames": Pump(_many(frame(TEXT, MESSAGE, masked=False)), WATCH_PATH),
    "handshakes": Pump(frame(PING), WATCH_PATH, hang_up=True),
    "unknown tokens": Pump(
        frame(TEXT, b'{"type":"hello","protocol":1,"token":"nobody","games":["nim"]}'), PLAY_PATH, hang_up=True
    ),
    "connections": Pump(b"", hang_up=True),
    "no HTTP": Pump(b"hello there\r\n\r\n" * 20, hang_up=True),
    "pages": Pump(_many(_request("GET", "/"))),
    "probes": Pump(_many(_request("GET", "/healthz"))),
    "status": Pump(_many(_request("GET", "/api/v1/status"))),
    "lists": Pump(_many(_request("GET", "/api/v1/matches?limit=100"))),
    "missing pages": Pump(_many(_request("GET", "/nothing"))),
    "heads": Pump(_many(_request("HEAD", "/"))),
    "bodies": Pump(_many(_request("POST", "/api/v1/bots", _BODY))),
    "single requests": Pump(_request("GET", "/api/v1/status"), hang_up=True),
    "drip": Pump(b"a", first=b"GET / HTTP/1.1\r\nX-Drip: ", pause=0.01, crowd=20),
}
"""The floods by name: frames and messages on sockets, connections and handshakes, pipelined HTTP, a slow drip."""


@contextlib.asynccontextmanager
async def pumping(
    port: int, name: str, sockets: int = 12, rate: float = 0.0, address: str = "127.0.0.1"
) -> AsyncIterator[Pumped]:
    """Pump into a port of this machine; the counts are filled in at the end.

    ``rate``: bytes a second at most, over all ``sockets``; 0: as much as is taken. ``address``: the pump's own.
    """
    assert name in PUMPS
    async with started("lab.proofs.attacks.pumps", str(port), name, str(sockets), str(rate), address) as process:
        await process.hear()
        pumped = Pumped()
        yield pumped
        told = msgspec.json.decode(await process.finish(), type=Pumped)
        for field in Pumped.__struct_fields__:
            setattr(pumped, field, getattr(told, field))


@contextlib.asynccontextmanager
async def sink() -> AsyncIterator[int]:
    """Run a process that reads all bytes, and answers handshakes of WebSockets; yields its port."""
    async with started("lab.proofs.attacks.pumps", "sink") as process:
        yield int(await process.hear())


# ---------------------------------------------------------------- in the process of a pump


class _Flood:
    """A pump at work."""

    def __init__(self, pump: Pump, port: int, rate: float, own: str) -> None:
        """``rate``: bytes a second of one connection; 0: as much as is taken. ``own``: the address it comes from."""
        self.pumped = Pumped()
        self._pump = pump
        self._address = ("127.0.0.1", port)
        self._own = (own, 0)
        self._rate = rate
        self._loop = asyncio.get_running_loop()

    async def keep_on(self) -> None:
        """Connect and pump again and again, until cancelled."""
        while True:
            connection = socket.socket()
            connection.setblocking(False)
            try:
                connection.bind(self._own)
                await self._loop.sock_connect(connection, self._address)
                self.pumped.connections += 1
                if not await self._shake_hands(connection):
                    raise ConnectionError
                reading = asyncio.create_task(self._read(connection))
                try:
                    await self._pour(connection, reading)
                finally:
                    reading.cancel()
                    await asyncio.wait({reading})
            except OSError:
                self.pumped.refused += 1
                await asyncio.sleep(AGAIN)
            finally:
                connection.close()

    async def _shake_hands(self, connection: socket.socket) -> bool:
        if not self._pump.upgrade:
            return True
        await self._loop.sock_sendall(connection, handshake(self._address[1], self._pump.upgrade))
        head = b""
        while b"\r\n\r\n" not in head:
            piece = await self._loop.sock_recv(connection, 4096)
            if not piece:
                return False
            head += piece
        return head.startswith(b"HTTP/1.1 101")

    async def _pour(self, connection: socket.socket, reading: asyncio.Task[None]) -> None:
        """Send until the peer has hung up."""
        if self._pump.first:
            await self._loop.sock_sendall(connection, self._pump.first)
        try:
            while not reading.done():
                if self._pump.piece:
                    await self._loop.sock_sendall(connection, self._pump.piece)
                self.pumped.sent += len(self._pump.piece)
                if self._pump.hang_up:
                    return
                await asyncio.sleep(self._pump.pause or (len(self._pump.piece) / self._rate if self._rate else 0))
        except ConnectionError:
            return

    async def _read(self, connection: socket.socket) -> None:
        """Read and forget until the peer has hung up."""
        with contextlib.suppress(OSError):
            while piece := await self._loop.sock_recv(connection, 1 << 18):
                self.pumped.heard += len(piece)


async def _pump(port: int, name: str, sockets: int, rate: float, own: str) -> None:
    pump, loop = PUMPS[name], asyncio.get_running_loop()
    flood = _Flood(pump, port, rate / sockets, own)
    began = loop.time()
    tasks = [asyncio.create_task(flood.keep_on()) for _ in range(sockets * pump.crowd)]
    print(flush=True)
    ended = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), ended.set)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), MOST_SECONDS)
    loop.remove_reader(sys.stdin.fileno())
    flood.pumped.seconds = loop.time() - began
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    print(msgspec.json.encode(flood.pumped).decode(), flush=True)


class _Sink(asyncio.Protocol):
    """Answers a handshake, and nothing else."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._answer: Callable[[bytes], object] | None = None
        if isinstance(transport, asyncio.WriteTransport):
            self._answer = transport.write

    def data_received(self, data: bytes) -> None:
        if self._answer is not None and b"Upgrade: websocket" in data:
            self._answer(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        self._answer = None


async def _sink() -> None:
    server = await asyncio.get_running_loop().create_server(_Sink, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with asyncio.timeout(MOST_SECONDS):
        await server.serve_forever()


def main() -> None:
    """Do what the command line says."""
    if sys.argv[1] == "sink":
        asyncio.run(_sink())
    else:
        port, name, *others = sys.argv[1:]
        sockets, rate, own = (*others, *("1", "0", "127.0.0.1")[len(others) :])
        asyncio.run(_pump(int(port), name, int(sockets), float(rate), own))


if __name__ == "__main__":
    main()
