# SPDX-License-Identifier: MIT
"""A small client of the arena's REST API: addresses, tokens, retries, errors and JSON in one place.

Calls block; a program with an event loop makes them in a thread: ``await asyncio.to_thread(rest.get, "/status")``.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPException
from typing import Any, TypeVar, overload
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from arena.protocol.codec import PLAY_PATH
from bots.client.address import is_local
from bots.client.errors import ArenaError, Rejected, RequestRefused

T = TypeVar("T")

PREFIX = "/api/v1"
TIMEOUT = 20.0
"""Seconds without a byte of the answer after which a call fails."""
PATIENCE = 10.0
"""Seconds that a call may spend on retries when the arena is busy."""

_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


class RestClient:
    """The REST API of one arena.

    Calls raise RequestRefused if the arena refuses the request or the answer is not an arena's, and OSError if there is
    no answer. When the arena is busy and its answer says when to retry (Retry-After), the call is repeated.
    """

    def __init__(self, url: str, token: str = "", *, timeout: float = TIMEOUT, patience: float = PATIENCE) -> None:
        """``url``: the arena (``http://HOST:PORT``) or its play socket; ``token``: for requests that need one.

        Raises ValueError for another kind of address.
        """
        parts = urlsplit(url)
        if parts.scheme not in _SCHEMES or not parts.hostname:
            raise ValueError(f"{url!r} is not an address of an arena; write http://HOST:PORT")
        path = parts.path.removesuffix(PLAY_PATH).rstrip("/")
        self.base = f"{_SCHEMES[parts.scheme]}://{parts.netloc}{path}{PREFIX}"
        """The address that paths are appended to."""
        self._token = token
        self._timeout = timeout
        self._patience = patience
        self._opener = build_opener(ProxyHandler({})) if is_local(url) else build_opener()

    @overload
    def get(self, path: str, *, kind: type[T], **query: object) -> T: ...
    @overload
    def get(self, path: str, **query: object) -> Any: ...
    def get(self, path: str, *, kind: Any = Any, **query: object) -> Any:
        """Return the answer to GET ``path`` (below /api/v1) with the parameters ``query``, as a ``kind``."""
        with self._answer(self._request(path, query)) as answer:
            return _decoded(answer.read(), kind)

    @overload
    def post(self, path: str, body: object, *, kind: type[T]) -> T: ...
    @overload
    def post(self, path: str, body: object) -> Any: ...
    def post(self, path: str, body: object, *, kind: Any = Any) -> Any:
        """Return the answer to POST ``path`` with a JSON body, as a ``kind``."""
        with self._answer(self._request(path, {}, msgspec.json.encode(body))) as answer:
            return _decoded(answer.read(), kind)

    @overload
    def send(self, path: str, body: bytes, /, *, kind: type[T], **query: object) -> T: ...
    @overload
    def send(self, path: str, body: bytes, /, **query: object) -> Any: ...
    def send(self, path: str, body: bytes, /, *, kind: Any = Any, **query: object) -> Any:
        """Return the answer to POST ``path`` with a file as the body and the parameters ``query``, as a ``kind``."""
        request = self._request(path, query, body)
        request.add_header("Content-Type", "application/octet-stream")
        with self._answer(request) as answer:
            return _decoded(answer.read(), kind)

    @contextmanager
    def lines(self, path: str, **query: object) -> Iterator[Iterator[str]]:
        """Give the lines of an answer that is text, while they arrive."""
        with self._answer(self._request(path, query)) as answer:
            yield (line.decode() for line in answer)

    def _request(self, path: str, query: dict[str, object], body: bytes | None = None) -> Request:
        given = {name: value for name, value in query.items() if value is not None}
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        address = f"{self.base}{path}{'?' if given else ''}{urlencode(given)}"
        return Request(address, body, headers, method="GET" if body is None else "POST")

    @contextmanager
    def _answer(self, request: Request) -> Iterator[Any]:
        try:
            with self._opened(request) as answer:
                yield answer
        except URLError as error:
            # the message of URLError is its cause in brackets
            raise OSError(getattr(error.reason, "strerror", None) or str(error.reason)) from error
        except HTTPException as error:
            raise OSError(f"the answer is incomplete: {type(error).__name__}") from error

    def _opened(self, request: Request) -> Any:
        """Return the answer to a request, which is repeated while the arena is busy."""
        end = time.monotonic() + self._patience
        while True:
            try:
                return self._opener.open(request, timeout=self._timeout)
            except HTTPError as error:
                with error:
                    pause = _pause(error)
                    if pause is None or time.monotonic() + pause > end:
                        raise _refused(error) from None
            time.sleep(pause)  # this client blocks; the arena named the pause (Retry-After)


def _pause(error: HTTPError) -> float | None:
    """Return the seconds after which the arena wants the request again; None if it does not."""
    seconds = error.headers.get("Retry-After", "")
    busy = error.code in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
    return float(seconds) if busy and seconds.isdecimal() else None


def _refused(error: HTTPError) -> RequestRefused:
    try:
        why = json.load(error)["error"]
        return RequestRefused(error.code, str(why["message"]), str(why["code"]))
    except (ValueError, KeyError, TypeError):
        return RequestRefused(error.code, f"HTTP {error.code}")


def _decoded(body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise RequestRefused(HTTPStatus.OK, f"it does not answer as an arena does: {error}") from None


class _Game(msgspec.Struct):
    name: str


class _Games(msgspec.Struct):
    items: list[_Game]


def games_played(url: str, timeout: float = 10.0) -> list[str]:
    """Return the names of all games of the arena behind a play socket. Blocks; raises ArenaError, and OSError if the
    arena does not answer or fails.
    """
    rest = RestClient(url, timeout=timeout)
    try:
        names = [game.name for game in rest.get("/games", kind=_Games).items]
    except RequestRefused as error:
        if error.status == HTTPStatus.NOT_FOUND:
            raise Rejected(f"{rest.base} is not an arena's: it answers HTTP 404") from error
        if error.status < HTTPStatus.BAD_REQUEST:
            raise
        raise OSError(f"{rest.base} answers HTTP {error.status}: {error}") from error
    if not names:
        raise ArenaError(f"{rest.base} lists no games")
    return names
