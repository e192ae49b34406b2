# SPDX-License-Identifier: GPL-3.0-or-later
"""Each fault of the proxy has its effect on an echo."""

import asyncio
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from lab.proofs.attacks import bad_connections
from lab.proofs.attacks.bad_connections import Fault, Proxy


@pytest.fixture
async def echo() -> AsyncIterator[int]:
    answering = set[asyncio.Task[Any]]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        answering.add(task)
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    for task in answering:
        task.cancel()
    await asyncio.gather(*answering, return_exceptions=True)
    await asyncio.sleep(0)  # the transports close in the loop's next round


async def said(port: int, text: bytes, within: float = 60.0) -> bytes:
    """Send a text and return the answers that arrive within these seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text)
    heard = b""
    try:
        async with asyncio.timeout(within):
            while len(heard) < len(text) and (data := await reader.read(1 << 16)):
                heard += data
    except (TimeoutError, ConnectionError):
        pass
    writer.transport.abort()
    await asyncio.sleep(0)
    return heard


async def test_without_a_fault_all_passes(echo: int) -> None:
    async with Proxy(echo, lambda _: Fault()) as proxy:
        assert await said(proxy.port, b"x" * 100_000) == b"x" * 100_000


async def test_delay_in_pieces(echo: int) -> None:
    began = time.monotonic()
    async with Proxy(echo, lambda _: Fault(piece=1, delay=0.01)) as proxy:
        assert await said(proxy.port, b"abcde") == b"abcde"
    assert time.monotonic() - began > 0.05


async def test_cut_and_drop(echo: int) -> None:
    faults = [Fault(cut_after=5), Fault(drop_after=5)]
    async with Proxy(echo, lambda number: faults[number]) as proxy:
        for _ in faults:
            assert await said(proxy.port, b"too long", 0.5) == b""


async def test_a_later_connection_overtakes(echo: int, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [Fault(held=2.0), Fault()]
    order: list[int] = []
    held, go_on = asyncio.Event(), asyncio.Event()

    async def sleep(seconds: float) -> None:
        if seconds == 2.0:
            held.set()
            await go_on.wait()
        else:
            await asyncio.sleep(seconds)

    monkeypatch.setattr(bad_connections, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep}))

    async def ask(number: int) -> None:
        assert await said(proxy.port, b"x") == b"x"
        order.append(number)

    async with Proxy(echo, lambda number: faults[number]) as proxy:
        first = asyncio.create_task(ask(0))
        await held.wait()
        await ask(1)
        go_on.set()
        await first
    assert order == [1, 0]


async def test_silence_leaves_the_server_waiting(echo: int) -> None:
    async with Proxy(echo, lambda _: Fault()) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"x")
        assert await reader.read(1) == b"x"
        proxy.fall_silent()
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        writer.transport.abort()
