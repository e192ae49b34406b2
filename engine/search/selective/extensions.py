# SPDX-License-Identifier: GPL-3.0-or-later
"""Extensions of the selective search: singular moves, and probable moves of a modelled opponent."""

from typing import Any

from engine.kernel import inlined
from engine.search.memory import ROOT_DEPTH, SWITCHES, Memory
from engine.search.selective.positions import decided
from engine.search.switches import Switch

PROBABLE_EXTENSIONS, IMPROBABLE_REDUCTIONS = int(Switch.PROBABLE_EXTENSIONS), int(Switch.IMPROBABLE_REDUCTIONS)


@inlined
def may_be_singular(value: int, depth: int, ply: int, memory: Memory) -> bool:
    """Return whether to test if the table's move is singular, by a search of all other moves; ``value``: the table's
    value.
    """
    deep = depth >= memory.margins.singular_depth and 0 < ply < 2 * memory.control[ROOT_DEPTH]
    return bool(deep and not decided(value, memory))


@inlined
def predicted_depth(chance: int, depth: int, ahead: int, less: int, tried: int, ply: int, memory: Memory) -> Any:
    """Return depth and reduction of a move of a modelled opponent, from those without the model.

    ``chance``: the model's prior in thousandths; ``tried``: number of moves searched before.
    """
    margins, switches = memory.margins, memory.control[SWITCHES]
    if chance >= margins.probable and switches & PROBABLE_EXTENSIONS:
        less = 0
        if ahead == depth - 1 and ply < memory.control[ROOT_DEPTH]:
            ahead += 1
    elif chance < margins.improbable and switches & IMPROBABLE_REDUCTIONS and tried > 0:
        less = max(min(less + margins.improbable_reduction, ahead - 1), 0)
    return ahead, less
