# SPDX-License-Identifier: GPL-3.0-or-later
"""The web application: one port for bots, spectators, programs and people."""

from pathlib import Path

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from arena.application import Arena
from arena.protocol.version import PLAY_PATH, WATCH_PATH
from web import errors, openapi, pages, security, sockets
from web.access import AccessLog
from web.api import ORDERS, ROUTES, status
from web.keys import ARENA
from web.metrics import METRICS, Metrics, measure, metrics

STATIC = Path(__file__).parent / "static"

PATIENCE = 30.0
"""Seconds in which a connection must have sent a whole request, its first or the next."""
SHUTDOWN = 3.0
"""Seconds for requests that are being answered when the arena stops."""
EXACT = float("inf")
"""No timer is put off to a whole second: aiohttp would ping all sockets of a second in one go."""


def make_runner(arena: Arena, *, patience: float = PATIENCE, shutdown: float = SHUTDOWN) -> web.AppRunner:
    """Return what runs the application on sockets; a connection that only drips, or says nothing, is closed."""
    return web.AppRunner(
        make_application(arena),
        access_log_class=AccessLog,
        keepalive_timeout=patience,
        shutdown_timeout=shutdown,
        timeout_ceil_threshold=EXACT,
    )


def make_application(arena: Arena) -> web.Application:
    """Return the application that shows ``arena``; whoever runs it starts and stops the arena."""
    application = web.Application(
        middlewares=[measure, open_to_all, errors.middleware(pages.error)], client_max_size=64 * 1024
    )
    application[ARENA] = arena
    application[METRICS] = Metrics(arena.metrics.registry)
    application[sockets.OPEN] = set()
    application.on_response_prepare.append(security.add_headers)
    application.on_response_prepare.append(revalidate_files)
    application.on_shutdown.append(sockets.close_all)
    router = application.router
    router.add_get(PLAY_PATH, sockets.play, allow_head=False)
    router.add_get(WATCH_PATH, sockets.watch, allow_head=False)
    router.add_get(openapi.PATH, openapi.serve)
    for route in ROUTES:
        router.add_get(route.pattern, route.handle, name=route.name)
    for order in ORDERS:
        router.add_post(order.pattern, order.handle, name=order.name)
    for path, page in pages.PAGES.items():
        router.add_get(path, page)
    router.add_get("/healthz", healthz)
    router.add_get("/metrics", metrics)
    router.add_static("/static/", STATIC)
    return application


async def healthz(request: web.Request) -> web.Response:
    """Answer probes: 200 as soon as requests are answered; ``ready`` tells whether matches can start."""
    answer = await status.get_status(request.app[ARENA], status.Nothing())
    body = msgspec.json.encode({"status": "ok", "ready": answer.ready, "warming": answer.warming})
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})


@web.middleware
async def open_to_all(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let pages of any origin read the API: all of it is public, and nothing in it depends on cookies."""
    if not request.path.startswith("/api/"):
        return await handler(request)
    if request.method == "OPTIONS":
        response: web.StreamResponse = web.Response(status=204, headers={"Access-Control-Allow-Methods": "GET, HEAD"})
        response.headers["Access-Control-Allow-Headers"] = "If-None-Match"
    else:
        response = await handler(request)
    if not response.prepared:
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "ETag"
    return response


async def revalidate_files(request: web.Request, response: web.StreamResponse) -> None:
    """Let browsers keep files but ask whether they changed; the file's ETag answers that (``on_response_prepare``)."""
    if request.path.startswith("/static/"):
        response.headers.setdefault("Cache-Control", "no-cache")
