# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares before, behind and beside men, what pawns attack, and which of them are passed; by whole boards."""

from engine.bits import Bits
from engine.games.chess.board import C7, C8, C9, C16, NOT_A, NOT_H, ONE, Chess
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


@inlined
def pawns_attack(pawns: Bits) -> Bits:
    """Return what own pawns attack."""
    return (pawns & NOT_A) << C7 | (pawns & NOT_H) << C9


@inlined
def pawns_bite(pawns: Bits) -> Bits:
    """Return what the other's pawns attack."""
    return (pawns & NOT_A) >> C9 | (pawns & NOT_H) >> C7


@inlined
def passed(state: Chess) -> Bits:
    """Return the mover's pawns that no pawn stands before, and no pawn of the other's guards the way of."""
    pawns, theirs = state.own & state.pawns, state.enemy & state.pawns
    return pawns & ~behind((pawns | theirs) >> C8 | pawns_bite(theirs))
