# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of the branches near the root, written down as a search goes along, for those who want to see it."""

from typing import Any

from bots.evolution.steered.desk import (
    GIVEN,
    MOVE,
    NODES,
    NOT_TRACED,
    PARENT,
    REACH,
    REACHED,
    SPENT,
    WRITTEN,
    Desk,
)
from engine.buffers import borrowed
from engine.kernel import compiled

PARTS = 1000
"""Depths are written in thousandths of a ply."""


@compiled
def opened(move: int, ply: int, loan: Desk) -> Any:
    """Begin a branch of the position at a ply; return its row, or NOT_TRACED where there is no room for it."""
    desk = borrowed(loan)
    control, trace, stems = desk.control, desk.trace, desk.stems
    row = control[WRITTEN]
    stem = stems[ply]
    if row >= len(trace) or stem == NOT_TRACED:
        stems[ply + 1] = NOT_TRACED
        return stems[ply + 1]
    control[WRITTEN] = row + 1
    stems[ply + 1] = row
    trace[row, PARENT] = stem
    trace[row, MOVE] = move
    trace[row, SPENT] = -control[NODES]
    trace[row, REACH] = control[REACHED]  # of those before it, until it is closed
    control[REACHED] = 0
    return row


@compiled
def closed(row: int, given: float, loan: Desk) -> None:
    """End a branch, which was searched to a depth at last."""
    desk = borrowed(loan)
    control, trace = desk.control, desk.trace
    if row == NOT_TRACED:
        return
    before, own = trace[row, REACH], control[REACHED]
    trace[row, GIVEN] = round(given * PARTS)
    trace[row, SPENT] += control[NODES]
    trace[row, REACH] = own
    control[REACHED] = max(before, own)
