# SPDX-License-Identifier: GPL-3.0-or-later
"""What a population's games with each other say of it, read in four ways.

How strong its members are beside those that people use, whom replicator dynamics and the Moran process would let take
over, where α-Rank's population spends its time, and of whom Nash's equilibrium is made.
"""

from functools import lru_cache

import msgspec
import numpy as np
from msgspec import Struct

from arena.evolution.populations import Reading
from arena.rating.alpha_rank import alpha_rank
from arena.rating.bradley_terry import fit
from arena.rating.moran import fixation
from arena.rating.nash import nash_average
from arena.rating.replicator import replicated
from arena.rating.results import Results

UNITS = 60
"""Units of time that replicator dynamics are followed for."""
SELECTION = 4.0
"""How much a score counts in the Moran process: that of the dynamics of this name."""


class PlayerReading(Struct, frozen=True, kw_only=True):
    """One of those who met."""

    name: str
    member: int | None
    """Its number, where it is one of the population."""
    rating: float
    """In points of Elo, by all games; 0 is the first of those who are no member."""
    interval: tuple[float, float]
    """95 %."""
    alpha_rank: float
    """Its share of the time in the long run."""
    nash: float
    """Its share of the most even equilibrium."""
    replicator: list[float]
    """Its share of the population as time goes on, beginning alike; empty for those who are no members."""
    moran: float | None
    """How likely all are to descend from it; null for those who are no members."""


class ReadingView(Struct, frozen=True, kw_only=True):
    """A population, read."""

    generation: int
    games: int
    """Between each two."""
    players: list[PlayerReading]
    """The strongest first."""


def read(reading: Reading, generation: int) -> ReadingView:
    """Read a population; what was read last is remembered, as the same is asked for again and again."""
    return _read(msgspec.json.encode(reading), generation)


@lru_cache(maxsize=64)
def _read(body: bytes, generation: int) -> ReadingView:
    reading = msgspec.json.decode(body, type=Reading)
    count, games = len(reading.players), reading.games
    wins = np.array(reading.wins, dtype=np.float64)
    scores = np.where(np.eye(count, dtype=bool), 0.5, (wins + (games - wins - wins.T) / 2) / games)
    first, second = np.triu_indices(count, 1)
    won, lost = wins[first, second], wins[second, first]
    found = fit(Results(first, second, won, games - won - lost, lost), count, advantage=False)
    base = next((place for place, player in enumerate(reading.players) if player.member is None), 0)
    mass, nash = alpha_rank(scores), nash_average(scores).shares
    members = [place for place, player in enumerate(reading.players) if player.member is not None]
    among = scores[np.ix_(members, members)]
    course = replicated(among, UNITS) if members else np.zeros((0, 0))
    taken = fixation(among, selection=SELECTION) if members else np.zeros(0)
    # the uncertainty of a difference to the base, which is certain by itself
    variance = found.covariance.diagonal() + found.covariance[base, base] - 2 * found.covariance[base]
    reach = 1.96 * np.sqrt(np.maximum(variance, 0))
    ratings = found.ratings - found.ratings[base]
    players = [
        PlayerReading(
            name=player.name,
            member=player.member,
            rating=float(ratings[place]),
            interval=(float(ratings[place] - reach[place]), float(ratings[place] + reach[place])),
            alpha_rank=float(mass[place]),
            nash=float(nash[place]),
            replicator=course[:, members.index(place)].tolist() if player.member is not None else [],
            moran=float(taken[members.index(place)]) if player.member is not None else None,
        )
        for place, player in enumerate(reading.players)
    ]
    players.sort(key=lambda player: -player.rating)
    return ReadingView(generation=generation, games=games, players=players)
