# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of a game in flat arrays, with its information sets.

Nodes are in preorder, so each child has a higher number than its parent: passes from the root down go through the nodes
in order, and passes from the leaves up in reverse order. The moves of a node are neighbours among the branches. Each
move of an information set has a slot: strategies and regrets are arrays over the slots.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import CHANCE, Game, Position, State, information_key, legal_moves, odds, outcome, step, to_move
from engine.kernel import brief, compiled

OVER = -2
"""The seat of a node where the game is over."""

MOST_NODES = 2**22
"""The largest tree: about 400 MB."""
MOST_PLIES = 200
"""The longest game of a tree: the builder calls itself for each move."""
_FIRST_SIZE = 2**12

_NODES, _BRANCHES, _FULL, _DEEP, _SUM = range(5)
"""Indexes of the builder's numbers: used nodes and branches; whether there is no room, a game is too long, and payoffs
do not add up to 0."""


class GameTree(NamedTuple):
    """A tree: arrays over nodes, branches, information sets, and members of information sets."""

    seats: NDArray[np.int64]
    """The seat to move at a node, CHANCE or OVER."""
    first: NDArray[np.int64]
    """The first branch of a node."""
    counts: NDArray[np.int64]
    """The number of branches of a node."""
    payoffs: NDArray[np.float64]
    """The payoff of seat 0 at a node where the game is over."""
    slots: NDArray[np.int64]
    """The slot of the first branch of a node where a seat moves; those of its other branches follow."""
    sets: NDArray[np.int64]
    """The information set of a node where a seat moves, else -1."""
    children: NDArray[np.int64]
    """The node after a branch."""
    chances: NDArray[np.float64]
    """The probability of a branch of a chance node."""
    moves: NDArray[np.int64]
    """The move of a branch."""
    owners: NDArray[np.int64]
    """The seat of an information set."""
    set_slots: NDArray[np.int64]
    """The first slot of an information set."""
    set_counts: NDArray[np.int64]
    """The number of slots of an information set."""
    keys: NDArray[np.uint64]
    """The key of an information set."""
    member_first: NDArray[np.int64]
    """The index of an information set's first member."""
    members: NDArray[np.int64]
    """The nodes of the information sets, one set after the other."""

    @property
    def size(self) -> int:
        """The number of slots."""
        return int(self.set_counts.sum())


@compiled
def _grow(state: State, ply: int, nodes: Any, branches: Any, width: int, control: Any) -> Any:
    """Add a state and everything after it to the tree, and return its node; without room set ``control[_FULL]``."""
    seats, firsts, counts, payoffs, keys = nodes
    children, chances, moves = branches
    node, first = control[_NODES], control[_BRANCHES]
    if node == len(seats) or first + width > len(moves) or ply > MOST_PLIES:
        control[_FULL] = 1
        control[_DEEP] |= ply > MOST_PLIES
        return node
    control[_NODES] = node + 1
    firsts[node] = first
    over, payoff, other = outcome(state)
    if over:
        seats[node] = OVER
        payoffs[node] = payoff
        if payoff + other != 0.0:
            control[_SUM] = 1
        return node
    seat = to_move(state)
    seats[node] = seat
    count = legal_moves(state, moves[first : first + width])
    counts[node] = count
    control[_BRANCHES] = first + count
    total = 0
    if seat == CHANCE:
        for index in range(first, first + count):
            total += odds(state, moves[index])
    else:
        keys[node] = information_key(state, seat)
    for index in range(first, first + count):
        move = moves[index]
        if seat == CHANCE:
            chances[index] = odds(state, move) / total
        children[index] = _grow(step(state, move), ply + 1, nodes, branches, width, control)
        if control[_FULL]:
            return node
    return node


@brief
def _key(state: State, seat: int) -> Any:
    return information_key(state, seat)


def key_of(game: Game, state: State, seat: int) -> int:
    """Return the key of the information set of a seat in a state, a uint64."""
    return int(_key(game.pack(state), seat)) % 2**64


