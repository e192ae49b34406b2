# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of backgammon: expected points from the chance to win and the chances that a win or a loss is a gammon.

Each chance has a logit, linear in features. The logit of a win has weights of its own for three phases: contact in
which both sides have men to bring past each other, other contact, and the race. Its features are those of the side on
roll minus those of the other side. ``worth`` converts the chances to points.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.bitboards.bits import backwards, highest, lowest, popcount
from engine.evaluation import Words
from engine.game import State, score, to_move, vector
from engine.games.backgammon.board import (
    BAR,
    DECIDING,
    HOME,
    MEN,
    OFFERED,
    OPENING,
    OWNER,
    PHASE,
    POINTS,
    Backgammon,
    Planes,
    men_on,
    occupied,
    planes,
    several,
)
from engine.games.backgammon.shots import ROLLS, blocked, hits, rolls_off
from engine.games.backgammon.worth import LOGIT, worth
from engine.kernel import implements, inlined, part

_CONTACT = (
    "on roll",
    "men borne off",
    "pips",
    "pips by the length of the race",
    "men on the bar",
    "men on the bar by points of the other home board",
    "men on the bar by squared points of the other home board",
    "shots",
    "shots by points of the other home board",
    "shots by lost pips",
    "later shots",
    "later shots by points of the other home board",
    "rolls that block the last man",
    "rolls that block the last man by men in the other home board",
    "prime",
    "men trapped by a prime",
    "men in the other home board",
    "men in the other home board by its points",
    "home board",
    *(f"point {point}" for point in range(1, BAR)),
    *(f"blot {point}" for point in range(1, BAR)),
    *(f"spare men on point {point}" for point in range(1, BAR)),
)
(
    ON_ROLL,
    BORNE_OFF,
    PIPS,
    SHARE,
    ON_BAR,
    ON_BAR_BOARD,
    ON_BAR_SQUARE,
    SHOTS,
    SHOTS_BOARD,
    SHOTS_PIPS,
    LATER,
    LATER_BOARD,
    BLOCKED,
    BLOCKED_BACK,
    PRIME,
    TRAPPED,
    BACK,
    BACK_BOARD,
    BOARD,
    MADE,
) = range(20)
BLOT = MADE + 24
SPARE = BLOT + 24

_RACE = (
    "on roll",
    "on roll by the root of the length",
    "pips",
    "pips by the length",
    "pips by the root of the length",
    "men borne off by the root of the length",
    "rolls to bear off by the root of the length",
    "men outside of the home board by the root of the length",
    *(f"men on point {point} by the root of the length" for point in range(1, HOME + 1)),
    "logit of the last two rolls",
)
(
    RACE_ON_ROLL,
    RACE_TEMPO,
    RACE_PIPS,
    RACE_SHARE,
    RACE_ROOT,
    RACE_OFF,
    RACE_ROLLS,
    RACE_OUTSIDE,
    RACE_POINT,
) = range(9)
RACE_LAST = RACE_POINT + HOME

_GAMMON = (
    "always",
    "race",
    "a man borne off",
    "pips to the home board",
    "pips to the home board by those of the winner",
    "the same in a race",
    "pips of the winner",
    "men borne off by the winner",
    "men on the bar",
    "men on the bar by points of the winner's home board",
    "men in the winner's home board",
    "points of the winner's home board",
    "points made there",
    "blots",
    "blots of the winner",
)
(
    ALWAYS,
    IN_RACE,
    SAVED,
    TO_HOME,
    TO_HOME_SHARE,
    TO_HOME_RACE,
    WINNER_PIPS,
    WINNER_OFF,
    LOSER_BAR,
    LOSER_BAR_BOARD,
    LOSER_BACK,
    WINNER_BOARD,
    ANCHORS,
    LOSER_BLOTS,
    WINNER_BLOTS,
) = range(15)

CROSSING = 0
PASSED = CROSSING + len(_CONTACT)
RACE = PASSED + len(_CONTACT)
GAMMON = RACE + len(_RACE)
LOST = GAMMON + len(_GAMMON)
"""First features of the parts: the three phases of the logit of a win, and the logits of gammons won and lost."""
CUBE = LOST + len(_GAMMON)
LIFE, OWNED, CHOICE, OFFER, STAKES = range(CUBE, CUBE + 5)

