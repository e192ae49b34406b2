# SPDX-License-Identifier: GPL-3.0-or-later
"""Seats in an arena: bots that play one genome after the other, each as a version of the bot.

Connections run on an event loop and breeding in another thread, so methods of seats return futures.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from typing import Any

from arena.protocol.messages import Welcome
from bots.client import ArenaError, Client
from bots.evolution.genome import Schema, Values
from bots.evolution.player import GenomeBot, label

log = logging.getLogger(__name__)

_LOOK = 0.2
"""Seconds between two checks whether a retiring genome still plays."""


class GenomeSeat:
    """One bot. A genome finishes its matches before the next one starts."""

    def __init__(self, url: str, name: str, token: str, *, ladder: bool) -> None:
        self._url = url
        self._name = name
        self._token = token
        self._ladder = ladder
        self._client: Client | None = None
        self._playing: asyncio.Task[None] | None = None
        self._version = ""
        self._one_by_one = asyncio.Lock()

    async def enter(self, schema: Schema, values: Values) -> None:
        """Let a genome play; returns after the arena has welcomed or refused it."""
        async with self._one_by_one:
            if label(schema, values) == self._version and self._playing is not None and not self._playing.done():
                return
            await self._retire()
            self._version, name, welcome = label(schema, values), self._name, asyncio.Event()
            client = self._client = Client(
                lambda: GenomeBot(schema, values, name),
                url=self._url,
                token=self._token,
                games=[schema.game],
                ladder=self._ladder,
                challenges=self._ladder,
                heard=lambda message: welcome.set() if isinstance(message, Welcome) else None,
            )
            self._playing = asyncio.create_task(self._play(client, welcome))
            await welcome.wait()

    async def leave(self) -> None:
        """Stop after the current matches."""
        async with self._one_by_one:
            await self._retire()

    async def close(self) -> None:
        """Stop at once."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.wait({self._playing})

    async def _retire(self) -> None:
        client, playing = self._client, self._playing
        if client is None or playing is None or playing.done():
            return
        with contextlib.suppress(ArenaError):
            await client.be_available(ladder=False, challenges=False)
        while client.matches and not playing.done():  # noqa: ASYNC110  # nothing else tells of it
            await asyncio.sleep(_LOOK)
        await client.close()
        await asyncio.wait({playing})

    async def _play(self, client: Client, welcome: asyncio.Event) -> None:
        try:
            await client.run()
        except ArenaError as error:
            log.warning("%s leaves: %s", self._name, error)
        finally:
            welcome.set()


class Seats:
    """The seats of a population, by the names of their bots."""

    def __init__(self, url: str, loop: asyncio.AbstractEventLoop) -> None:
        """``url``: of the arena; ``loop`` runs in another thread than the caller."""
        self._url = url
        self._loop = loop
        self._tokens: dict[str, str] = {}
        self._seats: dict[str, GenomeSeat] = {}

    def known(self, name: str) -> bool:
        """Whether the token of a bot is known."""
        return name in self._tokens

    def admit(self, name: str, token: str) -> None:
        """Store the token of a bot."""
        self._tokens[name] = token

    def enter(self, name: str, schema: Schema, values: Values, *, ladder: bool = True) -> "Future[None]":
        """Let a genome play as a bot, on the ladder or in tournaments only; done when it has connected.

        Raises KeyError when the bot's token is not known.
        """
        token = self._tokens[name]

        async def enter() -> None:
            if name not in self._seats:
                self._seats[name] = GenomeSeat(self._url, name, token, ladder=ladder)
            await self._seats[name].enter(schema, values)

        return self._soon(enter())

    def leave(self, name: str) -> "Future[None]":
        """Stop a bot; done when its last match is over."""

        async def leave() -> None:
            if name in self._seats:
                await self._seats[name].leave()

        return self._soon(leave())

    async def close(self) -> None:
        """Stop all bots at once."""
        await asyncio.gather(*(seat.close() for seat in self._seats.values()))

    def _soon(self, work: Coroutine[Any, Any, None]) -> "Future[None]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)


@contextlib.contextmanager
def seated(url: str) -> Iterator[Seats]:
    """Return seats whose loop runs in its own thread; all bots stop at the end."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="seats", daemon=True)
    thread.start()
    seats = Seats(url, loop)
    try:
        yield seats
    finally:
        asyncio.run_coroutine_threadsafe(seats.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
