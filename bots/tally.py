# SPDX-License-Identifier: GPL-3.0-or-later
"""The score of a series of matches, seen by its first entrant."""

from collections import Counter
from dataclasses import dataclass, field

from arena.rating.difference import difference_of, interval, normalised, score_interval, superiority
from bots.series import Played
from engine.ending import FORFEITS, Termination


@dataclass(frozen=True, slots=True)
class Fault:
    """A match that was lost by a bot's fault: its number, whether the first entrant's, and why."""

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
    _half: float | None = None
    """The score of a match whose pair is not whole yet."""

    def add(self, played: Played) -> None:
        """Count a match. Raises ValueError for one that has no score."""
        score, record = played.score, played.record
        if score is None or record.termination is None:
            raise ValueError("a match without a result does not count")
        self.games[round(2 * score)] += 1
        if self._half is None:
            self._half = score
        else:
            self.pairs[round(2 * (self._half + score))] += 1
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
        """Matches that nobody won."""
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
        """The 95 % interval of ``elo``, likewise."""
        return interval(self.pairs)

    @property
    def normalised(self) -> tuple[float, float] | None:
        """The difference in points of normalised Elo and how far its 95 % interval reaches, likewise."""
        return normalised(self.pairs)

    @property
    def superiority(self) -> float:
        """How sure it is, from 0 to 1, that the first entrant is the stronger, likewise."""
        return superiority(self.pairs)
