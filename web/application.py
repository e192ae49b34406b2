# SPDX-License-Identifier: GPL-3.0-or-later
"""The web application: one port for bots, spectators, programs and people."""

import time
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

import msgspec
from aiohttp import web

from arena.application import Arena
from arena.feature import Feature
from arena.protocol.version import PLAY_PATH, WATCH_PATH
from web import bodies, errors, hosts, keys, openapi, origins, pages, security, sockets
from web.access import AccessLog
from web.api import status
from web.assets import ASSETS, PREFIX, read_assets
from web.clients import TRUSTED
from web.connection_limits import CONNECTION_LIMITS, ConnectionLimits
from web.delivery import ANSWER_TIME, admit, deliver
from web.feature import WebPart
from web.intake.connection import IDENTIFY, IntakeRunner, PartLimits
from web.keys import ARENA
from web.metrics import METRICS, Metrics, measure, metrics
from web.pending_answers import PENDING_ANSWERS, PendingAnswers

STATIC = Path(__file__).parent / "static"

PATIENCE = 30.0
"""Seconds within which a connection must send a complete request, the first or the next."""
SHUTDOWN = 3.0
"""Seconds that running requests get when the server stops."""
EXACT = float("inf")
"""Threshold above which aiohttp rounds timers up to whole seconds; rounding would ping many sockets at once."""


WebFeatures = Sequence[Feature[WebPart]]


def make_runner(
    arena: Arena, features: WebFeatures = (), *, host: str = "", patience: float = PATIENCE, shutdown: float = SHUTDOWN
) -> web.AppRunner:
    """Return the runner that serves the application on sockets; it closes connections that send too slowly.

    ``host``: the address or name to listen on; a name is accepted in Host headers. Raises ValueError for invalid names
    or origins in the settings.
    """
    settings = arena.settings
    return IntakeRunner(
        make_application(arena, features, host),
        settings.visitor_share,
        PartLimits(settings.message_rate, settings.message_burst),
        access_log_class=AccessLog,
        keepalive_timeout=patience,
        shutdown_timeout=shutdown,
        timeout_ceil_threshold=EXACT,
        auto_decompress=False,
        lingering_time=0,
    )


def make_application(arena: Arena, features: WebFeatures = (), host: str = "") -> web.Application:
    """Return the application that shows ``arena`` and what its features bring.

    Whoever runs it starts and stops the arena.
    """
    application = web.Application(
        middlewares=[
            deliver,
            measure,
            errors.middleware(pages.error),
            hosts.check_host,
            origins.answer_preflights,
            admit,
        ],
        client_max_size=bodies.MAX_BODY,
    )
    application[ARENA] = arena
    parts = [feature.web() for feature in features if feature.web is not None]
    application[ASSETS] = read_assets(STATIC, *(part.static for part in parts if part.static is not None))
    application[keys.AUTHORISERS] = [part.authorise for part in parts if part.authorise is not None]
    application[keys.NAVIGATION] = [
        *pages.NAVIGATION,
        *(link for part in parts for link in part.navigation),
        *pages.HELP,
    ]
    application[keys.STYLES] = [style for part in parts for style in part.styles]
    document = application[openapi.DOCUMENT] = openapi.described(parts)
    application[IDENTIFY] = sockets.bot_identifier(arena)
    application[TRUSTED] = arena.settings.proxies()
    application[hosts.HOSTS] = hosts.Hosts.parse(arena.settings.public_names, host)
    application[origins.ORIGINS] = origins.Origins.parse(arena.settings.allowed_origins)
    most, most_of_one = arena.settings.answer_bytes, arena.settings.answer_bytes_per_address
    application[PENDING_ANSWERS] = PendingAnswers(most, most_of_one, time.monotonic)
    application[ANSWER_TIME] = arena.settings.answer_timeout
    application[METRICS] = Metrics(arena.metrics.registry)
    application[sockets.OPEN] = set()
    application[CONNECTION_LIMITS] = ConnectionLimits(arena.settings)
    application.on_response_prepare.append(security.add_headers)
    application.on_response_prepare.append(origins.add_headers)
    application.on_shutdown.append(sockets.close_all)
    router = application.router
    router.add_get(PLAY_PATH, sockets.play, allow_head=False)
    router.add_get(WATCH_PATH, sockets.watch, allow_head=False)
    router.add_get(openapi.PATH, openapi.serve)
    for route in document.routes:
        router.add_get(route.pattern, route.handle, name=route.name)
    for order in document.orders:
        router.add_post(order.pattern, order.handle, name=order.name, expect_handler=bodies.expect)
    for shown in (pages.PAGES, *(part.pages for part in parts)):
        for path, page in shown.items():
            router.add_get(path, page)
    router.add_get("/healthz", healthz)
    router.add_get("/metrics", metrics)
    router.add_get(PREFIX + "/{version:[0-9a-f]{16}}/{path:.+}", application[ASSETS].serve)
    return application


async def healthz(request: web.Request) -> web.Response:
    """Health check: status 200 while the database works, else 503; ``ready``: whether matches can start."""
    answer = await status.get_status(request.app[ARENA], status.Nothing())
    body = {
        "status": "ok" if answer.store.writes else "failing",
        "ready": answer.ready,
        "games": answer.games,
        "store": answer.store,
        "reasons": answer.reasons,
        "problems": answer.problems,
        "warming": answer.warming,
    }
    code = HTTPStatus.OK if answer.store.writes else HTTPStatus.SERVICE_UNAVAILABLE
    return web.json_response(body=msgspec.json.encode(body), status=code, headers={"Cache-Control": "no-store"})
