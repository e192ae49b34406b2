# SPDX-License-Identifier: GPL-3.0-or-later
"""Floods on real connections: held back, and closed where they do not end; honest peers notice nothing."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from unittest.mock import patch

import pytest
from aiohttp import ClientSession, base_protocol, web, web_protocol

from arena.protocol.codec import PLAY_PATH, WATCH_PATH
from arena.protocol.errors import CloseCode
from arena.settings import Settings
from lab.proofs.attacks.bad_connections import CLOSE, CONTINUATION, PING, PONG, TEXT, Frame, RawSocket, frame
from tests.arena.clock import standing_clock
from tests.arena.peers import PATIENCE, until
from tests.web.door import Door
from web.intake import connection, scheduling
from web.intake.connection import IDENTIFY, IntakeConnection, IntakeRunner, PartLimits, attend
from web.intake.connection_limits import CONNECTION_LIMITS, ConnectionLimits
from web.intake.scheduling import VisitorScheduler
from web.prefix import PATH_PREFIX

pytestmark = pytest.mark.asyncio(loop_scope="session")

FLOODS = {
    "pings": frame(PING),
    "pongs": frame(PONG),
    "continuations": frame(CONTINUATION, final=False),
    "fragments": frame(TEXT, b"{", final=False) + 30 * frame(CONTINUATION, b" ", final=False) + frame(CONTINUATION),
}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Close each connection that would have to wait."""
    monkeypatch.setattr(connection, "PERSISTENCE", 0.0)


