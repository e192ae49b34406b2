# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixed opponents of evolved players, ``f-negascout-N`` and ``alpha-beta-N``: see ``engine.search.negascout``."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.evaluation import Evaluation
from engine.game import Game, Position
from engine.hints.alphabeta import SLOTS, threatened
from engine.kernel import implemented
from engine.search import SearchResult
from engine.search.memory import (
    ABORTED,
    FIRST_KILLER,
    LIMIT,
    NO_PROGRESS,
    NODES,
    PLIES,
    ROOT_DEPTH,
    SECOND_KILLER,
    SOONER,
    STANDS,
    SWITCHES,
    UNLIMITED,
    new_memory,
    write_history,
)
from engine.search.negascout import search_root
from engine.search.switches import ORDERING, Switch
from engine.search.transposition import new_table

NEGASCOUT, ALPHA_BETA = "f-negascout", "alpha-beta"
RIVALS = {NEGASCOUT: ORDERING | Switch.NULL_WINDOWS, ALPHA_BETA: Switch(0)}
"""The switches of each rival."""

EVALUATIONS = ("evochess", "lecture")
"""Default evaluations: the first of these that a game has, else the first in the game's own list."""


def default_evaluation(game: Game) -> Evaluation:
    """Return the evaluation whose weights evolve in a game, with its default weights."""
    for name in EVALUATIONS:
        if name in game.evaluations:
            return game.evaluations[name]
    return next(iter(game.evaluations.values()))


class Rival:
    """Plays one game after the other at a fixed depth; ``begin`` each. Not thread-safe."""

    def __init__(
        self,
        game: Game,
        depth: int,
        kind: str = NEGASCOUT,
        *,
        evaluation: Evaluation | None = None,
        most: int = UNLIMITED,
    ) -> None:
        """``most``: nodes of a search, which finds nothing beyond them. Raises KeyError for an unknown kind."""
        self.game = game
        self.depth = depth
        self.name = f"{kind}-{depth}"
        self.evaluation = evaluation or default_evaluation(game)
        memory = new_memory(game, self.evaluation, new_table(2))
        self._history = np.zeros((2, SLOTS), np.float64)
        # numba compiles the search for the types of the arrays
        floats: Any = {"order": np.zeros((PLIES, game.width), np.float64), "history": self._history}
        self._memory = memory._replace(**floats)
        control = memory.control
        control[[LIMIT, NO_PROGRESS]] = most, UNLIMITED
        control[[SOONER, ROOT_DEPTH]] = 1, 0  # a win is worth a point less for each ply from the root
        control[SWITCHES] = RIVALS[kind]
        control[STANDS] = implemented(threatened, game.state)
        self.begin()

    def begin(self) -> None:
        """Begin a game: forget those before."""
        self._history[:] = 0
        self.moves = 0
        self.nodes = 0

    def choose(self, position: Position, history: Sequence[int] = ()) -> SearchResult:
        """Search a position that is not over. ``history``: repetition keys of those before it that can come again.

        The result has depth 0 if the node limit ended the search.
        """
        began = time.monotonic()
        memory = self._memory
        control, path, line = memory.control, memory.path, memory.line
        control[[NODES, ABORTED]] = 0
        self._history *= 0.5
        path[:, [FIRST_KILLER, SECOND_KILLER]] = -1
        row = write_history(memory, history)
        line[0, 0] = -1
        value = int(search_root(self.game.pack(position.state), self.depth, row, memory))
        nodes = int(control[NODES])
        self.moves += 1
        self.nodes += nodes
        found = line[0].tolist()
        pv = tuple(found[: found.index(-1)]) or (position.moves[0],)
        depth = 0 if control[ABORTED] else self.depth
        return SearchResult(value if depth else 0, pv[0], pv, nodes, depth, time.monotonic() - began, ())
