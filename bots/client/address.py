# SPDX-License-Identifier: MIT
"""Derive the arena's play socket and REST API addresses from a URL."""

import json
from http import HTTPStatus
from ipaddress import ip_address
from urllib.error import HTTPError
from urllib.parse import SplitResult, urlsplit, urlunsplit
from urllib.request import ProxyHandler, Request, build_opener

from arena.protocol.version import PLAY_PATH
from bots.client.errors import ArenaError, Rejected

_SOCKET_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_GAMES_PATH = "/api/v1/games"


def play_address(url: str) -> str:
    """Return the address of the play socket: "http" becomes "ws", and a missing path is filled in. Raises ValueError
    when ``url`` is no address.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SOCKET_SCHEMES or not parts.hostname:
        raise ValueError(f"{url!r} is no address of an arena; write ws://HOST:PORT{PLAY_PATH}")
    path = PLAY_PATH if parts.path in ("", "/") else parts.path
    return urlunsplit((_SOCKET_SCHEMES[parts.scheme], parts.netloc, path, parts.query, ""))


def is_local(url: str) -> bool:
    """Return whether the address is this machine's own, which no proxy could reach."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def games_played(url: str, timeout: float = 10.0) -> list[str]:
    """Ask the arena behind a play socket for the names of all its games. Blocks; raises ArenaError or OSError when it
    does not answer.
    """
    parts = urlsplit(url)
    prefix = parts.path.removesuffix(PLAY_PATH) if parts.path.endswith(PLAY_PATH) else ""
    scheme = "https" if parts.scheme == "wss" else "http"
    address = urlunsplit(SplitResult(scheme, parts.netloc, prefix + _GAMES_PATH, "", ""))
    opener = build_opener(ProxyHandler({})) if is_local(url) else build_opener()
    try:
        with opener.open(Request(address, headers={"Accept": "application/json"}), timeout=timeout) as answer:
            names = [str(item["name"]) for item in json.load(answer)["items"]]
    except HTTPError as error:
        with error:
            if error.code == HTTPStatus.NOT_FOUND:
                raise Rejected(f"{address} is no arena's: it answers HTTP {error.code}") from error
            raise
    except (ValueError, KeyError, TypeError) as error:
        raise ArenaError(f"{address} does not answer as an arena does") from error
    if not names:
        raise ArenaError(f"{address} lists no games")
    return names
