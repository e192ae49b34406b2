# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments of proofs: recorded and started as another program would do it."""

from typing import Any

import msgspec

from arena.store import Store
from arena.tournaments.machine.config import Config
from tests.end_to_end.server import Server


async def enter(server: Server, config: Config) -> int:
    """Record a tournament and start it; returns its number."""
    async with await Store.open(server.database) as store:
        row = await store.tournaments.add(config.name, config.game, msgspec.json.encode(config))
        await store.tournaments.become(row.id, "running")
        return row.id


async def look(server: Server, number: int) -> dict[str, Any]:
    """Return how a tournament stands."""
    answer: dict[str, Any] = await server.get(f"/api/v1/tournaments/{number}")
    return answer
