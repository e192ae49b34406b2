# SPDX-License-Identifier: MIT
"""The address of the arena's play socket, derived from a URL."""

from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

from arena.protocol.codec import PLAY_PATH

_SOCKET_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


def play_address(url: str) -> str:
    """Return the address of the play socket of an arena: "http" becomes "ws", and the path of the socket is added if it
    is missing. Other paths are the arena's path prefix behind a reverse proxy. Raises ValueError when ``url`` is no
    address.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SOCKET_SCHEMES or not parts.hostname:
        raise ValueError(f"{url!r} is not an address of an arena; write ws://HOST:PORT{PLAY_PATH}")
    path = parts.path.rstrip("/").removesuffix(PLAY_PATH) + PLAY_PATH
    return urlunsplit((_SOCKET_SCHEMES[parts.scheme], parts.netloc, path, parts.query, ""))


def is_local(url: str) -> bool:
    """Return whether the address is this machine's own, which no proxy could reach."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
