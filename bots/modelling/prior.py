# SPDX-License-Identifier: GPL-3.0-or-later
"""The prior over a player's moves for a search: probabilities for thousands of positions a move, in compiled code.

The prior has fewer features than ``Model.predict`` and no chunks; see ``engine.search.opponent``. Frequencies are
counted in the player's games. Weights are fitted to the player's choices in each game, with the frequencies of all
other games. The choice of a small search is one of the features, because it predicts searching players best.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bots.modelling.logit import Choices, softmax
from bots.modelling.model import Predictions
from bots.modelling.replay import Ply, Replay
from engine.game import Game, Position, State
from engine.hints.alphabeta import AIMS, SLOTS, aim, gain, slot
from engine.kernel import compiled
from engine.search import Limits, Searcher
from engine.search.opponent import AIM_RATE, FEATURES, MOVE_RATE, OpponentModel, from_rates, write_all_features

NODES = 400
"""Nodes of the search whose choice is a feature."""

MOST = 3_000
"""Number of positions that weights are fitted to: those of the newest games."""

OWN_PRIOR, ARRIVAL_PRIOR = 5.0, 10.0
"""Pseudo-counts of opportunities: of a move, and of a kind of piece on a target."""


class _Game:
    """The player's choices in one game."""

    def __init__(
        self, seat: int, slots: list[NDArray[np.int64]], aims: list[NDArray[np.int64]], made: list[int]
    ) -> None:
        self.seat = seat
        self.slots = np.concatenate(slots) if slots else np.zeros(0, np.int64)
        self.aims = np.concatenate(aims) if aims else np.zeros(0, np.int64)
        self.starts = np.cumsum([0, *(len(one) for one in slots)])
        self.made = self.starts[:-1] + np.array(made, np.int64)
        self.facts: list[NDArray[np.float64]] = []


class MovePrior:
    """Learns a player's prior from games. Not thread-safe."""

    def __init__(self, game: Game, evaluation: str | None = None) -> None:
        self.game = game
        self._chooser = Searcher(game, "play", evaluation, table_bits=12)
        self._games: list[_Game] = []
        self._own, self._own_made = np.zeros((2, 2, SLOTS))
        self._arrival, self._arrival_made = np.zeros((2, 2, AIMS))
        self._blank = from_rates(np.zeros((2, SLOTS)), np.zeros((2, AIMS)), np.zeros(FEATURES))

    def add(self, played: Replay) -> None:
        """Learn from one game of the player."""
        slots, aims, made, facts = [], [], [], []
        for turn in played.turns():
            position = turn.position
            if len(position.moves) < 2:
                continue
            moves = np.array([move % 2**64 for move in position.moves], np.uint64).view(np.int64)
            where = np.empty((2, len(moves)), np.int64)
            places(position.state, moves, where)
            found = self._chooser.search(position.state, Limits(nodes=NODES))
            assert found.move is not None, "the game is not over"
            back = bool(turn.past) and took(turn.past[-1].state, turn.past[-1].move)
            rows = np.zeros((len(moves), FEATURES))
            choice = position.moves.index(found.move)
            write_all_features(position.state, moves, len(moves), position.to_move, back, choice, self._blank, rows)
            slots.append(where[0])
            aims.append(where[1])
            made.append(turn.chosen)
            facts.append(rows)
        game = _Game(played.seat, slots, aims, made)
        game.facts = facts
        self._count(game, 1)
        self._games.append(game)

    def forget(self) -> None:
        """Drop the games, which take most of the memory; ``foresight`` is not available afterwards."""
        self._games.clear()

    def _count(self, game: _Game, times: int) -> None:
        seat = game.seat
        for codes, offered, chosen in (
            (game.slots, self._own, self._own_made),
            (game.aims, self._arrival, self._arrival_made),
        ):
            np.add.at(offered[seat], codes, times)
            np.add.at(chosen[seat], codes[game.made], times)

    def _rates(self, seat: int, slots: NDArray[np.int64], aims: NDArray[np.int64]) -> tuple[NDArray[np.float64], ...]:
        base = (self._arrival_made[seat].sum() + 1) / (self._arrival[seat].sum() + 30)
        arrival = (self._arrival_made[seat, aims] + ARRIVAL_PRIOR * base) / (self._arrival[seat, aims] + ARRIVAL_PRIOR)
        # rare moves get the average frequency
        own = (self._own_made[seat, slots] + OWN_PRIOR * base) / (self._own[seat, slots] + OWN_PRIOR)
        return np.log(own), np.log(arrival)

    def foresight(self) -> OpponentModel:
        """Return the prior for a search. Raises ValueError if fewer than two games were learned."""
        if len(self._games) < 2:
            raise ValueError("the prior of a player needs at least two games")
        matrices: list[NDArray[np.float64]] = []
        chosen: list[int] = []
        for game in reversed(self._games):
            self._count(game, -1)
            own, arrival = self._rates(game.seat, game.slots, game.aims)
            self._count(game, 1)
            for number, facts in enumerate(game.facts):
                first, last = game.starts[number], game.starts[number + 1]
                rows = facts.copy()
                rows[:, MOVE_RATE], rows[:, AIM_RATE] = own[first:last], arrival[first:last]
                matrices.append(rows)
                chosen.append(int(game.made[number] - first))
            if len(chosen) >= MOST:
                break
        weights = Choices.of(matrices, chosen).fit(np.ones(FEATURES, bool))
        tables = [self._rates(seat, np.arange(SLOTS), np.arange(AIMS)) for seat in (0, 1)]
        return from_rates(np.stack([own for own, _ in tables]), np.stack([arrival for _, arrival in tables]), weights)

    def predict(self, foresight: OpponentModel, position: Position, recent: Sequence[Ply] = ()) -> Predictions:
        """Return each legal move with its prior probability, the most probable first."""
        found = self._chooser.search(position.state, Limits(nodes=NODES))
        if found.move is None:
            raise ValueError("the game is over")
        moves = np.array([move % 2**64 for move in position.moves], np.uint64).view(np.int64)
        back = bool(recent) and took(recent[-1].state, recent[-1].move)
        rows = np.zeros((len(moves), FEATURES))
        choice = position.moves.index(found.move)
        write_all_features(position.state, moves, len(moves), position.to_move, back, choice, foresight, rows)
        probabilities = softmax(rows @ foresight.weights)
        order = np.argsort(-probabilities, kind="stable")
        return [(position.moves[row], float(probabilities[row])) for row in order]


@compiled
def places(state: State, moves: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Write the slot and the aim of each move (2, moves)."""
    for i in range(len(moves)):
        out[0, i] = slot(state, moves[i])
        out[1, i] = aim(state, moves[i])


@compiled
def took(state: State, move: int) -> bool:
    """Return whether a move has an immediate gain."""
    return gain(state, move) > 0
