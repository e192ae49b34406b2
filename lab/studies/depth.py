# SPDX-License-Identifier: GPL-3.0-or-later
"""The depth that a search gains at equal nodes when it knows the opponent's prior.

In later games of a player, the search runs where the opponent was to move. It has one root move, the played one, and
the player's answers follow it. Depth has two measures: *nominal*, the depth of the last finished iteration, and *of
the answer*, the depth of the player's actual answer. Reductions increase the first by themselves, for any player;
therefore a control gives the same priors to other moves.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.rating.difference import NORMAL_95
from bots.modelling.prior import MovePrior
from bots.modelling.replay import Replay
from engine.game import Game, State
from engine.search import ALGORITHMS, INEXACT, Limits, Searcher, Switch
from engine.search.driver import MODEL_SALT
from engine.search.selective.table import ABSENT, recall

USES = Switch.PROBABLE_FIRST | Switch.IMPROBABLE_REDUCTIONS
"""The measured switches. Extensions of probable moves are left out, because they cost more depth than they gain."""

FRAMES = {
    "alpha-beta": ALGORITHMS["play"].switches & ~INEXACT | Switch.QUIESCENCE,
    "play": ALGORITHMS["play"].switches,
}
"""Base searchers for the comparison: one without pruning, and one with all pruning."""

TABLE_BITS = 18
OPENING = 16
"""Plies at the start of a game that are not measured, because players know openings by heart."""


class RootMoveSearcher(Searcher):
    """A searcher with one move at the root."""

    def line(self, state: State, move: int, limits: Limits) -> int:
        """Search one move, and return the depth of the last finished iteration."""
        self._only = move
        return self.search(state, limits).depth

    def _prepare(self, moves: Sequence[int], history: Sequence[int]) -> None:
        super()._prepare([self._only], history)

    def kept(self, key: int) -> int:
        """Return how deep a position was searched that the last search came to; 0 where the table has lost it."""
        told = bool(self._memory.opponent.move_rates.shape[1] > 1)
        word = np.array([(key % 2**64) ^ (MODEL_SALT if told else 0)], np.uint64).view(np.int64)[0]
        entry = recall(self._memory.table, word)
        return 0 if entry.bound == ABSENT else int(entry.depth)


@dataclass(frozen=True, slots=True)
class Gain:
    """By which share greater a mean is than another one over the same positions, with its 95 % interval."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Depths:
    """Mean depths in plies over some positions: without priors, with priors, and with misassigned priors; and the gains
    over no priors.
    """

    frame: str
    positions: int
    nominal: tuple[float, float, float]
    answer: tuple[float, float, float]
    nominal_gains: tuple[Gain, Gain]
    answer_gains: tuple[Gain, Gain]
    beyond: Gain
    """Gain of the answer's depth: with priors over misassigned priors."""


def measure(
    game: Game,
    train: Iterable[Replay],
    test: Sequence[Replay],
    *,
    nodes: int,
    evaluation: str | None = None,
    every: int = 5,
    on_position: Callable[[], None] = lambda: None,
) -> list[Depths]:
    """Learn a player from ``train``, and search every ``every``-th of its answers in ``test``; one result for each base
    searcher.

    Raises ValueError when there is nothing to learn or to search.
    """
    prior = MovePrior(game, evaluation)
    for played in train:
        prior.add(played)
    straight = prior.foresight()
    told = (None, straight, straight._replace(shuffled=np.ones(1, np.int64)))
    answers = [(number, *turn) for number, played in enumerate(test) for turn in _answers(played, every)]
    if not answers:
        raise ValueError("there is no answer to search in games so short")
    games = np.array([number for number, *_ in answers])
    found = []
    for name, switches in FRAMES.items():
        searchers = [
            RootMoveSearcher(
                game, "play", evaluation, switches=switches if one is None else switches | USES, table_bits=TABLE_BITS
            )
            for one in told
        ]
        nominal, answer = np.zeros((2, len(answers), len(told)))
        for row, (_, state, move, key) in enumerate(answers):
            for column, (searcher, one) in enumerate(zip(searchers, told, strict=True)):
                searcher.clear()
                searcher.set_opponent(one)
                nominal[row, column] = searcher.line(state, move, Limits(nodes=nodes))
                answer[row, column] = 2 + searcher.kept(key)
            on_position()
        found.append(_depths(name, nominal, answer, games))
    return found


def _answers(played: Replay, every: int) -> list[tuple[State, int, int]]:
    """Return where the other side moves, its move, and the key of the position after the player's answer."""
    return [
        (played.positions[ply].state, played.moves[ply], played.positions[ply + 2].key)
        for ply in range(OPENING, len(played.moves) - 1)
        if played.positions[ply].to_move != played.seat
        and played.positions[ply + 1].to_move == played.seat
        and len(played.positions[ply + 1].moves) > 1
        and not played.positions[ply + 2].over
    ][::every]


def _depths(name: str, nominal: NDArray[np.float64], answer: NDArray[np.float64], games: NDArray[np.int64]) -> Depths:
    means = [tuple(float(one) for one in table.mean(axis=0)) for table in (nominal, answer)]
    gains = [tuple(gain(table[:, 0], table[:, column], games) for column in (1, 2)) for table in (nominal, answer)]
    beyond = gain(answer[:, 2], answer[:, 1], games)
    return Depths(name, len(games), means[0], means[1], gains[0], gains[1], beyond)  # type: ignore[arg-type]  # three and two of them


def gain(plain: NDArray[np.float64], told: NDArray[np.float64], games: NDArray[np.int64]) -> Gain:
    """Return how much greater the mean of ``told`` is; positions of a game are not independent of each other."""
    base = float(plain.mean())
    share = float(told.mean()) / base - 1
    _, which = np.unique(games, return_inverse=True)
    rest = np.bincount(which, told - (1 + share) * plain)
    count = len(rest)
    reach = NORMAL_95 * sqrt(count / max(1, count - 1) * float(rest @ rest)) / (len(plain) * base)
    return Gain(share, share - reach, share + reach)
