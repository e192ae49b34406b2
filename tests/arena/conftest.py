# SPDX-License-Identifier: GPL-3.0-or-later
"""Real arenas over real databases."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from arena import suspension
from arena.application import Arena
from arena.feature import Features
from arena.settings import Settings
from arena.store import Store
from tests.arena.clock import Suspended
from tests.arena.peers import ready
from tests.databases import lay

OpenArena = Callable[..., Awaitable[Arena]]

CONTROL = "170+0"
"""The longest time of the class bullet, about: no match is decided by it when the machine has no time for the test."""

QUICK: dict[str, Any] = {
    "games": "tictactoe",
    "time_controls": f"tictactoe={CONTROL}",
    "ladder": False,
    "ladder_interval": 0.02,
    "ladder_pause": 0.0,
    "ladder_misordered": 0.0,
    "ladder_busy": 1.0,
    "built_in_move_time": 0.0,
    "lobby_interval": 0.02,
    "reconnect_grace": 60.0,
    "hello_timeout": 600.0,
}
"""Settings under which nothing waits for people."""


@pytest.fixture
async def open_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenArena]:
    """Open arenas, one after the other, over the same database; open ones are stopped at the end.

    They find no suspensions but those that a test makes: a pause of the machine does not change what clocks show.
    """
    monkeypatch.setattr(suspension, "Watch", Suspended)
    opened: list[Arena] = []

    async def open_one(
        url: str = f"sqlite:///{tmp_path / 'arena.db'}", features: Features = (), **changed: Any
    ) -> Arena:
        lay(url)
        store = await Store.open(url)
        arena = Arena(Settings(**(QUICK | changed)), store, features)
        opened.append(arena)
        await arena.start()
        await ready(arena)
        return arena

    yield open_one
    for arena in opened:
        await arena.stop()
        await arena.store.close()
