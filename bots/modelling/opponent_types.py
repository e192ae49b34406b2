# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent types: searches of some depth and evaluation that explain a player's moves.

D. Carmel and S. Markovitch ("Learning models of opponent's strategy in game playing", 1993) learn an opponent's search
depth and evaluation from examples. Here a type is a search of some plies with one of the game's evaluations, with or
without quiescence search. It names the moves that it considers best. The weight of each type is fitted to the player's
choices, beside the probabilities that are known without types; a type that explains nothing gets no weight.
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
"""Average number of nodes per position that the search of a type may visit."""

MOST = 3
"""Largest number of selected types."""

TRIED = 300
"""Number of the newest positions by which types are selected."""

TELLING = 10.0
"""A type is selected if it raises the log-likelihood of the choices by this many nats. The bound is high because some
dozens of types are tried, and one of them fits by chance."""

PULL = 1.0
"""Strength of the pull of types' weights towards zero."""


class OpponentType(NamedTuple):
    """A search that a player may use."""

    evaluation: str
    extends: bool
    """Whether it has quiescence search."""
    depth: int
    """In plies."""

    def __str__(self) -> str:
        return f"{self.depth} plies by {self.evaluation}{' and beyond' if self.extends else ''}"


class Choice(NamedTuple):
    """A position with the player's choice."""

    position: Position
    probabilities: Floats
    """Of the legal moves, without types."""
    chosen: int
    """The place of the player's move among the legal ones."""


class Reader(Searcher):
    """Finds the moves that a type considers best."""

    def __init__(self, game: Game, evaluation: str | Evaluation | None, extends: bool) -> None:
        super().__init__(game, "advanced", evaluation, quiescence=extends, table_bits=14)
        self.visited: list[int] = []
        """Nodes of the depths of the last call of ``best``, added up."""

    def best(self, position: Position, deepest: int) -> list[NDArray[np.bool_]]:
        """Return a mask of the best legal moves for depths 1, 2, ..., as far as nodes allow."""
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
    """Search every root move to a depth; write values for the seat to move, bounds for moves below the best."""
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
        # one point below the best value, so that equally good moves are recognised
        low = max(low, out[i] - 1)


@dataclass
class _Kind:
    """All types of one evaluation and one way to end."""

    evaluation: str
    extends: bool
    reader: Reader


class Types:
    """Selects the types that explain a player's choices. Not thread-safe."""

    def __init__(self, game: Game, evaluations: Sequence[str]) -> None:
        """``evaluations``: those of the types."""
        self.game = game
        self._kinds = [
            _Kind(name, extends, Reader(game, name, extends)) for name in evaluations for extends in (False, True)
        ]
        self.selected: tuple[OpponentType, ...] = ()
        """The selected types, the most informative first."""
        self.weights: Floats = np.ones(1)
        """The weight of the logarithm of the given probabilities, then those of the selected types."""

    def learn(self, choices: Sequence[Choice]) -> None:
        """Select types by a player's choices, and fit their weights."""
        choices = [one for one in choices if len(one.position.moves) > 1][-TRIED:]
        self.selected, self.weights = (), np.ones(1)
        if not choices:
            return
        columns = self._tried([one.position for one in choices])
        probabilities = [np.log(np.maximum(one.probabilities, 1e-6))[:, None] for one in choices]
        chosen = [one.chosen for one in choices]
        best, loss = self.weights, _loss(probabilities, chosen, self.weights)
        while len(self.selected) < MOST:
            found = []
            for kind in columns.keys() - set(self.selected):
                rows = [np.column_stack([*parts]) for parts in zip(probabilities, columns[kind], strict=True)]
                weights = Choices.of(rows, chosen).fit(np.ones(rows[0].shape[1], bool), np.append(best, 0.0), PULL)
                # a negative weight would mean that the player avoids the best moves of the type
                if weights[-1] > 0:
                    found.append((_loss(rows, chosen, weights), kind, weights, rows))
            if not found:
                break
            lower, kind, weights, rows = min(found, key=lambda one: (one[0], one[1]))
            if lower > loss - TELLING / len(choices):
                break
            self.selected = (*self.selected, kind)
            best, loss, probabilities = weights, lower, rows
        self.weights = best

    def _tried(self, positions: Sequence[Position]) -> dict[OpponentType, list[Floats]]:
        """Return the best moves of each type within the node limit, as 1 and 0."""
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

    def probabilities(self, position: Position, probabilities: Floats) -> Floats:
        """Return the probabilities of the legal moves after the selected types are taken into account."""
        columns = [np.log(np.maximum(probabilities, 1e-6))]
        for one in self.selected:
            kind = next(kind for kind in self._kinds if (kind.evaluation, kind.extends) == one[:2])
            words = kind.reader.best(position, one.depth)
            columns.append(
                words[one.depth - 1].astype(np.float64) if len(words) == one.depth else np.zeros(len(probabilities))
            )
        return softmax(np.column_stack(columns) @ self.weights)

    def practise(self) -> None:
        """Compile the searches of the types."""
        position = self.game.look(self.game.start())
        for kind in self._kinds:
            kind.reader.search(position.state, Limits(depth=1))
            kind.reader.best(position, 1)


def _loss(rows: Sequence[Floats], chosen: Sequence[int], weights: Floats) -> float:
    """Return the mean logarithmic loss in nats."""
    return float(np.mean([-np.log(softmax(each @ weights)[place]) for each, place in zip(rows, chosen, strict=True)]))
