# SPDX-License-Identifier: GPL-3.0-or-later
"""Move ordering of the selective search: table move, captures, killers, counter move, histories, losing captures.

Each move has an ordering key; the largest comes first. Its lowest 16 bits hold the place in the list of legal moves.
The table's move comes first; then probable moves of a modelled opponent; moves with a gain, by gain; two killers; the
counter move; the other quiet moves by history; moves that lose by the exchange (SEE). Histories and exchanges are
computed only when such moves come up, because most positions are cut off earlier.
"""

from typing import Any

import numpy as np

from engine.game import State
from engine.hints.alphabeta import aim, exchange_reaches, gain, slot
from engine.kernel import compiled, inlined
from engine.native.buffers import borrowed
from engine.search.memory import AIM, FIRST_KILLER, KEY, SECOND_KILLER, SLOT, SWITCHES, TOOK, Memory
from engine.search.opponent import ANY, FEATURES, WHOLE, stored_prior, write_features
from engine.search.selective.table import MARK
from engine.search.switches import Switch

TACTICAL = int(Switch.GAINS | Switch.SEE)
SEE, KILLERS, HISTORY, COUNTER_MOVES, CONTINUATION_HISTORY = (
    int(Switch.SEE),
    int(Switch.KILLERS),
    int(Switch.HISTORY),
    int(Switch.COUNTER_MOVES),
    int(Switch.CONTINUATION_HISTORY),
)
PROBABLE_FIRST = int(Switch.PROBABLE_FIRST)

PLACES = 0xFFFF
TABLES, PROBABLE, WINNING, KILLER, OTHER_KILLER, COUNTER = 1 << 40, 1 << 38, 1 << 34, 1 << 30, 1 << 29, 1 << 28
LOSING = -(1 << 34)
UNRATED = -(1 << 24)
"""Rank of a quiet move whose history was not looked up yet: below all others but losing moves."""
TRIED = -(1 << 62)
"""Key of a move that was searched or skipped."""

MOST = 16384
"""Bound of a history."""


@inlined
def history_score(state: State, seat: int, row: int, move: int, memory: Memory) -> Any:
    """Return the history of a quiet move: history heuristic and continuation history."""
    switches = memory.control[SWITCHES]
    merit = np.int64(0)
    if switches & HISTORY:
        merit += memory.history[seat, slot(state, move)]
    if switches & CONTINUATION_HISTORY:
        place = aim(state, move)
        merit += np.int64(memory.continuation[0, memory.path[row, AIM], place])
        merit += np.int64(memory.continuation[1, memory.path[max(row - 1, 0), AIM], place])
    return merit


@compiled
def rate(state: State, seat: int, ply: int, row: int, count: int, known: int, loan: Memory) -> None:
    """Compute the ordering keys of the ``count`` moves at ``ply``; ``known``: low bits of the table's move, or -1."""
    memory = borrowed(loan)
    switches = memory.control[SWITCHES]
    moves, order = memory.moves[ply], memory.order[ply]
    first, second = memory.path[row, FIRST_KILLER], memory.path[row, SECOND_KILLER]
    last = memory.path[row, SLOT]
    counter = memory.counter_moves[seat, last] if switches & COUNTER_MOVES and last >= 0 else -1
    for i in range(count):
        move = moves[i]
        merit: Any
        won = np.int64(gain(state, move)) if switches & TACTICAL else 0
        if move & MARK == known:
            merit = TABLES
        elif won > 0:
            merit = WINNING + won
        elif switches & KILLERS and move == first:
            merit = KILLER
        elif switches & KILLERS and move == second:
            merit = OTHER_KILLER
        elif move == counter:
            merit = COUNTER
        else:
            merit = UNRATED
        order[i] = merit << 16 | (PLACES - i)


@compiled
def rate_quiet(state: State, seat: int, ply: int, row: int, count: int, loan: Memory) -> None:
    """Compute the ordering keys of the quiet moves from their histories."""
    memory = borrowed(loan)
    moves, order = memory.moves[ply], memory.order[ply]
    for i in range(count):
        if order[i] >> 16 == UNRATED:
            order[i] = history_score(state, seat, row, moves[i], memory) << 16 | (PLACES - i)


@compiled
def foremost(ply: int, count: int, loan: Memory) -> int:
    """Return the largest ordering key at ``ply``."""
    order = borrowed(loan).order[ply]
    best = order[0]
    for i in range(1, count):
        best = max(best, order[i])
    return best


@inlined
def next_move(state: State, seat: int, ply: int, row: int, count: int, loan: Memory) -> Any:
    """Take the best remaining move; return its ordering key, TRIED if none is left."""
    memory = borrowed(loan)
    order = memory.order[ply]
    while True:
        best = foremost(ply, count, loan)
        if best == TRIED:
            return best
        place = PLACES - (best & PLACES)
        merit = best >> 16
        if merit == UNRATED:
            rate_quiet(state, seat, ply, row, count, loan)
            continue
        unweighed = memory.control[SWITCHES] & SEE and WINNING <= merit < PROBABLE
        if unweighed and not exchange_reaches(state, memory.moves[ply, place], 0):
            order[place] = best + ((LOSING - WINNING) << 16)
            continue
        order[place] = TRIED
        return best


