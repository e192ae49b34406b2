# SPDX-License-Identifier: GPL-3.0-or-later
"""Which names an arena answers to.

A website can give its own name the address of an arena on a visitor's machine or network (DNS rebinding). The browser
then takes the arena's pages and its REST API for that website's own, and sends the website's name as Host. A request
for a name that is not the arena's is therefore refused.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple, Self

from aiohttp import HttpVersion10, web
from aiohttp.typedefs import Handler

from web.errors import BadRequest, Refused

LOCALHOST = "localhost"

_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]/@?#\s]+)(:(?P<port>[0-9]{0,5}))?")


def _normal(name: str) -> str:
    return name.strip().lower().removesuffix(".")


class Authority(NamedTuple):
    """A host and a port, as they stand in a URL and in the header Host."""

    host: str
    """In lower case; an IPv6 address without its brackets."""
    port: int | None

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``host``, ``host:port`` or ``[address]:port``. Raises ValueError."""
        found = _AUTHORITY.fullmatch(text)
        if found is None:
            raise ValueError(f"{text[:60]!r} is no host")
        host = found["host"].lower()
        port = int(found["port"]) if found["port"] else None
        if port is not None and port > 65_535:
            raise ValueError(f"{text[:60]!r} has no possible port")
        if host.startswith("["):
            return cls(str(IPv6Address(host[1:-1])), port)
        return cls(_normal(host), port)

    @property
    def literal(self) -> bool:
        """Whether the host is an address, which nobody can rebind."""
        try:
            ip_address(self.host)
        except ValueError:
            return False
        return True


@dataclass(frozen=True)
class Hosts:
    """The names that an arena answers to, besides every address and localhost."""

    names: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str, host: str = "") -> Self:
        """Read names separated by commas, and add ``host`` if it is a name. Raises ValueError where one is none."""
        names = [name for name in map(_normal, text.split(",")) if name]
        for name in names:
            if not _NAME.fullmatch(name):
                raise ValueError(f"public_names: {name[:60]!r} is no name of a host; write it without scheme and port")
        return cls(frozenset((*names, _normal(host)) if _NAME.fullmatch(_normal(host)) else names))

    def check(self, authority: str) -> Authority:
        """Return what a header Host says. Raises Refused where it names something else than this arena."""
        try:
            found = Authority.read(authority)
        except ValueError as error:
            raise BadRequest(f"Host: {error}") from None
        if not (found.literal or found.host == LOCALHOST or found.host in self.names):
            raise Refused(
                421,
                "unknown-host",
                f"this arena does not answer to the name {found.host[:60]!r}. If it is one of its names, its operator "
                f"adds it to the setting public_names: arena serve --public-names {found.host[:60]}",
            )
        return found


HOSTS = web.AppKey("hosts", Hosts)


@web.middleware
async def check_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer only requests for this arena. HTTP/1.0 has no Host, and no browser speaks it."""
    lines = request.headers.getall("Host", ())
    if len(lines) > 1 or (not lines and request.version > HttpVersion10):
        raise BadRequest("a request has one header Host")
    for line in lines:
        request.app[HOSTS].check(line)
        if request.host != line:  # that of a whole URL, as clients of a proxy write it
            request.app[HOSTS].check(request.host)
    return await handler(request)
