# SPDX-License-Identifier: GPL-3.0-or-later
"""A live match that waits for the test, however long its page takes to be shown."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from arena.connections.admission import hash_token, make_token
from arena.protocol.codec import PLAY_PATH
from arena.store import Store
from bots.bot import Answer, Bot, Resign, Turn
from bots.client import Client
from tests.browser.conftest import PATIENCE, Site

_numbers = count(1)


class Held(Bot):
    """Plays the first legal move when the test allows it, and resigns when the test asks for it."""

    def __init__(self, game: str) -> None:
        self.games = (game,)
        self.name = f"held-{next(_numbers)}"
        self.match = 0
        self.asked = threading.Event()
        """Set as soon as it is to move."""
        self._may = threading.Semaphore(0)
        self._ends = False

    def move(self, turn: Turn) -> Answer:
        """Wait for leave, then play."""
        assert turn.legal_moves
        self.asked.set()
        self._may.acquire()
        return Resign() if self._ends else turn.legal_moves[0]

    def goes_on(self) -> None:
        """Let it play a move."""
        self._may.release()

    def gives_up(self) -> None:
        """Let it resign as soon as it is its turn."""
        self._ends = True
        self._may.release()

    def stop(self, match: int) -> None:
        """Keep nobody waiting."""
        self.gives_up()


@contextmanager
def held(site: Site, game: str) -> Iterator[Held]:
    """Let a new bot challenge a built-in bot, and give it out when it is to move: nothing happens until it does."""
    bot, begun, enough = Held(game), threading.Event(), threading.Event()

    async def play() -> None:
        token = make_token()
        async with await Store.open(f"sqlite:///{site.folder / 'arena.db'}") as store:
            await store.bots.add(bot.name, hash_token(token))
        url = site.url.replace("http", "ws", 1) + PLAY_PATH
        async with Client(bot, url=url, token=token, ladder=False) as client:
            (bot.match,) = await client.challenge("random", game, time_control="3000+0")
            begun.set()
            await asyncio.to_thread(enough.wait)

    site.wait(f"/matches?game={game}")  # so that the built-in bots are there

    def run() -> None:
        try:
            asyncio.run(play())
        finally:
            begun.set()

    # in a thread of its own: in this one the loop of the tests' browser runs
    playing = threading.Thread(target=run)
    playing.start()
    try:
        assert begun.wait(PATIENCE), "no match begins"
        assert bot.match, "the challenge fails"
        assert bot.asked.wait(PATIENCE), "the other side does not move"
        yield bot
    finally:
        enough.set()
        playing.join(PATIENCE)
