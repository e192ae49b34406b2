# SPDX-License-Identifier: GPL-3.0-or-later
"""Counters for Prometheus at /metrics: requests, sockets and frames, beside those that the arena keeps."""

import time

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest

from web.api.order import check_operator
from web.keys import ARENA
from web.peers import peer_of

SOCKET_UPGRADE = 101
"""Status of the answer that opens a socket."""


class Metrics:
    """The counters of one application."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Count in the arena's ``registry``."""
        self.requests = Counter("arena_http_requests", "Requests.", ["method", "route", "status"], registry=registry)
        self.seconds = Histogram(
            "arena_http_request_seconds",
            "From a request to its answer, sockets aside.",
            ["route"],
            buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
            registry=registry,
        )
        self.frames = Counter("arena_frames", "Frames on sockets.", ["kind", "direction"], registry=registry)


METRICS = web.AppKey("metrics", Metrics)


@web.middleware
async def measure(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count a request and its time, by route rather than by path, so that the number of series stays bounded."""
    started = time.perf_counter()
    metrics = request.app[METRICS]
    resource = request.match_info.route.resource
    route = resource.canonical if resource else "none"
    response = await handler(request)
    method = request.method if request.method in ("GET", "HEAD", "OPTIONS") else "other"
    metrics.requests.labels(method, route, str(response.status)).inc()
    if response.status != SOCKET_UPGRADE:
        metrics.seconds.labels(route).observe(time.perf_counter() - started)
    return response


async def metrics(request: web.Request) -> web.Response:
    """Answer GET /metrics: to programs of this machine, and to operators."""
    if not peer_of(request).loopback:
        await check_operator(request.app[ARENA], request)
    return web.Response(
        body=generate_latest(request.app[ARENA].metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST}
    )
