# SPDX-License-Identifier: GPL-3.0-or-later
"""Access log: one structured line for each request; debug level unless the status is 500 or more."""

import structlog
from aiohttp import web
from aiohttp.abc import AbstractAccessLogger

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
