# SPDX-License-Identifier: GPL-3.0-or-later
"""How far features were off lately in positions alike: what searches found against their score.

Positions are alike in what changes slowly, see ``engine.game.skeleton``. An entry moves towards what it is told, the
less the nearer it is to its bounds.
"""

from typing import Any

from engine.buffers import borrowed
from engine.game import State, skeleton
from engine.kernel import compiled, inlined
from engine.search.memory import MAN, SWITCHES, Memory
from engine.search.play.picking import bent
from engine.search.switches import Switch

CORRECTIONS = int(Switch.CORRECTIONS)

MOST = 1024
"""No entry counts for more,"""
SHARE = 1600
"""and so much is a man."""
CREDIT = MOST // 4
"""What an entry is moved by at most."""


@inlined
def corrected(state: State, seat: int, score: int, memory: Memory) -> Any:
    """Return a score of features less what they are usually off by."""
    if not memory.control[SWITCHES] & CORRECTIONS:
        return score
    return score + memory.corrections[seat, skeleton(state)] * memory.control[MAN] // SHARE


@compiled
def correct(state: State, seat: int, depth: int, error: int, loan: Memory) -> None:
    """Note by how many points a corrected score was too low, as a search to this depth found."""
    memory = borrowed(loan)
    credit = MOST * error * depth // (40 * memory.control[MAN])
    place = skeleton(state)
    entry = memory.corrections[seat, place]
    memory.corrections[seat, place] = bent(entry, max(min(credit, CREDIT), -CREDIT), MOST)
