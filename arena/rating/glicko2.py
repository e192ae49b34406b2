# SPDX-License-Identifier: GPL-3.0-or-later
"""The Glicko-2 rating system (M. E. Glickman, "Example of the Glicko-2 system", 2022), for all players at once.

Every player has a rating, a deviation (the rating's uncertainty), and a volatility (how erratic the player is). Games
are grouped in rating periods; the deviation of an idle player grows.
"""

from dataclasses import dataclass, replace
from math import ceil, log, pi
from typing import Self

import numpy as np

from arena.rating.results import Floats, Indices
from arena.rating.system import ELO, INTERVAL, RatedGames, Ratings, RatingSystem

RATING, DEVIATION, VOLATILITY = 1500.0, 350.0, 0.06
"""The values of a player without games."""

PROVISIONAL = 110.0
"""A rating is uncertain while its deviation is no smaller, as on lichess."""

GAMES_AT_ONCE = 15.0
"""Number of games of one player for which a rating period is meant (the paper names it)."""

MOST_PARTS = 1_000
"""Maximum number of parts of a rating period."""

_SCALE = 400 / log(10)
_PRECISION = 1e-6
_ROUNDS = 100


@dataclass(frozen=True, slots=True, eq=False)
class GlickoRatings:
    """All players by number: ratings and deviations in points, and volatilities."""

    rating: Floats
    deviation: Floats
    volatility: Floats

    @classmethod
    def unplayed(cls, players: int) -> Self:
        """Return the players' ratings before their first period."""
        return cls(*(np.full(players, value) for value in (RATING, DEVIATION, VOLATILITY)))


def after_period(
    ratings: GlickoRatings,
    first: Indices,
    second: Indices,
    points: Floats,
    games: Floats,
    *,
    tau: float = 0.5,
    length: float = 1.0,
) -> GlickoRatings:
    """Return the ratings after a rating period, or after a part of one of this length.

    Results come in rows: ``first`` scored ``points`` in ``games`` against ``second``. ``tau`` bounds the change of
    volatility; 0.3 to 1.2 are sensible. Raises ValueError if a row has more points than games.
    """
    if ((points < 0) | (points > games)).any():
        raise ValueError("points must be from 0 to the number of games")
    count = len(ratings.rating)
    level, spread = (ratings.rating - RATING) / _SCALE, ratings.deviation / _SCALE
    players, others = np.concatenate([first, second]), np.concatenate([second, first])
    scores, weight = np.concatenate([points, games - points]), np.concatenate([games, games])
    reach = 1 / np.sqrt(1 + 3 * spread[others] ** 2 / pi**2)
    expected = 1 / (1 + np.exp(-reach * (level[players] - level[others])))
    information = np.bincount(players, weight * reach**2 * expected * (1 - expected), count)
    surprise = np.bincount(players, reach * (scores - weight * expected), count)
    played = information > 0
    variance = 1 / np.where(played, information, 1)
    volatility = ratings.volatility.copy()
    volatility[played] = _volatility(
        spread[played], ratings.volatility[played], (variance * surprise)[played], variance[played], tau, length
    )
    before = spread**2 + length * volatility**2
    after = 1 / (1 / before + information)
    return GlickoRatings(
        RATING + _SCALE * (level + after * surprise),
        np.minimum(_SCALE * np.sqrt(after), DEVIATION),
        volatility,
    )


def after_many(ratings: GlickoRatings, first: Indices, second: Indices, points: Floats, games: Floats) -> GlickoRatings:
    """Return the ratings after a rating period, for any number of games in it.

    The system is meant for a few games a period and diverges with hundreds, so a full period is split into several
    short ones with an equal share of the games each.
    """
    count = len(ratings.rating)
    most = (np.bincount(first, games, count) + np.bincount(second, games, count)).max(initial=0)
    parts = min(MOST_PARTS, max(1, ceil(most / GAMES_AT_ONCE)))
    for _ in range(parts):
        ratings = after_period(ratings, first, second, points / parts, games / parts, length=1 / parts)
    return ratings


