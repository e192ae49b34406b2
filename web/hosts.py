# SPDX-License-Identifier: GPL-3.0-or-later
"""Check of the Host header against DNS rebinding.

A website can point its own name to the address of an arena in a visitor's network (DNS rebinding). The browser then
treats the arena's pages and REST API as part of that website, and sends the website's name in the Host header. The
server therefore refuses requests for unknown host names.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple, Self

from aiohttp import HttpVersion10, web
from aiohttp.typedefs import Handler

from web.errors import BadRequest, RequestError

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
