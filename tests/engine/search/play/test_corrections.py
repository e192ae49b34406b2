# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores are corrected by how far they were off in positions alike."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.buffers import borrowed, lent
from engine.evaluation import named
from engine.game import SKELETONS, skeleton
from engine.games import find
from engine.kernel import compiled
from engine.search.memory import SWITCHES, Memory, new_memory
from engine.search.play.corrections import CORRECTIONS, MOST, SHARE, correct, corrected
from tests.engine.games.chess.agreement import look

CHESS = find("chess")
START = CHESS.pack(CHESS.start())


@compiled
def _correct(state: Any, seat: int, depth: int, error: int, memory: Memory) -> None:
    correct(state, seat, depth, error, lent(borrowed(memory)))


@compiled
def _corrected(state: Any, seat: int, score: int, memory: Memory) -> Any:
    return corrected(state, seat, score, memory)


@compiled
def _skeleton(state: Any) -> Any:
    return skeleton(state)


def memory(switches: int = CORRECTIONS) -> Memory:
    """Return a memory for chess."""
    made = new_memory(CHESS, named(CHESS.evaluations, "house"), np.zeros((4, 2), np.int64))
    made.control[SWITCHES] = switches
    return made


@settings(deadline=None)
@given(errors=st.lists(st.tuples(st.integers(1, 60), st.integers(-(10**6), 10**6)), max_size=60))
def test_no_correction_is_greater_than_its_bound(errors: list[tuple[int, int]]) -> None:
    own = memory()
    for depth, error in errors:
        _correct(START, 0, depth, error, own)
    man = 100
    assert abs(_corrected(START, 0, 25, own) - 25) <= MOST * man // SHARE
    assert _corrected(START, 1, 25, own) == 25, "the other seat knows nothing of it"


def test_what_was_off_again_and_again_is_corrected_that_way() -> None:
    own = memory()
    for _ in range(50):
        _correct(START, 0, 6, 40, own)
    assert _corrected(START, 0, 0, own) > 20
    for _ in range(100):
        _correct(START, 0, 6, -40, own)
    assert _corrected(START, 0, 0, own) < -20
    own.control[SWITCHES] = 0
    assert _corrected(START, 0, 7, own) == 7


def test_positions_with_the_same_pawns_are_alike() -> None:
    fens = (
        "r3k2r/ppp2ppp/8/3p4/3P4/8/PPP2PPP/R3K2R w KQkq - 0 1",
        "4k3/ppp2ppp/8/3p4/3P4/2N5/PPP2PPP/4K3 w - - 0 1",
        "4k3/ppp2ppp/8/3p4/2PP4/2N5/PP3PPP/4K3 w - - 0 1",
    )
    first, second, third = (_skeleton(CHESS.pack(look(fen).state)) for fen in fens)
    assert first == second != third
    assert all(0 <= place < SKELETONS for place in (first, second, third))
