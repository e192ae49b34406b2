# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of an arena's REST API that a breeder needs, as plain blocking calls."""

import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from bots.client.address import is_local

PREFIX = "/api/v1"
TIMEOUT = 20.0


class Refused(Exception):
    """The arena refuses what was asked for; the message is its own, for people, and ``code`` for programs."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Door:
    """An arena at an address such as ``http://127.0.0.1:8080``; ``token`` is an operator's or a deme's, for reports.

    Every call raises Refused for what the arena does not accept, and OSError where it does not answer.
    """

    def __init__(self, url: str, token: str = "") -> None:
        """Raises ValueError when ``url`` is no address."""
        parts = urlsplit(url)
        schemes = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
        if parts.scheme not in schemes or not parts.hostname:
            raise ValueError(f"{url!r} is no address of an arena; write http://HOST:PORT")
        self._base = f"{schemes[parts.scheme]}://{parts.netloc}{PREFIX}"
        self._token = token
        self._opener = build_opener(ProxyHandler({})) if is_local(url) else build_opener()

    def get(self, path: str) -> Any:
        """Ask for something."""
        return self._call(Request(self._base + path, headers={"Accept": "application/json"}))

    def post(self, path: str, body: Any) -> Any:
        """Order something."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"}
        return self._call(Request(self._base + path, msgspec.json.encode(body), headers, method="POST"))

    def _call(self, request: Request) -> Any:
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                try:
                    why = json.load(error)["error"]
                    message, code = str(why["message"]), str(why["code"])
                except (ValueError, KeyError, TypeError):
                    message, code = f"HTTP {error.code}", ""
            raise Refused(error.code, message, code) from None
        except URLError as error:
            # its own words are a bracket around the cause's
            raise OSError(getattr(error.reason, "strerror", None) or str(error.reason)) from error
