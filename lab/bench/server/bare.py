# SPDX-License-Identifier: GPL-3.0-or-later
"""Bare aiohttp servers to be measured beside the arena: ``python -m lab.bench.server.bare`` prints its port.

/echo sends back every message. /watch sends every socket the same message again and again, one socket after the other,
as simple servers do; it carries the time of the round where the arena's messages carry that of the move.
"""

import asyncio
import json
import time

import uvloop
from aiohttp import web

INTERVAL = 0.5
"""Seconds between two rounds of messages."""

FILLING = "." * 64
"""A diagram of checkers has as many squares."""

_watching = web.AppKey("watching", set[web.WebSocketResponse])


async def _open(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(compress=False)
    await socket.prepare(request)
    return socket


async def echo(request: web.Request) -> web.WebSocketResponse:
    """Send back every message."""
    socket = await _open(request)
    async for message in socket:
        await socket.send_str(message.data)
    return socket


async def watch(request: web.Request) -> web.WebSocketResponse:
    """Accept a spectator."""
    socket = await _open(request)
    request.app[_watching].add(socket)
    async for _ in socket:
        pass
    request.app[_watching].discard(socket)
    return socket


async def matches(request: web.Request) -> web.Response:
    """List one match, as the arena would."""
    return web.json_response({"items": [{"id": 1}], "next": None})


def message(now: float) -> str:
    """Return the arena's message about a move, made at a time."""
    made = {"ply": 40, "move": "11-15", "seat": 0, "diagram": FILLING, "squares": [10, 14], "elapsed": 400}
    made |= {"clock": 60_000, "info": {"nodes": int(now * 1e6)}}
    return json.dumps({"type": "move-made", "match": 1, "made": made, "to_move": 1, "clocks": [60_000, 60_000]})


async def rounds(application: web.Application) -> None:
    """Send to all sockets until cancelled."""
    while True:
        await asyncio.sleep(INTERVAL)
        text = message(time.monotonic())
        sockets = application[_watching]
        for socket in list(sockets):
            if not socket.closed:
                await socket.send_str(text)


async def serve() -> None:
    """Serve until killed."""
    application = web.Application()
    application[_watching] = set()
    application.add_routes([web.get("/echo", echo), web.get("/watch", watch), web.get("/matches", matches)])
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)
    await rounds(application)


if __name__ == "__main__":
    uvloop.run(serve())
