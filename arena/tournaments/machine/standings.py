# SPDX-License-Identifier: GPL-3.0-or-later
"""The standings of a tournament."""

from collections import Counter
from collections.abc import Set
from itertools import groupby
from math import inf

from msgspec import Struct

from arena.rating.payoffs import Payoffs
from arena.tournaments.machine.course import Course


class Standing(Struct, frozen=True, kw_only=True):
    """A player's place; equal players share a rank."""

    rank: int
    player: int
    """The number of the entry, from 0."""
    points: float
    tiebreaks: tuple[float, ...]
    """In the order of ``tie_breaks`` of the format."""
    games: int
    """Number of games that were played."""
    wins: int
    draws: int
    losses: int
    payoffs: Payoffs
    """Its payoffs in the games that were played."""
    withdrawn: str | None = None
    """The reason of the withdrawal; None for players that still play."""
    annulled: bool = False
    """Whether it played too few games for any of them to count, for itself or for others."""


def standings(course: Course) -> list[Standing]:
    """Return the standings, the first first: by points a game if these rank, then by the score and the tie-breaks."""
    form = course.config.format
    annulled = form.annulled(course)
    points = course.points(annulled)
    counts, payoffs = _counts(course, annulled), _payoffs(course, annulled)
    columns = form.tie_break_columns(course, points, [count["win"] for count in counts], annulled)
    tiebreaks = [tuple(float(column[player]) for column in columns) for player in range(course.players)]
    means = [-inf if each.mean is None else each.mean for each in payoffs] if course.config.by_payoff else []

    def key(player: int) -> tuple[float, ...]:
        score = (points[player],) if form.ranked_by_points else ()
        return (-(player in annulled), *means[player : player + 1], *score, *tiebreaks[player])

    order = sorted(range(course.players), key=lambda player: (tuple(-each for each in key(player)), player))
    lines, rank = [], 0
    for _, equals in groupby(order, key=key):
        group = list(equals)
        for player in group:
            count = counts[player]
            lines.append(
                Standing(
                    rank=rank + 1,
                    player=player,
                    points=points[player],
                    tiebreaks=tiebreaks[player],
                    games=count.total(),
                    wins=count["win"],
                    draws=count["draw"],
                    losses=count["loss"],
                    payoffs=payoffs[player],
                    withdrawn=course.withdrawn.get(player),
                    annulled=player in annulled,
                )
            )
        rank += len(group)
    return lines


def crosstable(course: Course) -> list[list[tuple[float, ...]]]:
    """Return, by player and opponent, the player's score in each of their games, in order; against itself, that of the
    first side.
    """
    size = len(course.config.entries)
    cells: list[list[tuple[float, ...]]] = [[()] * size for _ in range(size)]
    for bout in course.bouts:
        first, second = bout.players
        if second is None:
            continue
        scores = [bout.games[number].scores for number in sorted(bout.games)]
        cells[first][second] += tuple(one for one, _ in scores)
        if not bout.own:
            cells[second][first] += tuple(other for _, other in scores)
    return cells


def _counts(course: Course, annulled: Set[int]) -> list[Counter[str]]:
    counts: list[Counter[str]] = [Counter() for _ in course.config.entries]
    for bout in course.counted(annulled):
        for player, side in bout.sides:
            for game in bout.games.values():
                if game.match is not None:
                    counts[player][_WORDS[game.scores[side]]] += 1
    return counts


def _payoffs(course: Course, annulled: Set[int]) -> list[Payoffs]:
    found = [Payoffs() for _ in course.config.entries]
    for bout in course.counted(annulled):
        for player, side in bout.sides:
            for game in bout.games.values():
                if game.match is not None:
                    found[player].add(game.payoffs[side])
    return found


_WORDS = {1.0: "win", 0.5: "draw", 0.0: "loss"}
