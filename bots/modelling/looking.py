# SPDX-License-Identifier: GPL-3.0-or-later
"""One look at a position in which the player is to move: the legal moves, and what is to be known of each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bots.modelling.board import FACTS, Cells, courses, spread_out, weigh
from bots.modelling.habits import phase
from bots.modelling.replay import Memory, Ply, remember
from bots.modelling.templates import CELLS, Templates
from engine.game import Game, Position


@dataclass(frozen=True, slots=True)
class Look:
    """A position as a model sees it; rows are legal moves, in the order of the rules."""

    position: Position
    moves: NDArray[np.int64]
    before: Cells
    """The player's men."""
    after: NDArray[np.int8]
    """(moves, 64): after each move."""
    spans: NDArray[np.int64]
    """(moves, 3): origin, target and kind."""
    number: int
    """Of the player's move, from 1."""
    phase: int


class Looker:
    """Looks at positions of a game."""

    def __init__(self, game: Game, templates: Templates) -> None:
        self.game = game
        self._templates = templates
        self._moves, self._scratch = np.empty((2, game.width), np.int64)
        self._after = np.zeros((game.width, CELLS), np.int8)
        self._facts = np.zeros((game.width, FACTS))
        self._spans = np.zeros((game.width, 3), np.int64)
        self._before = np.zeros(CELLS, np.int8)
        spread_out(game.start(), self._moves, self._before, self._after)
        self._men = int(np.count_nonzero(self._before))

    def look(self, position: Position, ply: int) -> Look:
        """Look at a position."""
        count = spread_out(position.state, self._moves, self._before, self._after)
        courses(self._before, self._after, count, self._spans)
        return Look(
            position,
            self._moves[:count].copy(),
            self._before.copy(),
            self._after[:count].copy(),
            self._spans[:count].copy(),
            ply // 2 + 1,
            phase(int(np.count_nonzero(self._before)), self._men),
        )

    def facts(self, look: Look) -> NDArray[np.float64]:
        """Return what is told of each move; see ``bots.modelling.board``."""
        count = len(look.moves)
        weigh(look.position.state, look.moves, count, self._facts, self._scratch)
        return self._facts[:count].copy()

    def memory(self, past: Sequence[Ply]) -> Memory:
        """Return what is remembered of the last plies."""
        return remember(self._templates, past)
