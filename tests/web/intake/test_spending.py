# SPDX-License-Identifier: GPL-3.0-or-later
"""What a visitor's request costs in the threads that read the database counts as its own."""

import pytest

from arena.spending import SPEND
from tests.web.door import Door

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_query_is_charged_to_its_client(door: Door) -> None:
    spent: list[float] = []
    token = SPEND.set(spent.append)
    try:
        await door.arena.store.bots.by_token("nobody's")
    finally:
        SPEND.reset(token)
    assert len(spent) == 1
    assert spent[0] > 0
