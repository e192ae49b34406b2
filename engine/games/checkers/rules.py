# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkers rules of both variants as kernels: whole bitboards of men are moved by rotations."""

import numpy as np

from engine.bitboards.bits import Bits, lowest, popcount, rotate
from engine.game import Moves, continuations, count_moves, features, irreversible, legal_moves, outcome, step, to_move
from engine.games.checkers.board import (
    BANDS,
    BOTTOM,
    CAPTURED_MASK,
    CAPTURED_SHIFT,
    CENTRE,
    FAR,
    INDEX,
    NEAR,
    ONE,
    PATH_AT,
    SQUARES,
    TARGET_AT,
    TOP,
    ZERO,
    Checkers,
    Lecture,
)
from engine.hints.alphabeta import gain, slot
from engine.kernel import compiled, implements, inlined

TWO, THREE, FOUR, HIGH, SLOT_MASK, SLOT_TURN = (Bits(n) for n in (2, 3, 4, 5, 31, 11))
MAN, KING, CROWN = 100, 300, 200


@inlined
def ahead(state: Checkers) -> tuple[Bits, Bits]:
    """Return the rotations of one step forward (near, far) for the mover."""
    return (NEAR, FAR) if state.turn == ZERO else (ZERO - NEAR, ZERO - FAR)


@inlined
def survey(state: Checkers) -> tuple[Bits, Bits, Bits, Bits]:
    """Return the squares from which a man can step (near, far), and from which it can jump (near, far)."""
    near, far = ahead(state)
    empty = SQUARES & ~(state.own | state.enemy)
    return (
        rotate(empty, ZERO - near),
        rotate(empty, ZERO - far),
        rotate(rotate(empty, ZERO - near) & state.enemy, ZERO - near),
        rotate(rotate(empty, ZERO - far) & state.enemy, ZERO - far),
    )


@inlined
def retreat(state: Checkers) -> tuple[Bits, Bits, Bits, Bits]:
    """Like ``survey`` for steps backward, which only kings can make."""
    near, far = ahead(state)
    empty = SQUARES & ~(state.own | state.enemy)
    return (
        rotate(empty, near),
        rotate(empty, far),
        rotate(rotate(empty, near) & state.enemy, near),
        rotate(rotate(empty, far) & state.enemy, far),
    )


# ---------------------------------------------------------------- listing


@inlined
def written(origin: Bits, target: Bits, captured: Bits, path: Bits) -> np.int64:
    """Encode a move; see ``engine.games.checkers.board``."""
    return np.int64(origin | target << TARGET_AT | captured << CAPTURED_SHIFT | path << PATH_AT)


@inlined
def list_steps(movers: Bits, way: Bits, out: Moves, count: int) -> int:
    while movers:
        origin = lowest(movers)
        out[count] = written(origin, (origin + way) & INDEX, ZERO, ZERO)
        count += 1
        movers &= movers - ONE
    return count


@compiled
def list_quiet(state: Checkers, out: Moves, count: int) -> int:
    """Append all moves without capture."""
    near, far = ahead(state)
    step_near, step_far, _, _ = survey(state)
    count = list_steps(state.own & step_near, near, out, count)
    count = list_steps(state.own & step_far, far, out, count)
    kings = state.own & state.kings
    if kings:
        back_near, back_far, _, _ = retreat(state)
        count = list_steps(kings & back_near, ZERO - near, out, count)
        count = list_steps(kings & back_far, ZERO - far, out, count)
    return count


@inlined
def rotation(state: Checkers, direction: Bits) -> Bits:
    """Return the rotation of a direction from 0 to 3."""
    near, far = ahead(state)
    way = near if direction & ONE == ZERO else far
    return way if direction < TWO else ZERO - way


