# SPDX-License-Identifier: GPL-3.0-or-later
"""Control variates: how much of a match's payoff was luck, by an estimate of the payoff that each state leads to.

At each roll or card, luck is the estimate after the outcome that came, minus the mean of the estimate over all
outcomes, weighted by their odds. At a move of a player whose probabilities are known, it is the same over the moves.
Each such term has the mean 0, whatever the estimate is, because it is a number that depends on the state alone: so the
payoff minus all terms has the same mean as the payoff. Its variance is the smaller the better the estimate is.

N. Burch, M. Schmid, M. Moravčík, M. Bowling: AIVAT: A new variance reduction technique for agent evaluation in
imperfect information games, 2018. M. White, M. Bowling: Learning a value analysis tool for agent evaluation, 2009
(MIVAT), has the terms of chance alone. AIVAT also averages over the hidden cards that a known strategy could have had;
this does not.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np

from engine import games
from engine.evaluation import Evaluation, named
from engine.game import CHANCE, Game, State, legal_moves, outcome, score, step, to_move
from engine.kernel import compiled
from engine.match.record import Record
from engine.regret.strategy import path_of, shipped
from engine.regret.value import StrategyValue

Estimate: TypeAlias = Callable[[State, Sequence[int]], Sequence[float]]
"""Estimates the payoff of seat 0 after each of some moves of a state."""

Probabilities: TypeAlias = Callable[[State], Mapping[str, float]]
"""The probability of each legal move of a player in a state, by the text of the move."""


@compiled
def _scores_after(state: State, moves: Any, terms: int, weights: Any, win: int, buffer: Any, out: Any) -> None:
    """Write the score for seat 0 after each move; where a player is to move then, after its best move."""
    for index in range(len(moves)):
        child = step(state, moves[index])
        over, first, _ = outcome(child)
        seat = to_move(child)
        if over:
            out[index] = first * win
        elif seat == CHANCE:
            out[index] = score(child, terms, weights)
        else:
            sign = -1.0 if seat == 1 else 1.0
            best = -np.inf
            for reply in range(legal_moves(child, buffer)):
                leaf = step(child, buffer[reply])
                over, first, _ = outcome(leaf)
                if over:
                    value = first * win
                else:
                    value = float(score(leaf, terms, weights))
                    if to_move(leaf) == 1:
                        value = -value
                best = max(best, sign * value)
            out[index] = sign * best


def by_evaluation(
    game: Game, evaluation: Evaluation, payoff_of: Callable[[float], float], state: State, moves: Sequence[int]
) -> Sequence[float]:
    """Estimate the payoff of seat 0 after moves of a state by an evaluation and a search of one move after them."""
    out = np.zeros(len(moves))
    _scores_after(
        game.pack(state),
        np.array(moves, np.int64),
        evaluation.terms.number,
        evaluation.words(),
        evaluation.win,
        np.empty(game.width, np.int64),
        out,
    )
    return [payoff_of(value) for value in out.tolist()]


@cache
def estimate_of(name: str) -> Estimate | None:
    """Return the estimate of a game; None if it has no chance, or nothing to estimate payoffs by.

    It is the game's own (``Game.payoffs_after``), or that of its evaluation (``Game.payoff_of_score``), or the exact
    one of a strategy that ships with the arena (``engine.regret``).
    """
    game = games.find(name)
    if not game.chance or not game.zero_sum:
        return None
    if game.payoffs_after is not None:
        return game.payoffs_after
    if game.payoff_of_score is not None:
        return partial(by_evaluation, game, named(game.evaluations, None), game.payoff_of_score)
    if game.as_last_round is not None and path_of(game).exists():
        return StrategyValue(game, shipped(game)).after
    return None


def luck(
    record: Record, estimate: Estimate, players: tuple[Probabilities | None, Probabilities | None] = (None, None)
) -> float:
    """Return the luck of seat 0 in a game of a record, in points: the sum of all terms; its mean is 0.

    ``players``: the probabilities of the moves of each seat; None: unknown. The opening, which both games of a pair
    share, does not count. Raises ValueError if a move of the record is not legal.
    """
    game, total = games.find(record.game), 0.0
    opening = len(record.opening)
    texts = (*record.opening, *(played.move for played in record.moves))
    position = game.look(game.start() if record.start is None else game.parse_position(record.start))
    for ply, text in enumerate(texts):
        move, seat = game.parse_move(position, text), position.to_move
        if ply >= opening and len(position.moves) > 1:
            weights: Sequence[float] = ()
            if seat == CHANCE:
                weights = game.odds(position)
            elif (known := players[seat]) is not None:
                chances = known(position.state)
                weights = [chances[game.format_move(position.state, each)] for each in position.moves]
            if weights:
                total += _term(estimate(position.state, position.moves), weights, position.moves.index(move))
        position = game.play(position, move)
    return total


def _term(values: Sequence[float], weights: Sequence[float], came: int) -> float:
    """Return the value that came, minus the weighted mean of all values."""
    mean = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
    return values[came] - mean
