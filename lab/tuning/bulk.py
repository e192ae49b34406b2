# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of positions by the million: their features are found in compiled code, file after file."""

from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from typing import Any

import numpy as np
from numba import njit
from numba.np.unsafe.ndarray import to_fixed_tuple
from numpy.typing import NDArray

from engine.evaluation import Evaluation
from engine.game import Game, key
from lab.tuning.fit import best_scale, fit_scale
from lab.tuning.positions import Positions
from lab.tuning.samples import Samples, features_of

LOST = 30.0
"""Men: positions where anybody is said to be further ahead tell nothing of features."""


def samples(
    game: Game,
    evaluation: Evaluation,
    parts: Iterator[Positions],
    excluded: Set[int] = frozenset(),
    player: Evaluation | None = None,
) -> Samples:
    """Return the quiet positions of some parts as samples; none of those with ``excluded`` keys.

    What the search of another ``player`` said is translated: into what the evaluation says where as much is expected.
    Raises ValueError when there are none, or the game's states are not made of boards alone.
    """
    keys_of, find = _compiled(game)
    banned = np.array([mark % 2**64 for mark in excluded], np.uint64)
    far = (player or evaluation).points(LOST)
    number = evaluation.terms.number
    out, found = np.zeros((2, len(evaluation.weights)), np.int64)
    chosen: list[Samples] = []
    for part in parts:
        part = part.only(part.quiet & (np.abs(part.searched) < far))
        if len(banned):
            part = part.only(~np.isin(keys_of(part.states), banned))
        starts = np.zeros(len(part) + 1, np.int64)
        nothing = np.empty(0, np.int32), np.empty(0, np.float32)
        size = find(part.states, number, out, found, starts, *nothing)
        columns, values = np.empty(size, np.int32), np.empty(size, np.float32)
        find(part.states, number, out, found, starts, columns, values)
        values /= evaluation.terms.unit
        results, searched = part.results.astype(np.float64), part.searched.astype(np.float64)
        chosen.append(Samples(starts, columns, values, results, searched, part.games.astype(np.int64)))
    if not sum(map(len, chosen)):
        raise ValueError(f"no quiet position of {game.name} was found in the games")
    found_all = _joined(chosen)
    return found_all if player in (None, evaluation) else _translated(found_all, evaluation)


def _translated(samples: Samples, evaluation: Evaluation) -> Samples:
    own = fit_scale(samples, np.array(evaluation.weights, np.float64))
    return replace(samples, searched=samples.searched * (own / best_scale(samples.searched, samples.results)))


def _joined(parts: list[Samples]) -> Samples:
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    return Samples(
        np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]),
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.results for part in parts]),
        np.concatenate([part.searched for part in parts]),
        np.concatenate([part.games for part in parts]),
    )


def _compiled(game: Game) -> tuple[Callable[[NDArray[np.uint64]], NDArray[np.uint64]], Callable[..., int]]:
    """Return what finds the keys of states, and their features."""
    kind: Any = game.state
    start: tuple[Any, ...] = game.pack(game.start())
    fields = len(start)
    if any(type(value) is not np.uint64 for value in start):
        raise ValueError(f"states of {game.name} are not made of boards alone")

    @njit(error_model="numpy")
    def keys_of(states: Any) -> Any:
        keys = np.empty(len(states), np.uint64)
        for row in range(len(states)):
            keys[row] = np.uint64(key(kind(*to_fixed_tuple(states[row], fields))))
        return keys

    @njit(error_model="numpy")
    def find(states: Any, terms: int, out: Any, found: Any, starts: Any, columns: Any, values: Any) -> int:
        """Write where each row's features begin; and the features, where there is room for them."""
        size = 0
        for row in range(len(states)):
            count = features_of(kind(*to_fixed_tuple(states[row], fields)), terms, out, found)
            if size + count <= len(columns):
                for i in range(count):
                    columns[size + i] = found[i]
                    values[size + i] = out[found[i]]
            size += count
            starts[row + 1] = size
        return size

    return keys_of, find
