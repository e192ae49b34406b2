# SPDX-License-Identifier: GPL-3.0-or-later
"""Series of local matches between two bots, and their score: pairs with swapped seats, from random openings or a suite.

Matches run in threads, several at once if asked; compiled searches release the interpreter's lock.
``bots.pools.matches`` plays them in processes or on other machines.
"""

import asyncio
import random
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from hashlib import sha256

from arena.rating.difference import difference_of, interval, normalised, score_interval, superiority
from arena.rating.payoffs import Payoffs
from bots.local import Entrant, Threads, Timed, by_wall_clock, play_out
from engine.formats.suite import Opening
from engine.game import Game
from engine.match.ending import FORFEITS, SCORES, Adjudication, Termination
from engine.match.machine import Match
from engine.match.record import Player, Record
from engine.opening import random_opening
from engine.time_control import TimeControl

DICE = 1
"""Distinguishes the seed of the dice from the other seeds of a match."""

AHEAD = 4
"""Number of matches that are submitted at a time, for each concurrent match."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a series: its number from 1, and the seat of the first entrant."""

    number: int
    seat: int
    record: Record

    @property
    def score(self) -> float | None:
        """The first entrant's score; None for a void match."""
        scores = SCORES.get(self.record.result)
        return None if scores is None else scores[self.seat]

    @property
    def payoffs(self) -> tuple[float, float] | None:
        """The payoffs of the first and the second entrant, in points; None for a void match."""
        payoffs = self.record.payoffs
        return None if payoffs is None else (payoffs[self.seat], payoffs[1 - self.seat])


@dataclass(frozen=True)
class Setting:
    """The settings of all matches of a series.

    Each pair has an opening: the next of ``openings``, in an order that the seed shuffles or ``in_turn``, or else one
    that the seed draws by the game's own rule.
    """

    game: Game
    seed: int = 0
    time_control: TimeControl | None = None
    """With odds, the first entrant has the first of the times, wherever it sits."""
    openings: Sequence[Opening] = ()
    adjudication: Adjudication | None = None
    in_turn: bool = False
    time_margin: int = 0
    """Milliseconds by which a clock may be overrun without losing."""
    event: str = ""
    site: str = ""
    timed: Timed = by_wall_clock
    """Measures the turns."""
    mirrored_dice: bool = False
    """Whether both matches of a pair have the same rolls by seat, so that each entrant gets both entrants' rolls."""

    def opening(self, pair: int) -> Opening:
        """Return the opening of a pair, counted from 0."""
        if not self.openings:
            return Opening(None, random_opening(self.game, number_of(self.seed, pair)))
        return self._shuffled[pair % len(self.openings)]

    @cached_property
    def _shuffled(self) -> list[Opening]:
        suite = list(self.openings)
        if not self.in_turn:
            random.Random(self.seed).shuffle(suite)
        return suite

    async def play(self, entrants: tuple[Entrant, Entrant], index: int) -> Played:
        """Play the match of a number, counted from 0. Raises ValueError when its opening does not fit the game."""
        pair, seat = divmod(index, 2)
        opening = self.opening(pair)
        # another number than the bots get: they must not be able to predict dice
        dice = number_of(self.seed, pair, 0 if self.mirrored_dice else seat, DICE)
        match = Match(
            self.game,
            start=opening.start,
            opening=opening.moves,
            time_control=self.time_control and (self.time_control.swapped if seat else self.time_control),
            adjudication=self.adjudication,
            seed=dice,
            mirrored_dice=self.mirrored_dice,
        )
        seated = entrants[::-1] if seat else entrants
        started = _now()
        versions = await play_out(
            match,
            (seated[0], seated[1]),
            number_of(self.seed, pair, seat),
            time_margin=self.time_margin,
            timed=self.timed,
        )
        players = [Player(entrant.name, version) for entrant, version in zip(seated, versions, strict=True)]
        record = Record.from_match(
            match,
            (players[0], players[1]),
            seed=dice if self.game.chance else self.seed,
            event=self.event,
            site=self.site,
            round=f"{pair + 1}.{seat + 1}",
            started=started,
            finished=_now(),
        )
        return Played(index + 1, seat, record)


