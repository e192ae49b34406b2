# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry of the frame of play: the one function of it that Python calls.

There is one for both ways to search a root, because each entry is compiled together with all that it calls.
"""

from typing import Any

import numpy as np

from engine.buffers import borrowed, lent
from engine.game import State, key, threatened
from engine.kernel import compiled
from engine.search.memory import FORESEEN, KEY, PRESSED, SWITCHES, TOOK, Memory
from engine.search.play.frame import search
from engine.search.play.weighing import weigh
from engine.search.switches import Switch

WEIGHED = int(Switch.WEIGHED)


@compiled
def play(state: State, depth: int, alpha: int, beta: int, row: int, memory: Memory) -> Any:
    """Search the root, whose row of ``memory.path`` is ``row``; see ``search``, and ``weigh`` where answers are."""
    path, control = memory.path, memory.control
    path[row, KEY] = np.int64(key(state))
    path[row, PRESSED] = threatened(state)
    path[row, TOOK] = False
    loan = lent(borrowed(memory))
    if control[SWITCHES] & WEIGHED and depth > 1 and control[FORESEEN] >= 0:
        return weigh(state, depth, alpha, beta, row, loan)
    return search(state, depth, alpha, beta, 0, row, loan)
