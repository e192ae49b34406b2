# SPDX-License-Identifier: GPL-3.0-or-later
"""Expected points of a position from the chances of wins and gammons, without and with a doubling cube.

The value with a cube follows R. Janowski, Take-points in money games, 1993: it interpolates between a dead cube, which
is not used any more, and a live cube, which is always used at the best moment.
"""

import numpy as np

from engine.kernel import inlined

POINT = 1_000_000
"""Score of one point; also the unit of chances: a chance of 1."""
LOGIT = 10_000
"""Units of a logit: the natural logarithm of the odds."""

_STEP = LOGIT // 16
_LAST = 16 * 16
"""Steps of the table: at logits of 16 a chance of 10 ** -7 is left."""
_LOGISTIC = np.rint(POINT / (1 + np.exp(-np.arange(_LAST + 2) / 16))).astype(np.int64)


@inlined
def chance_of(logit: int) -> int:
    """Return the chance, in millionths, of a logit, by an integer table: the same on every machine."""
    size = min(abs(logit), _STEP * _LAST)
    place, rest = size // _STEP, size % _STEP
    chance = (_LOGISTIC[place] * (_STEP - rest) + _LOGISTIC[place + 1] * rest) // _STEP
    return chance if logit >= 0 else POINT - chance


@inlined
def without_cube(win: int, gain: int, loss: int) -> int:
    """Return the expected points of a chance to win, and of the mean points of won and of lost games."""
    return (win * gain - (POINT - win) * loss) // POINT


@inlined
def with_cube(win: int, gain: int, loss: int, life: int, owner: int) -> int:
    """Return the expected points, as multiples of the cube.

    ``life``: efficiency of the cube, from 0 to POINT; ``owner``: 1 the own side, -1 the other one, 0 nobody. If
    doubling wins the stakes at once, the value for a side that may double is at least the stakes.
    """
    plain = without_cube(win, gain, loss)
    value = win * (gain + loss + life // 2) // POINT - loss
    if owner == 0:
        value = 4 * (value - life // 4) * POINT // (4 * POINT - life)
    elif owner < 0:
        value -= life // 2
    if life and owner >= 0:
        # less than the stakes, so that a double that wins them at once is preferred
        value = min(value, max(POINT - 1, plain))
    if life and owner <= 0:
        value = max(value, min(1 - POINT, plain))
    return value


@inlined
def worth(win: int, gammons: int, lost: int, life: int, owner: int, deciding: int, offered: int) -> int:
    """Return the expected points of the side on roll, as multiples of the cube.

    ``win``: logit of its win; ``gammons`` and ``lost``: logits that a win, and a loss, is a gammon; ``deciding``: it
    may double now; ``offered``: it has doubled, and the other side takes or drops.
    """
    chance, gain, loss = chance_of(win), POINT + chance_of(gammons), POINT + chance_of(lost)
    value = with_cube(chance, gain, loss, life, owner)
    if deciding or offered:
        doubled = min(2 * with_cube(chance, gain, loss, life, -1), POINT)
        value = doubled if offered else max(value, doubled)
    return value
