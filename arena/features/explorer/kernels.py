# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of a game, called by a search that runs in Python: compiled functions, and their Python form.

The search passes positions (``engine.game.Position``) where the compiled search passes states, so that the legal moves,
the result and the key of a position are computed once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine import game as rules
from engine.evaluation import Evaluation
from engine.game import Game, Moves, Position
from engine.hints import alphabeta
from engine.kernel import brief

GAIN, SLOT, AIM = range(3)
"""Rows of the buffer of ``_rate``."""


@brief
def _rate(state, moves, out):  # type: ignore[no-untyped-def]  # numba infers the types
    for index in range(len(moves)):
        out[GAIN, index] = alphabeta.gain(state, moves[index])
        out[SLOT, index] = alphabeta.slot(state, moves[index])
        out[AIM, index] = alphabeta.aim(state, moves[index])


@brief
def _judge(state):  # type: ignore[no-untyped-def]  # numba infers the types
    pressed = alphabeta.threatened(state)
    return rules.ended(state), pressed, alphabeta.structure(state), not pressed and alphabeta.can_pass(state)


@brief
def _passed(state):  # type: ignore[no-untyped-def]  # numba infers the types
    return alphabeta.passed(state)


@brief
def _tactical(state, out):  # type: ignore[no-untyped-def]  # numba infers the types
    return alphabeta.tactical_moves(state, out)


@brief
def _reaches(state, move, least):  # type: ignore[no-untyped-def]  # numba infers the types
    return alphabeta.exchange_reaches(state, move, least)


class Merits(NamedTuple):
    """What orders a move: its gain, its history slot and its aim."""

    gain: int
    slot: int
    aim: int


class Kernels:
    """The kernels of one game. Answers are kept, because searches ask the same about a position several times."""

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        self._game = game
        self._terms = evaluation.terms.number
        self._weights = evaluation.words()
        self._scratch = np.empty((3, game.width), np.int64)
        self._children: dict[tuple[int, int], Position] = {}
        self._before: dict[int, tuple[Position, int | None]] = {}
        self._merits: dict[int, dict[int, Merits]] = {}
        self._judged: dict[int, tuple[bool, bool, int, bool]] = {}
        self._odds: dict[int, dict[int, int]] = {}
        self._kept: list[Position] = []
        """All positions by whose ``id`` something is kept, so that no other position gets the same."""

    def replacements(self) -> dict[Callable[..., Any], Callable[..., Any]]:
        """Return the Python form of each kernel."""
        return {
            rules.to_move: lambda position: position.to_move,
            rules.legal_moves: self._legal_moves,
            rules.step: self.step,
            rules.outcome: lambda position: (position.over, *position.payoffs),
            rules.odds: self._odds_of,
            rules.key: lambda position: np.uint64(position.key),
            rules.repetition_key: lambda position: np.uint64(position.repetition_key),
            rules.irreversible: lambda position, move: self.step(position, move).irreversible,
            rules.score: lambda position, terms, weights: np.int64(
                rules._score(position.state, self._terms, self._weights)
            ),
            alphabeta.gain: lambda position, move: self.merits(position, move).gain,
            alphabeta.slot: lambda position, move: self.merits(position, move).slot,
            alphabeta.aim: lambda position, move: self.merits(position, move).aim,
            rules.ended: lambda position: self._judge(position)[0],
            alphabeta.threatened: lambda position: self._judge(position)[1],
            alphabeta.structure: lambda position: self._judge(position)[2],
            alphabeta.can_pass: lambda position: self._judge(position)[3],
            alphabeta.passed: self._pass,
            alphabeta.tactical_moves: lambda position, out: _tactical(position.state, out),
            alphabeta.exchange_reaches: lambda position, move, least: _reaches(position.state, int(move), int(least)),
        }

    def step(self, position: Position, move: int) -> Position:
        """Return the position after a move: the same object each time."""
        place = id(position), int(move)
        child = self._children.get(place)
        if child is None:
            child = self._game.play(position, int(move))
            self._kept += position, child
            self._children[place] = child
            self._before[id(child)] = position, int(move)
        return child

    def moves_between(self, first: Position, last: Position) -> tuple[int | None, ...]:
        """Return the moves that led from one position to another; None for a null move."""
        moves: list[int | None] = []
        while last is not first:
            last, move = self._before[id(last)]
            moves.append(move)
        return tuple(reversed(moves))

    def merits(self, position: Position, move: int) -> Merits:
        """Return what orders a move."""
        known = self._merits.get(id(position))
        if known is None:
            _rate(position.state, np.array(position.moves, np.int64), self._scratch)
            rated = self._scratch[:, : len(position.moves)].T.tolist()
            known = {each: Merits(*row) for each, row in zip(position.moves, rated, strict=True)}
            self._kept.append(position)
            self._merits[id(position)] = known
        return known[int(move)]

    def _legal_moves(self, position: Position, out: Moves) -> int:
        out[: len(position.moves)] = position.moves
        return len(position.moves)

    def _judge(self, position: Position) -> tuple[bool, bool, int, bool]:
        known = self._judged.get(id(position))
        if known is None:
            known = self._judged[id(position)] = _judge(position.state)
            self._kept.append(position)
        return known

    def _pass(self, position: Position) -> Position:
        child = self._game.look(_passed(position.state))
        self._kept += position, child
        self._before[id(child)] = position, None
        return child

    def _odds_of(self, position: Position, move: int) -> int:
        known = self._odds.get(id(position))
        if known is None:
            known = dict(zip(position.moves, self._game.odds(position), strict=True))
            self._kept.append(position)
            self._odds[id(position)] = known
        return known[int(move)]
