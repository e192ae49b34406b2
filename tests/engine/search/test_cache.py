# SPDX-License-Identifier: GPL-3.0-or-later
"""A search that numba loads from disk is the search that it compiled."""

import subprocess
import sys

import pytest

SEARCH = """
import sys
from engine.games import find
from engine.search import Limits, Searcher
game = find(sys.argv[1])
found = Searcher(game, sys.argv[2]).search(game.start(), Limits(depth=4))
print(found.value, found.nodes, found.pv)
"""


@pytest.mark.parametrize("algorithm", ["minimax", "advanced", "play"])
def test_a_later_process_finds_the_same(algorithm: str) -> None:
    command = [sys.executable, "-c", SEARCH, "tictactoe", algorithm]
    told = {subprocess.run(command, capture_output=True, check=True, text=True).stdout for _ in range(2)}
    assert len(told) == 1
