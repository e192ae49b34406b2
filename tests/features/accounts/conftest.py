# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena with accounts for a module, whose passwords are hashed quickly."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from argon2 import PasswordHasher

from arena.features.accounts import passwords
from arena.features.accounts.limits import Guesses, SignUps
from arena.settings import Settings
from tests.databases import database_url, store
from tests.features.accounts.people import part_of
from tests.web.door import Door, opened

__all__ = ["database_url", "store"]


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> Iterator[None]:
    """Hash with the least memory and time; the parameters have a test of their own."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", lambda: quick)
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena that takes everybody, for the tests of a module."""
    async with opened(tmp_path_factory.mktemp("accounts"), Settings(games="tictactoe", ladder=False)) as door:
        part = part_of(door)
        part.guesses, part.sign_ups = Guesses(10_000, lambda: 0.0), SignUps(10_000, lambda: 0.0)  # for all of them
        yield door
