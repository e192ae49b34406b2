# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of a series in a pool: each is a function of the description of the series and of its number."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Self

from msgspec.structs import replace

from bots.contest import Contest
from bots.local import Entrant, prepare
from bots.pools.files import BotFile, files_of, local_spec
from bots.pools.pool import ATTEMPTS, Pool, WorkerDied
from bots.series import Played, Setting, in_order


class MatchOfSeries:
    """Plays the match of a number, counted from 0; makes the bots at the first call.

    ``files``: the bots' files for a machine that may not have them.
    """

    def __init__(self, contest: Contest, files: Sequence[BotFile] = ()) -> None:
        self._contest = contest
        self._files = files
        self._ready: tuple[Setting, tuple[Entrant, Entrant]] | None = None

    @classmethod
    async def carried(cls, contest: Contest) -> Self:
        """Return the same with the contents of the bots' files. Raises NoEntrant, and OSError."""
        one, other = await contest.entrants()
        # bots without a name of their own are named after the file as it was given
        named = replace(
            contest,
            first_terms=replace(contest.first_terms, name=one.name),
            second_terms=replace(contest.second_terms, name=other.name),
        )
        return cls(named, files_of((contest.first, contest.second)))

    def __reduce__(self) -> tuple[type[Self], tuple[Contest, Sequence[BotFile]]]:
        return type(self), (self._contest, self._files)

    def __call__(self, index: int) -> Played:
        """Play a match. Raises NoEntrant and ValueError when it cannot be played."""
        return asyncio.run(self._play(index))

    def prepared(self) -> None:
        """Load the code of the game and of the bots, or compile it. Raises NoEntrant and ValueError."""
        asyncio.run(self._prepare())

    async def _play(self, index: int) -> Played:
        setting, entrants = await self._made()
        return await setting.play(entrants, index)

    async def _prepare(self) -> None:
        setting, entrants = await self._made()
        await prepare(setting.game, entrants, lambda seconds: None)

    async def _made(self) -> tuple[Setting, tuple[Entrant, Entrant]]:
        if self._ready is None:
            specs = [local_spec(spec, self._files) for spec in (self._contest.first, self._contest.second)]
            contest = replace(self._contest, first=specs[0], second=specs[1])
            self._ready = contest.setting(), await contest.entrants()
        return self._ready


def prepare_match(match: MatchOfSeries) -> None:
    """Compile what a match needs, on the machine that calls this."""
    match.prepared()


async def played_in(pool: Pool, contest: Contest, indices: Iterable[int]) -> AsyncIterator[Played]:
    """Play the matches with these numbers in a pool, and yield them in order.

    Raises ValueError and NoEntrant when one cannot be played, and PoolFailed.
    """
    work = await MatchOfSeries.carried(contest) if pool.elsewhere else MatchOfSeries(contest)
    await asyncio.to_thread(pool.prepare, prepare_match, work)

    async def play(index: int) -> Played:
        try:
            played: Played = await asyncio.wrap_future(pool.submit(work, index))
        except WorkerDied:
            raise WorkerDied(f"game {index + 1} ended the process that played it, {ATTEMPTS} times") from None
        return played

    async for played in in_order(play, indices, lambda: pool.ahead):
        yield played
