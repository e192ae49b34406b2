# SPDX-License-Identifier: GPL-3.0-or-later
"""What is attacked, what is pinned, and where a check can be answered; eight directions at once."""

from engine.bits import Bits, lowest
from engine.games.chess.board import (
    BITE,
    C7,
    C9,
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
from engine.lanes import (
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


@inlined
def rays(sliders: Lanes, empty: Lanes) -> Lanes:
    """Return what ``sliders`` attack in each lane's direction: empty squares and the first that is none.

    Kogge-Stone fill: one, two, then four steps reach every square of a line.
    """
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
    """Return both sides' pieces that move along each lane's direction."""
    return weave(state.straight, state.diagonal)


@compiled
def leapers(state: Chess, enemy: Bits) -> Bits:
    """Return the pawns and knights of ``enemy`` that attack the mover's king."""
    king = state.own & state.kings
    pawns = ((king & NOT_A) << C7 | (king & NOT_H) << C9) & state.pawns
    return (pawns | KNIGHT[lowest(king)] & state.knights) & enemy


@compiled
def answers(state: Chess, foe: Lanes, king: Lanes) -> Bits:
    """Return the squares where a move of any piece but the king must end when in check.

    ``foe``: what the enemy's sliders attack; ``king``: the ray from the king towards each lane's attacker.
    """
    between = common(where(foe & spread(state.own & state.kings), king, spread(FULL)))
    near = leapers(state, state.enemy)
    if not near:
        return between
    return ZERO if near & (near - ONE) else between & near


@compiled
def through(state: Chess) -> Bits:
    """Return the squares that the enemy's sliders attack, the mover's king being transparent."""
    sliders = sliders_of(state) & spread(state.enemy)
    return union(rays(sliders, spread(~(state.own | state.enemy) | state.own & state.kings)))


@inlined
def survey(state: Chess) -> tuple[Bits, Bits, Bits, Lanes, Lanes, Lanes]:
    """Return all that legality depends on.

    Attacked squares; the squares where a move must end that is not the king's; pinned pieces; lane by lane the pieces
    that may move in its direction; sliders; empty squares.
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
    if some(pins):  # a branch is faster: its prediction breaks the dependence on both fills
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
    """Return the position as the other side would see it, were it to move."""
    boards = packed(state) & ~packed(FORGOTTEN)
    return Chess(*unpacked(exchanged(upside_down(boards))))


@compiled
def exposed(state: Chess) -> bool:
    """Return whether the mover could capture the other's king."""
    return in_check(turned(state))
