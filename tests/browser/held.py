# SPDX-License-Identifier: GPL-3.0-or-later
"""Live matches that wait for the test, however long their pages take to be shown."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from itertools import count

from arena.connections.admission import hash_token, make_token
from arena.protocol.codec import PLAY_PATH
from arena.store import Store
from bots.bot import Answer, Bot, Match, Over, Resign, Turn
from bots.built_in.kinds.searching import BOTS, SearchingBot
from bots.client import Client
from tests.browser.conftest import PATIENCE, Site

_numbers = count(1)


class Held(Bot):
    """Plays a move when the test allows it, and resigns when the test asks for it.

    The move is the first legal one, or that of a bot that searches.
    """

    def __init__(self, game: str, searching: SearchingBot | None = None) -> None:
        self.game = game
        self.games = (game,)
        self.name = f"held-{next(_numbers)}"
        self.open_info = searching is not None
        self.match = 0
        self.asked = threading.Event()
        """Set as soon as it is to move."""
        self._searching = searching
        self._may = threading.Semaphore(0)
        self._ends = False

    def prepare(self, games: Sequence[str]) -> None:
        """Load the search."""
        if self._searching is not None:
            self._searching.prepare(games)

    def match_started(self, match: Match) -> None:
        """Tell the search."""
        if self._searching is not None:
            self._searching.match_started(match)

    def match_over(self, over: Over) -> None:
        """Tell the search."""
        if self._searching is not None:
            self._searching.match_over(over)

    def move(self, turn: Turn) -> Answer:
        """Wait for leave, then play."""
        assert turn.legal_moves
        self.asked.set()
        self._may.acquire()
        if self._ends:
            return Resign()
        return turn.legal_moves[0] if self._searching is None else self._searching.move(turn)

    def goes_on(self, moves: int = 1) -> None:
        """Let the bot play this number of moves."""
        self._may.release(moves)

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
    bot = Held(game)
    with _playing(site, bot, "random"):
        assert bot.asked.wait(PATIENCE), "the other side does not move"
        yield bot


@contextmanager
def held_searches(site: Site, game: str) -> Iterator[tuple[Held, Held]]:
    """Let a new bot challenge another. Both search, and show their search info at once."""
    one, other = (Held(game, SearchingBot(settings)) for settings in BOTS[:2])
    with _playing(site, one, other.name, other):
        yield one, other


@contextmanager
def _playing(site: Site, bot: Held, rival: str, *others: Held) -> Iterator[None]:
    """Connect bots, and let the first challenge a rival: the match has begun, and ends with the context."""
    begun, enough = threading.Event(), threading.Event()

    async def play() -> None:
        async with AsyncExitStack() as stack:
            *_, client = [await stack.enter_async_context(await _client(site, each)) for each in (*others, bot)]
            (bot.match,) = await client.challenge(rival, bot.game, time_control="3000+0")
            begun.set()
            await asyncio.to_thread(enough.wait)

    site.wait(f"/matches?game={bot.game}")  # so that the built-in bots are there

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
        yield
    finally:
        enough.set()
        playing.join(PATIENCE)


async def _client(site: Site, bot: Held) -> Client:
    """Register a bot; return its client."""
    token = make_token()
    async with await Store.open(f"sqlite:///{site.folder / 'arena.db'}") as store:
        await store.bots.add(bot.name, hash_token(token))
    return Client(bot, url=site.url.replace("http", "ws", 1) + PLAY_PATH, token=token, ladder=False)
