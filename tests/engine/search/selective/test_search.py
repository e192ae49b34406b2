# SPDX-License-Identifier: GPL-3.0-or-later
"""The selective search finds known best moves, with each of its switches and without."""

import pytest

from engine.games import find
from engine.search import ALGORITHMS, Iteration, Limits, Searcher, Switch
from engine.search.switches import SELECTIVE

CHESS = find("chess")
ALL = ALGORITHMS["play"].switches
SIMPLE = Switch.CUTS | Switch.TABLE | Switch.TABLE_MOVE | Switch.DEEPENING | Switch.QUIESCENCE | Switch.GAINS

MATE_IN_THREE = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"
"""1 Ra6+ f6 2 Bxf6+ Rg7 3 Rxa8, whatever black puts between."""
ZUGZWANG = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1"
"""White wins only by the quiet 1 Rf1, after which black has to spoil his own position."""


@pytest.mark.parametrize("switch", list(SELECTIVE), ids=lambda switch: switch.name)
@pytest.mark.parametrize("with_it", [True, False])
def test_a_mate_is_found_with_each_switch_and_without(switch: Switch, with_it: bool) -> None:
    switches = SIMPLE | Switch.SEE | switch if with_it else ALL & ~switch
    searcher = Searcher(CHESS, switches=switches, evaluation="material", table_bits=14)
    state = CHESS.parse_position(MATE_IN_THREE)
    result = searcher.search(state, Limits(depth=7))
    assert result.move is not None
    assert CHESS.format_move(state, result.move) == "f6a6"
    assert result.value > searcher.evaluation.win // 2
    position = CHESS.look(state)
    for move in result.pv:
        position = CHESS.play(position, move)


def test_zugzwang_does_not_fool_the_null_move() -> None:
    state = CHESS.parse_position(ZUGZWANG)
    result = Searcher(CHESS, "play", "material").search(state, Limits(depth=14))
    assert result.move is not None
    assert CHESS.format_move(state, result.move) == "e1f1"


def test_every_iteration_has_a_line_that_can_be_played() -> None:
    for name, evaluation in (("chess", "tuned"), ("checkers", "lecture")):
        game = find(name)
        lines: list[tuple[int, ...]] = []

        def note(_: Iteration, pv: tuple[int, ...], lines: list[tuple[int, ...]] = lines) -> None:
            lines.append(pv)

        searcher = Searcher(game, "play", evaluation, table_bits=14)
        searcher.search(game.start(), Limits(nodes=60_000), on_iteration=note)
        assert len(lines) > 5
        for line in lines:
            position = game.look(game.start())
            for move in line:
                position = game.play(position, move)
