# SPDX-License-Identifier: GPL-3.0-or-later
"""Internet addresses: how limits count them, and whose word counts for the address of somebody behind a proxy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple, Self

Address = IPv4Address | IPv6Address

UNKNOWN = "unknown"
"""Counts for all peers whose address is not known; a connection that is gone already has none."""
UNIX = "unix"
"""Counts for all peers that came through a socket of the file system."""

SITE_BITS = 64
"""Leading bits of an IPv6 address that one subscriber has at least: the others are its own to choose."""

MOST_HOPS = 32
"""Hops of a forwarded request that are read; further ones are nobody's route."""


def read_address(text: str) -> Address | None:
    """Return the address in a text, an IPv4 address for one that IPv6 only wraps (``::ffff:…``); None: it is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@lru_cache(maxsize=4096)
def address_key(text: str) -> str:
    """Return what counts as one address in limits: an IPv4 address, or the /64 of an IPv6 address."""
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
    """Tell whether an address is this machine's own."""
    address = read_address(text)
    return address is not None and address.is_loopback


@dataclass(frozen=True)
class Networks:
    """A set of addresses."""

    members: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read addresses and networks separated by commas. Raises ValueError where one cannot be read."""
        members = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            try:
                members.append(ip_network(part))
            except ValueError as error:
                raise ValueError(f"{part[:60]!r} is no address and no network like 10.0.0.0/8: {error}") from None
        return cls(tuple(members))

    def __contains__(self, text: str) -> bool:
        if not self.members:
            return False
        address = read_address(text)
        # a network of the other family contains nothing of this one
        return address is not None and any(address in network for network in self.members)


class Hop(NamedTuple):
    """A step of a request's way, as the proxy tells that received it from there."""

    address: str
    """The sender's; "" where the proxy does not tell it."""
    scheme: str = ""
    """By which the proxy received it; "" where it does not tell it."""


class Origin(NamedTuple):
    """Where a request comes from, as far as trusted proxies tell."""

    address: str
    scheme: str
    """"" where no trusted proxy tells it."""


def origin(sender: str, hops: Sequence[Hop], trusted: Networks) -> Origin:
    """Follow a request back from ``sender``, who delivered it, through ``hops`` (the nearest last).

    Ends at the first address that is not a trusted proxy's, or before one that a proxy does not tell.
    """
    found = Origin(sender, "")
    for hop in reversed(hops[-MOST_HOPS:]):
        if found.address not in trusted or read_address(hop.address) is None:
            break
        found = Origin(hop.address, hop.scheme)
    return found


def x_forwarded_for(lines: Sequence[str]) -> list[Hop]:
    """Read the headers X-Forwarded-For of a request, in their order."""
    return [Hop(_bare(part)) for part in ",".join(lines).split(",")] if lines else []


def forwarded(lines: Sequence[str]) -> list[Hop]:
    """Read the headers Forwarded (RFC 7239) of a request, in their order. What cannot be read is a hop not told."""
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
    """Return the address in ``address``, ``address:port`` or ``[address]:port``; "" where there is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    address = read_address(text)
    return "" if address is None else str(address)
