# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in bots of a server that a test starts.

All of them together use every processor that there is, for as long as the server runs. A test that is not about all of
them leaves the others their processors.
"""

from collections.abc import Collection

from arena.connections.admission import hash_token, make_token
from arena.store import Store
from bots.built_in import kinds


async def keep(database: str, names: Collection[str]) -> None:
    """Remove the other built-in bots from a database, as an operator does: the server does not start them then."""
    every = kinds.catalogue()
    assert set(names) <= set(every), names
    async with await Store.open(database) as store:
        for name in every:
            bot = await store.bots.admit_built_in(name, hash_token(make_token()))
            if bot is not None and name not in names:
                await store.bots.remove(name)
