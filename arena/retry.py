# SPDX-License-Identifier: GPL-3.0-or-later
"""Trying again where a database that fails for a moment must not cost a match."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from arena.store.errors import StoreError, StoreRejected

log = structlog.get_logger("arena.retry")

Answer = TypeVar("Answer")

WAITS = (0.05, 0.2, *[0.5] * 20)
"""Seconds before each new attempt. None is long: a disk that is full may have room for a moment only."""


async def keep_trying(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Return what the store answers, asking again while it fails; what it writes must be harmless to repeat.

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
