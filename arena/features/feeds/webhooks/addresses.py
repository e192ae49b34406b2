# SPDX-License-Identifier: GPL-3.0-or-later
"""The addresses that webhooks may reach: URLs of owners must not open the arena's own network to them.

The check is at the socket: each connection, whatever name or notation led to it, goes to an address that was checked
right before. So no name can change its address between the check and the connection.
"""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult

from arena.connections.addresses import Networks
from arena.features.feeds.settings import WebhookSettings

LONGEST_URL = 500
PORTS = {"http": 80, "https": 443}
"""Default ports by scheme."""

_UNICAST = IPv6Network("2000::/3")
"""The IPv6 addresses that are public at all."""
_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("2002::/16"))
"""IPv6 addresses that stand for IPv4 addresses (NAT64 and 6to4)."""
_RELAYS = IPv4Network("192.88.99.0/24")


class BadUrl(Exception):
    """A webhook may not have this URL."""


class Blocked(OSError):
    """Webhooks may not reach this address."""


def is_public(text: str) -> bool:
    """Tell whether an address is a public one of a single machine."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        return address in _UNICAST and address.is_global and not any(address in network for network in _TRANSLATED)
    return address.is_global and not address.is_multicast and not address.is_reserved and address not in _RELAYS


class Guard:
    """Checks the URLs of webhooks, and the addresses to which they lead."""

    def __init__(self, settings: WebhookSettings) -> None:
        self._allowed: Networks = settings.allowed()
        self._ports = settings.ports()

    def check_url(self, text: str) -> None:
        """Raise BadUrl for a URL that a webhook may not have; its name is not looked up."""
        try:
            url = urlsplit(text)
            port = url.port if url.port is not None else PORTS.get(url.scheme)
        except ValueError as error:
            raise BadUrl(f"the address is not a URL: {error}") from None
        if port is None or not url.hostname or len(text) > LONGEST_URL or not text.isprintable():
            raise BadUrl(
                f"the address must be a URL of at most {LONGEST_URL} characters, such as https://example.org/hook"
            )
        if url.username is not None or url.password is not None or url.fragment:
            raise BadUrl("the address must not contain a user name, a password or a fragment (#)")
        if port not in self._ports:
            known = ", ".join(map(str, sorted(self._ports)))
            raise BadUrl(f"webhooks may not reach port {port}; the setting webhook_ports allows {known or 'no port'}")
        try:
            ip_address(url.hostname)
        except ValueError:
            return  # a name
        try:
            self.check_address(url.hostname)
        except Blocked as error:
            raise BadUrl(str(error)) from None

    def check_address(self, text: str) -> None:
        """Raise Blocked for an address that webhooks may not reach. A mapped address counts as its IPv4 address."""
        bare = text.partition("%")[0]
        try:
            address: IPv4Address | IPv6Address = ip_address(bare)
        except ValueError:
            raise Blocked(f"{text[:60]!r} is not an IP address") from None
        mapped = str(getattr(address, "ipv4_mapped", None) or address)
        if mapped not in self._allowed and not is_public(mapped):
            raise Blocked(f"webhooks may not reach the address {mapped}, which is not public; see webhook_allow")

    def open_socket(self, found: tuple[Any, ...]) -> socket.socket:
        """Return the socket for a connection to an address of ``getaddrinfo``. Raises Blocked."""
        family, kind, protocol, _, address = found
        if address[1] not in self._ports:
            raise Blocked(f"webhooks may not reach port {address[1]}")
        self.check_address(str(address[0]))
        return socket.socket(family, kind, protocol)


class Resolver(AbstractResolver):
    """Looks up names in threads of its own: slow name servers hold up neither the arena nor its database."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(16, "webhook-names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name. Raises OSError."""
        loop = asyncio.get_running_loop()
        look_up = socket.getaddrinfo
        found = await loop.run_in_executor(self._threads, look_up, host, port, family, socket.SOCK_STREAM)
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(hostname=host, host=str(to[0]), port=int(to[1]), family=of, proto=protocol, flags=flags)
            for of, _, protocol, _, to in found
        ]

    async def close(self) -> None:
        """Look up no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
