# SPDX-License-Identifier: GPL-3.0-or-later
"""Which type of player somebody is: what it looks at, and how deep, told by its moves.

D. Carmel and S. Markovitch ("Learning models of opponent's strategy in game playing", 1993) learn from examples how
deep an opponent searches and what it takes positions to be worth. Here the types are searches of so many plies with one
evaluation or another of the game, with or without quiescence search; each names the moves that it holds for best. How
much the word of each type counts is fitted, beside what is believed already, to the player's choices: types that tell
nothing of them count for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.modelling.logit import Choices, Floats, softmax
from engine.evaluation import Evaluation
from engine.game import Game, Position, State, step, to_move
from engine.kernel import compiled
from engine.search import Limits, Searcher
from engine.search.alphabeta import search
from engine.search.memory import ABORTED, LIMIT, NODES, STOP, Memory
from engine.search.transposition import UNKNOWN

DEEPEST = 6
"""Plies of the deepest type."""

AFFORDABLE = 10_000
"""Positions that finding out the choices of a type may visit, in the mean of the positions that it is tried on."""

MOST = 3
"""Types that are heeded at once."""

TRIED = 300
"""Positions that types are chosen by, the latest ones."""

TELLING = 10.0
"""Nats by which a type must make the choices likelier to be heeded: some dozens are tried, and one fits by chance."""

PULL = 1.0
"""How strongly weights are drawn to counting the types for nothing: they are few."""


class OpponentType(NamedTuple):
    """Somebody who searches."""

    evaluation: str
    extends: bool
    """Searches on where moves win something at once."""
    depth: int
    """In plies."""

    def __str__(self) -> str:
        return f"{self.depth} plies by {self.evaluation}{' and beyond' if self.extends else ''}"


class Choice(NamedTuple):
    """A position with what the player chose there."""

    position: Position
    beliefs: Floats
    """What is believed of the legal moves without types."""
    chosen: int
    """The place of the player's move among the legal ones."""


class Reader(Searcher):
    """Finds out which moves a type holds for best."""

    def __init__(self, game: Game, evaluation: str | Evaluation | None, extends: bool) -> None:
        super().__init__(game, "advanced", evaluation, quiescence=extends, table_bits=14)
        self.visited: list[int] = []
        """Positions that the depths of the last call of ``best`` took, each with those before it."""

    def best(self, position: Position, deepest: int) -> list[NDArray[np.bool_]]:
        """Return for depths 1, 2, ... which of the legal moves are best; for less of them where that takes too long."""
        count = len(position.moves)
        self._prepare(position.moves, ())
        control = self._memory.control
        control[LIMIT] = 4 * AFFORDABLE
        found: list[NDArray[np.bool_]] = []
        self.visited = []
        out = np.zeros(count, np.int64)
        for depth in range(1, deepest + 1):
            control[[ABORTED, STOP]] = 0
            best_of(position.state, depth, count, self._row, self._memory, out)
            if control[ABORTED]:
                break
            found.append(out == out.max())
            self.visited.append(int(control[NODES]))
        return found


@compiled
def best_of(state: State, depth: int, count: int, row: int, memory: Memory, out: NDArray[np.int64]) -> None:
    """Search every root move to a depth; write the values for the seat to move, those below the best as bounds."""
    seat = to_move(state)
    low = -np.int64(UNKNOWN)
    high = np.int64(UNKNOWN)
    for i in range(count):
        child = step(state, memory.moves[0, i])
        same = to_move(child) == seat
        value: Any = search(
            child, depth - 1, low if same else -high, high if same else -low, np.int64(1), row + 1, memory
        )
        out[i] = value if same else -value
        # a point below the best, so that what is as good as that is seen to be
        low = max(low, out[i] - 1)


@dataclass
class _Kind:
    """All types of one evaluation and one way to end."""

    evaluation: str
    extends: bool
    reader: Reader


