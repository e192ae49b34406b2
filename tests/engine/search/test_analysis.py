# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches of some moves only."""

import pytest

from engine.games import find
from engine.search import Limits
from engine.search.analysis import Analyst

CHESS = find("chess")
MATE = "6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1"
"""a1a8 mates."""


@pytest.mark.parametrize("algorithm", ["advanced", "play"])
def test_only_the_moves_that_are_allowed_are_looked_at(algorithm: str) -> None:
    searcher = Analyst(CHESS, algorithm, table_bits=12)
    position = CHESS.look(CHESS.parse_position(MATE))
    best, *others = (CHESS.parse_move(position, text) for text in ("a1a8", "h1h3", "a1a2"))
    free = searcher.search(position.state, Limits(depth=5))
    assert free.move == best
    searcher.confine(others)
    confined = searcher.search(position.state, Limits(depth=5))
    assert confined.move in others
    assert confined.value < free.value
    assert confined.nodes < free.nodes
    searcher.confine(())
    again = searcher.search(position.state, Limits(depth=5))
    assert (again.move, again.value, again.nodes) == (best, free.value, free.nodes), "what was confined is forgotten"


@pytest.mark.parametrize("algorithm", ["advanced", "play"])
def test_the_table_fills(algorithm: str) -> None:
    searcher = Analyst(CHESS, algorithm, table_bits=12)
    assert searcher.fullness == 0
    searcher.search(CHESS.start(), Limits(nodes=2_000))
    some = searcher.fullness
    searcher.search(CHESS.start(), Limits(nodes=200_000))
    assert 0 < some < searcher.fullness <= 1