NAMES = (
    *(f"crossing: {name}" for name in _CONTACT),
    *(f"passed: {name}" for name in _CONTACT),
    *(f"race: {name}" for name in _RACE),
    *(f"gammon: {name}" for name in _GAMMON),
    *(f"lost gammon: {name}" for name in _GAMMON),
    "cube: efficiency",
    "cube: owner",
    "cube: choice to double",
    "cube: offered",
    "stakes",
)

FIXED = {
    **dict.fromkeys((GAMMON + SAVED, LOST + SAVED), -200_000),
    LIFE: 680,
    **dict.fromkeys((RACE + RACE_LAST, OWNED, CHOICE, OFFER, STAKES), 1),
}
"""Weights that are not fitted. A side that has borne off a man cannot lose a gammon; the cube's efficiency is about two
thirds; the rules of the cube do not depend on weights.
"""

RANGES = tuple((FIXED[index], FIXED[index]) if index > LIFE else (-1_000_000, 1_000_000) for index in range(len(NAMES)))

_HOME = (2 << HOME) - 2
_BACK = (1 << BAR + 1) - (1 << 19)
"""The points in the other home board, and the bar."""
SHARES = 1000
"""Fixed-point unit of shares. Features of a race are divided by the square root of its length, in the same unit."""
ALMOST = 10
"""Pips that two men can almost always bear off with two rolls."""
LONG = 20
"""Pips that are added to the length of a race."""


@inlined
def _counted(weights: Words, out: Words, listing: bool, index: int, amount: int) -> int:
    """Count an amount of a feature: return its score, or, for a list, add it to ``out``."""
    if listing:
        out[index] += amount
        return 0
    return weights[index] * amount


@inlined
def pips_of(men: Planes) -> int:
    """Return the pip count: the sum of the points of all men."""
    total = np.int64(0)
    for place in range(4):
        left = men[place] & ~1
        # the sum of the places of bits, by the binary digits of the places
        total += (
            popcount(np.uint64(left & 0xAAAAAAAA))
            + 2 * popcount(np.uint64(left & 0xCCCCCCCC))
            + 4 * popcount(np.uint64(left & 0xF0F0F0F0))
            + 8 * popcount(np.uint64(left & 0xFF00FF00))
            + 16 * popcount(np.uint64(left & 0xFFFF0000))
        ) << place
    return total  # type: ignore[return-value]  # an int of 64 bits, compiled


@inlined
def last_of(men: Planes) -> int:
    """Return the highest point with men, 0 if all are borne off."""
    there = occupied(men)
    return np.int64(highest(np.uint64(there))) if there else 0  # type: ignore[return-value]  # an int of 64 bits, compiled


@part
def _contact(
    men: Planes, other: Planes, on_roll: bool, sign: int, base: int, weights: Words, out: Words, listing: bool
) -> Any:
    """Return the score of a side's features with contact; ``base``: the first feature of the phase."""
    value = np.int64(0)
    made = several(men) & POINTS
    blots = men[0] & ~several(men) & POINTS
    board = popcount(np.uint64(several(other) & _HOME))
    # the other side's men in the own view, its bar as point 0
    enemies = np.int64(backwards(np.uint64(occupied(other)))) >> 38
    blockade = np.int64(backwards(np.uint64(several(other) & POINTS))) >> 38
    value += _counted(weights, out, listing, base + BORNE_OFF, sign * men_on(men, 1))
    waiting = men_on(men, 1 << BAR)
    if waiting:
        value += _counted(weights, out, listing, base + ON_BAR, sign * waiting)
        value += _counted(weights, out, listing, base + ON_BAR_BOARD, sign * waiting * board)
        value += _counted(weights, out, listing, base + ON_BAR_SQUARE, sign * waiting * board * board)
    back = men_on(men, _BACK)
    if back:
        value += _counted(weights, out, listing, base + BACK, sign * back)
        value += _counted(weights, out, listing, base + BACK_BOARD, sign * back * board)
        stuck = blocked(last_of(men), blockade)
        value += _counted(weights, out, listing, base + BLOCKED, sign * stuck)
        value += _counted(weights, out, listing, base + BLOCKED_BACK, sign * stuck * back)
    home = popcount(np.uint64(made & _HOME))
    value += _counted(weights, out, listing, base + BOARD, sign * home * home)
    length, longest = np.int64(0), made
    prime = longest
    while longest:
        length += 1
        prime = longest
        longest &= made >> length
    if length > 2:
        value += _counted(weights, out, listing, base + PRIME, sign * (length - 2) * (length - 2))
        edge = np.int64(highest(np.uint64(prime)))
        behind = men_on(other, (2 << BAR) - (2 << BAR - edge))
        value += _counted(weights, out, listing, base + TRAPPED, sign * behind * (length - 2))
    left = made
    while left:
        point = np.int64(lowest(np.uint64(left)))
        value += _counted(weights, out, listing, base + MADE - 1 + point, sign)
        left &= left - 1
        more = men_on(men, 1 << point) - 2
        if more:
            value += _counted(weights, out, listing, base + SPARE - 1 + point, sign * more)
    left = blots
    while left:
        value += _counted(weights, out, listing, base + BLOT - 1 + np.int64(lowest(np.uint64(left))), sign)
        left &= left - 1
    if blots:
        rolls, lost = hits(enemies, men_on(other, 1 << BAR), made, blots)
        if on_roll:
            value += _counted(weights, out, listing, base + LATER, sign * rolls)
            value += _counted(weights, out, listing, base + LATER_BOARD, sign * rolls * board)
        else:
            value += _counted(weights, out, listing, base + SHOTS, sign * rolls)
            value += _counted(weights, out, listing, base + SHOTS_BOARD, sign * rolls * board)
            value += _counted(weights, out, listing, base + SHOTS_PIPS, sign * lost)
    return value


