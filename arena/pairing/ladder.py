# SPDX-License-Identifier: GPL-3.0-or-later
"""The ladder: who plays whom next, among those who are there and free.

As on CGOS, the computer Go server: ratings are shaken by chance, bots are sorted by what comes out, and neighbours
play each other. So equals meet most often, and everybody meets everybody now and then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Seeker:
    """A bot that is free to play a game."""

    bot: int
    rating: float
    waited: float = 0.0
    """How long it has not played this game, in whatever unit; the most patient go first."""


def draw(seekers: Sequence[Seeker], random: Random, spread: float) -> list[tuple[int, int]]:
    """Pair neighbours by rating, shaken by up to ``spread`` points: pairs of bots, the first of each to move first.

    Every bot is in one pair at most; of an odd number the one that waited least stays out. The same random state
    draws the same pairs.
    """
    shaken = sorted((seeker.rating + random.uniform(-spread, spread), seeker.bot, seeker) for seeker in seekers)
    order = [seeker for _, _, seeker in shaken]
    if len(order) % 2:
        order.remove(min(order, key=lambda seeker: (seeker.waited, random.random())))
    pairs = []
    for one, other in zip(order[::2], order[1::2], strict=True):
        first, second = (one, other) if random.random() < 0.5 else (other, one)
        pairs.append((first.bot, second.bot))
    return pairs


def hungriest(waiting: Mapping[str, Sequence[float]]) -> list[str]:
    """Order games by the time their free bots have not played them, so that no game that is declared goes without.

    A game takes two: the second most patient bot counts. Games with fewer than two bots are left out.
    """
    ripe = {game: sorted(waits, reverse=True)[1] for game, waits in waiting.items() if len(waits) > 1}
    return sorted(ripe, key=lambda game: (-ripe[game], game))
