# SPDX-License-Identifier: GPL-3.0-or-later
"""Protection of visitors' browsers: the Host header, cross-origin access (CORS), and security headers.

A website can point its own name to the address of an arena in a visitor's network (DNS rebinding). The browser then
treats the arena's pages and REST API as part of that website, and sends the website's name in the Host header. The
server therefore refuses requests for unknown host names.

A visitor's browser may use the arena from its own pages and from allowed origins. Programs other than browsers send no
Origin header and are not restricted. The security headers let browsers run, load and connect only to what the arena
itself serves.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from aiohttp import HttpVersion10, web
from aiohttp.typedefs import Handler

from web.clients import client_of
from web.errors import BadRequest, RequestError
from web.keys import ARENA
from web.metrics import SOCKET_UPGRADE

LOCALHOST = "localhost"

_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]/@?#\s]+)(:(?P<port>[0-9]{0,5}))?")


def _normal(name: str) -> str:
    return name.strip().lower().removesuffix(".")


class Authority(NamedTuple):
    """Host and port of a URL or a Host header."""

    host: str
    """In lower case; an IPv6 address without brackets."""
    port: int | None

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``host``, ``host:port`` or ``[address]:port``. Raises ValueError."""
        found = _AUTHORITY.fullmatch(text)
        if found is None:
            raise ValueError(f"{text[:60]!r} is not a host name or address")
        host = found["host"].lower()
        port = int(found["port"]) if found["port"] else None
        if port is not None and port > 65_535:
            raise ValueError(f"{text[:60]!r} has an invalid port")
        if host.startswith("["):
            return cls(str(IPv6Address(host[1:-1])), port)
        name = _normal(host)
        if not name or name.endswith("."):
            raise ValueError(f"{text[:60]!r} is not a host name or address")
        return cls(name, port)

    @property
    def literal(self) -> bool:
        """Whether the host is an IP address, which cannot be rebound."""
        try:
            ip_address(self.host)
        except ValueError:
            return False
        return True


@dataclass(frozen=True)
class Hosts:
    """The host names of this server, besides IP addresses and localhost."""

    names: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str, host: str = "") -> Self:
        """Read names separated by commas, and add ``host`` if it is a name. Raises ValueError for an invalid name."""
        names = [name for name in map(_normal, text.split(",")) if name]
        for name in names:
            if not _NAME.fullmatch(name):
                raise ValueError(f"public_names: {name[:60]!r} is not a host name; write it without scheme and port")
        return cls(frozenset((*names, _normal(host)) if _NAME.fullmatch(_normal(host)) else names))

    def check(self, authority: str) -> Authority:
        """Return the host and port of a Host header. Raises RequestError for an unknown host name."""
        try:
            found = Authority.read(authority)
        except ValueError as error:
            raise BadRequest(f"Host: {error}") from None
        if not (found.literal or found.host == LOCALHOST or found.host in self.names):
            raise RequestError(
                421,
                "unknown-host",
                f"the server does not accept the host name {found.host[:60]!r}. To accept it, the operator adds it to "
                f"the setting public_names: arena serve --public-names {found.host[:60]}",
            )
        return found


HOSTS = web.AppKey("hosts", Hosts)


@web.middleware
async def check_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests with an unknown host name. HTTP/1.0 requests may lack the header; no browser sends them."""
    lines = request.headers.getall("Host", ())
    if len(lines) > 1 or (not lines and request.version > HttpVersion10):
        raise BadRequest("a request must have exactly one Host header")
    for line in lines:
        request.app[HOSTS].check(line)
        if request.host != line:  # the host of an absolute URL, as clients of a proxy send it
            request.app[HOSTS].check(request.host)
    return await handler(request)


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
        "If these are the arena's own pages behind a reverse proxy, configure the proxy to send the headers Host and "
        "X-Forwarded-Proto, and add its address to the setting trusted_proxies",
    )


def check_own_page(request: web.Request) -> None:
    """Raise RequestError unless a browser says that a page of the arena itself sent the request.

    For requests that a cookie authorises: the browser adds the cookie to requests of other sites' pages, too.
    """
    origin = request.headers.get("Origin")
    own = request.headers.get("Sec-Fetch-Site") == "same-origin" if origin is None else _is_own(request, origin)
    if not own:
        raise RequestError(
            403,
            "foreign-origin",
            "a request that changes something must come from a page of this arena, or carry a token in the "
            "header Authorization",
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


async def add_cors_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add CORS headers to all answers of the REST API, also to errors (handler of ``on_response_prepare``)."""
    if not request.path.startswith("/api/"):
        return
    varies = [part for part in (response.headers.get("Vary"), "Origin") if part]
    response.headers["Vary"] = ", ".join(varies)
    origin = request.headers.get("Origin")
    if origin is not None and origin in request.app[ORIGINS]:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS


POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)

JSON = "application/json"
NOT_A_PAGE = 'attachment; filename="api.json"'
"""Browsers save an answer of the REST API that is opened like a page, and never show it. Scripts do not notice."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


async def add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers to all answers, also errors and files (handler of ``on_response_prepare``).

    Answers that open a WebSocket show no page; they get no headers, which would use memory while the socket is open.
    """
    if response.status != SOCKET_UPGRADE:
        if request.path.startswith("/api/") and response.content_type == JSON:
            response.headers.setdefault("Content-Disposition", NOT_A_PAGE)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        lasts = request.app[ARENA].settings.strict_transport_security
        if lasts and client_of(request).scheme == "https":
            response.headers["Strict-Transport-Security"] = f"max-age={round(lasts)}"
    response.headers["Server"] = "bot-arena"
