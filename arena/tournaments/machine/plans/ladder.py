# SPDX-License-Identifier: GPL-3.0-or-later
"""The ladder: pairings by their information about the order, until that is certain enough."""

import numpy as np

from arena.pairing.information import meetings, share_wrong
from arena.rating.bradley_terry import Fit, fit
from arena.rating.results import Results
from arena.tournaments.machine.course import Course, Over
from arena.tournaments.machine.events import Pairing
from arena.tournaments.machine.formats import Ladder


def next_round(course: Course, known: Ladder) -> tuple[Pairing, ...]:
    """Pair the players whose games give the most information now. Raises Over."""
    found = fitted(course)
    wrong = share_wrong(found.ratings, found.covariance)
    if course.rounds and wrong <= known.wrong:
        raise Over(f"the order is certain: {100 * wrong:.1f} % of the pairs are expected to be wrong")
    left = known.meetings - sum(len(bouts) for bouts in course.rounds)
    if left <= 0:
        raise Over("all pairings are played")
    players = len(course.config.entries)
    chosen = meetings(
        found.ratings,
        found.covariance,
        boards=min(left, known.boards or max(1, players // 4)),
        games=course.config.games,
        draws=found.draw_rate,
        absent=course.withdrawn.keys(),
    )
    if not chosen:
        raise Over("fewer than two players are left")
    seen = [bout.players for bout in course.bouts]
    # if two games a pairing balance the colours, prefer as first the player that moved first less often
    return tuple(
        Pairing(other, one) if seen.count((one, other)) > seen.count((other, one)) else Pairing(one, other)
        for one, other in chosen
    )


def uncertainty(course: Course) -> float:
    """Return the share of pairs of players that is expected to be in the wrong order."""
    found = fitted(course)
    return share_wrong(found.ratings, found.covariance)


def fitted(course: Course) -> Fit:
    """Return the ratings that explain the games so far."""
    players = len(course.config.entries)
    first, second, scores = [], [], []
    for bout in course.bouts:
        for number, game in bout.games.items():
            if game.match is not None:
                one, other = bout.seats(number)
                first.append(one)
                second.append(other)
                scores.append(game.scores[0] if number % 2 else game.scores[1])
    results = Results.of_games(np.array(first, int), np.array(second, int), np.array(scores, float), players)
    return fit(results, players)


def ratings(course: Course) -> list[float]:
    """Return the likeliest rating of each entry, in points of Elo around 1500."""
    return [float(rating) for rating in fitted(course).ratings]
