# SPDX-License-Identifier: GPL-3.0-or-later
"""What the steered frame leaves out by itself, as far as an individual's habits dare: margins, against the window.

Known from engines: standing on a score without search, branches out of the window's reach, late moves less deep or not
at all, moves that lose by the exchange, captures that cannot make up for what is missing. None of it asks what stands
behind a branch, so it costs no node; all of it can err.
"""

from math import log
from typing import Any

import numpy as np

from bots.evolution.steered.desk import MAN, WIN, Desk
from bots.evolution.steered.steering import NEVER
from bots.evolution.steered.values import in_men
from engine.game import State, exchange_reaches
from engine.kernel import inlined

STANDING, HOPE, HOPE_A_PLY, FEW, RISK, TRUST, DESPAIR, LATE, SETTLED, LIGHTER, NARROW = range(11)
ESTEEM, REFUTED, PRINCIPAL, WORSE, DISDAIN, UNKNOWN, SURPLUS, LEARNING = range(11, 19)
BETTER, FORESIGHT, EVASIVE = range(19, 22)
"""Places of ``Desk.dares``, in the order of ``steering.Daring``."""
PER_MAN = 100.0
"""Points of ``gain`` that a man is worth."""


@inlined
def stood(stand: Any, depth: float, worse: bool, beta: Any, desk: Desk) -> bool:
    """Return whether a score is so far above the window that it may stand for a search of that depth."""
    margin = desk.dares[STANDING]
    plies = depth if worse else max(depth - desk.dares[BETTER], 0.0)
    return margin < NEVER and stand - np.int64(margin * plies * desk.control[MAN]) >= beta


@inlined
def hoped(stand: Any, won: Any, depth: float, desk: Desk) -> Any:
    """Return what a move that wins so many points is hoped to come to at most."""
    dares = desk.dares
    return stand + np.int64((won / PER_MAN + dares[HOPE] + dares[HOPE_A_PLY] * depth) * desk.control[MAN])


@inlined
def enough(tried: int, depth: float, worse: bool, desk: Desk) -> bool:
    """Return whether so many moves were tried at a depth that no quiet one needs to be."""
    most = desk.dares[FEW] * (1.0 + depth * depth / 2.0)
    return tried >= (most / (1.0 + desk.dares[WORSE]) if worse else most)


@inlined
def risky(state: State, move: int, depth: float, desk: Desk) -> bool:
    """Return whether a move loses too much by the exchange for such a depth to make up for it."""
    risk = desk.dares[RISK]
    return risk < NEVER and not exchange_reaches(state, move, -int(PER_MAN * risk * depth))


@inlined
def reduction(depth: float, tried: int, lean: float, open_: bool, cut: bool, worse: bool, desk: Desk) -> float:
    """Return by how many plies a late move is searched less deep. ``lean``: what is thought of it."""
    dares = desk.dares
    if tried < dares[SETTLED]:
        return 0.0
    plies = dares[LATE] * log(max(depth, 1.0)) * log(tried + 1.0) - dares[ESTEEM] * lean
    if open_:
        plies -= dares[PRINCIPAL]
    if cut:
        plies += dares[REFUTED]
    if worse:
        plies += dares[WORSE]
    return max(plies, 0.0)


@inlined
def believed(state: State, move: int, stand: Any, beta: Any, desk: Desk) -> bool:
    """Return whether what a move wins by the exchange is so much that nobody needs to look."""
    trust = desk.dares[TRUST]
    if trust >= NEVER or abs(beta) >= desk.control[WIN] // 2:
        return False
    return exchange_reaches(state, move, int(PER_MAN * (in_men(beta - stand, desk) + trust)))


@inlined
def least_won(stand: Any, bar: Any, desk: Desk) -> Any:
    """Return the points that a capture must win by the exchange to be worth a look."""
    despair = desk.dares[DESPAIR]
    if despair >= NEVER:
        return np.int64(0)
    return max(np.int64(PER_MAN * (in_men(bar - stand, desk) - despair)), np.int64(0))
