# SPDX-License-Identifier: GPL-3.0-or-later
"""Summaries of matches: who played how well, and which moves decided."""

import pytest

from arena.features.explorer.summarising import summarise
from engine.games import find


def test_the_move_that_lost_is_the_turning_point() -> None:
    game = find("tictactoe")
    # an edge against the middle loses; everything after it is forced
    summary = summarise(game, game.start(), ["b2", "a2", "a3", "c1", "c3", "b3", "a1"], 0, 100_000)
    assert [(turn.ply, turn.seat, turn.said) for turn in summary.turning_points] == [(2, 1, "a2")]
    assert (summary.turning_points[0].before, summary.turning_points[0].after) == (0.5, 0.0)
    first, second = summary.sides
    assert (first.moves, first.accuracy, second.moves) == (4, 100.0, 3)
    assert second.accuracy is not None
    assert 60 < second.accuracy < 80
    later = summarise(game, game.start(), ["b2", "a2", "a3"], 2, 10_000)
    assert (later.turning_points, [side.moves for side in later.sides]) == ([], [1, 0])
    assert later.sides[1].accuracy is None


def test_games_with_dice_have_no_summary() -> None:
    game = find("einstein")
    with pytest.raises(ValueError, match="dice"):
        summarise(game, game.start(), [], 0, 1000)
