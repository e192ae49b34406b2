# SPDX-License-Identifier: GPL-3.0-or-later
"""The events of one match on their way into the store: which it has, and which it does not have yet."""

import asyncio
from functools import partial

from arena.retry import keep_trying
from arena.store import Store
from arena.store.rows import FinishedMatch, NewMatch
from engine.ending import Ending, Termination
from engine.match import Event, Match, encode_event

Numbered = list[tuple[int, bytes]]
"""Events as the store takes them, with their numbers."""


class Ledger:
    """The stored part of a match's events. Each event is stored once, even if it is submitted again."""

    def __init__(self, store: Store, match_id: int, match: Match, stored: int) -> None:
        """``stored``: how many of the match's events the store has."""
        self._store = store
        self._id = match_id
        self._match = match
        self._stored = stored

    def unstored(self) -> Numbered:
        """Return the events that the store does not have yet."""
        new = enumerate(self._match.events[self._stored :], self._stored)
        return [(number, encode_event(event)) for number, event in new]

    def settle(self) -> list[Event]:
        """Note that all events are in the store, and return those that were not before."""
        new, self._stored = self._match.events[self._stored :], len(self._match.events)
        return new

    def begin(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[None]:
        """Submit the unstored events; the future is done when they are committed.

        Raises StoreError at once if the store accepts no more commands.
        """
        return self._store.matches.begin_append(self._id, self.unstored(), loop)

    async def keep_trying(self) -> None:
        """Store the unstored events, with retries while the store fails. Raises StoreError."""
        await keep_trying(partial(self._store.matches.append, self._id, self.unstored()))

    async def end(self, events: Numbered, ending: Ending, sequel: NewMatch | None) -> tuple[Ending, FinishedMatch]:
        """Store the end, the events before it, the ratings, and the start of the second match of a pair, in one
        transaction.

        Returns the end; if another process ended the match in the store before, that end holds. Raises StoreError.
        """
        finish = partial(
            self._store.matches.finish,
            self._id,
            result=ending.result,
            termination=ending.termination,
            detail=ending.detail,
            plies=self._match.ply,
            events=events,
            sequel=sequel,
        )
        finished = await keep_trying(finish)
        if finished.changes is None and ending.scores is not None:
            stored = await keep_trying(partial(self._store.matches.get, self._id))
            if stored is not None and stored.row.result and stored.row.termination:
                ending = Ending(stored.row.result, Termination(stored.row.termination), stored.row.detail)
        return ending, finished

    async def detail(self) -> str:
        """Return the stored end of the match. Raises StoreError."""
        stored = await keep_trying(partial(self._store.matches.get, self._id))
        return stored.row.detail if stored else ""
