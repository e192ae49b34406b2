# SPDX-License-Identifier: GPL-3.0-or-later
"""The value of knowing the opponent: the same bot with and without opponent models, against the same opponents.

First all bots play each other, as on a ladder; these games are known. Then the bot plays every opponent from openings
that no known game began with, twice from each: once with the opponent's name, once without. Both use the same openings,
so the effect of openings cancels out.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import NORMAL_95, difference_of
from bots.bot import Bot
from bots.built_in.kinds.adaptive import Adaptive, AdaptiveBot
from bots.built_in.kinds.searching import BOTS, Searching, SearchingBot
from bots.built_in.opponents import KnownOpponents, seat_of
from bots.local import Entrant, Thought, play
from engine.game import Game
from engine.match.ending import SCORES
from engine.match.record import Player, Record
from engine.opening import random_opening

OWN = "adaptive"
"""The name of the measured bot."""

LESS = {"advanced": 5_000, "play": 20_000, "play-100k": 20_000, "alphabeta-6": 20_000}
"""Nodes per move of opponents with a time limit, and of slow ones."""


Opening = tuple[str, ...]


def opponents() -> list[Searching]:
    """Return all searching bots, bound by nodes so that games are reproducible and short."""
    return [replace(one, seconds=None, nodes=LESS.get(one.name, one.nodes)) for one in BOTS]


@dataclass
class Records:
    """Known games, as an adaptive bot reads them."""

    games: list[Record] = field(default_factory=list)
    _read: dict[tuple[str, str], int] = field(default_factory=dict)
    """How many of the games were there when a player's were last read."""

    def allowed(self, name: str) -> bool:
        """Return whether the games of a player may be learned."""
        return True

    def newer(self, game: str, name: str) -> list[Record]:
        """Return the player's games that were not returned before, the oldest first."""
        begin = self._read.get((game, name), 0)
        self._read[game, name] = len(self.games)
        return self._of(game, name, begin)

    def forget(self, game: str, name: str) -> None:
        """Return all of the player's games again when they are asked for next."""
        self._read.pop((game, name), None)

    def lead(self, game: str, name: str, other: str) -> float:
        """Return by how many points of Elo the known games say that a player is above another."""
        one, two = (difference_of(self._score(game, each)) for each in (name, other))
        assert one is not None, "a score is never 0 or 1"
        assert two is not None, "nor this one"
        return one - two

    def tell(self, model_view: object) -> None:
        """Do nothing: models are not published."""

    def _of(self, game: str, name: str, begin: int = 0) -> list[Record]:
        return [record for record in self.games[begin:] if record.game == game and seat_of(record, name) is not None]

    def _score(self, game: str, name: str) -> float:
        found = [SCORES[record.result][seat_of(record, name) or 0] for record in self._of(game, name)]
        return (sum(found) + 1) / (len(found) + 2)


@dataclass(frozen=True, slots=True)
class Worth:
    """The result against one opponent, or all: shares of the points, and the gain by opponent models."""

    opponent: str
    games: int
    """Number of games with the opponent's name, and the same number without."""
    known: float
    unknown: float
    gain: float
    """In points of Elo, with its 95 % interval."""
    low: float
    high: float
    cost: float
    """Ratio of the time of a move with an opponent model to that without."""


def measure(
    game: Game,
    own: Adaptive,
    rivals: Sequence[Searching],
    *,
    known: int,
    pairs: int,
    seed: int = 0,
    plain_nodes: int | None = None,
    on_game: Callable[[], None] = lambda: None,
) -> list[Worth]:
    """Play ``known`` games of each opponent, then ``pairs`` openings against each; the last result is that of all.

    ``plain_nodes``: of a move of the bot that does not know its opponent, None: as many as of the other's searches;
    more to hold knowing against as much time. Raises ValueError when there are no such openings.
    """
    records = Records()
    began = set[Opening]()
    everybody = [*rivals, own]
    each = -(-known // (len(everybody) - 1))
    openings = _openings(game, seed)
    for place, first in enumerate(everybody):
        for second in everybody[place + 1 :]:
            for number in range(each):
                opening = next(openings)
                began.add(opening)
                sides = (first, second) if number % 2 == 0 else (second, first)
                records.games.append(_play(game, sides, [one.make() for one in sides], opening, number))
                on_game()
    opponents = KnownOpponents(records, waits=True)
    plain = replace(own, nodes=own.nodes if plain_nodes is None else plain_nodes)
    table = []
    spent = []
    for rival in rivals:
        scores: list[list[float]] = []
        took = np.zeros((2, 2))
        while len(scores) < pairs:
            opening = next(openings)
            if opening in began:
                continue
            scores.append(
                [
                    _score(game, own, rival, opening, opponents, took[0]),
                    _score(game, plain, rival, opening, None, took[1]),
                ]
            )
            on_game()
        table.append(np.array(scores))
        spent.append(took)
    names = [one.name for one in rivals]
    return [*map(_worth, names, table, spent), _worth("all", np.concatenate(table), np.sum(spent, axis=0))]


def _score(
    game: Game,
    own: Adaptive,
    rival: Searching,
    opening: Opening,
    known: KnownOpponents | None,
    took: NDArray[np.float64],
) -> float:
    """Return the share of points of two games from one opening; add to ``took`` seconds and moves of the bot."""
    points = 0.0

    def thought(seat: int, seconds: float) -> None:
        if seat == place:
            took[:] += seconds, 1

    for place in (0, 1):
        bot = SearchingBot(own) if known is None else AdaptiveBot(own, lambda arena, token: known)
        sides, bots = [own, rival], [bot, rival.make()]
        if place:
            sides.reverse()
            bots.reverse()
        record = _play(game, (sides[0], sides[1]), bots, opening, place, thought)
        points += SCORES[record.result][place]
    return points / 2


def _play(
    game: Game,
    sides: tuple[Searching, Searching],
    bots: Sequence[Bot],
    opening: Opening,
    number: int,
    thought: Thought = lambda seat, seconds: None,
) -> Record:
    entrants = (Entrant(sides[0].name, lambda: bots[0]), Entrant(sides[1].name, lambda: bots[1]))
    match = asyncio.run(play(game, entrants, number=number, opening=opening, thought=thought))
    return Record.from_match(match, (Player(name=sides[0].name), Player(name=sides[1].name)))


def _openings(game: Game, seed: int) -> Iterator[Opening]:
    number = seed << 32
    while True:
        yield tuple(random_opening(game, number))
        number += 1


def _worth(name: str, scores: NDArray[np.float64], took: NDArray[np.float64]) -> Worth:
    """Return the gain by paired openings: the interval is that of the mean difference of scores.

    ``took``: (2, 2) seconds and moves with knowing, and without.
    """
    known, unknown = (float(one) for one in scores.mean(axis=0))
    differences = scores[:, 0] - scores[:, 1]
    reach = NORMAL_95 * float(differences.std(ddof=1)) / sqrt(len(scores)) if len(scores) > 1 else float("inf")
    middle = (known + unknown) / 2
    # the slope of Elo over the score, at the middle of both
    slope = 400 / (np.log(10) * max(middle * (1 - middle), 1e-3))
    gain = known - unknown
    each = took[:, 0] / np.maximum(took[:, 1], 1)
    gained, low, high = (float(slope * one) for one in (gain, gain - reach, gain + reach))
    return Worth(name, 2 * len(scores), known, unknown, gained, low, high, float(each[0] / max(each[1], 1e-9)))
