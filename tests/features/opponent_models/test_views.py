# SPDX-License-Identifier: GPL-3.0-or-later
"""Predictions of moves and their calibration, counted by hand."""

from arena.features.opponent_models.api import calibration, predictions_of
from engine.match.events import Expected, Info, Moved


def moved(ply: int, move: str, *expected: tuple[str, float]) -> Moved:
    """Return a move by the seat that is due, with what is expected to be answered."""
    told = tuple(Expected(text, probability) for text, probability in expected)
    return Moved(ply, (ply - 1) % 2, move, info=Info(expected=told) if told else None)


MOVES = [
    moved(1, "a", ("b", 0.5), ("x", 0.3)),
    moved(2, "b", ("y", 1.0)),
    moved(3, "c"),
    moved(4, "d", ("z", 0.2)),
    moved(5, "e", ("x", 0.1), ("f", 0.55)),
    moved(6, "f"),
]


def test_a_prediction_is_the_most_probable_answer() -> None:
    assert predictions_of(MOVES, 1) == [(0.5, True), (0.55, True)]
    assert predictions_of(MOVES, 0) == [(1.0, False), (0.2, False)]
    assert predictions_of([], 0) == []


def test_a_last_move_without_a_reply_gives_no_prediction() -> None:
    assert predictions_of(MOVES[:1], 1) == []


def test_predictions_are_counted_by_probability() -> None:
    steps = calibration([(0.5, True), (0.55, False), (1.0, True), (0.0, False)])
    assert [(step.low, step.high, step.predicted, step.hit) for step in steps] == [
        (0.0, 0.1, 1, 0),
        (0.5, 0.6, 2, 1),
        (0.9, 1.0, 1, 1),
    ]
    assert steps[1].probability == 0.525
