# SPDX-License-Identifier: GPL-3.0-or-later
"""Which websites may use an arena from a visitor's browser: its own pages, and those of the origins that its operator
allows. Programs that are no browser send no Origin, and are not held up.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Self
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from web.errors import Refused
from web.hosts import Authority
from web.peers import peer_of

ANY = "*"
PORTS = {"http": 80, "https": 443}
"""Of the schemes whose port an origin leaves out."""

ALLOWED_HEADERS = "Authorization, Content-Type, If-None-Match"
EXPOSED_HEADERS = "ETag, Retry-After"
KEPT = 600
"""Seconds for which a browser may keep the answer of a preflight."""


@dataclass(frozen=True)
class Origins:
    """The origins whose pages may use the arena, besides its own."""

    allowed: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read origins separated by commas, or ``*`` for all. Raises ValueError where one is no origin."""
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
    """Return an origin as it can be compared. Raises ValueError where it is none, as ``null``."""
    parts = urlsplit(origin)
    if not parts.scheme or not parts.netloc or parts.path or parts.query or parts.fragment:
        raise ValueError(f"{origin[:60]!r} is no origin like https://example.org")
    scheme = parts.scheme.lower()
    host, port = Authority.read(parts.netloc)
    default = port is None or port == PORTS.get(scheme)
    return f"{scheme}://{host}" if default else f"{scheme}://{host}:{port}"


def check_origin(request: web.Request) -> None:
    """Raise Refused where a website asks that may not use the arena."""
    origin = request.headers.get("Origin")
    if origin is None or origin in request.app[ORIGINS] or _is_own(request, origin):
        return
    raise Refused(
        403,
        "foreign-origin",
        f"pages of {origin[:60]!r} may not use this arena. Its operator allows them by the setting allowed_origins. "
        "Where they are the arena's own and a proxy is between, the proxy has to send the headers Host and "
        "X-Forwarded-Proto, and its address belongs into the setting trusted_proxies",
    )


def _is_own(request: web.Request, origin: str) -> bool:
    """Tell whether a page is the arena's own: of the same scheme, host and port as the request."""
    try:
        return normal(origin) == normal(f"{peer_of(request).scheme}://{request.headers.get('Host', '')}")
    except ValueError:
        return False


@web.middleware
async def answer_preflights(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Tell browsers what a page of another origin may ask of the REST API."""
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
    """Let pages of the allowed origins read what the REST API answers, refusals and streams included (a handler of
    ``on_response_prepare``).
    """
    if not request.path.startswith("/api/"):
        return
    varies = [part for part in (response.headers.get("Vary"), "Origin") if part]
    response.headers["Vary"] = ", ".join(varies)
    origin = request.headers.get("Origin")
    if origin is not None and origin in request.app[ORIGINS]:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
