# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow rules of backgammon, from their text: all orders of dice and all men, then the turns with the most dice."""

from typing import NamedTuple

BAR, OFF = 25, 0
Men = tuple[int, ...]
"""The men of a side on the points from 0 (borne off) to 25 (the bar), in its own view."""


class Sides(NamedTuple):
    """The men of the side on roll, and of the other one."""

    own: Men
    other: Men


def stepped(sides: Sides, source: int, die: int) -> Sides | None:
    """Return the men after a step, None if it is not legal."""
    own, other = list(sides.own), list(sides.other)
    if own[source] == 0 or source == OFF or (own[BAR] and source != BAR):
        return None
    target = source - die
    if target <= OFF:
        if any(own[7:]) or (target < OFF and any(own[source + 1 :])):
            return None
        target = OFF
    elif other[BAR - target] >= 2:
        return None
    elif other[BAR - target] == 1:
        other[BAR - target] -= 1
        other[BAR] += 1
    own[source] -= 1
    own[target] += 1
    return Sides(tuple(own), tuple(other))


def turns(sides: Sides, dice: tuple[int, ...]) -> set[tuple[Sides, tuple[int, ...]]]:
    """Return what can be reached with the dice in this order, and the dice used, until no step is legal."""
    if dice:
        after = [each for source in range(1, BAR + 1) if (each := stepped(sides, source, dice[0]))]
        if after:
            return {(end, (dice[0], *used)) for each in set(after) for end, used in turns(each, dice[1:])}
    return {(sides, ())}


def results(sides: Sides, first: int, second: int) -> set[Sides]:
    """Return the positions after the legal turns with a roll."""
    if first == second:
        found = turns(sides, (first,) * 4)
    else:
        found = turns(sides, (first, second)) | turns(sides, (second, first))
    most = max(len(used) for _, used in found)
    found = {(end, used) for end, used in found if len(used) == most}
    if most == 1 and first != second:
        highest = max(used[0] for _, used in found)
        found = {(end, used) for end, used in found if used[0] == highest}
    return {end for end, _ in found}


def payoff(winner: Men, loser: Men) -> int:
    """Return the points of the winner, who has borne off all men."""
    assert winner[OFF] == 15
    if loser[OFF]:
        return 1
    return 3 if any(loser[19:]) else 2
