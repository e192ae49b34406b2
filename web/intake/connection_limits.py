# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits on connections of unidentified clients, by client address: number of open connections, and rate of new ones.

They count HTTP connections, connections without a complete request, and bot sockets before their ``hello``.
"""

import asyncio
from typing import Any, Protocol

import structlog
from aiohttp import web

from arena.connections.addresses import Networks, address_key
from arena.connections.limits import AddressSlots, RateLimits
from arena.settings import Settings
from web.clients import sender_of

EVERY = 1.0
"""Minimum seconds between two log lines about refused connections."""

log = structlog.get_logger(__name__)


class Transport(Protocol):
    """The methods of a connection's transport that this module uses."""

    def __hash__(self) -> int: ...

    def abort(self) -> None:
        """Close the connection at once."""

    def get_extra_info(self, name: str) -> Any:
        """Return information by name; ``peername``: the remote address."""


class ConnectionLimits:
    """Counts connections by remote address. Each connection of a trusted proxy has its own limit, because the client
    addresses behind the proxy are known only after the requests are read.
    """

    def __init__(self, settings: Settings) -> None:
        """Start without connections."""
        self._trusted: Networks = settings.proxies()
        self._crowd: AddressSlots[Transport] = AddressSlots(settings.http_connections, settings.http_connections_each)
        self._opened: RateLimits[str] = RateLimits(settings.connection_rate, settings.connection_burst)
        self._addresses: dict[Transport, str] = {}
        """Address of each open connection, identified ones included."""
        self._refused = 0
        """RequestError connections since the last log line."""
        self._log_at = 0.0

    def __len__(self) -> int:
        return len(self._crowd)

    def admits(self, peername: object) -> bool:
        """Return whether the remote address may open another connection now, and count the connection."""
        sender = sender_of(peername)
        if sender in self._trusted:
            return True
        address, now = address_key(sender), asyncio.get_running_loop().time()
        if self._opened.take(address, now):
            return True
        self._refused += 1
        if now >= self._log_at:
            log.info(
                "refused connections: too many new connections from an address", number=self._refused, newest=address
            )
            self._refused, self._log_at = 0, now + EVERY
        return False

    def opened(self, transport: Transport) -> None:
        """Add a new connection."""
        sender = sender_of(transport.get_extra_info("peername"))
        trusted = sender in self._trusted
        self._addresses[transport] = f"a connection of {sender}: {id(transport)}" if trusted else address_key(sender)
        self._enter(transport)

    def address(self, transport: Transport) -> str:
        """Return the address that an open connection counts for."""
        return self._addresses[transport]

    def identified(self, transport: Transport | None) -> None:
        """Stop counting a connection: its client is identified and has other limits. None: the connection is closed."""
        if transport is not None:
            self._crowd.leave(transport)

    def unidentified(self, transport: Transport | None) -> None:
        """Count an open connection again: no other limit applies any more. None: the connection is closed."""
        if transport is not None and transport in self._addresses and transport not in self._crowd:
            self._enter(transport)

    def closed(self, transport: Transport) -> None:
        """Remove a closed connection."""
        self._crowd.leave(transport)
        self._addresses.pop(transport, None)

    def _enter(self, transport: Transport) -> None:
        loser = self._crowd.enter(self._addresses[transport], transport)
        if loser is not None:
            log.info("closed a connection to make room for a new one", address=self._addresses[loser])
            loser.abort()


CONNECTION_LIMITS = web.AppKey("connection-limits", ConnectionLimits)
