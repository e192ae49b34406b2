# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiet positions of games: the features that an evaluation weighs, and how the games ended.

A position is quiet when nobody is threatened, quiescence search finds nothing better than to stand, and the move that
was played wins nothing at once. Moves of the opening are left out.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.series import number_of
from engine.evaluation import Evaluation
from engine.game import CHANCE, Game, Position, vector
from engine.hints.alphabeta import gain, threatened
from engine.kernel import compiled
from engine.match.ending import SCORES
from engine.match.record import PlayedMove, Record
from engine.search.alphabeta import quiesce
from engine.search.memory import LIMIT, NODES, SWITCHES, new_memory
from engine.search.switches import Switch
from engine.search.transposition import UNKNOWN, new_table

"""Of seat 0."""

ENOUGH = 10_000
"""Positions that quiescence search may visit until a position counts as unquiet."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions as rows of a sparse matrix: the features that are not zero, and what came of them."""

    starts: NDArray[np.int64]
    """(rows + 1): where each row begins in ``columns`` and ``values``, and where the last one ends."""
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    """Features divided by the terms' unit."""
    results: NDArray[np.float64]
    """Score of the seat to move at the end of the game: 1, 0.5 or 0."""
    searched: NDArray[np.float64]
    """Score of the mover's search, in the evaluation's points; NaN if it reported none."""
    games: NDArray[np.int64]
    """The number of the game each row is of."""

    def __len__(self) -> int:
        return len(self.results)

    @property
    def count(self) -> int:
        """Games that the rows are of."""
        return len(np.unique(self.games))

    def only(self, chosen: NDArray[np.bool_]) -> "Samples":
        """Return the rows that are chosen."""
        sizes = np.diff(self.starts)
        kept = np.repeat(chosen, sizes)
        starts = np.concatenate([[0], np.cumsum(sizes[chosen])])
        return Samples(
            starts,
            self.columns[kept],
            self.values[kept],
            self.results[chosen],
            self.searched[chosen],
            self.games[chosen],
        )

    def parted(self, every: int) -> tuple["Samples", "Samples"]:
        """Return the rows of the fit, and the rows of the held-out games."""
        held = self.games % every == every - 1
        return self.only(~held), self.only(held)


@compiled
def sharp(state: Any, move: int) -> bool:
    """Return whether a move has an immediate gain, or its mover is threatened."""
    return gain(state, move) > 0 or threatened(state)


@compiled
def features_of(state: Any, terms: int, out: Any, columns: Any) -> int:
    """Write the features of a state into ``out`` and the numbers of those that are not zero into ``columns``."""
    found = 0
    for i in range(vector(state, terms, out)):
        if out[i]:
            columns[found] = i
            found += 1
    return found


@dataclass
class Sampler:
    """Collects samples of one game's positions for one evaluation.

    ``most``: positions taken of a game, drawn by the seed. ``excluded``: keys of positions that are never taken.
    """

    game: Game
    evaluation: Evaluation
    seed: int = 0
    most: int = 16
    excluded: Set[int] = frozenset()
    count: int = 0
    """Games seen."""
    _columns: list[NDArray[np.int32]] = field(default_factory=list)
    _values: list[NDArray[np.float32]] = field(default_factory=list)
    _results: list[float] = field(default_factory=list)
    _searched: list[float] = field(default_factory=list)
    _games: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._memory = new_memory(self.game, self.evaluation, new_table(2))
        self._memory.control[LIMIT] = ENOUGH
        self._memory.control[SWITCHES] = Switch.CUTS | Switch.QUIESCENCE
        self._out, self._found = np.zeros((2, len(self.evaluation.weights)), np.int64)

    def __len__(self) -> int:
        return len(self._results)

    def add(self, record: Record) -> None:
        """Take positions of a game; one without a result, or of another game, is left out.

        Raises ValueError when a move is not legal.
        """
        if record.game != self.game.name or record.result not in SCORES:
            return
        score = SCORES[record.result][0]
        turns = list(self._turns(record))[len(record.opening) :]
        Random(number_of(self.seed, self.count)).shuffle(turns)
        taken = 0
        for position, move, played in turns:
            if taken < self.most and self._quiet(position, move):
                self._take(position)
                self._results.append(score if position.to_move == 0 else 1 - score)
                men = played.info.score if played.info else None
                self._searched.append(np.nan if men is None else self.evaluation.points(men))
                taken += 1
        self.count += 1

    def samples(self) -> Samples:
        """Return the collected samples. Raises ValueError if there are none."""
        if not self._results:
            raise ValueError(f"no quiet position of {self.game.name} was found in the games")
        return Samples(
            np.concatenate([[0], np.cumsum([len(columns) for columns in self._columns])]),
            np.concatenate(self._columns),
            np.concatenate(self._values),
            np.array(self._results),
            np.array(self._searched),
            np.array(self._games),
        )

    def _turns(self, record: Record) -> Iterator[tuple[Position, int, PlayedMove]]:
        """Yield each position of a game, the move that was made there, and its facts."""
        game = self.game
        position = game.look(game.start() if record.start is None else game.parse_position(record.start))
        for played in (*map(PlayedMove, record.opening), *record.moves):
            move = game.parse_move(position, played.move)
            yield position, move, played
            position = game.play(position, move)

    def _quiet(self, position: Position, move: int) -> bool:
        if position.to_move == CHANCE or position.key in self.excluded:
            return False
        if sharp(position.state, move):
            return False
        control = self._memory.control
        control[NODES] = 0
        value = quiesce(position.state, -UNKNOWN, UNKNOWN, 0, self._memory)
        return value == self.game.score(position.state, self.evaluation) and control[NODES] < control[LIMIT]

    def _take(self, position: Position) -> None:
        count = features_of(position.state, self.evaluation.terms.number, self._out, self._found)
        columns = self._found[:count]
        self._columns.append(columns.astype(np.int32))
        self._values.append((self._out[columns] / self.evaluation.terms.unit).astype(np.float32))
        self._games.append(self.count)
