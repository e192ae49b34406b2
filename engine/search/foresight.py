# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search is told of how the other side plays: beliefs in its moves, as data.

A belief in a move is its probability. Some positions have beliefs that were found elsewhere, by position and move;
elsewhere beliefs are a conditional logit over the legal moves of what the rules' kernels say of each, with weights that
were fitted to the player's games. The frame of play uses them by the switches BELIEVED_FIRST, BELIEVED_DEEPER, DOUBTED
and VERIFIED, in the manner of PrOM search (J. Donkers, "Nosce Hostem", 2003): the other side is likely to play so, but
may play anything.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.buffers import borrowed
from engine.game import AIMS, SLOTS, Moves, State, aim, exchange_reaches, gain, slot, step, threatened
from engine.kernel import compiled

OWN, ARRIVAL, GAIN, ROOT, SAFE, THREAT, SAFE_THREAT, BACK, CHOICE = range(9)
"""Facts of a move: the logarithms of how often it was made, and of how often such a man was moved there, of the times
that it could be; what it wins at once, in men, and the root of that; whether it loses nothing by the exchange; whether
it threatens, and does so safely; whether it wins something after a move that did; whether a search takes it for the
best."""

FACTS = 9

WHOLE = 1000
"""Beliefs are whole thousandths."""

KEY, MOVE, BELIEF = range(3)
"""Columns of ``Foresight.known``; a row without a belief of at least 1 is empty."""

ANY = -1
"""Stands in ``known`` for "some move": its row says that beliefs in this position are known."""


class Foresight(NamedTuple):
    """How a player plays, as compiled code reads it."""

    own: NDArray[np.float64]
    """(2 seats, SLOTS): logarithms of how often a move was made of the times that it could be."""
    arrival: NDArray[np.float64]
    """(2 seats, AIMS): the same of a man and its target."""
    weights: NDArray[np.float64]
    """(FACTS): of the facts."""
    known: NDArray[np.int64]
    """(2 ** bits, 3): beliefs in moves of single positions, + 1, found by open addressing; at most half of it full."""
    awry: NDArray[np.int64]
    """(1): unless 0, beliefs are given to other moves than they belong to, for comparison: what the switches change by
    themselves, whatever is known of the player."""


def nothing() -> Foresight:
    """Return what is known of a stranger; not to be searched with."""
    return Foresight(
        np.zeros((2, 1)), np.zeros((2, 1)), np.zeros(FACTS), np.zeros((2, 3), np.int64), np.zeros(1, np.int64)
    )


def leaning(own: NDArray[np.float64], arrival: NDArray[np.float64], weights: NDArray[np.float64]) -> Foresight:
    """Return what frequencies and weights say. Raises ValueError for other shapes than ``Foresight`` has."""
    if own.shape != (2, SLOTS) or arrival.shape != (2, AIMS) or weights.shape != (FACTS,):
        raise ValueError("frequencies are of two seats, and each fact has a weight")
    return nothing()._replace(own=own, arrival=arrival, weights=weights)


def told(foresight: Foresight, beliefs: Iterable[tuple[int, Iterable[tuple[int, float]]]]) -> Foresight:
    """Return foresight that is told the beliefs in single positions: a key, and moves with probabilities."""
    listed = [
        (_signed(key), move, round(belief * WHOLE))
        for key, moves in beliefs
        for move, belief in [(ANY, 0.0), *((_signed(move), belief) for move, belief in moves)]
    ]
    bits = max(1, len(listed).bit_length() + 1)
    known = np.zeros((1 << bits, 3), np.int64)
    if listed:
        _enter(known, np.array(listed, np.int64))
    return foresight._replace(known=known)


def _signed(word: int) -> int:
    word %= 2**64
    return word - 2**64 if word >= 2**63 else word


@compiled
def _enter(known, rows) -> None:  # type: ignore[no-untyped-def]  # numba infers the types
    for i in range(len(rows)):
        place = _place(known, rows[i, KEY], rows[i, MOVE])
        known[place, KEY] = rows[i, KEY]
        known[place, MOVE] = rows[i, MOVE]
        known[place, BELIEF] = rows[i, BELIEF] + 1


@compiled
def _place(known, key: int, move: int) -> int:  # type: ignore[no-untyped-def]  # numba infers the types
    """Return the row of a key and a move, or the empty one where it would stand."""
    mixed = (np.uint64(key) ^ np.uint64(move)) * np.uint64(0x9E3779B97F4A7C15)
    place = np.int64((mixed >> np.uint64(20)) & np.uint64(len(known) - 1))
    while known[place, BELIEF] and not (known[place, KEY] == key and known[place, MOVE] == move):
        place = (place + 1) & (len(known) - 1)
    return place  # type: ignore[return-value]  # an int of 64 bits


@compiled
def recalled(known, key: int, move: int) -> int:  # type: ignore[no-untyped-def]  # numba infers the types
    """Return the belief in a move, in thousandths, or -1 where none was told."""
    return known[_place(known, key, move), BELIEF] - 1


@compiled
def tell(state: State, move: int, seat: int, back: bool, choice: bool, foresight: Foresight, out: Any) -> None:
    """Write the facts of a legal move into ``out``, a row of FACTS.

    ``back``: whether the move before won something; ``choice``: whether a search takes this one for the best.
    """
    foresight = borrowed(foresight)
    won = np.float64(gain(state, move)) / 100.0
    safe = exchange_reaches(state, move, 0)
    threat = threatened(step(state, move))
    out[OWN] = foresight.own[seat, slot(state, move)]
    out[ARRIVAL] = foresight.arrival[seat, aim(state, move)]
    out[GAIN] = won
    out[ROOT] = np.sqrt(max(won, 0.0))
    out[SAFE] = safe
    out[THREAT] = threat
    out[SAFE_THREAT] = safe and threat
    out[BACK] = back and won > 0.0
    out[CHOICE] = choice


@compiled
def tell_all(
    state: State, moves: Moves, count: int, seat: int, back: bool, choice: int, foresight: Foresight, out: Any
) -> None:
    """Write the facts of legal moves (count, FACTS); ``choice``: the place of the one that a search chose, or -1."""
    for i in range(count):
        tell(state, moves[i], seat, back, i == choice, foresight, out[i])
