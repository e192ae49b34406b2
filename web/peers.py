# SPDX-License-Identifier: GPL-3.0-or-later
"""Who sent a request: the address that limits count, told by trusted proxies where there are any."""

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
"""The proxies whose forwarding headers count."""

FORWARDING = (
    "X-Forwarded-For",
    "Forwarded",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Port",
    "X-Real-IP",
    "X-Client-IP",
    "True-Client-IP",
    "CF-Connecting-IP",
    "Via",
)
"""Headers that proxies add. A request that has one came from elsewhere, whoever delivered it."""

SCHEMES = ("http", "https")


class Peer(NamedTuple):
    """Who sent a request."""

    key: str
    """What counts as one address in limits."""
    loopback: bool
    """Whether the request comes from this machine, and nobody who is not trusted forwarded it."""
    scheme: str
    """By which the peer sent it: http or https."""
    address: str
    """For logs."""


_PEER = web.RequestKey("peer", Peer)


def peer_of(request: web.Request) -> Peer:
    """Return who sent a request."""
    found = request.get(_PEER)
    if found is None:
        found = request[_PEER] = _peer(request)
    return found


def _peer(request: web.Request) -> Peer:
    sender, headers = sender_of(request.remote), request.headers
    if not any(name in headers for name in FORWARDING):
        return Peer(address_key(sender), is_loopback(sender), request.scheme, sender)
    trusted = request.app.get(TRUSTED, Networks())
    kinds = (
        x_forwarded_for(headers.getall("X-Forwarded-For", ())),
        forwarded(headers.getall("Forwarded", ())),
    )
    told = {each.address: each for each in (origin(sender, hops, trusted) for hops in kinds if hops)}
    if sender not in trusted or len(told) != 1:
        # where the two kinds of header disagree, the proxy wrote one and handed on the other as the client wrote it
        return Peer(address_key(sender), False, _scheme(request, trusted), sender)
    (come,) = told.values()
    return Peer(
        address_key(come.address), is_loopback(come.address), _scheme(request, trusted, come.scheme), come.address
    )


def _scheme(request: web.Request, trusted: Networks, told: str = "") -> str:
    """Return the scheme that a trusted proxy tells, else that of the connection."""
    if sender_of(request.remote) in trusted:
        told = request.headers.get("X-Forwarded-Proto", "").partition(",")[0].strip().lower() or told
    return told if told in SCHEMES else request.scheme


def sender_of(remote: object) -> str:
    """Return the address at the other end of a connection by its peername, or by what aiohttp makes of that."""
    if isinstance(remote, tuple | list) and remote:
        remote = remote[0]
    if remote is None:
        return UNKNOWN
    text = str(remote)
    return UNIX if not text or text.startswith("/") else text
