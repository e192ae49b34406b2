# SPDX-License-Identifier: GPL-3.0-or-later
"""Correction history, and the cache of static evaluations."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluation import named
from engine.games import find
from engine.hints.alphabeta import STRUCTURES, structure
from engine.kernel import compiled
from engine.native.buffers import borrowed, lent
from engine.search import Limits, Searcher
from engine.search.memory import SWITCHES, Memory, new_memory
from engine.search.selective.positions import CORRECTION_HISTORY, MOST, SHARE, correct, corrected
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
def _structure(state: Any) -> Any:
    return structure(state)


def memory(switches: int = CORRECTION_HISTORY) -> Memory:
    """Return a memory for chess."""
    made = new_memory(CHESS, named(CHESS.evaluations, "tuned"), np.zeros((4, 2), np.int64))
    made.control[SWITCHES] = switches
    return made


@settings(deadline=None)
@given(errors=st.lists(st.tuples(st.integers(1, 60), st.integers(-(10**6), 10**6)), max_size=60))
def test_corrections_are_bounded(errors: list[tuple[int, int]]) -> None:
    own = memory()
    for depth, error in errors:
        _correct(START, 0, depth, error, own)
    man = 100
    assert abs(_corrected(START, 0, 25, own) - 25) <= MOST * man // SHARE
    assert _corrected(START, 1, 25, own) == 25, "the other seat has its own history"


def test_repeated_errors_are_corrected() -> None:
    own = memory()
    for _ in range(50):
        _correct(START, 0, 6, 40, own)
    assert _corrected(START, 0, 0, own) > 20
    for _ in range(100):
        _correct(START, 0, 6, -40, own)
    assert _corrected(START, 0, 0, own) < -20
    own.control[SWITCHES] = 0
    assert _corrected(START, 0, 7, own) == 7


def test_positions_with_the_same_pawns_have_the_same_structure() -> None:
    fens = (
        "r3k2r/ppp2ppp/8/3p4/3P4/8/PPP2PPP/R3K2R w KQkq - 0 1",
        "4k3/ppp2ppp/8/3p4/3P4/2N5/PPP2PPP/4K3 w - - 0 1",
        "4k3/ppp2ppp/8/3p4/2PP4/2N5/PP3PPP/4K3 w - - 0 1",
    )
    first, second, third = (_structure(CHESS.pack(look(fen).state)) for fen in fens)
    assert first == second != third
    assert all(0 <= place < STRUCTURES for place in (first, second, third))


@pytest.mark.parametrize(
    ("name", "evaluation"), [("chess", "tuned"), ("chess", "kendall-whitwell"), ("checkers", "lecture")]
)
def test_cached_scores_are_static_evaluations(name: str, evaluation: str) -> None:
    game = find(name)
    searcher = Searcher(game, "play", evaluation, quiescence=True, repetition=True)
    position = game.look(game.start())
    found = 0
    for _ in range(6):
        result = searcher.search(position.state, Limits(nodes=5_000))
        scores = searcher._memory.scores
        assert result.move is not None
        for first in position.moves:
            child = game.play(position, first)
            for second in child.moves:
                grandchild = game.play(child, second)
                mark = int(np.uint64(grandchild.key % 2**64).view(np.int64))
                entry = int(scores[mark & (len(scores) - 1)])
                if entry >> 32 == mark >> 32:
                    found += 1
                    assert np.int32(np.uint32(entry & 0xFFFFFFFF)) == game.score(grandchild.state, searcher.evaluation)
        position = game.play(position, result.move)
    assert found > 20, "the cache has entries"
