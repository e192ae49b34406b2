# SPDX-License-Identifier: GPL-3.0-or-later
"""The matches that other servers of the arena referee, as the leading server knows them: their bots are engaged."""

import asyncio
from collections.abc import Callable, Collection

from arena.ladder.shares import BotAndOwner, Shares
from arena.store import Store
from arena.store.errors import keep_trying
from arena.store.rows import MatchRow


class Elsewhere:
    """The live matches of other servers. They are read from the store, so that nothing depends on a message."""

    def __init__(
        self, store: Store, shares: Shares, started: Callable[[MatchRow], None], over: Callable[[MatchRow], None]
    ) -> None:
        """``started`` is called with each of them that this server did not start itself, ``over`` with each that has
        ended.
        """
        self._store = store
        self._shares = shares
        self._started = started
        self._over = over
        self.rows: dict[int, MatchRow] = {}
        self._comparing = asyncio.Lock()
        """One comparison at a time, so that none counts what another one has just settled."""

    def add(self, row: MatchRow) -> None:
        """Add a match that this server started; its bots are engaged already, and it is counted."""
        if row.id in self.rows:
            # it was found in the store before this server heard that it had been written there
            self._shares.release(*(player.bot_id for player in row.players))
        self.rows[row.id] = row

    async def look(self, own: int | None) -> dict[int, int | None]:
        """Compare all with the store, and return the servers that referee the live matches, by match; ``own``: number
        of this server. Raises StoreError.
        """
        async with self._comparing:
            owners = await keep_trying(self._store.matches.live_owners)
            live = {match for match, owner in owners.items() if owner != own}
            await self._engage(own, live)
            await self._settle(own, self.rows.keys() - live)
        return owners

    async def ended(self, own: int | None, matches: Collection[int], following: Collection[int]) -> None:
        """Compare matches that another server says it referees no more. ``following``: the matches of the same bots
        that it begins instead; these bots are free at no time in between. Raises StoreError.
        """
        async with self._comparing:
            await self._engage(own, following)
            await self._settle(own, self.rows.keys() & {*matches, *following})

    async def _engage(self, own: int | None, matches: Collection[int]) -> None:
        """Engage the bots of matches that are new here."""
        for row in await keep_trying(lambda: self._store.matches.rows(set(matches) - self.rows.keys())):
            if row.id in self.rows or row.owner == own:
                continue  # this server started it while it was read: its bots are engaged; or it referees it itself
            one, other = map(BotAndOwner.of_player, row.players)
            self._shares.engage(one, other)
            self.rows[row.id] = row
            self._started(row)

    async def _settle(self, own: int | None, matches: Collection[int]) -> None:
        """Free the bots of those that are over, or that this server referees now. The others stay as they are: a match
        that was started during the reading of the list may be missing in the list.
        """
        for row in await keep_trying(lambda: self._store.matches.rows(matches)):
            if row.status == "finished" or row.owner == own:
                del self.rows[row.id]
                self._shares.release(*(player.bot_id for player in row.players))
                self._over(row)
