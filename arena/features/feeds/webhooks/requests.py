# SPDX-License-Identifier: GPL-3.0-or-later
"""The request of a delivery: one POST without redirects, cookies or proxies, with limits on time and size."""

import asyncio
from typing import NamedTuple

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from aiohttp.abc import AbstractResolver

from arena.features.feeds.webhooks.addresses import BadUrl, Blocked, Guard, Resolver
from arena.features.feeds.webhooks.signing import ID_HEADER, SIGNATURE_HEADER, TIME_HEADER, sign

SECONDS = 10.0
"""Time for a whole request: look up, connect, send and read the head of the answer."""
AT_ONCE = 8
"""Connections of webhooks at once."""


class Outcome(NamedTuple):
    """The outcome of an attempt."""

    status: int | None
    """HTTP status; None where no answer came."""
    problem: str
    """Why it failed; empty where it succeeded."""


class Requests:
    """Sends deliveries. ``close`` it."""

    def __init__(self, guard: Guard, resolver: AbstractResolver | None = None, seconds: float = SECONDS) -> None:
        """``resolver`` looks up names. Must be made in a running event loop."""
        self._guard = guard
        self._resolver = resolver or Resolver()
        connector = TCPConnector(
            resolver=self._resolver,
            socket_factory=guard.open_socket,
            use_dns_cache=False,
            force_close=True,
            limit=AT_ONCE,
        )
        self._http = ClientSession(
            connector=connector,
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=seconds),
            auto_decompress=False,
            trust_env=False,
            headers={"User-Agent": "bot-arena", "Content-Type": "application/json"},
            read_bufsize=4096,
        )

    async def send(self, url: str, secret: str, message: str, timestamp: int, body: bytes) -> Outcome:
        """Send a signed body once. The body of the answer is not read."""
        headers = {
            ID_HEADER: message,
            TIME_HEADER: str(timestamp),
            SIGNATURE_HEADER: sign(secret, message, timestamp, body),
        }
        try:
            self._guard.check_url(url)
            async with self._http.post(url, data=body, headers=headers, allow_redirects=False) as response:
                status = response.status
                response.close()
        except BadUrl as error:
            return Outcome(None, str(error))
        except TimeoutError:
            return Outcome(None, "the address did not answer in time")
        except (ClientError, OSError, ValueError, asyncio.LimitOverrunError) as error:
            return Outcome(None, _why(error))
        if 200 <= status < 300:
            return Outcome(status, "")
        if 300 <= status < 400:
            return Outcome(status, f"status {status}: webhooks follow no redirects")
        return Outcome(status, f"status {status}")

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()
        await self._resolver.close()


def _why(error: BaseException) -> str:
    """Return why a request failed, for the owner: what a socket of the arena's network answered stays out of it."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, Blocked):
            return str(seen)
        seen = seen.__cause__ or seen.__context__
    return f"no answer: {type(error).__name__}"
