# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena in which nobody but people and the bots of a test start matches."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from arena.features.explorer.settings import ExplorerSettings
from tests.arena.peers import ready
from tests.web.door import Door, opened, unhurried

GAMES = "tictactoe,einstein"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """The arena."""
    limits = (ExplorerSettings(explorer_nodes=200, explorer_count=10_000),)
    settings = unhurried(GAMES, ladder=False, person_grace=300.0, features=limits)
    async with opened(tmp_path_factory.mktemp("explorer"), settings) as door:
        await ready(door.arena)
        yield door
