# SPDX-License-Identifier: GPL-3.0-or-later
"""Authentication of new bot connections by token, with rate limits.

Unknown tokens are rate-limited by address, so they cost few database queries and do not delay bots with known tokens.
"""

import asyncio
import hashlib
import secrets

from arena.connections.limits import RateLimits
from arena.connections.sessions import Connection
from arena.protocol.errors import CloseCode
from arena.protocol.messages import Goodbye
from arena.settings import Settings
from arena.store import Store
from arena.store.errors import keep_trying
from arena.store.rows import BotRow

UNKNOWN_RATE, UNKNOWN_BURST = 2.0, 100
"""Database queries for unknown tokens of one address: a second in the long run, and at once. The burst is for many new
bots behind one address; tokens that turn out to be valid do not count.
"""

LOOKED_UP = 4
"""Concurrent database queries for unknown tokens."""

REFRESH = 5.0
"""Minimum seconds between two reloads of all tokens, after tokens were refused without a query."""


class TooManyUnknown(Exception):
    """An address sent too many unknown tokens."""


class Admission:
    """The known tokens, and the rate limits of logins. Call ``load`` first."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Start without known tokens."""
        self._store = store
        self._known: set[bytes] = set()
        self.loaded = asyncio.Event()
        """Set when all tokens are loaded."""
        self._unknown: RateLimits[str] = RateLimits(UNKNOWN_RATE, UNKNOWN_BURST)
        self._looking_up = asyncio.Semaphore(LOOKED_UP)
        self._stale = False
        self._refreshed = 0.0
        self._turns: RateLimits[str] = RateLimits(settings.token_rate, settings.token_burst)
        self._waiting: dict[str, Connection] = {}

    async def load(self) -> None:
        """Load all tokens from the store; retry until that succeeds."""
        try:
            self._known = set(map(_short, await keep_trying(self._store.bots.tokens)))
        finally:
            self.loaded.set()

    async def refresh(self) -> None:
        """Reload the tokens if a token that may be new was refused. Raises StoreError."""
        now = asyncio.get_running_loop().time()
        if self._stale and now >= self._refreshed + REFRESH:
            self._stale, self._refreshed = False, now
            self._known = set(map(_short, await self._store.bots.tokens()))

    def knows(self, token_hash: str) -> bool:
        """Return whether a token is known to belong to a bot, without a database query."""
        return _short(token_hash) in self._known

    async def find(self, token_hash: str, address: str) -> BotRow | None:
        """Return the bot of a token that an address sent. Raises TooManyUnknown and StoreError."""
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
        """Wait until the rate limit of a known token allows a login; return False if the connection is closed or a
        newer one waits.

        Only the newest connection of a token waits; older ones are closed.
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
    """Return the first 16 bytes of a hash: unique enough, in a third of the memory."""
    return bytes.fromhex(token_hash[:32])


# ---------------------------------------------------------------- tokens
#
# Authentication tokens of bots and operators; the store keeps only hashes.

# The prefix makes tokens recognisable in logs and files, and no token starts with a hyphen, like a command-line option.
PREFIX = "arena_"


def make_token() -> str:
    """Return a new token: 256 random bits as 43 characters after a prefix; none needs quoting in URLs and shells."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the SHA-256 hash of a token in hexadecimal, for the store.

    A plain hash is enough, because tokens are long and random, unlike passwords.
    """
    return hashlib.sha256(token.encode()).hexdigest()