@compiled
def list_jumps_of(state: Checkers, origin: Bits, prefixes: bool, out: Moves, count: int) -> int:
    """Append the complete jump sequences of the piece on the bit ``origin``; with ``prefixes``, their beginnings too.

    Depth-first search of the tree of jumps. ``path``: the direction of each jump, two bits each; bit j of ``grown`` is
    set if the sequence of the first j jumps was continued.
    """
    enemy, here = state.enemy, ONE << origin
    empty = SQUARES & ~(state.own | enemy) | here
    directions = FOUR if here & state.kings else TWO
    path, captured, grown, direction = ZERO, ZERO, ZERO, ZERO
    length = ZERO
    while True:
        if direction < directions:
            way = rotation(state, direction)
            jumped = rotate(here, way) & enemy & ~captured
            target = rotate(jumped, way) & empty
            if target:
                grown |= ONE << length
                path |= direction << (length << ONE)
                length += ONE
                grown &= ~(ONE << length)
                captured |= jumped
                here = target
                direction = ZERO
                if prefixes:
                    out[count] = written(origin, lowest(here), captured, path)
                    count += 1
            else:
                direction += ONE
            continue
        if length == ZERO:
            return count
        if not prefixes and not (grown >> length) & ONE:
            out[count] = written(origin, lowest(here), captured, path)
            count += 1
        length -= ONE
        direction = (path >> (length << ONE)) & THREE
        path &= ~(THREE << (length << ONE))
        way = rotation(state, direction)
        here = rotate(here, ZERO - way)
        captured &= ~here
        here = rotate(here, ZERO - way)
        direction += ONE


@inlined
def list_hits(men: Bits, way: Bits, direction: Bits, out: Moves, count: int) -> int:
    """Append the jumps of men that can jump only once."""
    while men:
        origin = lowest(men)
        captured = rotate(men & ~(men - ONE), way)
        target = (origin + way + way) & INDEX
        out[count] = written(origin, target, captured, direction)
        count += 1
        men &= men - ONE
    return count


@compiled
def list_jumps(state: Checkers, prefixes: bool, out: Moves) -> int:
    """Write all captures; return their number."""
    near, far = ahead(state)
    _, _, jump_near, jump_far = survey(state)
    again = jump_near | jump_far
    men = state.own & ~state.kings
    hit_near, hit_far = men & jump_near, men & jump_far
    walkers = hit_near & rotate(again, ZERO - near - near) | hit_far & rotate(again, ZERO - far - far)
    count = list_hits(hit_near & ~walkers, near, ZERO, out, 0)
    count = list_hits(hit_far & ~walkers, far, ONE, out, count)
    kings = state.own & state.kings
    if kings:
        _, _, back_near, back_far = retreat(state)
        walkers |= kings & (again | back_near | back_far)
    while walkers:
        count = list_jumps_of(state, lowest(walkers), prefixes, out, count)
        walkers &= walkers - ONE
    return count


@implements(legal_moves, Checkers)
def _captures_or_else_quiet(state: Checkers, out: Moves) -> int:
    count = list_jumps(state, False, out)
    return count or list_quiet(state, out, 0)


@implements(legal_moves, Lecture)
def _captures_and_quiet(state: Checkers, out: Moves) -> int:
    return list_quiet(state, out, list_jumps(state, True, out))


# ---------------------------------------------------------------- counting


@inlined
def count_quiet(state: Checkers) -> int:
    step_near, step_far, _, _ = survey(state)
    count = popcount(state.own & step_near) + popcount(state.own & step_far)
    kings = state.own & state.kings
    if kings:
        back_near, back_far, _, _ = retreat(state)
        count += popcount(kings & back_near) + popcount(kings & back_far)
    return count


@implements(continuations, Checkers)
@implements(count_moves, Checkers)
def _count_captures_or_else_quiet(state: Checkers, out: Moves) -> int:
    near, far = ahead(state)
    step_near, step_far, jump_near, jump_far = survey(state)
    hit_near, hit_far = state.own & jump_near, state.own & jump_far
    again = (rotate(hit_near, near + near) | rotate(hit_far, far + far)) & (jump_near | jump_far)
    if again | state.own & state.kings:
        count = list_jumps(state, False, out)
        return count or count_quiet(state)
    # without a branch, because captures are hard to predict for a processor
    quiet = hit_near | hit_far == ZERO
    return popcount(state.own & step_near if quiet else hit_near) + popcount(state.own & step_far if quiet else hit_far)


@implements(continuations, Lecture)
@implements(count_moves, Lecture)
def _count_captures_and_quiet(state: Checkers, out: Moves) -> int:
    return count_quiet(state) + list_jumps(state, True, out)


