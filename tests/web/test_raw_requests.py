# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that are no HTTP, or hardly: answered shortly and without a word on the inside."""

import asyncio

import pytest
from structlog.testing import capture_logs

from tests.arena.peers import PATIENCE, until
from tests.web.door import Door

pytestmark = pytest.mark.asyncio(loop_scope="session")

UPGRADE = b"GET /api/v1/play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"

REQUESTS = {
    "no HTTP": b"hello there\r\n\r\n",
    "zeros": bytes(100),
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),
    "a line without an end": b"GET /" + b"a" * 100_000,
    "too many headers": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 50_000 + b"\r\n",
    "a path outside": b"GET /static/../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "a strange method": b"DANCE /api/v1/bots HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "a wrong length": b"POST /api/v1/bots HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    "an old protocol": UPGRADE + b"Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: a\r\n\r\n",
    "no key": UPGRADE + b"Sec-WebSocket-Version: 13\r\n\r\n",
}


@pytest.mark.parametrize("request_bytes", REQUESTS.values(), ids=REQUESTS.keys())
async def test_malformed_http_is_refused(door: Door, request_bytes: bytes) -> None:
    host, _, port = door.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(request_bytes)
        async with asyncio.timeout(PATIENCE):
            answer = await reader.read(65_536)
    except ConnectionError:  # it hung up while it was still being talked to
        answer = b""
    finally:
        writer.close()
        await asyncio.wait({asyncio.ensure_future(writer.wait_closed())})
    assert answer[9:10] in (b"4", b""), answer[:200]
    assert b"Traceback" not in answer
    assert b"root:" not in answer


def handlers() -> set[asyncio.Task[object]]:
    """Return the tasks that handle the requests of connections."""
    return {task for task in asyncio.all_tasks() if "IntakeConnection.start" in repr(task.get_coro())}


async def test_a_disconnect_before_the_answer_is_no_error(door: Door) -> None:
    host, _, port = door.address.partition(":")
    before = handlers()
    with capture_logs() as logs:
        for _ in range(50):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(UPGRADE + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            writer.transport.abort()
        # connections are taken in in the order in which they come: when a later one is answered, all have come
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert await reader.read()
        writer.close()
        await until(lambda: handlers() <= before)
    assert not [entry for entry in logs if entry["log_level"] == "error"]