async def _pour(socket: RawSocket, flood: bytes) -> None:
    """Write a flood until the peer has enough."""
    with suppress(ConnectionError):
        while True:
            socket.writer.write(flood * (65_536 // len(flood)))
            await socket.writer.drain()
            await asyncio.sleep(0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("path", [PLAY_PATH, WATCH_PATH])
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS.keys())
async def test_too_many_control_frames_close_with_4429(door: Door, path: str, flood: bytes) -> None:
    socket = await RawSocket.open(int(door.address.partition(":")[2]), path)
    if flood == FLOODS["continuations"]:
        socket.writer.write(frame(TEXT, b"{", final=False))
    pouring = asyncio.create_task(_pour(socket, flood))
    async with asyncio.timeout(PATIENCE):
        assert await socket.closed() in (CloseCode.FLOODING, None), "None: the flood was still under way"
        await pouring


@pytest.mark.usefixtures("impatient")
async def test_a_peer_that_stops_flooding_receives_the_reason(door: Door) -> None:
    socket = await RawSocket.open(int(door.address.partition(":")[2]), WATCH_PATH)
    with standing_clock():  # however slowly they are read, they come at once
        socket.writer.write(frame(PONG) * 150)
        assert await socket.closed() == CloseCode.FLOODING


async def test_an_honest_ping_is_answered(door: Door) -> None:
    for path in (PLAY_PATH, WATCH_PATH):
        socket = await RawSocket.open(int(door.address.partition(":")[2]), path)
        socket.writer.write(frame(PING, b"are you there?") * 20)
        async with asyncio.timeout(PATIENCE):
            heard = [await socket.read() for _ in range(20)]
            while sum(each.opcode == PONG for each in heard) < 20:  # the arena pings as well
                heard.append(await socket.read())
            assert [each for each in heard if each.opcode == PONG] == [Frame(PONG, b"are you there?")] * 20
            await socket.hang_up()


async def test_a_message_in_many_fragments_is_delayed_and_read(door: Door) -> None:
    socket = await RawSocket.open(int(door.address.partition(":")[2]), WATCH_PATH)
    text = b'{"type":"follow","match":999999999999}'
    for at in range(len(text)):
        socket.writer.write(frame(CONTINUATION if at else TEXT, text[at : at + 1], final=at == len(text) - 1))
    async with asyncio.timeout(PATIENCE):
        assert (await socket.hear("refused"))["code"] == "unknown-match"
        await socket.hang_up()


# ---------------------------------------------------------------- an application without an arena


@dataclass
class Sender:
    """The sender on the socket of ``served``."""

    known: bool = False
    floods: int = 0
    heard: list[str] = field(default_factory=list)

    def flood(self) -> None:
        self.floods += 1


@dataclass
class Served:
    """A small application."""

    port: int
    runner: IntakeRunner
    sender: Sender
    answered: int = 0

    @property
    def connections(self) -> list[IntakeConnection]:
        assert self.runner.server is not None
        return [each for each in self.runner.server.connections if isinstance(each, IntakeConnection)]

    @contextmanager
    def spent(self) -> Iterator[VisitorScheduler]:
        """Have nothing left for visitors, as under a flood that never ends."""
        visitors = self.runner.turns
        visitors.bot_heard()
        visitors.spend("here", 1e6)
        yield visitors
        visitors.spend("here", -1e6)
        visitors._next_round()


@asynccontextmanager
async def served(limits: PartLimits) -> AsyncIterator[Served]:
    application, sender = web.Application(), Sender()

    async def socket(request: web.Request) -> web.WebSocketResponse:
        opened = web.WebSocketResponse()
        await opened.prepare(request)
        attend(request, sender)
        async for message in opened:
            sender.heard.append(message.data)
            await opened.send_str(message.data)
        return opened

    async def page(request: web.Request) -> web.Response:
        serving.answered += 1
        if request.path == "/last":  # from then on there is nothing left for visitors
            runner.turns.bot_heard()
            runner.turns.spend("here", 1e6)
        return web.Response(text=request.path)

    application.router.add_get("/socket", socket)
    application.router.add_get("/{name}", page)
    application[CONNECTION_LIMITS] = ConnectionLimits(Settings())
    application[PATH_PREFIX] = ""
    application[IDENTIFY] = lambda request: request.headers.get("X-Name", "")
    runner = IntakeRunner(application, 0.5, limits, shutdown_timeout=0.1)
    with patch.object(scheduling, "DEBT", inf), patch.object(scheduling, "QUIET", inf):
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        serving = Served(runner.addresses[0][1], runner, sender)
        try:
            yield serving
        finally:
            await runner.cleanup()


async def test_authenticated_bots_do_not_wait_for_visitors() -> None:
    async with served(PartLimits(50, 200)) as here:
        bot, visitor = await RawSocket.open(here.port, "/socket"), await RawSocket.open(here.port, "/socket")
        here.sender.known = True
        for socket in (bot, visitor):
            await socket.say(type="first")
            await socket.hear("first")
        here.sender.known = False
        late = await RawSocket.open(here.port, "/socket")
        with here.spent():
            await late.say(type="visitor")
            for number in range(100):
                await bot.say(type=str(number))
                await bot.hear(str(number))
            assert not any("visitor" in text for text in here.sender.heard)
        async with asyncio.timeout(PATIENCE):
            await late.hear("visitor")
        for socket in (bot, visitor, late):
            socket.abort()


async def test_requests_with_a_known_token_go_before_visitors() -> None:
    async with served(PartLimits(50, 200)) as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        heads = [b"GET /last HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /known HTTP/1.1\r\nHost: x\r\nX-Name: a bot\r\n\r\n"]
        writer.write(b"".join(heads))
        async with asyncio.timeout(PATIENCE):
            answers = await reader.readuntil(b"/known")
        assert b"/last" in answers
        assert here.runner.turns._short() > 1e5, "a visitor would wait"
        writer.close()


async def test_a_connection_above_its_limit_is_not_read() -> None:
    async with served(PartLimits(50, 200)) as here:
        socket = await RawSocket.open(here.port, "/socket")
        with here.spent():
            pouring = asyncio.create_task(_pour(socket, frame(TEXT, b"x" * 1000)))
            await until(lambda: any(each._stopped for each in here.connections))
            (one,) = here.connections
            held = len(one._held)
            for _ in range(100):
                await asyncio.sleep(0)
            assert len(one._held) == held, "nothing is read meanwhile"
            assert held <= 1 << 18
            assert not here.sender.heard
            pouring.cancel()
        socket.abort()


async def test_aiohttp_does_not_resume_a_paused_connection() -> None:
    """Its own flow control ends while ours goes on."""
    async with served(PartLimits(50, 200)) as here:
        socket = await RawSocket.open(here.port, "/socket")
        with here.spent():
            await socket.say(type="late")
            await until(lambda: any(each._stopped for each in here.connections))
            (one,) = here.connections
            assert one.transport is not None
            one.pause_reading()
            one.resume_reading()
            assert not one.transport.is_reading()
        async with asyncio.timeout(PATIENCE):
            await socket.hear("late")
        assert one.transport.is_reading()
        socket.abort()


async def test_aiohttp_has_the_internals_that_are_used() -> None:
    """When this fails, read ``web.intake.connection`` beside the new aiohttp."""
    slots = {name for each in web_protocol.RequestHandler.__mro__ for name in getattr(each, "__slots__", ())}
    used = {
        "_close", "_force_close", "_message_tail", "_messages", "_request_count", "_request_in_progress",
        "_reading_paused", "_buffer_paused", "transport",
    }  # fmt: skip
    assert used <= slots
    for name in ("_pause_transport_reading", "_resume_transport_reading"):
        assert hasattr(base_protocol.BaseProtocol, name)
    for name in ("_handle_request", "start", "set_parser", "data_received"):
        assert hasattr(web_protocol.RequestHandler, name)


async def test_pipelined_requests_are_answered_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PERSISTENCE", PATIENCE)
    async with served(PartLimits(50, 200)) as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        for number in range(200):
            writer.write(f"GET /page-{number} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        async with asyncio.timeout(PATIENCE):
            for number in range(200):
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 200"), head
                assert (await reader.readexactly(len(f"/page-{number}"))).decode() == f"/page-{number}"
        writer.close()


async def test_requests_wait_for_their_turn() -> None:
    async with served(PartLimits(50, 200)) as here, ClientSession() as http:
        with here.spent():
            asking = [asyncio.create_task(http.get(f"http://127.0.0.1:{here.port}/page")) for _ in range(20)]
            await until(lambda: len(here.connections) == 20)
            assert not here.answered
        async with asyncio.timeout(PATIENCE):
            for answer in await asyncio.gather(*asking):
                assert answer.status == 200
                answer.release()


async def test_a_disconnect_while_waiting_leaves_no_objects() -> None:
    """Otherwise a client that repeatedly sends a request and disconnects would fill the memory."""
    async with served(PartLimits(50, 200)) as here:
        with here.spent() as visitors:
            for _ in range(20):
                reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
                writer.write(b"GET /page HTTP/1.1\r\nHost: x\r\n\r\n")
                await until(lambda: any(each._waiting for each in here.connections))
                visitors.spend("here", -1e6)  # what came is read, and nothing is left for the request
                visitors._next_round()
                visitors.spend("here", 1e6)
                await until(lambda: any(each._turn is not None for each in here.connections))
                waiting = [task for task in asyncio.all_tasks() if "_handle_request" in repr(task)]
                assert waiting
                writer.transport.abort()
                await asyncio.wait(waiting)
                assert not await reader.read()
            await until(lambda: not here.connections)
            assert not visitors._waiting
            assert not here.answered


@pytest.mark.usefixtures("impatient")
async def test_endless_pipelining_is_refused() -> None:
    async with served(PartLimits(50, 200)) as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(b"GET /page HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
        async with asyncio.timeout(PATIENCE):
            answers = await reader.read()
        assert b"HTTP/1.1 429 Too Many Requests" in answers
        assert here.answered < 100
        writer.close()


async def test_an_endless_request_head_is_refused() -> None:
    async with served(PartLimits(50, 200)) as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        answer = b""
        with suppress(ConnectionError):
            writer.write(b"GET /page HTTP/1.1\r\nHost: x\r\n")
            for number in range(100):
                writer.write(f"X-{number}: {'x' * 1000}\r\n".encode())
                await writer.drain()
                await asyncio.sleep(0)
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
        assert answer.startswith(b"HTTP/1.1 431") or not answer, "it may hang up while it is still talked to"
        assert not here.answered
        writer.close()


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (b"GET /page?text=" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", "the line or a header of the request"),
        (b"no request at all\r\n\r\n", "the request is not valid HTTP"),
    ],
    ids=["long", "other"],
)
async def test_a_request_that_cannot_be_read_is_answered_as_the_api_answers(sent: bytes, message: str) -> None:
    async with served(PartLimits(50, 200)) as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(sent)
        async with asyncio.timeout(PATIENCE):
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert head.split()[1] == b"400"
        assert b"Content-Type: application/json" in head
        error = json.loads(body)["error"]
        assert error["code"] == "bad-request"
        assert error["message"].startswith(message)
        assert not here.answered
        writer.close()


async def test_the_answer_to_an_endless_head_is_json() -> None:
    body = connection._TOO_LONG.partition(b"\r\n\r\n")[2]
    assert json.loads(body)["error"]["code"] == "too-large"
    assert f"Content-Length: {len(body)}\r\n".encode() in connection._TOO_LONG


async def test_a_long_body_does_not_count_as_a_head() -> None:
    async with served(PartLimits(50, 200)) as here, ClientSession() as http:
        for size in (1, 40_000, 140_000, 900_000):
            async with http.request("GET", f"http://127.0.0.1:{here.port}/page", data=b"x" * size) as answer:
                assert answer.status == 200


async def test_frames_sent_with_the_handshake_are_counted() -> None:
    async with served(PartLimits(50, 200)) as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(
            b"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            + frame(TEXT, b'{"type":"early"}')
            + frame(CLOSE, struct.pack("!H", 1000))
        )
        socket = RawSocket(reader, writer)
        async with asyncio.timeout(PATIENCE):
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
            await socket.hear("early")
            assert await socket.closed() == 1000
