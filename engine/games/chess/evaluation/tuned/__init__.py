# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuned chess evaluation: piece-square tables, mobility, pawns, threats, king safety, endgames.

Each term is counted for the side to move and, with the board turned over, for the other side. It has a weight for the
middle game and one for the endgame, interpolated by the remaining pieces (tapered evaluation).
"""

from typing import Any

import numpy as np

from engine.bitboards.bits import Bits, popcount, upside_down
from engine.evaluation import Evaluation, Terms, Words
from engine.games.chess.attacks import passed, turned
from engine.games.chess.board import Chess
from engine.games.chess.evaluation.sinks import Weigh, WritePair, count, end_of, middle_of
from engine.games.chess.evaluation.tuned.attacks import Attacks, attacks_of
from engine.games.chess.evaluation.tuned.endings import UNIT, WHOLE, driven, scale, stage
from engine.games.chess.evaluation.tuned.king import danger, shelter
from engine.games.chess.evaluation.tuned.pawns import runners, structure
from engine.games.chess.evaluation.tuned.pieces import mobility, placement, plans, space, threats
from engine.games.chess.evaluation.tuned.tables import note, split, stand
from engine.games.chess.evaluation.tuned.terms import COUNT, NAMES, PLANES, RANGES, START, arranged, at, words
from engine.games.chess.evaluation.tuned.weights import WEIGHTS
from engine.kernel import compiled, inlined

TERMS = Terms(2, NAMES, RANGES, UNIT, words)

EVALUATIONS = (
    Evaluation(
        "tuned", arranged(WEIGHTS), "the strongest evaluation; weights fitted to self-play games", terms=TERMS, man=100
    ),
    Evaluation(
        "untuned",
        arranged(START),
        "the terms of the tuned evaluation with hand-set weights, from which tuning started",
        terms=TERMS,
        man=100,
    ),
)

TEMPO = at("to move")
_PLANES = Bits(PLANES)
SIZE = len(NAMES)


@inlined
def material(state: Chess, sink: Any) -> int:
    """Count the material of the side to move."""
    sum_ = 0
    for term, men in enumerate(split(state)[:5]):
        sum_ += count(sink, term, popcount(men & state.own))
    return sum_


@compiled
def side(state: Chess, mine: Attacks, theirs: Attacks, sink: Any) -> int:
    """Count all terms of one side except piece-square tables; ``theirs``: attacks of the other side, from its view."""
    bites = upside_down(theirs.pawns)
    defended = upside_down(theirs.attacked)
    sum_ = material(state, sink) + mobility(mine, sink)
    sum_ += placement(state, mine, bites, sink)
    sum_ += space(state, defended, bites, sink)
    sum_ += threats(state, mine, theirs, defended, bites, sink)
    sum_ += plans(state, mine, theirs, defended, bites, sink)
    sum_ += structure(state, mine, bites, sink)
    sum_ += shelter(state, sink)
    sum_ += danger(state, mine, theirs, sink)
    far = passed(state)
    if far:
        sum_ += runners(state, mine, far, defended, sink)
    if state.enemy == state.enemy & state.kings:
        sum_ += driven(state, sink)
    return sum_


@compiled
def weighed(state: Chess, words: Words) -> np.int64:
    """Return weights × features."""
    sink = Weigh(words)
    other = turned(state)
    mine, theirs = attacks_of(state), attacks_of(other)
    sum_ = side(state, mine, theirs, sink) - side(other, theirs, mine, sink) + count(sink, TEMPO, 1)
    middle, end = stand(state, words, _PLANES)
    early = stage(state)
    weight = (middle + middle_of(sum_)) * early * WHOLE + (end + end_of(sum_)) * (WHOLE - early) * scale(state)
    return (weight + UNIT // 2) // UNIT


@compiled
def written(state: Chess, out: Words) -> int:
    """Write the features and return how many there are."""
    other = turned(state)
    mine, theirs = attacks_of(state), attacks_of(other)
    out[:SIZE] = 0
    side(state, mine, theirs, WritePair(out, 1))
    side(other, theirs, mine, WritePair(out, -1))
    count(WritePair(out, 1), TEMPO, 1)
    note(state, out, 2 * COUNT, 1)
    note(other, out, 2 * COUNT, -1)
    early = stage(state)
    for i in range(0, SIZE, 2):
        out[i] *= early * WHOLE
        out[i + 1] *= (WHOLE - early) * scale(state)
    return SIZE
