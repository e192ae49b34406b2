# SPDX-License-Identifier: GPL-3.0-or-later
"""The web application: one port for bots, spectators, programs and people."""

import time
from collections.abc import Mapping, Sequence, Set
from functools import partial
from pathlib import Path

from aiohttp import web

from arena.application import Arena
from arena.feature import Feature
from web import assets, errors, keys, metrics, navigation, pages, security, sockets
from web.answer_limits import PENDING_ANSWERS, PendingAnswers
from web.api import ENDPOINTS, openapi
from web.api.endpoint import Endpoint
from web.assets import ASSETS, check_libraries, read_assets
from web.clients import TRUSTED, VOUCHERS, Voucher
from web.delivery import ANSWER_TIME, admit, deliver
from web.feature import (
    ALTERNATES,
    BOT_SECTIONS,
    CONNECT_SECTIONS,
    HEADER_LINKS,
    LOBBY_SECTIONS,
    MATCH_SECTIONS,
    META_TAGS,
    WebPart,
)
from web.intake.bodies import MAX_BODY
from web.intake.connection import IDENTIFY, IntakeRunner, PartLimits
from web.intake.connection_limits import CONNECTION_LIMITS, ConnectionLimits
from web.keys import ARENA
from web.metrics import METRICS, AccessLog, Metrics, measure
from web.prefix import PATH_PREFIX, add_prefix, check_prefix

STATIC = Path(__file__).parent / "static"

STYLES = (
    *("vendor/uplot.css", "style.css", "navigation.css", "parts.css", "tables.css", "ratings.css", "lobby.css"),
    *("board.css", "match.css", "panels.css", "matches.css", "tournament.css"),
)
"""The style sheets of the pages, in their order; those of features follow."""


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

    The caller starts and stops the arena.
    """
    parts = _parts(features)
    application = web.Application(
        middlewares=[
            deliver,
            measure,
            errors.middleware(pages.error),
            security.check_host,
            security.answer_preflights,
            admit,
            *(part.middleware for part in parts if part.middleware is not None),
        ],
        client_max_size=MAX_BODY,
    )
    application[ARENA] = arena
    vouchers: list[Voucher] = [partial(part.vouch, arena) for part in parts if part.vouch is not None]
    application[VOUCHERS] = vouchers
    application[keys.ANYWHERE] = _anywhere(parts)
    check_libraries(STATIC)
    application[ASSETS] = read_assets(STATIC, *(part.static for part in parts if part.static is not None))
    application[keys.AUTHORISERS] = [part.authorise for part in parts if part.authorise is not None]
    endpoints = _endpoints(parts)
    application[PATH_PREFIX] = check_prefix(arena.settings.path_prefix, (endpoint.path for endpoint in endpoints))
    for endpoint in endpoints:
        endpoint.register(application.router)
    application[navigation.NAVIGATION] = navigation.grouped(endpoints)
    application[keys.MENUS] = _menus(endpoints)
    application[keys.SUMMARIES] = {each.action: each.short_summary for each in endpoints if each.method == "POST"}
    application[HEADER_LINKS] = [part.header_link for part in parts if part.header_link is not None]
    styles = [style for part in parts for style in part.styles]
    application[keys.STYLES] = application[ASSETS].joined([*STYLES, *styles])
    application[openapi.DOCUMENTED] = openapi.documented(endpoints)
    application[BOT_SECTIONS] = [section for part in parts for section in part.bot_sections]
    application[MATCH_SECTIONS] = [section for part in parts for section in part.match_sections]
    application[LOBBY_SECTIONS] = [section for part in parts for section in part.lobby_sections]
    application[CONNECT_SECTIONS] = [section for part in parts for section in part.connect_sections]
    application[META_TAGS] = [part.meta_tags for part in parts if part.meta_tags is not None]
    application[ALTERNATES] = [part.alternates for part in parts if part.alternates is not None]
    application[IDENTIFY] = sockets.bot_identifier(arena)
    application[TRUSTED] = arena.settings.proxies()
    application[security.HOSTS] = security.Hosts.parse(arena.settings.public_names, host)
    application[security.ORIGINS] = security.Origins.parse(arena.settings.allowed_origins)
    most, most_of_one = arena.settings.answer_bytes, arena.settings.answer_bytes_per_address
    application[PENDING_ANSWERS] = PendingAnswers(most, most_of_one, time.monotonic)
    application[ANSWER_TIME] = arena.settings.answer_timeout
    application[METRICS] = Metrics(arena.metrics.registry)
    application[sockets.OPEN] = set()
    application[CONNECTION_LIMITS] = ConnectionLimits(arena.settings)
    application.on_response_prepare.append(security.add_security_headers)
    application.on_response_prepare.append(security.add_cors_headers)
    application.on_response_prepare.append(add_prefix)
    application.on_shutdown.append(sockets.close_all)
    return application


def _menus(endpoints: Sequence[Endpoint]) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the links of the menus that pages have of their own, by the paths of those pages."""
    menus: dict[str, list[tuple[str, str]]] = {}
    for endpoint in endpoints:
        for page, label in endpoint.menus.items():
            menus.setdefault(page, []).append((endpoint.path, label))
    return menus


def _anywhere(parts: Sequence[WebPart]) -> Set[tuple[str, str]]:
    """Return what every server can answer: all that only reads, and of features what they declare so."""
    own = [endpoint for endpoint in (*FIXED, *ENDPOINTS, *pages.PAGES, *pages.HELP) if endpoint.method == "GET"]
    others = [endpoint for part in parts if part.anywhere for endpoint in part.endpoints]
    return {(endpoint.method, endpoint.path) for endpoint in (*own, *others)}


def endpoints_of(features: WebFeatures) -> Sequence[Endpoint]:
    """Return all endpoints of a server with these features."""
    return _endpoints(_parts(features))


def _parts(features: WebFeatures) -> list[WebPart]:
    return [feature.web() for feature in features if feature.web is not None]


def _endpoints(parts: Sequence[WebPart]) -> Sequence[Endpoint]:
    own = [endpoint for part in parts for endpoint in part.endpoints]
    return *FIXED, *ENDPOINTS, *pages.PAGES, *own, *pages.HELP


FIXED = (
    *sockets.ENDPOINTS,
    openapi.ENDPOINT,
    metrics.ENDPOINT,
    assets.ENDPOINT,
)
"""Endpoints beside the REST API and the pages."""
