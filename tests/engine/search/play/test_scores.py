# SPDX-License-Identifier: GPL-3.0-or-later
"""What features say of a position is kept, whatever becomes of it in the table."""

import numpy as np
import pytest

from engine.games import find
from engine.search import Limits, Searcher


@pytest.mark.parametrize(
    ("name", "evaluation"), [("chess", "house"), ("chess", "kendall-whitwell"), ("checkers", "lecture")]
)
def test_scores_that_are_kept_are_those_of_features(name: str, evaluation: str) -> None:
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
    assert found > 20, "otherwise nothing is shown"
