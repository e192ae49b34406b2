# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that stop reading, or are gone without a word: the door lets go of them by itself."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.protocol.codec import WATCH_PATH
from arena.protocol.errors import CloseCode
from tests.arena.clock import standing_clock
from tests.arena.peers import PATIENCE
from tests.web.door import Door, opened, unhurried
from web import sockets
from web.answer_limits import PENDING_ANSWERS

pytestmark = pytest.mark.asyncio(loop_scope="session")

PING = b"\x89"
"""The first byte of a ping."""


class Talker:
    """An arena's side of a socket that has so much to say, and notes when the peer is lost."""

    close_code = CloseCode.NORMAL
    close_reason = ""
    over = False
    bounded = True
    stir: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, frames: int, size: int = 100_000) -> None:
        self.gone = asyncio.Event()
        self._frames = frames
        self._size = size

    def receive(self, frame: str | bytes) -> None:
        raise AssertionError(f"the peer says nothing, not {frame!r}")

    def next_frame(self) -> str | None:
        if self._frames < 0:
            raise RuntimeError("broken")
        if not self._frames:
            return None
        self._frames -= 1
        return "x" * self._size

    known = False

    def flood(self) -> None:
        raise AssertionError("the peer says nothing")

    def lost(self) -> None:
        self.over = True
        self.gone.set()


@asynccontextmanager
async def silent_peer(door: Door) -> AsyncIterator[asyncio.StreamReader]:
    """Open the spectators' socket and never read from it, nor answer a ping."""
    host, _, port = door.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
    try:
        writer.write(
            f"GET {WATCH_PATH} HTTP/1.1\r\nHost: {door.address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 101")
        yield reader
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)  # the transport closes in the loop's next round


@pytest.fixture
def talker(door: Door, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Talker:
    """What the next spectator hears."""
    talker = Talker(*request.param)
    monkeypatch.setattr(door.arena, "watch", lambda remote: talker)
    return talker


@pytest.mark.parametrize("talker", [(1000,), (1, 30_000_000)], indirect=True)
async def test_a_spectator_that_does_not_read_is_disconnected(
    door: Door, talker: Talker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "WRITE_LIMIT", 0.2)
    async with silent_peer(door), asyncio.timeout(PATIENCE):
        await talker.gone.wait()


async def test_unsent_frames_of_one_address_are_limited(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """One may be sent more than its share; of two the later one is cut off."""
    talkers: list[Talker] = []

    def watch(remote: str) -> Talker:
        talkers.append(Talker(1000))
        return talkers[-1]

    monkeypatch.setattr(door.arena, "watch", watch)
    monkeypatch.setattr(door.application[PENDING_ANSWERS], "_most_of_one", 150_000)
    async with silent_peer(door):
        async with asyncio.timeout(PATIENCE):
            while door.application[PENDING_ANSWERS].held < 100_000:  # noqa: ASYNC110  # nothing else tells of it
                await asyncio.sleep(0.01)
        async with silent_peer(door), asyncio.timeout(PATIENCE):
            await talkers[1].gone.wait()
        assert not talkers[0].gone.is_set()


@pytest.mark.parametrize("talker", [(0,)], indirect=True)
async def test_a_peer_without_pongs_is_disconnected(
    door: Door, talker: Talker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "HEARTBEAT", 0.2)
    async with silent_peer(door), asyncio.timeout(PATIENCE):
        await talker.gone.wait()


@pytest.mark.parametrize("talker", [(0,)], indirect=True)
async def test_a_blocked_server_disconnects_no_living_peer(door: Door, talker: Talker) -> None:
    with standing_clock() as clock:
        async with silent_peer(door) as reader:
            await reader.readuntil(b"\r\n\r\n")
            await clock.go(3600.0)
            assert await reader.readexactly(1) == PING
            await clock.go(0.9)
            assert not talker.gone.is_set()
            await clock.go(0.2)
            await talker.gone.wait()


async def test_pings_of_idle_sockets_are_spread(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above five seconds aiohttp by itself would round every period to whole seconds of the clock."""
    monkeypatch.setattr(sockets, "HEARTBEAT", 6.0)
    monkeypatch.setattr(sockets, "SOONEST", 0.9)
    monkeypatch.setattr(door.arena, "watch", lambda remote: Talker(0))
    times: list[float] = []
    waiting = 60
    with standing_clock() as clock:

        async def pinged() -> None:
            nonlocal waiting
            async with silent_peer(door) as reader:
                await reader.readuntil(b"\r\n\r\n")
                waiting -= 1
                assert await reader.readexactly(1) == PING
                times.append(clock.now)

        every = asyncio.gather(*(pinged() for _ in range(waiting)))
        while not every.done():
            if not waiting:
                await clock.go(0.01)
            await asyncio.to_thread(time.sleep, 0.002)  # sent frames arrive
        await every
    crowds = [sum(1 for other in times if 0 <= other - time < 0.05) for time in times]
    assert max(crowds) < 30, times


@pytest.mark.parametrize("talker", [(0,)], indirect=True)
async def test_a_connection_lost_without_a_close_frame_ends_the_session(door: Door, talker: Talker) -> None:
    async with silent_peer(door):
        assert not talker.gone.is_set()
    async with asyncio.timeout(PATIENCE):
        await talker.gone.wait()


@pytest.mark.parametrize("talker", [(-1,)], indirect=True)
async def test_a_failed_ping_is_logged(door: Door, talker: Talker) -> None:
    async with silent_peer(door), asyncio.timeout(PATIENCE):
        await talker.gone.wait()


REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("said", [b"", REQUEST[:-2], REQUEST, REQUEST + REQUEST[:-2]], ids=len)
async def test_a_connection_without_a_complete_request_is_closed(tmp_path: Path, said: bytes) -> None:
    """Also one that drips: a header now and then is no request. One that was answered may send another."""
    async with opened(tmp_path, unhurried("nim", ladder=False), patience=0.5) as door:
        host, _, port = door.address.partition(":")
        began = asyncio.get_running_loop().time()
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(said)
        while not reader.at_eof():
            assert asyncio.get_running_loop().time() - began < PATIENCE
            if not said.endswith(b"\r\n\r\n"):
                writer.write(b"X-Drop: a\r\n"[: len(said)])
            try:
                await asyncio.wait_for(reader.read(4096), 0.05)
            except TimeoutError:
                pass
            except ConnectionError:
                break  # the last drop came too late
        assert asyncio.get_running_loop().time() - began > 0.3
        writer.close()


async def test_open_sockets_are_not_closed_as_incomplete_requests(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("nim", ladder=False), patience=0.2) as door:
        with standing_clock() as clock:
            async with door.http.ws_connect(door.watch_url) as socket:
                await clock.go(1.0)
                await socket.send_str('{"type": "follow-lobby"}')
                assert "lobby" in await socket.receive_str()
