# SPDX-License-Identifier: GPL-3.0-or-later
"""Internet addresses: keys for limits per address, and client addresses behind trusted proxies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple, Self

Address = IPv4Address | IPv6Address

UNKNOWN = "unknown"
"""Key for all peers with an unknown address; a closed connection has no address."""
UNIX = "unix"
"""Key for all peers on a Unix socket."""

SITE_BITS = 64
"""Prefix length of the IPv6 network that one subscriber has at least; it chooses the remaining bits itself."""

MOST_HOPS = 32
"""Maximum hops of a forwarded request that are read."""


def read_address(text: str) -> Address | None:
    """Return the address in a text, or None. An IPv4-mapped IPv6 address (``::ffff:…``) becomes an IPv4 address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@lru_cache(maxsize=4096)
def address_key(text: str) -> str:
    """Return the key of an address for limits: an IPv4 address, or the /64 network of an IPv6 address."""
    if text in (UNIX, UNKNOWN):
        return text
    address = read_address(text)
    if address is None:
        return UNKNOWN
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address), SITE_BITS), strict=False))


@lru_cache(maxsize=4096)
def is_loopback(text: str) -> bool:
    """Return whether an address is a loopback address."""
    address = read_address(text)
    return address is not None and address.is_loopback


@dataclass(frozen=True)
class Networks:
    """A set of addresses."""

    members: tuple[IPv4Network | IPv6Network, ...] = ()
    unix: bool = False
    """Whether the peers on Unix sockets are members."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read addresses and networks separated by commas; ``unix``: the peers on Unix sockets. Raises ValueError for
        an invalid one.
        """
        members, unix = [], False
        for part in filter(None, (part.strip() for part in text.split(","))):
            if part == UNIX:
                unix = True
                continue
            try:
                members.append(ip_network(part))
            except ValueError as error:
                raise ValueError(f"{part[:60]!r} is not an address or a network such as 10.0.0.0/8: {error}") from None
        return cls(tuple(members), unix)

    def __contains__(self, text: str) -> bool:
        if text == UNIX:
            return self.unix
        if not self.members:
            return False
        address = read_address(text)
        # a network of the other IP version does not contain the address
        return address is not None and any(address in network for network in self.members)


class Hop(NamedTuple):
    """One hop of a forwarded request, as reported by the proxy that received it."""

    address: str
    """Address of the sender; "" if the proxy does not report it."""
    scheme: str = ""
    """Scheme of the hop; "" if the proxy does not report it."""


class Origin(NamedTuple):
    """Origin of a request, as reported by trusted proxies."""

    address: str
    scheme: str
    """"" if no trusted proxy reports it."""


def origin(sender: str, hops: Sequence[Hop], trusted: Networks) -> Origin:
    """Return the origin of a request from ``sender``, its direct peer, through ``hops`` (nearest last).

    The origin is the first address that is not a trusted proxy, or the last proxy before an unreported address.
    """
    found = Origin(sender, "")
    for hop in reversed(hops[-MOST_HOPS:]):
        if found.address not in trusted or read_address(hop.address) is None:
            break
        found = Origin(hop.address, hop.scheme)
    return found


def x_forwarded_for(lines: Sequence[str]) -> list[Hop]:
    """Read the X-Forwarded-For headers of a request, in their order."""
    return [Hop(_bare(part)) for part in ",".join(lines).split(",")] if lines else []


def forwarded(lines: Sequence[str]) -> list[Hop]:
    """Read the Forwarded headers (RFC 7239) of a request, in their order. Unreadable parts become unknown hops."""
    hops = []
    for element in _split(",".join(lines), ",") if lines else ():
        told: dict[str, str] = {}
        for pair in _split(element, ";"):
            name, _, value = pair.strip().partition("=")
            told.setdefault(name.strip().lower(), _unquoted(value.strip()))
        hops.append(Hop(_bare(told.get("for", "")), told.get("proto", "").lower()))
    return hops


def _split(text: str, separator: str) -> list[str]:
    """Split a header's value, but not within quotes."""
    parts, start, quoted, escaped = [], 0, False, False
    for index, character in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character == separator and not quoted:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]


def _unquoted(text: str) -> str:
    return text[1:-1].replace("\\", "") if len(text) >= 2 and text[0] == text[-1] == '"' else text


def _bare(text: str) -> str:
    """Return the address in ``address``, ``address:port`` or ``[address]:port``, or ""."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    address = read_address(text)
    return "" if address is None else str(address)