def number_of(seed: int, *parts: int) -> int:
    """Return a number of 52 bits, above 0, that follows from a seed and the numbers of its purpose."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(sha256(text.encode()).digest()[:8]) % 2**52 + 1


async def in_order(
    play: Callable[[int], Awaitable[Played]], indices: Iterable[int], ahead: Callable[[], int]
) -> AsyncIterator[Played]:
    """Play matches and yield them in order, ``ahead()`` of them submitted at a time; cancel unfinished ones at the end.

    A long match delays the submission of later matches, so few results are lost if the series is cancelled.
    """
    waiting: deque[asyncio.Future[Played]] = deque()
    try:
        for index in indices:
            waiting.append(asyncio.ensure_future(play(index)))
            if len(waiting) >= ahead():
                yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()
    finally:
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def series(
    setting: Setting, first: Entrant, second: Entrant, indices: Iterable[int], *, concurrency: int = 1
) -> AsyncIterator[Played]:
    """Play the matches of some numbers, counted from 0, in threads, ``concurrency`` at once; yield them in order.

    Raises ValueError when an opening does not fit the game.
    """
    with Threads(concurrency) as threads:

        def play(index: int) -> Awaitable[Played]:
            return asyncio.wrap_future(threads.submit(partial(setting.play, (first, second), index)))

        async for played in in_order(play, indices, lambda: AHEAD * concurrency if concurrency > 1 else 1):
            yield played


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Fault:
    """A match that a bot lost by a fault: its number, whether the first entrant was at fault, and the reason."""

    number: int
    own: bool
    termination: Termination
    detail: str


@dataclass
class Tally:
    """Counts matches as they are played, in the order of their numbers: two after each other are a pair."""

    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    """How many were lost, drawn and won."""
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    """How many whole pairs scored 0, 1/2, 1, 1 1/2 and 2: the pentanomial counts."""
    terminations: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    payoffs: Payoffs = field(default_factory=Payoffs)
    """The first entrant's payoffs by game."""
    pair_payoffs: Payoffs = field(default_factory=lambda: Payoffs(2))
    """The first entrant's payoffs by whole pair."""
    second_payoffs: Payoffs = field(default_factory=Payoffs)
    """The second entrant's payoffs by game, which are not the negative ones in a game that is not zero-sum."""
    second_pair_payoffs: Payoffs = field(default_factory=lambda: Payoffs(2))
    """The second entrant's payoffs by whole pair."""
    reduced_payoffs: Payoffs = field(default_factory=Payoffs)
    """The first entrant's payoffs without luck, by game: see ``bots.luck``."""
    reduced_pair_payoffs: Payoffs = field(default_factory=lambda: Payoffs(2))
    """The first entrant's payoffs without luck, by whole pair."""
    _half: tuple[float, float, float, float] | None = None
    """The score, both payoffs and the luck of a match whose pair is not whole yet."""

    def add(self, played: Played, luck: float | None = None) -> None:
        """Count a match. ``luck``: points that the first entrant owes to it; for all matches, or for none.

        Raises ValueError for a match that has no score.
        """
        score, payoffs, record = played.score, played.payoffs, played.record
        if score is None or payoffs is None or record.termination is None:
            raise ValueError(f"match {played.number} has no result, so it does not count: {record.detail}")
        self.games[round(2 * score)] += 1
        self.payoffs.add(payoffs[0])
        self.second_payoffs.add(payoffs[1])
        if luck is not None:
            self.reduced_payoffs.add(payoffs[0] - luck)
        if self._half is None:
            self._half = score, *payoffs, luck or 0.0
        else:
            if luck is not None:
                self.reduced_pair_payoffs.add(self._half[1] - self._half[3] + payoffs[0] - luck)
            self.pairs[round(2 * (self._half[0] + score))] += 1
            self.pair_payoffs.add(self._half[1] + payoffs[0])
            self.second_pair_payoffs.add(self._half[2] + payoffs[1])
            self._half = None
        self.terminations[record.termination] += 1
        if record.termination in FORFEITS:
            self.faults.append(Fault(played.number, score == 0, record.termination, record.detail))

    @property
    def count(self) -> int:
        """Matches so far."""
        return sum(self.games)

    @property
    def wins(self) -> int:
        """Matches that the first entrant won."""
        return self.games[2]

    @property
    def draws(self) -> int:
        """Drawn matches."""
        return self.games[1]

    @property
    def losses(self) -> int:
        """Matches that the first entrant lost."""
        return self.games[0]

    @property
    def whole(self) -> bool:
        """Whether every match counted so far has its pair."""
        return self._half is None

    @property
    def score(self) -> float | None:
        """The first entrant's mean score; None before the first match."""
        return (self.wins + self.draws / 2) / self.count if self.count else None

    @property
    def elo(self) -> float | None:
        """Elo points by which the first entrant is stronger, going by the score; None where that is unbounded."""
        return None if self.score is None else difference_of(self.score)

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of ``score``, from the whole pairs."""
        return score_interval(self.pairs)

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """The 95 % interval of ``elo``, from the whole pairs."""
        return interval(self.pairs)

    @property
    def normalised(self) -> tuple[float, float] | None:
        """The difference in normalised Elo and half the width of its 95 % interval, from the whole pairs."""
        return normalised(self.pairs)

    @property
    def superiority(self) -> float:
        """Likelihood of superiority (LOS) of the first entrant, from 0 to 1, from the whole pairs."""
        return superiority(self.pairs)
