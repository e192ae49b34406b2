# SPDX-License-Identifier: GPL-3.0-or-later
"""Game trees from nested lists, so that textbook examples run through the same searches.

``from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])`` is a root where seat 0 (MAX) moves, with three children where seat 1
(MIN) moves. A number is the payoff of a finished game for seat 0; seat 1 gets its negative. ``Dice`` is a chance node;
it does not change the seat to move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.drawing import Board, Piece
from engine.evaluation import Evaluation
from engine.game import CHANCE, Game, Moves, State, irreversible, key, legal_moves, odds, outcome, step, to_move
from engine.hints.alphabeta import slot
from engine.kernel import implements
from engine.time_control import TimeControl

Nested: TypeAlias = "float | Sequence[Nested] | Dice"
"""A leaf's payoff for seat 0, or a node's children."""


@dataclass(frozen=True, slots=True)
class Dice:
    """A chance node: its children with their relative frequencies."""

    faces: tuple[tuple[int, Nested], ...]


class Tree(NamedTuple):
    """A node and its tree: nodes by number; the children of a node have consecutive numbers."""

    node: int
    first: NDArray[np.int64]
    """The first child of each node."""
    children: NDArray[np.int64]
    """Number of children of each node."""
    seats: NDArray[np.int64]
    odds: NDArray[np.int64]
    """Relative frequency of each node below a chance node."""
    values: NDArray[np.float64]
    """Payoff of seat 0 at each leaf."""


@implements(to_move, Tree)
def _to_move(state: State) -> int:
    return state.seats[state.node]


@implements(legal_moves, Tree)
def _legal_moves(state: State, out: Moves) -> int:
    count = state.children[state.node]
    for child in range(count):
        out[child] = child
    return count


@implements(step, Tree)
def _step(state: State, move: int) -> Tree:
    return Tree(state.first[state.node] + move, state.first, state.children, state.seats, state.odds, state.values)


@implements(odds, Tree)
def _odds(state: State, move: int) -> int:
    return state.odds[state.first[state.node] + move]


@implements(outcome, Tree)
def _outcome(state: State) -> tuple[bool, float, float]:
    value = state.values[state.node]
    return state.children[state.node] == 0, value, -value


@implements(key, Tree)
def _key(state: State) -> np.uint64:
    """Spread the node's number (Fibonacci hashing)."""
    return np.uint64(state.node + 1) * np.uint64(0x9E3779B97F4A7C15)


@implements(irreversible, Tree)
def _irreversible(state: State, move: int) -> bool:
    return True


@implements(slot, Tree)
def _slot(state: State, move: int) -> int:
    return (state.first[state.node] + move) & 4095


def _below(node: Nested) -> list[tuple[int, Nested]]:
    """Return a node's children with their odds. Raises ValueError if an inner node has none."""
    if isinstance(node, Dice):
        children = list(node.faces)
    elif isinstance(node, Sequence):
        children = [(1, child) for child in node]
    else:
        return []
    if not children:
        raise ValueError("a node of a tree has children; a leaf is a number")
    if min(often for often, _ in children) < 1:
        raise ValueError("the odds of a child must be 1 or more")
    return children


def _flatten(nested: Nested) -> tuple[Tree, list[int]]:
    """Return the root and each node's parent (-1 for the root); nodes are numbered breadth first."""
    nodes: list[Nested] = [nested]
    parents, movers, often = [-1], [0], [1]
    seats, first, children, values = [], [], [], []
    for number, node in enumerate(nodes):  # grows during the loop
        below, mover = _below(node), movers[number]
        dice = isinstance(node, Dice)
        seats.append(CHANCE if dice else mover)
        first.append(len(nodes))
        children.append(len(below))
        values.append(float(node) if isinstance(node, int | float) else 0.0)
        nodes.extend(child for _, child in below)
        often.extend(face for face, _ in below)
        parents.extend([number] * len(below))
        movers.extend([mover if dice else 1 - mover] * len(below))
    root = Tree(0, np.array(first), np.array(children), np.array(seats), np.array(often), np.array(values))
    return root, parents


def from_lists(nested: Nested, name: str = "tree") -> Game:
    """Return the game of a tree; searches return the payoffs of the lists.

    A position is written as its path, "root" or "2.1" (first child of the second child); a move as the child's number,
    from 1. Raises ValueError if a node has no children.
    """
    root, parents = _flatten(nested)
    letters = {0: "^", 1: "v", CHANCE: "o"}

    def at(node: int) -> Tree:
        return root._replace(node=node)

    def parse_position(text: str) -> Tree:
        node = 0
        for part in [] if text == "root" else text.split("."):
            if not part.isdecimal() or not 1 <= int(part) <= root.children[node]:
                raise ValueError(f"{text[:80]!r} is not a path in this tree; write one like 2.1, or root")
            node = int(root.first[node]) + int(part) - 1
        return at(node)

    def format_position(state: State) -> str:
        parts: list[str] = []
        node = int(state.node)
        while node:
            parent = parents[node]
            parts.insert(0, str(node - int(root.first[parent]) + 1))
            node = parent
        return ".".join(parts) or "root"

    return Game(
        name=name,
        title="Tree",
        state=Tree,
        start=lambda: at(0),
        parse_position=parse_position,
        format_position=format_position,
        format_move=lambda state, move: str(move + 1),
        diagram=lambda state: letters[int(root.seats[state.node])],
        squares=lambda state, move: (0,),
        board=Board(
            1,
            1,
            "grid",
            {"^": Piece("MAX", "token", 0), "v": Piece("MIN", "token", 1), "o": Piece("dice", "token", None)},
        ),
        width=max(int(root.children.max()), 1),
        evaluations={"payoff": Evaluation("payoff", (0,), "the leaf's value", win=1, sooner=0)},
        time_control=TimeControl(10_000),
        seats=("MAX", "MIN"),
        playable=False,
        chance=CHANCE in root.seats,
        stakes=float(np.abs(root.values).max()),
    )


GAMES: list[Game] = []
"""Empty: trees are created by ``from_lists``."""
