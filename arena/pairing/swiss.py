# SPDX-License-Identifier: GPL-3.0-or-later
"""Pair a round of a Swiss tournament, after FIDE's Dutch system (FIDE Handbook C.04.3).

The absolute rules hold strictly: no opponents play twice, no player has more than one bye, and no player gets the
colour opposite to an absolute preference, except that in the last round two players with more than half of all points
may be paired although both must have the same colour. The other rules are weights: in each score group, from the top, a
matching of maximum weight (``networkx``) prefers, in this order, to pair as many players as possible, to pair players
with similar points, to give the due colours, to avoid a second float, and to pair the upper half with the lower half in
order. Unpaired players move down to the next group, at the end to the bye, which goes to a player with as few points as
possible. If the last players cannot be paired, the group above joins them; so the algorithm finds a round whenever one
exists.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple


class Impossible(StrEnum):
    """Why no round is possible, for people; pages translate these texts."""

    PLAYERS = "no players are left to pair"
    PAIRINGS = "no round is possible without a repeated pairing or a second bye"


class Unpairable(ValueError):
    """No round is left that keeps the absolute rules."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player as the next round sees it."""

    number: int
    """The pairing number, from 0: the lower, the higher seeded."""
    points: float = 0.0
    opponents: frozenset[int] = frozenset()
    """The numbers of those it played."""
    colours: tuple[int, ...] = ()
    """The seats it played on, the oldest first: 0 moved first. Empty where rounds are colour-swapped pairs."""
    bye: bool = False
    """Whether it had a bye, or points without playing."""
    floats: tuple[int, ...] = ()
    """By round, whether the opponent had fewer points (-1, also without a game), as many (0) or more (1)."""

    @property
    def due(self) -> "Due":
        """The colour that is due."""
        return _due(self.colours)


class Due(NamedTuple):
    """Which seat a player should have, and how urgently: 3 it must, 2 strongly, 1 mildly, 0 either will do."""

    seat: int | None
    strength: int
    difference: int
    """By how much the other seat was more frequent."""


@lru_cache(maxsize=4096)
def _due(colours: tuple[int, ...]) -> Due:
    """Return the colour that is due after these (rule A.6)."""
    if not colours:
        return Due(None, 0, 0)
    difference = 2 * colours.count(0) - len(colours)
    if abs(difference) > 1:
        return Due(int(difference > 0), 3, abs(difference))
    if colours[-2:] in ((0, 0), (1, 1)):
        return Due(1 - colours[-1], 3, abs(difference))
    return Due(int(difference > 0), 2, 1) if difference else Due(1 - colours[-1], 1, 0)


class Round(NamedTuple):
    """The pairings of a round (first mover first), and the player with the bye, if any."""

    pairs: list[tuple[int, int]]
    bye: int | None


def pair(contenders: Iterable[Contender], *, last: float | None = None) -> Round:
    """Pair a round.

    ``last``: in the last round, half of the points that a player could have by now. A player with more is a top scorer;
    two top scorers may be paired although both must have the same colour. Raises Unpairable.
    """
    ranked = sorted(contenders, key=lambda each: (-each.points, each.number))
    if not ranked:
        raise Unpairable(Impossible.PLAYERS)
    found = _by_groups(ranked, last)
    colours = [_seated(one, other) for one, other in found.pairs]
    colours.sort(key=lambda two: (-max(each.points for each in two), -sum(each.points for each in two), _best(two)))
    bye = None if found.bye is None else found.bye.number
    return Round([(first.number, second.number) for first, second in colours], bye)


def _best(two: tuple[Contender, Contender]) -> int:
    return min(two, key=lambda each: (-each.points, each.number)).number


# ---------------------------------------------------------------- group by group


@dataclass(slots=True)
class _Found:
    """The pairing of a part of the round."""

    pairs: list[tuple[Contender, Contender]]
    over: list[Contender]
    """The players that move down."""
    pool: list[Contender]
    """The players to be paired."""
    bye: Contender | None = None


def _by_groups(ranked: Sequence[Contender], last: float | None) -> _Found:
    groups = [list(group) for _, group in groupby(ranked, key=lambda each: each.points)]
    done: list[_Found] = []
    pool: list[Contender] = []
    while groups:
        pool += groups.pop(0)
        found = _matched(pool, last, lowest=not groups)
        if groups:
            done.append(found)
            pool = found.over
            continue
        while found.over:
            if not done:
                raise Unpairable(Impossible.PAIRINGS)
            above = done.pop()
            # players that floated down from there are already in the groups below
            known = {each.number for each in found.pool}
            found = _matched(
                [*(each for each in above.pool if each.number not in known), *found.pool], last, lowest=True
            )
        done.append(found)
    return _Found([each for part in done for each in part.pairs], [], list(ranked), done[-1].bye)


def _matched(pool: list[Contender], last: float | None, *, lowest: bool) -> _Found:
    """Pair as many players of a pool as possible; in the lowest pool, a player of an odd number has the bye."""
    pool = sorted(pool, key=lambda each: (-each.points, each.number))
    reach = _REACH
    while True:
        chosen = _plain(pool, last) or _heaviest(pool, last, reach, lowest=lowest)
        met = {place for couple in chosen for place in couple}
        if met.issuperset(range(len(pool))) or reach >= len(pool):
            break
        reach *= 4
    pairs = [(pool[one], pool[other]) for one, other in chosen if other < len(pool)]
    aside = next((pool[one] for one, other in chosen if other == len(pool)), None)
    over = [each for place, each in enumerate(pool) if place not in met]
    return _Found(pairs, over, pool, aside) if lowest else _Found(pairs, [*over, *filter(None, [aside])], pool)


