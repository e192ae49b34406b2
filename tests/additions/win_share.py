# SPDX-License-Identifier: GPL-3.0-or-later
"""A rating system as one file of ``arena/rating``: the share of points, for tests of adding one."""

import numpy as np

from arena.rating.system import ELO, Column, RatedGames, Ratings, RatingSystem


def _rate(games: RatedGames) -> Ratings:
    points, played = (table.sum(axis=1) for table in games.results.table(games.players))
    share = points / np.maximum(played, 1)
    return Ratings(1000 * share, played < 1, values={"played": played})


SYSTEM = RatingSystem(
    name="win-share",
    title="Win share",
    description="The share of points, in thousandths.",
    columns=(ELO, Column("played", "Rated games", "Number of rated games")),
    rate=_rate,
)