class Types:
    """The types that a player may be of. Not thread-safe."""

    def __init__(self, game: Game, evaluations: Sequence[str]) -> None:
        """``evaluations``: those that types judge by."""
        self.game = game
        self._kinds = [
            _Kind(name, extends, Reader(game, name, extends)) for name in evaluations for extends in (False, True)
        ]
        self.heeded: tuple[OpponentType, ...] = ()
        """The types that count, the most telling first,"""
        self.weights: Floats = np.ones(1)
        """and by how much, after that of the beliefs."""

    def learn(self, choices: Sequence[Choice]) -> None:
        """Find out which types tell something of a player's choices, and how much."""
        choices = [one for one in choices if len(one.position.moves) > 1][-TRIED:]
        self.heeded, self.weights = (), np.ones(1)
        if not choices:
            return
        columns = self._tried([one.position for one in choices])
        beliefs = [np.log(np.maximum(one.beliefs, 1e-6))[:, None] for one in choices]
        chosen = [one.chosen for one in choices]
        best, loss = self.weights, _loss(beliefs, chosen, self.weights)
        while len(self.heeded) < MOST:
            found = []
            for kind in columns.keys() - set(self.heeded):
                rows = [np.column_stack([*parts]) for parts in zip(beliefs, columns[kind], strict=True)]
                weights = Choices.of(rows, chosen).fit(np.ones(rows[0].shape[1], bool), np.append(best, 0.0), PULL)
                # who avoids what a type holds for best is of another type
                if weights[-1] > 0:
                    found.append((_loss(rows, chosen, weights), kind, weights, rows))
            if not found:
                break
            lower, kind, weights, rows = min(found, key=lambda one: (one[0], one[1]))
            if lower > loss - TELLING / len(choices):
                break
            self.heeded = (*self.heeded, kind)
            best, loss, beliefs = weights, lower, rows
        self.weights = best

    def _tried(self, positions: Sequence[Position]) -> dict[OpponentType, list[Floats]]:
        """Return the word of each type that can be afforded."""
        found: dict[OpponentType, list[Floats]] = {}
        for kind in self._kinds:
            deepest = DEEPEST
            cost = np.zeros(DEEPEST)
            words: list[list[NDArray[np.bool_]]] = []
            for number, position in enumerate(positions, 1):
                words.append(kind.reader.best(position, deepest))
                reached = len(words[-1])
                cost[:reached] += kind.reader.visited
                cost[reached:] += 4 * AFFORDABLE
                while number >= 10 and deepest > 1 and cost[deepest - 1] > number * AFFORDABLE:
                    deepest -= 1
            for depth in range(1, deepest + 1):
                found[OpponentType(kind.evaluation, kind.extends, depth)] = [
                    word[depth - 1].astype(np.float64) if len(word) >= depth else np.zeros(len(position.moves))
                    for word, position in zip(words, positions, strict=True)
                ]
        return found

    def believe(self, position: Position, beliefs: Floats) -> Floats:
        """Return the probabilities of the legal moves, by beliefs and the word of the types that count."""
        columns = [np.log(np.maximum(beliefs, 1e-6))]
        for one in self.heeded:
            kind = next(kind for kind in self._kinds if (kind.evaluation, kind.extends) == one[:2])
            words = kind.reader.best(position, one.depth)
            columns.append(
                words[one.depth - 1].astype(np.float64) if len(words) == one.depth else np.zeros(len(beliefs))
            )
        return softmax(np.column_stack(columns) @ self.weights)

    def practise(self) -> None:
        """Compile what types need."""
        position = self.game.look(self.game.start())
        for kind in self._kinds:
            kind.reader.search(position.state, Limits(depth=1))
            kind.reader.best(position, 1)


def _loss(rows: Sequence[Floats], chosen: Sequence[int], weights: Floats) -> float:
    """Return the mean logarithmic loss in nats."""
    return float(np.mean([-np.log(softmax(each @ weights)[place]) for each, place in zip(rows, chosen, strict=True)]))
