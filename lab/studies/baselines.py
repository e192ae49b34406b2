# SPDX-License-Identifier: GPL-3.0-or-later
"""Baselines for opponent models: predictions of one move, and searches that value every legal move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.modelling.logit import Floats
from bots.modelling.model import View
from bots.modelling.replay import Turn
from engine.evaluation import Evaluation
from engine.game import Game, Moves, Position, State, key, step, to_move
from engine.hints.alphabeta import gain, threatened
from engine.kernel import compiled
from engine.native.buffers import borrowed, lent
from engine.search import Limits, Searcher
from engine.search.memory import EXCLUDED, KEY, LIMIT, PRESSED, ROOT_DEPTH, UNLIMITED, Memory
from engine.search.selective.positions import enter_child
from engine.search.selective.search import search
from engine.search.transposition import UNKNOWN


@compiled
def values_of(state: State, depth: int, count: int, row: int, memory: Memory, out: NDArray[np.int64]) -> None:
    """Search every root move to a depth with a full window; write the values for the seat to move."""
    path = memory.path
    path[row, KEY] = np.int64(key(state))
    path[row, PRESSED] = threatened(state)
    seat = to_move(state)
    loan = lent(borrowed(memory))
    for i in range(count):
        move = memory.moves[0, i]
        child = step(state, move)
        enter_child(state, child, row, move, threatened(child), memory)
        path[row + 1, EXCLUDED] = -1
        value: Any = search(child, depth - 1, -UNKNOWN, UNKNOWN, np.int64(1), row + 1, loan)
        out[i] = value if to_move(child) == seat else -value


class Judge(Searcher):
    """A searcher that values all legal moves."""

    def __init__(self, game: Game, evaluation: str | Evaluation | None = None, *, table_bits: int = 16) -> None:
        super().__init__(game, "play", evaluation, table_bits=table_bits)

    def values(self, position: Position, depth: int, history: Sequence[int] = ()) -> NDArray[np.float64]:
        """Return what each legal move is worth to the seat to move, in men, by searches of 1 to ``depth`` plies."""
        count = len(position.moves)
        self._prepare(position.moves, history)
        control = self._memory.control
        control[LIMIT] = UNLIMITED
        out = np.zeros(count, np.int64)
        for deep in range(1, depth + 1):
            control[ROOT_DEPTH] = deep
            values_of(position.state, deep, count, self._row, self._memory, out)
        return out / self.evaluation.points(1)

    def choice(self, position: Position, limits: Limits, history: Sequence[int] = ()) -> int:
        """Return the place of the best move among the legal ones."""
        found = self.search(position.state, limits, history=history)
        assert found.move is not None, "the game is not over"
        return position.moves.index(found.move)


SEARCH = "alpha-beta depth 4"

DEPTH = 4
"""Depth of the search whose choice is a baseline."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of the searches of a blended reading."""

    depth: int = 2
    """Depth at which all moves are valued."""
    nodes: int = 10_000
    """Nodes of the search that chooses a move; 0: searches are for baselines alone."""


class Oracle:
    """Searches positions, each once, for baselines and blended readings."""

    def __init__(self, game: Game, evaluation: str | None, effort: Effort | None) -> None:
        """``effort``: None for no searches at all."""
        self.game = game
        self.searches = effort is not None
        self.blends = effort is not None and effort.nodes > 0
        self._effort = effort or Effort()
        self._judge = Judge(game, evaluation)
        self._deep = Searcher(game, "play", evaluation, table_bits=16)
        self._plain = Searcher(game, "advanced", evaluation, quiescence=True, table_bits=16)
        self._judged: dict[int, tuple[Floats, int]] = {}
        self._chosen: dict[int, int] = {}

    def judged(self, turn: Turn) -> tuple[Floats | None, int]:
        """Return the values of all moves, and the place of the one that a deeper search chooses."""
        if not self.blends:
            return None, -1
        key = turn.position.key
        if key not in self._judged:
            values = self._judge.values(turn.position, self._effort.depth)
            found = self._deep.search(turn.position.state, Limits(nodes=self._effort.nodes))
            assert found.move is not None, "the game is not over"
            self._judged[key] = values, turn.position.moves.index(found.move)
        return self._judged[key]

    def chosen(self, turn: Turn) -> int:
        """Return the place of the move that alpha-beta chooses at the baseline's depth, quiescence search behind it."""
        key = turn.position.key
        if key not in self._chosen:
            found = self._plain.search(turn.position.state, Limits(depth=DEPTH))
            assert found.move is not None, "the game is not over"
            self._chosen[key] = turn.position.moves.index(found.move)
        return self._chosen[key]


def uniform(view: View, turn: Turn, oracle: Oracle) -> int:
    """Every move alike."""
    return -1


def frequent(view: View, turn: Turn, oracle: Oracle) -> int:
    """The player's most frequent move in this position, or else the move of the highest rate."""
    seen = view.frequencies.seen(turn.position.key)
    if seen:
        text = max(seen, key=lambda one: (seen[one], one))
        if text in view.texts:
            return view.texts.index(text)
    own, _ = view.frequencies.rates(view.legal.spans, view.legal.phase)
    return int(own.argmax())


def capture(view: View, turn: Turn, oracle: Oracle) -> int:
    """The capture that wins most at once, one that takes back before others; none where nothing can be taken."""
    gains = np.zeros(len(view.texts), np.int64)
    gains_of(turn.position.state, view.legal.moves, gains)
    back = (view.legal.spans[:, 1] == view.memory.arrived) & view.memory.struck
    best = int((gains + 10_000 * (back & (gains > 0))).argmax())
    return best if gains[best] > 0 else -1


def searched(view: View, turn: Turn, oracle: Oracle) -> int:
    """The choice of alpha-beta at depth 4."""
    return oracle.chosen(turn)


BASELINES: Mapping[str, Callable[[View, Turn, Oracle], int]] = {
    "uniform": uniform,
    "most frequent": frequent,
    "capture": capture,
    SEARCH: searched,
}
"""By name; the last one searches."""


@compiled
def gains_of(state: Any, moves: Moves, out: NDArray[np.int64]) -> None:
    """Write what each move wins at once."""
    for i in range(len(moves)):
        out[i] = gain(state, moves[i])
