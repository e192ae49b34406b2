# SPDX-License-Identifier: GPL-3.0-or-later
"""The standings of a tournament."""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from itertools import groupby

from msgspec import Struct

from arena.tournaments.machine.course import Course
from arena.tournaments.machine.formats import Gauntlet, Knockout, Ladder, RoundRobin, Swiss
from arena.tournaments.machine.plans import knockout, ladder, table
from arena.tournaments.machine.tiebreaks import Meeting, Meetings, buchholz, head_to_head, sonneborn_berger


class Line(Struct, frozen=True, kw_only=True):
    """A player's place; equals share a rank."""

    rank: int
    player: int
    """The number of the entry, from 0."""
    points: float
    tiebreaks: tuple[float, ...]
    """In the order of ``TIEBREAKS`` of the format."""
    games: int
    """That were played."""
    wins: int
    draws: int
    losses: int
    withdrawn: str | None = None
    """Why, where it plays no more."""
    annulled: bool = False
    """Whether it played too few games for any of them to count, for itself or for others."""


def tiebreak_names(course: Course) -> tuple[str, ...]:
    """Return the names of a tournament's tie-breaks, in the order in which they count."""
    match course.config.format:
        case Swiss():
            return "Buchholz cut 1", "Buchholz", "Sonneborn-Berger", "head to head", "wins"
        case Knockout():
            return ("rounds survived",)
        case Ladder():
            return ("rating",)
        case _:
            return "head to head", "Sonneborn-Berger", "wins"


def standings(course: Course) -> list[Line]:
    """Return the standings, the first first."""
    out = annulled(course)
    points = course.points(out)
    counts = _counts(course, out)
    tiebreaks = _tiebreaks(course, points, [won["win"] for won in counts], out)
    # in a knockout or ladder, players have different opponents, so points are no measure
    by_points = not isinstance(course.config.format, Knockout | Ladder)
    key: Callable[[int], tuple[float, ...]] = lambda player: (  # noqa: E731  # used as a value in three places
        -(player in out),
        *((points[player],) if by_points else ()),
        *tiebreaks[player],
    )
    order = sorted(range(len(points)), key=lambda player: (tuple(-each for each in key(player)), player))
    lines, rank = [], 0
    for _, equals in groupby(order, key=key):
        group = list(equals)
        for player in group:
            count = counts[player]
            lines.append(
                Line(
                    rank=rank + 1,
                    player=player,
                    points=points[player],
                    tiebreaks=tiebreaks[player],
                    games=count.total(),
                    wins=count["win"],
                    draws=count["draw"],
                    losses=count["loss"],
                    withdrawn=course.withdrawn.get(player),
                    annulled=player in out,
                )
            )
        rank += len(group)
    return lines


def annulled(course: Course) -> frozenset[int]:
    """Return the players whose games do not count, because they withdrew before half of them were played."""
    known = course.config.format
    return table.annulled(course, known) if isinstance(known, RoundRobin | Gauntlet) else frozenset()


def crosstable(course: Course) -> list[list[tuple[float, ...]]]:
    """Return, by player and opponent, the player's score in each of their games, in order."""
    size = len(course.config.entries)
    cells: list[list[tuple[float, ...]]] = [[()] * size for _ in range(size)]
    for bout in course.bouts:
        first, second = bout.players
        if second is None:
            continue
        scores = [bout.games[number].scores for number in sorted(bout.games)]
        cells[first][second] += tuple(one for one, _ in scores)
        cells[second][first] += tuple(other for _, other in scores)
    return cells


def meetings(course: Course, out: Set[int] = frozenset()) -> Meetings:
    """Return each player's rounds for the tie-breaks, except games that do not count."""
    found: list[list[Meeting]] = [[] for _ in course.config.entries]
    for bout in course.counted(out):
        first, second = bout.players
        if second is None:
            found[first].append(Meeting(None, course.config.games, course.config.games))
            continue
        for (own, other), scored in zip(((first, second), (second, first)), bout.points, strict=True):
            if bout.games:
                found[own].append(Meeting(other if bout.met else None, scored, len(bout.games)))
    return found


def _counts(course: Course, out: Set[int]) -> list[Counter[str]]:
    counts: list[Counter[str]] = [Counter() for _ in course.config.entries]
    for bout in course.counted(out):
        for player, seat in zip(bout.players, (0, 1), strict=True):
            if player is not None:
                for game in bout.games.values():
                    if game.match is not None:
                        counts[player][_WORDS[game.scores[seat]]] += 1
    return counts


_WORDS = {1.0: "win", 0.5: "draw", 0.0: "loss"}


def _tiebreaks(course: Course, points: Sequence[float], wins: Sequence[int], out: Set[int]) -> list[tuple[float, ...]]:
    match course.config.format:
        case Swiss():
            met = meetings(course)
            columns: tuple[Sequence[float], ...] = (
                buchholz(met, points, cut=1),
                buchholz(met, points),
                sonneborn_berger(met, points),
                head_to_head(met, points),
                wins,
            )
        case Knockout() as known:
            columns = (knockout.survived(course, known),)
        case Ladder():
            columns = (ladder.ratings(course),)
        case _:
            met = meetings(course, out)
            columns = (head_to_head(met, points), sonneborn_berger(met, points), wins)
    return [tuple(float(column[player]) for column in columns) for player in range(len(points))]
