# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and the squares before and behind men, by whole boards."""

from engine.bits import Bits
from engine.games.chess.board import C8, C16, NOT_A, NOT_H, ONE
from engine.kernel import inlined

C32 = Bits(32)


@inlined
def ahead(men: Bits) -> Bits:
    """Return the men's squares and all before them."""
    men |= men << C8
    men |= men << C16
    return men | men << C32


@inlined
def behind(men: Bits) -> Bits:
    """Return the men's squares and all behind them."""
    men |= men >> C8
    men |= men >> C16
    return men | men >> C32


@inlined
def beside(men: Bits) -> Bits:
    """Return the squares next to the men's, to the left and to the right."""
    return (men & NOT_A) >> ONE | (men & NOT_H) << ONE
