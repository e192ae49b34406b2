# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory of Monte Carlo tree search: nodes in flat arrays, and the buffers of each thread.

A node is an index. The children of a node are a block of consecutive nodes. Blocks are taken from the end of the used
part, or from a free list for their size. Threads share the arrays without locks (M. Enzenberger and M. Müller, A
lock-free multithreaded Monte-Carlo tree search algorithm, 2010): visits, totals and blocks change by atomic operations;
a thread that finds a node or the free lists in use by another goes on without them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluation import Evaluation
from engine.game import Game
from engine.hints.alphabeta import SLOTS
from engine.hints.playouts import VirtualPlayouts
from engine.kernel import compiled, inlined
from engine.native.atomics import atomic_swap, swapped_if
from engine.native.buffers import borrowed
from engine.rules import FORBIDDEN
from engine.search.tree.switches import TreeParameters, TreeSwitch
from engine.walks.playout import Marks, limits_of, room

UNIT = 2**20
"""Units of the totals per point of value: integers can be added atomically, and in any order with the same sum."""

ROOT = 0
"""The root's node."""

LEAF, BUSY = -1, -2
"""Values of ``first`` of a node without children: none yet, and a thread is making them."""

FORBIDDEN_MOVE = -1
"""Value of ``counts`` of a node whose move superko forbids."""

PATH = 512
"""Maximum number of positions of a line in the tree."""

EARLIER = 1024
"""Maximum number of stored positions of the game before the root for superko; repetitions of older ones are not
detected.
"""

PLAYED = 4096
"""Maximum number of moves of a playout that RAVE learns from."""

SETTLED_PLIES = 8
"""Maximum depth of the quiescence search of a leaf."""

SWITCHES, STOP, STARTED, PLAYOUTS, NODES, LIMIT, TOP, LOCK, QUIET, REPETITION, NO_PROGRESS, PLIES, TERMS, WIN = range(
    14
)
"""Cells of ``control``. STARTED: number of playouts so far, PLAYOUTS: their limit; NODES: number of visited positions,
LIMIT: their limit; TOP: the first node that was never used; LOCK: 1 while a thread takes a block; QUIET: reversible
moves in a row before the root; REPETITION, NO_PROGRESS, PLIES: the rules of draws; WIN: score of a won game."""

DEPTH, USED, FORBIDS, PAST = 14, 15, 16, 17
"""DEPTH: length of the longest line in the tree; USED: number of nodes in use; FORBIDS: 1 if repetition is forbidden
(superko), PAST: number of the game's positions before the root, where it is."""

CELLS = 18


class Tree(NamedTuple):
    """The arrays of a tree. Values are from 0 to 1: the payoff on the scale from the worst to the best."""

    control: NDArray[np.int64]
    """The cells named above."""
    parameters: TreeParameters
    stakes: float
    """Bound of the absolute payoff."""
    man: float
    """Score of a pawn."""
    weights: NDArray[np.int64]
    """The evaluation's weights, in the format of its terms."""
    history: Marks
    """Hashes of the game's positions since the last irreversible move, the root's last."""
    past: NDArray[np.uint64]
    """Repetition keys of the game's positions before the root, if repetition is forbidden."""
    free: NDArray[np.int32]
    """(width + 1,): the first free block of each size, LEAF for none; ``first`` of its first node is the next one."""
    moves: NDArray[np.int64]
    """(nodes,): the move that leads to each node."""
    slots: NDArray[np.int16]
    """(nodes,): the move's history slot, by which RAVE recognises it."""
    first: NDArray[np.int32]
    """(nodes,): the first child, or LEAF or BUSY."""
    counts: NDArray[np.int32]
    """(nodes,): number of children, or FORBIDDEN_MOVE."""
    seats: NDArray[np.int8]
    """(nodes,): the seat to move in a node with children, or CHANCE."""
    visits: NDArray[np.int32]
    """(nodes,): playouts through the node, those under way included. They count as lost for the seat that chose the
    node until they end, so that threads choose different lines (virtual loss: G. Chaslot, M. Winands, J. van den Herik,
    Parallel Monte-Carlo tree search, 2008)."""
    totals: NDArray[np.int64]
    """(nodes,): sum of the playouts' values, in units, for the seat that chose the node; below chance nodes,
    and at the root, for seat 0."""
    priors: NDArray[np.float32]
    """(nodes,): prior probability of the move; below chance nodes the probability of the roll."""
    virtual_visits: NDArray[np.float32]
    """(nodes,): heuristic prior: number of virtual playouts."""
    virtual_totals: NDArray[np.float32]
    """(nodes,): heuristic prior: sum of the values of the virtual playouts, for the seat that chose the node."""
    low: NDArray[np.float32]
    """(nodes,): proved lower bound of the value for seat 0."""
    high: NDArray[np.float32]
    """(nodes,): proved upper bound."""
    rave_visits: NDArray[np.int32]
    """(nodes,): playouts through the parent in which its seat played the move now or later."""
    rave_totals: NDArray[np.int64]
    """(nodes,): sum of their values, in units."""


class Scratch(NamedTuple):
    """The buffers of one thread."""

    numbers: NDArray[np.uint64]
    """State of the random numbers; number of playouts."""
    row: NDArray[np.int64]
    """(width,): legal moves."""
    rows: NDArray[np.int64]
    """(ply, width): moves of the quiescence search."""
    merits: NDArray[np.float64]
    """(width,): scores of moves."""
    virtual: VirtualPlayouts
    """(width, 2): heuristic priors of moves."""
    marks: Marks
    """Hashes of the positions since the last irreversible move: the game's before the root, then those of the line."""
    path: NDArray[np.int32]
    """(ply,): the nodes of the line."""
    movers: NDArray[np.int8]
    """(ply,): the seats that move there."""
    keys: NDArray[np.uint64]
    """(ply,): repetition keys of the line, if repetition is forbidden."""
    played: NDArray[np.int16]
    """(ply,): slots of the moves of the playout."""
    players: NDArray[np.int8]
    """(ply,): the seats that made them."""
    owners: NDArray[np.int64]
    """(SLOTS,): the seat that made each move first, and in which playout."""


