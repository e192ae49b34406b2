# SPDX-License-Identifier: GPL-3.0-or-later
"""Random moves are legal, and equally likely."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import pick
from engine.games import find
from engine.kernel import compiled
from tests.engine.games.chess import positions

CHESS = find("chess")


@compiled
def drawn(state: Any, chance: Any, out: Any) -> int:
    return pick(state, chance, out)


def picks(fen: str) -> tuple[list[int], tuple[int, ...]]:
    """Return the moves that chances equally far apart draw, in the order of numbers, and those that are legal."""
    position = CHESS.look(CHESS.parse_position(fen))
    out, count = np.empty(CHESS.width, np.int64), len(position.moves) or 1
    chances = [-(-number * 2**32 // count) for number in range(count)]
    return sorted(drawn(position.state, np.uint64(chance), out) for chance in chances), position.moves


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_move_is_drawn_once(seed: int) -> None:
    found, moves = picks(positions.thrown(seed).fen())
    assert found == (sorted(moves) or [-1])


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1n1n4/P1P1P3/4k3/8/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/1PpP4/8/8/8/4K3 w - c6 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ],
    ids=["castling either way", "promotions and castling", "en passant from both sides", "218 moves"],
)
def test_every_kind_of_move_can_be_drawn(fen: str) -> None:
    found, moves = picks(fen)
    assert found == sorted(moves)


@pytest.mark.parametrize(
    "fen", ["R6k/6pp/8/8/8/8/8/7K b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/4k3/8/8/8/4K3 w - - 0 1"]
)
def test_nothing_is_drawn_when_the_game_is_over(fen: str) -> None:
    assert picks(fen)[0] == [-1]
