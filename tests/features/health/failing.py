# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in the records that bots lost by failures."""

from dataclasses import replace

from arena.store import Store
from arena.store.rows import VersionRow
from tests.arena.store.company import CHECKERS


async def failed(
    store: Store, loser: VersionRow, winner: VersionRow, *, rated: bool = True, termination: str = "crash"
) -> int:
    """Let a version lose a match of checkers by a failure; return its number."""
    match = await store.matches.start(replace(CHECKERS, players=(loser.id, winner.id), rated=rated))
    await store.matches.finish(match, result="0-1", termination=termination, plies=2, events=[])
    return match
