# SPDX-License-Identifier: GPL-3.0-or-later
"""The access log: a structured line a request; what probes and browsers ask for by themselves stays at debug level."""

import structlog
from aiohttp import web
from aiohttp.abc import AbstractAccessLogger

QUIET = ("/healthz", "/metrics", "/static/", "/favicon.ico")

log = structlog.get_logger(__name__)


class AccessLog(AbstractAccessLogger):
    """Logs each answer with its method, path, status, size and time."""

    def log(self, request: web.BaseRequest, response: web.StreamResponse, time: float) -> None:
        """Log one answer; ``time`` is in seconds."""
        socket = response.status == 101  # the arena tells of its comings and goings
        quiet = socket or (response.status < 400 and request.path.startswith(QUIET))
        (log.debug if quiet else log.info)(
            "request",
            method=request.method,
            path=request.path,
            status=response.status,
            bytes=response.body_length,
            milliseconds=round(time * 1000, 1),
            remote=request.remote,
        )
