# SPDX-License-Identifier: GPL-3.0-or-later
"""The matches that other servers of the arena referee, as the leading server knows them: their bots are engaged."""

from collections.abc import Callable

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

    def add(self, row: MatchRow) -> None:
        """Add a match that this server started; its bots are engaged already, and it is counted."""
        if row.id in self.rows:
            # it was found in the store before this server heard that it had been written there
            self._shares.release(*(player.bot_id for player in row.players))
        self.rows[row.id] = row

    async def look(self, own: int | None) -> None:
        """Compare with the store; ``own``: number of this server. Raises StoreError."""
        live = set(await keep_trying(lambda: self._store.matches.live_elsewhere(own)))
        for row in await keep_trying(lambda: self._store.matches.rows(live - self.rows.keys())):
            if row.id in self.rows:
                continue  # this server started it while it was read: its bots are engaged
            one, other = map(BotAndOwner.of_player, row.players)
            self._shares.engage(one, other)
            self.rows[row.id] = row
            self._started(row)
        gone = self.rows.keys() - live
        # one that was started meanwhile may be missing in what was read before
        ended = {row.id: row for row in await keep_trying(lambda: self._store.matches.rows(gone))} if gone else {}
        for row in ended.values():
            if row.status == "finished" or row.owner == own:
                del self.rows[row.id]
                self._shares.release(*(player.bot_id for player in row.players))
                self._over(row)
