# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model of a player is held against: readings of a position that name one move, or none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.modelling.logit import Floats
from bots.modelling.model import View
from bots.modelling.replay import Turn
from engine.game import Game, Moves, gain
from engine.kernel import compiled
from engine.search import Limits, Searcher
from lab.studies.judge import Judge

SEARCH = "alpha-beta depth 4"

DEPTH = 4
"""Plies of the search whose choice is a baseline."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What searches may cost that a blended reading weighs."""

    depth: int = 2
    """At which all moves are valued."""
    nodes: int = 10_000
    """Of the search that chooses one; 0: searches are for baselines alone, nothing is blended."""


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
    """What the player did most often in this position, or else made most often of the times that it could."""
    seen = view.habits.seen(turn.position.key)
    if seen:
        text = max(seen, key=lambda one: (seen[one], one))
        if text in view.texts:
            return view.texts.index(text)
    own, _ = view.habits.rates(view.look.spans, view.look.phase)
    return int(own.argmax())


def capture(view: View, turn: Turn, oracle: Oracle) -> int:
    """The capture that wins most at once, one that takes back before others; none where nothing can be taken."""
    gains = np.zeros(len(view.texts), np.int64)
    gains_of(turn.position.state, view.look.moves, gains)
    back = (view.look.spans[:, 1] == view.memory.arrived) & view.memory.struck
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
