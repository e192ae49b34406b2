# SPDX-License-Identifier: GPL-3.0-or-later
"""The declaration of a rating system: its name, its texts, its columns, and the function from results to ratings.

A module of ``arena.rating`` declares one in ``SYSTEM``. The leaderboard of the API, its page and ``arena leaderboard``
read the declaration.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from arena.rating.results import Floats, Indices, Results

if TYPE_CHECKING:
    from arena.rating.bradley_terry import Fit

Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class RatedGames:
    """All rated games that a system computes ratings from. Players (versions of bots) are numbers from 0."""

    days: Indices
    """The day of each row of ``results``."""
    results: Results
    players: int
    bots: Indices
    """The bot number of each player."""
    before: Indices
    """For each player the index of its previous version, -1 for none."""
    listed: Booleans
    """Whether each player has a place in the leaderboard unless its rating is provisional."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The ratings of all players, by number."""

    rating: Floats
    provisional: Booleans
    """Whether each rating is uncertain; such players have no rank."""
    deviation: Floats | None = None
    """The standard deviation of each rating; None if the system computes none."""
    ranks: Indices | None = None
    """The 95 % interval of each rank in rows of two, for players that are listed and not provisional."""
    values: Mapping[str, Floats] = field(default_factory=dict)
    """The values of the system's own columns, by name of the column."""
    fit: "Fit | None" = None
    """The maximum-likelihood fit, if the system computes one."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a leaderboard beside the rating."""

    name: str
    title: str
    description: str


INTERVAL = Column("interval", "±", "Half of the 95 % interval of the rating")
RANKS = Column("ranks", "Ranks", "Rank, 95 % interval")
ELO = Column("elo", "Elo", "Elo rating, updated after each match")
LAST_CHANGE = Column("last_change", "Last", "Change of the Elo rating by the last rated match")


@dataclass(frozen=True, slots=True)
class RatingSystem:
    """A rating system of the leaderboard."""

    name: str
    """As in the API and in ``arena leaderboard --system``."""
    title: str
    description: str
    """For people, in whole sentences."""
    columns: tuple[Column, ...]
    """Columns beside the rating: ``INTERVAL``, ``RANKS``, ``ELO``, ``LAST_CHANGE``, and own ones, whose values are in
    ``Ratings.values``.
    """
    rate: Callable[[RatedGames], Ratings] | None
    """Compute the ratings. None: the rating that the store updates after each match, for any number of versions."""
    certainty: bool = False
    """Whether ``Ratings.fit`` explains how certain the order of the best bots is."""
