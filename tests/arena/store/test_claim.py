# SPDX-License-Identifier: GPL-3.0-or-later
import subprocess
import sys
from pathlib import Path

import pytest

from arena.store import Store
from arena.store.errors import Claimed

ROOT = Path(__file__).parents[3]
HOLDER = """
import asyncio, sys
from arena.store import Store

async def main():
    store = await Store.open(sys.argv[1])
    await store.claim()
    print("claimed", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_second_server_is_refused_until_the_first_has_gone(database_url: str) -> None:
    async with await Store.open(database_url) as first:
        await first.claim()
        async with await Store.open(database_url) as second:
            with pytest.raises(Claimed):
                await second.claim(patience=0.1)
            # A command may work beside the server all the same.
            await second.bots.add("marion", "secret")
        assert await first.bots.named("marion") is not None
    async with await Store.open(database_url) as third:
        await third.claim()


async def test_a_claim_dies_with_its_holder(database_url: str) -> None:
    claim_and_die(database_url)
    async with await Store.open(database_url) as store:
        await store.claim()


def claim_and_die(url: str) -> None:
    """Have another process claim the database, and kill it."""
    command = [sys.executable, "-c", HOLDER, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "claimed\n"
        holder.kill()
