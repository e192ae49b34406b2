# SPDX-License-Identifier: GPL-3.0-or-later
"""Counterfactual regret minimisation: CFR+, and Monte Carlo CFR with external sampling.

CFR+ (O. Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014): the seats are updated in turn, sums of
regrets never fall below 0, and the average strategy weighs each iteration by its number. External sampling (M. Lanctot
and others, "Monte Carlo Sampling for Regret Minimization in Extensive Games", 2009): an iteration follows all moves of
one seat, and one random move of chance and of the other seat, then the same for the other seat.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import CHANCE
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed, lent
from engine.regret.response import Slots
from engine.regret.tree import OVER, GameTree
from engine.splitmix import GOLDEN, fraction, scramble


class Sums(NamedTuple):
    """What the algorithms sum up, and their working space."""

    regrets: Slots
    average: Slots
    """The strategies of all iterations, weighted."""
    current: Slots
    """The strategy of CFR+ in the current iteration."""
    gains: Slots
    """The regrets of an iteration of CFR+."""
    own: NDArray[np.float64]
    """The probability that the seat's own moves lead to a node."""
    others: NDArray[np.float64]
    """The probability that chance and the other seat lead to a node."""
    values: NDArray[np.float64]
    """The value of a node to the seat."""
    branch_values: NDArray[np.float64]
    """The value of each branch in a sampled traversal."""
    random: NDArray[np.uint64]
    """The state of the random numbers."""


def sums_of(tree: GameTree, seed: int) -> Sums:
    """Return empty sums for a tree."""
    regrets, average, gains = np.zeros((3, tree.size))
    own, others, values = np.zeros((3, len(tree.seats)))
    current = strategy_of(tree, average)
    random = np.array([seed % 2**64], np.uint64)
    return Sums(regrets, average, current, gains, own, others, values, np.zeros(len(tree.children)), random)


def strategy_of(tree: GameTree, sums: Slots) -> Slots:
    """Return probabilities in proportion to sums over the moves of each information set; uniform without sums."""
    totals = np.add.reduceat(sums, tree.set_slots) if len(sums) else sums
    counts = np.repeat(tree.set_counts, tree.set_counts)
    spread = np.repeat(totals, tree.set_counts)
    return np.where(spread > 0, sums / np.where(spread > 0, spread, 1.0), 1.0 / counts)


# ---------------------------------------------------------------- CFR+


@compiled
def _traverse(tree: GameTree, sums: Sums, seat: int) -> None:
    """Compute the regrets of all information sets of a seat for the current strategies."""
    current, own, others, values = sums.current, sums.own, sums.others, sums.values
    own[0] = others[0] = 1.0
    for node in range(len(tree.seats)):
        mover, first, slot = tree.seats[node], tree.first[node], tree.slots[node]
        for index in range(tree.counts[node]):
            child = tree.children[first + index]
            own[child] = own[node]
            others[child] = others[node]
            if mover == seat:
                own[child] *= current[slot + index]
            elif mover == CHANCE:
                others[child] *= tree.chances[first + index]
            else:
                others[child] *= current[slot + index]
    for node in range(len(tree.seats) - 1, -1, -1):
        mover, first, slot = tree.seats[node], tree.first[node], tree.slots[node]
        value = 0.0
        if mover == OVER:
            value = -tree.payoffs[node] if seat else tree.payoffs[node]
        elif mover == CHANCE:
            for index in range(tree.counts[node]):
                value += tree.chances[first + index] * values[tree.children[first + index]]
        else:
            for index in range(tree.counts[node]):
                value += current[slot + index] * values[tree.children[first + index]]
        values[node] = value
        if mover == seat:
            for index in range(tree.counts[node]):
                sums.gains[slot + index] += others[node] * (values[tree.children[first + index]] - value)


@compiled
def _learn(tree: GameTree, sums: Sums, seat: int, weight: float) -> None:
    """Add the current strategy of a seat to its average, then its regrets, and choose its next strategy."""
    for place in range(len(tree.owners)):
        if tree.owners[place] != seat:
            continue
        begin = tree.set_slots[place]
        end = begin + tree.set_counts[place]
        reached = sums.own[tree.members[tree.member_first[place]]]
        total = 0.0
        for slot in range(begin, end):
            sums.average[slot] += weight * reached * sums.current[slot]
            sums.regrets[slot] = max(0.0, sums.regrets[slot] + sums.gains[slot])
            sums.gains[slot] = 0.0
            total += sums.regrets[slot]
        for slot in range(begin, end):
            sums.current[slot] = sums.regrets[slot] / total if total > 0.0 else 1.0 / (end - begin)


@compiled
def cfr_plus(tree: GameTree, sums: Sums, begun: int, iterations: int) -> None:
    """Run iterations of CFR+; ``begun``: the number of iterations before."""
    for iteration in range(begun, begun + iterations):
        for seat in range(2):
            _traverse(tree, sums, seat)
            _learn(tree, sums, seat, iteration + 1.0)


# ---------------------------------------------------------------- external sampling


@inlined
def _uniform(random: Any) -> float:
    """Return the next random number, from 0 to below 1."""
    random[0] += GOLDEN
    return fraction(scramble(random[0]))


@compiled
def _walk(lent_tree: Any, lent_sums: Any, node: int, seat: int) -> Any:
    """Sample the value of a node to a seat, and add up its regrets and the other seat's strategy.

    Tree and sums are lent: a pointer to each is cheaper than the tuples in each call.
    """
    tree, sums = borrowed(lent_tree), borrowed(lent_sums)
    mover, first, count, slot = tree.seats[node], tree.first[node], tree.counts[node], tree.slots[node]
    if mover == OVER:
        return -tree.payoffs[node] if seat else tree.payoffs[node]
    total = 0.0
    if mover != CHANCE:
        for index in range(slot, slot + count):
            total += max(0.0, sums.regrets[index])
    left = _uniform(sums.random) if mover != seat else 0.0
    chosen, value = -1, 0.0
    for index in range(count):
        if mover == CHANCE:
            chance = tree.chances[first + index]
        else:
            chance = max(0.0, sums.regrets[slot + index]) / total if total > 0.0 else 1.0 / count
        if mover == seat:
            sums.branch_values[first + index] = _walk(lent_tree, lent_sums, tree.children[first + index], seat)
            value += chance * sums.branch_values[first + index]
            continue
        if mover != CHANCE:
            sums.average[slot + index] += chance
        # rounding may leave a rest: then the last possible move is chosen
        if left >= 0.0 and chance > 0.0:
            chosen = index
        left -= chance
    if mover != seat:
        return _walk(lent_tree, lent_sums, tree.children[first + chosen], seat)
    for index in range(count):
        sums.regrets[slot + index] += sums.branch_values[first + index] - value
    return value


@compiled
def sample(tree: GameTree, sums: Sums, begun: int, iterations: int) -> None:
    """Run iterations of Monte Carlo CFR with external sampling; ``begun`` does not matter."""
    lent_tree, lent_sums = lent(tree), lent(sums)
    for _ in range(iterations):
        for seat in range(2):
            _walk(lent_tree, lent_sums, 0, seat)
