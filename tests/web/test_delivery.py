# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that do not read: they are cut off, hold little memory, and leave room for others."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from lab.proofs.attacks.slow_peers import asked, attack, dripping, get, hung_up
from tests.arena.peers import PATIENCE
from web.answer_limits import OVERHEAD, PENDING_ANSWERS, STREAMS_OF_ONE, PendingAnswers
from web.assets import Assets
from web.delivery import ANSWER_TIME, Parts, admit, deliver
from web.errors import json_answer, middleware

LONG = 20_000_000
"""Bytes: more than the systems at both ends keep for a connection."""


@dataclass
class Place:
    """A server with answers of all sizes."""

    port: int = 0
    files: str = ""
    """The path of the folder of files."""
    flights: PendingAnswers = field(default_factory=lambda: PendingAnswers(3 * LONG, 2 * LONG, time.monotonic))
    answered: Counter[str] = field(default_factory=Counter)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether the generator of an endless answer was closed."""

    async def short(self, request: web.Request) -> web.Response:
        return web.Response(text="short")

    async def long(self, request: web.Request) -> web.Response:
        self.answered["long"] += 1
        return web.Response(body=b"0123456789" * (LONG // 10), headers={"ETag": '"a"'}, content_type="text/plain")

    async def endless(self, request: web.Request) -> web.StreamResponse:
        async def parts() -> AsyncGenerator[bytes]:
            try:
                while True:
                    yield b"part " * 20_000
            finally:
                self.closed.set()

        return Parts(parts(), {"Content-Type": "text/plain; charset=utf-8"})

    async def some(self, request: web.Request) -> web.StreamResponse:
        async def parts() -> AsyncGenerator[bytes]:
            yield b"one, "
            yield b"two"
            if "broken" in request.query:
                raise RuntimeError("broken")

        return Parts(parts(), {"Content-Type": "text/plain; charset=utf-8"})


@asynccontextmanager
async def served(folder: Path, seconds: float = 0.5, **bytes_of: int) -> AsyncIterator[Place]:
    """Serve; a client must take the next slice within so many seconds."""
    place = Place()
    (folder / "file.bin").write_bytes(bytes(LONG))
    application = web.Application(middlewares=[deliver, middleware(lambda _, refused: json_answer(refused)), admit])
    application[ANSWER_TIME] = seconds
    if bytes_of:
        place.flights = PendingAnswers(bytes_of["most"], bytes_of["most_of_one"], time.monotonic)
    application[PENDING_ANSWERS] = place.flights
    for name in ("short", "long", "endless", "some"):
        application.router.add_get(f"/{name}", getattr(place, name))
    assets = Assets(folder)
    place.files = f"/static/{assets.version}"
    application.router.add_get("/static/{version}/{path}", assets.serve)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        place.port = runner.addresses[0][1]
        yield place
    finally:
        await runner.cleanup()


async def until(happened: Callable[[], bool]) -> None:
    """Wait for what nothing else tells of."""
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110  # nothing else tells of it
            await asyncio.sleep(0.01)


async def cut_off(port: int, request: bytes) -> None:
    """Send a request, read nothing, and wait to be cut off."""
    try:
        connection = await asked(port, request)
    except ConnectionError:
        return  # it was cut off while it was still asking
    try:
        await until(lambda: hung_up(connection))
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/long", "/endless"])
async def test_a_client_that_does_not_read_an_answer_is_disconnected(tmp_path: Path, path: str) -> None:
    async with served(tmp_path) as place:
        await cut_off(place.port, get(place.port, path))
        await until(lambda: not place.flights.held)


async def test_a_client_that_does_not_read_a_file_is_disconnected(tmp_path: Path) -> None:
    async with served(tmp_path) as place:
        await cut_off(place.port, get(place.port, f"{place.files}/file.bin"))


async def test_a_client_that_reads_too_slowly_is_disconnected(tmp_path: Path) -> None:
    async with served(tmp_path) as place:
        counts = Counter[str]()
        task = asyncio.create_task(dripping(place.port, "/long", counts, 200))
        await until(lambda: counts["cut off"] > 0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def test_unread_small_answers_are_limited_too(tmp_path: Path) -> None:
    """Thousands of them, asked for in one go: the connection goes as soon as what waits in it does not move."""
    async with served(tmp_path) as place:
        await cut_off(place.port, get(place.port, "/short") * 30_000)


async def test_long_answers_arrive_completely(tmp_path: Path) -> None:
    whole = b"0123456789" * (LONG // 10)
    async with served(tmp_path, PATIENCE) as place, ClientSession(f"http://127.0.0.1:{place.port}") as http:
        for coding in ("identity", "gzip"):
            async with http.get("/long", headers={"Accept-Encoding": coding}) as response:
                assert await response.read() == whole
                assert response.headers.get("Content-Encoding", "identity") == coding
                assert (response.headers["ETag"], response.headers["Vary"]) == ('"a"', "Accept-Encoding")
        async with http.head("/long", headers={"Accept-Encoding": "identity"}) as response:
            assert (response.headers["Content-Length"], await response.read()) == (str(LONG), b"")
        async with http.get("/some") as response:
            assert await response.text() == "one, two"
            assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
        async with http.head("/some") as response:
            assert (response.status, await response.read()) == (200, b"")
        async with http.get(f"{place.files}/file.bin") as response:
            assert len(await response.read()) == LONG
        await until(lambda: not place.flights.held)


async def test_a_truncated_answer_is_detected_by_the_client(tmp_path: Path) -> None:
    async with served(tmp_path) as place:
        reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
        writer.write(get(place.port, "/some?broken"))
        said = b""
        with contextlib.suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE):
                said = await reader.read()
        assert not said.endswith(b"0\r\n\r\n")
        writer.close()


async def test_a_generator_is_closed_with_its_connection(tmp_path: Path) -> None:
    async with served(tmp_path, PATIENCE) as place:
        connection = await asked(place.port, get(place.port, "/endless"))
        await until(lambda: place.flights.held > 0)
        connection.close()
        async with asyncio.timeout(PATIENCE):
            await place.closed.wait()


async def test_an_address_that_reads_nothing_is_refused_more(tmp_path: Path) -> None:
    """Before anything more is made for it."""
    async with served(tmp_path, PATIENCE, most=5 * LONG, most_of_one=2 * LONG) as place:
        held = [await asked(place.port, get(place.port, "/long")) for _ in range(2)]
        await until(lambda: place.answered["long"] == 2)
        async with ClientSession(f"http://127.0.0.1:{place.port}") as http, http.get("/long") as response:
            assert (response.status, response.headers["Retry-After"]) == (429, "5")
            assert (await response.json())["error"]["code"] == "too-many"
        assert place.flights.held <= 2 * (LONG + OVERHEAD)
        for connection in held:
            connection.close()


async def test_streams_of_one_address_are_limited(tmp_path: Path) -> None:
    async with served(tmp_path, PATIENCE) as place, attack(place.port, ["/endless"], STREAMS_OF_ONE):
        await until(lambda: place.flights._streams.total() == STREAMS_OF_ONE)
        async with ClientSession(f"http://127.0.0.1:{place.port}") as http, http.get("/some") as response:
            assert response.status == 429


async def test_unread_exports_do_not_block_other_clients(tmp_path: Path) -> None:
    """They come from another address, which is refused more of them."""
    async with (
        served(tmp_path, PATIENCE) as place,
        attack(place.port, ["/endless", "/long"], STREAMS_OF_ONE, address="127.0.0.2"),
    ):
        await until(lambda: place.flights._streams.total() == STREAMS_OF_ONE)
        async with ClientSession(f"http://127.0.0.1:{place.port}") as http:
            for path in ("/some", "/some", "/long", "/short"):
                async with http.get(path) as response:
                    assert response.status == 200
                    await response.read()
