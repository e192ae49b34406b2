# SPDX-License-Identifier: GPL-3.0-or-later
"""Client address of a request, from the connection or from the forwarding headers of a trusted proxy."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from aiohttp import web

from arena.connections.addresses import (
    UNIX,
    UNKNOWN,
    Networks,
    address_key,
    forwarded,
    is_loopback,
    origin,
    x_forwarded_for,
)

TRUSTED = web.AppKey("trusted", Networks)
"""The proxies whose forwarding headers are trusted."""

FORWARDING = (
    "X-Forwarded-For",
    "Forwarded",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Port",
    "X-Forwarded-Prefix",
    "X-Real-IP",
    "X-Client-IP",
    "True-Client-IP",
    "CF-Connecting-IP",
    "Via",
)
"""Headers that proxies add. A request with one of these did not start on this machine."""

SCHEMES = ("http", "https")


class Client(NamedTuple):
    """The client that sent a request."""

    key: str
    """Key for limits per address: an IPv4 address or an IPv6 /64 network."""
    loopback: bool
    """Whether the request comes from this machine, directly or through trusted proxies."""
    scheme: str
    """Scheme that the client used: http or https."""
    address: str
    """Address for logs."""


Voucher = Callable[[web.Request], Client | None]
"""Returns the client of a request that a trusted server sent on; None for other requests."""

VOUCHERS = web.AppKey("vouchers", Sequence[Voucher])

_CLIENT = web.RequestKey("client", Client)


def client_of(request: web.Request) -> Client:
    """Return the client that sent a request."""
    found = request.get(_CLIENT)
    if found is None:
        found = request[_CLIENT] = _client(request)
    return found


def _client(request: web.Request) -> Client:
    sender, headers = sender_of(request.remote), request.headers
    for vouch in request.app.get(VOUCHERS, ()):
        if (sent_on := vouch(request)) is not None:
            return sent_on
    if not any(name in headers for name in FORWARDING):
        return Client(address_key(sender), is_loopback(sender), request.scheme, sender)
    trusted = request.app.get(TRUSTED, Networks())
    kinds = (
        x_forwarded_for(headers.getall("X-Forwarded-For", ())),
        forwarded(headers.getall("Forwarded", ())),
    )
    told = {each.address: each for each in (origin(sender, hops, trusted) for hops in kinds if hops)}
    if sender not in trusted or len(told) != 1:
        # if the two kinds of header disagree, the proxy wrote one and forwarded the client's own text in the other
        return Client(address_key(sender), False, _scheme(request, trusted), sender)
    (come,) = told.values()
    return Client(
        address_key(come.address), is_loopback(come.address), _scheme(request, trusted, come.scheme), come.address
    )


def _scheme(request: web.Request, trusted: Networks, told: str = "") -> str:
    """Return the scheme from a trusted proxy's headers, else the scheme of the connection."""
    if sender_of(request.remote) in trusted:
        told = request.headers.get("X-Forwarded-Proto", "").partition(",")[0].strip().lower() or told
    return told if told in SCHEMES else request.scheme


def sender_of(remote: object) -> str:
    """Return the remote address of a connection from its peername or from aiohttp's ``request.remote``."""
    if isinstance(remote, tuple | list) and remote:
        remote = remote[0]
    if remote is None:
        return UNKNOWN
    text = str(remote)
    return UNIX if not text or text.startswith("/") else text
