# SPDX-License-Identifier: GPL-3.0-or-later
"""The attackers of the proofs, against a server that does nothing but write."""

import asyncio
import contextlib
import gzip
import os
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store
from lab.proofs.attacks.slow_peers import (
    Peak,
    attack,
    big_match,
    dripping,
    gzipped,
    not_reading,
    not_reading_socket,
    posting,
)
from tests.arena.peers import PATIENCE

Attacker = Callable[[int, Counter[str]], Coroutine[Any, Any, None]]

ATTACKERS: dict[str, Attacker] = {
    "not reading": lambda port, counts: not_reading(port, "/", counts),
    "dripping": lambda port, counts: dripping(port, "/", counts, 100),
    "not reading a socket": lambda port, counts: not_reading_socket(port, counts, [{"type": "follow-lobby"}]),
}


@pytest.mark.parametrize("attacker", ATTACKERS.values(), ids=ATTACKERS.keys())
async def test_a_slow_reader_fills_the_write_buffer_until_it_is_cut_off(attacker: Attacker) -> None:
    held, again = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(bytes(10_000_000))
        if held.is_set():
            again.set()
        await asyncio.sleep(0.3)
        assert writer.transport.get_write_buffer_size() > 1_000_000
        held.set()
        # a reset: the attacker cannot see another end, as it does not read
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, asyncio.timeout(PATIENCE):
        counts = Counter[str]()
        task = asyncio.create_task(attacker(server.sockets[0].getsockname()[1], counts))
        await again.wait()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    assert counts["cut off"] >= 1
    assert counts["asked"] > counts["cut off"]


async def test_many_attack_and_post() -> None:
    seen = Counter[bytes]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        seen[line] += 1
        writer.write(b"HTTP/1.1 418 I am a teapot\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, Peak(os.getpid()) as peak:
        port = server.sockets[0].getsockname()[1]
        began = time.process_time()
        while time.process_time() < began + 0.05:
            pass
        counts = Counter[str]()
        async with asyncio.timeout(PATIENCE), attack(port, ["/a", "/b"], 2) as attacked:
            await posting(port, "/c", counts, gzipped(100), {"Content-Encoding": "gzip"}, rounds=2)
            while attacked["cut off"] < 4:  # noqa: ASYNC110  # others count
                await asyncio.sleep(0.01)
    assert counts == {"418": 2}
    asked = set(seen) - {b""}  # an attacker that ends between connecting and asking
    assert asked == {b"GET /a HTTP/1.1\r\n", b"GET /b HTTP/1.1\r\n", b"POST /c HTTP/1.1\r\n"}
    assert peak.most >= peak.first > 0
    assert peak.cpu > 0


async def test_a_big_match_is_in_the_records(tmp_path: Path) -> None:
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        match = await store.matches.get(await big_match(store, moves=120, size=2_000))
    assert match is not None
    *moves, _ = match.events
    assert (len(moves), match.row.plies) == (120, 120)
    assert all(2_000 < len(event.body) < 4_000 for event in moves)


async def test_a_body_inflates_to_a_thousand_times_its_length() -> None:
    body = gzipped(1_000)
    assert 900 < len(gzip.decompress(body)) / len(body) < 1_100