# ---------------------------------------------------------------- making a move


@inlined
def moved(state: Checkers, move: Bits) -> tuple[Bits, Bits, Bits, Bits]:
    """Return the fields of the state after a move."""
    origin, target = ONE << (move & INDEX), ONE << ((move >> TARGET_AT) & INDEX)
    captured = (move >> CAPTURED_SHIFT) & CAPTURED_MASK
    kings = state.kings & ~captured
    if kings & origin:
        kings ^= origin ^ target
    kings |= target & (BOTTOM if state.turn == ZERO else TOP)
    return state.enemy & ~captured, state.own ^ origin ^ target, kings, state.turn ^ ONE


@implements(step, Checkers)
def _step(state: Checkers, move: int) -> Checkers:
    return Checkers(*moved(state, np.uint64(move)))


@implements(step, Lecture)
def _step_lecture(state: Checkers, move: int) -> Lecture:
    return Lecture(*moved(state, np.uint64(move)))


# ---------------------------------------------------------------- both variants


@implements(to_move, Checkers, Lecture)
def _to_move(state: Checkers) -> np.int64:
    return np.int64(state.turn)


@implements(outcome, Checkers, Lecture)
def _outcome(state: Checkers) -> tuple[bool, float, float]:
    """A side that cannot move loses."""
    step_near, step_far, jump_near, jump_far = survey(state)
    able = state.own & (step_near | step_far | jump_near | jump_far)
    kings = state.own & state.kings
    if not able and kings:
        back_near, back_far, jump_back_near, jump_back_far = retreat(state)
        able = kings & (back_near | back_far | jump_back_near | jump_back_far)
    loss = -1.0 if state.turn == ZERO else 1.0
    return not able, loss, -loss


@implements(irreversible, Checkers, Lecture)
def _irreversible(state: Checkers, move: Bits) -> bool:
    move = np.uint64(move)
    origin = ONE << (move & INDEX)
    return bool((move >> CAPTURED_SHIFT) & CAPTURED_MASK) or not state.kings & origin


@implements(gain, Checkers, Lecture)
def _gain(state: Checkers, move: Bits) -> int:
    """Points: a captured man 100, a captured king 300, a promotion the difference."""
    move = np.uint64(move)
    captured = (move >> CAPTURED_SHIFT) & CAPTURED_MASK
    points = MAN * popcount(captured) + (KING - MAN) * popcount(captured & state.kings)
    crowned = (ONE << ((move >> TARGET_AT) & INDEX)) & (BOTTOM if state.turn == ZERO else TOP)
    if crowned and not (ONE << (move & INDEX)) & state.kings:
        points += CROWN
    return points


@implements(slot, Checkers, Lecture)
def _slot(state: Checkers, move: Bits) -> np.int64:
    """Turn, origin and the low bits of the target, which are unambiguous given the origin."""
    move = np.uint64(move)
    return np.int64(state.turn << SLOT_TURN | (move & INDEX) << HIGH | (move >> TARGET_AT) & SLOT_MASK)


@inlined
def advances(men: Bits) -> tuple[int, int]:
    """Return the advance of men as black and as white: 0 to 3 by bands of two rows."""
    down = popcount(men & BANDS[1]) + 2 * popcount(men & BANDS[2]) + 3 * popcount(men & BANDS[3])
    return down, 3 * popcount(men) - down


@implements(features, Checkers, Lecture)
def _features(state: Checkers) -> tuple[int, int, int, int]:
    """Men, kings, kings in the centre, and the advance of men, own minus other's."""
    own_kings, enemy_kings = state.own & state.kings, state.enemy & state.kings
    own_men, enemy_men = state.own ^ own_kings, state.enemy ^ enemy_kings
    own_down, own_up = advances(own_men)
    enemy_down, enemy_up = advances(enemy_men)
    return (
        popcount(own_men) - popcount(enemy_men),
        popcount(own_kings) - popcount(enemy_kings),
        popcount(own_kings & CENTRE) - popcount(enemy_kings & CENTRE),
        own_down - enemy_up if state.turn == ZERO else own_up - enemy_down,
    )
