# SPDX-License-Identifier: GPL-3.0-or-later
"""The exceptions of the store (refused requests and database failures), and retries after failures."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog


class StoreError(Exception):
    """The database failed, and wrote none of the request; the message gives the reason."""


class StoreRejected(StoreError):
    """The request conflicts with the stored data; the database works."""


class NoArena(StoreRejected):
    """There is no database, or it holds no arena."""


class NameTaken(StoreRejected):
    """A bot of that name is or was registered; case is ignored."""


class BadName(StoreRejected):
    """The text cannot be a bot's name."""


class UnknownBot(StoreRejected):
    """No bot has that name, or it was removed."""


class TooManyVersions(StoreRejected):
    """The bot has as many new versions as it may have in a day; ``retry_after`` tells in how many seconds it may have
    another.
    """

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class UnknownMatch(StoreRejected):
    """No match has that number."""


class Unknown(StoreRejected):
    """No record of a kind has that number or name; the API answers 404."""


class UnknownTournament(Unknown):
    """No tournament has that number."""


class BadStatus(StoreRejected):
    """The tournament's status does not allow the requested change."""


class MatchFinished(StoreRejected):
    """The match is over and takes no more events."""


class BadMatch(StoreRejected):
    """A match cannot be played like that: a rated one needs two bots, and both versions must exist."""


class AlreadyLive(StoreRejected):
    """The game of the tournament has a live match already; ``match`` is its number."""

    def __init__(self, message: str, match: int) -> None:
        super().__init__(message)
        self.match = match


class Conflict(StoreRejected):
    """Another event is already stored under that number."""


class Claimed(StoreRejected):
    """Another server runs on this database."""


class Superseded(StoreRejected):
    """Another server owns the database now; this one may write no more."""


class TakenOver(StoreRejected):
    """Another server referees the match now; this one may write no more of it."""


class Busy(StoreError):
    """Too much is waiting to be written."""


class BadValue(StoreRejected):
    """A number too large or a text that no database can store, so no record has it."""


class BadCursor(StoreRejected):
    """The cursor is none that this list gave."""


# ---------------------------------------------------------------- retry
#
# A database that fails for a moment must not end a match.

log = structlog.get_logger("arena.store.errors")

Answer = TypeVar("Answer")

WAITS = (0.05, 0.2, *[0.5] * 20)
"""Seconds before each new attempt. None is long: a disk that is full may have room for a moment only."""


async def keep_trying(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Return the answer of the store, with retries while it fails; repeated writes must be harmless.

    Raises StoreRejected at once, for asking again would not help, and StoreError after the last attempt.
    """
    for wait in WAITS:
        try:
            return await ask()
        except StoreRejected:
            raise
        except StoreError as error:
            log.warning("the store failed; asking again", why=str(error), wait=wait)
            await asyncio.sleep(wait)
    return await ask()
