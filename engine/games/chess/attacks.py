# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess attacks, pins and check evasions in eight directions at once, and pawn spans and attacks."""

from engine.bitboards.bits import Bits, lowest
from engine.bitboards.lanes import (
    Lanes,
    common,
    exchanged,
    opposite,
    packed,
    rotated,
    some,
    spread,
    union,
    unpacked,
    upside_down,
    weave,
    where,
)
from engine.games.chess.board import (
    BITE,
    C7,
    C8,
    C9,
    C16,
    FORGOTTEN,
    FULL,
    JUMP,
    JUMP_INTO,
    KING,
    KNIGHT,
    NOT_A,
    NOT_H,
    ONE,
    STEP,
    STEP_2,
    STEP_4,
    STEP_INTO,
    ZERO,
    Chess,
)
from engine.kernel import compiled, inlined

# ---------------------------------------------------------------- attacks, pins and checks


@inlined
def rays(sliders: Lanes, empty: Lanes) -> Lanes:
    """Kogge-Stone fill: return the squares that sliders attack in each lane's direction, the first blocker included."""
    step, step_2 = packed(STEP), packed(STEP_2)
    open_ = empty & packed(STEP_INTO)
    sliders = sliders | open_ & rotated(sliders, step)
    open_ = open_ & rotated(open_, step)
    sliders = sliders | open_ & rotated(sliders, step_2)
    open_ = open_ & rotated(open_, step_2)
    sliders = sliders | open_ & rotated(sliders, packed(STEP_4))
    return rotated(sliders, step) & packed(STEP_INTO)


@inlined
def sliders_of(state: Chess) -> Lanes:
    """Return the pieces of both sides that slide in each lane's direction."""
    return weave(state.straight, state.diagonal)


@compiled
def leapers(state: Chess, enemy: Bits) -> Bits:
    """Return the pawns and knights of ``enemy`` that give check."""
    king = state.own & state.kings
    pawns = ((king & NOT_A) << C7 | (king & NOT_H) << C9) & state.pawns
    return (pawns | KNIGHT[lowest(king)] & state.knights) & enemy


@compiled
def answers(state: Chess, foe: Lanes, king: Lanes) -> Bits:
    """Check evasions: return the possible targets of all pieces except the king.

    ``foe``: squares that the enemy's sliders attack; ``king``: the ray from the king towards each lane's attacker.
    """
    between = common(where(foe & spread(state.own & state.kings), king, spread(FULL)))
    near = leapers(state, state.enemy)
    if not near:
        return between
    return ZERO if near & (near - ONE) else between & near


@compiled
def through(state: Chess) -> Bits:
    """Return the squares that the enemy's sliders attack through the mover's king."""
    sliders = sliders_of(state) & spread(state.enemy)
    return union(rays(sliders, spread(~(state.own | state.enemy) | state.own & state.kings)))


@inlined
def survey(state: Chess) -> tuple[Bits, Bits, Bits, Lanes, Lanes, Lanes]:
    """Return all data for legal moves: attacked squares; allowed targets of pieces other than the king; pinned pieces;
    lane by lane the pieces that may move in its direction; sliders; empty squares.
    """
    king = state.own & state.kings
    sliders, empty = sliders_of(state), spread(~(state.own | state.enemy))
    foe = rays(sliders & spread(state.enemy), empty)
    towards = opposite(rays(spread(king), empty))
    hops = rotated(spread(state.enemy & state.knights), packed(JUMP)) & packed(JUMP_INTO)
    bites = rotated(spread(state.enemy & state.pawns), packed(STEP)) & packed(BITE)
    attacked = union(foe | hops | bites) | KING[lowest(state.enemy & state.kings)]
    must = FULL
    if attacked & king:
        must = answers(state, foe, towards)
        attacked |= through(state)
    pins = foe & towards & spread(state.own)
    pinned = ZERO
    free = spread(state.own)
    if some(pins):  # a branch is faster: its prediction removes the dependence on both fills
        pinned = union(pins)
        free = spread(state.own & ~pinned) | pins | opposite(pins)
    return attacked, must, pinned, free, sliders, empty


@compiled
def in_check(state: Chess) -> bool:
    """Return whether the mover's king is attacked."""
    seen = rays(spread(state.own & state.kings), spread(~(state.own | state.enemy)))
    return some(seen & sliders_of(state) & spread(state.enemy)) or leapers(state, state.enemy) != ZERO


@compiled
def turned(state: Chess) -> Chess:
    """Return the position with the other side to move."""
    boards = packed(state) & ~packed(FORGOTTEN)
    return Chess(*unpacked(exchanged(upside_down(boards))))


@compiled
def exposed(state: Chess) -> bool:
    """Return whether the mover could capture the other's king."""
    return in_check(turned(state))


# ---------------------------------------------------------------- pawns: spans and attacks


C32 = Bits(32)


@inlined
def ahead(men: Bits) -> Bits:
    """North fill: return the squares of these men and all squares before them."""
    men |= men << C8
    men |= men << C16
    return men | men << C32


@inlined
def behind(men: Bits) -> Bits:
    """South fill: return the squares of these men and all squares behind them."""
    men |= men >> C8
    men |= men >> C16
    return men | men >> C32


@inlined
def beside(men: Bits) -> Bits:
    """Return the squares to the left and right of these men."""
    return (men & NOT_A) >> ONE | (men & NOT_H) << ONE


@inlined
def pawns_attack(pawns: Bits) -> Bits:
    """Return the squares that own pawns attack."""
    return (pawns & NOT_A) << C7 | (pawns & NOT_H) << C9


@inlined
def pawns_bite(pawns: Bits) -> Bits:
    """Return the squares that enemy pawns attack."""
    return (pawns & NOT_A) >> C9 | (pawns & NOT_H) >> C7


@inlined
def passed(state: Chess) -> Bits:
    """Return the mover's passed pawns: no pawn in front of them, and no square before them attacked by enemy pawns."""
    pawns, theirs = state.own & state.pawns, state.enemy & state.pawns
    return pawns & ~behind((pawns | theirs) >> C8 | pawns_bite(theirs))
