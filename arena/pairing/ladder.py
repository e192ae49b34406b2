# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairing of the ladder: selects the next pairings among connected bots.

It selects the pairings that give the most information about the order (``arena.pairing.information``). Some bots stay
free meanwhile, because the selection needs alternatives. When the order is certain enough, it makes no more such
pairings; bots that have been idle for long still play, with their most informative opponent, so that changes of bots
are noticed and every connected bot gets matches.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

import numpy as np

from arena.pairing.information import Booleans, Floats, Search

WINDOW = 96
"""Maximum number of players to compare; of more players, those with the least certain ranks."""

NEAR = 4
"""Places to each side in which a player's own is compared, to see how certain it is."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """A bot that is there and plays the game."""

    waited: float = 0.0
    """Time since its last match of this game, in units of its own patience (``patience_of``)."""
    free: bool = True
    """Whether it can begin to play now."""
    built_in: bool = False
    """Whether it belongs to the arena."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """How the ladder pairs."""

    misordered: float = 0.01
    """Stop criterion: the expected share of misordered pairs among the connected bots."""
    patience: float = 60.0
    """A bot that has been idle for longer (in the unit of ``Seeker.waited``) is paired in any case."""
    busy: float = 0.75
    """The share of the connected bots that should play at a time."""
    draws: float = 0.0
    """The share of games between equals that is drawn."""


def patience_of(bot: int, since: float) -> float:
    """Return a bot's random factor on ``PairingRules.patience``, 1 to 2.

    The bot's number and the time of its last match are the seed. Without the factor, bots that stopped together when
    the order became certain would start together again.
    """
    return 1 + Random(f"{bot} {since}").random()


def draw(
    seekers: Sequence[Seeker],
    ratings: Floats,
    covariance: Floats,
    rules: PairingRules,
    *,
    going_on: Iterable[tuple[int, int]] = (),
    playing: int = 0,
    most: int = WINDOW,
    built_in: int = WINDOW,
    barred: Iterable[tuple[int, int]] = (),
) -> list[tuple[int, int]]:
    """Return the next pairings, as indices in ``seekers``, whose ratings come in the same order.

    No bot is in two pairings. ``going_on``: pairings whose results are not part of the ratings yet, ``playing`` of
    which still run. Makes at most ``most`` new ones, at most ``built_in`` of them between two built-in bots, and none
    between two bots that are ``barred`` from each other.
    """
    places = _window(seekers, ratings, covariance, rules)
    inside = {place: index for index, place in enumerate(places)}
    search = Search(ratings[places], covariance[np.ix_(places, places)], draws=rules.draws)
    for one, other in going_on:
        if one in inside and other in inside:
            search.know(inside[one], inside[other])
    apart = [(inside[one], inside[other]) for one, other in barred if one in inside and other in inside]
    open_pairings = _OpenPairings([seekers[place] for place in places], built_in, apart)
    chosen: list[tuple[int, int]] = []

    def meet(allowed: Booleans) -> bool:
        best = search.best(allowed)
        if best is not None:
            search.know(*best)
            open_pairings.seat(*best)
            chosen.append((places[best[0]], places[best[1]]))
        return best is not None

    for index in open_pairings.by_patience(rules.patience):
        if len(chosen) < most and open_pairings.is_free(index):
            meet(open_pairings.with_(index))
    boards = ceil(rules.busy * len(seekers) / 2) - playing
    while (
        len(chosen) < min(most, boards) and search.misordered_share() > rules.misordered and meet(open_pairings.allowed)
    ):
        pass
    return chosen


class _OpenPairings:
    """The pairings that are still possible in a round."""

    def __init__(self, seekers: Sequence[Seeker], built_in: int, barred: Iterable[tuple[int, int]]) -> None:
        free = np.array([seeker.free for seeker in seekers], dtype=bool)
        self._seekers = seekers
        self._own = np.array([seeker.built_in for seeker in seekers], dtype=bool)
        self._left = built_in
        self.allowed: Booleans = free[:, None] & free
        np.fill_diagonal(self.allowed, False)
        for one, other in barred:
            self.allowed[one, other] = self.allowed[other, one] = False
        self._separate_built_in()

    def _separate_built_in(self) -> None:
        if self._left <= 0:
            self.allowed &= ~(self._own[:, None] & self._own)

    def seat(self, one: int, other: int) -> None:
        """Note that two bots are paired."""
        self._left -= bool(self._own[one] and self._own[other])
        for index in (one, other):
            self.allowed[index] = self.allowed[:, index] = False
        self._separate_built_in()

    def is_free(self, index: int) -> bool:
        """Return whether a bot has an allowed opponent."""
        return bool(self.allowed[index].any())

    def with_(self, index: int) -> Booleans:
        """Return the allowed opponents of a bot."""
        own = np.zeros_like(self.allowed)
        own[index] = self.allowed[index]
        return own

    def by_patience(self, patience: float) -> list[int]:
        """Return the bots that have been idle for longer than that, the longest first."""
        waited = [seeker.waited for seeker in self._seekers]
        return sorted((index for index, long in enumerate(waited) if long > patience), key=lambda index: -waited[index])


def _window(seekers: Sequence[Seeker], ratings: Floats, covariance: Floats, rules: PairingRules) -> list[int]:
    """Return the indices of the considered players: all, or half the longest waiting and half the least certain."""
    everybody = list(range(len(seekers)))
    if len(seekers) <= WINDOW:
        return everybody
    free = [place for place in everybody if seekers[place].free]
    impatient = [place for place in free if seekers[place].waited > rules.patience]
    first = sorted(impatient, key=lambda place: -seekers[place].waited)[: WINDOW // 2]
    doubts = _doubts(ratings, covariance)
    rest = sorted(set(free).difference(first), key=lambda place: -doubts[place])
    return [*first, *rest[: WINDOW - len(first)]]


def _doubts(ratings: Floats, covariance: Floats) -> Floats:
    """Return for each player how unsure the order is with its neighbours by rating: sums of exp(-x²/2), x being the
    difference in its standard deviations.
    """
    order = np.argsort(ratings)
    doubts = np.zeros(len(ratings))
    for step in range(1, NEAR + 1):
        low, high = order[:-step], order[step:]
        spread = covariance[low, low] + covariance[high, high] - 2 * covariance[low, high]
        unsure = np.exp(-((ratings[high] - ratings[low]) ** 2) / (2 * np.maximum(spread, 1e-9)))
        doubts[low] += unsure
        doubts[high] += unsure
    return doubts


def hungriest(waiting: Mapping[str, Sequence[float]]) -> list[str]:
    """Order games by the time their free bots have not played them, so that no game that is declared goes without.

    A game takes two: the second most patient bot counts. Games with fewer than two bots are left out.
    """
    ripe = {game: sorted(waits, reverse=True)[1] for game, waits in waiting.items() if len(waits) > 1}
    return sorted(ripe, key=lambda game: (-ripe[game], game))
