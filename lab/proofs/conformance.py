# SPDX-License-Identifier: GPL-3.0-or-later
"""WebSockets by the book

The sockets keep RFC 6455: an echo with their settings answers every case as the standard says, or at least fails in
none that a bare aiohttp server answers. The cases are lengths, control frames, fragments, reserved bits and opcodes,
UTF-8 in all the ways it can be wrong, closing, masks and limits, most of them also byte by byte.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence

from aiohttp import WSMsgType, web

from arena.protocol.version import MAX_MESSAGE
from lab.proofs.cases import Case, cases
from lab.proofs.ledger import Ledger
from lab.proofs.raw_socket import CLOSE, Frame, RawSocket
from web.sockets import new_socket

BARE_LIMIT = 4 * 1024 * 1024 - 1
"""aiohttp's own."""

PATIENCE = 5.0
AT_ONCE = 20


async def prove(ledger: Ledger) -> None:
    """Try every case on our sockets and on bare ones, and compare."""
    ours, bare = await asyncio.gather(_tried(new_socket, MAX_MESSAGE), _tried(web.WebSocketResponse, BARE_LIMIT))
    failed = {name for name, outcome in ours.items() if outcome.startswith("failed")}
    bare_failed = {name for name, outcome in bare.items() if outcome.startswith("failed")}
    assert not failed - bare_failed, {name: ours[name] for name in failed - bare_failed}
    assert ours.keys() == bare.keys()
    ledger.note("cases", len(ours))
    for whose, outcomes in (("our sockets", ours), ("a bare aiohttp server", bare)):
        kinds = Counter(outcome.partition(":")[0] for outcome in outcomes.values())
        ledger.note_counts(whose, kinds)
    ledger.note("failed here and not there", len(failed - bare_failed))
    ledger.note("failed there and not here", len(bare_failed - failed))
    ledger.note("failed by both", "; ".join(sorted(failed & bare_failed)) or "none")


@contextlib.asynccontextmanager
async def _echo(make: Callable[[], web.WebSocketResponse]) -> AsyncIterator[int]:
    """Serve an echo on a free port."""

    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = make()
        await socket.prepare(request)
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await socket.send_str(message.data)
            elif message.type is WSMsgType.BINARY:
                await socket.send_bytes(message.data)
            elif message.type is WSMsgType.PING:
                await socket.pong(message.data)
        return socket

    application = web.Application()
    application.router.add_get("/echo", echo)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def _tried(make: Callable[[], web.WebSocketResponse], limit: int) -> dict[str, str]:
    """Return how an echo answered each case."""
    outcomes: dict[str, str] = {}
    gate = asyncio.Semaphore(AT_ONCE)

    async def attempt(port: int, case: Case) -> None:
        async with gate:
            outcomes[case.name] = await _try(port, case)

    async with _echo(make) as port, asyncio.TaskGroup() as group:
        for case in cases(limit):
            assert case.name not in outcomes
            outcomes[case.name] = ""
            group.create_task(attempt(port, case))
    return outcomes


async def _try(port: int, case: Case) -> str:
    """Return how one case went."""
    socket = await RawSocket.open(port, "/echo")
    try:
        async with asyncio.timeout(PATIENCE):
            reading = asyncio.create_task(_heard(socket))
            with contextlib.suppress(ConnectionError):
                for piece in case.sent:
                    socket.writer.write(piece)
                    await socket.writer.drain()
                    await asyncio.sleep(0)
            heard = await reading
    except TimeoutError:
        return "failed: no end"
    finally:
        socket.abort()
    return _judged(case, heard)


async def _heard(socket: RawSocket) -> list[Frame]:
    """Return all frames up to the close, or the end."""
    heard: list[Frame] = []
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while not heard or heard[-1].opcode != CLOSE:
            heard.append(await socket.read())
    return heard


def _judged(case: Case, heard: Sequence[Frame]) -> str:
    answers = [each for each in heard if each.opcode != CLOSE]
    code = next((each.code for each in heard if each.opcode == CLOSE), None)
    if case.fails:
        if answers != list(case.answers[: len(answers)]):
            return f"failed: {answers[:2]}"
        if code is None:
            return "hung up without a code"
        return "as it must be" if code in case.codes else f"failed: closed with {code}"
    if answers != list(case.answers):
        return f"failed: {len(answers)} answers, {answers[:2]}"
    return "as it must be" if code in case.codes else f"failed: closed with {code}"
