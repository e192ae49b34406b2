# SPDX-License-Identifier: GPL-3.0-or-later
"""Series of local matches between two bots: pairs with swapped seats, from openings drawn by a seed or out of a suite.

Matches run in threads, several at once where that is asked for; compiled searches leave the interpreter to the others.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256

from bots.local import Entrant, play_out
from bots.threads import Threads
from engine.formats.suite import Opening
from engine.game import Game
from engine.match import Match
from engine.opening import random_opening
from engine.record import Player, Record
from engine.time_control import TimeControl

DICE = 1
"""Tells the number that dice are rolled by from the others that are drawn for a match."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a series: its number from 1, and the seat of the first entrant."""

    number: int
    seat: int
    match: Match
    record: Record

    @property
    def score(self) -> float | None:
        """What the first entrant scored; None when void."""
        scores = self.match.ending and self.match.ending.scores
        return scores[self.seat] if scores else None


def number_of(seed: int, *parts: int) -> int:
    """Return a number of 52 bits, above 0, that follows from a seed and what it is drawn for."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(sha256(text.encode()).digest()[:8]) % 2**52 + 1


async def series(
    game: Game,
    first: Entrant,
    second: Entrant,
    *,
    games: int,
    seed: int = 0,
    time_control: TimeControl | None = None,
    openings: Sequence[Opening] = (),
    concurrency: int = 1,
) -> AsyncIterator[Played]:
    """Play matches in pairs with swapped seats, and yield them in order.

    Each pair has an opening: the next of ``openings`` in an order that the seed shuffles, or else one that the seed
    draws by the game's own rule. ``concurrency``: matches played at once. Raises ValueError when an opening does not
    fit the game.
    """
    suite = list(openings)
    random.Random(seed).shuffle(suite)

    async def one(index: int) -> Played:
        pair, seat = divmod(index, 2)
        opening = suite[pair % len(suite)] if suite else Opening(None, random_opening(game, number_of(seed, pair)))
        # not the number that the bots are told: nothing they know shall tell what dice will show
        dice = number_of(seed, pair, seat, DICE)
        match = Match(game, start=opening.start, opening=opening.moves, time_control=time_control, seed=dice)
        entrants = (second, first) if seat else (first, second)
        started = _now()
        versions = await play_out(match, entrants, number_of(seed, pair, seat))
        players = [Player(entrant.name, version) for entrant, version in zip(entrants, versions, strict=True)]
        record = Record.from_match(
            match,
            (players[0], players[1]),
            seed=seed,
            event="Local match",
            round=f"{pair + 1}.{seat + 1}",
            started=started,
            finished=_now(),
        )
        return Played(index + 1, seat, match, record)

    with Threads(concurrency) as threads:
        matches = [threads.submit(partial(one, index)) for index in range(games)]
        for match in matches:
            yield await asyncio.wrap_future(match)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
