# SPDX-License-Identifier: GPL-3.0-or-later
"""Prometheus metrics at /metrics: HTTP requests and WebSocket frames, and the arena's metrics."""

import time

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest

from arena.application import Arena
from web.api.access import NEAR
from web.api.endpoint import Endpoint

SOCKET_UPGRADE = 101
"""HTTP status of an answer that opens a WebSocket."""


class Metrics:
    """The metrics of one application."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the metrics in the arena's ``registry``."""
        self.requests = Counter("arena_http_requests", "Requests.", ["method", "route", "status"], registry=registry)
        self.seconds = Histogram(
            "arena_http_request_seconds",
            "Time from a request to its answer, without WebSockets.",
            ["route"],
            buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
            registry=registry,
        )
        self.frames = Counter("arena_frames", "Frames on sockets.", ["kind", "direction"], registry=registry)


METRICS = web.AppKey("metrics", Metrics)


@web.middleware
async def measure(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count a request and its time by route; counting by path would create an unbounded number of series."""
    started = time.perf_counter()
    counted = request.app[METRICS]
    resource = request.match_info.route.resource
    route = resource.canonical if resource else "none"
    response = await handler(request)
    method = request.method if request.method in ("GET", "HEAD", "OPTIONS") else "other"
    counted.requests.labels(method, route, str(response.status)).inc()
    if response.status != SOCKET_UPGRADE:
        counted.seconds.labels(route).observe(time.perf_counter() - started)
    return response


async def metrics(arena: Arena) -> web.Response:
    """Return all metrics in Prometheus' text format."""
    return web.Response(body=generate_latest(arena.metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})


ENDPOINT = Endpoint("GET", "/metrics", metrics, access=NEAR)
