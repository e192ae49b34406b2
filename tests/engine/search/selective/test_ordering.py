# SPDX-License-Identifier: GPL-3.0-or-later
"""Late move count pruning skips quiet moves only."""

import pytest

from engine.games import find
from engine.hints.alphabeta import gain
from engine.search import ALGORITHMS, Limits, Searcher, altered
from engine.search.selective.ordering import TRIED, rate, skip_quiet_moves

POSITION = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""Kiwipete: eight captures among 48 moves."""


@pytest.mark.parametrize(("without", "left"), [("", 8), ("-gains,-see", 48)])
def test_no_capture_is_skipped_with_the_quiet_moves(without: str, left: int) -> None:
    game = find("chess")
    switches = altered(ALGORITHMS["play"].switches, without) if without else ALGORITHMS["play"].switches
    searcher = Searcher(game, "play", "tuned", quiescence=True, repetition=True, switches=switches, table_bits=10)
    position = game.look(game.parse_position(POSITION))
    searcher.search(position.state, Limits(depth=1))
    memory, count = searcher._memory, len(position.moves)
    memory.moves[1, :count] = position.moves
    rate(position.state, 0, 1, 1, count, -1, memory)
    skip_quiet_moves(1, count, memory)
    remaining = [move for i, move in enumerate(position.moves) if memory.order[1, i] != TRIED]
    assert len(remaining) == left
    assert {move for move in position.moves if gain(position.state, move) > 0} <= set(remaining)
