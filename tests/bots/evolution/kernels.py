# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests ask of kernels."""

from typing import Any

from engine.game import gain
from engine.kernel import brief


@brief
def gained(state: Any, move: int) -> int:
    """Return what a move wins at once."""
    return gain(state, move)
