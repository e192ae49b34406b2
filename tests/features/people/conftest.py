# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena for people, whose passwords are hashed quickly."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from arena.features.people.settings import PeopleSettings
from tests.arena.peers import PATIENCE, ready
from tests.databases import database_url, store
from tests.features.accounts.conftest import quick_hashes
from tests.web.door import Door, opened, unhurried

__all__ = ["database_url", "quick_hashes", "store"]

SLOW = PeopleSettings(people_clocks="170+0.1", people_move_time=3600.0, people_bot_time=3600.0)
"""Clocks under which nobody loses on time while a test, or the machine, stands still."""

GAMES = "tictactoe,nim,checkers,einstein,chess"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena with every kind of game, in which nobody but people starts matches."""
    settings = unhurried(GAMES, ladder=False, person_grace=PATIENCE, features=(SLOW,))
    async with opened(tmp_path_factory.mktemp("people"), settings) as door:
        await ready(door.arena)
        yield door
