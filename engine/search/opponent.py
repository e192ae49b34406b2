# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent model of a search: prior probabilities of the opponent's moves, as arrays that compiled code reads.

For some positions the priors are stored, by position key and move. For all others they follow from a conditional logit
over the legal moves: features of each move (``write_features``) times weights that were fitted to the player's games.
The selective search uses priors with the switches PROBABLE_FIRST, PROBABLE_EXTENSIONS, IMPROBABLE_REDUCTIONS,
ROOT_VERIFICATION and ROOT_EXPECTATION. They are not certain: the opponent may play any legal move, as in PrOM search
(J. Donkers, "Nosce Hostem", 2003).
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import Moves, State, step
from engine.hints.alphabeta import AIMS, SLOTS, aim, exchange_reaches, gain, slot, threatened
from engine.kernel import compiled
from engine.native.buffers import borrowed

MOVE_RATE, AIM_RATE, GAIN, ROOT, SAFE, THREAT, SAFE_THREAT, RECAPTURE, CHOICE = range(9)
"""Features of a move. MOVE_RATE, AIM_RATE: logarithm of how often the player made this move, or moved such a piece to
this target, when it could; GAIN, ROOT: immediate gain in pawn units, and its square root; SAFE: loses nothing by the
exchange; THREAT, SAFE_THREAT: threatens (gives check), and does so safely; RECAPTURE: has a gain after a move that had
one; CHOICE: a search chooses this move."""

FEATURES = 9

WHOLE = 1000
"""Priors are stored in thousandths."""

KEY, MOVE, PRIOR = range(3)
"""Columns of ``OpponentModel.known``; in empty rows PRIOR is 0."""

ANY = -1
"""As a move in ``known``: the priors of this position are stored."""


class OpponentModel(NamedTuple):
    """Arrays of an opponent model."""

    move_rates: NDArray[np.float64]
    """(2 seats, SLOTS): logarithm of how often a move was made when it was legal."""
    aim_rates: NDArray[np.float64]
    """(2 seats, AIMS): the same by piece and target."""
    weights: NDArray[np.float64]
    """(FEATURES): weights of the features."""
    known: NDArray[np.int64]
    """(2 ** bits, 3): hash table (open addressing, at most half full) of stored priors + 1."""
    shuffled: NDArray[np.int64]
    """(1): if not 0, each prior is given to another move. A control for studies: the effect of the switches alone."""


def no_model() -> OpponentModel:
    """Return an empty model; searches do not use it."""
    return OpponentModel(
        np.zeros((2, 1)), np.zeros((2, 1)), np.zeros(FEATURES), np.zeros((2, 3), np.int64), np.zeros(1, np.int64)
    )


def from_rates(
    move_rates: NDArray[np.float64], aim_rates: NDArray[np.float64], weights: NDArray[np.float64]
) -> OpponentModel:
    """Return a model of rates and weights. Raises ValueError if the shapes differ from ``OpponentModel``'s."""
    if move_rates.shape != (2, SLOTS) or aim_rates.shape != (2, AIMS) or weights.shape != (FEATURES,):
        raise ValueError("the rates must be of two seats, and there must be a weight for each feature")
    return no_model()._replace(move_rates=move_rates, aim_rates=aim_rates, weights=weights)


def with_priors(model: OpponentModel, priors: Iterable[tuple[int, Iterable[tuple[int, float]]]]) -> OpponentModel:
    """Return the model with stored priors of single positions: a position key, and moves with probabilities."""
    listed = [
        (_signed(key), move, round(prior * WHOLE))
        for key, moves in priors
        for move, prior in [(ANY, 0.0), *((_signed(move), prior) for move, prior in moves)]
    ]
    bits = max(1, len(listed).bit_length() + 1)
    known = np.zeros((1 << bits, 3), np.int64)
    if listed:
        _enter(known, np.array(listed, np.int64))
    return model._replace(known=known)


def _signed(word: int) -> int:
    word %= 2**64
    return word - 2**64 if word >= 2**63 else word


@compiled
def _enter(known, rows) -> None:  # type: ignore[no-untyped-def]  # numba infers the types
    for i in range(len(rows)):
        place = _place(known, rows[i, KEY], rows[i, MOVE])
        known[place, KEY] = rows[i, KEY]
        known[place, MOVE] = rows[i, MOVE]
        known[place, PRIOR] = rows[i, PRIOR] + 1


@compiled
def _place(known, key: int, move: int) -> int:  # type: ignore[no-untyped-def]  # numba infers the types
    """Return the row of a key and a move, or the empty row for them."""
    mixed = (np.uint64(key) ^ np.uint64(move)) * np.uint64(0x9E3779B97F4A7C15)
    place = np.int64((mixed >> np.uint64(20)) & np.uint64(len(known) - 1))
    while known[place, PRIOR] and not (known[place, KEY] == key and known[place, MOVE] == move):
        place = (place + 1) & (len(known) - 1)
    return place  # type: ignore[return-value]  # an int of 64 bits


@compiled
def stored_prior(known, key: int, move: int) -> int:  # type: ignore[no-untyped-def]  # numba infers the types
    """Return the stored prior of a move in thousandths, -1 for none."""
    return known[_place(known, key, move), PRIOR] - 1


@compiled
def write_features(
    state: State, move: int, seat: int, recaptures: bool, choice: bool, model: OpponentModel, out: Any
) -> None:
    """Write the features of a legal move into ``out``, a row of FEATURES.

    ``recaptures``: whether the previous move had a gain; ``choice``: whether a search chooses this move.
    """
    model = borrowed(model)
    won = np.float64(gain(state, move)) / 100.0
    safe = exchange_reaches(state, move, 0)
    threat = threatened(step(state, move))
    out[MOVE_RATE] = model.move_rates[seat, slot(state, move)]
    out[AIM_RATE] = model.aim_rates[seat, aim(state, move)]
    out[GAIN] = won
    out[ROOT] = np.sqrt(max(won, 0.0))
    out[SAFE] = safe
    out[THREAT] = threat
    out[SAFE_THREAT] = safe and threat
    out[RECAPTURE] = recaptures and won > 0.0
    out[CHOICE] = choice


@compiled
def write_all_features(
    state: State, moves: Moves, count: int, seat: int, recaptures: bool, choice: int, model: OpponentModel, out: Any
) -> None:
    """Write the features of legal moves (count, FEATURES); ``choice``: index of a search's choice, or -1."""
    for i in range(count):
        write_features(state, moves[i], seat, recaptures, i == choice, model, out[i])
