# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose genome a deme gets: one of those that are stronger, the stronger the likelier. Pure."""

from collections.abc import Container, Iterable
from random import Random

from arena.features.volunteers.deme import Proven, Strength

CHOICE = 8
"""Of so many of the strongest that are new to the deme."""


def chosen(
    strongest: Iterable[Proven], deme: int, strength: Strength, had: Container[str], chance: Random
) -> Proven | None:
    """Return one of those that are stronger than a deme and new to it, None where there is none.

    ``strongest``: genomes whose claims held, the strongest first. Each is half as likely as the one before it: the best
    go to all that are weaker, but not the same one to all at once, so that demes stay different.
    """
    found: list[Proven] = []
    for one in strongest:
        if one.trial.strength <= strength or len(found) == CHOICE:
            break
        if one.deme != deme and one.digest not in had and all(one.digest != other.digest for other in found):
            found.append(one)
    if not found:
        return None
    return chance.choices(found, [2.0**-place for place in range(len(found))])[0]