@inlined
def skip_quiet_moves(ply: int, count: int, memory: Memory) -> None:
    """Skip the remaining quiet moves, except probable ones.

    Without a switch that tells quiet moves from others, no move is skipped.
    """
    order = memory.order[ply]
    known = memory.control[SWITCHES] & TACTICAL
    for i in range(count):
        if known and LOSING // 2 < order[i] >> 16 < WINNING:
            order[i] = TRIED


@inlined
def chosen(ply: int, number: int, memory: Memory) -> Any:
    """Return the move of an ordering key."""
    return memory.moves[ply, PLACES - (number & PLACES)]


@inlined
def loses(number: int) -> bool:
    """Return whether an ordering key is that of a move that loses by the exchange."""
    return number >> 16 <= LOSING // 2


@inlined
def with_gravity(merit: int, credit: int, most: int) -> Any:
    """Add a bonus to a history with gravity: the nearer it is to its bound, the less it changes."""
    return merit + credit - merit * abs(credit) // most


@compiled
def reward(state: State, seat: int, ply: int, row: int, move: int, tried: int, depth: int, loan: Memory) -> None:
    """Update killers, counter move and histories after a quiet cutoff; the ``tried`` moves in ``slots`` failed."""
    memory = borrowed(loan)
    path = memory.path
    if path[row, FIRST_KILLER] != move:
        path[row, SECOND_KILLER] = path[row, FIRST_KILLER]
        path[row, FIRST_KILLER] = move
    if path[row, SLOT] >= 0:
        memory.counter_moves[seat, path[row, SLOT]] = move
    credit = min(memory.margins.history_bonus * depth, memory.margins.history_bonus_limit)
    note(state, seat, row, move, credit, loan)
    for i in range(tried):
        note(state, seat, row, memory.slots[ply, i], -credit, loan)


@compiled
def note(state: State, seat: int, row: int, move: int, credit: int, loan: Memory) -> None:
    """Add a bonus to the histories of a quiet move."""
    memory = borrowed(loan)
    place = slot(state, move)
    memory.history[seat, place] = with_gravity(memory.history[seat, place], credit, MOST)
    target = aim(state, move)
    for back in range(2):
        before = memory.path[max(row - back, 0), AIM]
        if before:
            did = np.int64(memory.continuation[back, before, target])
            memory.continuation[back, before, target] = with_gravity(did, credit, MOST)


# ---------------------------------------------------------------- probable moves of a modelled opponent


@compiled
def predict(state: State, seat: int, ply: int, row: int, count: int, known: int, loan: Memory) -> None:
    """Compute the prior of each of the ``count`` moves at ``ply``, and move probable moves to the front.

    ``known``: low bits of the table's move, or -1; it stays first.
    """
    memory = borrowed(loan)
    model = memory.opponent
    moves, order, priors = memory.moves[ply], memory.order[ply], memory.priors[ply]
    mark = memory.path[row, KEY]
    if stored_prior(model.known, mark, ANY) >= 0:
        for i in range(count):
            priors[i] = max(stored_prior(model.known, mark, moves[i]), 0)
    else:
        features = np.empty(FEATURES)
        scores = np.empty(count)
        most = -np.inf
        for i in range(count):
            write_features(
                state, moves[i], seat, memory.path[row, TOOK] != 0, moves[i] & MARK == known, model, features
            )
            score = 0.0
            for place in range(FEATURES):
                score += features[place] * model.weights[place]
            scores[i] = score
            most = max(most, score)
        total = 0.0
        for i in range(count):
            scores[i] = np.exp(scores[i] - most)
            total += scores[i]
        for i in range(count):
            priors[i] = np.int64(scores[i] / total * WHOLE)
    if model.shuffled[0] and count > 1:
        _shift(priors, count, 1 + np.int64(np.uint64(mark) % np.uint64(count - 1)))
    if memory.control[SWITCHES] & PROBABLE_FIRST:
        for i in range(count):
            if priors[i] >= memory.margins.probable and moves[i] & MARK != known:
                order[i] = (PROBABLE + priors[i]) << 16 | (PLACES - i)


@compiled
def _shift(priors, count: int, places: int) -> None:  # type: ignore[no-untyped-def]  # numba infers the types
    """Give each prior to the move this many places further on."""
    before = priors[:count].copy()
    for i in range(count):
        priors[(i + places) % count] = before[i]


@inlined
def prior(ply: int, number: int, memory: Memory) -> Any:
    """Return the opponent model's prior of the move of an ordering key."""
    return memory.priors[ply, PLACES - (number & PLACES)]
