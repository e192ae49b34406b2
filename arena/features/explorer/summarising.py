# SPDX-License-Identifier: GPL-3.0-or-later
"""Summary of a finished match: the accuracy of both sides and the turning points, by short searches of its positions.

The score of a search becomes a chance on a logistic scale. A move loses the difference of the chances before and after
it. Accuracy is lichess's (``AccuracyPercent`` of lila), from the loss of each move; here it is the plain mean.
"""

from collections.abc import Sequence
from math import exp

from arena.features.explorer.counting import EVALUATIONS, PLAY
from arena.features.explorer.jobs import MatchSummary, SideSummary, TurningPoint
from engine.game import Game, Position, State
from engine.search import Limits, Searcher

LEAST = 200
"""Nodes of each search, however long the match is."""

TURN = 0.1
"""Loss of chances from which on a move is a turning point."""

SHOWN = 5
"""Maximum number of turning points."""


def summarise(game: Game, state: State, moves: Sequence[str], skipped: int, nodes: int) -> MatchSummary:
    """Judge the moves after the first ``skipped``, with ``nodes`` nodes in all searches together.

    Raises ValueError for games with dice, and for moves that are not legal.
    """
    if game.chance:
        raise ValueError("there are no summaries of games with dice: luck and mistakes look the same")
    positions = [game.look(state)]
    said = list[str]()
    for text in moves:
        move = game.parse_move(positions[-1], text)
        said.append(game.write_move(positions[-1], move))
        positions.append(game.play(positions[-1], move))
    each = max(LEAST, nodes // (len(positions) - min(skipped, len(moves))))
    evaluation = next((name for name in EVALUATIONS if name in game.evaluations), None)
    searcher = Searcher(game, PLAY, evaluation)
    searcher.warm_up()
    chances = [0.5] * skipped + [_chance(searcher, position, each) for position in positions[skipped:]]
    losses = tuple[list[float], list[float]](([], []))
    turns = list[TurningPoint]()
    for index in range(skipped, len(moves)):
        seat = positions[index].to_move
        before, after = (chance if seat == 0 else 1 - chance for chance in chances[index : index + 2])
        losses[seat].append(max(0.0, before - after))
        if losses[seat][-1] >= TURN:
            turns.append(TurningPoint(index + 1, seat, said[index], round(before, 3), round(after, 3)))
    worst = sorted(turns, key=lambda turn: turn.after - turn.before)[:SHOWN]
    return MatchSummary(
        algorithm=PLAY,
        nodes=each,
        sides=(_side(losses[0]), _side(losses[1])),
        turning_points=sorted(worst, key=lambda turn: turn.ply),
    )


def _chance(searcher: Searcher, position: Position, nodes: int) -> float:
    """Return the chance of seat 0 in a position."""
    if position.over:
        first, second = position.payoffs
        return 0.5 + (first > second) / 2 - (first < second) / 2
    score = searcher.evaluation.pawn_units(searcher.search(position.state, Limits(nodes=nodes)).value)
    chance = 1 / (1 + exp(max(-50.0, min(50.0, -1.0986 * score / searcher.game.scale))))
    return chance if position.to_move == 0 else 1 - chance


def _side(losses: Sequence[float]) -> SideSummary:
    if not losses:
        return SideSummary(0, None)
    accuracies = [max(0.0, min(100.0, 103.1668 * exp(-4.354 * loss) - 3.1669)) for loss in losses]
    return SideSummary(len(losses), round(sum(accuracies) / len(accuracies), 1))
