# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurement of requests: Prometheus metrics at /metrics with those of the arena, and the access log."""

import time

import structlog
from aiohttp import web
from aiohttp.abc import AbstractAccessLogger
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest

from arena.application import Arena
from web.api.access import NEAR
from web.api.endpoint import Endpoint

log = structlog.get_logger(__name__)


class AccessLog(AbstractAccessLogger):
    """Logs method, path, status, size and time of each answer."""

    def log(self, request: web.BaseRequest, response: web.StreamResponse, time: float) -> None:
        """Log one answer; ``time`` is in seconds."""
        (log.info if response.status >= 500 else log.debug)(
            "request",
            method=request.method,
            path=request.path,
            status=response.status,
            bytes=response.body_length,
            milliseconds=round(time * 1000, 1),
            remote=request.remote,
        )


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
