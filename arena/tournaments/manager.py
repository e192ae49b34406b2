# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournament manager: starts a runner for each active tournament.

It reads the wanted status of tournaments from the store every second, so ``arena tournament`` needs no connection to
the server.
"""

import asyncio
import contextlib

import structlog
from msgspec import structs

from arena.seconds import until_next_second
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.rows import MatchRow
from arena.tournaments.book import Book, Unreadable
from arena.tournaments.machine.events import Slot
from arena.tournaments.runner import Runner, Surroundings, hold
from arena.tournaments.view import TournamentView, view
from arena.tournaments.walk import Walk, walk

log = structlog.get_logger("arena.tournaments")

_WALKS_KEPT = 16
"""Cached walks of sequential tests."""


class TournamentManager:
    """Runs all active tournaments."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._store = surroundings.store
        self._surroundings = surroundings
        self._runners: dict[int, Runner] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._broken: set[int] = set()
        self._news = asyncio.Event()
        self._walks: dict[int, tuple[int, Walk | None]] = {}
        """Walks of sequential tests, with the number of events of the tournament."""
        self._walking = asyncio.Lock()

    def wake(self) -> None:
        """Wake all runners: a bot has connected, a game is ready, or a match is over."""
        for runner in self._runners.values():
            runner.wake()

    def games(self) -> set[str]:
        """Return the games of running tournaments."""
        return {runner.game for runner in self._runners.values() if runner.status == "running"}

    def look(self) -> None:
        """Read the status of all tournaments soon."""
        self._news.set()

    async def run(self) -> None:
        """Run tournaments for ever. Matches from before a restart must be resumed first."""
        try:
            with contextlib.suppress(StoreError):  # then at the next start
                await self._store.matches.unseal_ended()
            while True:
                self._news.clear()
                try:
                    await self._gather()
                except StoreError as error:
                    log.warning("failed to read the tournaments", why=str(error))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(until_next_second()):
                        await self._news.wait()
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _gather(self) -> None:
        """Start runners of new tournaments, and pass status changes to the others."""
        rows = {row.id: row for row in await self._store.tournaments.under_way()}
        for number, row in rows.items():
            if number not in self._runners and number not in self._broken:
                await self._begin(number)
            elif number in self._runners:
                self._set(self._runners[number], row.status)
        for number in [*self._runners]:
            if self._tasks[number].done():
                del self._runners[number], self._tasks[number]
            elif number not in rows:
                self._set(self._runners[number], (await self._store.tournaments.get(number)).status)

    def _set(self, runner: Runner, status: str) -> None:
        if runner.status != status:
            runner.status = status  # type: ignore[assignment]  # the store gives no other word
            runner.wake()

    async def _begin(self, number: int) -> None:
        try:
            book = await Book.open(self._store, number)
        except Unreadable as error:
            log.error("failed to load a tournament", why=str(error))
            self._broken.add(number)
            return
        runner = Runner(book, self._surroundings)
        self._runners[number] = runner
        self._tasks[number] = asyncio.create_task(hold(runner, number))
        log.info("tournament started", tournament=number, name=book.row.name)

    async def view(self, number: int) -> TournamentView:
        """Return the view of a tournament. Raises UnknownTournament, StoreError and Unreadable."""
        runner = self._runners.get(number)
        if runner is None:
            return await read_view(self._store, number)
        return structs.replace(
            runner.picture or await read_view(self._store, number),
            waiting=runner.waiting(),
            absent=runner.absent(),
            expected_end=runner.expected_end(),
        )

    async def walk(self, number: int) -> Walk | None:
        """Return the walk of a tournament's sequential test, if it has one. Raises UnknownTournament, StoreError and
        Unreadable.
        """
        async with self._walking:
            length = (await self._store.tournaments.get(number)).length
            if self._walks.get(number, (None,))[0] != length:
                self._walks.pop(number, None)
                if len(self._walks) >= _WALKS_KEPT:
                    del self._walks[next(iter(self._walks))]
                book = await Book.open(self._store, number)
                self._walks[number] = length, await asyncio.to_thread(walk, book.tournament)
            return self._walks[number][1]


async def read_view(store: Store, number: int) -> TournamentView:
    """Return the view of a tournament from the store. Raises UnknownTournament, StoreError and Unreadable."""
    book = await Book.open(store, number)
    live = live_slots(await store.tournaments.matches(number)) if book.row.status in ("running", "paused") else {}
    return await asyncio.to_thread(view, book.row, book.tournament, live)


def live_slots(rows: list[MatchRow]) -> dict[Slot, int]:
    """Return the live matches by their slot in the tournament."""
    return {Slot.parse(row.round or ""): row.id for row in rows if row.status == "live"}
