# SPDX-License-Identifier: GPL-3.0-or-later
"""Four analyses of a population's games with each other.

Strength relative to reference players, replicator dynamics, fixation probabilities by the Moran process, and the shares
by α-Rank and by Nash averaging.
"""

from functools import lru_cache

import msgspec
import numpy as np
from msgspec import Struct

from arena.evolution.populations import Reading
from arena.rating.bradley_terry import fit
from arena.rating.game_theory import alpha_rank, fixation, nash_average, replicated
from arena.rating.results import Results

UNITS = 60
"""Units of time that replicator dynamics are followed for."""
SELECTION = 4.0
"""How much a score counts in the Moran process: that of the dynamics of this name."""


class PlayerReading(Struct, frozen=True, kw_only=True):
    """A player in the games."""

    name: str
    member: int | None
    """Its number, where it is one of the population."""
    rating: float
    """Elo points from all games; 0 is the first reference player."""
    interval: tuple[float, float]
    """95 %."""
    alpha_rank: float
    """Its share of the time in the long run."""
    nash: float
    """Its share of the most even equilibrium."""
    replicator: list[float]
    """Its share of the population over time, from equal shares; empty for reference players."""
    moran: float | None
    """The probability that all finally descend from it; null for reference players."""


class ReadingView(Struct, frozen=True, kw_only=True):
    """A population, read."""

    generation: int
    games: int
    """Between each two."""
    players: list[PlayerReading]
    """The strongest first."""


def read(reading: Reading, generation: int) -> ReadingView:
    """Analyse a population; caches the last analysis, because pages request it repeatedly."""
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