def build(game: Game, state: State | None = None, most: int = MOST_NODES) -> GameTree:
    """Build the tree of a game from a state, by default with one round left.

    Raises ValueError if the tree has more than ``most`` nodes or MOST_PLIES plies, the game is not zero-sum, or an
    information set has nodes of both seats or with different moves.
    """
    if state is None:
        state = (game.last_round or game.start)()
    state = game.pack(state)
    room = min(_FIRST_SIZE, most)
    while True:
        nodes = (np.empty(room, np.int64), *np.zeros((2, room), np.int64), np.zeros(room), np.zeros(room, np.uint64))
        space = 2 * room + game.width
        branches = np.zeros(space, np.int64), np.zeros(space), np.zeros(space, np.int64)
        control = np.zeros(5, np.int64)
        _grow(state, 0, nodes, branches, game.width, control)
        if not control[_FULL]:
            break
        if control[_DEEP]:
            raise ValueError(f"{game.title} cannot be solved: a game can take more than {MOST_PLIES} plies")
        if room >= most:
            raise ValueError(f"{game.title} cannot be solved: its tree has more than {most:,} nodes")
        room = min(4 * room, most)
    if control[_SUM]:
        raise ValueError(f"{game.title} cannot be solved: the payoffs of both seats do not add up to 0")
    used, spent = control[_NODES], control[_BRANCHES]
    seats, firsts, counts, payoffs, keys = (rows[:used].copy() for rows in nodes)
    children, chances, moves = (rows[:spent].copy() for rows in branches)
    return _with_sets(game, (seats, firsts, counts, payoffs), keys, (children, chances, moves))


def _with_sets(game: Game, nodes: Any, keys: NDArray[np.uint64], branches: Any) -> GameTree:
    """Return the tree with its information sets, numbered in the order of their first nodes."""
    seats, firsts, counts, payoffs = nodes
    children, chances, moves = branches
    deciding = np.flatnonzero(seats >= 0)
    unique, begins, inverse = np.unique(keys[deciding], return_index=True, return_inverse=True)
    order = np.argsort(begins)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    sets = np.full(len(seats), -1)
    sets[deciding] = rank[inverse]
    leading = deciding[begins[order]]
    owners, set_counts = seats[leading], counts[leading]
    members = deciding[np.argsort(sets[deciding], kind="stable")]
    heads = leading[sets[members]]
    mixed = (seats[members] != seats[heads]) | (counts[members] != counts[heads])
    for step_on in range(int(set_counts.max(initial=0))):
        open_ones = ~mixed & (counts[members] > step_on)
        own = moves[(firsts[members] + step_on)[open_ones]]
        mixed[open_ones] |= own != moves[(firsts[heads] + step_on)[open_ones]]
    if mixed.any():
        raise ValueError(f"{game.title} cannot be solved: states with one information key have different moves")
    sizes = np.bincount(sets[deciding], minlength=len(order))
    set_slots = np.cumsum(set_counts) - set_counts
    slots = np.zeros(len(seats), np.int64)
    slots[deciding] = set_slots[sets[deciding]]
    return GameTree(
        seats,
        firsts,
        counts,
        payoffs,
        slots,
        sets,
        children,
        chances,
        moves,
        owners,
        set_slots,
        set_counts,
        unique[order],
        np.cumsum(sizes) - sizes,
        members,
    )


def positions(game: Game, tree: GameTree, state: State | None = None) -> Sequence[Position]:
    """Return a position of each information set: its first node. ``state``: as for ``build``."""
    parents = np.repeat(np.arange(len(tree.seats)), tree.counts)
    into = np.zeros(len(tree.seats), np.int64)
    into[tree.children] = np.arange(len(tree.children))
    known = {0: game.look((game.last_round or game.start)() if state is None else state)}

    def at(node: int) -> Position:
        if node not in known:
            branch = int(into[node])
            known[node] = game.play(at(int(parents[branch])), int(tree.moves[branch]))
        return known[node]

    return [at(int(tree.members[first])) for first in tree.member_first]
