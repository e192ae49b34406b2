# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search says of every legal move, not of the best alone: to weigh beside what a player likes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.buffers import borrowed, lent
from engine.evaluation import Evaluation
from engine.game import Game, Position, State, key, step, threatened, to_move
from engine.kernel import compiled
from engine.search import Limits, Searcher
from engine.search.memory import EXCLUDED, KEY, LIMIT, PRESSED, ROOT_DEPTH, UNLIMITED, Memory
from engine.search.play.frame import search
from engine.search.play.positions import pass_on
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
        pass_on(state, child, row, move, threatened(child), memory)
        path[row + 1, EXCLUDED] = -1
        value: Any = search(child, depth - 1, -UNKNOWN, UNKNOWN, np.int64(1), row + 1, loan)
        out[i] = value if to_move(child) == seat else -value


class Judge(Searcher):
    """A searcher that values all moves."""

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
