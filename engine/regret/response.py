# SPDX-License-Identifier: GPL-3.0-or-later
"""The value of a strategy, the exact best response to it, and its exploitability.

A best response chooses one move in each information set: the one with the highest sum of the values of its nodes,
weighted with the probability that chance and the other seat lead there. The exploitability is NashConv / 2: what both
best responses gain, on average (M. Johanson and others, "Accelerating Best Response Calculation in Large Extensive
Games", 2011).
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.game import CHANCE
from engine.kernel import compiled
from engine.regret.tree import OVER, GameTree

Slots: TypeAlias = NDArray[np.float64]
"""A number for each move of each information set."""


class Evaluated(NamedTuple):
    """What a strategy of both seats is worth."""

    value: float
    """The mean payoff of seat 0."""
    responses: tuple[float, float]
    """The mean payoff of each seat's best response."""

    @property
    def exploitability(self) -> float:
        """NashConv / 2, in the game's unit of payoffs."""
        return sum(self.responses) / 2


@compiled
def _reach(tree: GameTree, strategy: Slots, seat: int, out: Any) -> None:
    """Write the probability that chance and the other seat lead to each node; with seat 2 that of all together."""
    out[0] = 1.0
    for node in range(len(tree.seats)):
        mover, first = tree.seats[node], tree.first[node]
        for index in range(tree.counts[node]):
            chance = 1.0
            if mover == CHANCE:
                chance = tree.chances[first + index]
            elif mover != seat:
                chance = strategy[tree.slots[node] + index]
            out[tree.children[first + index]] = out[node] * chance


@compiled
def _respond(tree: GameTree, node: int, seat: int, strategy: Slots, reach: Any, values: Any, choices: Any) -> Any:
    """Return the value of a node to a seat that plays its best response; ``values``: those known, else NaN."""
    if not np.isnan(values[node]):
        return values[node]
    mover, first = tree.seats[node], tree.first[node]
    value = 0.0
    if mover == OVER:
        value = -tree.payoffs[node] if seat else tree.payoffs[node]
    elif mover == seat:
        place = tree.sets[node]
        if choices[place] < 0:
            best = -np.inf
            begin = tree.member_first[place]
            end = tree.member_first[place + 1] if place + 1 < len(tree.owners) else len(tree.members)
            for index in range(tree.set_counts[place]):
                total = 0.0
                for position in range(begin, end):
                    member = tree.members[position]
                    child = tree.children[tree.first[member] + index]
                    total += reach[member] * _respond(tree, child, seat, strategy, reach, values, choices)
                if total > best:
                    best = total
                    choices[place] = index
        value = _respond(tree, tree.children[first + choices[place]], seat, strategy, reach, values, choices)
    else:
        for index in range(tree.counts[node]):
            chance = tree.chances[first + index] if mover == CHANCE else strategy[tree.slots[node] + index]
            value += chance * _respond(tree, tree.children[first + index], seat, strategy, reach, values, choices)
    values[node] = value
    return value


def evaluate(tree: GameTree, strategy: Slots) -> Evaluated:
    """Evaluate a strategy: the probability of each move of each information set."""
    reach = np.empty(len(tree.seats))
    _reach(tree, strategy, 2, reach)
    value = float((reach * tree.payoffs)[tree.seats == OVER].sum())
    best = []
    for seat in (0, 1):
        _reach(tree, strategy, seat, reach)
        values, choices = np.full(len(tree.seats), np.nan), np.full(len(tree.owners), -1)
        best.append(float(_respond(tree, 0, seat, strategy, reach, values, choices)))
    return Evaluated(value, (best[0], best[1]))