def new_tree(
    game: Game, evaluation: Evaluation, switches: TreeSwitch, parameters: TreeParameters, capacity: int
) -> Tree:
    """Return an empty tree for ``capacity`` nodes. Pages of the arrays that are not used take no memory.

    Raises ValueError like ``engine.walks.playout.room``.
    """
    rules = limits_of(game.draws)
    control = np.zeros(CELLS, np.int64)
    control[[SWITCHES, REPETITION, NO_PROGRESS]] = switches, rules.repetition, rules.no_progress_plies
    control[[PLIES, TERMS, WIN]] = rules.plies, evaluation.terms.number, evaluation.win
    control[FORBIDS] = game.draws.repetition == FORBIDDEN
    tree = Tree(
        control=control,
        parameters=TreeParameters(*map(float, parameters)),
        stakes=float(game.stakes),
        man=float(evaluation.points(1)),
        weights=evaluation.words(),
        history=room(rules),
        past=np.zeros(EARLIER, np.uint64),
        free=np.empty(game.width + 1, np.int32),
        moves=np.zeros(capacity, np.int64),
        slots=np.zeros(capacity, np.int16),
        first=np.zeros(capacity, np.int32),
        counts=np.zeros(capacity, np.int32),
        seats=np.zeros(capacity, np.int8),
        visits=np.zeros(capacity, np.int32),
        totals=np.zeros(capacity, np.int64),
        priors=np.zeros(capacity, np.float32),
        virtual_visits=np.zeros(capacity, np.float32),
        virtual_totals=np.zeros(capacity, np.float32),
        low=np.zeros(capacity, np.float32),
        high=np.zeros(capacity, np.float32),
        rave_visits=np.zeros(capacity, np.int32),
        rave_totals=np.zeros(capacity, np.int64),
    )
    empty(tree)
    return tree


def new_scratch(game: Game, seed: int) -> Scratch:
    """Return the buffers of a thread. Raises ValueError like ``engine.walks.playout.room``."""
    return Scratch(
        numbers=np.array([seed % 2**64, 0], np.uint64),
        row=np.zeros(game.width, np.int64),
        rows=np.zeros((SETTLED_PLIES + 1, game.width), np.int64),
        merits=np.zeros(game.width),
        virtual=np.zeros((game.width, 2)),
        marks=room(limits_of(game.draws)),
        path=np.zeros(PATH + 1, np.int32),
        movers=np.zeros(PATH + 1, np.int8),
        keys=np.zeros(PATH + 1, np.uint64),
        played=np.zeros(PLAYED, np.int16),
        players=np.zeros(PLAYED, np.int8),
        owners=np.zeros(SLOTS, np.int64),
    )


def empty(tree: Tree) -> None:
    """Remove all nodes except the root."""
    tree.free[:] = LEAF
    tree.control[[TOP, USED, LOCK, DEPTH]] = 1, 1, 0, 0
    tree.first[ROOT], tree.counts[ROOT] = LEAF, 0
    tree.visits[ROOT], tree.totals[ROOT], tree.low[ROOT], tree.high[ROOT] = 0, 0, 0.0, 1.0


@inlined
def put_free(tree: Tree, block: int, size: int) -> None:
    """Add a block to the free list of its size."""
    tree.first[block] = tree.free[size]
    tree.free[size] = block


@compiled
def take_block(size: int, loan: Any) -> int:
    """Return the first node of a block that was free; LEAF if memory is full, or another thread takes a block."""
    tree = borrowed(loan)
    control, free = tree.control, tree.free
    if not swapped_if(control, LOCK, 0, 1):
        return LEAF
    block, whole = free[size], size
    if block == LEAF:
        if control[TOP] + size <= len(tree.first):
            block = np.int32(control[TOP])
            control[TOP] += size
        else:
            # part of a larger block
            while whole < len(free) - 1 and block == LEAF:
                whole += 1
                block = free[whole]
            if block != LEAF:
                free[whole] = tree.first[block]
                put_free(tree, block + size, whole - size)
    else:
        free[size] = tree.first[block]
    if block != LEAF:
        control[USED] += size
    atomic_swap(control, LOCK, 0)
    return block


@compiled
def keep_below(node: int, chooser: int, tree: Tree) -> None:
    """Make a node the root, with its children, and free all other nodes. No search may run.

    ``chooser``: the seat that chose the node, or CHANCE.
    """
    tree = borrowed(tree)
    first, counts = tree.first, tree.counts
    old, old_count = first[ROOT], counts[ROOT]
    kept = first[node]
    for column in (first, counts, tree.visits):
        column[ROOT] = column[node]
    total = tree.totals[node]
    tree.totals[ROOT] = tree.visits[node] * UNIT - total if chooser == 1 else total
    tree.seats[ROOT] = tree.seats[node]
    tree.low[ROOT], tree.high[ROOT] = tree.low[node], tree.high[node]
    blocks, sizes = [old], [old_count]
    while len(blocks) > 0:
        block, size = blocks.pop(), sizes.pop()
        for child in range(block, block + size):
            if first[child] >= 0 and first[child] != kept:
                blocks.append(first[child])
                sizes.append(counts[child])
        tree.control[USED] -= size
        put_free(tree, block, size)
