# SPDX-License-Identifier: GPL-3.0-or-later
"""The connections of those who are nobody yet: requests, half a request, nothing at all, and sockets before their
hello. An address has a share of them, and opens so many in a while, whatever it says on them.
"""

import asyncio
from typing import Any, Protocol

import structlog
from aiohttp import web

from arena.connections.addresses import Networks, address_key
from arena.connections.allowance import Allowance
from arena.connections.crowd import Crowd
from arena.settings import Settings
from web.peers import sender_of

EVERY = 1.0
"""Seconds between two log lines about refused connections, at least."""

log = structlog.get_logger(__name__)


class Transport(Protocol):
    """A connection's transport, as far as it matters here."""

    def __hash__(self) -> int: ...

    def abort(self) -> None:
        """Close it at once."""

    def get_extra_info(self, name: str) -> Any:
        """Return what is known of it; ``peername``: the address at its other end."""


class Strangers:
    """Counts connections by the address that they come from. A trusted proxy's count one by one: limits by the
    addresses that it tells are for those who read requests.
    """

    def __init__(self, settings: Settings) -> None:
        """Start with nobody."""
        self._trusted: Networks = settings.proxies()
        self._crowd: Crowd[Transport] = Crowd(settings.http_connections, settings.http_connections_each)
        self._opened: Allowance[str] = Allowance(settings.connection_rate, settings.connection_burst)
        self._addresses: dict[Transport, str] = {}
        """Of all connections, known ones too."""
        self._refused = 0
        """Connections since that was told."""
        self._tell_at = 0.0

    def __len__(self) -> int:
        return len(self._crowd)

    def admits(self, peername: object) -> bool:
        """Tell whether the address at the other end of a new connection may open another now, and count it."""
        sender = sender_of(peername)
        if sender in self._trusted:
            return True
        address, now = address_key(sender), asyncio.get_running_loop().time()
        if self._opened.take(address, now):
            return True
        self._refused += 1
        if now >= self._tell_at:
            log.info("connections were refused; too many are opened", number=self._refused, newest=address)
            self._refused, self._tell_at = 0, now + EVERY
        return False

    def come(self, transport: Transport) -> None:
        """Take a new connection on."""
        sender = sender_of(transport.get_extra_info("peername"))
        trusted = sender in self._trusted
        self._addresses[transport] = f"a connection of {sender}: {id(transport)}" if trusted else address_key(sender)
        self._enter(transport)

    def address(self, transport: Transport) -> str:
        """Return what an open connection counts as coming from."""
        return self._addresses[transport]

    def known(self, transport: Transport | None) -> None:
        """Count a connection no longer: other limits hold whoever it turned out to be. None: it is gone."""
        if transport is not None:
            self._crowd.leave(transport)

    def unknown(self, transport: Transport | None) -> None:
        """Count it again: nobody else does, and it is still open. None: it is gone."""
        if transport is not None and transport in self._addresses and transport not in self._crowd:
            self._enter(transport)

    def gone(self, transport: Transport) -> None:
        """Forget a connection that is closed."""
        self._crowd.leave(transport)
        self._addresses.pop(transport, None)

    def _enter(self, transport: Transport) -> None:
        loser = self._crowd.enter(self._addresses[transport], transport)
        if loser is not None:
            log.info("a connection was closed to make room", address=self._addresses[loser])
            loser.abort()


STRANGERS = web.AppKey("strangers", Strangers)