_REACH = 12
"""Initial search distance for opponents around a player's place in the other half."""


def _plain(pool: Sequence[Contender], last: float | None) -> list[tuple[int, int]]:
    """Return the upper half against the lower half in order, if no rule speaks against it."""
    half = len(pool) // 2
    couples = [(place, place + half) for place in range(half)]
    if len(pool) % 2 or pool[0].points != pool[-1].points:
        return []
    fine = all(_may_meet(pool[one], pool[other], last) and not _unmet(pool[one], pool[other]) for one, other in couples)
    return couples if fine else []


def _heaviest(pool: Sequence[Contender], last: float | None, reach: int, *, lowest: bool) -> list[tuple[int, int]]:
    """Return the maximum-weight matching among the matchings of maximum size, as indices in the pool, the lower first.

    If the number is odd, index ``len(pool)`` stands for moving down, or for the bye.
    """
    from networkx import Graph, max_weight_matching

    graph = Graph()
    graph.add_weighted_edges_from(_edges(pool, last, reach, lowest=lowest))
    couples = max_weight_matching(graph, maxcardinality=True)
    return sorted((min(couple), max(couple)) for couple in couples)


def _edges(
    pool: Sequence[Contender], last: float | None, reach: int, *, lowest: bool
) -> Iterator[tuple[int, int, int]]:
    """Yield the allowed pairs, by indices in the pool, with their weights."""
    size, half = len(pool), len(pool) // 2
    top = pool[0].points
    scale = _Scale(size, top - pool[-1].points)
    for one in range(size):
        for other in _near(one, half, size, reach, moved=pool[one].points > pool[min(one + 1, size - 1)].points):
            if _may_meet(pool[one], pool[other], last):
                yield one, other, scale.most - scale.cost(pool[one], pool[other], other - one - half)
    if size % 2:
        for place, each in enumerate(pool):
            if lowest and each.bye:
                continue
            over = each.points - pool[-1].points
            aside = scale.bye(over) if lowest else scale.gap(over) + scale.floating * _drops(each)
            cost = aside + (size - place) ** 2
            yield place, size, scale.most - cost


def _near(one: int, half: int, size: int, reach: int, *, moved: bool) -> Iterable[int]:
    """Return candidate opponents below a player: those near its place in the lower half, and its neighbours."""
    if reach >= size:
        return range(one + 1, size)
    wide = 3 * reach if moved else reach
    near = {*range(one + 1, one + 3), *range(one + half - wide, one + half + wide + 1)}
    return [place for place in sorted(near) if one < place < size]


class _Scale:
    """How heavy each rule weighs, so that all breaches of one together weigh less than one of the rule before."""

    def __init__(self, size: int, spread: float) -> None:
        self._place = size * size * size + 1
        self.floating = self._place
        self._mild = 4 * size * self.floating
        self._strong = 2 * size * self._mild
        self._must = 2 * size * self._strong
        self._gap = 2 * size * self._must
        self._bye = size * self._gap * (round(4 * spread * spread) + 1)
        self.most = 2 * self._bye * (round(2 * spread) + 1)

    def bye(self, points: float) -> int:
        """Return the cost of a bye for a player who leads the lowest by this number of points."""
        return self._bye * round(2 * points)

    def gap(self, points: float) -> int:
        """Return the cost of pairing players with this difference in points; it is quadratic, to spread differences."""
        return self._gap * round(4 * points * points)

    def cost(self, one: Contender, other: Contender, off: int) -> int:
        """Return the cost of a pair whose second player is ``off`` places from its place in the lower half."""
        cost = self.gap(one.points - other.points) + off * off
        cost += (0, self._mild, self._strong, self._must)[_unmet(one, other)]
        if one.points > other.points:
            cost += self.floating * (_drops(one) + sum(rise > 0 for rise in other.floats[-2:]))
        return cost


# ---------------------------------------------------------------- two players


def _may_meet(one: Contender, other: Contender, last: float | None) -> bool:
    """Whether the absolute rules let two players meet."""
    if other.number in one.opponents:
        return False
    if _unmet(one, other) < 3:
        return True
    return last is not None and max(one.points, other.points) > last


def _unmet(one: Contender, other: Contender) -> int:
    """Return the strength of the colour preference that a pair cannot satisfy; 0 if it satisfies both players'
    preferences.
    """
    mine, yours = one.due, other.due
    return min(mine.strength, yours.strength) if mine.seat == yours.seat else 0


def _drops(each: Contender) -> int:
    """Return how often a player moved down in the last two rounds."""
    return sum(drop < 0 for drop in each.floats[-2:])


def _seated(one: Contender, other: Contender) -> tuple[Contender, Contender]:
    """Return two players in the order of their seats (rules E.1 to E.5)."""
    higher, lower = sorted((one, other), key=lambda each: (-each.points, each.number))
    mine, yours = higher.due, lower.due
    if mine.seat is None and yours.seat is None:
        seat = higher.number % 2
    elif mine.seat is None or (yours.seat is not None and yours[1:] > mine[1:]):
        assert yours.seat is not None
        seat = 1 - yours.seat
    elif yours.seat is None or mine.seat != yours.seat or mine[1:] > yours[1:]:
        seat = mine.seat
    else:
        seat = _alternated(higher, lower, mine.seat)
    return (lower, higher) if seat else (higher, lower)


def _alternated(higher: Contender, lower: Contender, wish: int) -> int:
    """Return the higher player's seat: opposite to the last round in which the two had different ones, else its
    preference.
    """
    for mine, yours in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if mine != yours:
            return yours
    return wish
