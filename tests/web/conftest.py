# SPDX-License-Identifier: GPL-3.0-or-later
"""One arena for all tests of this folder: they bring bots of their own and look only at those."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.arena.peers import ready
from tests.web.door import Door, opened, unhurried

SETTINGS = unhurried(
    "nim,nim/7,tictactoe",
    ladder_interval=0.05,
    ladder_pause=0.0,
    ladder_misordered=0.0,
    ladder_busy=1.0,
    bad_messages=5,
    message_burst=100,
    message_rate=100.0,
    lobby_interval=0.05,
)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena that is ready to play."""
    async with opened(tmp_path_factory.mktemp("arena"), SETTINGS) as door:
        await ready(door.arena)
        yield door
