# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the genome that an island receives: a random stronger one, with the strongest preferred. Pure function."""

from collections.abc import Container, Iterable
from random import Random

from arena.features.volunteers.island import Proven, Strength

CHOICE = 8
"""Number of candidates: the strongest genomes that the island does not have."""


def chosen(
    strongest: Iterable[Proven], island: int, strength: Strength, had: Container[str], chance: Random
) -> Proven | None:
    """Return a genome that is stronger than an island and new to it, or None.

    ``strongest``: verified genomes, the strongest first. Each is half as likely as the one before it: the best reach
    all weaker islands, but different islands receive different ones, so that islands stay diverse.
    """
    found: list[Proven] = []
    for one in strongest:
        if one.trial.strength <= strength or len(found) == CHOICE:
            break
        if one.island != island and one.digest not in had and all(one.digest != other.digest for other in found):
            found.append(one)
    if not found:
        return None
    return chance.choices(found, [2.0**-place for place in range(len(found))])[0]