def after_idleness(ratings: GlickoRatings, periods: int) -> GlickoRatings:
    """Return the ratings after idle periods: the deviations stay or grow."""
    variance = ratings.deviation**2 + periods * (_SCALE * ratings.volatility) ** 2
    return GlickoRatings(ratings.rating, np.minimum(np.sqrt(variance), DEVIATION), ratings.volatility)


def _volatility(
    spread: Floats, volatility: Floats, improvement: Floats, variance: Floats, tau: float, length: float
) -> Floats:
    """Return the new volatilities: step 5 of the paper, by the Illinois algorithm, for many players at once."""
    start = np.log(volatility**2)

    def f(x: Floats) -> Floats:
        power = length * np.exp(x)
        total = spread**2 + variance + power
        value: Floats = power * (improvement**2 - total) / (2 * total**2) - (x - start) / (tau**2 * length)
        return value

    low, excess = start.copy(), improvement**2 - spread**2 - variance
    high = np.where(excess > 0, np.log(np.where(excess > 0, excess / length, 1)), start - tau)
    for _ in range(_ROUNDS):
        negative = (excess <= 0) & (f(high) < 0)
        if not negative.any():
            break
        high = np.where(negative, high - tau, high)
    at_low, at_high = f(low), f(high)
    for _ in range(_ROUNDS):
        open_ = np.abs(high - low) > _PRECISION
        if not open_.any():
            break
        slope = np.where(open_, at_high - at_low, 1)
        middle = np.where(open_, low + (low - high) * at_low / slope, high)
        at_middle = f(middle)
        crossed = at_middle * at_high <= 0
        low, at_low = np.where(open_ & crossed, high, low), np.where(crossed, at_high, at_low / 2)
        high, at_high = np.where(open_, middle, high), np.where(open_, at_middle, at_high)
    found: Floats = np.exp(low / 2)
    return found


# ---------------------------------------------------------------- the rating system


def by_days(games: RatedGames) -> GlickoRatings:
    """Return the ratings after the last day; a later version starts with the rating of the previous one."""
    days, results, earlier = games.days, games.results, games.before
    ratings = GlickoRatings.unplayed(games.players)
    number = _numbers(earlier)
    unseen = np.ones(games.players, dtype=np.bool_)
    order = np.argsort(days, kind="stable")
    starts = np.flatnonzero(np.diff(days[order], prepend=np.iinfo(np.int64).min))
    before: int | None = None
    for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
        rows = order[start:end]
        day = int(days[rows[0]])
        if before is not None and day - before > 1:
            ratings = after_idleness(ratings, day - before - 1)
        before = day
        there = np.unique(np.concatenate([results.first[rows], results.second[rows]]))
        new = there[unseen[there] & (number[there] > 0)]
        if len(new):
            rating = ratings.rating.copy()
            for player in new[np.argsort(number[new])].tolist():
                rating[player] = rating[earlier[player]]
            ratings = replace(ratings, rating=rating)
        unseen[there] = False
        ratings = after_many(
            ratings, results.first[rows], results.second[rows], results.points[rows], results.games[rows]
        )
    return ratings


def _numbers(earlier: Indices) -> Indices:
    """Return the number of earlier versions of each player's bot."""
    numbers = np.zeros(len(earlier), dtype=np.int64)
    at = earlier
    while (at >= 0).any():
        numbers += at >= 0
        at = np.where(at >= 0, earlier[at], -1)
    return numbers


def _rate(games: RatedGames) -> Ratings:
    found = by_days(games)
    return Ratings(found.rating, found.deviation >= PROVISIONAL, found.deviation)


SYSTEM = RatingSystem(
    name="glicko-2",
    title="Glicko-2",
    description="Ratings are updated once a day; the uncertainty of a bot that does not play grows. A rating is "
    f"provisional when its deviation is {PROVISIONAL:g} points or more.",
    columns=(INTERVAL, ELO),
    rate=_rate,
)