@part
def _race(men: Planes, sign: int, root: int, weights: Words, out: Words, listing: bool) -> Any:
    """Return the score of a side's features in a race, without those of both; ``root``: that of its length."""
    unit = SHARES * 10 // root
    off, outside = men_on(men, 1), men_on(men, POINTS & ~_HOME)
    value = _counted(weights, out, listing, RACE + RACE_OFF, sign * unit * off)
    value += _counted(weights, out, listing, RACE + RACE_ROLLS, sign * unit * ((16 - off) // 2))
    value += _counted(weights, out, listing, RACE + RACE_OUTSIDE, sign * unit * outside)
    for point in range(1, HOME + 1):
        amount = sign * unit * men_on(men, 1 << point)
        value += _counted(weights, out, listing, RACE + RACE_POINT - 1 + point, amount)
    return value


@inlined
def _last_rolls(men: Planes, other: Planes) -> int:
    """Return the logit of a win with two men or one: by this roll, or by the next one if the other side needs two."""
    now, answer = rolls_off(men), rolls_off(other)
    lost = (ROLLS - now) * answer
    odds = (ROLLS**2 - lost) / max(np.float64(lost), 0.01)
    return np.int64(np.rint(LOGIT * np.log(odds)))  # type: ignore[return-value]  # an int of 64 bits, compiled


@part
def _gammon(
    winner: Planes, loser: Planes, lead: int, race: bool, base: int, weights: Words, out: Words, listing: bool
) -> Any:
    """Return the logit of a gammon, or list its features; ``lead``: pips of the winner."""
    if loser[0] & 1 or several(loser) & 1:
        return np.int64(_counted(weights, out, listing, base + SAVED, 1))
    value = np.int64(_counted(weights, out, listing, base + ALWAYS, 1))
    away = np.int64(0)
    left = occupied(loser) >> HOME + 1
    while left:
        above = np.int64(lowest(np.uint64(left))) + 1
        away += above * men_on(loser, 1 << HOME + above)
        left &= left - 1
    board = popcount(np.uint64(several(winner) & _HOME))
    share = SHARES * away // (lead + LONG)
    if race:
        value += _counted(weights, out, listing, base + IN_RACE, 1)
        value += _counted(weights, out, listing, base + TO_HOME_RACE, share)
    value += _counted(weights, out, listing, base + TO_HOME, away)
    value += _counted(weights, out, listing, base + TO_HOME_SHARE, share)
    value += _counted(weights, out, listing, base + WINNER_PIPS, lead)
    value += _counted(weights, out, listing, base + WINNER_OFF, men_on(winner, 1))
    waiting = men_on(loser, 1 << BAR)
    value += _counted(weights, out, listing, base + LOSER_BAR, waiting)
    value += _counted(weights, out, listing, base + LOSER_BAR_BOARD, waiting * board)
    value += _counted(weights, out, listing, base + LOSER_BACK, men_on(loser, _BACK))
    value += _counted(weights, out, listing, base + WINNER_BOARD, board)
    value += _counted(weights, out, listing, base + ANCHORS, popcount(np.uint64(several(loser) & POINTS & _BACK)))
    value += _counted(
        weights, out, listing, base + LOSER_BLOTS, popcount(np.uint64(loser[0] & ~several(loser) & POINTS))
    )
    return value + _counted(
        weights, out, listing, base + WINNER_BLOTS, popcount(np.uint64(winner[0] & ~several(winner) & POINTS))
    )


@part
def _win(men: Planes, other: Planes, own: int, others: int, weights: Words, out: Words, listing: bool) -> Any:
    """Return the logit of a win of the side on roll, or list its features; ``own`` and ``others``: their pips."""
    lead, total = others - own, others + own + LONG
    share = SHARES * abs(lead) // total
    share = share if lead > 0 else -share
    value = np.int64(0)
    ahead, behind = last_of(men), last_of(other)
    if ahead + behind > BAR:
        base = CROSSING if min(ahead, behind) > 12 else PASSED
        value += _counted(weights, out, listing, base + ON_ROLL, 1)
        value += _counted(weights, out, listing, base + PIPS, lead)
        value += _counted(weights, out, listing, base + SHARE, share)
        value += _contact(men, other, True, 1, base, weights, out, listing)
        value += _contact(other, men, False, -1, base, weights, out, listing)
        return value
    if MEN - men_on(men, 1) <= 2 and own <= ALMOST:
        return value + _counted(weights, out, listing, RACE + RACE_LAST, _last_rolls(men, other))
    root = np.int64(np.sqrt(np.float64(100 * total)))
    by_root = SHARES * abs(lead) // root
    value += _counted(weights, out, listing, RACE + RACE_ON_ROLL, 1)
    value += _counted(weights, out, listing, RACE + RACE_TEMPO, 10 * SHARES // root)
    value += _counted(weights, out, listing, RACE + RACE_PIPS, lead)
    value += _counted(weights, out, listing, RACE + RACE_SHARE, share)
    value += _counted(weights, out, listing, RACE + RACE_ROOT, by_root if lead > 0 else -by_root)
    value += _race(men, 1, root, weights, out, listing)
    return value + _race(other, -1, root, weights, out, listing)


@inlined
def _life(men: Planes, other: Planes) -> int:
    """Return the share (of SHARES) of its full efficiency that the cube has; 0 if a side has at most two men left."""
    fewest = MEN - max(men_on(men, 1), men_on(other, 1))
    return SHARES - SHARES // max((fewest + 1) // 2, 1)


@part
def _weighed(state: State, weights: Words, out: Words, listing: bool) -> Any:
    """Return the score of a state for the seat to move, at chance nodes for seat 0; or list its features."""
    men, other = planes(state.first_low, state.first_high), planes(state.second_low, state.second_high)
    if state.seat == OPENING:
        return np.int64(0)
    if state.seat == 1:
        men, other = other, men
    own, others = pips_of(men), pips_of(other)
    race = last_of(men) + last_of(other) <= BAR
    win = _win(men, other, own, others, weights, out, listing)
    gained = _gammon(men, other, own, race, GAMMON, weights, out, listing)
    lost = _gammon(other, men, others, race, LOST, weights, out, listing)
    stakes = 1 << (state.cube & (1 << OWNER) - 1)
    if max(to_move(state), 0) != state.seat:
        stakes = -stakes
    phase = state.cube >> PHASE & 3
    life, owner = np.int64(0), np.int64(state.cube >> OWNER & 3)
    if state.cube:
        life = np.int64(_life(men, other))
        if owner:
            owner = np.int64(1 if owner == state.seat + 1 else -1)
    deciding, offered = np.int64(phase == DECIDING), np.int64(phase == OFFERED)
    if listing:
        out[LIFE], out[OWNED], out[CHOICE], out[OFFER], out[STAKES] = life, owner, deciding, offered, stakes
        return np.int64(0)
    efficiency = life * weights[LIFE]
    return stakes * worth(win, gained, lost, efficiency, owner, deciding, offered)


@implements(score, Backgammon)
def _score(state: State, terms: int, weights: Words) -> int:
    return _weighed(state, weights, weights, False)


@implements(vector, Backgammon)
def _vector(state: State, terms: int, out: Words) -> int:
    out[: len(NAMES)] = 0
    _weighed(state, out, out, True)
    return len(NAMES)


def points_of(weights: Sequence[int], features: Sequence[int]) -> int:
    """Return the score of some features: the worth of three logits."""
    parts = [weight * feature for weight, feature in zip(weights, features, strict=True)]
    win, gained, lost = sum(parts[:GAMMON]), sum(parts[GAMMON:LOST]), sum(parts[LOST:CUBE])
    return parts[STAKES] * int(worth(win, gained, lost, *parts[LIFE:STAKES]))
