# SPDX-License-Identifier: GPL-3.0-or-later
"""Which token a new connection may come in with, and how soon: strangers' hellos cost the arena little, and keep out
nobody whose token is known.
"""

import asyncio

from arena.connections.allowance import Allowance
from arena.connections.sessions import Connection
from arena.protocol.errors import CloseCode
from arena.protocol.messages import Goodbye
from arena.retry import keep_trying
from arena.settings import Settings
from arena.store import Store
from arena.store.rows import BotRow

UNKNOWN_RATE, UNKNOWN_BURST = 2.0, 100
"""Tokens that are looked up for one address though nobody has met them, a second in the long run and at once. The burst
is for many new bots behind one address: what turns out to be a bot's token does not count.
"""

LOOKED_UP = 4
"""Such tokens that are looked up at the same time."""

REFRESH = 5.0
"""Seconds between two readings of all tokens, at least, after some were turned away without a look."""


class TooManyUnknown(Exception):
    """An address sent too many unknown tokens; the next one is not looked up."""


class Admission:
    """The tokens that the arena knows, and how often each may come in. Not to be asked before ``load``."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Know nobody."""
        self._store = store
        self._known: set[bytes] = set()
        self.loaded = asyncio.Event()
        """Set once all tokens are known that were there at the start."""
        self._unknown: Allowance[str] = Allowance(UNKNOWN_RATE, UNKNOWN_BURST)
        self._looking_up = asyncio.Semaphore(LOOKED_UP)
        self._stale = False
        self._refreshed = 0.0
        self._turns: Allowance[str] = Allowance(settings.token_rate, settings.token_burst)
        self._waiting: dict[str, Connection] = {}

    async def load(self) -> None:
        """Read all tokens from the store, until that succeeds."""
        try:
            self._known = set(map(_short, await keep_trying(self._store.bots.tokens)))
        finally:
            self.loaded.set()

    async def refresh(self) -> None:
        """Read them anew where one was turned away that may be new. Raises StoreError."""
        now = asyncio.get_running_loop().time()
        if self._stale and now >= self._refreshed + REFRESH:
            self._stale, self._refreshed = False, now
            self._known = set(map(_short, await self._store.bots.tokens()))

    def knows(self, token_hash: str) -> bool:
        """Tell whether a token is a bot's, as far as is known without asking the store."""
        return _short(token_hash) in self._known

    async def find(self, token_hash: str, address: str) -> BotRow | None:
        """Return the bot of a token that came from an address. Raises TooManyUnknown, and StoreError."""
        if self.knows(token_hash):
            bot = await self._store.bots.by_token(token_hash)
            if bot is None:
                self._known.discard(_short(token_hash))
            return bot
        if not self._unknown.take(address, asyncio.get_running_loop().time()):
            self._stale = True
            raise TooManyUnknown
        async with self._looking_up:
            bot = await self._store.bots.by_token(token_hash)
        if bot is not None:
            self._known.add(_short(token_hash))
            self._unknown.give_back(address)
        return bot

    async def turn(self, token_hash: str, connection: Connection) -> bool:
        """Wait until a connection may come in with a known token; False where it is over, or a newer one waits.

        One connection waits for each token, the newest: an older one is sent away.
        """
        before = self._waiting.get(token_hash, connection)
        older, newer = sorted((before, connection), key=lambda each: each.number)
        self._waiting[token_hash] = newer
        if older is not newer:
            older.dismiss(CloseCode.REPLACED, Goodbye(reason="the bot connected again"))
        clock = asyncio.get_running_loop().time
        while self._waiting.get(token_hash) is connection and connection.open:
            if self._turns.take(token_hash, clock()):
                del self._waiting[token_hash]
                return True
            await asyncio.sleep(self._turns.wait(token_hash, clock()))
        if self._waiting.get(token_hash) is connection:
            del self._waiting[token_hash]
        return False


def _short(token_hash: str) -> bytes:
    """Return enough of a hash to tell it from all others, in a third of the memory."""
    return bytes.fromhex(token_hash[:32])
