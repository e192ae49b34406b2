# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross-origin access (CORS): a visitor's browser may use the arena from its own pages and from allowed origins.

Programs other than browsers send no Origin header and are not restricted.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Self
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from web.clients import client_of
from web.errors import RequestError
from web.hosts import Authority

ANY = "*"
PORTS = {"http": 80, "https": 443}
"""Default ports by scheme."""

ALLOWED_HEADERS = "Authorization, Content-Type, If-None-Match"
EXPOSED_HEADERS = "ETag, Retry-After"
KEPT = 600
"""Seconds for which a browser may cache the answer to a preflight request."""


@dataclass(frozen=True)
class Origins:
    """The allowed origins, besides the arena's own."""

    allowed: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read origins separated by commas, or ``*`` for all. Raises ValueError for an invalid origin."""
        return cls(frozenset(part if part == ANY else normal(part) for part in map(str.strip, text.split(",")) if part))

    def __contains__(self, origin: str) -> bool:
        if ANY in self.allowed:
            return True
        try:
            return normal(origin) in self.allowed
        except ValueError:
            return False


ORIGINS = web.AppKey("origins", Origins)


def normal(origin: str) -> str:
    """Return an origin in normal form, for comparison. Raises ValueError for an invalid origin such as ``null``."""
    parts = urlsplit(origin)
    if not parts.scheme or not parts.netloc or parts.path or parts.query or parts.fragment:
        raise ValueError(f"{origin[:60]!r} is not an origin such as https://example.org")
    scheme = parts.scheme.lower()
    host, port = Authority.read(parts.netloc)
    default = port is None or port == PORTS.get(scheme)
    return f"{scheme}://{host}" if default else f"{scheme}://{host}:{port}"


def check_origin(request: web.Request) -> None:
    """Raise RequestError if the Origin header names a website that is not allowed."""
    origin = request.headers.get("Origin")
    if origin is None or origin in request.app[ORIGINS] or _is_own(request, origin):
        return
    raise RequestError(
        403,
        "foreign-origin",
        f"pages of {origin[:60]!r} may not use this arena. To allow them, use the setting allowed_origins. "
        "Where they are the arena's own and a proxy is between, the proxy has to send the headers Host and "
        "X-Forwarded-Proto, and its address belongs into the setting trusted_proxies",
    )


def _is_own(request: web.Request, origin: str) -> bool:
    """Return whether the origin is the arena's own: the scheme, host and port of the request."""
    try:
        return normal(origin) == normal(f"{client_of(request).scheme}://{request.headers.get('Host', '')}")
    except ValueError:
        return False


@web.middleware
async def answer_preflights(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer CORS preflight requests for the REST API."""
    refusal = request.match_info.http_exception
    if (
        request.method != "OPTIONS"
        or not request.path.startswith("/api/")
        or not isinstance(refusal, web.HTTPMethodNotAllowed)
    ):
        return await handler(request)
    check_origin(request)
    methods = ", ".join(sorted(refusal.allowed_methods))
    headers = {"Allow": methods}
    if "Access-Control-Request-Method" in request.headers:
        headers["Access-Control-Allow-Methods"] = methods
        headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        headers["Access-Control-Max-Age"] = str(KEPT)
    return web.Response(status=HTTPStatus.NO_CONTENT, headers=headers)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add CORS headers to all answers of the REST API, also to errors (handler of ``on_response_prepare``)."""
    if not request.path.startswith("/api/"):
        return
    varies = [part for part in (response.headers.get("Vary"), "Origin") if part]
    response.headers["Vary"] = ", ".join(varies)
    origin = request.headers.get("Origin")
    if origin is not None and origin in request.app[ORIGINS]:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
